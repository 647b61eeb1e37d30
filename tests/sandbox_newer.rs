//! What newer clients put on the wire beyond the specification: notes 12 and 13 on real clients.
//! Must not live here: the other notes (`sandbox_wire.rs`).

#[path = "sandbox/service.rs"]
mod service;

use serde_json::json;
use service::{KEY, POLICY, service};
use tailnet_kit::api::ApiKey;

const ACL: &str = "/api/v2/tailnet/corp.example/acl";

#[test]
fn note_12_both_ways_to_ask_for_a_preview() {
    let lines = |query: &str| {
        service()
            .post(&format!("{ACL}/preview?{query}"), POLICY)
            .json()
    };
    let by_user = lines("user=ann@corp.example");
    assert_eq!(by_user["matches"][0]["lineNumber"], 6);
    assert_eq!(lines("type=user&previewFor=ann%40corp.example"), by_user);
    let by_address = lines("type=ipport&previewFor=100.64.0.2:443");
    assert_eq!(
        (&by_address["type"], &by_address["matches"][0]["lineNumber"]),
        (&json!("ipport"), &json!(6))
    );
    assert_eq!(
        (&by_address["user"], &by_address["previewFor"]),
        (&json!("100.64.0.2:443"), &json!("100.64.0.2:443"))
    );
    assert_eq!(
        lines("type=ipport&previewFor=100.64.0.2:22")["matches"],
        json!([])
    );
    let mut service = service();
    service
        .post(
            &format!("{ACL}/preview?type=ipport&previewFor=nonsense"),
            POLICY,
        )
        .refuses(400, "nonsense");
    service
        .post(&format!("{ACL}/preview?type=group&previewFor=a"), POLICY)
        .refuses(400, "group");
}

#[test]
fn note_13_newer_clients_find_what_they_look_for() {
    let mut service = service();
    let bearer = ApiKey::new(KEY).expect("a key").to_bearer();
    assert_eq!(
        service
            .ask_plainly("GET", ACL, &[("authorization", &bearer)], "")
            .text(),
        POLICY
    );
    assert_eq!(
        service.get("/api/v2/device/laptop").json()["nodeId"],
        "laptop"
    );
    assert_eq!(service.get("/api/v2/tailnet/-/acl").text(), POLICY);
    let details = service.get(&format!("{ACL}?details=1"));
    assert_eq!(details.json()["warnings"], json!([]));
    assert_eq!(details.json()["errors"], json!([]));
    assert!(
        details.json()["acl"]
            .as_str()
            .is_some_and(|text| text.starts_with("ewoJLy8gV2hv")),
        "Base64 of the text"
    );

    service
        .post(
            "/api/v2/device/laptop/authorized",
            json!({"authorized": false}),
        )
        .is(json!({}));
    service
        .post("/api/v2/device/laptop/tags", json!({"tags": ["tag:web"]}))
        .is(json!({}));
    service
        .post(
            "/api/v2/device/laptop/key",
            json!({"keyExpiryDisabled": true}),
        )
        .is(json!({}));
    service
        .post(
            "/api/v2/device/laptop/name",
            json!({"name": "desk.corp.example"}),
        )
        .is(json!({}));
    service
        .post("/api/v2/device/laptop/ip", json!({"ipv4": "100.64.0.50"}))
        .is(json!({}));
    let device = service.get("/api/v2/device/laptop").json();
    let seen = [
        &device["authorized"],
        &device["tags"],
        &device["keyExpiryDisabled"],
        &device["name"],
        &device["addresses"],
    ];
    assert_eq!(
        seen,
        [
            &json!(false),
            &json!(["tag:web"]),
            &json!(true),
            &json!("desk.corp.example"),
            &json!(["100.64.0.50"])
        ]
    );
    for (call, body) in [
        ("tags", json!({"tags": ["web"]})),
        ("ip", json!({"ipv4": "fd00::1"})),
        ("name", json!({"name": ""})),
        ("key", json!({})),
    ] {
        service
            .post(&format!("/api/v2/device/laptop/{call}"), body)
            .refuses(400, "");
    }
}

#[test]
fn note_13_validate_judges_with_200_and_stores_nothing() {
    let mut service = service();
    let good = service.post(&format!("{ACL}/validate"), "{\"acls\": []}");
    assert_eq!((good.0.status, good.json().get("message")), (200, None));
    let bad = service.post(&format!("{ACL}/validate"), "{\"acls\": [}");
    assert_eq!(bad.0.status, 200);
    assert!(
        bad.json()["message"]
            .as_str()
            .is_some_and(|message| message.starts_with("hujson: line 1"))
    );
    assert_eq!(service.get(ACL).text(), POLICY);
}
