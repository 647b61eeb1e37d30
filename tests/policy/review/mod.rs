//! What a review says of a change: seeded bad changes, each named at its line; edits without meaning, for which the review is
//! empty; the laws; and the summary. Expected values come from docs/policy-language.md and the declarations.
//! Must not live here: who gains what in detail (tests/policy/diff_access.rs, tests/policy/diff_ssh.rs).

mod bad;
mod conditions;
mod neutral;
mod summary;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    Guard, Judge, Judged, Policy, PolicyContext, Review, check, diff_access, diff_ssh, review,
};

use crate::effort::Effort;

/// A policy with an example of everything.
pub const BASE: &str = include_str!("base.hujson");

#[track_caller]
pub fn guarded(before: &str, after: &str, context: &PolicyContext, guard: Option<&str>) -> Review {
    let (old, new) = (hujson::parse(before), hujson::parse(after));
    let (old, new) = (old.expect("parses"), new.expect("parses"));
    let policies = [Policy::read(&old), Policy::read(&new)];
    let checks = policies.each_ref().map(|policy| policy.check(context));
    for policy in &policies {
        policy.accept(context).expect("has answers");
    }
    let judges = policies
        .each_ref()
        .map(|policy| Judge::new(policy, context));
    let judged = |at: usize| Judged {
        judge: &judges[at],
        check: &checks[at],
    };
    let proof = guard.map(|guard| {
        let guard = Guard::read(guard, true).expect("a guard");
        policies[1].prove(&guard, &[], context).expect("a proof")
    });
    review(judged(0), judged(1), proof)
}

#[track_caller]
pub fn reviewed(before: &str, after: &str) -> Review {
    guarded(before, after, &PolicyContext::default(), None)
}

/// The base with one part in place of another.
#[track_caller]
pub fn edited(from: &str, to: &str) -> String {
    assert!(BASE.contains(from), "the base has no {from}");
    BASE.replace(from, to)
}

/// The line, from 1, of the first occurrence of a part of a text.
#[track_caller]
pub fn line_of(text: &str, part: &str) -> usize {
    let at = text.find(part).unwrap_or_else(|| panic!("no {part}"));
    text[..at].lines().count().max(1) + usize::from(text[..at].ends_with('\n'))
}

/// Users and devices for everything that the base names.
pub fn devices() -> PolicyContext {
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
    serde_json::from_value(json!({"devices": devices})).expect("a context")
}

#[test]
fn the_base_is_accepted() {
    let check = check(BASE, &devices());
    assert_eq!((check.accepted, check.message), (true, None));
}

#[test]
fn a_review_of_equal_texts_is_empty() {
    for context in [PolicyContext::default(), devices()] {
        let review = guarded(BASE, BASE, &context, None);
        assert_eq!(
            serde_json::to_value(&review).expect("serializes"),
            json!({
                "unchanged": true, "changes": [], "issues": [], "access": [], "ssh": [], "powers": [], "devices": [], "postures": [],
                "lockedOut": [], "orphaned": [], "exposed": [], "networkLogins": [], "renamed": [], "conditions": {"access": [], "ssh": []},
                "tests": {"added": [], "removed": [], "changed": []}, "guard": null,
                "summary": "**Nothing changes in meaning**: access, logins, powers and settings are the same.\n",
            })
        );
    }
}

/// Each gain and loss in one line. An alias that stands for something else in the other document is written with what it stands
/// for, in whichever order the documents are.
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

/// The laws for any two documents.
#[track_caller]
pub fn assert_laws(before: &str, after: &str) {
    for context in [PolicyContext::default(), devices()] {
        let (there, back) = (
            guarded(before, after, &context, None),
            guarded(after, before, &context, None),
        );
        let (old, new) = (hujson::parse(before), hujson::parse(after));
        let (old, new) = (old.expect("parses"), new.expect("parses"));
        let (old, new) = (Policy::read(&old), Policy::read(&new));
        assert_eq!(there.access, diff_access(&old, &new, &context));
        assert_eq!(there.ssh, diff_ssh(&old, &new, &context));
        assert_eq!(there.unchanged, back.unchanged);
        assert_eq!(
            lines(&json!(there.access), "+", "-"),
            lines(&json!(back.access), "-", "+")
        );
        assert_eq!(
            lines(&json!(there.ssh), "+", "-"),
            lines(&json!(back.ssh), "-", "+")
        );
        let counts = |review: &Review| {
            let checked = review.ssh.iter().flat_map(|change| &change.checked);
            let undecided = review
                .access
                .iter()
                .flat_map(|change| change.undecided.iter());
            (checked.count(), undecided.count())
        };
        assert_eq!(counts(&there), counts(&back));
        assert!(there.summary.lines().count() <= 60, "{}", there.summary);
    }
}

/// The codes and lines of the issues that are new.
fn new_issues(before: &str, after: &str) -> Vec<(&'static str, usize)> {
    let issues = reviewed(before, after).issues;
    issues
        .iter()
        .map(|issue| (issue.code, issue.line))
        .collect()
}

