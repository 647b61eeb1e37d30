//! Devices by the names that people use: the full name, its first label, the host name, both ids.
//! Must not live here: other names of a policy (`question`), what a device is (`context`).

use std::borrow::Cow;

use super::context::{Device, DeviceIndex, PolicyContext};
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{joined, nearest};
use crate::tables::index::Index;

/// The devices of a context by name, indexed once.
pub(crate) struct DeviceNames<'t> {
    devices: &'t [Device],
    /// The index of each name in `lists`; names that are not ids in lower case.
    by_name: Index<'t>,
    lists: Vec<Vec<DeviceIndex>>,
    /// The lists without the host names that machines report.
    given: Vec<Vec<DeviceIndex>>,
}

impl<'t> DeviceNames<'t> {
    /// Those of this context.
    pub fn of(context: &'t PolicyContext) -> DeviceNames<'t> {
        let devices = context.devices.as_deref().unwrap_or_default();
        let mut names = DeviceNames {
            devices,
            by_name: Index::default(),
            lists: Vec::new(),
            given: Vec::new(),
        };
        for (place, device) in DeviceIndex::each(devices) {
            names.add(Cow::Borrowed(&device.id), place, true);
            if let Some(id) = &device.node_id {
                names.add(Cow::Borrowed(id), place, true);
            }
            for name in given_names(device) {
                names.add(small(name), place, true);
            }
            for name in own_names(device) {
                names.add(small(name), place, false);
            }
        }
        names
    }

    fn add(&mut self, name: Cow<'t, str>, place: DeviceIndex, is_given: bool) {
        let next = self.lists.len();
        let at = match name {
            Cow::Borrowed(name) => self.by_name.place(name, next),
            Cow::Owned(name) => self.by_name.find(&name).unwrap_or_else(|| {
                self.by_name.set(name.into(), next);
                next
            }),
        };
        if at == next {
            self.lists.push(Vec::new());
            self.given.push(Vec::new());
        }
        let lists = [
            self.lists.get_mut(at),
            self.given.get_mut(at).filter(|_| is_given),
        ];
        for list in lists.into_iter().flatten() {
            if list.last() != Some(&place) {
                list.push(place);
            }
        }
    }

    /// The device of this name, if there is one: names are those by which it is shown, too. They are compared as in DNS, without regard to
    /// case; ids exactly. A name that one device was given wins over the host names that others report.
    ///
    /// # Errors
    /// Several devices have the name: which ones.
    pub fn find(&self, name: &str) -> Result<Option<DeviceIndex>, String> {
        let all = |lists: &[Vec<DeviceIndex>]| {
            let mut found = self.list(lists, name).to_vec();
            if let Cow::Owned(small) = small(name) {
                found.extend(self.list(lists, &small));
                found.dedup();
            }
            found
        };
        let found = all(&self.lists);
        match (&found[..], &all(&self.given)[..]) {
            ([], _) => Ok(self.shown_as(name)),
            ([only], _) | (_, [only]) => Ok(Some(*only)),
            _ => Err(self.several(name, &found)),
        }
    }

    /// The device that is shown like this: with its id, as another one has the same name, or has none.
    fn shown_as(&self, shown: &str) -> Option<DeviceIndex> {
        let id = match shown.strip_suffix(')') {
            Some(named) => named.rsplit_once('(')?.1,
            None => shown.strip_prefix("device ")?,
        };
        let found = self.list(&self.lists, id).iter();
        let mut found = found.filter(|place| self.shown(**place) == shown);
        found.next().copied()
    }

    fn list<'l>(&self, lists: &'l [Vec<DeviceIndex>], name: &str) -> &'l [DeviceIndex] {
        let list = self.by_name.find(name).and_then(|at| lists.get(at));
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
        match self.list(&self.lists, &small(name)) {
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
    pub fn near(&self, name: &str) -> Option<Hint> {
        let mut known = self.devices.iter().flat_map(own_names);
        nearest(name, &mut known)
    }
}

/// The names of a device that are not ids, in the order in which one would show them.
fn own_names(device: &Device) -> impl Iterator<Item = &str> {
    let reported = device.hostname.as_deref();
    given_names(device).chain(reported.filter(|name| !name.is_empty()))
}

/// The name that it has in the tailnet, and its first label.
fn given_names(device: &Device) -> impl Iterator<Item = &str> {
    let full = device.name.as_deref().map(without_root);
    let label = full.and_then(|full| full.split_once('.'));
    let names = [full, label.map(|(label, _)| label)];
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
