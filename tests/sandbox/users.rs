//! Users and their roles: each effect and each refusal. Must not live here: machines that join as a user (`join.rs`).

use crate::service::{self, Service, T, service};
use serde_json::{Value, json};

#[test]
fn users_are_listed_changed_and_removed() {
    let mut service = service();
    let names = |service: &mut Service, query: &str| -> Vec<Value> {
        let listed = service.get(&format!("{T}/users{query}")).json();
        let users = listed["users"].as_array().expect("a list");
        users.iter().map(|user| user["loginName"].clone()).collect()
    };
    assert_eq!(
        names(&mut service, ""),
        ["ann@corp.example", "bob@corp.example"]
    );
    assert_eq!(names(&mut service, "?type=shared"), ["eve@partner.example"]);
    assert_eq!(
        names(&mut service, "?type=all&role=owner"),
        ["ann@corp.example"]
    );
    let bob = "/api/v2/users/u1";
    let user = service.get(bob).json();
    assert_eq!(
        (
            &user["role"],
            &user["status"],
            &user["deviceCount"],
            &user["tailnetId"]
        ),
        (
            &json!("member"),
            &json!("active"),
            &json!(1),
            &json!("corp.example")
        )
    );
    for (call, status) in [
        ("suspend", "suspended"),
        ("approve", "suspended"),
        ("restore", "active"),
    ] {
        service.post(&format!("{bob}/{call}"), "").is(json!({}));
        assert_eq!(service.get(bob).json()["status"], status, "{call}");
    }
    service
        .post(&format!("{bob}/role"), json!({"role": "it-admin"}))
        .is(json!({}));
    assert_eq!(service.get(bob).json()["role"], "it-admin");
    service
        .post(&format!("{bob}/role"), json!({"role": "king"}))
        .refuses(400, "king");
    service.post(&format!("{bob}/delete"), "").is(json!({}));
    service.get(bob).refuses(404, "u1");
    service.get("/api/v2/device/web").refuses(404, "web");
    service
        .get(&format!("{T}/services/svc:wiki/devices"))
        .is(json!({"hosts": []}));
    let listed = service.get(&format!("{T}/users?role=owner")).json();
    let ann = format!(
        "/api/v2/users/{}",
        listed["users"][0]["id"].as_str().expect("an id")
    );
    assert_eq!(service.get(&ann).json()["loginName"], "ann@corp.example");
    service
        .post(&format!("{ann}/delete"), "")
        .refuses(400, "owner");
    service
        .post("/api/v2/users/nobody/suspend", "")
        .refuses(404, "nobody");
}

/// docs/choices.md#sandbox
#[test]
fn the_owner_of_a_device_is_a_member() {
    let mut service = service();
    let listed = service.get("/api/v2/tailnet/alice@gmail.com/users").json();
    let alice = &listed["users"][0];
    assert_eq!(
        (&alice["loginName"], &alice["role"]),
        (&json!("alice@gmail.com"), &json!("member"))
    );
}

/// docs/choices.md#sandbox
#[test]
fn a_role_that_a_user_has_may_be_given_again() {
    let mut service = service();
    let bob = "/api/v2/users/u1";
    let before = service.get(bob).json();
    let again = json!({"role": before["role"]});
    service.post(&format!("{bob}/role"), again).is(json!({}));
    service.get(bob).is(before);
}

