//! Who gains and who loses access between two documents.
//! Must not live here: which selectors cover whom (world.rs), packet filters.

use crate::tables::sort;
use serde::Serialize;

use super::access::{Openings, openings};
use super::language::document::Policy;
use super::language::port_set::{Opening, PortSet};
use super::language::ports::PortRange;
use super::language::selector::{Autogroup, Kind, Selector};
use super::tailnet::comparison::{Covered, Party, World};
use super::tailnet::topology::Topology;
use crate::tables::index::{Index, Runs};

/// What changes for one source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AccessChange {
    /// A login, tag or selector as written; where devices are known, the id of one.
    pub source: String,
    /// What it reaches only by the later document.
    pub gained: Vec<Reached>,
    /// What it reached only by the earlier document.
    pub lost: Vec<Reached>,
}

/// Ports at one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reached {
    /// A login, tag or selector; where devices are known, the id of one, or a subnet or the internet behind one.
    pub destination: String,
    /// As in the access matrix.
    pub ports: Vec<String>,
}

/// Who gains and who loses what between two documents: by identities where no devices are known, else by devices.
/// Sources without a change are left out.
///
/// Nothing is compared pair by pair: whoever the selectors of both documents treat alike is judged once, and only where
/// a rule opens something by one document alone. A rule with a posture opens nothing, as in tests without attributes.
pub fn diff_access(
    before: &Policy<'_>,
    after: &Policy<'_>,
    topology: &Topology,
) -> Vec<AccessChange> {
    let world = World::new([before, after], topology);
    let classes = Classes::new(&world);
    let passages = classes.passages();
    let reach = classes.reach(&passages);
    let mut changes = Vec::with_capacity(reach.len());
    for [before, after] in &reach {
        changes.push(Change {
            gained: classes.only_in(after, before, &passages),
            lost: classes.only_in(before, after, &passages),
        });
    }
    let mut found = Vec::new();
    for (source, &class) in world.sources.iter().zip(&classes.sources.of) {
        found.extend(changes.get(class).and_then(|change| change.of(source)));
    }
    found
}

/// Parties that the selectors of both documents treat alike, as numbers from 0.
struct Alike {
    /// The class of each party.
    of: Vec<usize>,
    /// The parties of each class.
    members: Vec<Vec<usize>>,
}

impl Alike {
    /// Parties are alike if the same selectors cover them and, where that matters, one user owns them.
    fn new(parties: &[Party], covers: [&Covered<'_>; 2], by_owner: bool) -> Alike {
        // Owners come first in a signature, as numbers from 1.
        let mut owners = Index::default();
        let mut signatures: Vec<Vec<u64>> = Vec::with_capacity(parties.len());
        for party in parties {
            let owner = party.login.as_deref().filter(|_| by_owner);
            let next = signatures.len();
            let owner = owner.map_or(0, |login| 1 + owners.place(login, next));
            signatures.push(vec![owner as u64]);
        }
        let mut selector = 0;
        for cover in covers {
            for covered in cover.all() {
                selector += 1;
                for &party in covered {
                    if let Some(signature) = signatures.get_mut(party) {
                        signature.push(selector);
                    }
                }
            }
        }
        let mut known = Runs::default();
        let mut alike = Alike {
            of: Vec::with_capacity(parties.len()),
            members: Vec::new(),
        };
        for (index, signature) in signatures.iter().enumerate() {
            let class = known.place(signature);
            alike.of.push(class);
            match alike.members.get_mut(class) {
                Some(members) => members.push(index),
                None => alike.members.push(vec![index]),
            }
        }
        alike
    }

    /// The classes of some parties, each once.
    fn classes_of(&self, parties: &[usize]) -> Vec<usize> {
        let mut classes = Vec::with_capacity(parties.len());
        for &party in parties {
            classes.extend(self.of.get(party));
        }
        sort::sort(&mut classes);
        classes.dedup();
        classes
    }
}

/// What a rule opens at one of its destinations, from some classes of sources to some classes of places. Both ascend.
struct Passage {
    from: Vec<usize>,
    to: Vec<usize>,
    /// The place of what is open in the list of openings.
    openings: usize,
    /// Whether the earlier and whether the later document opens it.
    by: [bool; 2],
}

/// The passages of both documents, each once.
#[derive(Default)]
struct Passages {
    list: Vec<Passage>,
    known: Runs,
    openings: Openings,
}

impl Passages {
    fn open(&mut self, side: usize, from: &[usize], to: &[usize], openings: Vec<Opening>) {
        let openings = self.openings.place(openings);
        let mut run = vec![openings as u64, from.len() as u64];
        for &class in from.iter().chain(to) {
            run.push(class as u64);
        }
        let place = self.known.place(&run);
        if place == self.list.len() {
            self.list.push(Passage {
                from: from.to_vec(),
                to: to.to_vec(),
                openings,
                by: [false; 2],
            });
        }
        let by = self.list.get_mut(place).map(|passage| &mut passage.by);
        if let Some(by) = by.and_then(|by| by.get_mut(side)) {
            *by = true;
        }
    }

