//! The events that webhooks get: which changes cause one, for whom, and in which form. Must not live here: calls about webhooks, and
//! signatures (`webhooks.rs`).

use crate::service::{self, NOW, Service, service};
use serde_json::{Value, json};
use tailnet_kit::sandbox::Machine;

const T: &str = "/api/v2/tailnet/corp.example";
const WEBHOOKS: &str = "/api/v2/tailnet/corp.example/webhooks";
const DAY: i64 = 86_400_000;

#[test]
fn changes_are_delivered_to_webhooks_that_subscribed() {
    let mut service = service();
    service.hook(json!(["categoryTailnetManagement"]));
    service.post(
        "/api/v2/device/laptop/authorized",
        json!({"authorized": false}),
    );
    assert_eq!(
        service.told(),
        Vec::<String>::new(),
        "nobody wants to know of this"
    );
    service.post(
        "/api/v2/device/laptop/authorized",
        json!({"authorized": true}),
    );
    service.post(
        "/api/v2/device/laptop/authorized",
        json!({"authorized": true}),
    );
    assert_eq!(
        service.told(),
        ["nodeApproved"],
        "once: it was let in already"
    );
    service.post("/api/v2/users/u1/suspend", "");
    service.post("/api/v2/users/u1/suspend", "");
    service.post("/api/v2/users/u1/restore", "");
    service.post("/api/v2/users/u1/role", json!({"role": "admin"}));
    service.post("/api/v2/users/u1/role", json!({"role": "admin"}));
    let events = service.events();
    let kinds: Vec<&Value> = events.iter().map(|event| &event["type"]).collect();
    assert_eq!(kinds, ["userSuspended", "userRestored", "userRoleUpdated"]);
    let data = &events[2]["data"];
    assert_eq!(
        (
            &data["user"],
            &data["oldRoles"],
            &data["newRoles"],
            &data["actor"]
        ),
        (
            &json!("bob@corp.example"),
            &json!(["member"]),
            &json!(["admin"]),
            &json!("ann@corp.example")
        )
    );
    service.post("/api/v2/users/u1/delete", "");
    service.delete("/api/v2/device/laptop");
    let events = service.events();
    assert_eq!(events[0]["type"], "userDeleted");
    let data = &events[1]["data"];
    assert_eq!(
        (
            &events[1]["type"],
            &data["nodeID"],
            &data["deviceName"],
            &data["managedBy"]
        ),
        (
            &json!("nodeDeleted"),
            &json!("laptop"),
            &json!("laptop.corp.example"),
            &json!("ann@corp.example")
        )
    );
    service.post(&format!("{T}/acl"), "{} // new\n");
    service.post(&format!("{T}/acl"), "{} // new\n");
    let events = service.events();
    let data = &events[0]["data"];
    assert_eq!(
        (events.len(), &data["oldPolicy"], &data["newPolicy"]),
        (1, &json!(service::POLICY), &json!("{} // new\n"))
    );
    service.post("/api/v2/tailnet/alice@gmail.com/acl", "{} // theirs\n");
    service.delete("/api/v2/device/phone");
    service.delete("/api/v2/device/none");
    assert_eq!(
        service.told(),
        Vec::<String>::new(),
        "another tailnet's, or nothing at all"
    );
}

#[test]
fn only_subscribed_events_are_delivered() {
    let mut service = service();
    service.hook(json!(["nodeDeleted", "categoryDeviceMisconfigurations"]));
    service.post(&format!("{T}/acl"), "{}");
    service.post("/api/v2/users/u1/suspend", "");
    service.delete("/api/v2/device/web");
    assert_eq!(service.told(), ["nodeDeleted"]);
}

#[test]
fn providers_get_a_message_in_their_own_form() {
    let mut service = service();
    for (provider, member) in [
        ("slack", "text"),
        ("mattermost", "text"),
        ("googlechat", "text"),
        ("discord", "content"),
    ] {
        let body = json!({"endpointUrl": format!("https://{provider}.example"), "subscriptions": ["nodeDeleted"], "providerType": provider});
        let made = service.post(WEBHOOKS, body).json();
        assert_eq!(made["providerType"], provider);
        let one = format!(
            "/api/v2/webhooks/{}",
            made["endpointId"].as_str().expect("an id")
        );
        service.post(&format!("{one}/test"), "");
        let delivery = service.one();
        let body: Value = serde_json::from_str(&delivery.body).expect("JSON");
        assert_eq!(body[member], delivery.events[0]["message"], "{provider}");
    }
}