/// docs/choices.md#sandbox
#[test]
fn a_login_is_another_user_in_each_tailnet() {
    let mut service = service();
    let mut state = service::state();
    let person = json!({"loginName": "eve@example.org", "role": "member"});
    for tailnet in ["corp.example", "alice@gmail.com"] {
        let users = &mut state["tailnets"][tailnet]["users"];
        let known = users.as_array().cloned().unwrap_or_default();
        *users = known.into_iter().chain([person.clone()]).collect();
    }
    service.0.restore_json(&state.to_string()).expect("a state");
    let [first, second] = ["corp.example", "alice@gmail.com"].map(|tailnet| {
        let listed = service.get(&format!("/api/v2/tailnet/{tailnet}/users"));
        let users = listed.json()["users"].clone();
        let mut users = users.as_array().cloned().unwrap_or_default().into_iter();
        let eve = users.find(|user| user["loginName"] == "eve@example.org");
        format!(
            "/api/v2/users/{}",
            eve.expect("eve")["id"].as_str().expect("an id")
        )
    });
    let before = service.get(&first).json();
    assert_eq!(before["tailnetId"], "corp.example");
    assert_eq!(service.get(&second).json()["tailnetId"], "alice@gmail.com");
    service
        .post(&format!("{second}/role"), json!({"role": "auditor"}))
        .is(json!({}));
    service.post(&format!("{second}/suspend"), "").is(json!({}));
    let changed = service.get(&second).json();
    assert_eq!(
        (&changed["role"], &changed["status"]),
        (&json!("auditor"), &json!("suspended"))
    );
    service.get(&first).is(before.clone());
    service.post(&format!("{second}/delete"), "").is(json!({}));
    service.get(&second).refuses(404, "not found");
    service.get(&first).is(before);
}

/// docs/choices.md#sandbox
#[test]
fn a_deleted_user_whose_tagged_devices_stay_is_not_found() {
    let mut service = service();
    let mut state = service::state();
    state["tailnets"]["corp.example"]["devices"][1]["tags"] = json!(["tag:web"]);
    service.0.restore_json(&state.to_string()).expect("a state");
    service.post("/api/v2/users/u1/delete", "").is(json!({}));
    service.get("/api/v2/users/u1").refuses(404, "u1");
    assert_eq!(service.get("/api/v2/device/web").0.status, 200);
    let listed = service.get(&format!("{T}/users?type=all")).json();
    let users = listed["users"].as_array().expect("a list");
    let bob = users
        .iter()
        .find(|user| user["loginName"] == "bob@corp.example");
    assert_eq!(bob, None);
}

#[test]
fn who_is_deleted_in_one_tailnet_stays_in_another() {
    let mut service = service();
    let mut state = service::state();
    let person = json!({"loginName": "eve@example.org", "role": "admin"});
    for tailnet in ["corp.example", "alice@gmail.com"] {
        let users = &mut state["tailnets"][tailnet]["users"];
        let known = users.as_array().cloned().unwrap_or_default();
        *users = known.into_iter().chain([person.clone()]).collect();
    }
    service.0.restore_json(&state.to_string()).expect("a state");
    let all = |service: &mut Service, tailnet: &str| {
        let listed = service.get(&format!("/api/v2/tailnet/{tailnet}/users"));
        let users = listed.json()["users"].clone();
        let mut users = users.as_array().cloned().unwrap_or_default().into_iter();
        users.find(|user| user["loginName"] == "eve@example.org")
    };
    let eve = all(&mut service, "corp.example").expect("eve");
    let id = eve["id"].as_str().expect("an id");
    service.post(&format!("/api/v2/users/{id}/delete"), "");
    let left = ["corp.example", "alice@gmail.com"].map(|tailnet| all(&mut service, tailnet));
    let role = |user: &Option<Value>| user.as_ref().map(|user| user["role"].clone());
    assert_eq!(left.each_ref().map(role), [None, Some(json!("admin"))]);
}

#[test]
fn a_user_has_the_devices_without_tags_and_was_seen_when_they_were() {
    let mut service = service();
    let of = |service: &mut Service, login: &str| {
        let listed = service.get(&format!("{T}/users?type=all")).json();
        let users = listed["users"].as_array().expect("a list").clone();
        let user = users.into_iter().find(|user| user["loginName"] == login);
        let user = user.expect("a user");
        (user["deviceCount"].clone(), user["lastSeen"].clone())
    };
    let seen = json!("2025-12-31T00:00:00+00:00");
    assert_eq!(
        of(&mut service, "eve@partner.example"),
        (json!(1), seen.clone())
    );
    assert_eq!(of(&mut service, "bob@corp.example"), (json!(1), seen));
    let policy = r#"{"tagOwners": {"tag:ci": []}}"#;
    service.post("/api/v2/tailnet/corp.example/acl", policy);
    service.post("/api/v2/device/web/tags", json!({"tags": ["tag:ci"]}));
    assert_eq!(of(&mut service, "bob@corp.example").0, json!(0));
}