#[test]
fn an_issue_is_new_by_what_it_says_and_not_by_its_line() {
    let rule = |from: &str, to: &str| {
        format!(r#"    {{"action": "accept", "src": ["{from}"], "dst": ["{to}"]}},"#)
    };
    let text = |rules: &[String]| format!("{{\n  \"acls\": [\n{}\n  ]}}", rules.join("\n"));
    let all = rule("*", "*:*");
    let one = rule("alice@example.com", "10.0.0.1:22");
    let other = rule("bob@example.com", "10.0.0.2:22");
    // `*` to everything makes the second superfluous; comments move both.
    let before = text(&[all.clone(), one.clone()]);
    let moved = text(&["    // Moved.".into(), all.clone(), "".into(), one.clone()]);
    assert_eq!(new_issues(&before, &moved), []);
    assert_eq!(new_issues(&before, &text(&[one.clone(), all.clone()])), []);
    // One more superfluous rule is a new issue, and so is one in place of the other.
    let more = text(&[all.clone(), one.clone(), other.clone()]);
    assert_eq!(new_issues(&before, &more), [("covered_rule", 5)]);
    assert_eq!(new_issues(&more, &before), []);
    assert_eq!(
        new_issues(&before, &text(&[all.clone(), other])),
        [("covered_rule", 4)]
    );
    // A changed rule with the same issue as before has no new one.
    let changed = text(&[all, rule("alice@example.com", "10.0.0.1:23")]);
    assert_eq!(new_issues(&before, &changed), []);
    // The same issue twice at one place is one more issue.
    let doubled = text(&[rule(
        "alice@example.com\", \"alice@example.com",
        "10.0.0.1:22",
    )]);
    assert_eq!(new_issues(&text(&[one]), &doubled), [("repeated_entry", 3)]);
}

#[test]
fn a_destination_open_to_many_is_listed_once_for_the_widest_source() {
    let text = |source: &str| {
        json!({"tagOwners": {"tag:a": []}, "grants": [
            {"src": [source], "dst": ["tag:a"], "ip": ["tcp:443"]},
        ]})
        .to_string()
    };
    let exposed = |before: &str, after: &str| {
        let review = reviewed(&text(before), &text(after));
        let told = review.exposed.iter().map(|open| {
            let to = json!(open.to);
            format!(
                "{} {} {}",
                to.as_str().expect("a name"),
                open.destination,
                json!(open.opens)
            )
        });
        told.collect::<Vec<String>>()
    };
    let opens = json!([{"proto": "tcp", "ports": "443"}, {"proto": "ping", "ports": "*"}]);
    let told = |to: &str| vec![format!("{to} tag:a {opens}")];
    assert_eq!(exposed("alice@example.com", "*"), told("everybody"));
    assert_eq!(
        exposed("alice@example.com", "autogroup:member"),
        told("everybody")
    );
    assert_eq!(
        exposed("alice@example.com", "autogroup:shared"),
        told("outsiders")
    );
    assert_eq!(
        exposed("alice@example.com", "autogroup:danger-all"),
        told("anyone")
    );
    // Everybody had it before.
    assert_eq!(exposed("*", "autogroup:member"), [""; 0]);
    assert_eq!(exposed("autogroup:member", "*"), [""; 0]);
    assert_eq!(exposed("*", "autogroup:danger-all"), told("anyone"));
    assert_eq!(exposed("autogroup:danger-all", "*"), [""; 0]);
    // Access to one's own devices is not exposed to others.
    let own = r#"{"acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]}]}"#;
    assert_eq!(reviewed(r#"{"acls": []}"#, own).exposed, []);
}

#[test]
fn the_time_grows_with_the_text() {
    let text = |first: usize, port: usize| {
        let mut rules = Vec::new();
        for at in first..first + 1000 {
            let (group, tag) = (format!("group:g{}", at % 100), format!("tag:t{}", at % 50));
            rules.push(json!({"action": "accept", "src": [group, format!("u{}@example.com", at % 500)], "dst": [format!("{tag}:{port}")]}));
        }
        let groups: Value = (0..100)
            .map(|at| {
                (
                    format!("group:g{at}"),
                    json!(
                        (0..10)
                            .map(|member| format!("u{}@example.com", (at * 7 + member) % 500))
                            .collect::<Vec<_>>()
                    ),
                )
            })
            .collect::<serde_json::Map<_, _>>()
            .into();
        let owners: Value = (0..50)
            .map(|at| (format!("tag:t{at}"), json!([])))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let ssh: Vec<Value> = (0..100).map(|at| json!({"action": "accept", "src": [format!("group:g{at}")], "dst": [format!("tag:t{}", at % 50)], "users": ["root"]})).collect();
        json!({"groups": groups, "tagOwners": owners, "acls": rules, "ssh": ssh}).to_string()
    };
    let mut devices = Vec::new();
    for at in 0..1000 {
        let address = format!("100.64.{}.{}", at / 250, at % 250 + 1);
        let mut device = json!({"id": at.to_string(), "addresses": [address]});
        match at % 2 {
            0 => device["user"] = json!(format!("u{}@example.com", at / 2)),
            _ => device["tags"] = json!([format!("tag:t{}", at % 50)]),
        }
        devices.push(device);
    }
    let context: PolicyContext =
        serde_json::from_value(json!({"devices": devices})).expect("a context");
    let effort = Effort::begin();
    for (after, gains) in [
        (text(500, 22), false),
        (text(0, 23), true),
        (text(0, 22).replacen("tag:t7:22", "*:*", 1), true),
    ] {
        let begun = effort.so_far();
        let review = guarded(&text(0, 22), &after, &context, None);
        assert_eq!(!review.access.is_empty(), gains);
        println!("{:?}", effort.so_far() - begun);
    }
    // Without optimisation it takes about ten times as long.
    assert!(effort.so_far().as_secs() < 60, "{:?}", effort.so_far());
}
