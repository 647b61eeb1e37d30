//! What passes in one network in which everything is known: packets by the filters of its devices, logins by their ssh rules.
//! Must not live here: what is said of it.

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext};

use crate::oracle::compare::read_filter;
use crate::oracle::document::{member, texts};
use crate::oracle::posture::meets;
use crate::oracle::span::{holds, tailnet};
use crate::oracle::tailnet::{Device, Tailnet};
use crate::oracle::{Oracle, Packet, Received};
use crate::questions::ELSEWHERE;

/// What is tried of each pair: ports that the random rules name, and others.
pub const PORTS: [u16; 13] = [
    0, 1, 22, 53, 80, 443, 445, 3389, 5432, 8080, 9100, 6443, 65535,
];
/// A ping passes where anything does, by whichever of its two protocols.
pub const PROTOCOLS: [u8; 4] = [6, 17, 132, 47];
pub const ACCOUNTS: [&str; 8] = [
    "root",
    "ubuntu",
    "ann",
    "bob",
    "cyd",
    "dee",
    "deploy",
    "nobody-names-it",
];

/// One bit for each port and protocol.
pub fn bits(opens: impl Fn(u16, u8) -> bool) -> u64 {
    let mut bits = 0;
    for (at, port) in PORTS.iter().enumerate() {
        for (place, protocol) in PROTOCOLS.iter().enumerate() {
            if opens(*port, *protocol) {
                bits |= 1 << (at * PROTOCOLS.len() + place);
            }
        }
    }
    bits
}

/// A policy in a network.
pub struct Network {
    oracle: Oracle,
    /// What is external of its devices, by their order.
    pub is_external: Vec<bool>,
    attributes: Value,
    postures: Value,
    filters: Vec<Vec<Received>>,
    ssh: Value,
}

impl Network {
    pub fn new(policy: &Value, network: &Value) -> Network {
        let text = policy.to_string();
        let document = hujson::parse(&text).expect("HuJSON");
        let read = Policy::read(&document);
        let context = PolicyContext::read(&network.to_string()).expect("a context");
        let filters = read.filters(&context);
        // To the oracle a synced group is one like any other.
        let mut policy = policy.clone();
        let mut groups = member(&policy, &["groups"]).cloned().unwrap_or(json!({}));
        for (name, members) in network["groups"].as_object().into_iter().flatten() {
            groups[name] = members.clone();
        }
        let policy_members = policy.as_object_mut().expect("an object");
        policy_members.retain(|name, _| !name.eq_ignore_ascii_case("groups"));
        policy_members.insert("groups".to_owned(), groups);
        let is_external = |device: &Value| device["isExternal"] == true;
        let mut own = network.clone();
        let devices = own["devices"].as_array_mut().expect("devices");
        let external = devices.iter().map(is_external).collect();
        // A device of another tailnet has no user and no tags here (docs/policy-language.md#external-devices).
        for device in devices.iter_mut().filter(|it| is_external(it)) {
            let device = device.as_object_mut().expect("a device");
            device.retain(|key, _| !["user", "tags"].contains(&key.as_str()));
        }
        Network {
            oracle: Oracle::new(&policy, &own),
            is_external: external,
            attributes: network["attributes"].clone(),
            postures: member(&policy, &["postures"]).cloned().unwrap_or_default(),
            filters: filters.iter().map(|it| read_filter(&json!(it))).collect(),
            ssh: json!(read.ssh_rules(&context)),
        }
    }

    pub fn device(&self, id: &str) -> Option<(usize, &Device)> {
        let mut devices = self.tailnet().devices.iter().enumerate();
        devices.find(|(_, device)| device.id == id)
    }

    pub fn owner(&self, address: IpAddr) -> Option<&Device> {
        self.tailnet().owner(address)
    }

    pub fn tailnet(&self) -> &Tailnet {
        &self.oracle.tailnet
    }

    /// The devices that may receive what is sent to an address, by id.
    pub fn receivers(&self, from: IpAddr, to: IpAddr) -> Vec<String> {
        if let Some(owner) = self.owner(to) {
            return vec![owner.id.clone()];
        }
        let attributes = self.owner(from).map(|device| &self.attributes[&device.id]);
        let receivers = self.oracle.receivers(from, to, attributes).into_iter();
        receivers
            .map(|(at, _)| self.tailnet().devices[at].id.clone())
            .collect()
    }

