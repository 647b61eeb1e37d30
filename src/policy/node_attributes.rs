//! The attributes that `nodeAttrs` gives to devices (policy-language.md 5).
//! Must not live here: capabilities that grants hand out (filters.rs).

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::language::document::Policy;
use super::language::json::plain;
use super::tailnet::devices::Network;
use super::tailnet::topology::Topology;

impl Policy<'_> {
    /// The attributes of every device, in the topology's order: `null` for one of `attr`, the values for one of `app`.
    /// Entries add up, repeats do no harm, names are not judged.
    pub fn node_attributes(&self, topology: &Topology) -> Vec<BTreeMap<String, Json>> {
        let network = Network::new(self, topology);
        let mut devices = vec![BTreeMap::new(); network.devices.len()];
        for entry in &self.node_attrs {
            let named = entry
                .attributes
                .iter()
                .map(|word| (word.name(), Json::Null));
            let valued = entry
                .app
                .iter()
                .map(|app| (app.name.name(), plain(app.values)));
            let given: Vec<(&str, Json)> = named.chain(valued).collect();
            for device in network.all_devices_of(&entry.targets) {
                if let Some(device) = devices.get_mut(device) {
                    let given = given.iter().cloned();
                    device.extend(given.map(|(name, value)| (name.to_owned(), value)));
                }
            }
        }
        devices
    }
}
