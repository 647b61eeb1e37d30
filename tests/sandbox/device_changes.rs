//! What the sandbox does when something about a device is changed: each effect and each refusal.
//! Must not live here: reading, deleting and routes (`perform.rs`).

use crate::service::{self, NOW, Service, service};
use serde_json::{Value, json};

const LAPTOP: &str = "/api/v2/device/laptop";
const DEVICES: &str = "/api/v2/tailnet/corp.example/devices";

impl Service {
    #[track_caller]
    fn change(&mut self, what: &str, body: Value) {
        self.post(&format!("{LAPTOP}/{what}"), body).is(json!({}));
    }

    fn field(&mut self, name: &str) -> Value {
        self.get(&format!("{LAPTOP}?fields=all")).json()[name].clone()
    }

    /// Sets a field of the first device.
    fn given(&mut self, name: &str, value: Value) {
        let mut state: Value = serde_json::from_str(&self.0.state().to_json()).expect("a state");
        state["tailnets"]["corp.example"]["devices"][0][name] = value;
        self.0.restore_json(&state.to_string()).expect("a snapshot");
    }
}

#[test]
fn a_device_that_is_no_longer_authorized_is_not_connected() {
    let mut service = service();
    service.given("connectedToControl", json!(true));
    assert_eq!(
        service.get(LAPTOP).json().get("lastSeen"),
        None,
        "absent while connected"
    );
    service.change("authorized", json!({"authorized": false}));
    let device = service.get(LAPTOP).json();
    assert_eq!(
        (
            &device["authorized"],
            &device["connectedToControl"],
            &device["lastSeen"]
        ),
        (
            &json!(false),
            &json!(false),
            &json!("2026-01-02T03:04:05+00:00")
        )
    );
    service.change("authorized", json!({"authorized": true}));
    assert_eq!(service.field("authorized"), true);
    service
        .post(&format!("{LAPTOP}/authorized"), "{}")
        .refuses(400, "authorized");
    service.given("isEphemeral", json!(true));
    service.change("authorized", json!({"authorized": false}));
    service.get(LAPTOP).refuses(404, "laptop");
}

#[test]
fn a_name_gets_the_domain_of_the_tailnet_and_its_spelling() {
    let mut service = service();
    for (asked, name) in [
        ("desk", "desk.corp.example"),
        ("Web_01.lab", "web-01-lab.corp.example"),
        ("trailing-", "trailing.corp.example"),
        ("desk.corp.example", "desk.corp.example"),
        ("", "laptop.corp.example"),
    ] {
        service.change("name", json!({"name": asked}));
        assert_eq!(service.field("name"), name, "{asked}");
        assert_eq!(service.field("hostname"), "laptop");
    }
    for taken in ["web", "WEB", "web.corp.example"] {
        service
            .post(&format!("{LAPTOP}/name"), json!({"name": taken}))
            .refuses(400, "name \"web\" is already taken");
    }
    service
        .post(&format!("{LAPTOP}/name"), json!({"name": "--"}))
        .refuses(400, "not a valid device name");
    assert_eq!(service.field("name"), "laptop.corp.example");
}

#[test]
fn tags_need_an_owner_and_the_last_one_stays() {
    let mut service = service();
    let tags = format!("{LAPTOP}/tags");
    service
        .post(&tags, json!({"tags": ["tag:web", "tag:db"]}))
        .refuses(
            400,
            "requested tags [tag:web tag:db] are invalid or not permitted",
        );
    let policy = r#"{"tagOwners": {"tag:web": []}}"#;
    service.post("/api/v2/tailnet/corp.example/acl", policy);
    service
        .post(&tags, json!({"tags": ["tag:web", "tag:db"]}))
        .refuses(400, "[tag:db]");
    service.change("tags", json!({"tags": []}));
    service.change("tags", json!({"tags": ["tag:web", "tag:web"]}));
    assert_eq!(service.field("tags"), json!(["tag:web"]));
    for none in [json!([]), Value::Null] {
        service
            .post(&tags, json!({"tags": none}))
            .refuses(400, "tagged nodes cannot be untagged without reauth");
    }
}

#[test]
fn a_key_keeps_its_expiry_while_expiry_is_disabled() {
    let mut service = service();
    service.change("key", json!({"keyExpiryDisabled": true}));
    assert_eq!(service.field("keyExpiryDisabled"), true);
    assert_eq!(service.field("expires"), "2026-06-01T00:00:00Z");
    service.change("key", json!({"keyExpiryDisabled": false}));
    assert_eq!(service.field("expires"), "2026-06-01T00:00:00Z");
    service
        .post(&format!("{LAPTOP}/key"), json!({}))
        .refuses(400, "keyExpiryDisabled");
}

