//! Compares our verdict and message for each recorded policy with those of the real service.
//! Must not live here: what each device received (tests/recorded/network.rs).

use crate::recordings::{Recording, recordings};
use serde_json::Value;
use tailnet_kit::hujson;
use tailnet_kit::policy::{PolicyContext, check};

/// Recordings in which the addresses of the policy were not replaced together with those of the devices.
const DAMAGED: [&str; 1] = ["sshtest-malformed-dst-bare-ipv6"];

/// Checks every recording and prints how many agree; differences fail the test.
fn replay(what: &str, differs: impl Fn(&Recording, &PolicyContext) -> Option<String>) {
    let mut differences = Vec::new();
    for (category, recordings) in recordings() {
        let (mut judged, mut agreed) = (0, 0);
        for recording in &recordings {
            if DAMAGED.contains(&recording.id()) {
                println!("{what}: {} left out: a damaged recording", recording.id());
                continue;
            }
            let difference = differs(recording, &recording.context());
            judged += 1;
            agreed += usize::from(difference.is_none());
            differences.extend(difference.map(|line| format!("{}: {line}", recording.id())));
        }
        println!("{what}: {category}: {agreed} of {judged} agree");
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn verdict_and_message_are_those_of_the_service() {
    replay("verdict", |recording, context| {
        let check = check(recording.policy(), context);
        let said = recording.message();
        let agrees = recording.accepted() == check.accepted && check.message.as_deref() == said;
        (!agrees).then(|| format!("the service: {said:?}, we: {:?}", check.message))
    });
}

/// Less context may leave a question open; it must never change a verdict.
#[test]
fn without_a_context_nothing_is_guessed() {
    replay("verdict by text alone", |recording, _| {
        let check = check(recording.policy(), &PolicyContext::default());
        let said = recording.message();
        let agrees = check.accepted || check.message.as_deref() == said;
        (!agrees).then(|| format!("the service: {said:?}, we: {:?}", check.message))
    });
}

/// The same policy with the keys of the old grammar and in other letter cases (docs/policy-language.md#keys).
fn respelled(policy: &Value) -> Value {
    let mut old = policy.clone();
    let rename = |rules: Option<&mut Value>, names: &[(&str, &str)]| {
        for rule in rules.and_then(Value::as_array_mut).into_iter().flatten() {
            for (modern, old) in names {
                if let Some(value) = rule.as_object_mut().and_then(|rule| rule.remove(*modern)) {
                    rule[*old] = value;
                }
            }
        }
    };
    let acl = [("src", "Users"), ("dst", "Ports"), ("action", "Action")];
    rename(old.get_mut("acls"), &acl);
    let test = [("src", "User"), ("accept", "Allow"), ("deny", "DENY")];
    rename(old.get_mut("tests"), &test);
    let sections = std::mem::take(old.as_object_mut().expect("an object"));
    let upper = sections
        .into_iter()
        .map(|(name, value)| (name.to_uppercase(), value));
    Value::Object(upper.collect())
}

/// The same policy with blanks around every selector of its lists (docs/policy-language.md#blanks-and-case).
fn spaced(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(spaced).collect()),
        Value::Object(members) => {
            let selectors =
                |name: &str| matches!(name, "src" | "dst" | "target" | "via" | "exitNode");
            let member = |(name, value): (&String, &Value)| match value {
                Value::Array(items) if selectors(name) || name.contains(':') => {
                    let blank = |item: &Value| match item.as_str() {
                        Some(text) => Value::String(format!(" {text}\t")),
                        None => item.clone(),
                    };
                    (name.clone(), items.iter().map(blank).collect())
                }
                _ => (name.clone(), spaced(value)),
            };
            Value::Object(members.iter().map(member).collect())
        }
        other => other.clone(),
    }
}

#[test]
fn another_spelling_of_a_recording_is_judged_the_same() {
    replay("verdict on other spellings", |recording, context| {
        let text = hujson::standardize(recording.policy()).expect("HuJSON");
        let policy: Value = serde_json::from_str(&text).expect("JSON");
        let said = recording.message();
        let old = check(&respelled(&policy).to_string(), context);
        let spaced = check(&spaced(&policy).to_string(), context);
        let agrees = old.message.as_deref() == said && spaced.accepted == recording.accepted();
        (!agrees).then(|| {
            format!(
                "{said:?}, old {:?}, spaced {:?}",
                old.message, spaced.message
            )
        })
    });
}
