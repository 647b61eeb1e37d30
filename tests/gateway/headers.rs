//! Headers there and back, pages of other origins, and the status of refusals. Must not live here: the key in them (`secret`).

use serde_json::json;
use tailnet_kit::api::{Headers, Operation};
use tailnet_kit::gateway::{Decision, Denial};

use super::gate::{SITE, everything, fields, gateway, key, passes, refused};

#[test]
fn three_headers_are_sent_on_and_no_others() {
    let given = [
        ("accept", "application/json"),
        ("Content-Type", "application/hujson"),
        ("IF-MATCH", "\"1\""),
        ("Authorization", "Bearer callers-own"),
        ("Cookie", "session=1"),
        ("X-Forwarded-Host", "evil.example"),
        ("Host", "evil.example"),
        ("Transfer-Encoding", "chunked"),
    ];
    let sent = passes(
        &everything(),
        "POST",
        "/api/v2/tailnet/corp.example/acl",
        &given,
    )
    .request;
    assert_eq!(
        sent.headers,
        fields(&[
            ("Accept", "application/json"),
            ("Content-Type", "application/hujson"),
            ("If-Match", "\"1\"")
        ])
    );
    assert_eq!(sent.body, b"");
}

#[test]
fn four_headers_come_back_and_no_others() {
    let service = [
        ("content-type", "application/json"),
        ("etag", "\"2\""),
        ("retry-after", "3"),
        ("x-tailscale-request-id", "REQ-1"),
        ("set-cookie", "a=b"),
        ("www-authenticate", "Basic"),
        ("server", "secret"),
        ("location", "https://api.example.com/elsewhere"),
        ("access-control-allow-origin", "*"),
    ];
    let response = gateway(json!({})).hand_back(&Headers::new(), 412, &fields(&service), &key());
    assert_eq!((response.status, response.body.is_empty()), (412, true));
    let names: Vec<&str> = response.headers.iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "Content-Type",
            "ETag",
            "Retry-After",
            "X-Tailscale-Request-Id",
            "Cache-Control",
            "X-Content-Type-Options"
        ]
    );
    assert_eq!(response.headers.get("cache-control"), Some("no-store"));
}

#[test]
fn redirects_are_not_passed_on() {
    for status in [0, 101, 301, 302, 304, 307, 308, 600, 999] {
        let response = gateway(json!({})).hand_back(
            &Headers::new(),
            status,
            &fields(&[("location", "https://evil.example")]),
            &key(),
        );
        assert_eq!(
            (response.status, response.headers.get("location")),
            (502, None),
            "{status}"
        );
        assert!(!response.body.is_empty());
    }
}

#[test]
fn preflights_are_204_and_open_to_the_given_origins_only() {
    let gateway = gateway(json!({"origins": ["https://page.example"]}));
    let ask = |origin: &str| {
        let headers = [
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "if-match"),
        ];
        match gateway.decide(
            "OPTIONS",
            &format!("{SITE}/api/v2/tailnet/corp.example/acl"),
            fields(&headers),
        ) {
            Decision::Preflight(response) => response,
            other => panic!("no preflight: {other:?}"),
        }
    };
    let open = ask("https://page.example");
    assert_eq!((open.status, open.body.is_empty()), (204, true));
    assert_eq!(
        open.headers.get("access-control-allow-origin"),
        Some("https://page.example")
    );
    assert_eq!(
        open.headers.get("access-control-allow-headers"),
        Some("if-match")
    );
    assert_eq!(open.headers.get("vary"), Some("Origin"));
    for origin in [
        "https://evil.example",
        "https://page.example.evil.example",
        "http://page.example",
        "null",
        "https://page.example:444",
    ] {
        let closed = ask(origin);
        assert_eq!(
            (
                closed.status,
                closed.headers.get("access-control-allow-origin")
            ),
            (204, None),
            "{origin}"
        );
        assert_eq!(closed.headers.get("access-control-allow-methods"), None);
    }
}

#[test]
fn a_page_of_a_given_origin_reads_etag_and_retry_after() {
    let gateway = gateway(json!({"origins": ["https://page.example"]}));
    let answers = |origin: &str| {
        let caller = fields(&[("Origin", origin)]);
        [
            gateway.hand_back(&caller, 200, &Headers::new(), &key()),
            gateway.refuse(&Denial::Unauthorized, &caller),
        ]
    };
    for response in answers("https://page.example") {
        assert_eq!(
            response.headers.get("access-control-allow-origin"),
            Some("https://page.example")
        );
        assert_eq!(
            response.headers.get("access-control-expose-headers"),
            Some("ETag, Retry-After, X-Tailscale-Request-Id")
        );
    }
    for response in answers("https://evil.example") {
        assert_eq!(response.headers.get("access-control-allow-origin"), None);
        assert_eq!(response.headers.get("vary"), Some("Origin"));
    }
}

#[test]
fn a_foreign_page_cannot_change_anything_with_a_visitors_cookies() {
    let names: Vec<&str> = Operation::ALL.into_iter().map(Operation::name).collect();
    let gateway = gateway(json!({"allow": names, "origins": ["https://page.example"]}));
    let from = |site: &'static str, origin: &'static str| {
        [
            ("Sec-Fetch-Site", site),
            ("Origin", origin),
            ("Cookie", "session=1"),
        ]
    };
    let path = "/api/v2/tailnet/corp.example/acl";
    refused(
        &gateway,
        "POST",
        path,
        &from("cross-site", "https://evil.example"),
        403,
    );
    refused(
        &gateway,
        "POST",
        path,
        &from("same-site", "https://other.edge.example"),
        403,
    );
    passes(&gateway, "POST", path, &from("same-origin", SITE));
    // A request with `Origin` but without `Sec-Fetch-Site` comes from an old browser.
    let old = |origin: &'static str| [("Origin", origin), ("Cookie", "session=1")];
    for foreign in [
        "https://evil.example",
        "null",
        "http://edge.example",
        "https://edge.example:8443",
    ] {
        refused(&gateway, "POST", path, &old(foreign), 403);
    }
    passes(&gateway, "POST", path, &old(SITE));
    passes(&gateway, "POST", path, &old("https://page.example"));
    passes(
        &gateway,
        "POST",
        path,
        &from("cross-site", "https://page.example"),
    );
    passes(&gateway, "POST", path, &[]);
    passes(
        &gateway,
        "GET",
        path,
        &from("cross-site", "https://evil.example"),
    );
}

#[test]
fn refusals_have_the_status_of_the_contract() {
    let gateway = gateway(json!({}));
    for (denial, status) in [
        (Denial::Unauthorized, 401),
        (Denial::UnknownMember, 404),
        (Denial::TooLarge, 413),
        (Denial::Unreachable, 502),
        (Denial::Failed, 500),
        (Denial::Late, 503),
    ] {
        let response = gateway.refuse(&denial, &Headers::new());
        assert_eq!(response.status, status, "{denial:?}");
        assert_eq!(
            response.headers.get("content-type"),
            Some("application/json")
        );
        assert_eq!(
            response.headers.get("www-authenticate"),
            None,
            "a page must not ask for a password"
        );
    }
}
