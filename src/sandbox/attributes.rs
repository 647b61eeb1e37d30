//! The calls about posture attributes: which values are allowed, and when they expire.
//! Must not live here: posture conditions (`policy`), wire shapes (`api`).

use std::mem::{Discriminant, discriminant};

use serde_json::{Map, Value};

use super::choices::{Outcome, Refusal, refused};
use super::perform::serves;
use super::{Device, Sandbox, Tailnet, clock};
use crate::api::{
    BatchDeviceAttributes, DeleteDeviceAttribute, DeviceAttributes, DeviceId, Done,
    GetDeviceAttributes, SetDeviceAttribute,
};
use crate::tables::index::Index;

/// The prefix of keys that callers may write.
const CUSTOM: &str = "custom:";
/// The longest key, the longest text value, the largest integer that JavaScript represents exactly.
const LONGEST_KEY: usize = 128;
const LONGEST_TEXT: usize = 50;
/// The longest comment, in characters.
const LONGEST_COMMENT: usize = 200;
const LARGEST_NUMBER: u64 = (1 << 53) - 1;

serves! {
    GetDeviceAttributes: timed get_device_attributes,
    SetDeviceAttribute: timed set_device_attribute,
    DeleteDeviceAttribute: plain delete_device_attribute,
    BatchDeviceAttributes: timed batch_device_attributes,
}

impl Sandbox {
    /// The attributes that the service itself knows come first.
    fn get_device_attributes(
        &self,
        call: GetDeviceAttributes,
        now: i64,
    ) -> Outcome<DeviceAttributes> {
        let device = self.device(&call.id)?;
        let mut found = built_in(device);
        let home = self
            .open()
            .find(|(_, tailnet)| tailnet.device(call.id.as_str()).is_some());
        if let Some(own) = home.and_then(|(_, tailnet)| tailnet.attributes.get(device.id())) {
            let alive = |key: &str| match own.expiries.get(key).and_then(Value::as_str) {
                Some(end) => clock::parse(end).is_none_or(|end| end > now),
                None => true,
            };
            for (key, value) in own.attributes.iter().filter(|(key, _)| alive(key)) {
                found.attributes.insert(key.clone(), value.clone());
                if let Some(end) = own.expiries.get(key) {
                    found.expiries.insert(key.clone(), end.clone());
                }
            }
        }
        Ok(found)
    }

    fn set_device_attribute(&mut self, call: SetDeviceAttribute, now: i64) -> Outcome<Done> {
        judge_comment(call.body.comment.as_deref())?;
        let (id, tailnet) = self.attributes_of(&call.id)?;
        types(tailnet).judge(call.key.as_str(), &call.body.value)?;
        set(
            tailnet,
            &id,
            call.key.as_str(),
            call.body.value,
            call.body.expiry,
            now,
        )?;
        Ok(Done)
    }

    /// Deleting a missing one succeeds.
    fn delete_device_attribute(&mut self, call: DeleteDeviceAttribute) -> Outcome<Done> {
        let (id, tailnet) = self.attributes_of(&call.id)?;
        writable(call.key.as_str())?;
        remove(tailnet, &id, call.key.as_str());
        Ok(Done)
    }

    /// All changes or, if one is wrong, none.
    fn batch_device_attributes(&mut self, call: BatchDeviceAttributes, now: i64) -> Outcome<Done> {
        judge_comment(call.changes.comment.as_deref())?;
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        let (places, mut types) = (places(tailnet), types(tailnet));
        let mut changed = tailnet.clone();
        for (node, keys) in call.changes.nodes {
            let unknown = || Refusal::Unknown("device", node.clone());
            let device = places.find(&node).and_then(|at| tailnet.devices.get(at));
            let id = device.ok_or_else(unknown)?.id();
            let Value::Object(keys) = keys else {
                return refused!("`nodes.{node}` must be an object");
            };
            for (key, wanted) in keys {
                match wanted {
                    Value::Null => {
                        writable(&key)?;
                        remove(&mut changed, id, &key);
                    }
                    Value::Object(mut wanted) => {
                        let value = wanted.remove("value").unwrap_or_default();
                        let expiry = expiry_of(&wanted)?;
                        types.judge(&key, &value)?;
                        set(&mut changed, id, &key, value, expiry, now)?;
                    }
                    _ => {
                        return refused!("`{key}` must be an object or null");
                    }
                }
            }
        }
        *tailnet = changed;
        Ok(Done)
    }

    /// The id under which the attributes of a device are stored, and the tailnet.
    fn attributes_of(&mut self, id: &DeviceId) -> Outcome<(String, &mut Tailnet)> {
        let kept = self.own_device(id)?.id().to_owned();
        Ok((kept, self.home_of(id)?.1))
    }
}

fn built_in(device: &Device) -> DeviceAttributes {
    let mut found = DeviceAttributes::default();
    for (key, field) in [("node:os", "os"), ("node:tsVersion", "clientVersion")] {
        let text = device.text(field);
        if !text.is_empty() {
            found.attributes.insert(key.to_owned(), text.into());
        }
    }
    found
}

