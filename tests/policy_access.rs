//! Who reaches what, and who gains or loses it: the matrix and the difference of two documents.
//! Must not live here: packet filters (tests/corpus_network.rs), previews.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{By, Flow, Policy, Subject, Topology, Verdict, diff_access};

fn matrix(text: &str) -> Value {
    let document = hujson::parse(text).expect("a policy parses");
    let topology = Topology::default();
    let matrix = Policy::read(&document)
        .access(&topology, By::Name)
        .expect("a matrix")
        .clone();
    serde_json::to_value(matrix).expect("serializes")
}

fn changes_in(before: &str, after: &str, topology: &Topology) -> Value {
    let (before, after) = (hujson::parse(before), hujson::parse(after));
    let (before, after) = (before.expect("parses"), after.expect("parses"));
    let changes = diff_access(&Policy::read(&before), &Policy::read(&after), topology);
    serde_json::to_value(changes).expect("serializes")
}

fn changes(before: &str, after: &str) -> Value {
    changes_in(before, after, &Topology::default())
}

fn devices() -> Topology {
    let device = |id: &str, owner: Value, address: &str| {
        let mut device = json!({"id": id, "addresses": [address]});
        device
            .as_object_mut()
            .expect("an object")
            .extend(owner.as_object().expect("an object").clone());
        device
    };
    let mut router = device("router", json!({"tags": ["tag:router"]}), "100.64.0.9");
    router["advertisedRoutes"] = json!(["10.1.0.0/16"]);
    router["enabledRoutes"] = json!(["10.1.0.0/16"]);
    let devices = json!([
        device("laptop", json!({"user": "alice@example.com"}), "100.64.0.1"),
        device("phone", json!({"user": "alice@example.com"}), "100.64.0.2"),
        device("desk", json!({"user": "bob@example.com"}), "100.64.0.3"),
        device("web", json!({"tags": ["tag:web"]}), "100.64.0.4"),
        router,
    ]);
    serde_json::from_value(json!({"devices": devices})).expect("a topology")
}

// Contract: sources are users (groups taken apart), tags and other selectors as written; destinations without port.
#[test]
fn the_matrix_takes_groups_apart_and_unites_ports() {
    let text = r#"{
  "groups": {"group:ops": ["alice@example.com", "bob@example.com"]},
  "tagOwners": {"tag:web": []},
  "acls": [
    {"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22,80"]},
    {"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:81", "10.0.0.1:*"]},
    {"action": "accept", "src": ["tag:web"], "proto": "udp", "dst": ["10.0.0.1:53"]},
  ],
  "grants": [{"src": ["bob@example.com"], "dst": ["10.0.0.1"], "ip": ["tcp:443"]}],
}"#;
    let rule = |index: usize, line: usize| json!({"section": "acls", "index": index, "line": line});
    let grant = json!({"section": "grants", "index": 0, "line": 9});
    assert_eq!(
        matrix(text),
        json!({
            "sources": ["alice@example.com", "bob@example.com", "tag:web"],
            "destinations": ["tag:web", "10.0.0.1"],
            "cells": [
                {"source": 0, "destination": 0, "ports": ["22", "80-81"], "because": [rule(0, 5), rule(1, 6)]},
                {"source": 1, "destination": 0, "ports": ["22", "80"], "because": [rule(0, 5)]},
                {"source": 0, "destination": 1, "ports": ["*"], "because": [rule(1, 6)]},
                {"source": 2, "destination": 1, "ports": ["udp:53"], "because": [rule(2, 7)]},
                {"source": 1, "destination": 1, "ports": ["tcp:443"], "because": [grant]},
            ],
        })
    );
}

