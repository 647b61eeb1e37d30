//! Which part of a name some endpoints are: a family, addresses, or all but others.
//! Must not live here: which names say best what is meant (naming.rs).

use super::cuts::{V4, V6};
use super::ids::{AtomId, NameId};
use super::name::Name;
use super::naming::{MeantName, Naming, is_device, is_named_by, is_nobodys};
use super::part_of::{FAMILIES, PartOf, family_text};
use super::reported::part_of;
use crate::cidr::{AddressSet, Version};
use crate::policy::findings::words::joined;
use crate::policy::tailnet::endpoint::Place;
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::parties::PartyKind;

/// Those of `*` of whom nothing else is known.
const MEMBER: &str = "autogroup:member";

/// The part of `*` that is behind devices, where none are known.
pub const BEHIND: &str = "subnets behind devices";

impl Naming<'_, '_> {
    /// Which part of a name some of its endpoints are.
    pub fn part(&self, named: &MeantName, families: u8) -> PartOf {
        self.part_for(named, families, (1, true))
    }

    /// The same by the names of a reading; without `has_own` for those whose own devices have names of their own: `autogroup:self` is none of
    /// theirs.
    #[inline(never)]
    pub fn part_for(
        &self,
        named: &MeantName,
        families: u8,
        (reading, has_own): (usize, bool),
    ) -> PartOf {
        let Some(name) = self.get(named.name) else {
            return PartOf::All;
        };
        if self.count(named.name, families) <= named.atoms.len() {
            // Of a set with devices, an address that no device has is an endpoint only where another set has none but such.
            let mut own = named.atoms.iter();
            let is_rest = own.all(|atom| is_nobodys(*atom, self.atoms));
            let has_devices = is_rest && !self.devices_among(name).is_empty();
            return match has_devices {
                true => PartOf::only(self.nets(&named.atoms)),
                false => PartOf::All,
            };
        }
        for (family, version) in FAMILIES {
            if self.of_family(name, family) == named.atoms {
                return PartOf::Family(version);
            }
        }
        if Some(named.name) == self.everything() {
            return self.all_but(&named.atoms, families, (reading, has_own));
        }
        if self.is_without_devices(name, &named.atoms, families) {
            return PartOf::Unowned;
        }
        let mut others = name.atoms.clone();
        others.retain(|atom| named.atoms.binary_search(atom).is_err());
        others.retain(|atom| is_named_by(name, *atom, self.atoms) && self.is_of(*atom, families));
        let [own, others] = [&named.atoms, &others].map(|atoms| {
            let mut words = self.nets(atoms);
            words.extend(self.unlocated(atoms, families, (&Place::Behind, BEHIND)));
            let members = self.unlocated(atoms, families, (&Place::Supposed, MEMBER));
            // By themselves they are reported under their own name, if they have one.
            let is_said = !words.is_empty() && self.atoms.has_members();
            words.extend(members.filter(|_| !is_said));
            words
        });
        // The shorter of the two says it.
        if others.len() < own.len() && !others.is_empty() {
            return PartOf::AllBut(others);
        }
        PartOf::only(own)
    }

    /// Whether what is meant of a name is each of its endpoints but the devices of the tailnet. Their addresses would cut the list of
    /// the others into pieces that nobody recognizes.
    fn is_without_devices(&self, name: &Name, meant: &[AtomId], families: u8) -> bool {
        let of_families = |atom: &&AtomId| self.is_of(**atom, families);
        let mut own = name.atoms.iter().filter(of_families);
        own.all(|atom| is_device(*atom, self.atoms) != meant.binary_search(atom).is_ok())
    }

    /// The addresses of some endpoints.
    pub fn nets(&self, atoms: &[AtomId]) -> Vec<String> {
        let ranges = atoms
            .iter()
            .filter_map(|atom| self.atoms.list.get(*atom)?.range);
        let set: AddressSet = ranges.collect();
        let nets = set.ranges().map(|range| Net::Range(range).to_string());
        nets.collect()
    }

