//! What the service remembers: tailnets, their devices, policy text and DNS settings, and the form in which it is saved.
//!
//! Lives here: the data, reading and writing a snapshot.
//! Must not live here: requests, answers, verdicts about a policy, a clock.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::device::Device;
use super::dns_state::Dns;
use crate::api::{
    AuditEntry, Contacts, DeviceAttributes, DeviceInvite, Key, LogStream, NetworkFlows,
    PostureIntegration, ServiceHost, Settings, UserInvite, VipService, Webhook,
};

/// Everything a sandbox remembers; serialises as the `SandboxState` of the JavaScript declarations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct State {
    /// The tailnets in the order they were given.
    pub tailnets: Tailnets,
    /// How many secrets and identifiers were made, so that no two are alike.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub minted: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Tailnets by name. A JSON object that keeps its order, because the first one is the key's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tailnets(Vec<(String, Tailnet)>);

/// One tailnet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Tailnet {
    /// Its devices, external ones included, in the order they are listed.
    pub devices: Vec<Device>,
    /// The policy as it was posted, byte for byte.
    pub acl: String,
    /// True once the policy was replaced; decides the meaning of `If-Match: "ts-default"`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acl_changed: bool,
    /// Its DNS settings.
    pub dns: Dns,
    /// Its users, where roles matter; a login that only owns devices may be missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<Person>>,
    /// Posture attributes by the id of the device; expired ones may still be there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, DeviceAttributes>,
    /// Keys of all types with their secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<StoredKey>,
    /// Access tokens; expired ones may still be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Token>,
    /// Settings that were changed.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Settings,
    /// The contacts, if any were set.
    #[serde(default, skip_serializing_if = "Contacts::is_empty")]
    pub contacts: Contacts,
    /// The webhooks, with their secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub webhooks: Vec<Webhook>,
    /// The services.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<VipService>,
    /// The hosts of each service, by its name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub service_hosts: BTreeMap<String, Vec<ServiceHost>>,
    /// The posture integrations, with their secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub posture_integrations: Vec<PostureIntegration>,
    /// The log of changes, oldest first; entries that are too old may still be there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<AuditEntry>,
    /// The invites to share a device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device_invites: Vec<DeviceInvite>,
    /// The open invites to become a user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub user_invites: Vec<UserInvite>,
    /// Where logs are streamed to, with secrets, by type of log.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub log_streams: BTreeMap<String, LogStream>,
    /// The external ids for trust policies at AWS.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aws_external_ids: Vec<String>,
    /// The log of traffic.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<NetworkFlows>,
}

/// A key with its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct StoredKey {
    /// Its secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Everything that is returned.
    #[serde(flatten)]
    pub key: Key,
}

/// Like the derived reader, but using the reader of keys that requests need anyway.
impl TryFrom<Map<String, Value>> for StoredKey {
    type Error = serde_json::Error;

    fn try_from(mut fields: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let secret = fields.remove("secret").unwrap_or_default();
        Ok(StoredKey {
            secret: serde_json::from_value(secret)?,
            key: serde_json::from_value(Value::Object(fields))?,
        })
    }
}

/// An access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// The token itself.
    pub token: String,
    /// The OAuth client that requested it; for a user's own token, the key of type `api` behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_id: Option<String>,
    /// What it may do.
    pub scopes: Vec<String>,
    /// The tags for which it acts.
    pub tags: Vec<String>,
    /// When it ends, RFC 3339.
    pub expires: String,
}

/// A user of the tailnet, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Person {
    /// The login, an e-mail address in most cases.
    pub login_name: String,
    /// `owner`, `admin`, `member` and so on; absent if not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// What else is known; missing members are made up when needed.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl State {
    /// Reads a snapshot.
    ///
    /// # Errors
    /// What is missing or of the wrong type, in the words of the JSON reader.
    pub fn from_json(text: &str) -> Result<State, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Writes a snapshot that [`State::from_json`] reads as the same state.
    pub fn to_json(&self) -> String {
        // INVARIANT: strings, booleans, lists and maps with string keys always serialise; the fallback is never used.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Tailnets {
    /// The tailnet of exactly this name.
    pub fn get(&self, name: &str) -> Option<&Tailnet> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, tailnet)| tailnet)
    }

    /// The tailnet of exactly this name, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Tailnet> {
        self.iter_mut()
            .find(|(known, _)| *known == name)
            .map(|(_, tailnet)| tailnet)
    }

    /// Adds a tailnet at the end; of a repeated name the last one is kept.
    pub fn insert(&mut self, name: String, tailnet: Tailnet) {
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, tailnet));
    }

    /// Name and tailnet, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tailnet)> {
        self.0
            .iter()
            .map(|(name, tailnet)| (name.as_str(), tailnet))
    }

    /// Name and tailnet, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Tailnet)> {
        self.0
            .iter_mut()
            .map(|(name, tailnet)| (name.as_str(), tailnet))
    }
}

impl Tailnet {
    /// The device with this id.
    pub fn device(&self, id: &str) -> Option<&Device> {
        self.devices.iter().find(|device| device.answers_to(id))
    }

    /// The device with this id, to change it.
    pub fn device_mut(&mut self, id: &str) -> Option<&mut Device> {
        self.devices.iter_mut().find(|device| device.answers_to(id))
    }

    /// Replaces the policy.
    pub fn replace_acl(&mut self, text: String) {
        self.acl = text;
        self.acl_changed = true;
    }
}

impl Serialize for Tailnets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, tailnet) in &self.0 {
            map.serialize_entry(name, tailnet)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Tailnets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tailnets, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Tailnets;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of tailnets by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tailnets, A::Error> {
        let mut tailnets = Tailnets::default();
        while let Some((name, tailnet)) = map.next_entry()? {
            tailnets.insert(name, tailnet);
        }
        Ok(tailnets)
    }
}
