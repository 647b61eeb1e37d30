//! Whom a selector means in a tailnet, in a few words.
//! Must not live here: which devices a selector covers (`tailnet::party`).

use crate::policy::findings::words::joined;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::resolve::NOWHERE;
use crate::policy::tailnet::context::{DeviceIndex, PolicyContext};
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::network::Network;

/// Whom a selector means.
pub(super) struct ResolvedSelector {
    /// The devices, where they are known.
    pub devices: Option<Vec<DeviceIndex>>,
    /// How many people, where they are known.
    pub people: Option<usize>,
}

impl ResolvedSelector {
    /// Whom this text means, read as a selector.
    pub fn of(network: &Network<'_>, text: &str) -> ResolvedSelector {
        if text.starts_with("posture:") {
            return ResolvedSelector {
                devices: having(network, text),
                people: None,
            };
        }
        let selector = Selector::new(text, NOWHERE);
        let is_known = network.context.devices.is_some();
        let devices = is_known.then(|| network.devices_of(&selector));
        let people = match selector.kind {
            Kind::Group => network.policy.groups.get(selector.name()).map(Vec::len),
            Kind::Autogroup(_) | Kind::Domain => devices.as_ref().map(|devices| {
                let mut logins: Vec<&str> = Vec::new();
                for device in devices.iter().filter_map(|at| at.of(network.devices)) {
                    let login = device.user().filter(|login| !logins.contains(login));
                    logins.extend(login);
                }
                logins.len()
            }),
            _ => None,
        };
        ResolvedSelector { devices, people }
    }

    /// For example `3 devices, 2 people`; nothing where nothing is known.
    pub fn words(&self) -> Option<String> {
        let devices = self.devices.as_ref();
        let devices = devices.map(|devices| counted(devices.len(), "device", "devices"));
        let people = self
            .people
            .filter(|people| *people > 0 || devices.is_none());
        let people = people.map(|people| counted(people, "person", "people"));
        let parts: Vec<String> = devices.into_iter().chain(people).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The names of the first devices.
    pub fn devices(&self, context: &PolicyContext, most: usize) -> Option<String> {
        let devices = self
            .devices
            .as_ref()
            .filter(|devices| !devices.is_empty())?;
        let all = context.devices.as_deref()?;
        let mut lines = Vec::new();
        for device in devices.iter().take(most).filter_map(|at| at.of(all)) {
            let name = device
                .name
                .as_ref()
                .or(device.hostname.as_ref())
                .unwrap_or(&device.id);
            let address = device.addresses.first().map(|address| address.to_string());
            lines.push(joined(&["- ", name, " ", &address.unwrap_or_default()]));
        }
        if devices.len() > most {
            lines.push(joined(&[
                "- and ",
                &(devices.len() - most).to_string(),
                " more",
            ]));
        }
        Some(lines.join("\n"))
    }
}

/// A number of things.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    joined(&[&count.to_string(), " ", if count == 1 { one } else { many }])
}

/// The devices that have a posture; nothing where that is unknown of one of them.
fn having(network: &Network<'_>, posture: &str) -> Option<Vec<DeviceIndex>> {
    network.context.devices.as_ref()?;
    let mut having = Vec::new();
    for (at, _) in DeviceIndex::each(network.devices) {
        match network.attributes.posture_of(at, posture) {
            Answer::Yes => having.push(at),
            Answer::No => {}
            Answer::Unknown => return None,
        }
    }
    Some(having)
}
