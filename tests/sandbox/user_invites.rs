//! Invites to become a user: each call and each refusal. Must not live here: users (`users.rs`).

use crate::service::{NOW, T, service};
use serde_json::json;

#[test]
fn an_invite_is_made_mailed_again_and_taken_back() {
    let mut service = service();
    let all = format!("{T}/user-invites");
    service.get(&all).is(json!([]));
    let made = service.post(
        &all,
        json!([{"email": "eve@corp.example"}, {"role": "admin"}]),
    );
    let made = made.json();
    assert_eq!(
        (&made[0]["role"], &made[1]["role"]),
        (&json!("member"), &json!("admin"))
    );
    assert_eq!(made[0]["lastEmailSentAt"], "2026-01-02T03:04:05Z");
    assert!(made[1].get("email").is_none());
    service.get(&all).is(made.clone());
    let path = |index: usize| {
        format!(
            "/api/v2/user-invites/{}",
            made[index]["id"].as_str().expect("digits")
        )
    };
    service.get(&path(0)).is(made[0].clone());
    let again = format!("{}/resend", path(0));
    service.post(&again, "").refuses(429, "once a minute");
    let later = service.at(NOW + 60_000, "POST", &again, "");
    later.is(json!({}));
    assert_eq!(
        service.get(&path(0)).json()["lastEmailSentAt"],
        "2026-01-02T03:05:05Z"
    );
    service
        .post(&format!("{}/resend", path(1)), "")
        .refuses(400, "no email address");
    service.delete(&path(0)).is(json!({}));
    service.get(&path(0)).refuses(404, "");
    service.delete(&path(0)).refuses(404, "");
    assert_eq!(service.get(&all).json().as_array().map(Vec::len), Some(1));
}

#[test]
fn what_is_no_invite_is_refused_whole() {
    let mut service = service();
    let all = format!("{T}/user-invites");
    service.post(&all, "{}").refuses(400, "list");
    service
        .post(&all, r#"[{"role": "admin"}, {"role": "king"}]"#)
        .refuses(400, "king");
    service
        .post(&all, r#"[{"role": "owner"}]"#)
        .refuses(400, "owner");
    service
        .post(&all, r#"[{"email": "eve"}]"#)
        .refuses(400, "email");
    service.get(&all).is(json!([]));
}

/// What a client's token may not do, whatever its scopes.
#[test]
fn only_the_token_of_a_user_invites() {
    let mut service = service();
    let all = format!("{T}/user-invites");
    let token = service
        .0
        .token_json(r#"{"scopes": ["all"]}"#, NOW)
        .expect("a token");
    let bearer = format!("Bearer {token}");
    let bearer = [("authorization", bearer.as_str())];
    let refused = service.ask_plainly("POST", &all, &bearer, "[{}]");
    refused.refuses(403, "operation only permitted for user-owned keys");
    assert_eq!(service.ask_plainly("GET", &all, &bearer, "").0.status, 200);
}
