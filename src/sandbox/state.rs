//! What the service remembers: tailnets, their devices, policy text and DNS settings, and the form all of it is saved in.
//!
//! Lives here: the data, the rules that keep it whole (MagicDNS needs a nameserver), reading and writing a snapshot.
//! Must not live here: requests, answers, verdicts about a policy, a clock.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::device::Device;

/// Everything a sandbox remembers; serialises as the `SandboxState` of the JavaScript declarations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct State {
    /// The tailnets in the order they were given.
    pub tailnets: Tailnets,
}

/// Tailnets by name. A JSON object whose order is kept, because the first one is the key's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tailnets(Vec<(String, Tailnet)>);

/// One network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Tailnet {
    /// Its devices, external ones included, in the order they are listed.
    pub devices: Vec<Device>,
    /// The policy as it was posted, byte for byte.
    pub acl: String,
    /// True once the policy was replaced; decides what `If-Match: "ts-default"` means.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acl_changed: bool,
    /// Its DNS settings.
    pub dns: Dns,
    /// Its users, where roles matter; a login that only owns devices need not be listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<User>>,
}

/// The DNS settings of a tailnet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", from = "DnsFields")]
pub struct Dns {
    nameservers: Vec<String>,
    #[serde(rename = "magicDNS")]
    magic_dns: bool,
    /// Domain names that are tried after a bare host name.
    pub search_paths: Vec<String>,
}

/// The settings as a snapshot has them, before they are made to agree.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct DnsFields {
    nameservers: Vec<String>,
    #[serde(rename = "magicDNS")]
    magic_dns: bool,
    search_paths: Vec<String>,
}

/// A person of the tailnet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct User {
    /// The login, an e-mail address in most cases.
    pub login_name: String,
    /// `owner`, `admin`, `member` and so on; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// MagicDNS was asked for while no nameserver exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsNameserver;

impl State {
    /// Reads a snapshot.
    ///
    /// # Errors
    /// What is missing or of the wrong type, worded by the JSON reader.
    pub fn from_json(text: &str) -> Result<State, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Writes a snapshot that [`State::from_json`] reads back as the same state.
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

    /// Adds a tailnet at the end; of a repeated name the last one stays.
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

    fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Tailnet)> {
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

    /// Replaces the policy; what was there before is gone.
    pub fn replace_acl(&mut self, text: String) {
        self.acl = text;
        self.acl_changed = true;
    }
}

impl Dns {
    /// DNS settings that keep the rule about MagicDNS, whatever is asked for.
    pub fn new(nameservers: Vec<String>, magic_dns: bool, search_paths: Vec<String>) -> Dns {
        let mut dns = Dns {
            nameservers,
            magic_dns,
            search_paths,
        };
        dns.settle();
        dns
    }

    /// The nameservers, in order.
    pub fn nameservers(&self) -> &[String] {
        &self.nameservers
    }

    /// Whether MagicDNS is on; never while there is no nameserver.
    pub fn magic_dns(&self) -> bool {
        self.magic_dns
    }

    /// Replaces the nameservers. An empty list also turns MagicDNS off, and it stays off until it is turned on.
    pub fn replace_nameservers(&mut self, nameservers: Vec<String>) {
        self.nameservers = nameservers;
        self.settle();
    }

    /// Turns MagicDNS on or off.
    ///
    /// # Errors
    /// [`NeedsNameserver`] when it is to be turned on and there is no nameserver; nothing changes then.
    pub fn set_magic_dns(&mut self, on: bool) -> Result<(), NeedsNameserver> {
        if on && self.nameservers.is_empty() {
            return Err(NeedsNameserver);
        }
        self.magic_dns = on;
        Ok(())
    }

    fn settle(&mut self) {
        self.magic_dns &= !self.nameservers.is_empty();
    }
}

impl From<DnsFields> for Dns {
    fn from(fields: DnsFields) -> Dns {
        Dns::new(fields.nameservers, fields.magic_dns, fields.search_paths)
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
