//! One device as the sandbox keeps it: the fields it was given, known or not, and the form in which they are answered.
//!
//! Must not live here: which device a caller may see, HTTP.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::choices;
use crate::api;

/// A device: an object that reads as the service's own, with an `id` that is not empty. What it was given is kept as it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct Device(Map<String, Value>);

impl Device {
    /// The globally unique identifier.
    pub fn id(&self) -> &str {
        self.0.get("id").and_then(Value::as_str).unwrap_or_default()
    }

    /// True for a device that was shared in from another network.
    pub fn is_external(&self) -> bool {
        self.0.get("isExternal") == Some(&Value::Bool(true))
    }

    /// A list of strings; empty where the device has none.
    pub fn list(&self, field: &str) -> Vec<String> {
        let items = self.0.get(field).and_then(Value::as_array);
        let strings = items.into_iter().flatten().filter_map(Value::as_str);
        strings.map(str::to_owned).collect()
    }

    /// The fields as they were given.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Replaces one field.
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.0.insert(field.to_owned(), value.into());
    }

    /// The device as it is answered: every field of the specification is there, chosen in [`choices`] where the device lacks
    /// it; with `all` false, every field but the three that only `fields=all` shows.
    pub fn answer(&self, all: bool) -> api::Device {
        let mut device = read(&self.0).unwrap_or_default();
        complete(&mut device);
        device
            .other
            .entry("nodeId")
            .or_insert_with(|| Value::from(self.id()));
        if all {
            device.enabled_routes.get_or_insert_default();
            device.advertised_routes.get_or_insert_default();
            device
                .client_connectivity
                .get_or_insert_with(choices::no_connectivity);
        } else {
            device.enabled_routes = None;
            device.advertised_routes = None;
            device.client_connectivity = None;
        }
        device
    }
}

/// Fills the fields that every answer has.
fn complete(device: &mut api::Device) {
    device.addresses.get_or_insert_default();
    for text in [
        &mut device.user,
        &mut device.name,
        &mut device.hostname,
        &mut device.client_version,
        &mut device.os,
        &mut device.machine_key,
        &mut device.node_key,
    ] {
        text.get_or_insert_default();
    }
    for flag in [
        &mut device.update_available,
        &mut device.key_expiry_disabled,
        &mut device.authorized,
        &mut device.is_external,
        &mut device.blocks_incoming_connections,
    ] {
        flag.get_or_insert_default();
    }
    for time in [
        &mut device.created,
        &mut device.last_seen,
        &mut device.expires,
    ] {
        if time.as_ref().is_none_or(String::is_empty) {
            *time = Some(choices::NO_TIME.to_owned());
        }
    }
}

fn read(fields: &Map<String, Value>) -> Result<api::Device, serde_json::Error> {
    api::Device::deserialize(fields)
}

impl TryFrom<Map<String, Value>> for Device {
    type Error = String;

    fn try_from(fields: Map<String, Value>) -> Result<Device, String> {
        let id = fields.get("id").and_then(Value::as_str).unwrap_or_default();
        if id.is_empty() {
            return Err("a device needs an `id`, a string that is not empty".to_owned());
        }
        read(&fields).map_err(|error| format!("device `{id}`: {error}"))?;
        Ok(Device(fields))
    }
}

impl From<Device> for Map<String, Value> {
    fn from(device: Device) -> Map<String, Value> {
        device.0
    }
}
