//! What a change does where devices report something else than today.
//! Must not live here: what it does today (silence.rs), the form of the summary (summary.rs).

use serde_json::{Value, json};

use crate::silence::reviewed;
use crate::worded::device;

/// Ann's device, which is not healthy, a database, and a router that forwards some routes.
fn network(routes: &[&str]) -> Value {
    json!({
        "devices": [
            device("mac", ("user", json!("ann@example.com")), 1, &[]),
            device("db", ("tags", json!(["tag:db"])), 2, &[]),
            device("gate", ("tags", json!(["tag:gate"])), 3, routes),
        ],
        "attributes": {"mac": {"custom:ok": false}, "db": {}, "gate": {}},
    })
}

/// Rules for Ann: where to, and with which postures.
fn policy(rules: &[(&str, &[&str])]) -> String {
    let rule = |(to, postures): &(&str, &[&str])| json!({"action": "accept", "src": ["ann@example.com"], "dst": [to], "srcPosture": postures});
    json!({
        "tagOwners": {"tag:db": [], "tag:gate": []},
        "postures": {"posture:ok": ["custom:ok == true"]},
        "acls": rules.iter().map(rule).collect::<Vec<Value>>(),
    })
    .to_string()
}

fn summary(policies: [&str; 2], networks: [&Value; 2]) -> String {
    let review = reviewed(policies[0], policies[1], networks);
    review["summary"].as_str().expect("a text").to_owned()
}

const UNMET: &str = "(nobody today: `what its devices report does not meet the posture`)";

#[test]
fn a_port_that_needs_a_posture_is_said_beside_one_that_needs_none() {
    let net = network(&["10.0.0.0/16"]);
    for to in ["tag:db", "10.0.0.0/16"] {
        let (free, bound) = (format!("{to}:80"), format!("{to}:443"));
        let after = policy(&[(&free, &[]), (&bound, &["posture:ok"])]);
        let said = summary([&policy(&[]), &after], [&net, &net]);
        let line = format!("- `ann@example.com` reaches `{to}` on `443` with `posture:ok` {UNMET}");
        assert!(said.contains(&line), "{said}");
    }
}

#[test]
fn a_route_that_only_a_posture_opens_is_one_that_nobody_uses_today() {
    let text = policy(&[("10.0.0.0/16:443", &["posture:ok"])]);
    let (before, after) = (network(&[]), network(&["10.0.0.0/16"]));
    let said = summary([&text, &text], [&before, &after]);
    let line =
        format!("- `ann@example.com` reaches `10.0.0.0/16` on `443` with `posture:ok` {UNMET}");
    assert!(said.contains(&line), "{said}");
    let said = summary([&text, &text], [&after, &before]);
    assert!(
        said.contains("no longer reaches `10.0.0.0/16` on `443`"),
        "{said}"
    );
}

#[test]
fn what_a_device_reports_is_no_change_of_the_rules() {
    let text = policy(&[("tag:db:443", &["posture:ok"])]);
    let (before, mut after) = (network(&[]), network(&[]));
    after["attributes"]["mac"] = json!({"custom:ok": 1});
    let said = summary([&text, &text], [&before, &after]);
    assert!(said.starts_with("**Nothing changes in meaning**"), "{said}");
}