/// The place of each device, by all that may stand for it in a path.
fn places(tailnet: &Tailnet) -> Index<'_> {
    let mut places = Index::default();
    for (place, device) in tailnet.devices.iter().enumerate() {
        for name in ["nodeId", "id"] {
            let name = device.field(name).and_then(Value::as_str);
            places.set(name.unwrap_or_default().into(), place);
        }
    }
    places
}

/// The keys of a tailnet, by their small letters, and the types of their values: the first write fixes both.
#[derive(Default)]
struct Types {
    places: Index<'static>,
    known: Vec<(String, Discriminant<Value>)>,
}

fn types(tailnet: &Tailnet) -> Types {
    let mut types = Types::default();
    for (key, value) in tailnet.attributes.values().flat_map(|own| &own.attributes) {
        types.fixed(key, value);
    }
    types
}

impl Types {
    /// The spelling and the type of a key: the known ones, or else these from now on.
    fn fixed(&mut self, key: &str, value: &Value) -> (&str, Discriminant<Value>) {
        let small = key.to_ascii_lowercase();
        let place = self.places.find(&small).unwrap_or_else(|| {
            self.places.set(small.into(), self.known.len());
            self.known.push((key.to_owned(), discriminant(value)));
            self.known.len() - 1
        });
        let known = self.known.get(place);
        known.map_or(("", discriminant(value)), |(key, kind)| (key, *kind))
    }

    /// Refuses a key that cannot be written, or not with this value.
    fn judge(&mut self, key: &str, value: &Value) -> Outcome<()> {
        writable(key)?;
        fits(key, value)?;
        let (known, kind) = self.fixed(key, value);
        match (known == key, kind == discriminant(value)) {
            (true, true) => Ok(()),
            (true, false) => refused!("attribute `{key}` has values of another type"),
            (false, _) => refused!("attribute `{key}` exists as `{known}`"),
        }
    }
}

/// Stores a value that fits; it expires in the future or never.
fn set(
    tailnet: &mut Tailnet,
    id: &str,
    key: &str,
    value: Value,
    expiry: Option<String>,
    now: i64,
) -> Outcome<()> {
    // Zero is how clients in Go write that there is none.
    let expiry = expiry.filter(|end| end != super::choices::NO_TIME);
    let end = expiry
        .as_deref()
        .map(|end| clock::parse(end).ok_or(end))
        .transpose();
    match end {
        Err(end) => return refused!("expiry `{end}` is not an RFC 3339 time"),
        Ok(Some(end)) if end <= now => return refused!("expiry must be in the future"),
        Ok(_) => {}
    }
    let own = tailnet.attributes.entry(id.to_owned()).or_default();
    own.attributes.insert(key.to_owned(), value);
    match expiry {
        Some(end) => drop(own.expiries.insert(key.to_owned(), end.into())),
        None => drop(own.expiries.remove(key)),
    }
    Ok(())
}

fn remove(tailnet: &mut Tailnet, id: &str, key: &str) {
    let forget = |from: &mut Map<String, Value>| drop(from.remove(key));
    if let Some(own) = tailnet.attributes.get_mut(id) {
        forget(&mut own.attributes);
        forget(&mut own.expiries);
    }
}

fn writable(key: &str) -> Outcome<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    match key.strip_prefix(CUSTOM) {
        None => refused!("attribute `{key}` is read-only: only `{CUSTOM}…` can be written"),
        Some(name) if name.is_empty() || key.len() > LONGEST_KEY || !name.chars().all(plain) => {
            refused!("`{key}` is not a valid attribute key")
        }
        Some(_) => Ok(()),
    }
}

/// When an attribute of a batch expires; an empty text is as good as none.
fn expiry_of(wanted: &Map<String, Value>) -> Outcome<Option<String>> {
    match wanted.get("expiry") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(end)) => Ok(Some(end.clone()).filter(|end| !end.is_empty())),
        Some(_) => refused!("`expiry` must be a text"),
    }
}

fn judge_comment(comment: Option<&str>) -> Outcome<()> {
    match comment.unwrap_or_default().chars().count() {
        0..=LONGEST_COMMENT => Ok(()),
        _ => refused!("`comment` is longer than {LONGEST_COMMENT}"),
    }
}

fn fits(key: &str, value: &Value) -> Outcome<()> {
    if value.is_null() {
        return refused!("`value` of `{key}` is missing");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let fits = match value {
        Value::Bool(_) => true,
        Value::Number(number) => number
            .as_i64()
            .is_some_and(|n| n.unsigned_abs() <= LARGEST_NUMBER),
        Value::String(text) => text.len() <= LONGEST_TEXT && text.chars().all(plain),
        _ => false,
    };
    match fits {
        true => Ok(()),
        false => refused!("`{key}` cannot hold this value"),
    }
}
