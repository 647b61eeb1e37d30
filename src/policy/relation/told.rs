//! Differences by the names of sources and destinations: what changes for whom, where, and which part of both.
//! Must not live here: ports and accounts in words (diff_access.rs, diff_ssh.rs).

use super::atoms::Atoms;
use super::classes::Classes;
use super::condition::{Fact, Why};
use super::cuts::{V4, V6};
use super::ids::{AtomId, Id, ItemId, NameId, TermId};
use super::item::{Differences, To};
use super::naming::{Named, Naming};
use super::pairs::atoms_of;
use super::reach::Shared;
use crate::policy::findings::words::joined;
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// One difference at one destination, for some sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// What changes.
    pub item: ItemId,
    /// The destination; none for the source's own devices.
    pub to: Option<NameId>,
    /// Which part of the destination; empty for all of it.
    pub part: Vec<String>,
}

/// What changes for one source.
#[derive(Clone, Debug)]
pub struct ToldSource {
    /// The source.
    pub name: NameId,
    /// The index of each list of differences, and the endpoints of the source that it is about.
    pub lists: Vec<(usize, Vec<AtomId>)>,
}

/// Everything that changes, by names.
pub struct ToldDifferences {
    /// The distinct lists.
    pub lists: Vec<Vec<Told>>,
    /// By source.
    pub sources: Vec<ToldSource>,
}

/// The differences by names.
#[inline(never)]
pub fn told(
    differences: &Differences,
    (from, to): (&Classes<'_>, &Classes<'_>),
    (sources, destinations): (&Naming<'_, '_>, &Naming<'_, '_>),
) -> ToldDifferences {
    let mut told = ToldDifferences {
        lists: Vec::with_capacity(differences.changes.len()),
        sources: Vec::new(),
    };
    let mut known = Runs::default();
    let mut named: Vec<Vec<(Named, Vec<String>)>> = Vec::new();
    let mut families = vec![0; differences.changes.len()];
    for ((_, class), change) in from.list.iter().zip(&differences.of) {
        if let Some(families) = change.and_then(|change| families.get_mut(change)) {
            *families |= class.family;
        }
    }
    for (change, &families) in differences.changes.iter().zip(&families) {
        let mut list = Vec::new();
        for alike in change.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(item, _)) = alike.first() else {
                continue;
            };
            let mut classes = Vec::with_capacity(alike.len());
            for (_, place) in alike {
                match place {
                    To::Own => list.push(Told {
                        item,
                        to: None,
                        part: Vec::new(),
                    }),
                    To::Class(class) => classes.push(*class),
                }
            }
            let mut run: Vec<u64> = classes.iter().map(|it| it.place() as u64).collect();
            run.push(u64::MAX - u64::from(families));
            let place = known.place(&run);
            if place == named.len() {
                let atoms = atoms_of(to, &classes);
                let names = destinations.named(&atoms, families).into_iter();
                let part = |it: &Named| destinations.part(it, families).unwrap_or_default();
                named.push(names.map(|it| (it.clone(), part(&it))).collect());
            }
            for (name, part) in named.get(place).into_iter().flatten() {
                list.push(Told {
                    item,
                    to: Some(name.name),
                    part: part.clone(),
                });
            }
        }
        told.lists.push(list);
    }
    told.sources = sources_of(differences, from, sources);
    told
}

/// The sources with the changes of each.
fn sources_of(
    differences: &Differences,
    from: &Classes<'_>,
    sources: &Naming<'_, '_>,
) -> Vec<ToldSource> {
    let mut by_change = vec![Vec::new(); differences.changes.len()];
    for (class, change) in from.list.ids().zip(&differences.of) {
        if let Some(classes) = change.and_then(|change| by_change.get_mut(change)) {
            classes.push(class);
        }
    }
    let mut told: Vec<ToldSource> = Vec::new();
    let mut places = Index::default();
    for (change, classes) in by_change.iter().enumerate() {
        for named in sources.named(&atoms_of(from, classes), V4 | V6) {
            let key = named.name.place().to_string();
            let place = places.find(&key).unwrap_or(told.len());
            if place == told.len() {
                places.set(key.into(), place);
                told.push(ToldSource {
                    name: named.name,
                    lists: Vec::new(),
                });
            }
            if let Some(source) = told.get_mut(place) {
                source.lists.push((change, named.atoms));
            }
        }
    }
    sort::sort_by(&mut told, |a, b| {
        let order = |it: &ToldSource| {
            let party = sources.party(it.name);
            party.map(|party| (party.kind, party.name.clone()))
        };
        order(a).cmp(&order(b))
    });
    told
}

/// Which part of a source some of its endpoints are; empty for all of it.
pub fn part_of(name: NameId, mut atoms: Vec<AtomId>, naming: &Naming<'_, '_>) -> Vec<String> {
    sort::sort(&mut atoms);
    atoms.dedup();
    naming
        .part(&Named { name, atoms }, V4 | V6)
        .unwrap_or_default()
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
    let shown = name.party.name.as_str();
    Some(match name.party.kind {
        PartyKind::Tag => joined(&["no device has ", shown]),
        PartyKind::User => joined(&[shown, " has no device"]),
        _ => joined(&["no device and no approved route has an address of ", shown]),
    })
}

/// Why something is undecided, in words, and which members of a context would decide it.
pub fn reasons(why: &[(Why, String)]) -> (Option<String>, Vec<&'static str>) {
    let (mut words, mut needs) = (Vec::new(), Vec::new());
    for (why, key) in why {
        let name = crate::tables::find::split_once(key, " ").map_or(key.as_str(), |(_, name)| name);
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
            Why::Routes => (
                "which router forwards it is not known".to_owned(),
                "devices",
            ),
            Why::User => (
                "whether both devices are of one user is not known".to_owned(),
                "devices",
            ),
        };
        words.push(text);
        needs.push(need);
    }
    if words.is_empty() {
        words
            .push("a posture was changed under its name, and who meets it is not known".to_owned());
        needs.push("attributes");
    }
    needs.dedup();
    (Some(words.join("; ")), needs)
}

/// The postures and tags of a term.
pub fn names_of(term: TermId, shared: &Shared<'_>) -> (Vec<String>, Vec<String>) {
    let (mut postures, mut via) = (Vec::new(), Vec::new());
    for fact in shared.conditions.facts(term) {
        match fact {
            Fact::Posture { name, .. } => postures.push((*name).to_owned()),
            Fact::Via(tag) => via.push((*tag).to_owned()),
            Fact::Undecided(..) => {}
        }
    }
    (postures, via)
}
