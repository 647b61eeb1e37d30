//! Many machines that join. Must not live here: how one may join (`devices.http`).

use std::collections::BTreeSet;
use std::net::IpAddr;

use crate::service::{NOW, service};
use serde_json::{Value, json};
use tailnet_kit::sandbox;

fn machine(value: Value) -> sandbox::Machine {
    serde_json::from_value(value).expect("a machine")
}

#[test]
fn machines_that_join_one_after_the_other_have_ids_names_and_addresses_of_their_own() {
    let mut service = service();
    let asked = machine(json!({"user": "bob@corp.example", "hostname": "runner"}));
    let joined: Vec<Value> = (0..40)
        .map(|_| service.0.join(&asked, NOW).expect("a device"))
        .collect();
    for field in ["id", "nodeId", "name", "nodeKey", "machineKey"] {
        let found: BTreeSet<&str> = joined
            .iter()
            .filter_map(|one| one[field].as_str())
            .collect();
        assert_eq!(found.len(), joined.len(), "{field}");
    }
    assert_eq!(joined[0]["name"], "runner.corp.example");
    assert_eq!(joined[39]["name"], "runner-39.corp.example");
    for one in &joined {
        let id = one["id"].as_str().expect("an id");
        let found = service.get(&format!("/api/v2/device/{id}")).json();
        assert_eq!(found["name"], one["name"], "an id names one device");
        assert!(
            id.parse::<u64>().is_ok_and(|id| id < 1 << 53),
            "{id} is a safe integer"
        );
        for address in one["addresses"].as_array().into_iter().flatten() {
            let address = address.as_str().expect("a text");
            let parsed: IpAddr = address.parse().expect("an address");
            assert_eq!(parsed.to_string(), address, "as RFC 5952 writes it");
        }
    }
}
