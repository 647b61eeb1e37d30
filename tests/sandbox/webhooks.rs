//! Webhooks: the signature of a delivery, and snapshots. Must not live here: calls and refusals (`webhooks.http`), what is delivered (`events.rs`),
//! sending (`tests/js/sandbox`).

use crate::service::{Service, service};
use serde_json::{Value, json};
use tailnet_kit::sandbox::Delivery;

const WEBHOOKS: &str = "/api/v2/tailnet/corp.example/webhooks";

impl Service {
    pub fn hook(&mut self, subscriptions: Value) -> (String, Value) {
        let body =
            json!({"endpointUrl": "https://hooks.example/net", "subscriptions": subscriptions});
        let made = self.post(WEBHOOKS, body).json();
        let id = made["endpointId"].as_str().expect("an id").to_owned();
        (format!("/api/v2/webhooks/{id}"), made)
    }

    /// The types of the events delivered since the last call of this method.
    pub fn told(&mut self) -> Vec<String> {
        let events = self.events();
        let kinds = events.iter().map(|event| event["type"].as_str());
        kinds.map(|kind| kind.expect("a type").to_owned()).collect()
    }

    pub fn events(&mut self) -> Vec<Value> {
        let deliveries = self.0.take_deliveries().into_iter();
        deliveries.flat_map(|delivery| delivery.events).collect()
    }

    pub fn one(&mut self) -> Delivery {
        let mut deliveries = self.0.take_deliveries();
        assert_eq!(deliveries.len(), 1);
        deliveries.remove(0)
    }
}

#[test]
fn a_test_is_queued_and_signed() {
    let mut service = service();
    let (one, made) = service.hook(json!(["policyUpdate"]));
    let answer = service.post(&format!("{one}/test"), "");
    assert_eq!((answer.0.status, answer.text()), (202, "{}"));
    let delivery = service.one();
    assert_eq!(json!(delivery.endpoint_id), made["endpointId"]);
    assert_eq!(delivery.endpoint_url, "https://hooks.example/net");
    assert_eq!(delivery.at, "2026-01-02T03:04:05Z");
    let (seconds, digits) = delivery.signature.split_once(",v1=").expect("two parts");
    assert_eq!(seconds, "t=1767323045");
    assert!(digits.len() == 64 && digits.bytes().all(|c| c.is_ascii_hexdigit()));
    assert_eq!(
        delivery.headers,
        [
            ("Content-Type", "application/json".to_owned()),
            ("Tailscale-Webhook-Signature", delivery.signature.clone())
        ]
    );
    let body: Value = serde_json::from_str(&delivery.body).expect("JSON");
    assert_eq!(body, json!(delivery.events), "a list of events");
    let event = &body[0];
    assert_eq!(
        (
            &event["type"],
            &event["version"],
            &event["tailnet"],
            &event["timestamp"]
        ),
        (
            &json!("test"),
            &json!(1),
            &json!("corp.example"),
            &json!("2026-01-02T03:04:05Z")
        )
    );
    service.post(&format!("{one}/rotate"), "");
    service.ask("PATCH", &one, &[], r#"{"subscriptions": ["nodeDeleted"]}"#);
    service.delete(&one);
    assert_eq!(
        service.told(),
        ["webhookUpdated", "webhookUpdated", "webhookDeleted"]
    );
    assert_eq!(service.told(), Vec::<String>::new());
}

/// docs/choices.md#sandbox
#[test]
fn after_a_rotation_the_new_secret_alone_signs() {
    let mut service = service();
    let (one, _) = service.hook(json!(["policyUpdate"]));
    service.post(&format!("{one}/test"), "");
    let before = service.one();
    service.post(&format!("{one}/rotate"), "");
    service.told();
    service.post(&format!("{one}/test"), "");
    let after = service.one();
    assert_eq!(after.body, before.body);
    assert_ne!(after.signature, before.signature);
    assert_eq!(after.signature.matches("v1=").count(), 1);
}

#[test]
fn webhooks_are_part_of_a_snapshot() {
    let mut service = service();
    let (one, _) = service.hook(json!(["nodeCreated"]));
    let state = service.0.state().to_json();
    assert!(state.contains("tskey-webhook-"), "the secret is in it");
    service.delete(&one);
    service.0.restore_json(&state).expect("a snapshot");
    assert_eq!(
        service.get(&one).json()["subscriptions"],
        json!(["nodeCreated"])
    );
    assert_eq!(service.0.state().to_json(), state);
}
