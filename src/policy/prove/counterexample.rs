//! The words about a flow that is not as claimed: the counterexample, with the names of `explain`, and why a flow is undecided.
//! Must not live here: which flow it is.

use super::proof::Counterexample;
use crate::policy::explain::{Explanation, Verdict};
use crate::policy::findings::words::joined;
use crate::policy::language::ports::Protocol;
use crate::policy::language::rule::RuleRef;
use crate::policy::question::{Flow, Subject};
use crate::policy::tailnet::flow::Judge;
use crate::policy::verdict::Error;

/// The protocol and port of a flow.
pub type Port = (Protocol, u16);

/// A flow as a counterexample.
pub fn counterexample(
    from: String,
    to: String,
    (protocol, port): Port,
    rule: Option<RuleRef>,
) -> Counterexample {
    Counterexample {
        from,
        to,
        protocol: protocol.to_string(),
        port,
        user: None,
        rule,
    }
}

/// The answer of `explain` about a flow.
pub fn explained(
    judge: &Judge<'_>,
    from: &str,
    to: &str,
    (protocol, port): Port,
) -> Result<Explanation, Error> {
    let to = match to.contains("::") {
        true => joined(&["[", to, "]:", &port.to_string()]),
        false => joined(&[to, ":", &port.to_string()]),
    };
    let flow = Flow::new(
        &Subject::Plain(from.to_owned()),
        &to,
        Some(&protocol.to_string()),
    )?;
    judge.explain(&flow)
}

/// Why it is open whether a flow is as claimed.
pub fn why_open(judge: &Judge<'_>, from: &str, to: &str, port: Port) -> Result<String, Error> {
    let explained = explained(judge, from, to, port)?;
    let (protocol, number) = (port.0.to_string(), port.1.to_string());
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
