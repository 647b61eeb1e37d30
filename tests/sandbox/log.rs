//! The logs: the entry of each change, reading the logs, and each refusal. Must not live here: the changes.

use crate::service::{self, NOW, Service, service};
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

    /// The entries of the log: type, property, action, before and after.
    fn written(&mut self) -> Vec<Value> {
        let short = |entry: Value| {
            let target = &entry["target"];
            json!([
                target["type"],
                target["property"],
                target["id"],
                entry["action"],
                entry["old"],
                entry["new"]
            ])
        };
        self.log(ALWAYS).into_iter().map(short).collect()
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
fn each_change_is_logged_once_and_refusals_and_reads_are_not() {
    let mut service = service();
    let device = "/api/v2/device/web";
    service.get(device);
    service
        .post(&format!("{device}/name"), json!({"name": "laptop"}))
        .refuses(400, "taken");
    service.post(&format!("{T}/acl/preview?user=a"), "{}");
    service.post(&format!("{device}/authorized"), json!({"authorized": true}));
    assert_eq!(service.written(), Vec::<Value>::new());
    for (path, body) in [
        ("authorized", json!({"authorized": false})),
        ("name", json!({"name": "w"})),
        ("key", json!({"keyExpiryDisabled": true})),
        ("expire", json!({})),
        ("ip", json!({"ipv4": "100.64.0.77"})),
        ("routes", json!({"routes": ["10.0.0.0/16"]})),
    ] {
        service.post(&format!("{device}/{path}"), body);
    }
    assert_eq!(
        service.written(),
        [
            json!(["NODE", "MACHINE_AUTH", "web", "UPDATE", true, false]),
            json!([
                "NODE",
                "MACHINE_NAME",
                "web",
                "UPDATE",
                "web.corp.example",
                "w.corp.example"
            ]),
            json!(["NODE", "KEY_EXPIRY_DISABLED", "web", "UPDATE", null, true]),
            json!([
                "NODE",
                "KEY_EXPIRY_TIME",
                "web",
                "UPDATE",
                "2026-06-01T00:00:00Z",
                "2026-01-02T03:04:05Z"
            ]),
            json!([
                "NODE",
                "IP_ADDRESSES",
                "web",
                "UPDATE",
                ["100.64.0.2"],
                ["100.64.0.77"]
            ]),
            json!(["NODE", "ALLOWED_IPS", "web", "UPDATE", [], ["10.0.0.0/16"]]),
        ]
    );
}

#[test]
fn all_administration_is_logged() {
    let mut service = service();
    let acl = "{} // new\n";
    service.post(&format!("{T}/acl"), acl);
    service.post(&format!("{T}/dns/nameservers"), json!({"dns": ["9.9.9.9"]}));
    service.ask(
        "PATCH",
        &format!("{T}/settings"),
        &[],
        r#"{"httpsEnabled": true}"#,
    );
    service.ask(
        "PATCH",
        &format!("{T}/contacts/support"),
        &[],
        r#"{"email": "a@corp.example"}"#,
    );
    service.post("/api/v2/users/u1/suspend", "");
    service.post("/api/v2/users/u1/role", json!({"role": "admin"}));
    service.post("/api/v2/users/u1/delete", "");
    service.delete(&format!("{T}/keys/k1"));
    service.post(
        &format!("{T}/keys"),
        json!({"capabilities": {"devices": {}}, "description": "ci"}),
    );
    service.delete("/api/v2/device/laptop");
    service.post("/api/v2/webhooks/w1/rotate", "");
    service.delete("/api/v2/webhooks/w1");
    service.post(
        &format!("{T}/services/svc:wiki/device/shared/approved"),
        json!({"approved": true}),
    );
    service.delete(&format!("{T}/services/svc:wiki"));
    let log = service.log(ALWAYS);
    let short: Vec<Value> = log
        .iter()
        .map(|entry| {
            json!([
                entry["target"]["type"],
                entry["target"]["property"],
                entry["action"]
            ])
        })
        .collect();
    assert_eq!(
        short,
        [
            json!(["TAILNET", "ACL", "UPDATE"]),
            json!(["TAILNET", "DNS_CONFIG", "UPDATE"]),
            json!(["TAILNET", "SETTINGS", "UPDATE"]),
            json!(["TAILNET", "CONTACTS", "UPDATE"]),
            json!(["USER", "USER_STATUS", "UPDATE"]),
            json!(["USER", "USER_ROLE", "UPDATE"]),
            json!(["USER", null, "DELETE"]),
            json!(["API_KEY", null, "DELETE"]),
            json!(["API_KEY", null, "CREATE"]),
            json!(["NODE", null, "DELETE"]),
            json!(["WEBHOOK_ENDPOINT", "SECRET", "UPDATE"]),
            json!(["WEBHOOK_ENDPOINT", null, "DELETE"]),
            json!(["SERVICE", "APPROVAL", "UPDATE"]),
            json!(["SERVICE", null, "DELETE"]),
        ]
    );
    assert_eq!(
        (&log[0]["old"], &log[0]["new"]),
        (&json!(service::POLICY), &json!(acl))
    );
    assert_eq!(
        (&log[4]["old"], &log[4]["new"]),
        (&json!("active"), &json!("suspended"))
    );
    assert_eq!(log[8]["target"]["name"], "ci");
    let all = json!(log).to_string();
    assert!(
        !all.contains("tskey-") && !all.contains("\"s\""),
        "no secret is in it: {all}"
    );
}

#[test]
fn comments_on_attributes_are_only_in_the_log() {
    let mut service = service();
    let one = "/api/v2/device/web/attributes/custom:tier";
    service.post(one, json!({"value": 1, "comment": "ticket 41"}));
    service.post(one, json!({"value": 2, "comment": ""}));
    service.ask(
        "PATCH",
        &format!("{T}/device-attributes"),
        &[],
        r#"{"nodes": {"web": {"custom:tier": null}}, "comment": "ticket 42"}"#,
    );
    let log = service.log(ALWAYS);
    let said: Vec<&Value> = log.iter().map(|entry| &entry["actionDetails"]).collect();
    assert_eq!(
        said,
        [&json!("ticket 41"), &Value::Null, &json!("ticket 42")]
    );
    assert_eq!(
        (&log[1]["old"], &log[1]["new"]),
        (&json!({"custom:tier": 1}), &json!({"custom:tier": 2}))
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
fn queries_that_are_refused() {
    let mut service = service();
    for log in ["configuration", "network"] {
        let log = format!("{T}/logging/{log}");
        service.get(&log).refuses(400, "invalid \"start\" time");
        service
            .get(&format!("{log}?start=yesterday&end=2026-01-01T00:00:00Z"))
            .refuses(400, "invalid \"start\" time");
        service
            .get(&format!("{log}?start=2026-01-01T00:00:00Z"))
            .refuses(400, "invalid \"end\" time");
        // A plus sign that is not escaped is a blank.
        service
            .get(&format!(
                "{log}?start=2026-01-01T00:00:00+01:00&end=2026-01-02T00:00:00Z"
            ))
            .refuses(400, "start");
    }
    for event in ["NODES", "NODE.ACL", "node"] {
        let target = format!("{T}/logging/configuration?{ALWAYS}&event={event}");
        service.get(&target).refuses(400, event);
    }
    let token = service
        .0
        .token_json(r#"{"scopes": ["logs:configuration:read"]}"#, NOW)
        .expect("a token");
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str())];
    let audit = format!("{T}/logging/configuration?{ALWAYS}");
    assert_eq!(
        service.ask_plainly("GET", &audit, &headers, "").0.status,
        200
    );
    let network = format!("{T}/logging/network?{ALWAYS}");
    service
        .ask_plainly("GET", &network, &headers, "")
        .refuses(403, "permissions");
    service
        .get(&format!(
            "/api/v2/tailnet/none.example/logging/network?{ALWAYS}"
        ))
        .refuses(404, "none");
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

#[test]
fn traffic_comes_from_a_snapshot() {
    let mut service = service();
    let mut state = service::state();
    let flows = |logged: &str| json!({"logged": logged, "nodeId": "web", "start": logged, "end": logged, "virtualTraffic": [{"proto": 6, "txBytes": 7}]});
    let all = json!([
        flows("2025-11-01T00:00:00Z"),
        flows("2026-01-01T00:00:00Z"),
        flows("2026-01-02T00:00:00Z")
    ]);
    state["tailnets"]["corp.example"]["flows"] = all;
    service
        .0
        .restore_json(&state.to_string())
        .expect("a snapshot");
    let network =
        format!("{T}/logging/network?start=2025-01-01T00:00:00Z&end=2026-01-02T00:00:00Z");
    service
        .get(&network)
        .is(json!({"logs": [flows("2026-01-01T00:00:00Z")]}));
    let saved: Value = serde_json::from_str(&service.0.state().to_json()).expect("JSON");
    assert_eq!(saved, state);
}
