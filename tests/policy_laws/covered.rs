//! Laws: a rule that is reported as covered by another, with a posture or without, can be removed, and every answer stays the same;
//! and so can an ssh rule that is reported as shadowed. Must not live here: how many of these rules are found.

use serde_json::Value;
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, Verdict, check};

use crate::case::{Case, Fault, Found, Law, nothing};
use crate::questions::{Question, questions};

/// The policy without the rule at a pointer.
fn without(policy: &Value, pointer: &str) -> Value {
    let mut policy = policy.clone();
    let (list, index) = pointer.rsplit_once('/').expect("a pointer to a rule");
    let rules = policy.pointer_mut(list).and_then(Value::as_array_mut);
    rules
        .expect("rules")
        .remove(index.parse().expect("an index"));
    policy
}

fn verdicts(case: &Case, policy: &Value, asked: &[Question]) -> Vec<Verdict> {
    let text = policy.to_string();
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    let verdict = |asked: &Question| {
        let from = asked.from.parse().expect("a source");
        let flow = Flow::new(&from, &asked.destination(), Some(asked.protocol)).expect("a flow");
        let answer = policy.explain(&flow, &case.context);
        answer.expect("an answer").verdict
    };
    asked.iter().map(verdict).collect()
}

fn judge(case: &Case, asked: &[Question]) -> Found {
    let issues = check(&case.text, &case.context).issues;
    let covered = issues
        .iter()
        .filter(|issue| matches!(issue.code, "covered_rule" | "void_posture"));
    let pointers: Vec<&str> = covered
        .filter_map(|issue| issue.pointer.as_deref())
        .collect();
    if pointers.is_empty() {
        return Ok(0);
    }
    let before = verdicts(case, case.policy(), asked);
    for pointer in &pointers {
        let after = verdicts(case, &without(case.policy(), pointer), asked);
        for (at, (before, after)) in before.iter().zip(&after).enumerate() {
            if before != after {
                let asked = &asked[at];
                let says = format!("covered: {asked} is {before:?}, without {pointer} {after:?}");
                return Err(Fault::new(at, says));
            }
        }
    }
    Ok(asked.len() * pointers.len())
}

#[test]
fn a_covered_rule_can_go() {
    Law {
        name: "covered",
        share: 4,
        draw: questions,
        judge,
    }
    .holds();
}

/// What each device would answer to a login: by the first rule for a source and an account.
fn logins(case: &Case, policy: &Value) -> Vec<(String, String, Value)> {
    let text = policy.to_string();
    let document = hujson::parse(&text).expect("HuJSON");
    let rules = Policy::read(&document).ssh_rules(&case.context);
    let devices = serde_json::to_value(&rules).expect("rules");
    let devices: Vec<Value> = devices
        .as_object()
        .expect("devices")
        .values()
        .cloned()
        .collect();
    let addresses = case.context.devices.iter().flatten();
    let addresses: Vec<String> = addresses
        .flat_map(|device| device.addresses.iter().map(ToString::to_string))
        .collect();
    let mut answers = Vec::new();
    for rules in &devices {
        for from in &addresses {
            for account in ["root", "deploy", "alice", "anybody"] {
                let rules = rules.as_array().expect("a list").iter();
                let mut own = rules.filter(|rule| {
                    let sources = rule["from"].as_array().expect("sources");
                    let users = &rule["users"];
                    let local = users.get(account).or(users.get("*"));
                    sources.contains(&Value::from(from.as_str()))
                        && local.is_some_and(|local| local != "")
                });
                let action = own.next().map(|rule| rule["action"].clone());
                answers.push((from.clone(), account.to_owned(), action.into()));
            }
        }
    }
    answers
}

fn judge_logins(case: &Case, _: &[()]) -> Found {
    let issues = check(&case.text, &case.context).issues;
    let shadowed = issues
        .iter()
        .filter(|issue| issue.code == "shadowed_ssh_rule");
    let mut judged = 0;
    for pointer in shadowed.filter_map(|issue| issue.pointer.as_deref()) {
        let before = logins(case, case.policy());
        let after = logins(case, &without(case.policy(), pointer));
        if let Some((before, after)) = before.iter().zip(&after).find(|(a, b)| a != b) {
            let says = format!("shadowed: {before:?}, without {pointer} {after:?}");
            return Err(Fault::new(0, says));
        }
        // A login that no rule decides says nothing about the one that went.
        judged += before
            .iter()
            .filter(|(.., action)| !action.is_null())
            .count();
    }
    Ok(judged)
}

#[test]
fn a_shadowed_ssh_rule_can_go() {
    Law {
        name: "shadowed",
        share: 40,
        draw: nothing,
        judge: judge_logins,
    }
    .holds();
}
