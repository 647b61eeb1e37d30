//! Which operations pass, and what `authorize` gets to know of a request. Must not live here: how a path is read (`paths`).

use serde_json::{Value, json};
use tailnet_kit::api::{Effect, Headers, Operation};
use tailnet_kit::gateway::{Asked, Decision};

use super::gate::{SITE, gateway, passes, refused};

#[test]
fn by_default_the_reading_operations_pass() {
    let gateway = gateway(json!({}));
    for (method, path) in [
        ("GET", "/api/v2/tailnet/corp.example/devices"),
        ("GET", "/api/v2/device/7"),
        ("GET", "/api/v2/device/7/routes"),
        ("GET", "/api/v2/tailnet/corp.example/acl"),
        ("POST", "/api/v2/tailnet/corp.example/acl/preview"),
        ("GET", "/api/v2/tailnet/corp.example/dns/nameservers"),
        ("GET", "/api/v2/tailnet/corp.example/dns/preferences"),
        ("GET", "/api/v2/tailnet/corp.example/dns/searchpaths"),
        ("POST", "/api/v2/tailnet/corp.example/acl/validate"),
        ("GET", "/api/v2/device/7/attributes"),
    ] {
        passes(&gateway, method, path, &[]);
    }
    for (method, path) in [
        ("DELETE", "/api/v2/device/7"),
        ("POST", "/api/v2/device/7/routes"),
        ("POST", "/api/v2/tailnet/corp.example/acl"),
        ("POST", "/api/v2/tailnet/corp.example/dns/nameservers"),
        ("POST", "/api/v2/device/7/authorized"),
    ] {
        refused(&gateway, method, path, &[], 403);
    }
}

#[test]
fn only_allowed_operations_pass() {
    let gateway = gateway(json!({"allow": ["acl.set"]}));
    let admission = passes(&gateway, "POST", "/api/v2/tailnet/corp.example/acl", &[]);
    assert_eq!(
        (admission.operation, admission.member),
        (Operation::SetAcl.into(), None)
    );
    refused(
        &gateway,
        "GET",
        "/api/v2/tailnet/corp.example/acl",
        &[],
        403,
    );
}

/// The names of the operations that these options allow.
fn let_through(allow: Value) -> Vec<&'static str> {
    let gateway = gateway(json!({"allow": allow}));
    let path = |operation: Operation| {
        let words = operation
            .route()
            .template
            .split('/')
            .map(|word| match word {
                ":tailnet" => "corp.example",
                ":key" => "custom:a",
                word if word.starts_with(':') => "7",
                word => word,
            });
        words.collect::<Vec<_>>().join("/")
    };
    let passes = |operation: &Operation| {
        let url = format!("{SITE}{}", path(*operation));
        let method = operation.route().method.as_str();
        matches!(
            gateway.decide(method, &url, Headers::new()),
            Decision::Admission(_)
        )
    };
    Operation::ALL
        .into_iter()
        .filter(passes)
        .map(Operation::name)
        .collect()
}

#[test]
fn operations_are_let_through_by_name_and_in_groups() {
    let all: Vec<&str> = Operation::ALL.into_iter().map(Operation::name).collect();
    let those = |wanted: &dyn Fn(&str) -> bool| -> Vec<&str> {
        all.iter().copied().filter(|name| wanted(name)).collect()
    };
    assert_eq!(
        let_through(json!(["keys.create", "acl.get"])),
        ["acl.get", "keys.create"]
    );
    assert_eq!(
        let_through(json!(["keys.*"])),
        those(&|name| name.starts_with("keys."))
    );
    assert_eq!(
        let_through(json!(["devices.*"])),
        those(&|name| name.starts_with("devices."))
    );
    assert_eq!(
        let_through(json!(["devices.attributes.read", "dns.split.*"])),
        [
            "devices.attributes.get",
            "dns.split.get",
            "dns.split.update",
            "dns.split.replace"
        ]
    );
    assert_eq!(
        let_through(json!(["devices.read"])),
        [
            "devices.get",
            "devices.routes.get",
            "devices.list",
            "devices.attributes.get"
        ]
    );
    assert!(let_through(json!([])).is_empty());
    // Of an invite to share a device nobody can say to which tailnet it belongs.
    let reads = |name: &str| {
        name != "deviceInvites.get"
            && Operation::by_name(name).is_some_and(|operation| operation.effect() == Effect::Read)
    };
    assert_eq!(let_through(json!(["*.read"])), those(&reads));
    assert!(let_through(json!(["*.read"])).contains(&"keys.list"));
}

#[test]
fn authorize_gets_the_operation_whether_or_not_it_is_allowed() {
    let gateway = gateway(json!({"allow": [], "prefix": "/gate"}));
    for (method, path, operation) in [
        (
            "GET",
            "/gate/api/v2/tailnet/corp.example/devices",
            Some("devices.list"),
        ),
        (
            "GET",
            "/gate/api/v2/tailnet/other.example/devices",
            Some("devices.list"),
        ),
        (
            "POST",
            "/gate/api/v2/domain/other.example/keys?a=b",
            Some("keys.create"),
        ),
        ("DELETE", "/gate/api/v2/tailnet/corp.example/devices", None),
        ("BREW", "/gate/api/v2/tailnet/corp.example/devices", None),
        ("GET", "/api/v2/tailnet/corp.example/devices", None),
        ("GET", "/gate/nothing", None),
    ] {
        let asked = gateway.asked_for(method, &format!("{SITE}{path}"));
        assert_eq!(asked.map(Asked::name), operation, "{method} {path}");
    }
}
