//! One side of a question as endpoints: each address of a device, each piece of a set that rules treat alike, machines that are
//! assumed; and which part of it some of them are.
//! Must not live here: what the names of a question mean (resolve.rs), the answer (pairs.rs).

use super::atoms::{Atom, Atoms};
use super::cuts::{V4, V6, family_of, is_for_devices, pieces};
use super::ids::{AtomId, IdTable};
use super::part_of::{FAMILIES, PartOf, family_text};
use super::reading::Reading;
use crate::cidr::{AddressSet, Range, Version};
use crate::policy::findings::words::joined;
use crate::policy::tailnet::addresses::{internet, tailnet};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;

/// The user or the device of an endpoint.
type Whose<'p> = (Option<&'p str>, Option<DeviceIndex>);

/// One side of a question.
pub struct Endpoints<'p> {
    /// The endpoints.
    pub atoms: Atoms<'p>,
    /// Equal for the endpoints of one device, of one machine that is assumed, and of one set of addresses.
    pub units: IdTable<AtomId, usize>,
}

impl Default for Endpoints<'_> {
    fn default() -> Self {
        Endpoints {
            atoms: Atoms {
                is_asked: true,
                ..Atoms::default()
            },
            units: IdTable::default(),
        }
    }
}

impl<'p> Endpoints<'p> {
    /// The endpoints behind a name.
    #[inline(never)]
    pub fn new(reading: &Reading<'p>, side: Side, endpoints: &[Endpoint<'p>]) -> Endpoints<'p> {
        let mut asked = Endpoints::default();
        let mut last = None;
        for end in endpoints {
            if end.device.is_none() || last != end.device {
                asked.atoms.machines += 1;
            }
            last = end.device;
            match &end.place {
                Place::At(address) => {
                    asked.add(end.clone(), family_of(*address), Some((*address).into()));
                }
                Place::Supposed | Place::Behind => {
                    for family in [V4, V6] {
                        asked.add(end.clone(), family, None);
                    }
                }
                Place::All(set) | Place::Some(set) => asked.add_set(reading, side, set),
            }
        }
        asked
    }

    /// The machines behind a name, whatever their addresses.
    pub fn machines(endpoints: &[Endpoint<'p>]) -> Endpoints<'p> {
        let mut asked = Endpoints::default();
        let mut last = None;
        for end in endpoints {
            if end.device.is_none() || last != end.device {
                asked.push(end);
            }
            last = end.device;
        }
        asked
    }

    /// Adds one by itself, of the family of its address.
    pub fn push_alone(&mut self, end: &Endpoint<'p>) -> AtomId {
        self.atoms.machines += 1;
        let family = end.address().map_or(V4 | V6, family_of);
        self.add(end.clone(), family, end.address().map(Range::from))
    }

    /// Adds one of either family, whatever its address.
    pub fn push(&mut self, end: &Endpoint<'p>) -> AtomId {
        self.atoms.machines += 1;
        self.add(end.clone(), V4 | V6, None)
    }

    fn add(&mut self, end: Endpoint<'p>, family: u8, range: Option<Range>) -> AtomId {
        self.units.push(self.atoms.machines);
        self.add_atom(end, family, range)
    }

    /// The devices in a set, and its pieces between the bounds of all sets that rules, routes and the tailnet are made of. An address of the
    /// tailnet that no known device has counts only where the set has no device at all.
    fn add_set(&mut self, reading: &Reading<'p>, side: Side, set: &AddressSet) {
        let network = reading.network;
        let mut cuts: Vec<Range> = set.ranges().collect();
        for selector in &reading.named(side).selectors {
            let own = network.set_of(selector).unwrap_or_default();
            cuts.extend(own.ranges());
        }
        cuts.extend(network.routes.iter().map(|route| route.range()));
        cuts.extend(tailnet().ranges());
        cuts.extend(internet().ranges());
        let has_devices = reading.has_device_in(set);
        let unit = self.atoms.machines;
        for piece in pieces(&cuts) {
            if !set.contains(piece.first()) {
                continue;
            }
            for &(address, _) in network.held(Net::Range(piece)) {
                self.atoms.machines += 1;
                self.units.push(unit);
                let end = network.end_at(address);
                self.add_atom(end, family_of(address), Some(address.into()));
            }
            let is_nobodys = has_devices && is_for_devices(piece);
            if let (false, Some(free)) = (is_nobodys, reading.free_address(piece)) {
                self.atoms.machines += 1;
                self.units.push(unit);
                self.add_atom(network.end_at(free), family_of(free), Some(piece));
            }
        }
    }

    fn add_atom(&mut self, end: Endpoint<'p>, family: u8, range: Option<Range>) -> AtomId {
        self.atoms.list.push(Atom {
            endpoints: [Some(end.clone()), Some(end)],
            family,
            range,
            machine: self.atoms.machines,
        })
    }

    /// Which part of all endpoints that count some are, both ascending.
    #[inline(never)]
    pub fn part(&self, reading: &Reading<'p>, all: &[AtomId], chosen: &[AtomId]) -> PartOf {
        if chosen.len() >= all.len() {
            return PartOf::All;
        }
        if let Some(family) = self.one_family(all, chosen) {
            return PartOf::Family(family);
        }
        let mut texts = Vec::new();
        let mut ranges = Vec::new();
        for users in self.runs(all, &|end| (end.identity.user(), None)) {
            let whole = users.iter().all(|atom| chosen.binary_search(atom).is_ok());
            let login = self.end(&users).and_then(|end| end.identity.user());
            if let (true, Some(login)) = (whole && users.len() < all.len(), login) {
                texts.push(login.to_owned());
                continue;
            }
            for machine in self.runs(&users, &|end| (None, end.device)) {
                let own: Vec<AtomId> = machine
                    .iter()
                    .copied()
                    .filter(|atom| chosen.binary_search(atom).is_ok())
                    .collect();
                let Some(end) = self.end(&own) else {
                    continue;
                };
                match called(reading, end) {
                    Some(name) if own.len() == machine.len() => texts.push(name),
                    Some(name) => {
                        let part = match self.one_family(&machine, &own) {
                            Some(family) => family_text(family).to_owned(),
                            None => nets(self.ranges(&own)).join(", "),
                        };
                        texts.push(joined(&[&name, " (", &part, ")"]));
                    }
                    None => ranges.extend(self.ranges(&own)),
                }
            }
        }
        // Who has a device and is supposed to have another is one.
        let mut known = Index::default();
        texts.retain(|text| known.set(text.clone().into(), 0));
        texts.extend(nets(ranges));
        PartOf::only(texts)
    }

    fn end(&self, atoms: &[AtomId]) -> Option<&Endpoint<'p>> {
        let [end, _] = &self.atoms.list.get(*atoms.first()?)?.endpoints;
        end.as_ref()
    }

    fn ranges(&self, atoms: &[AtomId]) -> Vec<Range> {
        let ranges = atoms.iter();
        ranges
            .filter_map(|atom| self.atoms.list.get(*atom)?.range)
            .collect()
    }

    /// Endpoints that stand one after the other and of which something is equal.
    fn runs(&self, atoms: &[AtomId], of: &dyn Fn(&Endpoint<'p>) -> Whose<'p>) -> Vec<Vec<AtomId>> {
        let key = |atom: &AtomId| {
            let end = self.end(std::slice::from_ref(atom));
            let is_named = end.is_some_and(|end| {
                end.device.is_some()
                    || end.identity.user().is_some()
                    || end.place == Place::Supposed
            });
            let unit = self.units.get(*atom).copied().filter(|_| is_named);
            let (user, device) = end.map_or((None, None), of);
            (
                user,
                device,
                unit.filter(|_| user.is_none() && device.is_none()),
            )
        };
        atoms
            .chunk_by(|a, b| key(a) == key(b))
            .map(<[AtomId]>::to_vec)
            .collect()
    }

    /// The family that some of several endpoints are, if they are all of it, and others are of the other.
    fn one_family(&self, all: &[AtomId], chosen: &[AtomId]) -> Option<Version> {
        FAMILIES.into_iter().find_map(|(family, version)| {
            let is_own = |atom: &&AtomId| {
                let atom = self.atoms.list.get(**atom);
                atom.is_some_and(|atom| atom.family == family)
            };
            let own = all.iter().filter(is_own);
            own.eq(chosen).then_some(version)
        })
    }
}

/// The name of a device, or of a machine that is assumed; none for mere addresses.
fn called(reading: &Reading<'_>, end: &Endpoint<'_>) -> Option<String> {
    match (end.device, end.identity) {
        (Some(device), _) => Some(reading.names.shown(device)),
        (_, Identity::User(name) | Identity::Tag(name) | Identity::Service(name)) => {
            Some(name.to_owned())
        }
        (_, Identity::Some(_, name)) => Some(name.to_owned()),
        _ => None,
    }
}

/// Ranges as few texts.
fn nets(ranges: Vec<Range>) -> Vec<String> {
    let set: AddressSet = ranges.into_iter().collect();
    let ranges = set.ranges();
    ranges.map(|range| Net::Range(range).to_string()).collect()
}
