//! Law: a flow is allowed exactly if its possible receivers let it in (docs/policy-language.md#where-a-packet-ends). Must not live here: the
//! filters themselves.

use std::collections::BTreeSet;
use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::policy::{Flow, Subject};

use crate::case::{Case, Found, Law, each};
use crate::oracle::document::protocol;
use crate::oracle::{Answer, Oracle, Packet, Way};
use crate::questions::{Question, questions};
use crate::random::rules::with_port;

/// The language's answer to a question between names: `allowed` where every address of the source reaches every one of the destination that is
/// of its family, and each device meets one of the other side; nothing where it does not give the names addresses.
pub fn wanted(oracle: &Oracle, asked: &Question) -> Option<&'static str> {
    let (from, to) = (
        oracle.tailnet.addresses(&asked.from)?,
        oracle.tailnet.addresses(&asked.to)?,
    );
    if from.is_empty() || to.is_empty() {
        return None;
    }
    let (mut found, mut met) = (Vec::new(), [BTreeSet::new(), BTreeSet::new()]);
    for &from in &from {
        for &to in to.iter().filter(|to| to.is_ipv4() == from.is_ipv4()) {
            let packet = Packet {
                from,
                to,
                port: asked.port,
                protocol: protocol(asked.protocol),
            };
            let attributes = Oracle::attributes_at(from, asked.attributes.as_ref());
            found.push(oracle.passes(packet, attributes));
            met[0].insert(unit(oracle, from));
            met[1].insert(unit(oracle, to));
        }
    }
    let all = |own: &[IpAddr], met: &BTreeSet<String>| {
        own.iter().all(|own| met.contains(&unit(oracle, *own)))
    };
    let is_met = all(&from, &met[0]) && all(&to, &met[1]);
    let has = |wanted| found.contains(&wanted);
    Some(match (has(Answer::Allowed), has(Answer::Unknown)) {
        (true, false) if is_met && !has(Answer::Denied) => "allowed",
        (true, _) => "partly",
        (false, true) => "unknown",
        (false, false) => "denied",
    })
}

/// The device that has an address, or the address.
fn unit(oracle: &Oracle, address: IpAddr) -> String {
    let mut devices = oracle.tailnet.devices.iter();
    let owner = devices.find(|device| device.addresses.contains(&address));
    owner.map_or(address.to_string(), |device| device.id.clone())
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
        if *says == json!(wanted) {
            return Some(Ok(()));
        }
        let ping = if protocol(asked.protocol) == 1 {
            " ping"
        } else {
            ""
        };
        let (way, because) = (way(&oracle, asked), &answer["because"]);
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