#[test]
fn machines_that_join_are_delivered_as_events() {
    let mut service = service();
    service.hook(json!(["nodeCreated", "nodeNeedsApproval"]));
    let machine = |hostname: &str| Machine {
        user: Some("bob@corp.example".to_owned()),
        hostname: hostname.to_owned(),
        ..Machine::default()
    };
    service.0.join(&machine("one"), NOW).expect("a device");
    let settings = format!("{T}/settings");
    service.ask("PATCH", &settings, &[], r#"{"devicesApprovalOn": true}"#);
    service.0.join(&machine("two"), NOW).expect("a device");
    let events = service.events();
    let told: Vec<_> = events
        .iter()
        .map(|event| (&event["type"], &event["data"]["deviceName"]))
        .collect();
    assert_eq!(
        told,
        [
            (&json!("nodeCreated"), &json!("one.corp.example")),
            (&json!("nodeCreated"), &json!("two.corp.example")),
            (&json!("nodeNeedsApproval"), &json!("two.corp.example")),
        ]
    );
}

#[test]
fn new_users_are_delivered_as_events_and_wait_for_approval_where_needed() {
    let mut service = service();
    service.hook(json!(["userCreated", "userNeedsApproval", "userApproved"]));
    let machine = |login: &str| Machine {
        user: Some(login.to_owned()),
        hostname: "desk".to_owned(),
        ..Machine::default()
    };
    let join = |service: &mut Service, login: &str| {
        service.0.join(&machine(login), NOW).expect("a device");
        service.told()
    };
    assert_eq!(join(&mut service, "new@corp.example"), ["userCreated"]);
    assert_eq!(join(&mut service, "new@corp.example"), Vec::<String>::new());
    assert_eq!(join(&mut service, "bob@corp.example"), Vec::<String>::new());
    service.ask(
        "PATCH",
        &format!("{T}/settings"),
        &[],
        r#"{"usersApprovalOn": true}"#,
    );
    assert_eq!(
        join(&mut service, "zoe@corp.example"),
        ["userCreated", "userNeedsApproval"]
    );
    let users = service.get(&format!("{T}/users")).json();
    let short = |user: &Value| json!([user["loginName"], user["status"]]);
    let last: Vec<Value> = users["users"]
        .as_array()
        .into_iter()
        .flatten()
        .skip(2)
        .map(short)
        .collect();
    assert_eq!(
        last,
        [
            json!(["new@corp.example", "active"]),
            json!(["zoe@corp.example", "needs-approval"])
        ]
    );
    let id = users["users"][3]["id"].as_str().expect("an id").to_owned();
    assert_eq!(users["users"][3]["created"], "2026-01-02T03:04:05Z");
    service
        .post(&format!("/api/v2/users/{id}/approve"), "")
        .is(json!({}));
    assert_eq!(service.told(), ["userApproved"]);
}

#[test]
fn keys_of_devices_expire_with_time_and_that_is_delivered() {
    let mut service = service();
    service.hook(json!(["nodeKeyExpired", "nodeKeyExpiringInOneDay"]));
    let machine = Machine {
        user: Some("bob@corp.example".to_owned()),
        hostname: "box".to_owned(),
        ..Machine::default()
    };
    let device = service.0.join(&machine, NOW).expect("a device");
    let one = format!("/api/v2/device/{}", device["id"].as_str().expect("an id"));
    service.post("/api/v2/device/web/key", json!({"keyExpiryDisabled": true}));
    // The keys of `laptop` and `web` expire on 2026-06-01, the machine's 180 days after it joined.
    service.0.pass(NOW, NOW + 150 * DAY);
    let events = service.events();
    let told: Vec<_> = events
        .iter()
        .map(|event| {
            (
                &event["type"],
                &event["timestamp"],
                &event["data"]["nodeID"],
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                &json!("nodeKeyExpiringInOneDay"),
                &json!("2026-05-31T00:00:00Z"),
                &json!("laptop")
            ),
            (
                &json!("nodeKeyExpired"),
                &json!("2026-06-01T00:00:00Z"),
                &json!("laptop")
            ),
        ]
    );
    assert_eq!(events[1]["data"]["expiration"], "2026-06-01T00:00:00Z");
    service.0.pass(NOW + 150 * DAY, NOW + 180 * DAY);
    assert_eq!(
        service.told(),
        ["nodeKeyExpiringInOneDay", "nodeKeyExpired"]
    );
    let after = service.get(&one).json();
    assert_eq!(
        (&after["connectedToControl"], &after["lastSeen"]),
        (&json!(false), &json!("2026-07-01T03:04:05+00:00"))
    );
    service.0.pass(NOW + 180 * DAY, NOW + 400 * DAY);
    assert_eq!(service.told(), Vec::<String>::new());
}
