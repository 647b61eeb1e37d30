//! Endpoints by the names under which people know them: as few names as mean exactly them, and where a name means
//! more, which part of it is meant.
//! Must not live here: what is said of them.

use super::atoms::Atoms;
use super::cuts::{V4, V6, is_for_devices};
use super::ids::{AtomId, IdTable, NameId};
use super::name::Name;
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::tables::sort;

/// A name with those of its endpoints that are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeantName {
    /// The name.
    pub name: NameId,
    /// The endpoints, ascending.
    pub atoms: Vec<AtomId>,
}

/// The names of one side.
pub struct Naming<'a, 'p> {
    pub(super) atoms: &'a Atoms<'p>,
    /// The names of each endpoint.
    of_atom: IdTable<AtomId, Vec<NameId>>,
    everything: Option<NameId>,
    /// In each reading.
    ranks: [IdTable<NameId, u8>; 2],
    /// How many endpoints of some families each name is reported for.
    sizes: IdTable<NameId, [usize; 4]>,
    /// How many endpoints there are of some families, and how many of them have no name but that of everything.
    counts: [(usize, usize); 4],
}

impl<'a, 'p> Naming<'a, 'p> {
    /// Sorts the names of one side by their endpoints.
    #[inline(never)]
    pub fn new(atoms: &'a Atoms<'p>) -> Naming<'a, 'p> {
        let mut of_atom = IdTable::filled(atoms.list.len(), Vec::new());
        let mut everything = None;
        let mut sizes = IdTable::default();
        for (id, name) in atoms.names.iter() {
            sizes.push(sizes_of(name, atoms));
            let is_all = name.party.kind == PartyKind::Any && name.atoms.len() == atoms.list.len();
            if is_all {
                everything = Some(id);
                continue;
            }
            for &atom in &name.atoms {
                if is_named_by(name, atom, atoms) {
                    of_atom.add(atom, id);
                }
            }
        }
        let mut naming = Naming {
            atoms,
            of_atom,
            everything,
            ranks: [0, 1].map(|reading| ranks(atoms, reading)),
            sizes,
            counts: [(0, 0); 4],
        };
        for families in 0..=V4 | V6 {
            let own = atoms
                .list
                .ids()
                .filter(|atom| naming.is_of(*atom, families));
            let own: Vec<AtomId> = own.collect();
            let nameless = own
                .iter()
                .filter(|atom| naming.of_atom.of(**atom).is_empty());
            let counts = (own.len(), nameless.count());
            if let Some(known) = naming.counts.get_mut(usize::from(families)) {
                *known = counts;
            }
        }
        naming
    }

    /// The same where a device is better known by its own name than by its tag.
    pub fn of_devices(atoms: &'a Atoms<'p>) -> Naming<'a, 'p> {
        let mut naming = Naming::new(atoms);
        for (id, name) in atoms.names.iter() {
            for ranks in &mut naming.ranks {
                if let (PartyKind::Tag, Some(rank)) = (name.party.kind, ranks.get_mut(id)) {
                    *rank = 3;
                }
            }
        }
        naming
    }

    /// The name of everything, if it has one.
    pub fn everything(&self) -> Option<NameId> {
        self.everything
    }

    /// What is known of a name.
    pub fn get(&self, name: NameId) -> Option<&Name> {
        self.atoms.names.get(name)
    }

    /// Whether the readings may have other names for the same endpoints.
    pub fn names_by_reading(&self) -> bool {
        let [before, after] = &self.ranks;
        before != after
    }

    /// Whether a name means all endpoints.
    pub fn is_everything(&self, name: NameId) -> bool {
        self.everything == Some(name)
    }

    /// The name of a party, if there is one.
    pub fn party(&self, name: NameId) -> Option<&Party> {
        self.get(name).map(|name| &name.party)
    }

    /// Some endpoints, ascending and each once, by their names; those of other families than are asked about do not count.
    pub fn named(&self, atoms: &[AtomId], families: u8) -> Vec<MeantName> {
        self.named_in(1, atoms, families)
    }

