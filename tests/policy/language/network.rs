//! The networks of the documents, and lists of addresses written with the names that a network gives to sets of them.
//! Must not live here: the networks themselves (networks.hujson beside), questions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;
use tailnet_kit::hujson;
use tailnet_kit::policy::PolicyContext;

/// A tailnet, and names for sets of its addresses.
pub struct Network {
    pub context: PolicyContext,
    names: Vec<(String, BTreeSet<String>)>,
}

fn texts(list: &Value) -> impl Iterator<Item = String> {
    let items = list.as_array().into_iter().flatten();
    items.map(|item| item.as_str().expect("a text").to_owned())
}

impl Network {
    fn read(mut network: Value) -> Network {
        let mut names = Vec::new();
        let named = network.as_object_mut().and_then(|own| own.remove("names"));
        for (name, set) in named.iter().filter_map(Value::as_object).flatten() {
            names.push((name.clone(), texts(set).collect()));
        }
        for device in network["devices"].as_array().expect("devices") {
            let id = device["id"].as_str().expect("an id").to_owned();
            names.push((id, texts(&device["addresses"]).collect()));
        }
        let context = PolicyContext::read(&network.to_string()).expect("a context");
        Network { context, names }
    }

    /// The ids of the devices, in their order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let devices = self.context.devices.iter().flatten();
        devices.map(|device| device.id.as_str())
    }

    /// A list of addresses, each set that it contains as a whole under its name, sorted.
    pub fn named(&self, nets: impl Iterator<Item = String>) -> Vec<String> {
        let mut left: BTreeSet<String> = nets.collect();
        let mut found = Vec::new();
        for (name, set) in &self.names {
            if !set.is_empty() && set.is_subset(&left) {
                left.retain(|net| !set.contains(net));
                found.push(name.clone());
            }
        }
        found.extend(left);
        found.sort();
        found
    }
}

/// The networks by name.
pub fn networks() -> BTreeMap<String, Network> {
    let path = super::folder("tests/policy/language/networks.hujson");
    let text = fs::read_to_string(path).expect("the networks");
    let text = hujson::standardize(&text).expect("HuJSON");
    let all: BTreeMap<String, Value> = serde_json::from_str(&text).expect("networks by name");
    let read = |(name, network)| (name, Network::read(network));
    all.into_iter().map(read).collect()
}
