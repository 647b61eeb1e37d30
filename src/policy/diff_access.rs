//! Who gains and who loses access between two documents.
//! Must not live here: which selectors cover whom (world.rs), packet filters.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::order;
use serde::Serialize;

use super::access::openings;
use super::document::Policy;
use super::port_set::{Opening, PortSet};
use super::ports::PortRange;
use super::selector::{Autogroup, Kind, Selector};
use super::topology::Topology;
use super::world::{Covered, Party, World};

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
/// Nothing is compared pair by pair: whoever the selectors of both documents treat alike is judged once. A rule with a
/// posture opens nothing, as in tests without attributes.
pub fn diff_access(
    before: &Policy<'_>,
    after: &Policy<'_>,
    topology: &Topology,
) -> Vec<AccessChange> {
    let world = World::new([before, after], topology);
    let classes = Classes::new(&world);
    let (before, after) = (classes.reach(0), classes.reach(1));
    let changes: Vec<Rc<Change>> = (before.iter().zip(&after))
        .map(|(before, after)| Rc::new(classes.change(before, after)))
        .collect();
    let sources = world.sources.iter().zip(&classes.sources.of);
    sources
        .filter_map(|(source, &class)| changes.get(class)?.of(source))
        .collect()
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
        let mut signatures: Vec<Vec<usize>> = vec![Vec::new(); parties.len()];
        let selectors = covers.iter().flat_map(|cover| cover.values());
        for (selector, covered) in selectors.enumerate() {
            for &party in covered.iter() {
                if let Some(signature) = signatures.get_mut(party) {
                    signature.push(selector);
                }
            }
        }
        let mut known: HashMap<(Vec<usize>, Option<&str>), usize> = HashMap::new();
        let mut alike = Alike {
            of: Vec::with_capacity(parties.len()),
            members: Vec::new(),
        };
        for (index, (party, signature)) in parties.iter().zip(signatures).enumerate() {
            let owner = party.login.as_deref().filter(|_| by_owner);
            let next = known.len();
            let class = *known.entry((signature, owner)).or_insert(next);
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
        let classes = parties.iter().filter_map(|&party| self.of.get(party));
        let mut classes: Vec<usize> = classes.copied().collect();
        order::sort(&mut classes);
        classes.dedup();
        classes
    }
}

/// What one class of sources reaches, by class of destinations.
type Reach = BTreeMap<usize, Vec<Opening>>;

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

    /// What each class of sources reaches by one of the two documents.
    fn reach(&self, side: usize) -> Vec<Reach> {
        let mut reach = vec![Reach::new(); self.sources.members.len()];
        let (Some(policy), Some(covers)) =
            (self.world.policies.get(side), self.world.sides.get(side))
        else {
            return reach;
        };
        if policy.allows_all() {
            let everyone: Vec<usize> = (0..self.sources.members.len()).collect();
            let everywhere: Vec<usize> = (0..self.places.members.len()).collect();
            open(
                &mut reach,
                &everyone,
                &everywhere,
                &[(None, PortRange::ALL)],
            );
        }
        for rule in policy.rules() {
            if !policy.posture_holds(rule.postures(), None) {
                continue;
            }
            let from = self
                .sources
                .classes_of(&covered(rule.sources(), &covers.sources));
            for (to, openings) in openings(rule) {
                if is_own(to) {
                    for &class in &from {
                        open(&mut reach, &[class], &self.own_places(class), &openings);
                    }
                } else {
                    let to = covered(std::slice::from_ref(to), &covers.places);
                    open(&mut reach, &from, &self.places.classes_of(&to), &openings);
                }
            }
        }
        reach
    }

    /// The classes of places that belong to the user of a class of sources; `autogroup:self` itself among them.
    fn own_places(&self, class: usize) -> Vec<usize> {
        let first = |members: Option<&Vec<usize>>| members.and_then(|m| m.first()).copied();
        let source =
            first(self.sources.members.get(class)).and_then(|at| self.world.sources.get(at));
        let login = source.and_then(|source| source.login.as_deref());
        let owned =
            |place: &Party| place.is_own || (login.is_some() && place.login.as_deref() == login);
        let classes = self.places.members.iter().enumerate();
        classes
            .filter(|(_, members)| {
                let place = first(Some(members)).and_then(|at| self.world.places.get(at));
                place.is_some_and(owned)
            })
            .map(|(class, _)| class)
            .collect()
    }

    fn change(&self, before: &Reach, after: &Reach) -> Change {
        Change {
            gained: self.only_in(after, before),
            lost: self.only_in(before, after),
        }
    }

    /// What the first reaches and the second does not, as place and ports in the order of the places. What `*` says
    /// already is not said of each place again.
    fn only_in(&self, reach: &Reach, other: &Reach) -> Vec<(String, Vec<String>)> {
        let ports = |reach: &Reach, class| -> PortSet {
            reach.get(&class).into_iter().flatten().copied().collect()
        };
        let rest = |class| ports(reach, class).minus(&ports(other, class));
        let anywhere = self
            .world
            .anywhere
            .and_then(|place| self.places.of.get(place).copied());
        let everywhere = anywhere.map(rest).unwrap_or_default();
        let mut found: Vec<(usize, Vec<String>)> = Vec::new();
        for &class in reach.keys() {
            let rest = match Some(class) == anywhere {
                true => everywhere.clone(),
                false => rest(class).minus(&everywhere),
            };
            if !rest.is_empty() {
                let members = self.places.members.get(class).into_iter().flatten();
                found.extend(members.map(|&place| (place, rest.texts())));
            }
        }
        order::sort(&mut found);
        let label = |place: usize| {
            self.world
                .places
                .get(place)
                .map(|place| place.label.clone())
        };
        let found = found.into_iter();
        found
            .filter_map(|(place, ports)| Some((label(place)?, ports)))
            .collect()
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
        let seen = |list: &[(String, Vec<String>)]| -> Vec<Reached> {
            let others = list
                .iter()
                .filter(|(to, _)| !source.is_device || *to != source.label);
            let reached = |(to, ports): &(String, Vec<String>)| Reached {
                destination: to.clone(),
                ports: ports.clone(),
            };
            others.map(reached).collect()
        };
        let (gained, lost) = (seen(&self.gained), seen(&self.lost));
        let changed = !gained.is_empty() || !lost.is_empty();
        changed.then(|| AccessChange {
            source: source.label.clone(),
            gained,
            lost,
        })
    }
}

fn open(reach: &mut [Reach], from: &[usize], to: &[usize], openings: &[Opening]) {
    for &from in from {
        let Some(reach) = reach.get_mut(from) else {
            continue;
        };
        for &to in to {
            reach.entry(to).or_default().extend(openings);
        }
    }
}

fn covered(selectors: &[Selector<'_>], cover: &Covered<'_>) -> Vec<usize> {
    let parties = selectors
        .iter()
        .filter_map(|selector| cover.get(selector.name()));
    parties
        .flat_map(|parties| parties.iter().copied())
        .collect()
}

fn is_own(selector: &Selector<'_>) -> bool {
    selector.kind == Kind::Autogroup(Autogroup::Own)
}

fn names_own(policy: &Policy<'_>) -> bool {
    policy
        .rules()
        .any(|rule| openings(rule).iter().any(|(to, _)| is_own(to)))
}