    /// The traffic that a device lets in, if it receives it.
    pub fn passes(&self, from: IpAddr, to: IpAddr, at: &str) -> u64 {
        let Some((at, _)) = self.device(at) else {
            return 0;
        };
        // Nothing comes from an address of the tailnet that no device has, nor from devices of others.
        let is_external = |device: &Device| {
            let place = self.device(&device.id).map(|(place, _)| place);
            place.is_some_and(|place| self.is_external[place])
        };
        let sends = match self.owner(from) {
            Some(owner) => !is_external(owner),
            None => !holds(&tailnet(), from),
        };
        if !sends {
            return 0;
        }
        let rules = &self.filters[at];
        bits(|port, protocol| {
            let packet = Packet {
                from,
                to,
                port,
                protocol,
            };
            rules.iter().any(|rule| rule.admits(packet))
        })
    }

    /// How a device treats a login, and what it passes on: the first rule that fits decides.
    pub fn login(&self, from: &str, to: &str, account: &str) -> Option<String> {
        let (place, from) = self.device(from)?;
        if self.is_external[place] {
            return None;
        }
        for rule in self.ssh[to].as_array().into_iter().flatten() {
            let mut sources = texts(rule.get("from")).into_iter();
            let is_from = sources.any(|own| from.addresses.iter().any(|it| it.to_string() == own));
            let users = &rule["users"];
            let local = users.get(account).or_else(|| users.get("*"));
            let is_allowed = local
                .and_then(Value::as_str)
                .is_some_and(|it| !it.is_empty());
            if is_from && is_allowed {
                let action = rule["action"].as_str()?;
                let patterns = texts(rule.get("acceptEnv"));
                let is_passed = |name: &&str| patterns.iter().any(|own| matches(own, name));
                let passed: Vec<&str> = VARIABLES.into_iter().filter(is_passed).collect();
                return Some(format!("{action} {passed:?}"));
            }
        }
        None
    }

    /// Whether a device has one of some postures.
    pub fn has_posture(&self, device: &str, names: &[String]) -> bool {
        let own = &self.attributes[device];
        let has = |name: &String| {
            let conditions = self.postures.get(name);
            conditions.is_some_and(|it| meets(&texts(Some(it)), own))
        };
        names.iter().any(has)
    }

    /// Whether a name that stands for devices includes one.
    pub fn takes_in(&self, name: &str, device: &Device) -> bool {
        let place = self.device(&device.id).map(|(place, _)| place);
        let is_own = place.is_some_and(|place| !self.is_external[place]);
        is_own && self.tailnet().takes_in(name, device) == Some(true)
    }

    /// The addresses from which packets come, and to which they go: of devices, behind routers, and elsewhere.
    pub fn addresses(&self) -> Vec<IpAddr> {
        let mut found = Vec::new();
        for device in &self.tailnet().devices {
            found.extend(&device.addresses);
            found.extend(device.subnets.iter().map(|route| route.first));
            found.extend(device.subnets.iter().map(|route| route.last));
        }
        let outside = ELSEWHERE.iter().filter(|text| !text.starts_with("100."));
        found.extend(outside.map(|text| text.parse::<IpAddr>().expect("an address")));
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Variables that the patterns of random policies and of the companies tell apart.
const VARIABLES: [&str; 8] = [
    "LANG",
    "LC_ALL",
    "TERM",
    "GIT_DIR",
    "GIT_AUTHOR",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER",
    "PATH",
];

/// Whether a pattern includes the name of a variable (docs/policy-language.md#ssh-rules).
fn matches(pattern: &str, name: &str) -> bool {
    let Some(first) = pattern.chars().next() else {
        return name.is_empty();
    };
    let rest = &pattern[first.len_utf8()..];
    let mut letters = name.chars();
    match first {
        '*' => (0..=name.len()).any(|at| matches(rest, &name[at..])),
        '?' => letters.next().is_some() && matches(rest, letters.as_str()),
        own => letters.next() == Some(own) && matches(rest, letters.as_str()),
    }
}
