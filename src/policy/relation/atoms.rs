//! The universe of a comparison: every endpoint that may differ from the others in one of two readings, with its names.
//! Must not live here: addresses that rules name (named_sets.rs), which endpoints the rules treat alike (classes.rs), what they reach (reach.rs).

use super::cuts::{V4, V6, family_of, paired};
use super::ids::{AtomId, Id, IdTable, NameId};
use super::name::{Name, NamesByText};
use super::reading::Reading;
use crate::cidr::Range;
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::known_devices::{KnownDevice, devices_of};
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;
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

impl Atom<'_> {
    /// Whether nothing but a place without an address is known of where it is.
    pub fn is_at(&self, place: &Place) -> bool {
        let mut own = self.endpoints.iter().flatten();
        own.all(|end| end.place == *place)
    }
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

    /// Whether the members of the tailnet have a name of their own.
    pub fn has_members(&self) -> bool {
        self.known.find("autogroup:member").is_some()
    }

    /// Adds a name, unless it is known.
    pub(super) fn name(
        &mut self,
        kind: PartyKind,
        name: &str,
        atoms: Vec<AtomId>,
        is_vacant: bool,
    ) {
        self.name_behind((kind, None), name, atoms, is_vacant);
    }

    /// The same for what is behind a device.
    pub(super) fn name_behind(
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
            atoms = self.assumed(&Endpoint::supposed(identity), V4 | V6);
            self.leave(&atoms, [0, 1].map(|at| is_gone(readings, at, identity)));
        }
        let are_known = readings.iter().all(Reading::knows_devices);
        self.name(kind, name, atoms, is_vacant && are_known);
    }

    /// A machine that is assumed, of each of some families.
    pub(super) fn assumed(&mut self, end: &Endpoint<'p>, families: u8) -> Vec<AtomId> {
        self.machines += 1;
        let mut atoms = Vec::with_capacity(2);
        for family in [V4, V6].into_iter().filter(|own| own & families != 0) {
            atoms.push(self.list.push(Atom {
                endpoints: [Some(end.clone()), Some(end.clone())],
                family,
                range: None,
                machine: self.machines,
            }));
        }
        atoms
    }

    /// Takes machines out of the readings that have none of them.
    fn leave(&mut self, machines: &[AtomId], are_gone: [bool; 2]) {
        for atom in machines {
            let ends = self.list.get_mut(*atom).map(|atom| &mut atom.endpoints);
            for (end, is_gone) in ends.into_iter().flatten().zip(are_gone) {
                *end = end.take().filter(|_| !is_gone);
            }
        }
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
                let atoms = self.assumed(&Endpoint::supposed(identity), V4 | V6);
                let is_vacant = readings.iter().all(|it| it.is_name_alone(selector));
                self.name(kind, name, atoms, is_vacant);
            }
        }
    }
}

/// Whether a user is one of the tailnet in the other of two readings alone: who leaves has no machine any more. A name that neither knows
/// is that of somebody who may come.
fn is_gone(readings: &[Reading<'_>], at: usize, identity: Identity<'_>) -> bool {
    let Identity::User(login) = identity else {
        return false;
    };
    let network = |at: usize| Some(readings.get(at)?.network);
    let (Some(own), Some(other)) = (network(at), network(1 - at)) else {
        return false;
    };
    // In another dialect, the same name is not that of the same user.
    own.policy.dialect == other.policy.dialect
        && [own, other].map(|it| it.knows_user(login)) == [Some(false), Some(true)]
}
