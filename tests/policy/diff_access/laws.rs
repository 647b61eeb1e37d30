//! Laws of who gains and who loses access between two documents. Must not live here: single cases.

use proptest::prelude::*;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, PolicyContext, Subject, Verdict};

use super::{changes, changes_in, devices, with_rules};

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

/// Whether ports in the form of the difference contain this one.
fn holds(ports: &Value, port: u16) -> bool {
    ports.as_array().expect("a list").iter().any(|range| {
        let range = range.as_str().expect("a range");
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<u16>().expect("a port");
        range == "*" || (number(first)..=number(last)).contains(&port)
    })
}

/// Whether a list of the difference has this port at a destination.
fn tells(changes: &Value, source: &str, list: &str, to: &str, port: u16) -> bool {
    let changes = changes.as_array().expect("a list").iter();
    let mut reached = changes
        .filter(|change| change["source"] == source)
        .flat_map(|change| change[list].as_array().expect("a list"));
    // What a user's own devices are depends on who asks.
    let is_there = |one: &Value| {
        let is_own = one["destination"] == "autogroup:self" && source == to;
        one["destination"] == to || is_own
    };
    reached.any(|one| is_there(one) && is_meant(one, to) && holds(&one["ports"], port))
}

/// Whether none of the destination, or not this name of it, is left out.
fn is_meant(reach: &Value, to: &str) -> bool {
    let mut parts = reach["part"]["to"].as_array().into_iter().flatten();
    parts.all(|part| to == "*" || part.as_str().is_some_and(|part| part != to))
}

fn is_allowed(text: &str, from: &Subject, to: &str) -> bool {
    let document = hujson::parse(text).expect("parses");
    let flow = Flow::new(from, to, None).expect("a flow");
    let explanation = Policy::read(&document)
        .explain(&flow, &PolicyContext::default())
        .expect("an answer");
    explanation.verdict == Verdict::Allowed
}

proptest! {
    #[test]
    fn what_changes_is_what_explain_says_of_one_document_alone(before in rules(), after in rules()) {
        // In both documents, so that each of these names can be asked about.
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
                        // Some of those whom `*` covers had it before.
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
        let context = if known { devices() } else { PolicyContext::default() };
        let (before, after) = (with_rules(&before.join(",")), with_rules(&after.join(",")));
        prop_assert_eq!(changes_in(&before, &before, &context), json!([]));
        let there = changes_in(&before, &after, &context);
        let back = changes_in(&after, &before, &context);
        prop_assert_eq!(count(&there, "gained"), count(&back, "lost"));
        prop_assert_eq!(count(&there, "lost"), count(&back, "gained"));
    }

    #[test]
    fn one_more_rule_takes_no_access_away_and_order_has_no_effect(rules in rules(), more in rules(), known: bool) {
        let context = if known { devices() } else { PolicyContext::default() };
        let before = with_rules(&rules.join(","));
        let mut longer = rules.clone();
        longer.extend(more);
        let after = with_rules(&longer.join(","));
        prop_assert_eq!(count(&changes_in(&before, &after, &context), "lost"), 0);
        longer.reverse();
        let reversed = with_rules(&longer.join(","));
        prop_assert_eq!(changes_in(&after, &reversed, &context), json!([]));
    }
}