    /// The same by the names that they have in a reading: a device in other hands is not called by a user or tag that it has not.
    #[inline(never)]
    pub fn named_in(&self, reading: usize, atoms: &[AtomId], families: u8) -> Vec<MeantName> {
        let mut atoms = atoms.to_vec();
        atoms.retain(|atom| self.is_of(*atom, families));
        let whole = self.take_everything(&mut atoms, families);
        let atoms = atoms.as_slice();
        if atoms.is_empty() {
            return whole;
        }
        let mut covering = Covering {
            naming: self,
            reading,
            atoms,
            is_said: vec![false; atoms.len()],
            left: atoms.len(),
            named: whole,
        };
        let mut candidates = self.candidates(atoms);
        let whole = |(name, count): &(NameId, usize)| self.count(*name, families) == *count;
        let text = |name: &NameId| self.party(*name).map(|party| party.name.as_str());
        // Of a set with devices, which have their own names, what nobody has is named by the set that has nothing else.
        let size = |name: &NameId| self.get(*name).map_or(0, |name| name.atoms.len());
        let is_met = |name: &NameId| self.get(*name).is_some_and(|name| !name.is_vacant);
        sort::sort_by(&mut candidates, |(a, x), (b, y)| {
            let order = |name: &NameId| (self.rank_in(reading, *name), is_met(name));
            (order(a), y, size(a), text(a)).cmp(&(order(b), x, size(b), text(b)))
        });
        // One family of several devices of a user, tag or group says more than the devices.
        for is_wide in [true, false] {
            let own = |(name, _): &&(NameId, usize)| !is_wide || self.rank_in(reading, *name) < 2;
            for (name, _) in candidates.iter().filter(own).filter(|it| whole(it)) {
                covering.take(*name, families);
            }
            let others = candidates.iter().filter(own).filter(|it| !whole(it));
            for (name, _) in others.filter(|(_, count)| !is_wide || *count > 1) {
                covering.take_family(*name);
            }
        }
        candidates.retain(|it| !whole(it));
        // The smallest of several sets says most.
        sort::sort_by(&mut candidates, |(a, _), (b, _)| {
            let order = |name: &NameId| (self.rank_of_part(reading, *name), size(name));
            (order(a), text(a)).cmp(&(order(b), text(b)))
        });
        for (name, _) in &candidates {
            covering.take(*name, 0);
        }
        let mut named = covering.rest();
        sort::sort_by(&mut named, |a, b| {
            let order = |named: &MeantName| self.party(named.name).map(|it| (it.kind, &it.name));
            order(a).cmp(&order(b))
        });
        named
    }

    /// Everything, or all of one family, where it is among some endpoints; it is taken out of them.
    fn take_everything(&self, atoms: &mut Vec<AtomId>, families: u8) -> Vec<MeantName> {
        let mut whole = Vec::new();
        let Some(name) = self.everything else {
            return whole;
        };
        for all in [families, families & V4, families & V6] {
            let is_own = |atom: &&AtomId| self.is_of(**atom, all);
            let (own, others): (Vec<AtomId>, _) = atoms.iter().partition(is_own);
            if self.is_nearly_everything(&own, all, all == families) {
                whole.push(MeantName { name, atoms: own });
                *atoms = others;
            }
        }
        whole
    }

    /// Whether all endpoints without a name of their own are among these, so that only `*` says it; of one family of two
    /// only where there are some.
    fn is_nearly_everything(&self, atoms: &[AtomId], families: u8, is_each: bool) -> bool {
        let counts = self.counts.get(usize::from(families));
        let (all, nameless) = counts.copied().unwrap_or_default();
        let own = atoms
            .iter()
            .filter(|atom| self.of_atom.of(**atom).is_empty());
        let is_all = is_each && atoms.len() == all;
        !atoms.is_empty() && (is_all || nameless > 0 && own.count() == nameless)
    }

    pub(super) fn is_of(&self, atom: AtomId, families: u8) -> bool {
        let atom = self.atoms.list.get(atom);
        atom.is_some_and(|atom| atom.family & families != 0)
    }

    /// The families of some endpoints.
    pub fn families(&self, atoms: &[AtomId]) -> u8 {
        let atoms = atoms.iter().filter_map(|atom| self.atoms.list.get(*atom));
        atoms.fold(0, |all, atom| all | atom.family)
    }

    /// How many endpoints of some families a name has.
    pub(super) fn count(&self, name: NameId, families: u8) -> usize {
        let sizes = self.sizes.get(name);
        let size = sizes.and_then(|sizes| sizes.get(usize::from(families)));
        size.copied().unwrap_or_default()
    }

    /// The names of some endpoints, each with how many of them it has.
    fn candidates(&self, atoms: &[AtomId]) -> Vec<(NameId, usize)> {
        let mut names = Vec::new();
        for &atom in atoms {
            names.extend_from_slice(self.of_atom.of(atom));
        }
        sort::sort(&mut names);
        let counted = names.chunk_by(|a, b| a == b);
        counted
            .filter_map(|alike| Some((*alike.first()?, alike.len())))
            .collect()
    }

