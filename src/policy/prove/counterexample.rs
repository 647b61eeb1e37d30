//! The words about a flow that is not as claimed: why it is undecided, and what comes nearest to opening it.
//! Must not live here: which flow it is, what its endpoints are called (called.rs).

use super::called::{Port, flow};
use super::proof::NamedFlow;
use crate::policy::explanation::{Explanation, Verdict};
use crate::policy::findings::words::joined;
use crate::policy::language::rule::{RuleRef, Section};
use crate::policy::question::{Flow, Subject};
use crate::policy::tailnet::flow::Judge;
use crate::policy::verdict::Error;

/// The answer of `explain` about a flow.
pub fn explained(judge: &Judge<'_>, flow: &NamedFlow) -> Result<Explanation, Error> {
    let from = Subject::Plain(flow.from.clone());
    judge.explain(&match &flow.user {
        Some(user) => Flow::login(&from, &flow.to, user)?,
        None => Flow::new(&from, &flow.to, flow.proto.as_deref())?,
    })
}

/// Why it is undecided whether a flow is as claimed, under the policy that leaves it so; its endpoints by the names that are shown.
pub fn why_open(
    judges: &[&Judge<'_>],
    [from, to]: [&str; 2],
    shown: &[String; 2],
    port: Port,
) -> Result<String, Error> {
    let named = flow(from, to, port);
    let mut each = Vec::with_capacity(judges.len());
    for judge in judges {
        each.push(explained(judge, &named)?);
    }
    let is_open = |own: &Explanation| {
        own.verdict == Verdict::Unknown
            || own.verdict == Verdict::Denied && !own.postures.is_empty()
    };
    let at = each.iter().position(is_open).unwrap_or_default();
    let Some(explained) = each.get(at) else {
        return Ok(String::new());
    };
    let (protocol, number) = (port.0.to_string(), port.1.to_string());
    let [from, to] = shown;
    let flow = joined(&[
        "`", from, "` to `", to, "`, ", &protocol, " ", &number, ": ",
    ]);
    let reason = match (explained.verdict, explained.postures.first()) {
        (Verdict::Denied, Some(posture)) => joined(&["allowed with `", posture, "`"]),
        (Verdict::Unknown, _) => {
            let mut names = String::new();
            for name in &explained.unresolved {
                names.push_str(if names.is_empty() {
                    "text and context do not say of `"
                } else {
                    ", `"
                });
                names.push_str(&joined(&[name, "`"]));
            }
            match names.is_empty() {
                true => "text and context do not say whether it is allowed".to_owned(),
                false => joined(&[&names, " whom it takes in"]),
            }
        }
        _ => "text and context do not say whether the claim is about it".to_owned(),
    };
    Ok(joined(&[&flow, &reason]))
}

/// Why a flow is not allowed: what the nearest rule misses.
pub fn why_denied(explained: &Explanation) -> String {
    if let Some(posture) = explained.postures.first() {
        return joined(&["only with `", posture, "`"]);
    }
    if let Some(part) = &explained.part {
        let mut text = "only a part is allowed".to_owned();
        for (word, part) in [(", from ", &part.from), (", to ", &part.to)] {
            if !part.is_all() {
                text.push_str(&joined(&[word, &part.text()]));
            }
        }
        return text;
    }
    match explained.near_misses.first() {
        Some(miss) => joined(&[&miss.why, &by_rule(miss.rule)]),
        None => "no rule comes near".to_owned(),
    }
}

/// Why a login is not allowed: what the nearest ssh rule misses.
pub fn why_no_login(judge: &Judge<'_>, login: &NamedFlow) -> String {
    let explained = explained(judge, login).ok();
    let misses = explained.iter().flat_map(|own| &own.near_misses);
    let mut misses = misses.filter(|miss| miss.rule.section == Section::Ssh);
    match misses.next() {
        Some(miss) => joined(&[&miss.why, &by_rule(miss.rule)]),
        None => "no ssh rule comes near".to_owned(),
    }
}

/// Which rule it is, in words.
fn by_rule(rule: RuleRef) -> String {
    joined(&[" (line ", &rule.line.to_string(), ")"])
}
