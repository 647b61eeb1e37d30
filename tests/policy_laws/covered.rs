//! Law: a rule that is reported as covered by another, with a posture or without, can be removed, and every answer stays the same. Must not live here: how
//! many of the covered rules are found.

use serde_json::Value;
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, Verdict, check};

use crate::case::{Case, Fault, Found, Law};
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