// policy-language.md 5: neither key present allows all; a present empty one allows nothing.
#[test]
fn without_rules_everyone_reaches_everything_and_with_an_empty_list_nobody_anything() {
    let all = json!({"source": 0, "destination": 0, "ports": ["*"], "because": []});
    assert_eq!(
        matrix("{}"),
        json!({"sources": ["*"], "destinations": ["*"], "cells": [all]})
    );
    assert_eq!(
        matrix(r#"{"grants": []}"#),
        json!({"sources": [], "destinations": [], "cells": []})
    );
}

const GROUPS: &str =
    r#""groups": {"group:ops": ["alice@example.com"]}, "tagOwners": {"tag:web": []}"#;

fn with_rules(rules: &str) -> String {
    format!("{{{GROUPS}, \"acls\": [{rules}]}}")
}

#[test]
fn a_new_member_gains_and_an_old_one_loses() {
    let text = |member: &str| {
        format!(
            r#"{{"groups": {{"group:ops": ["{member}"]}}, "tagOwners": {{"tag:web": []}},
               "acls": [{{"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22"]}}]}}"#
        )
    };
    let web = json!([{"destination": "tag:web", "ports": ["22"]}]);
    assert_eq!(
        changes(&text("alice@example.com"), &text("bob@example.com")),
        json!([
            {"source": "alice@example.com", "gained": [], "lost": web},
            {"source": "bob@example.com", "gained": web, "lost": []},
        ])
    );
}

#[test]
fn ports_are_compared_as_sets() {
    let before = with_rules(
        r#"{"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:20-30"]}"#,
    );
    let after = with_rules(
        r#"{"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:25-35"]}"#,
    );
    assert_eq!(
        changes(&before, &after),
        json!([{
            "source": "alice@example.com",
            "gained": [{"destination": "tag:web", "ports": ["31-35"]}],
            "lost": [{"destination": "tag:web", "ports": ["20-24"]}],
        }])
    );
}

// A rule that widens to everyone takes nothing from those whom the narrower one named.
#[test]
fn what_a_wider_rule_still_covers_is_not_lost() {
    let before = with_rules(r#"{"action": "accept", "src": ["group:ops"], "dst": ["tag:web:22"]}"#);
    let after = with_rules(r#"{"action": "accept", "src": ["*"], "dst": ["tag:web:22"]}"#);
    let web = json!([{"destination": "tag:web", "ports": ["22"]}]);
    assert_eq!(
        changes(&before, &after),
        json!([{"source": "*", "gained": web, "lost": []}])
    );
}

#[test]
fn an_alias_that_moves_is_another_destination() {
    let text = |address: &str| {
        format!(
            r#"{{"hosts": {{"db": "{address}"}},
               "acls": [{{"action": "accept", "src": ["alice@example.com"], "dst": ["db:5432"]}}]}}"#
        )
    };
    assert_eq!(
        changes(&text("10.0.0.1"), &text("10.0.0.2")),
        json!([{
            "source": "alice@example.com",
            "gained": [{"destination": "db (10.0.0.2)", "ports": ["5432"]}],
            "lost": [{"destination": "db", "ports": ["5432"]}],
        }])
    );
}

#[test]
fn with_devices_known_the_change_is_told_by_device() {
    let before =
        with_rules(r#"{"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:22"]}"#);
    let after = with_rules(
        r#"{"action": "accept", "src": ["alice@example.com"], "dst": ["tag:web:22", "10.1.0.0/16:443"]},
           {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]}"#,
    );
    let gains = |source: &str, list: &[(&str, &str)]| {
        let list: Vec<Value> = list
            .iter()
            .map(|(to, ports)| json!({"destination": to, "ports": [ports]}))
            .collect();
        json!({"source": source, "gained": list, "lost": []})
    };
    assert_eq!(
        changes_in(&before, &after, &devices()),
        json!([
            gains("laptop", &[("phone", "*"), ("10.1.0.0/16", "443")]),
            gains("phone", &[("laptop", "*"), ("10.1.0.0/16", "443")]),
        ])
    );
}