    /// Which of several names that fit is shown.
    pub fn rank(&self, name: NameId) -> u8 {
        self.rank_in(1, name)
    }

    fn rank_in(&self, reading: usize, name: NameId) -> u8 {
        let rank = self.ranks.get(reading).and_then(|ranks| ranks.get(name));
        rank.copied().unwrap_or_default()
    }

    /// The same where only a part of a name is meant: a device before its user, a set that a rule names before its subnet.
    fn rank_of_part(&self, reading: usize, name: NameId) -> u8 {
        let is_all = self
            .party(name)
            .is_some_and(|it| it.name == "autogroup:danger-all");
        match self.rank_in(reading, name) {
            2 => 0,
            _ if is_all => u8::MAX,
            rank => rank + 1,
        }
    }

    /// The names of the devices that some endpoints are all of, and how many of the endpoints these are.
    pub fn devices(&self, atoms: &[AtomId]) -> (Vec<String>, usize) {
        let (mut names, mut count) = (Vec::new(), 0);
        for (_, name) in self.atoms.names.iter() {
            let is_device = name.party.kind == PartyKind::Device;
            if is_device && name.atoms.iter().all(|atom| atoms.contains(atom)) {
                names.push(name.party.name.clone());
                count += name.atoms.len();
            }
        }
        (names, count)
    }

    /// The devices that have an address of a set, which go by their own names: each with that address.
    pub fn devices_among(&self, set: &Name) -> Vec<(NameId, AtomId)> {
        let own = set.atoms.iter().copied();
        let own = own.filter(|atom| !is_named_by(set, *atom, self.atoms));
        let device = |atom: AtomId| {
            let mut names = self.of_atom.of(atom).iter();
            let is_device = |name: &Name| name.party.kind == PartyKind::Device;
            let device = names.find(|name| self.get(**name).is_some_and(is_device))?;
            Some((*device, atom))
        };
        own.filter_map(device).collect()
    }

    /// The names of an endpoint.
    pub fn names_of(&self, atom: AtomId) -> Vec<NameId> {
        self.of_atom.of(atom).to_vec()
    }

    /// Whether a name means one machine.
    pub fn is_one_machine(&self, name: NameId) -> bool {
        let Some(name) = self.get(name) else {
            return false;
        };
        let mut machines = name
            .atoms
            .iter()
            .filter_map(|atom| self.atoms.list.get(*atom));
        let first = machines.next();
        let is_machine = first.is_some_and(|atom| {
            atom.endpoints
                .iter()
                .flatten()
                .any(|end| end.device.is_some())
        });
        is_machine && machines.all(|atom| Some(atom.machine) == first.map(|it| it.machine))
    }
}

/// Which of several names that fit is shown in a reading, for each name.
fn ranks(atoms: &Atoms<'_>, reading: usize) -> IdTable<NameId, u8> {
    let mut ranks = IdTable::default();
    for (_, name) in atoms.names.iter() {
        let own = atoms.redefined.find(&name.party.name);
        let is_of_other = own.is_some_and(|own| own != reading);
        let rank = match name.party.kind {
            PartyKind::User | PartyKind::Tag if has_others(name, atoms, reading) => 3,
            PartyKind::User | PartyKind::Tag => 0,
            PartyKind::Device => 2,
            PartyKind::Any => 6,
            kind if kind.is_of_addresses() => 4,
            PartyKind::Subnet | PartyKind::Internet => 5,
            _ => 1,
        };
        ranks.push(rank + u8::from(is_of_other));
    }
    ranks
}

/// Whether a user or tag has a device in the one reading that somebody else has in this one.
fn has_others(name: &Name, atoms: &Atoms<'_>, reading: usize) -> bool {
    let mut own = name.atoms.iter();
    own.any(|atom| is_others(&name.party, *atom, atoms, reading))
}

/// Whether an endpoint of a user or tag is a device of both readings that somebody else has in this one.
pub fn is_others(party: &Party, atom: AtomId, atoms: &Atoms<'_>, reading: usize) -> bool {
    let own = party.name.as_str();
    let both = atoms.list.get(atom).and_then(|atom| {
        let [before, after] = &atom.endpoints;
        Some([before.as_ref()?, after.as_ref()?])
    });
    let end = both.and_then(|both| both.get(reading).copied());
    matches!(party.kind, PartyKind::User | PartyKind::Tag)
        && end.is_some_and(|end| end.identity.user() != Some(own) && !end.identity.has_tag(own))
}

