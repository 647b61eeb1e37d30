//! Differences by the names of sources and destinations: what changes for whom, where, and which part of both.
//! Must not live here: ports and accounts in words (diff_access.rs, diff_ssh.rs).

use std::rc::Rc;

use super::atoms::Atoms;
use super::classes::{Class, Classes};
use super::condition::{Fact, Why};
use super::cuts::{V4, V6};
use super::ids::{AtomId, ClassId, Id, ItemId, NameId, TermId};
use super::item::{Besides, Differences, Item, SourceChange, To};
use super::naming::{MeantName, Naming, is_nobodys};
use super::pairs::atoms_of;
use super::part_of::PartOf;
use super::reach::Shared;
use crate::cidr::Version;
use crate::policy::findings::words::joined;
use crate::policy::language::posture::REDEFINED;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::tables::index::{Index, Runs};
use crate::tables::{find, sort};

/// One difference at one destination, for some sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reported {
    /// What changes.
    pub item: ItemId,
    /// The destination; none for the source's own devices.
    pub to: Option<NameId>,
    /// What is meant of it, where that is known.
    pub meant: Option<Rc<MeantName>>,
    /// Which part of the destination.
    pub part: PartOf,
    /// The families of the destination, or of the part.
    pub families: u8,
    /// What the other reading opens there, in all of it.
    pub besides: Besides,
}

impl Reported {
    /// Whether it is about this part of a destination. An answer may leave out more devices of a set than the difference does.
    pub fn is_at(&self, to: NameId, part: &PartOf) -> bool {
        let is_same = match (&self.part, part) {
            (PartOf::All, PartOf::AllBut(_)) => true,
            (PartOf::AllBut(own), PartOf::AllBut(but)) => but.starts_with(own),
            (own, part) => own == part,
        };
        self.to == Some(to) && is_same
    }
}

/// What changes for one source.
#[derive(Clone, Debug)]
pub struct ReportedSource {
    /// The source.
    pub name: NameId,
    /// The index of each list of differences, and the endpoints of the source that it is about.
    pub lists: Vec<(usize, Vec<AtomId>)>,
}

/// Everything that changes, by names.
#[derive(Default)]
pub struct ReportedDifferences {
    /// The distinct lists.
    pub lists: Vec<Vec<Reported>>,
    /// By source.
    pub sources: Vec<ReportedSource>,
}

/// The differences by names.
#[inline(never)]
pub fn reported(
    differences: &Differences,
    (from, to): (&Classes<'_>, &Classes<'_>),
    (sources, destinations): (&Naming<'_, '_>, &Naming<'_, '_>),
) -> ReportedDifferences {
    let mut reported = ReportedDifferences {
        lists: Vec::with_capacity(differences.changes.len()),
        sources: Vec::new(),
    };
    let mut senders = vec![SourcesOfChange::default(); differences.changes.len()];
    for ((_, class), changes) in from.list.iter().zip(&differences.of) {
        for change in changes {
            if let Some(senders) = senders.get_mut(*change) {
                senders.families |= class.family;
                senders.has_own |= has_own(class);
            }
        }
    }
    let mut names = DestinationNames {
        to,
        naming: destinations,
        runs: Runs::default(),
        known: Vec::new(),
    };
    for (change, &senders) in differences.changes.iter().zip(&senders) {
        let mut list = Vec::new();
        for place in names.with_vacant(places_of(change), differences, senders) {
            if let Some(besides) = place.own {
                list.push(Reported {
                    item: place.item,
                    to: None,
                    meant: None,
                    part: PartOf::All,
                    families: V4 | V6,
                    besides,
                });
            }
            let at = differences.items.get(place.item).map_or(1, Item::reading);
            for (named, part) in names.of(&place.classes, senders, at) {
                list.push(Reported {
                    item: place.item,
                    to: Some(named.name),
                    meant: Some(Rc::clone(named)),
                    part: part.clone(),
                    families: families_of(named.name, part, destinations),
                    besides: place.besides_at(&named.atoms, to),
                });
            }
        }
        reported.lists.push(list);
    }
    reported.sources = sources_of(differences, from, sources, &mut reported.lists);
    reported
}

/// The families of a name, or of the part of it, as far as they are said.
fn families_of(name: NameId, part: &PartOf, naming: &Naming<'_, '_>) -> u8 {
    match part.family() {
        Some(Version::V4) => V4,
        Some(Version::V6) => V6,
        _ => naming.families(naming.get(name).map_or(&[], |name| &name.atoms)),
    }
}