#[test]
fn expiring_a_key_again_changes_nothing() {
    let mut service = service();
    service.post(&format!("{LAPTOP}/expire"), "").is(json!({}));
    assert_eq!(service.field("expires"), "2026-01-02T03:04:05Z");
    assert_eq!(service.field("authorized"), true);
    let later = service.at(NOW + 60_000, "POST", &format!("{LAPTOP}/expire"), "");
    later.is(json!({}));
    assert_eq!(service.field("expires"), "2026-01-02T03:04:05Z");
}

/// docs/choices.md#sandbox
#[test]
fn expiring_a_key_without_expiry_takes_effect_when_expiry_is_enabled_again() {
    let mut service = service();
    service.change("key", json!({"keyExpiryDisabled": true}));
    service.post(&format!("{LAPTOP}/expire"), "").is(json!({}));
    assert_eq!(service.field("keyExpiryDisabled"), true);
    service.change("key", json!({"keyExpiryDisabled": false}));
    assert_eq!(service.field("expires"), "2026-01-02T03:04:05Z");
}

/// docs/choices.md#sandbox
#[test]
fn a_name_is_free_at_once_after_a_deletion() {
    let mut service = service();
    service.delete("/api/v2/device/web");
    service.change("name", json!({"name": "web"}));
    assert_eq!(service.field("name"), "web.corp.example");
}

#[test]
fn a_new_address_must_be_free_and_in_the_tailnets_range() {
    let mut service = service();
    service.given("addresses", json!(["100.64.0.1", "fd7a:115c:a1e0::1"]));
    service.change("ip", json!({"ipv4": "100.127.255.254"}));
    assert_eq!(
        service.field("addresses"),
        json!(["100.127.255.254", "fd7a:115c:a1e0::1"])
    );
    service.change("ip", json!({"ipv4": "100.127.255.254"}));
    for (wrong, said) in [
        ("100.64.0.2", "in use"),
        ("100.128.0.1", "100.64.0.0/10"),
        ("10.0.0.1", "100.64.0.0/10"),
        ("fd7a:115c:a1e0::2", "IPv4"),
        ("web", "IPv4"),
    ] {
        service
            .post(&format!("{LAPTOP}/ip"), json!({"ipv4": wrong}))
            .refuses(400, said);
    }
}

#[test]
fn devices_that_are_shared_in_or_unknown_are_not_changed() {
    let mut service = service();
    for (what, body) in [
        ("authorized", json!({"authorized": true})),
        ("name", json!({"name": "x"})),
        ("tags", json!({"tags": []})),
        ("key", json!({"keyExpiryDisabled": true})),
        ("expire", Value::Null),
        ("ip", json!({"ipv4": "100.64.0.50"})),
        ("attributes/custom:x", json!({"value": 1})),
    ] {
        service
            .post(&format!("/api/v2/device/shared/{what}"), body.clone())
            .refuses(404, "no manageable device");
        service
            .post(&format!("/api/v2/device/foreign/{what}"), body)
            .refuses(404, "foreign");
    }
}

#[test]
fn filters_filter() {
    let mut service = service();
    service.given("tags", json!(["tag:a", "tag:b"]));
    service.given("isEphemeral", json!(true));
    for (query, expected) in [
        ("", vec!["laptop", "web", "shared"]),
        ("isExternal=true", vec!["shared"]),
        ("isExternal=false", vec!["laptop", "web"]),
        ("isEphemeral=true", vec!["laptop"]),
        ("hostname=web", vec!["web"]),
        ("hostname=WEB", vec![]),
        ("hostname=we", vec![]),
        ("nodeId=web", vec!["web"]),
        ("tags=tag:a&tags=tag:b", vec!["laptop"]),
        ("tags=tag:a&tags=tag:c", vec![]),
        ("hostname=web&isExternal=true", vec![]),
        (
            "advertisedRoutes=10.0.0.0/16&user=ann@corp.example",
            vec!["laptop"],
        ),
        ("multipleConnections=false&hostname=web", vec!["web"]),
        ("nonsense=1", vec!["laptop", "web", "shared"]),
    ] {
        let listed = service.get(&format!("{DEVICES}?{query}")).json();
        let devices = listed["devices"].as_array().expect("a list");
        let ids: Vec<&str> = devices
            .iter()
            .filter_map(|device| device["id"].as_str())
            .collect();
        assert_eq!(ids, expected, "{query}");
    }
}

