//! One device as the sandbox keeps it: the fields it was given, known or not, and the form in which they are returned.
//!
//! Must not live here: which device a caller may see, HTTP.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use super::choices::NO_TIME;
use super::clock;
use crate::policy::DeviceFields;

/// A device: an object whose fields have the service's types, with a non-empty `id`. What it was given
/// is kept unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct Device(Map<String, Value>);

/// The type of a field. An answer has every field: one that is absent or null gets the empty value of its type.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Flag,
    /// A timestamp, never empty.
    Time,
    /// Strings.
    List,
    /// Objects by name, with any content.
    Table,
    /// An object with fields of its own and possibly others.
    Object(&'static [Field]),
}

type Field = (&'static str, Kind);

/// The fields of every answer, in the service's order; `lastSeen` is left out of a connected device.
const DEFAULT: &[Field] = &[
    ("addresses", Kind::List),
    ("id", Kind::Text),
    ("user", Kind::Text),
    ("name", Kind::Text),
    ("hostname", Kind::Text),
    ("clientVersion", Kind::Text),
    ("updateAvailable", Kind::Flag),
    ("os", Kind::Text),
    ("created", Kind::Time),
    ("lastSeen", Kind::Time),
    ("keyExpiryDisabled", Kind::Flag),
    ("expires", Kind::Time),
    ("authorized", Kind::Flag),
    ("isExternal", Kind::Flag),
    ("isEphemeral", Kind::Flag),
    ("connectedToControl", Kind::Flag),
    ("machineKey", Kind::Text),
    ("nodeKey", Kind::Text),
    ("blocksIncomingConnections", Kind::Flag),
];

/// Those that only `fields=all` includes.
const DETAILED: &[Field] = &[
    ("enabledRoutes", Kind::List),
    ("advertisedRoutes", Kind::List),
    ("clientConnectivity", Kind::Object(CONNECTIVITY)),
];

const CONNECTIVITY: &[Field] = &[
    ("endpoints", Kind::List),
    ("derp", Kind::Text),
    ("mappingVariesByDestIP", Kind::Flag),
    ("latency", Kind::Table),
    ("clientSupports", Kind::Object(SUPPORTS)),
];

const SUPPORTS: &[Field] = &[
    ("hairPinning", Kind::Flag),
    ("ipv6", Kind::Flag),
    ("pcp", Kind::Flag),
    ("pmp", Kind::Flag),
    ("udp", Kind::Flag),
    ("upnp", Kind::Flag),
];

/// Those that only `fields=all` includes, of a device that has them.
const IF_GIVEN: [&str; 4] = [
    "sshEnabled",
    "distro",
    "multipleConnections",
    "postureIdentity",
];

/// For newer clients.
const NEWER: &[Field] = &[("tags", Kind::List), ("nodeId", Kind::Text)];

impl Device {
    /// The globally unique identifier.
    pub fn id(&self) -> &str {
        self.text("id")
    }

    /// How newer answers, events and logs name it: its id where it has no `nodeId`.
    pub fn node_id(&self) -> &str {
        let given = self.field("nodeId").and_then(Value::as_str);
        given.unwrap_or_else(|| self.id())
    }

    /// Whether a path means this device: by its id or, as in newer clients, its `nodeId`.
    pub fn answers_to(&self, id: &str) -> bool {
        self.id() == id || self.0.get("nodeId").and_then(Value::as_str) == Some(id)
    }

    /// A field as it was given; `nodeId` is the id if there is none.
    pub fn field(&self, name: &str) -> Option<&Value> {
        match (self.0.get(name), name) {
            (None, "nodeId") => self.0.get("id"),
            (found, _) => found,
        }
    }

    /// A text; empty if the device has none.
    pub fn text(&self, field: &str) -> &str {
        self.0
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// True if the field is.
    pub fn flag(&self, field: &str) -> bool {
        self.0.get(field) == Some(&Value::Bool(true))
    }

    /// Ends the connection of a connected device, which is last seen at this time.
    pub fn disconnect(&mut self, now: i64) {
        if self.flag("connectedToControl") {
            self.set("connectedToControl", false);
            self.set("lastSeen", clock::utc_with_offset(now));
        }
    }

    /// Ends the sign-in now, unless it has ended already: the machine must sign in again.
    pub fn sign_out(&mut self, now: i64) {
        let ended = clock::parse(self.text("expires")).is_some_and(|end| end > 0 && end <= now);
        if !ended {
            self.set("expires", clock::utc(now));
            self.disconnect(now);
        }
    }

    /// True for a device that was shared in from another tailnet.
    pub fn is_external(&self) -> bool {
        self.flag("isExternal")
    }

    /// A list of strings; empty if the device has none.
    pub fn list(&self, field: &str) -> Vec<String> {
        let items = self.0.get(field).and_then(Value::as_array);
        let strings = items.into_iter().flatten().filter_map(Value::as_str);
        strings.map(str::to_owned).collect()
    }

    /// What a policy needs to know of it. A missing field counts as empty.
    pub fn for_policy(&self) -> DeviceFields {
        let text = |field: &str| self.0.get(field).and_then(Value::as_str).map(str::to_owned);
        let flag = |field: &str| self.0.get(field).and_then(Value::as_bool);
        DeviceFields {
            id: text("id"),
            name: text("name"),
            hostname: text("hostname"),
            node_id: text("nodeId"),
            user: text("user"),
            tags: self.list("tags"),
            addresses: self.list("addresses"),
            advertised_routes: self.list("advertisedRoutes"),
            enabled_routes: self.list("enabledRoutes"),
            is_external: flag("isExternal") == Some(true),
            os: text("os"),
            client_version: text("clientVersion"),
            authorized: flag("authorized"),
            expires: text("expires"),
            key_expiry_disabled: flag("keyExpiryDisabled") == Some(true),
            blocks_incoming_connections: flag("blocksIncomingConnections") == Some(true),
        }
    }

    /// Replaces one field.
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.0.insert(field.to_owned(), value.into());
    }

    /// The device as it is returned; with `all` false, without the fields that only `fields=all` includes.
    pub fn answer(&self, all: bool) -> Answer<'_> {
        Answer { device: self, all }
    }
}

