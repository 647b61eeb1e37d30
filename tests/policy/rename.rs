//! Renaming: a name changes everywhere it is used, and nothing else does.
//! Must not live here: other edits (tests/policy/verbs.rs).

use std::collections::BTreeSet;

use crate::recordings::recordings;
use serde_json::Value;
use tailnet_kit::hujson;
use tailnet_kit::policy::{PolicyContext, check, diff, rename};

const TEXT: &str = r#"{
  // group:dev builds, tag:db stores.
  "groups": {"group:dev": ["ann@example.com"], "group:dev2": []},
  "hosts": {"web": "10.0.0.1", /* web */ "net": "10.0.0.0/8"},
  "tagOwners": {"tag:db": ["group:dev"], "tag:d": ["tag:db"]},
  "ipsets": {"ipset:all": ["add host:web", "remove ipset:some", "net"], "ipset:some": []},
  "postures": {"posture:mac": ["node:os == 'macos'"]},
  "defaultSrcPosture": ["posture:mac"],
  "autoApprovers": {"routes": {"10.0.0.0/8": ["group:dev", "tag:db"]}, "exitNode": ["tag:db"]},
  "ACLs": [
    {"Action": "accept", "Users": [" group:dev", "web"], "Ports": ["tag:db:80,443", "web:22", "ipset:all:*", "net:web"]},
  ],
  "grants": [{"src": ["ipset:all"], "dst": ["tag:db", "web"], "via": ["tag:db"], "srcPosture": ["posture:mac"], "ip": ["*"]}],
  "ssh": [{"action": "accept", "src": ["group:dev"], "dst": ["tag:db"], "users": ["web", "tag:db"]}],
  "nodeAttrs": [{"target": ["tag:db", "web"], "attr": ["web"], "app": {"tailscale.com/app-connectors": [{"name": "web", "connectors": ["tag:db"]}]}}],
  "tests": [{"src": "group:dev", "accept": ["tag:db:80", "web:22"], "deny": ["web:23"]}],
  "sshTests": [{"src": "group:dev", "dst": ["tag:db", "web"], "accept": ["web"]}],
}
"#;

/// Renames; returns the lines that changed, as they are then.
#[track_caller]
fn changes(from: &str, to: &str) -> Vec<(usize, String)> {
    let renamed = rename(TEXT, from, to).expect("a name");
    let lines = TEXT.lines().zip(renamed.lines()).enumerate();
    lines
        .filter(|(_, (before, after))| before != after)
        .map(|(at, (_, after))| (at + 1, after.trim().to_owned()))
        .collect()
}

#[track_caller]
fn lines(from: &str, to: &str) -> Vec<usize> {
    changes(from, to)
        .into_iter()
        .map(|(line, _)| line)
        .collect()
}

#[test]
fn a_name_changes_wherever_it_is_used_and_comments_stay() {
    assert_eq!(lines("group:dev", "group:ops"), [3, 5, 9, 11, 14, 16, 17]);
    assert_eq!(lines("tag:db", "tag:store"), [5, 9, 11, 13, 14, 15, 16, 17]);
    assert_eq!(lines("posture:mac", "posture:apple"), [7, 8, 13]);
    assert_eq!(lines("ipset:some", "ipset:few"), [6]);
    assert_eq!(lines("net", "lan"), [4, 6, 11]);
}

