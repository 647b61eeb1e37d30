//! Law: a flow is allowed exactly if its possible receivers let it in (docs/policy-language.md#where-a-packet-ends). Must not live here: the
//! filters themselves.

use serde_json::{Value, json};
use tailnet_kit::policy::{Flow, Subject};

use crate::case::{Case, Found, Law, each};
use crate::oracle::document::protocol;
use crate::oracle::{Answer, Oracle, Way};
use crate::questions::{Question, questions};
use crate::random::rules::with_port;

/// The declared word for an answer.
pub fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Allowed => "allowed",
        Answer::Denied => "denied",
        Answer::Unknown => "unknown",
    }
}

/// The language's answer to a question between names; nothing where it does not give the names addresses.
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

/// The engine's answer.
pub fn explained(case: &Case, asked: &[Question]) -> Vec<Value> {
    let answers = case.ask(|policy| {
        let explain = |asked: &Question| {
            let from = asked.from.parse().expect("a source");
            let mut flow =
                Flow::new(&from, &asked.destination(), Some(asked.protocol)).expect("a flow");
            if let Some(attributes) = &asked.attributes {
                flow = flow
                    .with_posture_attributes(&attributes.to_string())
                    .expect("attributes");
            }
            policy
                .explain(&flow, &case.context)
                .expect("a flow that makes sense")
        };
        json!(asked.iter().map(explain).collect::<Vec<_>>())
    });
    serde_json::from_value(answers).expect("a list")
}

/// The verdict on a flow between names of any kind; nothing where they make no valid question.
pub fn verdict(
    case: &Case,
    from: &Subject,
    to: &Subject,
    port: u16,
    protocol: &str,
    attributes: Option<&Value>,
) -> Option<String> {
    let mut flow = Flow::new(from, &with_port(to.text(), port), Some(protocol)).ok()?;
    if let Some(attributes) = attributes {
        flow = flow.with_posture_attributes(&attributes.to_string()).ok()?;
    }
    let answer = case.ask(|policy| json!(policy.explain(&flow, &case.context).ok()));
    answer["verdict"].as_str().map(str::to_owned)
}

/// How the packets of a question travel, in one word.
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

fn judge(case: &Case, asked: &[Question]) -> Found {
    let oracle = case.oracle();
    let answered: Vec<_> = asked.iter().zip(explained(case, asked)).collect();
    each(&answered, |(asked, answer)| {
        let wanted = wanted(&oracle, asked)?;
        let says = &answer["verdict"];
        if *says == json!(word(wanted)) {
            return Some(Ok(()));
        }
        let ping = if protocol(asked.protocol) == 1 {
            " ping"
        } else {
            ""
        };
        let (wanted, way, because) = (word(wanted), way(&oracle, asked), &answer["because"]);
        Some(Err(format!(
            "explain says {says}, {way} say{ping} {wanted}: {asked}; because {because}"
        )))
    })
}

#[test]
fn a_flow_is_allowed_exactly_if_its_receivers_let_it_in() {
    Law {
        name: "explain",
        share: 1,
        draw: questions,
        judge,
    }
    .holds();
}
