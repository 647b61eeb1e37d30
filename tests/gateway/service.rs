//! A gateway to Headscale: its operations by name, both of its APIs, its one network. Must not live here: what holds of every gateway.

use serde_json::{Value, json};
use tailnet_kit::api::Headers;
use tailnet_kit::gateway::{Asked, Event, Gateway, Passage, Step};

use super::gate::{SITE, fields, gateway, made, passes, refused};

fn headscale(mut more: Value) -> Gateway {
    more["service"] = json!("headscale");
    more["tailnet"] = json!("-");
    gateway(more)
}

#[test]
fn by_default_nodes_users_and_policy_may_be_read() {
    let gateway = headscale(json!({}));
    for (method, path, target) in [
        ("GET", "/api/v1/node", "/api/v1/node"),
        ("GET", "/api/v1/node?user=ann&x=y", "/api/v1/node?user=ann"),
        ("GET", "/api/v1/node/7", "/api/v1/node/7"),
        (
            "GET",
            "/api/v1/user?email=a%40b",
            "/api/v1/user?email=a%40b",
        ),
        ("GET", "/api/v1/policy", "/api/v1/policy"),
        ("POST", "/api/v1/policy/check", "/api/v1/policy/check"),
        // The same name in the other API.
        ("GET", "/api/v2/tailnet/-/users", "/api/v2/tailnet/-/users"),
    ] {
        let admission = passes(&gateway, method, path, &[]);
        assert_eq!(
            admission.request.target,
            format!("https://api.example.com/base{target}")
        );
        assert_eq!(admission.member, None);
    }
    for (method, path) in [
        ("PUT", "/api/v1/policy"),
        ("DELETE", "/api/v1/node/7"),
        ("POST", "/api/v1/node/7/tags"),
        ("POST", "/api/v1/node/register?user=ann&key=k"),
        ("GET", "/api/v1/preauthkey"),
        ("GET", "/api/v1/apikey"),
        ("GET", "/api/v1/health"),
        ("GET", "/api/v2/tailnet/-/devices"),
        ("GET", "/api/v2/tailnet/-/acl"),
    ] {
        refused(&gateway, method, path, &[], 403);
    }
}

#[test]
fn operations_of_both_apis_are_let_through_by_name_and_in_groups() {
    let gateway = headscale(json!({"allow": ["nodes.setTags", "preAuthKeys.*", "devices.read"]}));
    for (method, path) in [
        ("POST", "/api/v1/node/7/tags"),
        ("GET", "/api/v1/preauthkey"),
        ("DELETE", "/api/v1/preauthkey?id=3"),
        ("GET", "/api/v2/tailnet/-/devices"),
    ] {
        passes(&gateway, method, path, &[]);
    }
    refused(&gateway, "POST", "/api/v1/node/7/expire", &[], 403);
    refused(&gateway, "GET", "/api/v1/node", &[], 403);
    let everything = headscale(json!({"allow": ["*.*"]}));
    passes(&everything, "PUT", "/api/v1/policy", &[]);
    passes(&everything, "GET", "/api/v1/health", &[]);
    let reading = headscale(json!({"allow": ["*.read"]}));
    passes(&reading, "GET", "/api/v1/apikey", &[]);
    refused(&reading, "POST", "/api/v1/apikey", &[], 403);
}

#[test]
fn which_release_answers_may_be_asked_by_whoever_may_call() {
    let gateway = headscale(json!({"allow": []}));
    for path in ["/api/v1/openapi.yaml", "/swagger/v1/openapiv2.json"] {
        let admission = passes(&gateway, "GET", &format!("{path}?key=x"), &[]);
        assert_eq!(admission.operation.name(), "health");
        assert!(admission.request.target.ends_with(path));
        let headers = refused(&gateway, "POST", path, &[], 405);
        assert_eq!(headers.get("allow"), Some("GET"));
    }
    let asked = |path: &str| gateway.asked_for("GET", &format!("{SITE}{path}"));
    assert_eq!(asked("/api/v1/policy").map(Asked::name), Some("policy.get"));
    assert_eq!(
        asked("/api/v1/openapi.yaml").map(Asked::name),
        Some("health")
    );
    assert_eq!(asked("/api/v1/routes"), None);
}

#[test]
fn paths_of_nobody_and_other_methods_are_refused() {
    let gateway = headscale(json!({"allow": ["*.*"]}));
    for path in [
        "/api/v1/routes",
        "/api/v1/node/..",
        "/api/v1/node/7/",
        "/api/v1/node/7/rename/..",
        "/api/v1/debug/node",
        "/swagger",
    ] {
        refused(&gateway, "GET", path, &[], 404);
    }
    let headers = refused(&gateway, "PATCH", "/api/v1/policy", &[], 405);
    assert_eq!(headers.get("allow"), Some("GET, PUT"));
    // What was decoded is encoded again.
    let renamed = passes(&gateway, "POST", "/api/v1/node/7/rename/a%2Fb%3Fc", &[]);
    assert!(renamed.request.target.ends_with("/node/7/rename/a%2Fb%3Fc"));
}

#[test]
fn a_page_of_another_origin_may_not_change_anything() {
    let gateway = headscale(json!({"allow": ["*.*"]}));
    let foreign = [("Sec-Fetch-Site", "cross-site")];
    refused(&gateway, "PUT", "/api/v1/policy", &foreign, 403);
    passes(&gateway, "GET", "/api/v1/policy", &foreign);
}

#[test]
fn the_key_is_sent_as_a_bearer_token() {
    let gateway = headscale(json!({}));
    let url = format!("{SITE}/api/v1/policy");
    let mut passage = Passage::new(
        &gateway,
        "GET",
        &url,
        fields(&[("Accept", "application/json")]),
    );
    let events = vec![
        Event::Authorized(true),
        Event::Read,
        Event::Key("hskey-api-abc-secret".to_owned()),
    ];
    let Step::Send { request, .. } = passage.after(events) else {
        panic!("nothing is sent");
    };
    assert_eq!(
        request.headers.get("Authorization"),
        Some("Bearer hskey-api-abc-secret")
    );
    assert_eq!(request.headers.get("Accept"), Some("application/json"));
}

#[test]
fn the_service_is_named_and_has_one_network() {
    for (more, named) in [
        (json!({"service": "heedscale"}), "`service`"),
        (json!({"service": "headscale"}), "`tailnet`"),
        (
            json!({"service": "headscale", "tailnet": "-", "allow": ["nodes.lst"]}),
            "`nodes.lst`",
        ),
        // Of the other service there is no such operation.
        (json!({"allow": ["nodes.list"]}), "`nodes.list`"),
        (json!({"service": "tailscale", "allow": ["*.*"]}), "`*.*`"),
    ] {
        let error = made(more.clone()).expect_err("an error").to_string();
        assert!(error.contains(named), "{more}: {error}");
    }
    let plain = json!({"baseURL": "https://api.example.com", "service": "headscale"});
    let gateway = Gateway::read(&plain.to_string(), |url| Ok(url.to_owned())).expect("`-`");
    let decision = gateway.decide("GET", &format!("{SITE}/api/v1/node"), Headers::new());
    assert!(matches!(
        decision,
        tailnet_kit::gateway::Decision::Admission(_)
    ));
}
