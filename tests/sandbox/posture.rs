//! Posture integrations: each call and each refusal. Must not live here: posture attributes (`device_changes.rs`).

use crate::service::{self, NOW, service};
use serde_json::{Value, json};

const ALL: &str = "/api/v2/tailnet/corp.example/posture/integrations";
const ONE: &str = "/api/v2/posture/integrations/p1";

#[test]
fn an_integration_is_made_changed_and_removed_and_its_secret_never_shown() {
    let mut service = service();
    let new = json!({"provider": "intune", "clientId": "c", "tenantId": "t", "clientSecret": "very secret"});
    let made = service.post(ALL, new).json();
    let id = made["id"].as_str().expect("an id").to_owned();
    assert_eq!(
        made,
        json!({"id": id, "provider": "intune", "clientId": "c", "tenantId": "t", "configUpdated": "2026-01-02T03:04:05Z",
            "status": {"lastSync": "0001-01-01T00:00:00Z", "providerHostCount": 0, "matchedCount": 0, "possibleMatchedCount": 0}})
    );
    let one = format!("/api/v2/posture/integrations/{id}");
    service.get(&one).is(made.clone());
    let listed = service.get(ALL);
    assert_eq!(listed.json()["integrations"][1], made);
    assert!(!listed.text().contains("secret") && !listed.text().contains("hidden"));
    let later = service
        .at(
            NOW + 60_000,
            "PATCH",
            &one,
            r#"{"cloudId": "us-1", "clientId": "d", "provider": "intune"}"#,
        )
        .json();
    assert_eq!(
        (
            &later["cloudId"],
            &later["clientId"],
            &later["tenantId"],
            &later["configUpdated"]
        ),
        (
            &json!("us-1"),
            &json!("d"),
            &json!("t"),
            &json!("2026-01-02T03:05:05Z")
        )
    );
    let secret = |service: &service::Service| -> Value {
        let state: Value = serde_json::from_str(&service.0.state().to_json()).expect("JSON");
        state["tailnets"]["corp.example"]["postureIntegrations"][1]["clientSecret"].clone()
    };
    assert_eq!(
        secret(&service),
        "very secret",
        "one that is not named stays"
    );
    service.ask("PATCH", &one, &[], r#"{"clientSecret": "another"}"#);
    assert_eq!(secret(&service), "another");
    service.delete(&one).is(json!({}));
    service.get(&one).refuses(404, &id);
}

#[test]
fn integrations_that_are_refused() {
    let mut service = service();
    service
        .post(ALL, json!({"provider": "kandji"}))
        .refuses(409, "kandji");
    service
        .post(ALL, json!({"provider": "pager"}))
        .refuses(400, "pager");
    service.post(ALL, json!({})).refuses(400, "provider");
    service
        .post(ALL, json!({"provider": 7}))
        .refuses(400, "cannot be used");
    service.post(ALL, "[]").refuses(400, "object");
    service
        .ask("PATCH", ONE, &[], r#"{"provider": "intune"}"#)
        .refuses(400, "cannot change");
    let none = "/api/v2/posture/integrations/pNone";
    service.get(none).refuses(404, "pNone");
    service.ask("PATCH", none, &[], "{}").refuses(404, "pNone");
    service.delete(none).refuses(404, "pNone");
    service
        .get("/api/v2/tailnet/none.example/posture/integrations")
        .refuses(404, "none.example");
    service.delete(ONE).is(json!({}));
    assert_eq!(
        service.post(ALL, json!({"provider": "kandji"})).0.status,
        200,
        "it is free again"
    );
}

#[test]
fn integrations_are_features_and_each_change_is_logged() {
    let mut service = service();
    let mut with = |scope: &str, method: &str, target: &str| {
        let token = service
            .0
            .token_json(&json!({"scopes": [scope]}).to_string(), NOW);
        let bearer = format!("Bearer {}", token.expect("a token"));
        service
            .ask_plainly(method, target, &[("authorization", &bearer)], "")
            .0
            .status
    };
    assert_eq!(with("feature_settings:read", "GET", ALL), 200);
    assert_eq!(with("feature_settings:read", "DELETE", ONE), 403);
    assert_eq!(with("devices:posture_attributes", "GET", ONE), 403);
    assert_eq!(with("feature_settings", "DELETE", ONE), 200);
    let log = "/api/v2/tailnet/corp.example/logging/configuration?start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z";
    let log = service.get(log);
    let entry = &log.json()["logs"][0];
    assert_eq!(
        (
            &entry["action"],
            &entry["target"]["type"],
            &entry["target"]["name"]
        ),
        (
            &json!("DELETE"),
            &json!("POSTURE_INTEGRATION"),
            &json!("kandji")
        )
    );
    assert!(!log.text().contains("hidden"));
}
