//! Whether what the rules allow arrives, and what is in the way: devices, keys, shields, routes.
//! Must not live here: who receives (explain.rs), verdicts.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, PolicyContext};

use super::{all, context, devices, grant, grants};

const NOW: &str = "2026-11-23T20:15:00.000Z";

fn at_once(text: &str, known: &PolicyContext, from: &str, to: &str) -> (Value, Value, Value) {
    let document = hujson::parse(text).expect("HuJSON");
    let policy = Policy::read(&document);
    let flow = Flow::new(&from.parse().expect("a name"), to, None).expect("a flow");
    let found = json!(policy.explain(&flow.at(NOW), known).expect("an answer"));
    (
        found["verdict"].clone(),
        found["arrives"].clone(),
        found["hindrance"].clone(),
    )
}

#[track_caller]
fn assert_hindrance(known: Value, to: &str, hindrance: &str) {
    let found = at_once(&all(), &context(known), "laptop", to);
    let wanted = (json!("allowed"), json!(false), json!(hindrance));
    assert_eq!(found, wanted, "{to}");
}

#[test]
fn what_nothing_hinders_arrives() {
    let known = context(devices());
    for to in ["tag:web:80", "10.1.2.3:80", "8.8.8.8:53"] {
        let found = at_once(&all(), &known, "laptop", to);
        assert_eq!(found, (json!("allowed"), json!(true), Value::Null), "{to}");
    }
}

#[test]
fn what_is_denied_does_not_arrive_and_without_devices_nobody_knows() {
    let known = context(devices());
    let none = grants(&[]);
    let denied = (json!("denied"), json!(false), Value::Null);
    assert_eq!(at_once(&none, &known, "laptop", "tag:web:80"), denied);
    let nothing = PolicyContext::default();
    let found = at_once(&all(), &nothing, "ann@example.com", "tag:web:80");
    assert_eq!(found, (json!("allowed"), Value::Null, Value::Null));
}

#[test]
fn a_device_that_is_not_let_in_or_whose_key_has_expired_hinders() {
    for (at, name) in [(0, "laptop"), (3, "web-2")] {
        let mut known = devices();
        known[at]["authorized"] = json!(false);
        assert_hindrance(known, "web-2:80", &format!("{name} is not authorized"));
        let mut known = devices();
        known[at]["expires"] = json!("2026-11-23T20:14:59Z");
        assert_hindrance(
            known.clone(),
            "web-2:80",
            &format!("the key of {name} has expired"),
        );
        known[at]["keyExpiryDisabled"] = json!(true);
        let found = at_once(&all(), &context(known), "laptop", "web-2:80");
        assert_eq!(found.1, true);
    }
    let mut later = devices();
    later[0]["expires"] = json!("2026-11-23T20:15:01Z");
    assert_eq!(
        at_once(&all(), &context(later), "laptop", "web-2:80").1,
        true
    );
}

#[test]
fn shields_are_up_for_those_who_receive_alone() {
    let mut known = devices();
    known[3]["blocksIncomingConnections"] = json!(true);
    let text = "web-2 takes in no connections: its shields are up";
    assert_hindrance(known.clone(), "tag:web:80", text);
    let found = at_once(&all(), &context(known), "web-2", "web-1:80");
    assert_eq!(found.1, true);
}

#[test]
fn no_route_and_no_device_hinder() {
    assert_hindrance(
        devices(),
        "192.168.7.7:80",
        "no approved route leads to 192.168.7.7",
    );
    assert_hindrance(devices(), "tag:bare:80", "no device of tag:bare is known");
    let mut waiting = devices();
    waiting[5]["enabledRoutes"] = json!([]);
    waiting[4]["enabledRoutes"] = json!(["203.0.113.0/24"]);
    let why = "no approved route leads to 10.1.2.3; advertised by r2, not approved";
    assert_hindrance(waiting, "10.1.2.3:80", why);
}

#[test]
fn one_of_two_routers_is_enough() {
    let mut known = devices();
    known[4]["authorized"] = json!(false);
    let found = at_once(&all(), &context(known.clone()), "laptop", "10.1.9.9:80");
    assert_eq!(found.1, true);
    known[5]["authorized"] = json!(false);
    assert_hindrance(
        known,
        "10.1.9.9:80",
        "r1 is not authorized; r2 is not authorized",
    );
}

#[test]
fn an_exit_node_that_via_leaves_out_is_not_said_to_wait_for_approval() {
    let text = grants(&[grant("ann@example.com", "autogroup:internet", &["tag:r1"])]);
    let (verdict, arrives, hindrance) = at_once(&text, &context(devices()), "laptop", "8.8.8.8:53");
    let why = "nothing leads to 8.8.8.8: a rule with `via` asks for a tag that no exit node has";
    assert_eq!(
        (verdict, arrives, hindrance),
        (json!("denied"), json!(false), json!(why))
    );
}
