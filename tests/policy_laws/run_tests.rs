//! Law: a test of the document passes exactly if its flows are as the test says (docs/policy-language.md#tests). Must not live
//! here: ssh tests.

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::policy::Subject;

use crate::case::{Case, Fault, Found, Law, each, nothing};
use crate::explain::verdict;
use crate::oracle::document::{cut, member, protocol, texts};
use crate::oracle::span::{holds, tailnet};
use crate::oracle::{Answer, Oracle, Packet};
use crate::random::dice::Dice;
use crate::random::rules;

/// Whether a flow passes in a test: by the rules as a whole, whoever receives it.
fn passes(oracle: &Oracle, test: &Value, to: &str) -> Option<Answer> {
    let (host, port) = cut(to);
    let port = port.parse().expect("a port");
    let named = member(test, &["proto"])
        .and_then(Value::as_str)
        .map(protocol);
    // Without a protocol TCP or UDP is enough.
    let protocols = named.map_or(vec![6, 17], |named| vec![named]);
    let (from, to) = (
        oracle.tailnet.addresses(test["src"].as_str()?)?,
        oracle.tailnet.addresses(&host)?,
    );
    let attributes = member(test, &["srcPostureAttrs"]);
    // It is not known which of several routers receives.
    let is_open = |from: &std::net::IpAddr| {
        let packet = |to: &std::net::IpAddr, protocol: &u8| Packet {
            from: *from,
            to: *to,
            port,
            protocol: *protocol,
        };
        let passes = |to| protocols.iter().map(move |protocol| (to, protocol));
        to.iter().flat_map(passes).any(|(to, protocol)| {
            oracle.passes(packet(to, protocol), attributes) == Answer::Unknown
        })
    };
    if from.iter().any(is_open) {
        return None;
    }
    let one = |from| {
        let mut packets = to.iter().flat_map(|&to| {
            protocols.iter().map(move |&protocol| Packet {
                from,
                to,
                port,
                protocol,
            })
        });
        packets.any(|packet| oracle.passes_test(packet, attributes))
    };
    (!from.is_empty()).then(|| (!to.is_empty() && from.iter().all(|from| one(*from))).into())
}

/// Whether a test passes; nothing where a source has no device.
fn wanted(oracle: &Oracle, test: &Value) -> Option<bool> {
    let (accept, deny) = (texts(test.get("accept")), texts(test.get("deny")));
    if accept.is_empty() && deny.is_empty() {
        return Some(false);
    }
    let mut all = true;
    for to in &accept {
        all &= passes(oracle, test, to)? == Answer::Allowed;
    }
    for to in &deny {
        // A destination that resolves to nothing fails either way.
        let nothing = oracle.tailnet.addresses(&cut(to).0)?.is_empty();
        all &= passes(oracle, test, to)? == Answer::Denied && !nothing;
    }
    Some(all)
}

/// The tests of the document, each with its result.
fn with_results(case: &Case) -> Result<Vec<(&Value, Value)>, Fault> {
    let report = case.ask(|policy| json!(policy.run_tests(&case.context)));
    let results = report["results"].as_array().into_iter().flatten();
    let own = results.filter(|result| result["section"] == "tests");
    let own: Vec<Value> = own.cloned().collect();
    let tests = case.policy()["tests"].as_array().into_iter().flatten();
    let tests: Vec<&Value> = tests.collect();
    let mut places = own.iter().map(|result| &result["index"]).enumerate();
    if own.len() != tests.len() || places.any(|(at, place)| *place != json!(at)) {
        let says = format!("not a result for each test: {tests:?} and {own:?}");
        return Err(Fault::new(0, says));
    }
    Ok(tests.into_iter().zip(own).collect())
}

/// Whether the result of each test of the document is the one in `wanted`, which has nothing for some tests.
fn judged(case: &Case, by: &str, wanted: impl Fn(&Value) -> Option<bool>) -> Found {
    each(&with_results(case)?, |(test, result)| {
        let wanted = wanted(test)?;
        let (says, errors) = (&result["passed"], &result["errors"]);
        Some(match *says == json!(wanted) {
            true => Ok(()),
            false => Err(format!(
                "test passed is {says}, {by} {wanted}: {test} {errors}"
            )),
        })
    })
}

fn judge(case: &Case, _: &[()]) -> Found {
    let oracle = case.oracle();
    let found = judged(case, "wanted", |test| wanted(&oracle, test));
    // The question of this law is the document.
    found.map_err(|fault| Fault {
        question: 0,
        ..fault
    })
}

