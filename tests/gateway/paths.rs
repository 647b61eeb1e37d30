//! Which paths, methods and parameters lead to the service, and how they are written there; and attempts to get around that.
//! Must not live here: which operations are allowed (`allow`).

use serde_json::json;
use tailnet_kit::api::{Headers, Operation};

use super::gate::{everything, gateway, passes, refused};

#[test]
fn both_path_forms_lead_to_the_same_target() {
    for form in ["tailnet", "domain"] {
        let path = format!("/api/v2/{form}/corp.example/dns/nameservers");
        let sent = passes(&everything(), "GET", &path, &[]).request;
        assert_eq!(
            sent.target,
            "https://api.example.com/base/api/v2/tailnet/corp.example/dns/nameservers"
        );
    }
}

#[test]
fn no_odd_path_leads_to_another_tailnet() {
    for name in [
        "other.example",
        "--",
        "%2d%2d",
        "Corp.Example",
        "corp.example%00",
        "corp.example%2f",
        "corp.example%20",
        "corp.example.",
        "%2e%2e%2fother",
        "corp.example%2Facl",
    ] {
        for form in ["tailnet", "domain"] {
            refused(
                &everything(),
                "GET",
                &format!("/api/v2/{form}/{name}/devices"),
                &[],
                403,
            );
        }
    }
}

#[test]
fn paths_of_no_operation_are_refused() {
    for path in [
        "/",
        "//api/v2/tailnet/corp.example/devices",
        "/api/v2//tailnet/corp.example/devices",
        "/api/v2/tailnet/corp.example/devices/",
        "/api/v2/tailnet/corp.example//devices",
        "/API/V2/tailnet/corp.example/devices",
        "/api/v2/Tailnet/corp.example/devices",
        "/api/v2/tailnet/corp.example/Devices",
        "/api/v2/tailnet/corp.example/guest-invites",
        "/api/v2/tailnet/corp.example/acl%2fpreview",
        "/api/v2/device/..",
        "/api/v2/device/%2e%2e",
        "/api/v2/device/%2e%2e/routes",
        "/api/v2/device/../tailnet/corp.example/devices",
        "/api/v2/device/7/..;/routes",
        "/api/v2/device/%ff",
        "/api/v2/device/%zz",
        "/api/v2/device/",
        "/base/api/v2/device/7",
        "/https://api.example.com/api/v2/device/7",
        "/api/v2/tailnet/corp.example/devices;x=1",
        "/api\\v2\\device\\7",
    ] {
        refused(&everything(), "GET", path, &[], 404);
    }
}

#[test]
fn methods_are_taken_literally() {
    let overriding = [
        ("X-HTTP-Method-Override", "DELETE"),
        ("X-Method-Override", "DELETE"),
        ("X-HTTP-Method", "DELETE"),
    ];
    let admission = passes(
        &gateway(json!({})),
        "GET",
        "/api/v2/device/7?_method=DELETE",
        &overriding,
    );
    assert_eq!(admission.operation, Operation::GetDevice.into());
    assert_eq!(
        (admission.request.method.as_str(), admission.request.headers),
        ("GET", Headers::new())
    );
    for method in [
        "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "delete\n",
    ] {
        let headers = refused(&everything(), method, "/api/v2/device/7", &overriding, 405);
        assert_eq!(headers.get("allow"), Some("GET, DELETE"));
    }
}

#[test]
fn known_parameters_are_sent_on_encoded_anew() {
    let query = "?fields=default%2Call&user=a%40b.example&tailnet=other&%75ser=c&x=%26user%3Dd&details=1#frag";
    let sent = passes(
        &everything(),
        "GET",
        &format!("/api/v2/tailnet/corp.example/devices{query}"),
        &[],
    )
    .request;
    assert_eq!(
        sent.target,
        "https://api.example.com/base/api/v2/tailnet/corp.example/devices?fields=default,all&user=a%40b.example&user=c&details=1"
    );
}

#[test]
fn the_prefix_is_cut_off_at_a_slash() {
    for prefix in ["/gate", "/gate/"] {
        let gateway = gateway(json!({"prefix": prefix}));
        let sent = passes(&gateway, "GET", "/gate/api/v2/device/7", &[]).request;
        assert_eq!(sent.target, "https://api.example.com/base/api/v2/device/7");
        for path in [
            "/api/v2/device/7",
            "/gateapi/v2/device/7",
            "/gates/api/v2/device/7",
            "/gate",
            "/Gate/api/v2/device/7",
            "/x/gate/api/v2/device/7",
        ] {
            refused(&gateway, "GET", path, &[], 404);
        }
    }
}

#[test]
fn a_hyphen_stands_for_the_tailnet_of_the_gateway() {
    for form in ["tailnet", "domain"] {
        for hyphen in ["-", "%2d"] {
            let sent = passes(
                &everything(),
                "GET",
                &format!("/api/v2/{form}/{hyphen}/keys/k1"),
                &[],
            );
            assert_eq!(
                sent.request.target,
                "https://api.example.com/base/api/v2/tailnet/corp.example/keys/k1"
            );
        }
    }
    let own = gateway(json!({"tailnet": "-"}));
    let sent = passes(&own, "GET", "/api/v2/tailnet/-/acl", &[]);
    assert_eq!(
        sent.request.target,
        "https://api.example.com/base/api/v2/tailnet/-/acl"
    );
    refused(&own, "GET", "/api/v2/tailnet/corp.example/acl", &[], 403);
    let device = passes(&own, "GET", "/api/v2/device/7", &[]);
    assert_eq!(
        device.member.map(|member| member.lookup.target).as_deref(),
        Some("https://api.example.com/base/api/v2/tailnet/-/devices")
    );
}

#[test]
fn the_parameters_of_logs_pass() {
    let gateway = gateway(json!({"allow": ["logs.audit"]}));
    let path = "/api/v2/tailnet/corp.example/logging/configuration";
    let query = "?start=a%2B01:00&actor=~ann&actor=u1&event=NODE&target=n1&end=b&cursor=x";
    let sent = passes(&gateway, "GET", &format!("{path}{query}"), &[]).request;
    assert_eq!(
        sent.target,
        format!(
            "https://api.example.com/base{path}?start=a%2B01%3A00&actor=~ann&actor=u1&event=NODE&target=n1&end=b"
        )
    );
}