#[test]
fn attributes_have_types_expire_and_are_deleted() {
    let mut service = service();
    let all = format!("{LAPTOP}/attributes");
    let tier = format!("{all}/custom:tier");
    service.given("os", json!("linux"));
    service
        .get(&all)
        .is(json!({"attributes": {"node:os": "linux"}}));
    service
        .post(
            &tier,
            json!({"value": 2, "expiry": "2026-01-02T03:05:05Z", "comment": ""}),
        )
        .is(json!({}));
    service.get(&all).is(json!({"attributes": {"node:os": "linux", "custom:tier": 2}, "expiries": {"custom:tier": "2026-01-02T03:05:05Z"}}));
    let later = service.at(NOW + 60_000, "GET", &all, "");
    later.is(json!({"attributes": {"node:os": "linux"}}));
    service
        .post(&tier, json!({"value": 3, "expiry": "0001-01-01T00:00:00Z"}))
        .is(json!({}));
    service
        .get(&all)
        .is(json!({"attributes": {"node:os": "linux", "custom:tier": 3}}));
    service
        .post(&tier, json!({"value": "x"}))
        .refuses(400, "another type");
    service
        .post(
            "/api/v2/device/web/attributes/custom:Tier",
            json!({"value": 1}),
        )
        .refuses(400, "exists as");
    service.delete(&tier).is(json!({}));
    service
        .get(&all)
        .is(json!({"attributes": {"node:os": "linux"}}));
    for (key, body, said) in [
        ("node:os", json!({"value": "x"}), "read-only"),
        ("custom:", json!({"value": 1}), "not a valid attribute key"),
        (
            "custom:a-b",
            json!({"value": 1}),
            "not a valid attribute key",
        ),
        ("custom:a", json!({"value": 1.5}), "cannot hold"),
        (
            "custom:a",
            json!({"value": null}),
            "`value` of `custom:a` is missing",
        ),
        ("custom:a", json!({}), "`value` of `custom:a` is missing"),
        (
            "custom:a",
            json!({"value": 1, "comment": "x".repeat(201)}),
            "`comment` is longer than 200",
        ),
        (
            "custom:a",
            json!({"value": 1, "expiry": 5}),
            "`expiry` must be a text",
        ),
        ("custom:a", json!({"value": "a b"}), "cannot hold"),
        (
            "custom:a",
            json!({"value": 9_007_199_254_740_992_u64}),
            "cannot hold",
        ),
        (
            "custom:a",
            json!({"value": 1, "expiry": "tomorrow"}),
            "not an RFC 3339 time",
        ),
        (
            "custom:a",
            json!({"value": 1, "expiry": "2020-01-01T00:00:00Z"}),
            "future",
        ),
    ] {
        service
            .post(&format!("{all}/{key}"), body)
            .refuses(400, said);
    }
    service
        .delete(&format!("{all}/node:os"))
        .refuses(400, "read-only");
}

/// docs/choices.md#sandbox
#[test]
fn an_attribute_that_is_not_there_may_be_deleted() {
    let mut service = service();
    let tier = format!("{LAPTOP}/attributes/custom:tier");
    service.post(&tier, json!({"value": 2})).is(json!({}));
    for _ in 0..2 {
        service.delete(&tier).is(json!({}));
    }
}

/// docs/choices.md#sandbox
#[test]
fn a_device_without_connectivity_is_not_connected() {
    let mut service = service();
    let mut state = service::state();
    state["tailnets"]["corp.example"]["devices"] = json!([{"id": "bare"}]);
    let state = state.to_string();
    service.0.restore_json(&state).expect("a snapshot");
    let device = service.get("/api/v2/device/bare").json();
    assert_eq!(device["connectedToControl"], false);
}

#[test]
fn a_batch_changes_all_or_nothing() {
    let mut service = service();
    let batch = "/api/v2/tailnet/corp.example/device-attributes";
    let ask =
        |service: &mut Service, body: Value| service.ask("PATCH", batch, &[], &body.to_string());
    ask(&mut service, json!({"nodes": {"laptop": {"custom:a": {"value": true}, "custom:b": {"value": 1}}, "web": {"custom:b": {"value": 2}}}})).is(json!({}));
    ask(
        &mut service,
        json!({"nodes": {"laptop": {"custom:a": null}}, "comment": "why"}),
    )
    .is(json!({}));
    service
        .get(&format!("{LAPTOP}/attributes"))
        .is(json!({"attributes": {"custom:b": 1}}));
    ask(
        &mut service,
        json!({"nodes": {"laptop": {"custom:b": null}, "nobody": {}}}),
    )
    .refuses(404, "nobody");
    ask(
        &mut service,
        json!({"nodes": {"laptop": {"custom:b": null, "node:os": null}}}),
    )
    .refuses(400, "read-only");
    ask(&mut service, json!({})).refuses(400, "nodes");
    ask(
        &mut service,
        json!({"nodes": {"laptop": {"custom:b": {"value": 2, "expiry": 5}}}}),
    )
    .refuses(400, "`expiry` must be a text");
    ask(
        &mut service,
        json!({"nodes": {}, "comment": "x".repeat(201)}),
    )
    .refuses(400, "`comment` is longer than 200");
    ask(
        &mut service,
        json!({"nodes": {"laptop": {"custom:b": {"value": 1, "expiry": ""}}}}),
    )
    .is(json!({}));
    service
        .get(&format!("{LAPTOP}/attributes"))
        .is(json!({"attributes": {"custom:b": 1}}));
    service.delete(LAPTOP);
    assert!(
        !service
            .0
            .state()
            .to_json()
            .contains(r#""laptop":{"attributes""#)
    );
}
