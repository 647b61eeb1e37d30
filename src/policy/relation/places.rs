//! The rows and columns of a matrix as endpoints: which of them a name, a device or a subnet means.
//! Must not live here: which rows and columns there are (tailnet/parties.rs), what is open between them (matrix.rs).

use super::atoms::Atoms;
use super::ids::{AtomId, Id, NameId};
use super::reading::Reading;
use crate::cidr::{Address, AddressSet};
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::addresses::internet;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::parties::{Listed, Means, PartyKind};
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;
use crate::tables::sort;

/// Finds the endpoints of parties on one side of one reading.
pub struct PartyPlaces<'a, 'p> {
    reading: &'a Reading<'p>,
    side: Side,
    atoms: &'a Atoms<'p>,
    /// The endpoints with addresses, by these.
    located: Vec<(Address, Address, AtomId)>,
    /// Names of identities.
    by_name: Index<'a>,
    /// Names of devices, by id.
    by_id: Index<'a>,
}

impl<'a, 'p> PartyPlaces<'a, 'p> {
    /// Sorts the endpoints of one side by addresses and names.
    pub fn new(reading: &'a Reading<'p>, side: Side, atoms: &'a Atoms<'p>) -> PartyPlaces<'a, 'p> {
        let mut located = Vec::with_capacity(atoms.list.len());
        for (id, atom) in atoms.list.iter() {
            located.extend(atom.range.map(|range| (range.first(), range.last(), id)));
        }
        sort::sort(&mut located);
        let (mut by_name, mut by_id) = (Index::default(), Index::default());
        for (at, name) in atoms.names.iter() {
            let shown = name.party.name.as_str();
            match (name.party.kind, &name.party.id) {
                (PartyKind::Device, Some(id)) => {
                    by_id.place(id, at.place());
                }
                (
                    PartyKind::User
                    | PartyKind::Tag
                    | PartyKind::Group
                    | PartyKind::Autogroup
                    | PartyKind::Service
                    | PartyKind::Domain,
                    _,
                ) => {
                    by_name.place(shown, at.place());
                }
                _ => {}
            }
        }
        PartyPlaces {
            reading,
            side,
            atoms,
            located,
            by_name,
            by_id,
        }
    }

    /// The same for each of some readings.
    pub fn of_each(
        readings: &'a [Reading<'p>],
        side: Side,
        atoms: &'a Atoms<'p>,
    ) -> Vec<PartyPlaces<'a, 'p>> {
        let places = readings.iter();
        places.map(|it| PartyPlaces::new(it, side, atoms)).collect()
    }

    /// The endpoints of a party, ascending.
    pub fn of(&self, listed: &Listed<'p>) -> Vec<AtomId> {
        let mut atoms = match &listed.means {
            Means::Device(device) => self.of_device(*device),
            Means::Subnet(range) => self.within(&AddressSet::from(*range)),
            Means::Internet => self.within(internet()),
            Means::Selector(selector) => self.of_selector(selector),
        };
        sort::sort(&mut atoms);
        atoms.dedup();
        atoms
    }

    fn of_selector(&self, selector: &Selector<'p>) -> Vec<AtomId> {
        let network = self.reading.network;
        let name = selector.name();
        match selector.kind {
            Kind::User | Kind::Tag | Kind::Service | Kind::Autogroup(Autogroup::Own) => {
                self.named(name)
            }
            Kind::Any => self.everyone(),
            Kind::Autogroup(Autogroup::DangerAll) => self.atoms.list.ids().collect(),
            kind if kind.is_numeric()
                || matches!(
                    kind,
                    Kind::Host | Kind::IpSet | Kind::Autogroup(Autogroup::Internet)
                ) =>
            {
                let set = network.set_of(selector);
                set.map_or(Vec::new(), |set| self.within(&set))
            }
            _ => {
                let devices = network.devices_of(selector).into_iter();
                let devices: Vec<AtomId> = devices.flat_map(|it| self.of_device(it)).collect();
                if !devices.is_empty() {
                    return devices;
                }
                match selector.kind {
                    Kind::Group if !network.groups.is_unknown(name) => {
                        let members = network.groups.of(name).into_iter();
                        members.flat_map(|login| self.named(login)).collect()
                    }
                    _ => self.named(name),
                }
            }
        }
    }

    /// The endpoints of a name that is no address and no device.
    pub fn named(&self, name: &str) -> Vec<AtomId> {
        let name = self.by_name.find(name).map(NameId::at);
        let name = name.and_then(|name| self.atoms.names.get(name));
        name.map_or(Vec::new(), |name| name.atoms.clone())
    }

    /// The endpoints of the machine at an endpoint: of the device that it is, or of its name.
    pub fn of_machine(&self, end: &Endpoint<'p>) -> Vec<AtomId> {
        if let Some(device) = end.device {
            return self.of_device(device);
        }
        match end.identity {
            Identity::User(name)
            | Identity::Holder(name, _)
            | Identity::Tag(name)
            | Identity::Service(name)
            | Identity::Some(_, name) => self.named(name),
            _ => Vec::new(),
        }
    }

    fn of_device(&self, device: DeviceIndex) -> Vec<AtomId> {
        let device = device.of(self.reading.network.devices);
        let name = device.and_then(|device| self.by_id.find(&device.id));
        let name = name.and_then(|name| self.atoms.names.get(NameId::at(name)));
        name.map_or(Vec::new(), |name| name.atoms.clone())
    }

    /// The endpoints with an address of a set.
    fn within(&self, set: &AddressSet) -> Vec<AtomId> {
        let mut atoms = Vec::new();
        for range in set.ranges() {
            let from = self
                .located
                .partition_point(|(first, ..)| *first < range.first());
            let inside = self.located.get(from..).into_iter().flatten();
            let inside = inside.take_while(|(_, last, _)| *last <= range.last());
            atoms.extend(inside.map(|(.., atom)| *atom));
        }
        atoms
    }

    /// What `*` means: as a source everyone in the tailnet, as a destination everything; where devices are known, none that is
    /// only assumed.
    fn everyone(&self) -> Vec<AtomId> {
        let mut atoms = Vec::new();
        for (id, atom) in self.atoms.list.iter() {
            let [Some(end), _] = &atom.endpoints else {
                continue;
            };
            if self.is_anyone(end) {
                atoms.push(id);
            }
        }
        atoms
    }

    fn is_anyone(&self, end: &Endpoint<'p>) -> bool {
        let is_assumed = end.place == Place::Supposed && self.reading.knows_devices();
        let is_real = !is_assumed || matches!(end.identity, Identity::Service(_));
        let is_within = match self.side {
            Side::Source => self.reading.network.is_in_tailnet(end) == Answer::Yes,
            Side::Destination => true,
        };
        end.identity != Identity::OWN && is_real && is_within
    }
}
