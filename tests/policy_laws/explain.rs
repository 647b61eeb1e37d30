//! Law: a flow is allowed exactly if those who may receive it let it in (policy-language.md 6 and 7). Must not live here: the
//! filters themselves.

use serde_json::{Value, json};
use tailnet_kit::policy::Flow;

use crate::case::{Case, Found, law};
use crate::oracle::document::protocol;
use crate::oracle::{Answer, Oracle, Way};
use crate::questions::{Question, addresses, question};
use crate::random::dice::Dice;

/// The word of the contract for an answer.
pub fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Allowed => "allowed",
        Answer::Denied => "denied",
        Answer::Unknown => "unknown",
    }
}

/// What the language says of a question between names; nothing where it does not say which addresses they have.
pub fn wanted(oracle: &Oracle, asked: &Question) -> Option<Answer> {
    let (from, to) = (
        oracle.tailnet.addresses(&asked.from)?,
        oracle.tailnet.addresses(&asked.to)?,
    );
    if from.is_empty() || to.is_empty() {
        return None;
    }
    oracle.reaches(
        &from,
        &to,
        asked.port,
        protocol(asked.protocol),
        asked.attributes.as_ref(),
    )
}

/// What the engine says.
pub fn explained(case: &Case, asked: &[Question]) -> Vec<Value> {
    let answers = case.ask(|policy| {
        let explain = |asked: &Question| {
            let from = asked.from.parse().expect("a source");
            let flow =
                Flow::new(&from, &asked.destination(), Some(asked.protocol)).expect("a flow");
            policy.explain(&flow, &case.topology)
        };
        json!(asked.iter().map(explain).collect::<Vec<_>>())
    });
    serde_json::from_value(answers).expect("a list")
}

/// How the packets of a question travel, in a word.
fn way(oracle: &Oracle, asked: &Question) -> &'static str {
    let ends = |name: &str| oracle.tailnet.addresses(name).unwrap_or_default();
    let (from, to) = (ends(&asked.from), ends(&asked.to));
    let (Some(&from), Some(&to)) = (from.first(), to.first()) else {
        return "nobody";
    };
    match oracle
        .receivers(from, to, asked.attributes.as_ref())
        .first()
    {
        Some((_, Way::Device)) => "a device",
        Some((_, Way::Router(_))) => "routers",
        Some((_, Way::Exit)) => "exit nodes",
        None => "nobody",
    }
}

fn verdicts(case: &Case, dice: &mut Dice) -> Found {
    let oracle = case.oracle();
    let near = addresses(&oracle);
    let asked: Vec<Question> = (0..50).map(|_| question(dice, &oracle, &near)).collect();
    for (asked, answer) in asked.iter().zip(explained(case, &asked)) {
        let Some(wanted) = wanted(&oracle, asked) else {
            continue;
        };
        if answer["verdict"] != json!(word(wanted)) {
            let (says, wanted) = (&answer["verdict"], word(wanted));
            let ping = if protocol(asked.protocol) == 1 {
                " ping"
            } else {
                ""
            };
            let way = way(&oracle, asked);
            return Err(format!(
                "explain says {says}, {way} say{ping} {wanted}: {asked}; because {}",
                answer["because"]
            ));
        }
    }
    Ok(50)
}

#[test]
fn a_flow_is_allowed_exactly_if_its_receivers_let_it_in() {
    law("explain", 1, verdicts);
}