    fn ports(&self, reached: &[(usize, usize)]) -> PortSet {
        let mut openings = Vec::new();
        for &(_, place) in reached {
            openings.extend_from_slice(self.openings.get(place));
        }
        PortSet::of(&openings)
    }
}

/// What one class of sources reaches by one document: classes of places, and the places of what is open there in the
/// list of openings. Both ascend.
type Reach = Vec<(usize, usize)>;

/// What is open at one class of places.
fn reached(reach: &[(usize, usize)], class: usize) -> &[(usize, usize)] {
    let start = reach.partition_point(|&(own, _)| own < class);
    let rest = reach.get(start..).unwrap_or_default();
    let length = rest.partition_point(|&(own, _)| own == class);
    rest.get(..length).unwrap_or_default()
}

struct Classes<'w, 'p> {
    world: &'w World<'p>,
    sources: Alike,
    places: Alike,
}

impl<'w, 'p> Classes<'w, 'p> {
    fn new(world: &'w World<'p>) -> Self {
        let own = world.policies.iter().any(|policy| names_own(policy));
        let [before, after] = &world.sides;
        Classes {
            world,
            sources: Alike::new(&world.sources, [&before.sources, &after.sources], own),
            places: Alike::new(&world.places, [&before.places, &after.places], own),
        }
    }

    fn passages(&self) -> Passages {
        let mut passages = Passages::default();
        for (side, (policy, covers)) in self
            .world
            .policies
            .iter()
            .zip(&self.world.sides)
            .enumerate()
        {
            if policy.allows_all() {
                let everyone: Vec<usize> = (0..self.sources.members.len()).collect();
                let everywhere: Vec<usize> = (0..self.places.members.len()).collect();
                passages.open(side, &everyone, &everywhere, vec![(None, PortRange::ALL)]);
            }
            for rule in policy.rules() {
                if !policy.posture_holds(rule.postures, None) {
                    continue;
                }
                let from = self
                    .sources
                    .classes_of(&covered(rule.sources, &covers.sources));
                for (to, openings) in openings(rule) {
                    if is_own(to) {
                        for &class in &from {
                            passages.open(
                                side,
                                &[class],
                                &self.own_places(class),
                                openings.clone(),
                            );
                        }
                    } else {
                        let to = covered(std::slice::from_ref(to), &covers.places);
                        passages.open(side, &from, &self.places.classes_of(&to), openings);
                    }
                }
            }
        }
        passages
    }

    /// What each class of sources reaches by each document, where a passage of one alone might make a difference.
    fn reach(&self, passages: &Passages) -> Vec<[Reach; 2]> {
        let mut from = vec![false; self.sources.members.len()];
        let mut to = vec![false; self.places.members.len()];
        for passage in &passages.list {
            if passage.by != [true; 2] {
                mark(&mut from, &passage.from);
                mark(&mut to, &passage.to);
            }
        }
        mark(&mut to, self.anywhere().as_slice());
        let mut reach: Vec<[Reach; 2]> = Vec::new();
        reach.resize_with(from.len(), Default::default);
        for passage in &passages.list {
            let mut opened = Vec::new();
            for class in marked(&to, &passage.to) {
                opened.push((class, passage.openings));
            }
            for class in marked(&from, &passage.from) {
                for (reach, by) in reach.get_mut(class).into_iter().flatten().zip(passage.by) {
                    if by {
                        reach.extend_from_slice(&opened);
                    }
                }
            }
        }
        for reach in reach.iter_mut().flatten() {
            sort::sort(reach);
            reach.dedup();
        }
        reach
    }