/// Whether the explanations of the flows of a test say that it passes; nothing where a flow is not a valid question, or has no device.
fn explained(case: &Case, test: &Value) -> Option<bool> {
    let source = Subject::Plain(test["src"].as_str()?.to_owned());
    // Without a protocol TCP or UDP is enough, which needs two flows.
    let named = member(test, &["proto"])?.as_str()?;
    let attributes = member(test, &["srcPostureAttrs"]);
    // A test gives attributes to whatever its source is, and only devices have any.
    let from = case.oracle().tailnet.addresses(test["src"].as_str()?)?;
    if attributes.is_some() && from.iter().any(|from| !holds(&tailnet(), *from)) {
        return None;
    }
    let says = |to: &String, wanted: &str| {
        let (host, port) = cut(to);
        let port = port.parse().expect("a port");
        verdict(
            case,
            &source,
            &Subject::Plain(host),
            port,
            named,
            attributes,
        )
        .filter(|said| said == "allowed" || said == "denied")
        .map(|said| said == wanted)
    };
    let mut all = true;
    for (list, wanted) in [("accept", "allowed"), ("deny", "denied")] {
        for to in texts(test.get(list)) {
            all &= says(&to, wanted)?;
        }
    }
    Some(all)
}

/// Whether the language has a flow end for a test, which asks the policy as a whole, as for a packet, which is
/// for whoever receives it to let in (docs/policy-language.md#which-devices-receive-a-rule): exit nodes are not told of a set that is public only in part.
fn ends_alike(oracle: &Oracle, test: &Value, to: &str) -> Option<bool> {
    let (host, port) = cut(to);
    let (from, targets) = (
        oracle.tailnet.addresses(test["src"].as_str()?)?,
        oracle.tailnet.addresses(&host)?,
    );
    let named = protocol(member(test, &["proto"])?.as_str()?);
    let attributes = member(test, &["srcPostureAttrs"]);
    let port = port.parse().expect("a port");
    let received = oracle.reaches(&from, &targets, port, named, attributes)?;
    // Explanations are about packets between addresses of one family, tests about any.
    let meets = |from: &IpAddr| targets.iter().any(|to| to.is_ipv4() == from.is_ipv4());
    let crosses = from.iter().any(|from| {
        let mut others = targets.iter().filter(|to| to.is_ipv4() != from.is_ipv4());
        others.any(|to| {
            let packet = Packet {
                from: *from,
                to: *to,
                port,
                protocol: named,
            };
            oracle.passes_test(packet, attributes)
        })
    });
    let is_alike = from.iter().all(meets) && !crosses;
    Some(is_alike && passes(oracle, test, to)? == received)
}

fn has_addresses(oracle: &Oracle, name: &str) -> bool {
    let addresses = oracle.tailnet.addresses(name);
    addresses.is_some_and(|addresses| !addresses.is_empty())
}

/// Tests of one protocol whose ends have addresses: of others explanations say nothing. The few that a random policy has of its
/// own are hardly ever such.
fn tests_of_flows(case: &Case, dice: &mut Dice) -> Vec<Value> {
    let oracle = case.oracle();
    let mut tests: Vec<Value> = (0..20).flat_map(|_| rules::tests(dice)).collect();
    tests.retain(|test| {
        let flows = [texts(test.get("accept")), texts(test.get("deny"))].concat();
        let mut ends = flows.iter().map(|to| cut(to).0);
        let source = test["src"].as_str().expect("a source");
        !flows.is_empty()
            && has_addresses(&oracle, source)
            && ends.all(|to| has_addresses(&oracle, &to))
    });
    for test in &mut tests {
        test["proto"] = json!(dice.pick(&["tcp", "udp", "sctp"]));
    }
    tests
}

/// Replaces the tests of the document by the ones in question.
fn judge_explained(case: &Case, asked: &[Value]) -> Found {
    let case = case.with_tests(asked);
    let oracle = case.oracle();
    judged(&case, "explanations say", |test| {
        let flows = [texts(test.get("accept")), texts(test.get("deny"))].concat();
        let differs = |to: &String| ends_alike(&oracle, test, to) == Some(false);
        match flows.iter().any(differs) {
            true => None,
            false => explained(&case, test),
        }
    })
}

#[test]
fn a_test_passes_exactly_if_explanations_of_its_flows_say_so() {
    Law {
        name: "run_tests and explain",
        share: 4,
        draw: tests_of_flows,
        judge: judge_explained,
    }
    .holds();
}

#[test]
fn a_test_passes_exactly_if_its_flows_are_as_it_says() {
    Law {
        name: "run_tests",
        share: 10,
        draw: nothing,
        judge,
    }
    .holds();
}