/// What the sources of one change have in common.
#[derive(Clone, Copy, Default)]
struct SourcesOfChange {
    /// Their families.
    families: u8,
    /// Whether `autogroup:self` is the only name of the own devices of some of them.
    has_own: bool,
}

/// Whether only `autogroup:self` names the own devices of a class: a user's devices have the user's name, a tag has none.
fn has_own(class: &Class<'_>) -> bool {
    let mut endpoints = class.endpoints.iter().flatten();
    endpoints.any(|end| {
        let has_none = end.identity.shares_user(Identity::OWN) == Answer::No;
        !has_none && end.identity.user().is_none()
    })
}

/// The places at which one thing changes for some sources.
struct ChangedPlaces {
    item: ItemId,
    /// What the other reading opens at the source's own devices, where these are among them.
    own: Option<Besides>,
    classes: Vec<ClassId>,
    /// What the other reading opens at each of them.
    besides: Vec<Besides>,
}

impl ChangedPlaces {
    /// What the other reading opens at all of some endpoints.
    fn besides_at(&self, atoms: &[AtomId], to: &Classes<'_>) -> Besides {
        let besides = |atom: &AtomId| {
            let mut classes = self.classes.iter().zip(&self.besides);
            let own = classes.find(|(class, besides)| {
                let class = to.list.get(**class);
                **besides != Besides::Nothing
                    && class.is_some_and(|it| it.atoms.binary_search(atom).is_ok())
            });
            own.map_or(Besides::Nothing, |(_, besides)| *besides)
        };
        atoms.iter().map(besides).min().unwrap_or_default()
    }
}

/// A change by its items.
fn places_of(change: &SourceChange) -> Vec<ChangedPlaces> {
    let mut all: Vec<ChangedPlaces> = Vec::new();
    for alike in change.chunk_by(|a, b| a.0 == b.0) {
        let Some(&(item, ..)) = alike.first() else {
            continue;
        };
        let mut places = ChangedPlaces {
            item,
            own: None,
            classes: Vec::with_capacity(alike.len()),
            besides: Vec::with_capacity(alike.len()),
        };
        for (_, place, besides) in alike {
            match place {
                To::Own => places.own = places.own.max(Some(*besides)),
                To::Class(class) => {
                    places.classes.push(*class);
                    places.besides.push(*besides);
                }
            }
        }
        all.push(places);
    }
    all
}

/// The names of destinations, each looked up once.
struct DestinationNames<'n, 'a, 'p> {
    to: &'n Classes<'p>,
    naming: &'n Naming<'a, 'p>,
    runs: Runs,
    known: Vec<Vec<(Rc<MeantName>, PartOf)>>,
}

impl DestinationNames<'_, '_, '_> {
    /// The same, but what nobody receives today is reported with what somebody does where both together are everything.
    fn with_vacant(
        &mut self,
        mut all: Vec<ChangedPlaces>,
        differences: &Differences,
        senders: SourcesOfChange,
    ) -> Vec<ChangedPlaces> {
        let item = |places: &ChangedPlaces| differences.items.get(places.item);
        let is_vacant = |places: &ChangedPlaces| item(places).is_some_and(|item| item.is_vacant);
        for at in (0..all.len()).rev() {
            let Some(vacant) = all.get(at).filter(|places| is_vacant(places)) else {
                continue;
            };
            let alike = |other: &ChangedPlaces| match (item(other), item(vacant)) {
                (Some(other), Some(own)) => {
                    let other = Item {
                        is_vacant: true,
                        ..other.clone()
                    };
                    other == *own
                }
                _ => false,
            };
            let Some(place) = all.iter().position(|it| !is_vacant(it) && alike(it)) else {
                continue;
            };
            let Some(other) = all.get(place) else {
                continue;
            };
            let classes = [other.classes.as_slice(), &vacant.classes].concat();
            let besides = [other.besides.as_slice(), &vacant.besides].concat();
            let everything = self.naming.everything();
            let names = self.of(&classes, senders, 1);
            if everything.is_some() && names.iter().any(|(it, _)| Some(it.name) == everything) {
                if let Some(other) = all.get_mut(place) {
                    other.classes = classes;
                    other.besides = besides;
                }
                all.remove(at);
            }
        }
        all
    }

    /// The names that some classes have in a reading, each with the part of it that is meant.
    fn of(
        &mut self,
        classes: &[ClassId],
        senders: SourcesOfChange,
        reading: usize,
    ) -> &[(Rc<MeantName>, PartOf)] {
        let SourcesOfChange { families, has_own } = senders;
        let mut run: Vec<u64> = classes.iter().map(|it| it.place() as u64).collect();
        run.push(u64::MAX - (u64::from(families) << 2 | u64::from(has_own) << 1 | reading as u64));
        let place = self.runs.place(&run);
        if place == self.known.len() {
            let atoms = atoms_of(self.to, classes);
            let names = self.naming.named_in(reading, &atoms, families).into_iter();
            let with_part = |it: MeantName| {
                let part = self.naming.part_for(&it, families, (reading, has_own));
                (Rc::new(it), part)
            };
            self.known.push(names.map(with_part).collect());
        }
        self.known.get(place).map_or(&[], Vec::as_slice)
    }
}