/// A device on its way to a caller.
pub struct Answer<'d> {
    device: &'d Device,
    all: bool,
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let given = &self.device.0;
        let mut map = serializer.serialize_map(None)?;
        for (name, kind) in DEFAULT {
            if *name == "lastSeen" && self.device.flag("connectedToControl") {
                continue;
            }
            map.serialize_entry(name, &filled(given.get(*name), *kind))?;
        }
        if self.all {
            for (name, kind) in DETAILED {
                map.serialize_entry(name, &filled(given.get(*name), *kind))?;
            }
        }
        if !given.contains_key("nodeId") {
            map.serialize_entry("nodeId", self.device.id())?;
        }
        for (name, value) in given {
            let hidden = !self.all && IF_GIVEN.contains(&name.as_str());
            if !hidden && !is_known(DEFAULT, name) && !is_known(DETAILED, name) {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

fn is_known(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|(known, _)| *known == name)
}

/// What is returned for a field: what was given, completed.
fn filled(given: Option<&Value>, kind: Kind) -> Value {
    let given = given.filter(|value| !value.is_null());
    match (kind, given) {
        (Kind::Object(fields), given) => {
            let mut object = given
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default();
            for (name, kind) in fields {
                let value = filled(object.get(*name), *kind);
                object.insert((*name).to_owned(), value);
            }
            Value::Object(object)
        }
        (Kind::Time, Some(Value::String(text))) if text.is_empty() => NO_TIME.into(),
        (_, Some(value)) => value.clone(),
        (Kind::Text, None) => "".into(),
        (Kind::Time, None) => NO_TIME.into(),
        (Kind::Flag, None) => false.into(),
        (Kind::List, None) => Value::Array(Vec::new()),
        (Kind::Table, None) => Value::Object(Map::new()),
    }
}

/// The first field of the wrong type.
fn fault(given: &Map<String, Value>, fields: &[Field]) -> Option<String> {
    for (name, kind) in fields {
        let value = given.get(*name).unwrap_or(&Value::Null);
        let wanted = match (kind, value) {
            (_, Value::Null)
            | (Kind::Text | Kind::Time, Value::String(_))
            | (Kind::Flag, Value::Bool(_)) => continue,
            (Kind::List, Value::Array(items)) if items.iter().all(Value::is_string) => continue,
            (Kind::Table, Value::Object(items)) if items.values().all(Value::is_object) => continue,
            (Kind::Object(fields), Value::Object(inner)) => match fault(inner, fields) {
                Some(fault) => return Some(format!("`{name}`: {fault}")),
                None => continue,
            },
            (Kind::Text | Kind::Time, _) => "a text",
            (Kind::Flag, _) => "true or false",
            (Kind::List, _) => "a list of strings",
            (Kind::Table, _) => "an object of objects",
            (Kind::Object(_), _) => "an object",
        };
        return Some(format!("`{name}` must be {wanted}"));
    }
    None
}

impl TryFrom<Map<String, Value>> for Device {
    type Error = String;

    fn try_from(given: Map<String, Value>) -> Result<Device, String> {
        let id = given.get("id").and_then(Value::as_str).unwrap_or_default();
        if id.is_empty() {
            return Err("a device needs an `id`, a string that is not empty".to_owned());
        }
        for fields in [DEFAULT, DETAILED, NEWER] {
            if let Some(fault) = fault(&given, fields) {
                return Err(format!("device `{id}`: {fault}"));
            }
        }
        Ok(Device(given))
    }
}

impl From<Device> for Map<String, Value> {
    fn from(device: Device) -> Map<String, Value> {
        device.0
    }
}
