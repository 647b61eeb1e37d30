//! The events that webhooks get: in which form, and which come with time. Must not live here: which changes cause one (`webhooks.http`), signatures
//! (`webhooks.rs`).

use crate::service::{NOW, service};
use serde_json::{Value, json};
use tailnet_kit::sandbox::Machine;

const WEBHOOKS: &str = "/api/v2/tailnet/corp.example/webhooks";
const DAY: i64 = 86_400_000;

#[test]
fn providers_get_a_message_in_their_own_form() {
    let mut service = service();
    for (provider, member) in [
        ("slack", "text"),
        ("mattermost", "text"),
        ("googlechat", "text"),
        ("discord", "content"),
    ] {
        let body = json!({"endpointUrl": format!("https://{provider}.example"), "subscriptions": ["nodeDeleted"], "providerType": provider});
        let made = service.post(WEBHOOKS, body).json();
        assert_eq!(made["providerType"], provider);
        let one = format!(
            "/api/v2/webhooks/{}",
            made["endpointId"].as_str().expect("an id")
        );
        service.post(&format!("{one}/test"), "");
        let delivery = service.one();
        let body: Value = serde_json::from_str(&delivery.body).expect("JSON");
        assert_eq!(body[member], delivery.events[0]["message"], "{provider}");
    }
}

#[test]
fn keys_of_devices_expire_with_time_and_that_is_delivered() {
    let mut service = service();
    service.hook(json!(["nodeKeyExpired", "nodeKeyExpiringInOneDay"]));
    let machine = Machine {
        user: Some("bob@corp.example".to_owned()),
        hostname: "box".to_owned(),
        ..Machine::default()
    };
    let device = service.0.join(&machine, NOW).expect("a device");
    let one = format!("/api/v2/device/{}", device["id"].as_str().expect("an id"));
    service.post("/api/v2/device/web/key", json!({"keyExpiryDisabled": true}));
    // The keys of `laptop` and `web` expire on 2026-06-01, the machine's 180 days after it joined.
    service.0.pass(NOW, NOW + 150 * DAY);
    let events = service.events();
    let told: Vec<_> = events
        .iter()
        .map(|event| {
            (
                &event["type"],
                &event["timestamp"],
                &event["data"]["nodeID"],
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                &json!("nodeKeyExpiringInOneDay"),
                &json!("2026-05-31T00:00:00Z"),
                &json!("laptop")
            ),
            (
                &json!("nodeKeyExpired"),
                &json!("2026-06-01T00:00:00Z"),
                &json!("laptop")
            ),
        ]
    );
    assert_eq!(events[1]["data"]["expiration"], "2026-06-01T00:00:00Z");
    service.0.pass(NOW + 150 * DAY, NOW + 180 * DAY);
    assert_eq!(
        service.told(),
        ["nodeKeyExpiringInOneDay", "nodeKeyExpired"]
    );
    let after = service.get(&one).json();
    assert_eq!(
        (&after["connectedToControl"], &after["lastSeen"]),
        (&json!(false), &json!("2026-07-01T03:04:05+00:00"))
    );
    service.0.pass(NOW + 180 * DAY, NOW + 400 * DAY);
    assert_eq!(service.told(), Vec::<String>::new());
}
