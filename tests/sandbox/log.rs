//! The logs: what an entry says, filters, and how long entries stay. Must not live here: which change is logged as what (`logs.http`).

use crate::service::{NOW, Service, service};
use serde_json::{Value, json};

const T: &str = "/api/v2/tailnet/corp.example";
const DAY: i64 = 86_400_000;
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
fn a_log_is_filtered_as_requested() {
    let mut service = service();
    service.post("/api/v2/device/web/name", json!({"name": "one"}));
    service.at(
        NOW + DAY,
        "POST",
        "/api/v2/device/laptop/name",
        r#"{"name": "two"}"#,
    );
    service.at(NOW + DAY, "DELETE", "/api/v2/device/web", "");
    let ann = service.log(ALWAYS)[0]["actor"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let mut count = |query: &str| service.log(query).len();
    for (more, expected) in [
        ("", 3),
        ("&target=web", 2),
        ("&target=we", 0),
        ("&target=~we", 2),
        ("&target=web&target=laptop", 3),
        ("&target=~two.corp", 1),
        ("&actor=~ann", 3),
        ("&actor=ann", 0),
        (&format!("&actor={ann}"), 3),
        ("&actor=~zoe", 0),
        ("&event=NODE", 3),
        ("&event=NODE.DELETE", 1),
        ("&event=NODE.MACHINE_NAME&event=TAILNET.ACL", 2),
        ("&event=USER", 0),
        ("&event=NODE.DELETE&target=laptop", 0),
    ] {
        assert_eq!(count(&format!("{ALWAYS}{more}")), expected, "{more}");
    }
    assert_eq!(
        count("start=2026-01-02T03:04:05Z&end=2026-01-02T03:04:06Z"),
        1
    );
    assert_eq!(
        count("start=2026-01-02T03:04:05Z&end=2026-01-02T03:04:05Z"),
        0
    );
    assert_eq!(
        count("start=2026-01-03T04:04:05%2B01:00&end=2026-01-04T00:00:00Z"),
        2
    );
    assert_eq!(
        count("start=2027-01-01T00:00:00Z&end=2026-01-01T00:00:00Z"),
        0,
        "the wrong way round is just empty"
    );
    let other = "/api/v2/tailnet/alice@gmail.com/logging/configuration";
    assert_eq!(
        service.get(&format!("{other}?{ALWAYS}")).json()["logs"],
        json!([])
    );
}

#[test]
fn old_entries_are_dropped() {
    let mut service = service();
    service.post("/api/v2/device/web/name", json!({"name": "one"}));
    let audit = format!("{T}/logging/configuration?{ALWAYS}");
    let kept = |service: &mut Service, now: i64| {
        let answer = service.at(now, "GET", &audit, "").json();
        answer["logs"].as_array().map(Vec::len)
    };
    assert_eq!(kept(&mut service, NOW + 90 * DAY), Some(1));
    assert_eq!(kept(&mut service, NOW + 91 * DAY), Some(0));
    service.at(
        NOW + 91 * DAY,
        "POST",
        "/api/v2/device/web/name",
        r#"{"name": "two"}"#,
    );
    let state: Value = serde_json::from_str(&service.0.state().to_json()).expect("JSON");
    assert_eq!(
        state["tailnets"]["corp.example"]["log"]
            .as_array()
            .map(Vec::len),
        Some(1)
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