/// The sources with the changes of each. Where the readings have other names for some of them, what each reading alone has is a list of its
/// own.
fn sources_of(
    differences: &Differences,
    from: &Classes<'_>,
    sources: &Naming<'_, '_>,
    lists: &mut Vec<Vec<Reported>>,
) -> Vec<ReportedSource> {
    let mut by_change = vec![Vec::new(); differences.changes.len()];
    for (class, changes) in from.list.ids().zip(&differences.of) {
        for change in changes {
            if let Some(classes) = by_change.get_mut(*change) {
                classes.push(class);
            }
        }
    }
    let mut reported: Vec<ReportedSource> = Vec::new();
    let mut places = Index::default();
    for (change, classes) in by_change.iter().enumerate() {
        let atoms = atoms_of(from, classes);
        for (list, named) in by_reading(change, &atoms, (differences, sources), lists) {
            let key = named.name.place().to_string();
            let place = places.find(&key).unwrap_or(reported.len());
            if place == reported.len() {
                places.set(key.into(), place);
                reported.push(ReportedSource {
                    name: named.name,
                    lists: Vec::new(),
                });
            }
            if let Some(source) = reported.get_mut(place) {
                source.lists.push((list, named.atoms));
            }
        }
    }
    sort::sort_by(&mut reported, |a, b| {
        let order = |it: &ReportedSource| {
            let party = sources.party(it.name);
            party.map(|party| (party.kind, party.name.clone()))
        };
        order(a).cmp(&order(b))
    });
    reported
}

/// The endpoints of a change by the names that its reading has for them, each with the list that it is about.
fn by_reading(
    change: usize,
    atoms: &[AtomId],
    (differences, sources): (&Differences, &Naming<'_, '_>),
    lists: &mut Vec<Vec<Reported>>,
) -> Vec<(usize, MeantName)> {
    let [has_before, has_after] = [0, 1].map(|reading| {
        let items = differences.changes.get(change).into_iter().flatten();
        let mut items = items.filter_map(|(item, ..)| differences.items.get(*item));
        items.any(|item| item.reading() == reading)
    });
    let names = |reading| sources.named_in(reading, atoms, V4 | V6);
    let own = names(usize::from(has_after || !has_before));
    let earlier = match has_before && has_after && sources.names_by_reading() {
        true => Some(names(0)).filter(|earlier| *earlier != own),
        false => None,
    };
    let mut named: Vec<_> = own.into_iter().map(|it| (change, it)).collect();
    if let (Some(earlier), Some(list)) = (earlier, lists.get_mut(change)) {
        let item = |it: &Reported| differences.items.get(it.item);
        let is_later = |it: &Reported| item(it).is_none_or(|item| item.reading() == 1);
        let (later, before) = list.drain(..).partition(is_later);
        *list = later;
        named.extend(earlier.into_iter().map(|it| (lists.len(), it)));
        lists.push(before);
    }
    named
}

/// Which part of what a source has of some families some of its endpoints are.
pub fn part_of(
    name: NameId,
    mut atoms: Vec<AtomId>,
    naming: &Naming<'_, '_>,
    families: u8,
) -> PartOf {
    atoms.retain(|atom| naming.is_of(*atom, families));
    sort::sort(&mut atoms);
    atoms.dedup();
    naming.part(&MeantName { name, atoms }, families)
}

