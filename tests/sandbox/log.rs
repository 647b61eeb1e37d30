//! The logs: what an entry says, and how long a log gets. Must not live here: which change is logged as what, filters (`logs.http`).

use crate::service::{NOW, Service, service};
use serde_json::{Value, json};

const T: &str = "/api/v2/tailnet/corp.example";
const ALWAYS: &str = "start=2020-01-01T00:00:00Z&end=2030-01-01T00:00:00Z";

impl Service {
    fn log(&mut self, query: &str) -> Vec<Value> {
        let target = format!("{T}/logging/configuration?{query}");
        let answer = self.get(&target).json();
        answer["logs"].as_array().cloned().expect("a list")
    }
}

#[test]
fn an_entry_says_who_did_what_to_what() {
    let mut service = service();
    service.post(&format!("{T}/acl"), r#"{"tagOwners": {"tag:ci": []}}"#);
    service.post("/api/v2/device/web/tags", json!({"tags": ["tag:ci"]}));
    let answer = service
        .get(&format!("{T}/logging/configuration?{ALWAYS}"))
        .json();
    assert_eq!(
        (&answer["version"], &answer["tailnetId"]),
        (&json!("1.1"), &json!("corp.example"))
    );
    let mut entry = answer["logs"][1].clone();
    let group = entry
        .as_object_mut()
        .and_then(|entry| entry.remove("eventGroupID"));
    assert!(group.is_some_and(|group| group.is_string()));
    let ann = service.get(&format!("{T}/users?role=owner")).json();
    assert_eq!(
        entry,
        json!({"eventTime": "2026-01-02T03:04:05Z", "type": "CONFIG", "origin": "API", "action": "UPDATE",
            "actor": {"id": ann["users"][0]["id"], "type": "USER", "loginName": "ann@corp.example", "displayName": "ann"},
            "target": {"id": "web", "name": "web.corp.example", "type": "NODE", "property": "ACL_TAGS"},
            "new": ["tag:ci"]})
    );
    let token = service
        .0
        .token_json(r#"{"scopes": ["devices:core"], "tags": ["tag:ci"]}"#, NOW)
        .expect("a token");
    let bearer = format!("Bearer {token}");
    service.ask_plainly(
        "POST",
        "/api/v2/device/web/name",
        &[("authorization", &bearer)],
        r#"{"name": "w"}"#,
    );
    let last = service.log(ALWAYS).pop().expect("an entry");
    assert_eq!(
        (
            &last["actor"]["type"],
            &last["actor"]["loginName"],
            &last["actor"]["tags"]
        ),
        (&json!("OAUTH_CLIENT"), &json!(""), &json!(["tag:ci"]))
    );
}

#[test]
fn a_log_does_not_grow_for_ever() {
    let mut service = service();
    let policy = |number: u32| format!("// {number} {}\n{{}}", "x".repeat(40_000));
    for number in 0..10 {
        service.post(&format!("{T}/acl"), policy(number));
    }
    let log = service.log(ALWAYS);
    assert!((2..=4).contains(&log.len()), "{} entries", log.len());
    assert_eq!(
        log.last().map(|entry| entry["new"].clone()),
        Some(json!(policy(9)))
    );
    for number in 0..600 {
        service.post(
            "/api/v2/device/web/name",
            json!({"name": format!("w{number}")}),
        );
    }
    assert_eq!(service.log(ALWAYS).len(), 500);
}
