//! How the gateway finds out that what a path names belongs to its tailnet. Must not live here: other paths (`paths`).

use serde_json::json;
use tailnet_kit::api::Operation;
use tailnet_kit::gateway::Members;

use super::gate::{everything, gateway, passes, refused};

#[test]
fn the_device_of_a_path_is_decoded_for_the_lookup_and_encoded_anew() {
    for (written, id, sent) in [
        ("12", "12", "12"),
        ("a%40b", "a@b", "a%40b"),
        ("a@b", "a@b", "a%40b"),
        ("%2e%2e%2fx", "../x", "..%2Fx"),
    ] {
        let admission = passes(
            &everything(),
            "DELETE",
            &format!("/api/v2/device/{written}"),
            &[],
        );
        assert_eq!(
            admission.member.map(|member| member.id).as_deref(),
            Some(id)
        );
        assert_eq!(
            admission.request.target,
            format!("https://api.example.com/base/api/v2/device/{sent}")
        );
    }
}

#[test]
fn the_thing_named_by_a_path_without_a_tailnet_is_looked_up_in_a_list_of_the_tailnet() {
    let gateway = gateway(json!({
        "tailnet": "alice@gmail.com",
        "allow": ["devices.*", "users.*", "userInvites.*", "webhooks.*", "postureIntegrations.*", "keys.*"],
    }));
    for (path, listed, list, names) in [
        ("device/7", "devices", "devices", &["id", "nodeId"][..]),
        ("users/u1", "users?type=all", "users", &["id"]),
        ("webhooks/w1", "webhooks", "webhooks", &["endpointId"]),
        ("user-invites/i1", "user-invites", "", &["id"]),
        (
            "posture/integrations/p1",
            "posture/integrations",
            "integrations",
            &["id"],
        ),
    ] {
        let admission = passes(&gateway, "GET", &format!("/api/v2/{path}"), &[]);
        let member = admission.member.unwrap_or_else(|| panic!("{path}"));
        assert_eq!(
            member.lookup.target,
            format!("https://api.example.com/base/api/v2/tailnet/alice%40gmail.com/{listed}")
        );
        assert_eq!(member.lookup.method.as_str(), "GET");
        assert_eq!(member.list, list);
        for name in names {
            let entries = json!([{*name: "its-name", "other": "x"}]);
            let body = match list {
                "" => entries.to_string(),
                _ => json!({list: entries}).to_string(),
            };
            let members = Members::listed(list, body.as_bytes(), 0).expect("a list");
            assert!(
                members.have("its-name", 1) && !members.have("x", 1),
                "{list}"
            );
        }
        assert_eq!(Some(member.id.as_str()), path.split('/').next_back());
    }
    let of_tailnet = passes(&gateway, "GET", "/api/v2/tailnet/-/keys/k1", &[]);
    assert_eq!(of_tailnet.member, None);
}

#[test]
fn every_operation_is_of_the_tailnet_by_its_path_or_by_a_list() {
    for operation in Operation::ALL {
        let path = operation.route().template.replace(":tailnet", "-");
        let words = path.split('/').map(|word| word.trim_start_matches(':'));
        let path = words.collect::<Vec<_>>().join("/");
        if path.starts_with("/api/v2/device-invites/") {
            // Nothing lists them for one tailnet.
            refused(
                &everything(),
                operation.route().method.as_str(),
                &path,
                &[],
                404,
            );
            continue;
        }
        let admission = passes(&everything(), operation.route().method.as_str(), &path, &[]);
        assert!(
            path.contains("/tailnet/") || admission.member.is_some(),
            "{operation}"
        );
    }
}

#[test]
fn a_host_of_a_service_must_be_a_device_of_the_tailnet() {
    let path = "/api/v2/tailnet/corp.example/services/svc%3Awiki/device/n1/approved";
    let admission = passes(&everything(), "POST", path, &[]);
    assert_eq!(admission.operation.name(), "services.approval.set");
    assert_eq!(
        admission.member.map(|member| member.id).as_deref(),
        Some("n1")
    );
    refused(&gateway(json!({})), "GET", path, &[], 403);
}
