//! Devices of both networks that take part otherwise afterwards: who was let in, whose key was renewed, whose shields went up, who changed
//! hands. The rules say the same of them, but what they allow arrives now, or no longer does (docs/policy-language.md#questions), or
//! arrives for somebody else.
//! Must not live here: what the rules allow, which devices come and go.

use serde::Serialize;

use super::markdown::code;
use crate::policy::findings::words::joined;
use crate::policy::tailnet::context::{Device, DeviceIndex};
use crate::policy::tailnet::flow::Judge;
use crate::tables::index::Index;

/// A device whose part in the network changes.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DeviceChange {
    /// Its name afterwards.
    pub device: String,
    /// Its id.
    pub id: String,
    /// What was so.
    pub before: DeviceState,
    /// What is so afterwards.
    pub after: DeviceState,
}

/// What decides, beside the rules, whether connections of a device and to it arrive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DeviceState {
    /// Whether it may take part, as far as is known.
    pub authorized: bool,
    /// When its key expires; `None` if never, or if that is not known.
    pub expires: Option<String>,
    /// Whether it is known that its key never expires.
    #[serde(skip)]
    pub is_endless: bool,
    /// Whether its shields are up: it takes in no connection.
    pub blocks_incoming_connections: bool,
    /// Its user, where it has one before and after: a tag that comes or goes is reported by what changes with it.
    pub user: Option<String>,
}

impl From<&Device> for DeviceState {
    fn from(device: &Device) -> DeviceState {
        DeviceState {
            authorized: device.is_authorized != Some(false),
            expires: device.key_expires.clone(),
            is_endless: device.is_key_endless,
            blocks_incoming_connections: device.blocks_incoming,
            user: device.user().map(str::to_owned),
        }
    }
}

/// The devices that both networks have, and that take part otherwise, in the order of the later one.
#[inline(never)]
pub fn changed(judges: [&Judge<'_>; 2]) -> Vec<DeviceChange> {
    let [before, after] = judges;
    let mut known = Index::default();
    for (at, device) in before.network.devices.iter().enumerate() {
        known.place(&device.id, at);
    }
    let mut changes = Vec::new();
    for (place, device) in DeviceIndex::each(after.network.devices) {
        let earlier = known.find(&device.id);
        let earlier = earlier.and_then(|at| before.network.devices.get(at));
        let Some(mut before) = earlier.map(DeviceState::from) else {
            continue;
        };
        let mut now = DeviceState::from(device);
        if before.user.is_none() || now.user.is_none() {
            (before.user, now.user) = (None, None);
        }
        // That no expiry becomes known is no difference.
        if before.expires == now.expires {
            before.is_endless = now.is_endless;
        }
        if before != now {
            changes.push(DeviceChange {
                device: after.names.shown(place),
                id: device.id.clone(),
                before,
                after: now,
            });
        }
    }
    changes
}

/// The lines about one device.
pub fn lines(change: &DeviceChange) -> Vec<String> {
    let (name, before, after) = (code(&change.device), &change.before, &change.after);
    let mut lines = Vec::new();
    if before.authorized != after.authorized {
        let words = match after.authorized {
            true => " is authorized now, without which nothing from it or to it arrived",
            false => " is no longer authorized: nothing from it or to it arrives",
        };
        lines.push(joined(&[&name, words]));
    }
    if before.blocks_incoming_connections != after.blocks_incoming_connections {
        let words = match after.blocks_incoming_connections {
            true => " takes in no connections any more: its shields are up",
            false => " no longer refuses all connections: its shields are down",
        };
        lines.push(joined(&[&name, words]));
    }
    if before.expires != after.expires {
        let expiry = |state: &DeviceState, verb: &str| match &state.expires {
            Some(time) => joined(&[verb, " ", &code(time)]),
            None if state.is_endless => joined(&["never ", verb]),
            None => joined(&[verb, " at a time that is not known"]),
        };
        let (was, now) = (expiry(before, "expired"), expiry(after, "expires"));
        let words = [&now, ", where it ", &was].concat();
        lines.push(joined(&["the key of ", &name, " ", &words]));
    }
    if let (Some(was), Some(now)) = (&before.user, &after.user)
        && was != now
    {
        let words = [" belongs to ", &code(now), " now, before to ", &code(was)];
        lines.push(joined(&[&name, &words.concat()]));
    }
    lines
}
