//! What a reviewer is told of a change: seeded bad changes, each named at its line; edits without meaning, of which nothing
//! is said; the laws; and the summary. Expected values from policy-language.md and the contract.
//! Must not live here: who gains what in detail (tests/policy_diff_access.rs, tests/policy_diff_ssh.rs).
#![cfg(not(target_arch = "wasm32"))]

#[path = "policy_review/bad.rs"]
mod bad;
#[path = "policy_review/neutral.rs"]
mod neutral;
#[path = "policy_review/summary.rs"]
mod summary;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    Guarded, Judged, Policy, Review, Topology, check, diff_access, diff_ssh, review,
};

/// A policy with something of everything.
pub const BASE: &str = include_str!("policy_review/base.hujson");

#[track_caller]
pub fn guarded(
    before: &str,
    after: &str,
    topology: &Topology,
    guard: Option<&[Guarded]>,
) -> Review {
    let (old, new) = (hujson::parse(before), hujson::parse(after));
    let (old, new) = (old.expect("parses"), new.expect("parses"));
    let policies = [Policy::read(&old), Policy::read(&new)];
    let checks = policies.each_ref().map(|policy| policy.check(topology));
    for policy in &policies {
        policy.accept(topology).expect("has answers");
    }
    let judged = |at: usize| Judged {
        policy: &policies[at],
        check: &checks[at],
    };
    review(judged(0), judged(1), topology, guard).expect("both parse")
}

#[track_caller]
pub fn reviewed(before: &str, after: &str) -> Review {
    guarded(before, after, &Topology::default(), None)
}

/// The base with one part in place of another.
#[track_caller]
pub fn edited(from: &str, to: &str) -> String {
    assert!(BASE.contains(from), "the base has no {from}");
    BASE.replace(from, to)
}

/// The line, from 1, on which a part of a text stands first.
#[track_caller]
pub fn line_of(text: &str, part: &str) -> usize {
    let at = text.find(part).unwrap_or_else(|| panic!("no {part}"));
    text[..at].lines().count().max(1) + usize::from(text[..at].ends_with('\n'))
}

/// Somebody for everything that the base names.
pub fn devices() -> Topology {
    let mut devices = Vec::new();
    let mut add = |name: &str, owner: (&str, Value)| {
        let at = devices.len() + 1;
        let mut device = json!({"id": at.to_string(), "hostname": name, "addresses": [format!("100.64.0.{at}"), format!("fd7a:115c:a1e0::{at}")]});
        device[owner.0] = owner.1;
        if name == "router" {
            let routes = json!(["10.0.0.0/16", "10.1.0.0/16", "192.0.2.0/24"]);
            (device["advertisedRoutes"], device["enabledRoutes"]) = (routes.clone(), routes);
        }
        devices.push(device);
    };
    for user in ["alice", "bob", "carol", "olga", "alice"] {
        add(user, ("user", json!(format!("{user}@example.com"))));
    }
    for tag in ["web", "db", "ci", "router"] {
        add(tag, ("tags", json!([format!("tag:{tag}")])));
    }
    add("both", ("tags", json!(["tag:web", "tag:ci"])));
    serde_json::from_value(json!({"devices": devices})).expect("a topology")
}

#[test]
fn the_base_is_accepted() {
    let check = check(BASE, &devices());
    assert_eq!((check.accepted, check.message), (true, None));
}

#[test]
fn nothing_is_said_of_no_change() {
    for topology in [Topology::default(), devices()] {
        let review = guarded(BASE, BASE, &topology, None);
        assert_eq!(
            serde_json::to_value(&review).expect("serializes"),
            json!({
                "unchanged": true, "changes": [], "issues": [], "access": [], "ssh": [], "lockedOut": [], "exposed": [],
                "tests": {"added": [], "removed": []},
                "summary": "**Nothing changes in meaning**: layout, order, spelling or names alone.\n",
            })
        );
    }
}

/// Each gain and loss in one line. An alias that stands for something else in the other document is told with what it stands
/// for, whichever comes second.
fn lines(changes: &Value, gained: &str, lost: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for change in changes.as_array().expect("a list") {
        for (list, sign) in [("gained", gained), ("lost", lost)] {
            for reach in change[list].as_array().expect("a list") {
                let mut reach = reach.clone();
                let name = reach["destination"].as_str().expect("a name").to_owned();
                let name = name.split(" (").next().expect("a part");
                (reach["destination"], reach["party"]) = (json!(name), json!(null));
                let source = change["source"].as_str().expect("a name");
                lines.push(format!("{source} {sign} {reach}"));
            }
        }
    }
    lines.sort();
    lines
}

/// What holds of any two documents.
#[track_caller]
pub fn assert_laws(before: &str, after: &str) {
    for topology in [Topology::default(), devices()] {
        let (there, back) = (
            guarded(before, after, &topology, None),
            guarded(after, before, &topology, None),
        );
        let (old, new) = (hujson::parse(before), hujson::parse(after));
        let (old, new) = (old.expect("parses"), new.expect("parses"));
        let (old, new) = (Policy::read(&old), Policy::read(&new));
        assert_eq!(there.access, diff_access(&old, &new, &topology));
        assert_eq!(there.ssh, diff_ssh(&old, &new, &topology));
        assert_eq!(there.unchanged, back.unchanged);
        assert_eq!(
            lines(&json!(there.access), "+", "-"),
            lines(&json!(back.access), "-", "+")
        );
        assert_eq!(
            lines(&json!(there.ssh), "+", "-"),
            lines(&json!(back.ssh), "-", "+")
        );
        assert_eq!(there.tests.added, back.tests.removed);
        assert!(there.summary.lines().count() <= 60, "{}", there.summary);
    }
}
