//! Settings of a tailnet, by what a key may see of them. Must not live here: their routing (`settings.http`), DNS settings (`dns.rs`).

use crate::service::{CLIENT, KEYS, SETTINGS, service};
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
