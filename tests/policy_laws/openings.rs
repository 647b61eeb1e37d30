//! Whether a list of openings of the public API, `{proto, ports, postures?}`, contains some traffic. Must not live here: who reaches
//! what.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::case::Case;
use crate::oracle::document::{member, protocol, texts};
use crate::oracle::posture::meets;

/// A port and protocol to ask about, and the postures that the source meets.
pub struct Probe<'a> {
    pub port: u16,
    pub protocol: &'static str,
    pub attributes: Option<&'a Value>,
}

/// The postures of the document that a source meets.
pub fn postures(case: &Case, attributes: Option<&Value>) -> BTreeSet<String> {
    let defined = member(case.policy(), &["postures"]).and_then(Value::as_object);
    let met = |(name, conditions): (&String, &Value)| {
        let met = attributes.is_some_and(|attributes| meets(&texts(Some(conditions)), attributes));
        met.then(|| name.clone())
    };
    defined.into_iter().flatten().filter_map(met).collect()
}

/// Whether some opening contains the probe.
pub fn hold(case: &Case, opens: &Value, probe: &Probe<'_>) -> bool {
    let number = protocol(probe.protocol);
    let held = postures(case, probe.attributes);
    let holds = |opening: &Value| {
        let own = match &opening["proto"] {
            Value::Number(own) => own.as_u64() == Some(u64::from(number)),
            Value::String(own) if own == "ping" => [1, 58].contains(&number),
            own => protocol(own.as_str().expect("a protocol")) == number,
        };
        let wanted = opening.get("postures").map(|list| texts(Some(list)));
        let posture = wanted.is_none_or(|wanted| wanted.iter().any(|name| held.contains(name)));
        let portless = ![6, 17, 132, 33].contains(&number);
        own && posture
            && (portless || contains(opening["ports"].as_str().expect("ports"), probe.port))
    };
    opens.as_array().into_iter().flatten().any(holds)
}

/// `*`, or numbers and ranges.
fn contains(ports: &str, port: u16) -> bool {
    ports == "*"
        || ports.split(',').any(|part| {
            let number = |text: &str| text.parse::<u16>().expect("a port");
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            number(first) <= port && port <= number(last)
        })
}
