//! The universe of a comparison: every endpoint that may differ from the others in one of two readings, with its names.
//! Must not live here: which of them the rules treat alike (classes.rs), what they reach (reach.rs).

use super::cuts::{V4, V6, family_of, is_for_devices, paired, pieces, with_addresses};
use super::ids::{AtomId, Id, IdTable, NameId};
use super::name::{Name, NamesByText};
use super::reading::{NamedSet, Reading};
use crate::cidr::{Address, AddressSet, Range};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::addresses::{internet, tailnet};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::known_devices::{KnownDevice, devices_of};
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::policy::tailnet::party::Side;
use crate::tables::index::{Index, Lists};
use crate::tables::sort;

/// One endpoint.
#[derive(Clone, Debug)]
pub struct Atom<'p> {
    /// What it is in each reading; none where it does not exist.
    pub endpoints: [Option<Endpoint<'p>>; 2],
    /// Its families.
    pub family: u8,
    /// The addresses that it means; none for a machine that is assumed.
    pub range: Option<Range>,
    /// Equal for the addresses of one device, or of one machine that is assumed.
    pub machine: usize,
}

/// The endpoints of one side, with their names.
#[derive(Default)]
pub struct Atoms<'p> {
    /// The endpoints.
    pub list: IdTable<AtomId, Atom<'p>>,
    /// The names.
    pub names: IdTable<NameId, Name>,
    /// Whether they are those of one question: what text and context leave undecided about them counts.
    pub is_asked: bool,
    /// Whether it matters whose they are, even if no rule depends on it.
    pub by_owner: bool,
    /// The former id of each device that was made anew, with the one that it has now.
    pub former_ids: Vec<(&'p str, &'p str)>,
    /// The reading in which a name means these addresses, where it means others in the other one.
    pub redefined: Index<'static>,
    pub(super) known: Index<'static>,
    pub(super) machines: usize,
    pub(super) by_text: NamesByText,
}

/// The endpoints and names of one side of two readings.
#[inline(never)]
pub fn atoms<'p>(readings: &[Reading<'p>], side: Side) -> Atoms<'p> {
    let mut atoms = Atoms::default();
    atoms.add_devices(readings);
    atoms.add_users(readings);
    atoms.add_tags(readings);
    atoms.add_others(readings, side);
    if !readings.iter().any(|reading| reading.is_ssh) {
        atoms.add_addresses(readings, side);
    }
    atoms
}

/// The endpoints of some names alone.
pub fn some<'p>(named: Vec<(Party, Vec<Endpoint<'p>>)>) -> Atoms<'p> {
    let mut atoms = Atoms::default();
    for (party, endpoints) in named {
        let mut own = Vec::new();
        atoms.machines += 1;
        for end in endpoints {
            own.push(atoms.list.push(Atom {
                family: V4 | V6,
                range: None,
                machine: atoms.machines,
                endpoints: [Some(end.clone()), Some(end)],
            }));
        }
        atoms.names.push(Name {
            party,
            atoms: own,
            is_vacant: false,
        });
    }
    atoms
}

impl<'p> Atoms<'p> {
    /// The name of a party.
    pub fn named(&self, party: &Party) -> Option<NameId> {
        self.by_text.find(&self.names, party)
    }

    /// Adds a name, unless it is known.
    fn name(&mut self, kind: PartyKind, name: &str, atoms: Vec<AtomId>, is_vacant: bool) {
        self.name_behind((kind, None), name, atoms, is_vacant);
    }

    /// The same for what is behind a device.
    fn name_behind(
        &mut self,
        (kind, id): (PartyKind, Option<String>),
        name: &str,
        atoms: Vec<AtomId>,
        is_vacant: bool,
    ) {
        if self.known.set(name.to_owned().into(), 0) {
            self.names.push(Name {
                party: Party {
                    kind,
                    name: name.to_owned(),
                    id,
                },
                atoms,
                is_vacant,
            });
        }
    }