#[test]
fn an_alias_is_not_mistaken_for_equal_words() {
    let changed = changes("web", "www");
    let line = |number| {
        changed
            .iter()
            .find(|(line, _)| *line == number)
            .map(|(_, text)| text.as_str())
    };
    assert_eq!(
        line(4),
        Some(r#""hosts": {"www": "10.0.0.1", /* web */ "net": "10.0.0.0/8"},"#)
    );
    assert_eq!(
        line(6),
        Some(
            r#""ipsets": {"ipset:all": ["add host:www", "remove ipset:some", "net"], "ipset:some": []},"#
        )
    );
    assert_eq!(line(14), None, "accounts are no aliases");
    assert_eq!(
        line(17),
        Some(r#""sshTests": [{"src": "group:dev", "dst": ["tag:db", "www"], "accept": ["web"]}],"#)
    );
    let attributes = line(15).expect("a target");
    assert!(
        attributes.starts_with(r#""nodeAttrs": [{"target": ["tag:db", "www"], "attr": ["web"]"#),
        "{attributes}"
    );
}

#[test]
fn the_prefix_may_be_left_out_of_the_new_name() {
    assert_eq!(
        rename(TEXT, "tag:db", "store").ok(),
        rename(TEXT, "tag:db", "tag:store").ok()
    );
}

#[test]
fn escapes_are_read_and_written() {
    let text = r#"{"groups": {"group:caf\u00e9": []}, "acls": [{"src": ["group:café"]}]}"#;
    let wanted = r#"{"groups": {"group:\"x\"": []}, "acls": [{"src": ["group:\"x\""]}]}"#;
    assert_eq!(
        rename(text, "group:café", "group:\"x\"").ok().as_deref(),
        Some(wanted)
    );
}

#[track_caller]
fn refuses(from: &str, to: &str, why: &str) {
    let error = rename(TEXT, from, to).expect_err(why);
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        ("invalid_argument", why)
    );
}

#[test]
fn names_that_cannot_be_renamed_are_refused() {
    refuses("group:none", "group:x", "there is no `group:none`");
    refuses("group:dev", "group:dev2", "`group:dev2` is taken");
    refuses("group:dev", "group:", "an empty name");
    refuses(
        "tag:db",
        "tag:1",
        "`tag:1` is not a valid tag: a letter, then letters, digits or dashes",
    );
    refuses("web", "10.0.0.2", "`10.0.0.2` is not a valid alias");
    refuses("web", "a@b", "`a@b` is not a valid alias");
    refuses("web", "a:b", "`a:b` has a character that names cannot have");
    refuses("web", "net", "`net` is taken");
    refuses(
        "svc:x",
        "svc:y",
        "a service is named where it is made, not in a policy",
    );
    let syntax = rename("{", "a", "b").expect_err("no text");
    assert_eq!(syntax.code(), "hujson_syntax");
}

/// A policy with one name replaced by another, found only by the characters around it: quotes, or a colon and ports after it.
fn replaced(value: &Value, from: &str, to: &str, ports: bool) -> Value {
    let text = |text: &str| {
        let (before, own) = match text.split_once("host:") {
            Some((before @ ("" | "add " | "remove "), own)) if !from.contains(':') => {
                (before.len() + 5, own)
            }
            _ => (0, text),
        };
        let rest = own.strip_prefix(from);
        match rest.filter(|rest| rest.is_empty() || ports && rest.starts_with(':')) {
            Some(rest) => format!("{}{to}{rest}", &text[..before]),
            None => text.to_owned(),
        }
    };
    match value {
        Value::String(own) => Value::String(text(own)),
        Value::Array(elements) => {
            let elements = elements.iter();
            elements
                .map(|element| replaced(element, from, to, ports))
                .collect()
        }
        Value::Object(members) => {
            let renamed = |(name, value): (&String, &Value)| {
                let ports = ports && name != "sshTests";
                (text(name), replaced(value, from, to, ports))
            };
            members.iter().map(renamed).collect()
        }
        other => other.clone(),
    }
}

/// The names that a policy defines.
fn defined(policy: &Value) -> BTreeSet<String> {
    let sections = ["groups", "hosts", "tagOwners", "ipsets", "postures"];
    let names = sections
        .iter()
        .filter_map(|section| policy[*section].as_object());
    names.flat_map(|section| section.keys().cloned()).collect()
}

/// One recording in this many is used; with `POLICY_LANGUAGE_ALL` all of them are.
fn step() -> usize {
    match std::env::var_os("POLICY_LANGUAGE_ALL") {
        Some(_) => 1,
        None => 9,
    }
}

#[test]
fn of_recorded_policies_only_the_name_changes() {
    for (_, recordings) in recordings("rename") {
        for recording in recordings.iter().step_by(step()) {
            let policy: Value = serde_json::from_str(recording.policy()).expect("a policy");
            let mut number = 0;
            // A comment on every line has all names, which renaming must not change.
            let names = defined(&policy);
            let all = names.iter().cloned().collect::<Vec<_>>().join(" ");
            let text: String = recording
                .policy()
                .lines()
                .map(|line| format!("{line} // \"{all}\"\n"))
                .collect();
            for name in names {
                number += 1;
                let prefix = name
                    .split_once(':')
                    .map_or(String::new(), |(prefix, _)| format!("{prefix}:"));
                let new = format!("{prefix}renamed{number}");
                let renamed = match rename(&text, &name, &new) {
                    Ok(renamed) => renamed,
                    // A word that is not a valid name cannot be renamed.
                    Err(error) => panic!("{}: {name}: {error}", recording.id()),
                };
                let wanted = replaced(&policy, &name, &new, true).to_string();
                let differs = diff(&wanted, &renamed).expect("two policies");
                assert!(
                    differs.is_empty(),
                    "{}: {name}: {differs:?}",
                    recording.id()
                );
                // A name that the service refuses can be renamed, but no name can be renamed to it.
                if !name.is_ascii() {
                    continue;
                }
                assert_eq!(
                    rename(&renamed, &new, &name).ok().as_deref(),
                    Some(text.as_str()),
                    "{name}"
                );
                let codes = |text: &str| {
                    let issues = check(text, &PolicyContext::default()).issues;
                    issues
                        .into_iter()
                        .map(|issue| issue.code)
                        .collect::<Vec<_>>()
                };
                assert_eq!(codes(&renamed), codes(&text), "{}: {name}", recording.id());
            }
        }
    }
}

#[test]
fn a_renamed_text_is_as_standard_as_before() {
    assert!(hujson::parse(&rename(TEXT, "tag:db", "tag:x").expect("a name")).is_ok());
}