    /// Those of some endpoints that are somewhere without an address, by a word for them; by families where they are of one of two.
    fn unlocated(
        &self,
        atoms: &[AtomId],
        families: u8,
        (place, what): (&Place, &str),
    ) -> Option<String> {
        let own = atoms.iter().filter_map(|atom| self.atoms.list.get(*atom));
        let there = own.filter(|atom| atom.is_at(place));
        let found = there.fold(0, |all, atom| all | atom.family);
        Some(match found {
            0 => return None,
            _ if found == families => what.to_owned(),
            V4 => joined(&[what, " (IPv4)"]),
            _ => joined(&[what, " (IPv6)"]),
        })
    }

    /// What of everything is not meant, by its names in a reading.
    fn all_but(&self, atoms: &[AtomId], families: u8, (reading, has_own): (usize, bool)) -> PartOf {
        let others = self.atoms.list.ids().filter(|atom| {
            self.is_of(*atom, families)
                && atoms.binary_search(atom).is_err()
                && (has_own || !self.is_own(*atom))
        });
        let mut others: Vec<AtomId> = others.collect();
        // Where the list is cut, what is wide is not what is missing.
        let (mut widest, mut texts) = (Vec::new(), Vec::new());
        let mut left_out = None;
        for (family, version) in FAMILIES {
            if families & family != 0 && !atoms.iter().any(|atom| self.is_of(*atom, family)) {
                others.retain(|atom| !self.is_of(*atom, family));
                left_out = Some(version);
                widest.push(family_text(version).to_owned());
            }
        }
        let named = self.named_in(reading, &others, families);
        // Where devices are known, what nobody has is no exception but by itself.
        let is_met = |it: &MeantName| self.get(it.name).is_some_and(|name| !name.is_vacant);
        let has_met = !widest.is_empty() || named.iter().any(is_met);
        for named in named.iter().filter(|it| !has_met || is_met(it)) {
            // What is left of everything has no other name.
            if Some(named.name) == self.everything() || self.is_cut(named.name, families, &others) {
                widest.extend(self.nets(&named.atoms));
            } else if let Some(party) = self.party(named.name) {
                let list = match party.kind {
                    PartyKind::Autogroup | PartyKind::Internet => &mut widest,
                    _ => &mut texts,
                };
                list.push(match self.part_for(named, families, (reading, true)) {
                    PartOf::All => party.name.clone(),
                    part => joined(&[&party.name, " (", &part.text(), ")"]),
                });
            }
        }
        widest.append(&mut texts);
        match (left_out, widest.len()) {
            (_, 0) => PartOf::All,
            (Some(Version::V4), 1) => PartOf::Family(Version::V6),
            (Some(Version::V6), 1) => PartOf::Family(Version::V4),
            _ => PartOf::AllBut(widest),
        }
    }

    /// Whether some endpoints are not all of a set of addresses, as a device in it is none of them.
    fn is_cut(&self, set: NameId, families: u8, own: &[AtomId]) -> bool {
        let set = self.get(set).into_iter();
        let mut devices = set.flat_map(|set| self.devices_among(set));
        devices.any(|(_, atom)| self.is_of(atom, families) && own.binary_search(&atom).is_err())
    }

    pub(super) fn of_family(&self, name: &Name, family: u8) -> Vec<AtomId> {
        let is_own = |atom: &AtomId| {
            let atom = self.atoms.list.get(*atom);
            atom.is_some_and(|atom| atom.family & family != 0)
        };
        name.atoms.iter().copied().filter(is_own).collect()
    }

    /// Whether an endpoint means the own devices of whoever asks.
    fn is_own(&self, atom: AtomId) -> bool {
        let atom = self.atoms.list.get(atom);
        let mut endpoints = atom
            .into_iter()
            .flat_map(|it| it.endpoints.iter().flatten());
        endpoints.any(|end| end.identity == Identity::OWN)
    }
}

/// The devices of some endpoints of a name, by their own names; else their addresses.
pub fn devices_of(name: NameId, atoms: &[AtomId], naming: &Naming<'_, '_>) -> PartOf {
    let (names, reported) = naming.devices(atoms);
    match reported == atoms.len() {
        true => PartOf::only(names),
        false => part_of(name, atoms.to_vec(), naming, V4 | V6),
    }
}
