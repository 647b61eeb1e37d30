//! The requests of existing clients, and what they need in the answers (docs/service.md).
//! Must not live here: what single calls do (`perform.rs`).

use crate::exchanges::{self, exchanges};
use crate::service::{KEY, POLICY, base64, service};
use serde_json::json;
use tailnet_kit::api::Operation;

const ACL: &str = "/api/v2/tailnet/corp.example/acl";
const ROUTES: &str = "/api/v2/device/laptop/routes";
const NAMESERVERS: &str = "/api/v2/tailnet/corp.example/dns/nameservers";

/// docs/service.md#bodies
#[test]
fn a_body_is_read_whatever_its_content_type_says() {
    for label in [
        "application/x-www-form-urlencoded",
        "application/hujson",
        "application/json",
        "text/plain",
        "",
    ] {
        for exchange in exchanges() {
            let mut request = exchange.signed(exchange.style);
            request.headers.set("content-type", label);
            let answer = exchanges::sandbox().handle(&request, 0);
            assert_eq!(
                answer.status, exchange.response.status,
                "{} with {label:?}",
                exchange.operation
            );
        }
        let text = "// commented\n{\"acls\": [],}";
        let label = [("content-type", label)];
        assert_eq!(service().ask("POST", ACL, &label, text).text(), text);
    }
}

/// docs/service.md#bodies
#[test]
fn a_body_needs_no_content_length() {
    let chunked = [("transfer-encoding", "chunked")];
    let answer = service().ask("POST", ROUTES, &chunked, r#"{"routes": ["10.0.0.0/8"]}"#);
    assert_eq!(answer.json()["enabledRoutes"], json!(["10.0.0.0/8"]));
}

/// docs/service.md#paths
#[test]
fn the_earlier_path_form_is_the_same_service() {
    let label = [("content-type", "application/json")];
    let mut service = service();
    service.post(
        "/api/v2/domain/corp.example/dns/nameservers",
        json!({"dns": ["9.9.9.9"]}),
    );
    service.get(NAMESERVERS).is(json!({"dns": ["9.9.9.9"]}));
    service
        .ask(
            "GET",
            "/api/v2/domain/corp.example/dns/nameservers",
            &label,
            "",
        )
        .is(json!({"dns": ["9.9.9.9"]}));
    assert_eq!(
        service
            .ask("DELETE", "/api/v2/device/laptop", &label, "")
            .0
            .status,
        200
    );
}

/// docs/service.md#answers
#[test]
fn every_success_is_exactly_200_except_for_queued_work() {
    for exchange in exchanges() {
        let queued = exchange.operation == Operation::TestWebhook;
        let answer = exchanges::sandbox().handle(&exchange.signed(exchange.style), 0);
        assert_eq!(
            answer.status,
            if queued { 202 } else { 200 },
            "{}",
            exchange.operation
        );
    }
}

/// docs/service.md#answers
#[test]
fn every_answer_has_an_id_of_its_own() {
    let mut service = service();
    let answers = [
        service.get(ACL),
        service.get(ACL),
        service.delete("/api/v2/device/laptop"),
        service.post(ROUTES, "{"),
        service.get("/api/v2/nothing"),
        service.ask_plainly("GET", ACL, &[], ""),
        service.token(""),
    ];
    let ids = answers.each_ref().map(|answer| {
        let id = answer.header("x-tailscale-request-id").expect("an id");
        let rest = id.strip_prefix("REQ-20260102030405").expect("the time");
        assert!(!rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
        id.to_owned()
    });
    let unlike: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unlike.len(), ids.len(), "{ids:?}");
}

/// docs/service.md#answers
#[test]
fn every_refusal_has_a_message_in_json() {
    let mut service = service();
    service.get("/api/v2/nothing").refuses(404, "no such path");
    service.ask("PUT", ACL, &[], "{}").refuses(405, "GET, POST");
    service
        .ask("POST", ACL, &[("if-match", "\"old\"")], "{}")
        .refuses(412, "precondition failed, invalid old hash");
    service
        .ask_plainly("GET", ACL, &[], "")
        .refuses(401, "API token invalid");
    service.post(ROUTES, "{").refuses(400, "");
    service.delete("/api/v2/device/shared").refuses(501, "");
}

/// docs/service.md#paths
#[test]
fn unknown_parameters_are_ignored() {
    for query in ["?user=ann@corp.example", "?a=%zz&&=", "?fields=all"] {
        assert_eq!(
            service().get(&format!("{ACL}{query}")).text(),
            POLICY,
            "{query}"
        );
        service()
            .get(&format!("{NAMESERVERS}{query}"))
            .is(json!({"dns": ["1.1.1.1"]}));
    }
    let mut service = service();
    assert_eq!(
        service
            .post(&format!("{ACL}?user=ann@corp.example"), "{}")
            .text(),
        "{}"
    );
    assert_eq!(service.get(ACL).text(), "{}");
}

/// docs/service.md#paths
#[test]
fn missing_things_and_missing_rights_have_their_status() {
    let mut service = service();
    for path in [
        "/",
        "/api",
        "/api/v2",
        "/api/v2/",
        "/api/v2/device",
        "/api/v2/device/",
        "/api/v2/device/laptop/",
        "/API/v2/device/laptop",
        "/api/v2/device//laptop",
        "/api/v2/tailnet/corp.example",
        "/api/v2/tailnet//devices",
        "/api/v1/tailnet/corp.example/devices",
        "/api/v2/tailnet/corp.example/devices/",
        "/api/v2/tailnet/corp.example/dns",
        "*",
    ] {
        service.get(path).refuses(404, "");
    }
    for (path, allow) in [
        ("/api/v2/device/laptop", "GET, DELETE"),
        (ROUTES, "GET, POST"),
        (ACL, "GET, POST"),
        ("/api/v2/tailnet/corp.example/devices", "GET"),
        ("/api/v2/tailnet/corp.example/acl/preview", "POST"),
    ] {
        let answer = service.ask("PATCH", path, &[], "");
        answer.refuses(405, allow);
        assert_eq!(answer.header("allow"), Some(allow), "{path}");
    }
    let basic = |text: &str| format!("Basic {}", base64(text));
    for credentials in [
        None,
        Some("nonsense".to_owned()),
        Some(basic("wrong:")),
        Some("Bearer wrong".to_owned()),
        Some("Basic %%%".to_owned()),
    ] {
        let headers: Vec<(&str, &str)> = credentials
            .iter()
            .map(|value| ("authorization", value.as_str()))
            .collect();
        let answer = service.ask_plainly("GET", ACL, &headers, "");
        answer.refuses(401, "");
        assert!(
            answer
                .header("www-authenticate")
                .is_some_and(|value| value.starts_with("Basic"))
        );
    }
    service.get("/api/v2/device/foreign").refuses(404, "");
    service.delete("/api/v2/device/foreign").refuses(501, "");
    service.delete("/api/v2/device/shared").refuses(501, "");
    service
        .get("/api/v2/tailnet/other.example/devices")
        .refuses(404, "");
}

/// docs/service.md#credentials
#[test]
fn a_key_in_the_wrong_place_gets_a_message_that_says_so() {
    for (credentials, words) in [
        (format!("{KEY}:secret"), "password"),
        (format!(":{KEY}"), "user name"),
        (format!(" {KEY} :"), "blanks"),
    ] {
        let value = format!("Basic {}", base64(&credentials));
        let answer = service().ask_plainly("GET", ACL, &[("authorization", &value)], "");
        answer.refuses(401, words);
        answer.refuses(401, "API token invalid");
        assert!(!answer.text().contains(KEY), "the answer repeats the key");
    }
}
