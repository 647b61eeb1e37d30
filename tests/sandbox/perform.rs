//! The sandbox against docs/service.md#devices and docs/service.md#policy, in what takes more than requests and answers.
//! `wire.rs` tests what existing clients need. Must not live here: verdicts about policies.

use crate::service::{self, POLICY, service};
use serde_json::{Value, json};

const ONLY_ALL: [&str; 3] = ["enabledRoutes", "advertisedRoutes", "clientConnectivity"];

#[test]
fn get_device_answers_the_default_fields() {
    let answer = service().get("/api/v2/device/laptop");
    let device = answer.json();
    assert_eq!(device["id"], "laptop");
    assert_eq!(device["addresses"], json!(["100.64.0.1"]));
    assert_eq!(device["created"], "2025-01-01T00:00:00Z");
    for field in ONLY_ALL {
        assert_eq!(device.get(field), None, "{field}");
    }
}

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

/// docs/choices.md#sandbox
#[test]
fn what_a_snapshot_brings_is_projected_too() {
    let mut service = service();
    let mut state = service::state();
    let only_all = [
        "sshEnabled",
        "distro",
        "multipleConnections",
        "postureIdentity",
    ];
    let device = &mut state["tailnets"]["corp.example"]["devices"][0];
    device["sshEnabled"] = json!(true);
    device["multipleConnections"] = json!(true);
    device["distro"] = json!({"name": "debian", "version": "12", "codeName": "bookworm"});
    device["postureIdentity"] = json!({"disabled": true});
    device["tailnetLockKey"] = json!("nlpub:1");
    let given = device.clone();
    service.0.restore_json(&state.to_string()).expect("a state");
    let short = service.get("/api/v2/device/laptop").json();
    let long = service.get("/api/v2/device/laptop?fields=all").json();
    for field in only_all {
        assert_eq!(short.get(field), None, "{field}");
        assert_eq!(long[field], given[field], "{field}");
    }
    assert_eq!(short["tailnetLockKey"], "nlpub:1");
}

/// docs/choices.md#sandbox
#[test]
fn devices_whose_tag_loses_its_owner_are_signed_out() {
    let mut service = service();
    let mut state = service::state();
    let devices = &mut state["tailnets"]["corp.example"]["devices"];
    for (place, tag) in [(0, "tag:gone"), (1, "tag:kept")] {
        devices[place]["tags"] = json!([tag]);
        devices[place]["connectedToControl"] = json!(true);
    }
    let acl = |tags: &[&str]| {
        let owners: serde_json::Map<String, Value> = tags
            .iter()
            .map(|tag| ((*tag).to_owned(), json!([])))
            .collect();
        json!({"tagOwners": owners}).to_string()
    };
    state["tailnets"]["corp.example"]["acl"] = acl(&["tag:gone", "tag:kept"]).into();
    service.0.restore_json(&state.to_string()).expect("a state");
    let target = "/api/v2/tailnet/corp.example/acl";
    assert_eq!(service.post(target, acl(&["tag:kept"])).0.status, 200);
    let seen = |service: &mut service::Service, id: &str| {
        let device = service.get(&format!("/api/v2/device/{id}")).json();
        ["connectedToControl", "expires", "authorized"].map(|field| device[field].clone())
    };
    assert_eq!(
        seen(&mut service, "laptop"),
        [json!(false), json!("2026-01-02T03:04:05Z"), json!(true)]
    );
    assert_eq!(
        seen(&mut service, "web"),
        [json!(true), json!("2026-06-01T00:00:00Z"), json!(true)]
    );
}

#[test]
fn list_devices_keeps_the_order_and_unknown_fields() {
    let mut service = service();
    let names = |answer: Value| -> Vec<Value> {
        answer["devices"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|device| device["id"].clone())
            .collect()
    };
    let listed = names(service.get("/api/v2/tailnet/corp.example/devices").json());
    assert_eq!(listed, [json!("laptop"), json!("web"), json!("shared")]);
    let mut state = service::state();
    state["tailnets"]["corp.example"]["devices"][0]["posture"] = json!({"deep": [1, null]});
    service
        .0
        .restore_json(&state.to_string())
        .expect("a snapshot");
    let device = service.get("/api/v2/device/laptop").json();
    assert_eq!(device["posture"], json!({"deep": [1, null]}));
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
fn a_policy_that_cannot_be_read_is_refused_and_not_stored() {
    let mut service = service();
    let target = "/api/v2/tailnet/corp.example/acl";
    for bad in ["// none", "{", "{\"acls\": nope}", "[1"] {
        service
            .post(target, bad)
            .refuses(400, "hujson: line 1, column");
    }
    service
        .post(target, "{\"surprise\": 1}")
        .refuses(400, "unknown field");
    assert_eq!(service.get(target).text(), POLICY);
}

#[test]
fn a_policy_that_the_service_would_refuse_is_refused_in_its_words() {
    let mut service = service();
    let target = "/api/v2/tailnet/corp.example/acl";
    for (policy, words) in [
        (
            json!({"acls": [{"action": "drop", "src": ["*"], "dst": ["*:*"]}]}),
            "action=\"drop\" is not supported",
        ),
        (
            json!({"acls": [{"action": "accept", "src": ["tag:x"], "dst": ["*:*"]}]}),
            "src=tag not found: \"tag:x\"",
        ),
    ] {
        service.post(target, &policy).refuses(400, words);
        service
            .post(&format!("{target}/preview?user=ann@corp.example"), &policy)
            .refuses(400, words);
        let verdict = service.post(&format!("{target}/validate"), &policy);
        assert_eq!(
            (verdict.0.status, verdict.json()["message"].as_str()),
            (200, Some(words))
        );
    }
    assert_eq!(service.get(target).text(), POLICY);
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
