//! Invites to share a device: each call and each refusal. Must not live here: devices (`device_changes.rs`).

use crate::service::{NOW, service};
use serde_json::json;

const LAPTOP: &str = "/api/v2/device/laptop/device-invites";
const ACCEPT: &str = "/api/v2/device-invites/-/accept";

#[test]
fn an_invite_is_made_accepted_once_and_taken_back() {
    let mut service = service();
    service.get(LAPTOP).is(json!([]));
    let wanted =
        json!([{"email": "eve@partner.example"}, {"multiUse": true, "allowExitNode": true}]);
    let made = service.post(LAPTOP, wanted).json();
    assert_eq!(made[0]["created"], "2026-01-02T03:04:05Z");
    assert_eq!(
        (&made[1]["multiUse"], &made[1]["accepted"]),
        (&json!(true), &json!(false))
    );
    service.get(LAPTOP).is(made.clone());
    service
        .get("/api/v2/device/web/device-invites")
        .is(json!([]));
    let url = |index: usize| {
        made[index]["inviteUrl"]
            .as_str()
            .expect("an address")
            .to_owned()
    };
    let accepted = service.post(ACCEPT, json!({"invite": url(0)})).json();
    assert_eq!(
        (&accepted["device"]["name"], &accepted["device"]["ipv4"]),
        (&json!("laptop"), &json!("100.64.0.1"))
    );
    let one = format!(
        "/api/v2/device-invites/{}",
        made[0]["id"].as_str().expect("digits")
    );
    let found = service.get(&one).json();
    assert_eq!(
        (&found["accepted"], &found["acceptedBy"]),
        (&json!(true), &accepted["acceptedBy"])
    );
    service
        .post(ACCEPT, json!({"invite": url(0)}))
        .refuses(400, "already");
    let code = url(1).rsplit('/').next().expect("a code").to_owned();
    for _ in 0..2 {
        let accepted = service.post(ACCEPT, json!({ "invite": code })).json();
        assert_eq!(accepted["device"]["includeExitNode"], true);
    }
    let again = format!("{one}/resend");
    service.post(&again, "").refuses(429, "once a minute");
    service.at(NOW + 60_000, "POST", &again, "").is(json!({}));
    service.delete(&one).is(json!({}));
    service.get(&one).refuses(404, "");
    service.delete(&one).refuses(404, "");
}

#[test]
fn what_is_no_invite_is_refused() {
    let mut service = service();
    service
        .post(LAPTOP, r#"[{"email": "eve"}]"#)
        .refuses(400, "email");
    service
        .post("/api/v2/device/none/device-invites", "[{}]")
        .refuses(404, "none");
    for wrong in ["", "/", "https://login.example/admin/invite/other"] {
        service
            .post(ACCEPT, json!({ "invite": wrong }))
            .refuses(404, "");
    }
    service.post(ACCEPT, "{}").refuses(400, "invite");
    service.get(LAPTOP).is(json!([]));
}
