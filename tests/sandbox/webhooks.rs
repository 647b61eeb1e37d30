//! Webhooks: each call and each refusal, and the signature of a delivery.
//! Must not live here: what is delivered (`events.rs`), sending (`tests/js/sandbox`).

use crate::service::{NOW, Service, service};
use serde_json::{Value, json};
use tailnet_kit::sandbox::Delivery;

const WEBHOOKS: &str = "/api/v2/tailnet/corp.example/webhooks";
const DAY: i64 = 86_400_000;

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
fn a_webhook_shows_its_secret_once_and_again_after_a_rotation() {
    let mut service = service();
    let (one, made) = service.hook(json!(["policyUpdate", "nodeCreated", "policyUpdate"]));
    let mut shown = made.clone();
    let secret = shown
        .as_object_mut()
        .and_then(|webhook| webhook.remove("secret"));
    let secret = secret.expect("a secret");
    assert!(
        secret
            .as_str()
            .is_some_and(|s| s.starts_with("tskey-webhook-"))
    );
    assert_eq!(
        shown,
        json!({"endpointId": made["endpointId"], "endpointUrl": "https://hooks.example/net", "providerType": "",
            "creatorLoginName": "ann@corp.example", "created": "2026-01-02T03:04:05Z", "lastModified": "2026-01-02T03:04:05Z",
            "subscriptions": ["nodeCreated", "policyUpdate"]}),
        "sorted, each once; the sandbox's key is the owner's"
    );
    service.get(&one).is(shown.clone());
    assert_eq!(service.get(WEBHOOKS).json()["webhooks"][1], shown);
    let rotated = service
        .at(NOW + DAY, "POST", &format!("{one}/rotate"), "")
        .json();
    assert_ne!(rotated["secret"], secret);
    assert_eq!(rotated["lastModified"], "2026-01-03T03:04:05Z");
    assert_eq!(service.get(&one).json().get("secret"), None);
    let changed = service.ask("PATCH", &one, &[], r#"{"subscriptions": ["nodeDeleted"]}"#);
    assert_eq!(changed.json()["subscriptions"], json!(["nodeDeleted"]));
    assert_eq!(changed.json().get("secret"), None);
    service.delete(&one).is(json!({}));
    service.get(&one).refuses(404, "webhook");
    service.delete("/api/v2/webhooks/w1");
    service.get(WEBHOOKS).is(json!({"webhooks": []}));
}

#[test]
fn webhooks_that_cannot_be_made_or_found() {
    let mut service = service();
    let (one, _) = service.hook(json!(["nodeCreated"]));
    let url = "https://other.example";
    for (body, status, said) in [
        (
            json!({"endpointUrl": url, "subscriptions": []}),
            400,
            "subscription",
        ),
        (
            json!({"endpointUrl": url, "subscriptions": null}),
            400,
            "subscription",
        ),
        (json!({"endpointUrl": url}), 400, "subscriptions"),
        (
            json!({"subscriptions": ["nodeCreated"]}),
            400,
            "endpointUrl",
        ),
        (
            json!({"endpointUrl": url, "subscriptions": ["nodeLost"]}),
            400,
            "invalid webhook event type",
        ),
        (
            json!({"endpointUrl": url, "subscriptions": ["nodeCreated"], "providerType": "pager"}),
            400,
            "unsupported provider",
        ),
        (
            json!({"endpointUrl": "https://hooks.example/net", "subscriptions": ["nodeCreated"]}),
            500,
            "URL",
        ),
    ] {
        service.post(WEBHOOKS, body).refuses(status, said);
    }
    for wrong in [
        "",
        "/hook",
        "hooks.example",
        "http://hooks.example",
        "ftp://127.0.0.1",
        "https://",
        "https://a.example:8443/x",
        "https://a.example:x",
        "https://u@a.example",
        "https://a b",
    ] {
        let body = json!({"endpointUrl": wrong, "subscriptions": ["nodeCreated"]});
        service.post(WEBHOOKS, body).refuses(400, "endpointUrl");
    }
    for right in [
        "https://a.example:443/x?y=1",
        "https://a.example:80",
        "http://127.0.0.1:8099/hook",
        "http://localhost:1",
        "http://[::1]:7/x",
        "https://[2001:db8::1]/x",
    ] {
        let body = json!({"endpointUrl": right, "subscriptions": ["nodeCreated"]});
        assert_eq!(service.post(WEBHOOKS, body).0.status, 200, "{right}");
    }
    service
        .ask("PATCH", &one, &[], r#"{"subscriptions": []}"#)
        .refuses(400, "subscription");
    let none = "/api/v2/webhooks/wNone";
    service.get(none).refuses(404, "wNone");
    service.delete(none).refuses(404, "wNone");
    service
        .post(&format!("{none}/test"), "")
        .refuses(404, "wNone");
    service
        .post(&format!("{none}/rotate"), "")
        .refuses(404, "wNone");
    service
        .ask("PATCH", none, &[], r#"{"subscriptions": ["nodeCreated"]}"#)
        .refuses(404, "wNone");
    service
        .get("/api/v2/tailnet/none.example/webhooks")
        .refuses(404, "none.example");
}

#[test]
fn a_token_needs_the_scope_of_webhooks() {
    let mut service = service();
    let grant = r#"{"scopes": ["webhooks:read"]}"#;
    let reader = service.0.token_json(grant, NOW).expect("a token");
    let bearer = format!("Bearer {reader}");
    let headers = [("authorization", bearer.as_str())];
    let list = service.ask_plainly("GET", WEBHOOKS, &headers, "");
    assert_eq!(list.0.status, 200);
    let body = r#"{"endpointUrl": "https://a.example", "subscriptions": ["nodeCreated"]}"#;
    let create = service.ask_plainly("POST", WEBHOOKS, &headers, body);
    create.refuses(403, "does not have enough permissions");
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
