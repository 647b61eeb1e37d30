//! What a device would have from itself, be it its own address or what only it forwards: nobody uses that.
//! Must not live here: what differs (compare.rs), which device receives (reach.rs).

use super::atoms::Atom;
use super::comparison::Compared;
use super::cuts::family_of;
use super::hit::is_through;
use super::ids::{AtomId, NameId};
use super::item::Item;
use super::reported::{ONLY_DEVICE, Reported};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::next_hop::NextHop;
use crate::policy::tailnet::parties::PartyKind;

impl<'p> Compared<'_, 'p> {
    /// Whether a source has approved routes in a reading, where it is one machine.
    pub fn is_forwarder(&self, source: NameId) -> bool {
        let name = self.sources.names.get(source);
        (0..self.reaches.len()).any(|reading| {
            let found = name.and_then(|name| self.sender(&name.atoms, reading));
            let device = found.and_then(|(_, device)| {
                let devices = self.reaches.get(reading)?.reading.network.devices;
                device.of(devices)
            });
            device.is_some_and(|device| !device.routes.is_empty())
        })
    }

    /// Whether a user or tag as a destination has the device of a source that is one machine.
    pub fn has_sender(&self, to: NameId, source: NameId) -> bool {
        let names = (self.places.names.get(to), self.sources.names.get(source));
        let (Some(to), Some(from)) = names else {
            return false;
        };
        is_of_devices(to.party.kind)
            && (0..self.reaches.len()).any(|reading| {
                let own = self.sender(&from.atoms, reading).map(|(_, device)| device);
                let mut endpoints = to
                    .atoms
                    .iter()
                    .map(|atom| end_of(self.places.list.get(*atom)?, reading));
                own.is_some() && endpoints.any(|end| end.is_some_and(|end| end.device == own))
            })
    }

    /// Whether some endpoints are one machine, and nothing but it has or forwards what changes for it at a part of a destination.
    pub fn is_to_itself(
        &self,
        from: &[AtomId],
        lists: impl Iterator<Item = usize>,
        is_it: &dyn Fn(&Reported) -> bool,
    ) -> bool {
        let mut is_any = false;
        let lists = lists.filter_map(|list| self.reported.lists.get(list));
        for reported in lists.flatten().filter(|it| is_it(it)) {
            let item = self.differences.items.get(reported.item);
            let (Some(item), Some(meant)) = (item, &reported.meant) else {
                return false;
            };
            let reading = item.reading();
            let Some((from, own)) = self.sender(from, reading) else {
                return false;
            };
            let atoms = meant
                .atoms
                .iter()
                .filter_map(|atom| self.places.list.get(*atom));
            for end in atoms.filter_map(|atom| end_of(atom, reading)) {
                is_any = true;
                let is_own = match end.device {
                    Some(device) => device == own,
                    None => self.is_forwarded_by(own, (from, end), item),
                };
                if !is_own {
                    return false;
                }
            }
        }
        is_any
    }

    /// Why nobody uses what changes between the devices of a source's user, which have no name: none of the source has another to which it
    /// could send in the reading that has it.
    pub fn lacks_second(
        &self,
        from: &[AtomId],
        (item, to): (&Item, Option<NameId>),
    ) -> Option<String> {
        let network = self.reaches.get(item.reading())?.reading.network;
        let (mut has_user, mut has_others) = (false, false);
        for atom in from.iter().filter(|_| to.is_none()) {
            let atom = self.sources.list.get(*atom)?;
            let Some(end) = end_of(atom, item.reading()) else {
                continue;
            };
            let (user, device) = (end.identity.user()?, end.device?);
            has_user = true;
            for other in network.of_user(user).iter().filter(|it| **it != device) {
                let mut addresses = network.addresses(*other).iter();
                if addresses.any(|address| family_of(*address) & atom.family != 0) {
                    return None;
                }
                has_others = true;
            }
        }
        let why = match has_others {
            true => "no other device of the user has an address of that family",
            false => ONLY_DEVICE,
        };
        has_user.then(|| why.to_owned())
    }

    fn is_forwarded_by(
        &self,
        own: DeviceIndex,
        (from, to): (&Endpoint<'p>, &Endpoint<'p>),
        item: &Item,
    ) -> bool {
        let Some(reach) = self.reaches.get(item.reading()) else {
            return false;
        };
        if let Some(through) = &item.through {
            let device = own.of(reach.reading.network.devices);
            return device.is_some_and(|device| device.id == *through);
        }
        let next_hop = reach.next_hop(from, to);
        let devices = next_hop.as_ref().map_or(&[][..], NextHop::devices).iter();
        let network = reach.reading.network;
        let mut through = devices
            .filter(|device| is_through(network, **device, item.term, &self.shared.conditions));
        through.next() == Some(&own) && through.next().is_none()
    }

    /// The device that some endpoints are in a reading, with one of them; none where they are several.
    fn sender(&self, atoms: &[AtomId], reading: usize) -> Option<(&Endpoint<'p>, DeviceIndex)> {
        let mut endpoints = atoms
            .iter()
            .map(|atom| end_of(self.sources.list.get(*atom)?, reading));
        let first = endpoints.next()??;
        let device = first.device?;
        let are_one = endpoints.all(|end| end.is_none_or(|end| end.device == Some(device)));
        are_one.then_some((first, device))
    }
}

fn end_of<'a, 'p>(atom: &'a Atom<'p>, reading: usize) -> Option<&'a Endpoint<'p>> {
    atom.endpoints.get(reading)?.as_ref()
}

/// Whether a name means devices, and not for addresses.
pub fn is_of_devices(kind: PartyKind) -> bool {
    matches!(kind, PartyKind::User | PartyKind::Tag | PartyKind::Device)
}
