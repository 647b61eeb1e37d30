//! Devices by the names that people use: the full name, its first label, the host name, both ids.
//! Must not live here: other names of a policy (`question`), what a device is (`context`).

use std::borrow::Cow;

use super::context::{Device, DeviceIndex, PolicyContext};
use crate::policy::findings::words::{did_you_mean, joined};
use crate::tables::index::Index;

/// The devices of a context by name, indexed once.
pub(crate) struct DeviceNames<'t> {
    devices: &'t [Device],
    /// The index of each name in `lists`; names that are not ids in lower case.
    by_name: Index<'t>,
    lists: Vec<Vec<DeviceIndex>>,
}

impl<'t> DeviceNames<'t> {
    /// Those of this context.
    pub fn of(context: &'t PolicyContext) -> DeviceNames<'t> {
        let devices = context.devices.as_deref().unwrap_or_default();
        let mut names = DeviceNames {
            devices,
            by_name: Index::default(),
            lists: Vec::new(),
        };
        for (place, device) in DeviceIndex::each(devices) {
            names.add(Cow::Borrowed(&device.id), place);
            if let Some(id) = &device.node_id {
                names.add(Cow::Borrowed(id), place);
            }
            for name in own_names(device) {
                names.add(small(name), place);
            }
        }
        names
    }

    fn add(&mut self, name: Cow<'t, str>, place: DeviceIndex) {
        match self.by_name.find(&name) {
            Some(at) => {
                if let Some(list) = self.lists.get_mut(at)
                    && list.last() != Some(&place)
                {
                    list.push(place);
                }
            }
            None => {
                self.by_name.set(name, self.lists.len());
                self.lists.push(vec![place]);
            }
        }
    }

    /// The device of this name, if there is one. Names are compared as in DNS, without regard to case; ids exactly.
    ///
    /// # Errors
    /// Several devices have the name: which ones.
    pub fn find(&self, name: &str) -> Result<Option<DeviceIndex>, String> {
        let mut found = self.list(name).to_vec();
        if let Cow::Owned(small) = small(name) {
            found.extend(self.list(&small));
            found.dedup();
        }
        match found[..] {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            _ => Err(self.several(name, &found)),
        }
    }

    fn list(&self, name: &str) -> &[DeviceIndex] {
        let list = self.by_name.find(name).and_then(|at| self.lists.get(at));
        list.map_or(&[], Vec::as_slice)
    }

    fn several(&self, name: &str, found: &[DeviceIndex]) -> String {
        let mut message = joined(&["several devices are called `", name, "`"]);
        let mut between = ": ";
        for device in found.iter().filter_map(|place| place.of(self.devices)) {
            let full = own_names(device).next().unwrap_or(name);
            message.push_str(&joined(&[between, full, " (id ", &device.id, ")"]));
            between = ", ";
        }
        message
    }

    /// The name of a device for readers: the first label of its name or its host name, with the id if another device has
    /// the same name, and never the id alone.
    pub fn shown(&self, place: DeviceIndex) -> String {
        let Some(device) = place.of(self.devices) else {
            return String::new();
        };
        let Some(name) = shown_name(device) else {
            return joined(&["device ", &device.id]);
        };
        match self.list(&small(name)) {
            [_] => name.to_owned(),
            _ => joined(&[name, " (", &device.id, ")"]),
        }
    }

    /// The names by which a device may be asked for, in the order in which people would say them.
    pub fn names_of(&self, place: DeviceIndex) -> Vec<&'t str> {
        let Some(device) = place.of(self.devices) else {
            return Vec::new();
        };
        let mut names: Vec<&str> = shown_name(device).into_iter().collect();
        names.extend(own_names(device));
        names.push(&device.id);
        names.extend(device.node_id.as_deref());
        names
    }

    /// `did you mean X?` for a name similar to that of a device.
    pub fn near(&self, name: &str) -> Option<String> {
        let mut known = self.devices.iter().flat_map(own_names);
        did_you_mean(name, &mut known)
    }
}

/// The names of a device that are not ids, in the order in which one would show them.
fn own_names(device: &Device) -> impl Iterator<Item = &str> {
    let full = device.name.as_deref().map(without_root);
    let label = full.and_then(|full| full.split_once('.'));
    let names = [
        full,
        label.map(|(label, _)| label),
        device.hostname.as_deref(),
    ];
    names.into_iter().flatten().filter(|name| !name.is_empty())
}

/// The first label of its name, or its host name.
fn shown_name(device: &Device) -> Option<&str> {
    let label = device
        .name
        .as_deref()
        .and_then(|name| name.split('.').next());
    let names = [label, device.hostname.as_deref()];
    names.into_iter().flatten().find(|name| !name.is_empty())
}

/// A full name may end with the dot of the root.
fn without_root(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

fn small(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}
