//! Services: each call and each refusal. Must not live here: what a policy says of them.

use crate::service::{Answer, NOW, Service, service};
use serde_json::{Value, json};

const T: &str = "/api/v2/tailnet/corp.example";
const WIKI: &str = "/api/v2/tailnet/corp.example/services/svc:wiki";
const DOCS: &str = "/api/v2/tailnet/corp.example/services/svc:docs";

impl Service {
    /// Calls with a new token of these scopes.
    fn scoped(&mut self, scopes: Value, method: &str, target: &str, body: &str) -> Answer {
        let grant = json!({"scopes": scopes}).to_string();
        let token = self.0.token_json(&grant, NOW).expect("a token");
        self.with(&token, method, target, body)
    }
}

#[test]
fn a_service_is_made_with_addresses_and_replaced_with_both() {
    let mut service = service();
    service.post(&format!("{T}/acl"), r#"{"tagOwners": {"tag:web": []}}"#);
    service.get(DOCS).refuses(404, "svc:docs");
    let new = json!({"name": "svc:docs", "ports": ["tcp:443", "udp:53", "tcp:8000-8010"], "tags": ["tag:web"],
        "comment": "", "displayName": "Docs", "annotations": {"team": "a"}});
    let made = service.put(DOCS, new).json();
    let addrs: Vec<&str> = made["addrs"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        addrs.len() == 2 && addrs[0].starts_with("100.") && addrs[1].starts_with("fd7a:115c:a1e0:"),
        "{addrs:?}"
    );
    assert_eq!(
        made.get("comment"),
        None,
        "an empty text is as good as none"
    );
    assert_eq!(
        (&made["displayName"], &made["tags"], &made["annotations"]),
        (&json!("Docs"), &json!(["tag:web"]), &json!({"team": "a"}))
    );
    service.get(DOCS).is(made.clone());
    let names = service.get(&format!("{T}/services")).json();
    let names: Vec<&Value> = names["vipServices"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["svc:wiki", "svc:docs"]);
    let replacement = json!({"addrs": made["addrs"], "ports": ["do-not-validate"]});
    let replaced = service.put(DOCS, replacement).json();
    assert_eq!(
        replaced,
        json!({"name": "svc:docs", "addrs": made["addrs"], "ports": ["do-not-validate"]})
    );
    let moved = json!({"addrs": ["100.90.7.7", "fd7a::1"], "ports": ["tcp:1"]});
    assert_eq!(service.put(DOCS, moved).json()["addrs"][0], "100.90.7.7");
    let named = json!({"addrs": ["100.90.8.8"], "ports": ["tcp:1"]});
    assert_eq!(
        service
            .put(&format!("{T}/services/svc:third"), named)
            .json()["addrs"][0],
        "100.90.8.8"
    );
    service.delete(DOCS).is(json!({}));
    service.get(DOCS).refuses(404, "svc:docs");
    service.delete(DOCS).refuses(404, "svc:docs");
}

#[test]
fn services_that_cannot_be_made() {
    let mut service = service();
    let both = json!(["100.90.1.2", "fd7a:115c:a1e0::1a:102"]);
    let port = json!(["tcp:443"]);
    let creating = "when creating a new service, addrs must be empty or contain 1 IPv4 address";
    for (target, body, said) in [
        (DOCS, json!({"ports": port, "addrs": both}), creating),
        (
            WIKI,
            json!({"ports": port}),
            "when updating a service, addrs must contain 2 elements",
        ),
        (
            WIKI,
            json!({"ports": port, "addrs": ["100.90.1.2"]}),
            "addrs must contain 2 elements",
        ),
        (
            DOCS,
            json!({"ports": []}),
            "ports are empty, use \"do-not-validate\" to opt out of port validation",
        ),
        (DOCS, json!({}), "ports are empty"),
        (DOCS, json!({"ports": ["443"]}), "443"),
        (DOCS, json!({"ports": ["icmp:1"]}), "icmp"),
        (DOCS, json!({"ports": ["tcp:70000"]}), "70000"),
        (DOCS, json!({"ports": ["tcp:9-8"]}), "9-8"),
        (
            DOCS,
            json!({"ports": port, "addrs": ["10.0.0.1"]}),
            "bad IPv4 address",
        ),
        (
            DOCS,
            json!({"ports": port, "addrs": ["fd7a::1"]}),
            "bad IPv4 address",
        ),
        (
            DOCS,
            json!({"ports": port, "addrs": ["100.64.0.1"]}),
            "in use",
        ),
        (
            DOCS,
            json!({"ports": port, "addrs": ["100.90.1.2"]}),
            "in use",
        ),
        (
            DOCS,
            json!({"ports": port, "tags": ["tag:nobody"]}),
            "requested tags [tag:nobody] are invalid or not permitted",
        ),
        (
            DOCS,
            json!({"ports": port, "displayName": "x".repeat(65)}),
            "displayName",
        ),
        (
            DOCS,
            json!({"ports": port, "annotations": {"team": 1}}),
            "`annotations` must be an object of texts",
        ),
        (DOCS, json!({"ports": "tcp:443"}), "`ports` cannot be used"),
        (
            &format!("{T}/services/docs"),
            json!({"ports": port}),
            "docs",
        ),
        (
            &format!("{T}/services/svc:Big_Docs"),
            json!({"ports": port}),
            "Big_Docs",
        ),
        (
            WIKI,
            json!({"name": "wiki", "ports": port, "addrs": both}),
            "wiki",
        ),
    ] {
        service.put(target, body).refuses(400, said);
    }
    service
        .get("/api/v2/tailnet/none.example/services")
        .refuses(404, "none.example");
}

#[test]
fn another_name_in_the_body_renames_a_service_and_keeps_its_hosts() {
    let mut service = service();
    let wiki = service.get(WIKI).json();
    let mut renamed = wiki.clone();
    renamed["name"] = json!("svc:docs");
    service
        .put(&format!("{T}/services/svc:none"), renamed.clone())
        .refuses(404, "svc:none");
    service.put(WIKI, renamed.clone()).is(renamed);
    service.get(WIKI).refuses(404, "svc:wiki");
    let hosts = service.get(&format!("{DOCS}/devices")).json();
    assert_eq!(hosts["hosts"][0]["stableNodeID"], "web");
    service.put(WIKI, json!({"ports": ["tcp:1"]}));
    let mut taken = service.get(WIKI).json();
    taken["name"] = json!("svc:docs");
    service.put(WIKI, taken).refuses(400, "already taken");
}

#[test]
fn devices_serve_a_service_once_they_are_approved() {
    let mut service = service();
    let hosts = format!("{WIKI}/devices");
    service.get(&hosts).is(json!({"hosts": [{"stableNodeID": "web", "nodeId": "web", "approvalLevel": "approved:auto", "configured": "ready"}]}));
    let of = |device: &str| format!("{WIKI}/device/{device}/approved");
    let approval = |approved: bool, auto: bool| json!({"approved": approved, "autoApproved": auto});
    service.get(&of("web")).is(approval(true, true));
    service.get(&of("laptop")).is(approval(false, false));
    let set = |to: bool| json!({"approved": to}).to_string();
    service.post(&of("web"), set(true)).is(approval(true, true));
    service
        .post(&of("web"), set(false))
        .is(approval(false, false));
    service
        .post(&of("web"), set(true))
        .is(approval(true, false));
    service
        .post(&of("laptop"), set(true))
        .is(approval(true, false));
    assert_eq!(
        service.get(&hosts).json()["hosts"][1]["approvalLevel"],
        "approved:manual"
    );
    service.post(&of("web"), "{}").refuses(400, "approved");
    service.post(&of("none"), set(true)).refuses(404, "none");
    service.get(&of("phone")).refuses(404, "phone");
    let other = format!("{DOCS}/device/web/approved");
    service.post(&other, set(true)).refuses(404, "svc:docs");
    service.get(&other).refuses(404, "svc:docs");
    service
        .get(&format!("{DOCS}/devices"))
        .refuses(404, "svc:docs");
    service.delete("/api/v2/device/web");
    let left = service.get(&hosts).json();
    assert_eq!(
        left["hosts"].as_array().map(Vec::len),
        Some(1),
        "who is gone answers for nothing"
    );
}

#[test]
fn scopes_of_services_and_their_hosts() {
    let mut service = service();
    let hosts = format!("{WIKI}/devices");
    let approved = format!("{WIKI}/device/web/approved");
    let read = || json!(["services:read"]);
    assert_eq!(service.scoped(read(), "GET", WIKI, "").0.status, 200);
    service
        .scoped(json!(["devices:core"]), "GET", WIKI, "")
        .refuses(403, "permissions");
    service
        .scoped(read(), "PUT", WIKI, "{}")
        .refuses(403, "permissions");
    service
        .scoped(read(), "GET", &hosts, "")
        .refuses(403, "permissions");
    let both = || json!(["services", "devices:core:read"]);
    assert_eq!(service.scoped(both(), "GET", &hosts, "").0.status, 200);
    assert_eq!(service.scoped(both(), "GET", &approved, "").0.status, 200);
    service
        .scoped(both(), "POST", &approved, r#"{"approved": true}"#)
        .refuses(403, "permissions");
    let write = json!(["services", "devices:core"]);
    assert_eq!(
        service
            .scoped(write, "POST", &approved, r#"{"approved": true}"#)
            .0
            .status,
        200
    );
}

#[test]
fn an_older_clients_paths_are_the_same_service() {
    let mut service = service();
    let older = WIKI.replace("/services/", "/vip-services/");
    assert_eq!(service.get(&older).json(), service.get(WIKI).json());
    assert_eq!(service.get(&format!("{T}/vip-services")).0.status, 200);
    assert_eq!(
        service
            .get(&format!("{older}/device/web/approved"))
            .0
            .status,
        200
    );
    service
        .get("/api/v2/tailnet/vip-services/services/svc:wiki")
        .refuses(404, "vip-services");
}

#[test]
fn a_device_cannot_have_the_address_of_a_service() {
    let mut service = service();
    let ip = "/api/v2/device/web/ip";
    service
        .post(ip, json!({"ipv4": "100.90.1.2"}))
        .refuses(400, "in use");
    service
        .post(ip, json!({"ipv4": "100.64.0.2"}))
        .is(json!({}));
}

#[test]
fn a_machine_that_joined_and_is_deleted_serves_no_service() {
    let mut service = service();
    let asked = json!({"user": "bob@corp.example", "hostname": "box"});
    let asked = serde_json::from_value(asked).expect("a machine");
    let device = service.0.join(&asked, NOW).expect("a device");
    let id = device["id"].as_str().expect("an id");
    service
        .post(
            &format!("{WIKI}/device/{id}/approved"),
            json!({"approved": true}),
        )
        .is(json!({"approved": true, "autoApproved": false}));
    let hosts = service.get(&format!("{WIKI}/devices")).json();
    assert!(
        hosts
            .to_string()
            .contains(device["nodeId"].as_str().expect("an id")),
        "{hosts}"
    );
    service.delete(&format!("/api/v2/device/{id}"));
    let hosts = service.get(&format!("{WIKI}/devices")).json();
    assert_eq!(hosts["hosts"].as_array().map(Vec::len), Some(1), "{hosts}");
}
