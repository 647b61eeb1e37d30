//! Settings and contacts of a tailnet: each effect and each refusal. Must not live here: DNS settings (`dns.rs`).

use crate::service::{CLIENT, KEYS, SETTINGS, T, service};
use serde_json::json;

#[test]
fn settings_are_merged_checked_and_shown_by_scope() {
    let mut service = service();
    let at_first = service.get(SETTINGS).json();
    assert_eq!(
        (
            &at_first["devicesApprovalOn"],
            &at_first["devicesKeyDurationDays"]
        ),
        (&json!(false), &json!(180))
    );
    let after = service
        .patch(
            SETTINGS,
            json!({"devicesApprovalOn": true, "httpsEnabled": null, "nonsense": 1}),
        )
        .json();
    assert_eq!(
        (
            &after["devicesApprovalOn"],
            &after["httpsEnabled"],
            after.get("nonsense")
        ),
        (&json!(true), &json!(false), None)
    );
    assert_eq!(service.get(SETTINGS).json(), after);
    for (body, said) in [
        (
            json!({"devicesKeyDurationDays": 181}),
            "devicesKeyDurationDays",
        ),
        (
            json!({"usersApprovalOn": true, "devicesKeyDurationDays": 0}),
            "devicesKeyDurationDays",
        ),
        (
            json!({"usersRoleAllowedToJoinExternalTailnets": "king"}),
            "king",
        ),
        (json!({"httpsEnabled": "yes"}), "httpsEnabled"),
    ] {
        service.patch(SETTINGS, body).refuses(400, said);
    }
    assert_eq!(service.get(SETTINGS).json(), after, "all or nothing");
    let token = service.token(&format!("client_secret={CLIENT}&scope=dns&tags="));
    let made = service
        .post(
            KEYS,
            json!({"keyType": "client", "scopes": ["feature_settings:read"]}),
        )
        .json();
    assert_eq!(token.0.status, 400, "its tags have no owner in this policy");
    let reader = service
        .token(&format!(
            "client_secret={}",
            made["key"].as_str().expect("a secret")
        ))
        .json();
    let reader = reader["access_token"].as_str().expect("a token").to_owned();
    let seen = service.with(&reader, "GET", SETTINGS, "").json();
    assert_eq!(
        (&seen["devicesApprovalOn"], seen.get("aclsExternalLink")),
        (&json!(true), None)
    );
    service
        .with(
            &reader,
            "PATCH",
            SETTINGS,
            r#"{"devicesApprovalOn": false}"#,
        )
        .refuses(403, "permissions");
}

/// The newer name of a setting that is still taken and shown by the older one (docs/service.md).
#[test]
fn the_routing_is_one_setting_by_two_names() {
    let mut service = service();
    let mut routing = |change: serde_json::Value| {
        let now = service.patch(SETTINGS, change).json();
        assert_eq!(service.get(SETTINGS).json(), now);
        (
            now["routeSelection"].clone(),
            now["regionalRoutingOn"].clone(),
        )
    };
    let of = |name: &str, regional: bool| (json!(name), json!(regional));
    let first = of("active-passive-failover", false);
    assert_eq!(routing(json!({})), first);
    let regional = of("regional-routing", true);
    assert_eq!(routing(json!({"regionalRoutingOn": true})), regional);
    let magic = of("magicroute", false);
    assert_eq!(routing(json!({"routeSelection": "magicroute"})), magic);
    assert_eq!(routing(json!({"regionalRoutingOn": false})), first);
    let named = json!({"routeSelection": "regional-routing"});
    assert_eq!(routing(named.clone()), regional);
    for (wrong, words) in [
        (json!({"routeSelection": "shortest"}), "shortest"),
        (
            json!({"routeSelection": "magicroute", "regionalRoutingOn": false}),
            "both",
        ),
    ] {
        service.patch(SETTINGS, wrong).refuses(400, words);
    }
}

#[test]
fn changed_contacts_must_be_confirmed() {
    let mut service = service();
    let all = format!("{T}/contacts");
    let account = format!("{all}/account");
    assert_eq!(
        service.get(&all).json()["support"],
        json!({"email": "", "needsVerification": false})
    );
    service
        .post(&format!("{account}/resend-verification-email"), "")
        .refuses(400, "pending");
    service
        .patch(&account, json!({"email": "sec@corp.example"}))
        .is(json!({}));
    service
        .post(&format!("{account}/resend-verification-email"), "")
        .is(json!({}));
    service
        .patch(&account, json!({"email": "new@corp.example"}))
        .is(json!({}));
    let expected = json!({"email": "new@corp.example", "fallbackEmail": "sec@corp.example", "needsVerification": true});
    assert_eq!(service.get(&all).json()["account"], expected);
    service
        .patch(&account, json!({"email": ""}))
        .refuses(400, "email");
    service.patch(&account, json!({})).refuses(400, "email");
    service
        .patch(&format!("{all}/sales"), json!({"email": "a@b.example"}))
        .refuses(400, "sales");
}