fn rules() -> impl Strategy<Value = Vec<String>> {
    let source = prop::sample::select(vec![
        "*",
        "alice@example.com",
        "bob@example.com",
        "group:ops",
        "tag:web",
        "autogroup:member",
        "100.64.0.3",
    ]);
    let host = prop::sample::select(vec![
        "*",
        "tag:web",
        "bob@example.com",
        "10.1.0.0/16",
        "10.1.2.0/24",
        "100.64.0.4",
        "autogroup:self",
    ]);
    let ports = prop::sample::select(vec!["22", "80-90", "*", "85,443"]);
    let rule = (source, host, ports).prop_map(|(source, host, ports)| {
        format!(r#"{{"action": "accept", "src": ["{source}"], "dst": ["{host}:{ports}"]}}"#)
    });
    prop::collection::vec(rule, 0..5)
}

fn count(changes: &Value, list: &str) -> usize {
    let changes = changes.as_array().expect("a list").iter();
    changes
        .map(|change| change[list].as_array().expect("a list").len())
        .sum()
}

/// Whether ports as the difference tells them hold this one.
fn holds(ports: &Value, port: u16) -> bool {
    ports.as_array().expect("a list").iter().any(|range| {
        let range = range.as_str().expect("a range");
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<u16>().expect("a port");
        range == "*" || (number(first)..=number(last)).contains(&port)
    })
}

/// Whether a list of the difference tells of this port at a destination.
fn tells(changes: &Value, source: &str, list: &str, to: &str, port: u16) -> bool {
    let changes = changes.as_array().expect("a list").iter();
    let mut reached = changes
        .filter(|change| change["source"] == source)
        .flat_map(|change| change[list].as_array().expect("a list"));
    reached.any(|one| one["destination"] == to && holds(&one["ports"], port))
}

fn is_allowed(text: &str, from: &Subject, to: &str) -> bool {
    let document = hujson::parse(text).expect("parses");
    let flow = Flow::new(from, to, None).expect("a flow");
    let explanation = Policy::read(&document)
        .explain(&flow, &Topology::default())
        .expect("an answer");
    explanation.verdict == Verdict::Allowed
}

proptest! {
    #[test]
    fn what_changes_is_what_explain_says_of_one_document_alone(before in rules(), after in rules()) {
        // In both documents, so that each of these is asked about by name.
        let named = r#"{"action": "accept", "src": ["alice@example.com", "bob@example.com", "tag:web"],
                        "dst": ["tag:web:1", "bob@example.com:1"]}"#;
        let text = |rules: Vec<String>| with_rules(&[rules, vec![named.to_owned()]].concat().join(","));
        let (before, after) = (text(before), text(after));
        let told = changes(&before, &after);
        let sources = [
            ("alice@example.com", Subject::User("alice@example.com".to_owned())),
            ("bob@example.com", Subject::User("bob@example.com".to_owned())),
            ("tag:web", Subject::Tag("web".to_owned())),
        ];
        for (name, from) in &sources {
            for to in ["tag:web", "bob@example.com"] {
                for port in [1, 22, 85, 443, 7000] {
                    let place = format!("{to}:{port}");
                    let (was, is) = (is_allowed(&before, from, &place), is_allowed(&after, from, &place));
                    for (list, here, there) in [("gained", is, was), ("lost", was, is)] {
                        let at = format!("{list}, {name} to {place}: {before} and {after} gave {told}");
                        let by_name = tells(&told, name, list, to, port);
                        // Of those whom `*` takes along, some had it before.
                        let by_all = tells(&told, name, list, "*", port);
                        prop_assert!(!by_name || (here && !there), "{}", &at);
                        prop_assert!(!by_all || here, "{}", &at);
                        prop_assert!(by_name || by_all || !here || there, "{}", &at);
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_changes_between_equals_and_a_swap_swaps(before in rules(), after in rules(), known: bool) {
        let topology = if known { devices() } else { Topology::default() };
        let (before, after) = (with_rules(&before.join(",")), with_rules(&after.join(",")));
        prop_assert_eq!(changes_in(&before, &before, &topology), json!([]));
        let there = changes_in(&before, &after, &topology);
        let back = changes_in(&after, &before, &topology);
        prop_assert_eq!(count(&there, "gained"), count(&back, "lost"));
        prop_assert_eq!(count(&there, "lost"), count(&back, "gained"));
    }

    #[test]
    fn one_more_rule_takes_nothing_and_order_is_nothing(rules in rules(), more in rules(), known: bool) {
        let topology = if known { devices() } else { Topology::default() };
        let before = with_rules(&rules.join(","));
        let mut longer = rules.clone();
        longer.extend(more);
        let after = with_rules(&longer.join(","));
        prop_assert_eq!(count(&changes_in(&before, &after, &topology), "lost"), 0);
        longer.reverse();
        let reversed = with_rules(&longer.join(","));
        prop_assert_eq!(changes_in(&after, &reversed, &topology), json!([]));
    }
}