    /// Every device of either network, each address for itself; an ssh login does not depend on addresses.
    fn add_devices(&mut self, readings: &[Reading<'p>]) {
        let lists: Vec<_> = readings.iter().map(|it| it.network.devices).collect();
        for KnownDevice { id, places } in devices_of(&lists) {
            let mut shown = readings.iter().zip(places);
            let shown = shown.find_map(|(reading, place)| Some(reading.names.shown(place?)));
            let former = readings.first().zip(places.first().copied().flatten());
            let former = former.and_then(|(reading, place)| place.of(reading.network.devices));
            let renewed = former.filter(|former| former.id != id);
            self.former_ids
                .extend(renewed.map(|former| (former.id.as_str(), id)));
            self.machines += 1;
            let atoms = match readings.iter().any(|reading| reading.is_ssh) {
                true => self.add_whole(readings, places),
                false => self.add_each_address(readings, places),
            };
            self.names.push(Name {
                party: Party {
                    kind: PartyKind::Device,
                    name: shown.unwrap_or_default(),
                    id: Some(id.to_owned()),
                },
                atoms,
                is_vacant: false,
            });
        }
    }

    fn add_whole(
        &mut self,
        readings: &[Reading<'p>],
        own: [Option<DeviceIndex>; 2],
    ) -> Vec<AtomId> {
        let mut endpoints = [None, None];
        for ((reading, index), end) in readings.iter().zip(own).zip(&mut endpoints) {
            let device = index.and_then(|index| index.of(reading.network.devices));
            *end = device.map(|device| Endpoint {
                place: match device.addresses.first() {
                    Some(address) => Place::At(*address),
                    None => Place::Supposed,
                },
                identity: Identity::from(device),
                device: index,
            });
        }
        vec![self.list.push(Atom {
            endpoints,
            family: V4 | V6,
            range: None,
            machine: self.machines,
        })]
    }

    fn add_each_address(
        &mut self,
        readings: &[Reading<'p>],
        own: [Option<DeviceIndex>; 2],
    ) -> Vec<AtomId> {
        let mut lists = [Vec::new(), Vec::new()];
        for ((reading, index), list) in readings.iter().zip(own).zip(&mut lists) {
            list.extend_from_slice(index.map_or(&[][..], |index| reading.network.addresses(index)));
            sort::sort(list);
            list.dedup();
        }
        let mut atoms = Vec::new();
        for addresses in paired(&lists) {
            let mut endpoints = [None, None];
            let places = readings.iter().zip(own).zip(addresses);
            for (((reading, index), address), end) in places.zip(&mut endpoints) {
                *end = index.zip(address).and_then(|(index, address)| {
                    Some(Endpoint {
                        place: Place::At(address),
                        identity: Identity::from(index.of(reading.network.devices)?),
                        device: Some(index),
                    })
                });
            }
            let [before, after] = addresses;
            let Some(address) = after.or(before) else {
                continue;
            };
            atoms.push(self.list.push(Atom {
                endpoints,
                family: family_of(address),
                range: Some(address.into()),
                machine: self.machines,
            }));
        }
        atoms
    }

    /// Names an identity by its devices, or by a machine that is assumed where it has none.
    fn add_identity(
        &mut self,
        readings: &[Reading<'p>],
        kind: PartyKind,
        name: &'p str,
        identity: Identity<'p>,
        devices: &dyn Fn(&Reading<'p>) -> Vec<DeviceIndex>,
        ids: &Index<'_>,
    ) {
        if self.known.find(name).is_some() {
            return;
        }
        let mut atoms = Vec::new();
        for reading in readings {
            for index in devices(reading) {
                let id = index
                    .of(reading.network.devices)
                    .map(|device| device.id.as_str());
                let named = id.and_then(|id| ids.find(id)).map(NameId::at);
                let own = named.and_then(|named| self.names.get(named));
                atoms.extend(own.into_iter().flat_map(|own| own.atoms.iter().copied()));
            }
        }
        sort::sort(&mut atoms);
        atoms.dedup();
        let is_vacant = atoms.is_empty();
        if is_vacant {
            atoms = self.assumed(identity);
        }
        let are_known = readings.iter().all(Reading::knows_devices);
        self.name(kind, name, atoms, is_vacant && are_known);
    }

    /// A machine that is assumed, of either family.
    fn assumed(&mut self, identity: Identity<'p>) -> Vec<AtomId> {
        self.machines += 1;
        let end = Endpoint::supposed(identity);
        let mut atoms = Vec::with_capacity(2);
        for family in [V4, V6] {
            atoms.push(self.list.push(Atom {
                endpoints: [Some(end.clone()), Some(end.clone())],
                family,
                range: None,
                machine: self.machines,
            }));
        }
        atoms
    }

    /// The places of device names by id.
    fn ids(&self) -> Index<'static> {
        let mut ids = Index::default();
        for (id, name) in self.names.iter() {
            if let Some(device) = &name.party.id {
                ids.set(device.clone().into(), id.place());
            }
        }
        for (former, id) in &self.former_ids {
            if let Some(place) = ids.find(id) {
                ids.set((*former).to_owned().into(), place);
            }
        }
        ids
    }

    /// Every user that a document, a context or a device names.
    fn add_users(&mut self, readings: &[Reading<'p>]) {
        let ids = self.ids();
        for reading in readings {
            for login in reading.logins() {
                let devices = |reading: &Reading<'p>| reading.network.of_user(login).to_vec();
                let identity = Identity::User(login);
                self.add_identity(readings, PartyKind::User, login, identity, &devices, &ids);
            }
        }
    }

    /// Every tag that a document declares or a device has.
    fn add_tags(&mut self, readings: &[Reading<'p>]) {
        let ids = self.ids();
        for reading in readings {
            for tag in reading.tags() {
                let devices = |reading: &Reading<'p>| reading.network.by_tag.get(tag).to_vec();
                let identity = Identity::Tag(tag);
                self.add_identity(readings, PartyKind::Tag, tag, identity, &devices, &ids);
            }
        }
    }

    /// Those whom rules include by an autogroup, a domain, a service or a group that nobody defines: a machine about which
    /// nothing else is known, where there may be one.
    fn add_others(&mut self, readings: &[Reading<'p>], side: Side) {
        for reading in readings {
            for selector in reading.selectors(side) {
                let name = selector.name();
                if self.known.find(name).is_some()
                    || !readings.iter().any(|it| it.may_have_more(selector))
                {
                    continue;
                }
                let (kind, identity) = match selector.kind {
                    Kind::Autogroup(Autogroup::Own) => (PartyKind::Autogroup, Identity::OWN),
                    Kind::Autogroup(
                        Autogroup::Member
                        | Autogroup::Tagged
                        | Autogroup::Shared
                        | Autogroup::Role(_),
                    ) => (PartyKind::Autogroup, Identity::Some(selector.kind, name)),
                    Kind::Domain => (PartyKind::Domain, Identity::Some(selector.kind, name)),
                    Kind::Group => (PartyKind::Group, Identity::Some(selector.kind, name)),
                    Kind::Service => (PartyKind::Service, Identity::Service(name)),
                    _ => continue,
                };
                let atoms = self.assumed(identity);
                let is_vacant = readings.iter().all(|it| it.is_name_alone(selector));
                self.name(kind, name, atoms, is_vacant);
            }
        }
    }

    /// The addresses that rules name on this side, cut where any of them begins or ends.
    fn add_addresses(&mut self, readings: &[Reading<'p>], side: Side) {
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
            let kind = Kind::Autogroup(Autogroup::Member);
            atoms.extend(self.assumed(Identity::Some(kind, name)));
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
