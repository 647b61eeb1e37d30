//! Claims over devices that forward sessions. Must not live here: single hops (`mod.rs`).

use serde_json::{Value, json};
use tailnet_kit::policy::Verdict;

use super::called::explained;
use super::{proof, refused};

/// Nobody but the web may reach the database, but CI may reach the web.
const POLICY: &str = r#"{
  "groups": {"group:dev": ["ann@example.com"], "group:ops": ["cyd@example.com"]},
  "tagOwners": {"tag:db": [], "tag:web": [], "tag:ci": [], "tag:alone": []},
  "postures": {"posture:mac": ["node:os == 'macos'"]},
  "acls": [
    {"action": "accept", "src": ["tag:ci"], "dst": ["tag:web:22"]},
    {"action": "accept", "src": ["tag:web"], "dst": ["tag:db:5432"]},
    {"action": "accept", "src": ["group:ops"], "dst": ["ann@example.com:*"]},
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:ci:80-90"]},
    {"action": "accept", "src": ["tag:alone"], "dst": ["tag:ci:22"], "srcPosture": ["posture:mac"]},
  ],
}"#;

fn ask(assertion: &str, context: &Value) -> Value {
    let mut found = proof(POLICY, &format!("[{assertion}]"), context, &[]).expect("a proof");
    found["results"][0].take()
}

/// A path against a claim: its hops are those that `explain` allows, and the last is the flow.
#[track_caller]
fn path(assertion: &str, context: &Value) -> Vec<(String, String)> {
    let found = ask(assertion, context);
    assert_eq!(found["holds"], false, "{found}");
    let example = &found["counterexample"];
    let hops = example["path"].as_array().expect("a path");
    assert_eq!(hops.last(), Some(&example["flow"]));
    for hop in hops {
        assert_eq!(explained(POLICY, context, hop), Verdict::Allowed, "{hop}");
    }
    assert_eq!(found["because"].as_array().map(Vec::len), Some(hops.len()));
    assert_eq!(example["rule"], found["because"][hops.len() - 1]);
    let text = |hop: &Value, end: &str| hop[end].as_str().expect("an end").to_owned();
    hops.iter()
        .map(|hop| (text(hop, "from"), text(hop, "to")))
        .collect()
}

fn hops(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |&(from, to): &(&str, &str)| (from.to_owned(), to.to_owned());
    wanted.iter().map(own).collect()
}

#[test]
fn a_device_that_is_reached_goes_on_as_itself() {
    let nothing = json!({});
    assert_eq!(
        path(
            r#"{"never": {"from": "tag:ci", "to": "tag:db", "paths": true}}"#,
            &nothing
        ),
        hops(&[("tag:ci", "tag:web:22"), ("tag:web", "tag:db:5432")])
    );
    assert_eq!(
        path(
            r#"{"never": {"from": "group:ops", "to": "tag:db", "ports": "5432", "paths": true}}"#,
            &nothing
        ),
        hops(&[
            ("cyd@example.com", "ann@example.com:22"),
            ("ann@example.com", "tag:ci:80"),
            ("tag:ci", "tag:web:22"),
            ("tag:web", "tag:db:5432"),
        ])
    );
    // The ports of the claim are those of the last hop.
    let found = ask(
        r#"{"never": {"from": "tag:ci", "to": "tag:db", "ports": "22", "paths": true}}"#,
        &nothing,
    );
    assert_eq!(found["holds"], true, "{found}");
    assert_eq!(found.get("why"), None);
}

#[test]
fn devices_on_the_way_have_names() {
    let context = json!({"devices": [
        {"id": "1", "name": "runner.tail.ts.net", "tags": ["tag:ci"], "addresses": ["100.64.0.1"]},
        {"id": "2", "name": "web-1.tail.ts.net", "tags": ["tag:web"], "addresses": ["100.64.0.2", "fd7a:115c:a1e0::2"]},
        {"id": "3", "name": "db-1.tail.ts.net", "tags": ["tag:db"], "addresses": ["fd7a:115c:a1e0::3"]},
    ]});
    assert_eq!(
        path(
            r#"{"never": {"from": "runner", "to": "db-1", "paths": true}}"#,
            &context
        ),
        hops(&[("runner", "web-1:22"), ("web-1", "db-1:5432")])
    );
}

#[test]
fn a_claim_about_single_hops_says_that_it_asked_for_these() {
    let nothing = json!({});
    let found = ask(r#"{"never": {"from": "tag:ci", "to": "tag:db"}}"#, &nothing);
    assert_eq!(found["holds"], true, "{found}");
    assert_eq!(
        found["why"],
        "only single hops were asked, not `paths`: tag:ci to tag:web:22 by tcp, then tag:web to tag:db:5432 by tcp"
    );
    // Where there is no path there is nothing to say.
    let found = ask(r#"{"never": {"from": "tag:db", "to": "tag:ci"}}"#, &nothing);
    assert_eq!((&found["holds"], found.get("why")), (&json!(true), None));
}

#[test]
fn a_single_hop_is_no_path() {
    let found = ask(
        r#"{"never": {"from": "tag:web", "to": "tag:db", "paths": true}}"#,
        &json!({}),
    );
    assert_eq!(found["holds"], false);
    assert_eq!(found["counterexample"].get("path"), None, "{found}");
}

#[test]
fn a_hop_that_may_be_allowed_leaves_the_path_undecided() {
    let found = ask(
        r#"{"never": {"from": "tag:alone", "to": "tag:web", "paths": true}}"#,
        &json!({}),
    );
    assert_eq!(found["holds"], Value::Null, "{found}");
    assert_eq!(
        found["why"],
        "text and context do not say whether each hop is allowed: tag:alone to tag:ci:22 by tcp, then tag:ci to tag:web:22 by tcp"
    );
}

#[test]
fn paths_go_with_never_and_flows() {
    refused(
        r#"[{"only": {"from": "tag:web", "to": "tag:db", "paths": true}}]"#,
        "line 1, column 47: `paths` goes with never only",
    );
    refused(
        r#"[{"never": {"from": "tag:web", "to": "tag:db", "users": "root", "paths": true}}]"#,
        "line 1, column 65: a claim about logins has no `ports`, no `proto` and no `paths`",
    );
    refused(
        r#"[{"never": {"from": "tag:web", "to": "tag:db", "paths": false}}]"#,
        "line 1, column 57: `paths` is true, or left out",
    );
}