    /// The class of `*`, where some document names it.
    fn anywhere(&self) -> Option<usize> {
        let place = self.world.anywhere?;
        self.places.of.get(place).copied()
    }

    /// The classes of places that belong to the user of a class of sources; `autogroup:self` itself among them.
    fn own_places(&self, class: usize) -> Vec<usize> {
        let first = |members: Option<&Vec<usize>>| members.and_then(|m| m.first()).copied();
        let source =
            first(self.sources.members.get(class)).and_then(|at| self.world.sources.get(at));
        let login = source.and_then(|source| source.login.as_deref());
        let owned =
            |place: &Party| place.is_own || (login.is_some() && place.login.as_deref() == login);
        let mut classes = Vec::new();
        for (class, members) in self.places.members.iter().enumerate() {
            let place = first(Some(members)).and_then(|at| self.world.places.get(at));
            if place.is_some_and(owned) {
                classes.push(class);
            }
        }
        classes
    }

    /// What the first reaches and the second does not, as place and ports in the order of the places. What `*` says
    /// already is not said of each place again.
    fn only_in(
        &self,
        reach: &Reach,
        other: &Reach,
        passages: &Passages,
    ) -> Vec<(String, Vec<String>)> {
        let rest = |class| match (reached(reach, class), reached(other, class)) {
            (own, others) if own == others => PortSet::default(),
            (own, others) => passages.ports(own).minus(&passages.ports(others)),
        };
        let anywhere = self.anywhere();
        let everywhere = anywhere.map(rest).unwrap_or_default();
        let mut found: Vec<(usize, Vec<String>)> = Vec::new();
        for run in reach.chunk_by(|(a, _), (b, _)| a == b) {
            let Some(&(class, _)) = run.first() else {
                continue;
            };
            let rest = match Some(class) == anywhere {
                true => everywhere.clone(),
                false => rest(class).minus(&everywhere),
            };
            if !rest.is_empty() {
                let texts = rest.texts();
                for &place in self.places.members.get(class).into_iter().flatten() {
                    found.push((place, texts.clone()));
                }
            }
        }
        sort::sort_by(&mut found, |(a, _), (b, _)| a.cmp(b));
        let mut told = Vec::with_capacity(found.len());
        for (place, ports) in found {
            if let Some(place) = self.world.places.get(place) {
                told.push((place.label.clone(), ports));
            }
        }
        told
    }
}

/// What changes for a class of sources.
struct Change {
    gained: Vec<(String, Vec<String>)>,
    lost: Vec<(String, Vec<String>)>,
}

impl Change {
    /// The change as one of the class sees it; a device is no destination of its own.
    fn of(&self, source: &Party) -> Option<AccessChange> {
        let (gained, lost) = (seen_by(source, &self.gained), seen_by(source, &self.lost));
        let changed = !gained.is_empty() || !lost.is_empty();
        changed.then(|| AccessChange {
            source: source.label.clone(),
            gained,
            lost,
        })
    }
}

fn mark(marks: &mut [bool], classes: &[usize]) {
    for &class in classes {
        if let Some(mark) = marks.get_mut(class) {
            *mark = true;
        }
    }
}

/// Those of some classes that are marked.
fn marked<'a>(marks: &'a [bool], classes: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let is_marked = |class: &usize| marks.get(*class) == Some(&true);
    classes.iter().copied().filter(is_marked)
}

fn seen_by(source: &Party, list: &[(String, Vec<String>)]) -> Vec<Reached> {
    let mut seen = Vec::with_capacity(list.len());
    for (to, ports) in list {
        if !source.is_device || *to != source.label {
            seen.push(Reached {
                destination: to.clone(),
                ports: ports.clone(),
            });
        }
    }
    seen
}

fn covered(selectors: &[Selector<'_>], cover: &Covered<'_>) -> Vec<usize> {
    let mut parties = Vec::new();
    for selector in selectors {
        parties.extend_from_slice(cover.get(selector.name()));
    }
    parties
}

fn is_own(selector: &Selector<'_>) -> bool {
    selector.kind == Kind::Autogroup(Autogroup::Own)
}

fn names_own(policy: &Policy<'_>) -> bool {
    policy
        .rules()
        .into_iter()
        .any(|rule| openings(rule).iter().any(|(to, _)| is_own(to)))
}