/// Whether an endpoint goes by a name that has it: a device is named by its own name, and not by that of a set of addresses.
pub fn is_named_by(name: &Name, atom: AtomId, atoms: &Atoms<'_>) -> bool {
    let is_set = matches!(name.party.kind, PartyKind::Subnet | PartyKind::Internet)
        || name.party.kind.is_of_addresses();
    !is_set || !is_device(atom, atoms)
}

/// Whether an endpoint is a device that is known.
pub fn is_device(atom: AtomId, atoms: &Atoms<'_>) -> bool {
    let atom = atoms.list.get(atom).into_iter();
    let mut endpoints = atom.flat_map(|atom| atom.endpoints.iter().flatten());
    endpoints.any(|end| end.device.is_some())
}

/// Whether an endpoint is addresses of the tailnet that no known device has.
pub fn is_nobodys(atom: AtomId, atoms: &Atoms<'_>) -> bool {
    let range = atoms.list.get(atom).and_then(|atom| atom.range);
    range.is_some_and(is_for_devices) && !is_device(atom, atoms)
}

/// How many endpoints of each combination of families a name is reported for.
fn sizes_of(name: &Name, atoms: &Atoms<'_>) -> [usize; 4] {
    let mut sizes = [0; 4];
    for &atom in &name.atoms {
        let family = atoms.list.get(atom).map_or(0, |atom| atom.family);
        if !is_named_by(name, atom, atoms) {
            continue;
        }
        for (families, size) in (0..).zip(&mut sizes) {
            *size += usize::from(family & families != 0);
        }
    }
    sizes
}

/// Endpoints while names are found for them.
struct Covering<'n, 'a, 'p> {
    naming: &'n Naming<'a, 'p>,
    reading: usize,
    atoms: &'n [AtomId],
    is_said: Vec<bool>,
    /// How many have no name yet.
    left: usize,
    named: Vec<MeantName>,
}

impl Covering<'_, '_, '_> {
    /// The names; what has none is a part of everything, and never left out.
    fn rest(mut self) -> Vec<MeantName> {
        let left = self
            .atoms
            .iter()
            .zip(&self.is_said)
            .filter(|(_, is_said)| !**is_said);
        let left: Vec<AtomId> = left.map(|(atom, _)| *atom).collect();
        if let (false, Some(everything)) = (left.is_empty(), self.naming.everything) {
            self.named.push(MeantName {
                name: everything,
                atoms: left,
            });
        }
        self.named
    }

    /// Names the endpoints of a name that no other name has yet; if one of them is left, all of the families of which it is meant as a whole.
    fn take(&mut self, id: NameId, whole: u8) {
        let Some(name) = self.naming.get(id).filter(|_| self.left > 0) else {
            return;
        };
        let mut left = Vec::new();
        for atom in &name.atoms {
            if let Ok(at) = self.atoms.binary_search(atom)
                && self.is_said.get(at) == Some(&false)
                && is_named_by(name, *atom, self.naming.atoms)
            {
                left.push((at, *atom));
            }
        }
        if left.is_empty() {
            return;
        }
        self.left -= left.len();
        for (at, _) in &left {
            if let Some(said) = self.is_said.get_mut(*at) {
                *said = true;
            }
        }
        self.named.push(MeantName {
            name: id,
            atoms: match whole {
                0 => left.into_iter().map(|(_, atom)| atom).collect(),
                families => {
                    let mut atoms = name.atoms.clone();
                    atoms.retain(|atom| {
                        let is_own = is_named_by(name, *atom, self.naming.atoms);
                        is_own && self.naming.is_of(*atom, families)
                    });
                    atoms
                }
            },
        });
    }

    /// The same for a user, tag or other identity of which exactly one family is meant.
    fn take_family(&mut self, id: NameId) {
        let (Some(name), 0..=2) = (self.naming.get(id), self.naming.rank_in(self.reading, id))
        else {
            return;
        };
        if self.left == 0 {
            return;
        }
        let meant = name
            .atoms
            .iter()
            .filter(|atom| self.atoms.binary_search(atom).is_ok());
        let meant: Vec<AtomId> = meant.copied().collect();
        let mut families = [V4, V6].into_iter();
        let family = families.find(|family| self.naming.of_family(name, *family) == meant);
        if let Some(family) = family {
            self.take(id, family);
        }
    }
}
