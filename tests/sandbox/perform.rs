//! The sandbox against docs/service.md#devices and docs/service.md#policy, in what takes more than requests and answers.
//! `wire.rs` tests what existing clients need. Must not live here: verdicts about policies.

use crate::service::{POLICY, service};
use serde_json::json;

const ONLY_ALL: [&str; 3] = ["enabledRoutes", "advertisedRoutes", "clientConnectivity"];

#[test]
fn fields_are_a_union() {
    for (query, all) in [
        ("", false),
        ("?fields=default", false),
        ("?fields=nonsense", false),
        ("?fields=all", true),
        ("?fields=default,all", true),
        ("?fields=default%2Call", true),
        ("?fields=default&fields=all", true),
    ] {
        let device = service()
            .get(&format!("/api/v2/device/laptop{query}"))
            .json();
        let list = service()
            .get(&format!("/api/v2/tailnet/corp.example/devices{query}"))
            .json();
        for field in ONLY_ALL {
            assert_eq!(device.get(field).is_some(), all, "{query} {field}");
        }
        assert_eq!(list["devices"][0], device, "{query}");
    }
}

#[test]
fn delete_removes_the_device_with_200_and_no_body() {
    let mut service = service();
    let answer = service.delete("/api/v2/device/laptop");
    assert_eq!(
        (
            answer.0.status,
            answer.text(),
            answer.header("content-type")
        ),
        (200, "", None)
    );
    service.get("/api/v2/device/laptop").refuses(404, "laptop");
    service
        .delete("/api/v2/device/laptop")
        .refuses(404, "laptop");
    assert_eq!(
        service.get("/api/v2/tailnet/corp.example/devices").json()["devices"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
}

#[test]
fn the_policy_comes_back_byte_for_byte_or_parsed() {
    let mut service = service();
    let target = "/api/v2/tailnet/corp.example/acl";
    let text = service.get(target);
    assert_eq!((text.0.status, text.text()), (200, POLICY));
    assert_eq!(text.header("content-type"), Some("application/hujson"));
    let parsed = service.ask("GET", target, &[("accept", "application/json")], "");
    assert_eq!(parsed.header("content-type"), Some("application/json"));
    let rule = json!({"action": "accept", "users": ["group:dev"], "ports": ["web:80,443"]});
    assert_eq!(
        parsed.json(),
        json!({"groups": {"group:dev": ["ann@corp.example"]}, "hosts": {"web": "100.64.0.2"}, "acls": [rule]})
    );
    assert_eq!(parsed.etag(), text.etag());
}

#[test]
fn setting_the_policy_answers_in_the_format_asked_for_and_changes_the_etag() {
    let mut service = service();
    let target = "/api/v2/tailnet/corp.example/acl";
    let before = service.get(target).etag();
    let changed = "// new\n{\"acls\": [], }";
    let answer = service.post(target, changed);
    assert_eq!((answer.0.status, answer.text()), (200, changed));
    assert_ne!(answer.etag(), before);
    assert_eq!(service.get(target).etag(), answer.etag());
    let parsed = service.ask(
        "POST",
        target,
        &[("accept", "application/json")],
        "{\"acls\":[]}",
    );
    assert_eq!(parsed.json(), json!({"acls": []}));
    assert_eq!(service.get(target).text(), "{\"acls\":[]}");
}

/// docs/choices.md#sandbox
#[test]
fn an_empty_body_resets_the_policy_to_the_default() {
    let mut service = service();
    let target = "/api/v2/tailnet/corp.example/acl";
    let mine = json!({"acls": []}).to_string();
    assert_eq!(service.post(target, &mine).0.status, 200);
    let reset = service.post(target, "");
    assert_eq!(reset.0.status, 200);
    let stored = service.ask("GET", target, &[("accept", "application/json")], "");
    // In the parsed form, with its names for sources and destinations.
    let everything = json!([{"action": "accept", "users": ["*"], "ports": ["*:*"]}]);
    assert_eq!(stored.json()["acls"], everything);
    assert_eq!(reset.etag(), stored.etag());
    let verdict = service.post(&format!("{target}/validate"), stored.text());
    verdict.is(json!({}));
    service
        .ask("POST", target, &[("if-match", "\"old\"")], "")
        .refuses(412, "precondition failed");
    let unchanged = [("if-match", "\"ts-default\"")];
    assert_eq!(service.ask("POST", target, &unchanged, &mine).0.status, 200);
}

#[test]
fn failing_tests_refuse_the_policy_and_are_listed() {
    let mut service = service();
    let target = "/api/v2/tailnet/corp.example/acl";
    let tests = json!([{"src": "ann@corp.example", "accept": ["web:80"], "deny": ["web:443"]}, {"src": "bob@corp.example", "deny": ["web:80"]}]);
    let policy = POLICY.replacen("\"acls\"", &format!("\"tests\": {tests},\n\"acls\""), 1);
    let refused = service.post(target, &policy);
    refused.refuses(400, "test(s) failed");
    let failed = &refused.json()["data"];
    assert_eq!(
        (failed.as_array().map(Vec::len), &failed[0]["user"]),
        (Some(1), &json!("ann@corp.example"))
    );
    assert!(
        failed[0]["errors"][0]
            .as_str()
            .is_some_and(|line| line.ends_with("want: Drop, got: Accept")),
        "{failed}"
    );
    assert_eq!(service.get(target).text(), POLICY);
    let verdict = service.post(&format!("{target}/validate"), &policy).json();
    assert_eq!(verdict, refused.json());
    let of_stored = service.post(&format!("{target}/validate"), &tests).json();
    assert_eq!(
        of_stored,
        refused.json(),
        "a list is run as tests of the stored policy"
    );
    service
        .post(&format!("{target}/validate"), json!([tests[1]]))
        .is(json!({}));
}

#[test]
fn preview_names_rules_and_lines_and_stores_nothing() {
    let mut service = service();
    let matches = json!([{"users": ["group:dev"], "ports": ["web:80,443"], "lineNumber": 6}]);
    let asked = service.post(
        "/api/v2/tailnet/corp.example/acl/preview?user=ann@corp.example",
        POLICY,
    );
    asked.is(json!({"matches": matches, "user": "ann@corp.example", "type": "user", "previewFor": "ann@corp.example"}));
    let nobody = service.post(
        "/api/v2/tailnet/corp.example/acl/preview?user=zoe%40corp.example",
        "{\"acls\": []}",
    );
    assert_eq!(nobody.json()["matches"], json!([]));
    assert_eq!(
        service.get("/api/v2/tailnet/corp.example/acl").text(),
        POLICY
    );
    service
        .post("/api/v2/tailnet/corp.example/acl/preview", POLICY)
        .refuses(400, "user");
    service
        .post("/api/v2/tailnet/corp.example/acl/preview?user=", POLICY)
        .refuses(400, "user");
    service
        .post("/api/v2/tailnet/corp.example/acl/preview?user=a", "{")
        .refuses(400, "hujson: line 1");
}
