//! What of a posture integration is kept and never shown. Must not live here: other calls and refusals (`postureIntegrations.http`).

use crate::service::{self, NOW, service};
use serde_json::{Value, json};

const ALL: &str = "/api/v2/tailnet/corp.example/posture/integrations";

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