/// The party of a destination.
pub fn party_of(to: Option<NameId>, naming: &Naming<'_, '_>) -> Party {
    to.and_then(|to| naming.party(to))
        .cloned()
        .unwrap_or_else(|| Party {
            kind: PartyKind::Autogroup,
            name: "autogroup:self".to_owned(),
            id: None,
        })
}

/// Why nobody can use something at a name now.
pub fn vacancy(name: Option<NameId>, atoms: &Atoms<'_>) -> Option<String> {
    let name = atoms.names.get(name?).filter(|name| name.is_vacant)?;
    Some(vacancy_of(&name.party))
}

/// The same of a party that no device has.
pub fn vacancy_of(party: &Party) -> String {
    let shown = party.name.as_str();
    match party.kind {
        PartyKind::Tag => joined(&["no device has ", shown]),
        PartyKind::User => joined(&[shown, " has no device"]),
        PartyKind::Autogroup | PartyKind::Domain | PartyKind::Group => {
            joined(&["no device is in ", shown])
        }
        _ => joined(&["no device and no approved route has an address of ", shown]),
    }
}

/// Of what only another device of the same user would use.
pub const ONLY_DEVICE: &str = "the user has no other device";

/// Why nobody can use what the one device of a user or tag opens to itself.
pub fn lone(party: &Party) -> Option<String> {
    match party.kind {
        PartyKind::User => Some(ONLY_DEVICE.to_owned()),
        PartyKind::Tag => Some("no other device has the tag".to_owned()),
        _ => None,
    }
}

/// Why nobody can use something at some addresses of a name now, where devices are known: no device has one of them.
pub fn vacancy_of_part(part: &PartOf, own: &[AtomId], atoms: &Atoms<'_>) -> Option<String> {
    let is_vacant = !part.is_all() && own.iter().all(|atom| is_nobodys(*atom, atoms));
    is_vacant.then(|| joined(&["no device has an address of ", &part.text()]))
}

/// Why something is undecided, in words, and which members of a context would decide it.
pub fn reasons(why: &[(Why, String)]) -> (Option<String>, Vec<&'static str>) {
    let (mut words, mut needs) = (Vec::new(), Vec::new());
    for (why, key) in why {
        let name = find::split_once(key, " ").map_or(key.as_str(), |(_, name)| name);
        // Behind the name may stand what distinguishes the fact from others for the same reason.
        let name = find::split_once(name, "\0").map_or(name, |(name, _)| name);
        let (text, need) = match why {
            Why::Role => (joined(&["who is in ", name, " is not known"]), "users"),
            Why::Members => (
                joined(&["the members of ", name, " are not known"]),
                "groups",
            ),
            Why::Address => (
                joined(&["who has an address of ", name, " is not known"]),
                "devices",
            ),
            Why::Routes if key == "from *" => (
                "whether an approved route leads to the source is not known".to_owned(),
                "devices",
            ),
            Why::Routes => (
                "which router forwards it is not known".to_owned(),
                match name {
                    "posture" => "attributes",
                    _ => "devices",
                },
            ),
            Why::Owner => (
                joined(&["whether it is a device of ", name, " is not known"]),
                "devices",
            ),
            Why::Presence => (
                joined(&["whether there is a device of ", name, " is not known"]),
                "devices",
            ),
            Why::Mail => (
                joined(&["the mail address of ", name, " is not known"]),
                "users",
            ),
            Why::User => (
                "whether both devices are of one user is not known".to_owned(),
                "devices",
            ),
        };
        if !words.contains(&text) {
            words.push(text);
        }
        needs.push(need);
    }
    if words.is_empty() {
        words.push(REDEFINED.to_owned());
        needs.push("attributes");
    }
    needs.dedup();
    (Some(words.join("; ")), needs)
}

/// The postures and tags of a term, by their names in one reading, ascending.
pub fn names_of(term: TermId, at: usize, shared: &Shared<'_>) -> (Vec<String>, Vec<String>) {
    let (mut postures, mut via) = (Vec::new(), Vec::new());
    for fact in shared.conditions.facts(term) {
        match fact {
            Fact::Posture { .. } => postures.extend(fact.name(at).map(str::to_owned)),
            Fact::Via(tag) | Fact::Exit(tag) => via.push((*tag).to_owned()),
            Fact::Presence(_) | Fact::Undecided(..) => {}
        }
    }
    // Facts are numbered as they are met, the earlier reading first.
    sort::sort(&mut postures);
    sort::sort(&mut via);
    (postures, via)
}
