//! What nobody reaches any more: destinations of which somebody else loses some, and that no other device reaches in the later reading.
//! Must not live here: who has nothing left (comparison.rs), which names there are (atoms.rs).

use super::atoms::Atoms;
use super::classes::Class;
use super::comparison::Compared;
use super::cuts::{V4, V6};
use super::ids::{AtomId, ClassId, IdTable, NameId};
use super::item::To;
use super::naming::is_named_by;
use super::reading::Reading;
use crate::cidr::AddressSet;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

/// Some of the endpoints that receive.
type PlaceFlags = IdTable<AtomId, bool>;

impl Compared<'_, '_> {
    /// The destinations that nobody reaches any more, by as few names as mean them; of what has none, the addresses.
    pub fn orphaned(&mut self) -> Vec<Party> {
        let mut lost = self.lost_places();
        if !lost.iter().any(|(_, lost)| *lost) {
            return Vec::new();
        }
        let reached = self.reached_places();
        let mut orphans: Vec<NameId> = Vec::new();
        for (id, name) in self.places.names.iter() {
            let mut atoms = name.atoms.iter();
            if !atoms.any(|atom| has(&reached, *atom)) {
                orphans.push(id);
            }
        }
        let naming = &self.naming.1;
        let order = |id: &NameId| {
            let name = self.places.names.get(*id)?;
            let is_less = !naming.is_everything(*id);
            let size = usize::MAX - name.atoms.len();
            Some((is_less, naming.rank(*id), size, name.party.name.as_str()))
        };
        sort::sort_by(&mut orphans, |a, b| order(a).cmp(&order(b)));
        let mut parties = Vec::new();
        for name in orphans
            .into_iter()
            .filter_map(|id| self.places.names.get(id))
        {
            let mut is_named = false;
            for atom in &name.atoms {
                if has(&lost, *atom) && is_named_by(name, *atom, self.places) {
                    set(&mut lost, *atom, false);
                    is_named = true;
                }
            }
            if is_named {
                parties.push(name.party.clone());
            }
        }
        parties.extend(self.nameless(&lost, &reached));
        sort::sort_by(&mut parties, |a, b| {
            (a.kind, &a.name).cmp(&(b.kind, &b.name))
        });
        parties
    }

    /// The endpoints of which somebody else loses something for certain that was received.
    fn lost_places(&self) -> PlaceFlags {
        let mut lost = IdTable::filled(self.places.list.len(), false);
        // Of two sources, one is not the destination.
        let mut sources = vec![[None; 2]; self.differences.changes.len()];
        for (source, changes) in self.from.list.ids().zip(&self.differences.of) {
            for change in changes {
                let own = sources.get_mut(*change);
                if let Some(free) = own.and_then(|own| own.iter_mut().find(|it| it.is_none())) {
                    *free = Some(source);
                }
            }
        }
        for (change, sources) in self.differences.changes.iter().zip(&sources) {
            for (item, place, _) in change {
                let item = self.differences.items.get(*item);
                let (To::Class(to), Some(item)) = (place, item) else {
                    continue;
                };
                let mut others = sources.iter().flatten();
                if item.is_lost()
                    && !item.is_vacant
                    && others.any(|source| !self.is_one_device(*source, *to, 0))
                {
                    self.add_places(*to, &mut lost);
                }
            }
        }
        lost
    }

    /// The endpoints that another device reaches in the later reading.
    fn reached_places(&mut self) -> PlaceFlags {
        let mut reached = IdTable::filled(self.places.list.len(), false);
        let mut known = IdTable::filled(self.to.list.len(), false);
        let sources: Vec<ClassId> = self.from.list.ids().collect();
        let [_, after] = self.reaches;
        for source in sources {
            for hit in after.hits(source, &|_| true, self.shared) {
                let counts = !hit.is_vacant && !self.is_one_device(source, hit.to, 1);
                if let (true, Some(known)) = (counts, known.get_mut(hit.to)) {
                    *known = true;
                }
            }
        }
        for (class, _) in known.iter().filter(|(_, known)| **known) {
            self.add_places(class, &mut reached);
        }
        let families = self.families_named(Side::Destination);
        for (id, atom) in self.places.list.iter() {
            let is_assumed = atom.range.is_none() && atom.family & families != 0;
            if is_assumed && self.readings.iter().all(Reading::knows_devices) {
                set(&mut reached, id, true);
            }
        }
        reached
    }

    /// The families of the tailnet that a later rule names whole on one side: whatever device comes has an address of them.
    pub(super) fn families_named(&self, side: Side) -> u8 {
        let [_, after] = self.reaches;
        let named = after.reading.named(side);
        let names = |(own, _): &(usize, Answer)| {
            named.uses(*own).iter().any(|rule| {
                let from = after.rows.from.get(*rule);
                from.is_some_and(|from| !from.is_empty()) && after.rows.of(*rule).next().is_some()
            })
        };
        let mut families = 0;
        for family in [V4, V6] {
            let own = named.numeric_of_family(after.reading.network, family);
            families |= if own.iter().any(names) { family } else { 0 };
        }
        families
    }

    fn add_places(&self, class: ClassId, places: &mut PlaceFlags) {
        let class = self.to.list.get(class);
        for atom in class.map_or(&[][..], |class| &class.atoms) {
            set(places, *atom, true);
        }
    }

    /// The addresses of what is lost, not reached and no device, and is only a part of what a name means.
    fn nameless(&self, lost: &PlaceFlags, reached: &PlaceFlags) -> Vec<Party> {
        let mut named = IdTable::filled(self.places.list.len(), false);
        for (id, name) in self.places.names.iter() {
            if !self.naming.1.is_everything(id) {
                name.atoms
                    .iter()
                    .for_each(|atom| set(&mut named, *atom, true));
            }
        }
        let left = self.places.list.iter().filter(|(id, atom)| {
            let mut endpoints = atom.endpoints.iter().flatten();
            has(lost, *id)
                && has(&named, *id)
                && !has(reached, *id)
                && endpoints.all(|end| end.device.is_none())
        });
        let left: AddressSet = left.filter_map(|(_, atom)| atom.range).collect();
        let parties = left.ranges().map(|range| {
            let name = Net::Range(range).to_string();
            let kind = match (name.contains('/'), name.contains('-')) {
                (true, _) => PartyKind::Prefix,
                (_, true) => PartyKind::Range,
                _ => PartyKind::Address,
            };
            let id = None;
            Party { kind, name, id }
        });
        parties.collect()
    }

    /// Whether a class of sources and one of destinations are one device in a reading.
    fn is_one_device(&self, source: ClassId, to: ClassId, at: usize) -> bool {
        let devices = |class: Option<&Class<'_>>, atoms: &Atoms<'_>| {
            let mut devices = Vec::new();
            for atom in class.map_or(&[][..], |class| &class.atoms) {
                let atom = atoms.list.get(*atom);
                let end = atom.and_then(|atom| atom.endpoints.get(at)?.as_ref());
                devices.push(end.and_then(|end| end.device));
            }
            devices.dedup();
            devices
        };
        let from = devices(self.from.list.get(source), self.sources);
        matches!(from.as_slice(), [Some(_)]) && from == devices(self.to.list.get(to), self.places)
    }
}

fn has(places: &PlaceFlags, atom: AtomId) -> bool {
    places.get(atom) == Some(&true)
}

fn set(places: &mut PlaceFlags, atom: AtomId, is: bool) {
    if let Some(place) = places.get_mut(atom) {
        *place = is;
    }
}
