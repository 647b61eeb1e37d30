//! The addresses that rules name, as endpoints: each piece of them between two cuts is one.
//! Must not live here: devices, users, tags and other names (atoms.rs), where a set begins and ends (cuts.rs).

use super::atoms::{Atom, Atoms};
use super::cuts::{V4, V6, family_of, is_for_devices, pieces, with_addresses};
use super::ids::AtomId;
use super::reading::{NamedSet, Reading};
use crate::cidr::{Address, AddressSet, Range};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::addresses::{internet, tailnet};
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::parties::PartyKind;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Lists;
use crate::tables::sort;

impl<'p> Atoms<'p> {
    /// The addresses that rules name on this side, cut where any of them begins or ends.
    pub(super) fn add_addresses(&mut self, readings: &[Reading<'p>], side: Side) {
        let (mut sets, mut counts) = (Vec::new(), Vec::new());
        for reading in readings {
            reading.add_sets(side, &mut sets);
            counts.push(sets.len());
        }
        if sets.is_empty() {
            return;
        }
        let intervals = self.add_pieces(readings, &sets);
        let mut owned = Vec::new();
        for (id, atom) in self.list.iter() {
            let endpoints = atom.endpoints.iter().flatten();
            let own = endpoints.filter(|end| end.device.is_some());
            owned.extend(own.filter_map(|end| Some((end.address()?, id))));
        }
        sort::sort(&mut owned);
        owned.dedup();
        let mut named = Lists::default();
        for (at, (_, name, _)) in sets.iter().enumerate() {
            named.add(name, at);
        }
        for (at, (kind, name, set)) in sets.iter().enumerate() {
            let mut alike = named.get(name).iter().filter_map(|at| sets.get(*at));
            let redefined = alike.find(|(.., other)| other != set);
            let shown = match (kind, redefined) {
                (PartyKind::Host | PartyKind::Ipset, Some((.., other))) => {
                    let shown = with_addresses(name, set, other);
                    let reading = counts.partition_point(|count| *count <= at);
                    self.redefined.set(shown.clone().into(), reading);
                    shown
                }
                _ => name.to_string(),
            };
            self.add_set(readings, (side, *kind, &shown), set, &intervals, &owned);
        }
    }

    /// Adds an endpoint for each piece of the sets, the routes and the tailnet that somebody may have. Returns them, ascending.
    fn add_pieces(
        &mut self,
        readings: &[Reading<'p>],
        sets: &[NamedSet<'p>],
    ) -> Vec<(Range, AtomId)> {
        let mut cuts = Vec::new();
        for (_, _, set) in sets {
            cuts.extend(set.ranges());
        }
        for reading in readings {
            cuts.extend(reading.network.routes.iter().map(|route| route.range()));
        }
        cuts.extend(tailnet().ranges());
        cuts.extend(AddressSet::everything().ranges());
        let are_known = readings.iter().all(Reading::knows_devices);
        let (all, vacant) = spans(readings, sets);
        let mut intervals = Vec::new();
        for piece in pieces(&cuts) {
            // An approved route may lead there, as by 4via6.
            let leads = |it: &Reading<'_>| !it.network.routes.leading_to(piece.first()).is_empty();
            let is_nobodys = are_known && is_for_devices(piece) && !readings.iter().any(leads);
            let known = if is_nobodys { &vacant } else { &all };
            if !known.covers_range(piece) {
                continue;
            }
            let mut endpoints = [None, None];
            for (reading, end) in readings.iter().zip(&mut endpoints) {
                *end = reading
                    .free_address(piece)
                    .map(|address| reading.end_at(address));
            }
            if endpoints.iter().all(Option::is_none) {
                continue;
            }
            self.machines += 1;
            let atom = self.list.push(Atom {
                endpoints,
                family: family_of(piece.first()),
                range: Some(piece),
                machine: self.machines,
            });
            intervals.push((piece, atom));
        }
        intervals
    }

    /// What is behind devices, at addresses that no text names: none where a text names all of a family.
    fn behind_devices(&mut self, intervals: &[(Range, AtomId)]) -> Vec<AtomId> {
        let named: AddressSet = intervals.iter().map(|(piece, _)| *piece).collect();
        let unnamed = AddressSet::everything().minus(&named);
        let families = unnamed.ranges().map(|range| family_of(range.first()));
        let families = families.fold(0, |all, family| all | family);
        self.assumed(&Endpoint::of_set(Place::Behind), families)
    }

    fn add_set(
        &mut self,
        readings: &[Reading<'p>],
        (side, kind, name): (Side, PartyKind, &str),
        set: &AddressSet,
        intervals: &[(Range, AtomId)],
        owned: &[(Address, AtomId)],
    ) {
        let (mut atoms, mut is_vacant) = (Vec::new(), readings.iter().all(Reading::knows_devices));
        for range in set.ranges() {
            let from = intervals.partition_point(|(piece, _)| piece.first() < range.first());
            let to = intervals.partition_point(|(piece, _)| piece.first() <= range.last());
            atoms.extend(
                intervals
                    .get(from..to)
                    .into_iter()
                    .flatten()
                    .map(|(_, atom)| *atom),
            );
            let from = owned.partition_point(|(address, _)| *address < range.first());
            let to = owned.partition_point(|(address, _)| *address <= range.last());
            let own = owned.get(from..to).unwrap_or_default();
            is_vacant &= own.is_empty();
            atoms.extend(own.iter().map(|(_, atom)| *atom));
            for reading in readings {
                reading
                    .network
                    .routes
                    .overlapping(range, &mut |_| is_vacant = false);
            }
        }
        let mut readings_with_exit = readings
            .iter()
            .filter(|it| !it.network.routes.exits.is_empty());
        is_vacant &= kind != PartyKind::Any
            && name != "autogroup:internet"
            && !readings_with_exit.any(|_| set.overlaps(internet()));
        if (kind, side) == (PartyKind::Any, Side::Source) {
            // Whoever is in the tailnet, and nobody names.
            let name = "autogroup:member";
            let member = Identity::Some(Kind::Autogroup(Autogroup::Member), name);
            atoms.extend(self.assumed(&Endpoint::supposed(member), V4 | V6));
            atoms.extend(self.behind_devices(intervals));
        }
        let everything = AddressSet::everything();
        let mut families = everything.ranges();
        if side == Side::Destination && families.any(|all| set.covers_range(all)) {
            // All addresses of a family are a part of everything.
            let all = self.list.ids().collect();
            return self.name(PartyKind::Any, "*", all, false);
        }
        sort::sort(&mut atoms);
        atoms.dedup();
        self.name_set(readings, (kind, name), set, (atoms, is_vacant));
    }

    /// Names a set, by what is behind it.
    fn name_set(
        &mut self,
        readings: &[Reading<'p>],
        (kind, name): (PartyKind, &str),
        set: &AddressSet,
        (atoms, is_vacant): (Vec<AtomId>, bool),
    ) {
        let mut readings = readings.iter().rev();
        let behind = readings.find_map(|it| it.behind(kind, name, set));
        self.name_behind(behind.unwrap_or((kind, None)), name, atoms, is_vacant);
    }
}

/// The addresses of some sets, and of those that include no device. Where devices are known, an address of the tailnet that none of
/// them has is nobody's, and reported only where a rule is about nobody else.
fn spans(readings: &[Reading<'_>], sets: &[NamedSet<'_>]) -> (AddressSet, AddressSet) {
    let (mut all, mut vacant) = (Vec::new(), Vec::new());
    for (kind, _, set) in sets {
        all.extend(set.ranges());
        if *kind != PartyKind::Any && !readings.iter().any(|reading| reading.has_device_in(set)) {
            vacant.extend(set.ranges());
        }
    }
    (all.into_iter().collect(), vacant.into_iter().collect())
}
