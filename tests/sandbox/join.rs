//! Machines that join by a key or as a user. Must not live here: the keys (`keys.http`).

use std::collections::BTreeSet;
use std::net::IpAddr;

use crate::service::{CLIENT, KEYS, NOW, SETTINGS, Service, T, service};
use serde_json::{Value, json};
use tailnet_kit::sandbox;

fn machine(value: Value) -> sandbox::Machine {
    serde_json::from_value(value).expect("a machine")
}

#[test]
fn a_machine_joins_by_a_key_that_can_be_used_once() {
    let mut service = service();
    service.tag_owners();
    service.patch(
        SETTINGS,
        json!({"devicesApprovalOn": true, "devicesKeyDurationDays": 30}),
    );
    let create =
        json!({"capabilities": {"devices": {"create": {"ephemeral": true, "tags": ["tag:ci"]}}}});
    let key = service.post(KEYS, create).json();
    let asked =
        machine(json!({"key": key["key"], "hostname": "Web", "advertisedRoutes": ["10.9.0.0/16"]}));
    let device = service.0.join(&asked, NOW).expect("a device");
    assert_eq!(device["user"], "", "the key is the tailnet's");
    assert_eq!(
        (
            &device["name"],
            &device["hostname"],
            &device["tags"],
            &device["isEphemeral"],
            &device["authorized"]
        ),
        (
            &json!("web-1.corp.example"),
            &json!("Web"),
            &json!(["tag:ci"]),
            &json!(true),
            &json!(false)
        ),
        "the name web is taken"
    );
    assert_eq!(
        (
            &device["keyExpiryDisabled"],
            &device["expires"],
            &device["connectedToControl"],
            device.get("lastSeen")
        ),
        (
            &json!(true),
            &json!("2026-02-01T03:04:05Z"),
            &json!(true),
            None
        )
    );
    let listed = service
        .get(&format!(
            "/api/v2/device/{}?fields=all",
            device["nodeId"].as_str().expect("an id")
        ))
        .json();
    assert_eq!(listed, device);
    let again = service.0.join(&asked, NOW).expect_err("used up");
    assert!(again.to_string().contains("used up"), "{again}");
    let id = key["id"].as_str().expect("an id");
    assert_eq!(service.get(&format!("{KEYS}/{id}")).json()["invalid"], true);
}

#[test]
fn keys_that_let_no_machine_in_and_keys_that_let_in_many() {
    let mut service = service();
    let create = json!({"capabilities": {"devices": {"create": {"reusable": true, "preauthorized": true}}}, "expirySeconds": 60});
    service.patch(SETTINGS, json!({"devicesApprovalOn": true}));
    let key = service.post(KEYS, create).json();
    let asked = machine(json!({"key": key["key"], "hostname": "box"}));
    let one = service.0.join(&asked, NOW).expect("a device");
    let other = service.0.join(&asked, NOW).expect("a device");
    assert_eq!(
        (&one["authorized"], &one["keyExpiryDisabled"]),
        (&json!(true), &json!(false))
    );
    assert_ne!(one["addresses"], other["addresses"]);
    assert_eq!(other["name"], "box-1.corp.example");
    let mut refused = |value: Value, now: i64| {
        service
            .0
            .join(&machine(value), now)
            .expect_err("refused")
            .to_string()
    };
    assert!(
        refused(json!({"key": key["key"], "hostname": "box"}), NOW + 60_000).contains("expired")
    );
    assert!(refused(json!({"key": CLIENT, "hostname": "box"}), NOW).contains("not valid"));
    assert!(refused(json!({"hostname": "box"}), NOW).contains("key"));
    assert!(refused(json!({"key": key["key"], "hostname": "..."}), NOW).contains("hostname"));
    assert!(
        refused(
            json!({"key": key["key"], "hostname": "box", "tags": ["tag:x"]}),
            NOW
        )
        .contains("[tag:x]")
    );
    assert!(
        refused(
            json!({"key": key["key"], "hostname": "box", "advertisedRoutes": ["10.0.0.1/8"]}),
            NOW
        )
        .contains("10.0.0.0/8")
    );
    assert!(
        refused(
            json!({"user": "ann@corp.example", "tailnet": "none.example", "hostname": "box"}),
            NOW
        )
        .contains("tailnet")
    );
}

#[test]
fn a_machine_joins_as_a_user_who_is_allowed_to() {
    let mut service = service();
    let asked = machine(json!({"user": "bob@corp.example", "hostname": "desk", "os": "macOS"}));
    let device = service.0.join(&asked, NOW).expect("a device");
    assert_eq!(
        (&device["user"], &device["os"], &device["expires"]),
        (
            &json!("bob@corp.example"),
            &json!("macOS"),
            &json!("2026-07-01T03:04:05Z")
        )
    );
    assert_eq!(
        service.get("/api/v2/users/u1").json()["currentlyConnected"],
        true
    );
    service.post("/api/v2/users/u1/suspend", "");
    assert_eq!(
        service.get("/api/v2/users/u1").json()["currentlyConnected"],
        false
    );
    assert!(
        service
            .0
            .join(&asked, NOW)
            .expect_err("suspended")
            .to_string()
            .contains("suspended")
    );
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

#[test]
fn the_number_of_a_deleted_machine_is_given_again() {
    let mut service = service();
    let asked = machine(json!({"user": "bob@corp.example", "hostname": "runner"}));
    let join = |service: &mut Service| service.0.join(&asked, NOW).expect("a device");
    let [_, second, _] = [(); 3].map(|()| join(&mut service));
    let id = second["id"].as_str().expect("an id");
    service.delete(&format!("/api/v2/device/{id}"));
    let again = join(&mut service);
    assert_eq!(
        (&again["name"], &again["addresses"]),
        (&second["name"], &second["addresses"])
    );
}

#[test]
fn a_machine_that_joined_and_is_deleted_serves_no_service() {
    let mut service = service();
    let wiki = format!("{T}/services/svc:wiki");
    let asked = json!({"user": "bob@corp.example", "hostname": "box"});
    let asked = serde_json::from_value(asked).expect("a machine");
    let device = service.0.join(&asked, NOW).expect("a device");
    let id = device["id"].as_str().expect("an id");
    service
        .post(
            &format!("{wiki}/device/{id}/approved"),
            json!({"approved": true}),
        )
        .is(json!({"approved": true, "autoApproved": false}));
    let hosts = service.get(&format!("{wiki}/devices")).json();
    assert!(
        hosts
            .to_string()
            .contains(device["nodeId"].as_str().expect("an id")),
        "{hosts}"
    );
    service.delete(&format!("/api/v2/device/{id}"));
    let hosts = service.get(&format!("{wiki}/devices")).json();
    assert_eq!(hosts["hosts"].as_array().map(Vec::len), Some(1), "{hosts}");
}
