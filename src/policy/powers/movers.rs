//! Who might have other powers because the network changes, and not the text: users whose role changes or who come and go, devices with
//! other tags, users, addresses or attributes. Must not live here: which powers they are.

use super::holders::Who;
use super::power::PowerKind;
use crate::policy::tailnet::context::Device;
use crate::policy::tailnet::device_names::DeviceNames;
use crate::policy::tailnet::known_devices::{KnownDevice, devices_of};
use crate::policy::tailnet::network::Network;
use crate::tables::index::Index;

/// The users and devices that differ between two networks, each once.
#[derive(Default)]
pub struct Movers<'p> {
    pub users: Vec<Who<'p>>,
    pub devices: Vec<Who<'p>>,
    are_tagged: Vec<bool>,
    /// Those of these devices of which the user has others, each after its user.
    pub own: Vec<(Who<'p>, Who<'p>)>,
}

impl<'p> Movers<'p> {
    /// Those of one network that another does not have as they are.
    pub fn of(network: &Network<'p>, other: &Network<'_>) -> Movers<'p> {
        let mut movers = Movers::default();
        let context = network.context;
        let mut known = Index::default();
        for user in other.context.users.iter().flatten() {
            known.set(text(&user.login_name, user.role.as_deref()).into(), 0);
        }
        for user in context.users.iter().flatten() {
            if known
                .find(&text(&user.login_name, user.role.as_deref()))
                .is_none()
            {
                movers.users.push(Who::of_user(network, user.written()));
            }
        }
        let names = DeviceNames::of(context);
        let others = other.devices;
        for KnownDevice { places, .. } in devices_of(&[others, network.devices]) {
            let [former, Some(at)] = places else {
                continue;
            };
            let former = former.and_then(|at| at.of(others));
            let Some(device) = at.of(network.devices) else {
                continue;
            };
            let is_same = |former: &Device| {
                (&former.owner, &former.addresses) == (&device.owner, &device.addresses)
                    && other.attributes.of(former) == network.attributes.of(device)
            };
            if !former.is_some_and(is_same) {
                let who = Who::of_device(network, device, names.shown(at));
                let is_other = |it: &Device| it.owner == device.owner && it.id != device.id;
                let mut owner = device.user();
                owner = owner.filter(|_| network.devices.iter().any(is_other));
                if let Some(login) = owner {
                    movers.own.push((Who::of_user(network, login), who.clone()));
                }
                movers.are_tagged.push(!device.tags().is_empty());
                movers.devices.push(who);
            }
        }
        movers
    }

    /// Those who may have a power of some kind by themselves: a tag is put on a device by people, or by a device with a tag that owns it.
    pub fn all(&self, kind: PowerKind) -> impl Iterator<Item = &Who<'p>> {
        let devices = self.devices.iter().zip(&self.are_tagged);
        let devices = devices.filter(move |(_, is_tagged)| kind != PowerKind::Tag || **is_tagged);
        self.users.iter().chain(devices.map(|(device, _)| device))
    }
}

fn text(login: &str, role: Option<&str>) -> String {
    [login.trim(), role.unwrap_or_default()].join(" ")
}
