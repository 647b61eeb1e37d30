//! One random policy in one random network, and how a law asks thousands of them. Must not live here: laws.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, Topology, check};

use crate::oracle::Oracle;
use crate::random::dice::Dice;
use crate::random::shrink::shrink;
use crate::random::{policies, tailnets};

/// How many cases that break a law are shown.
const SHOWN: usize = 3;

/// Laws that the engine does not keep yet: what breaks them is printed and fails nothing. To be empty.
const BROKEN: &[&str] = &["filters"];

/// What a law finds in a case: how much it asked, or what is wrong, as `kind: details`.
pub type Found = Result<usize, String>;

pub struct Case {
    /// `{policy, context}`.
    document: Value,
    pub text: String,
    pub topology: Topology,
}

impl Case {
    fn new(document: Value) -> Result<Case, String> {
        let topology = Topology::read(&document["context"].to_string())?;
        Ok(Case {
            text: document["policy"].to_string(),
            topology,
            document,
        })
    }

    fn of_seed(seed: u64) -> Case {
        let mut dice = Dice::new(seed);
        let context = tailnets::tailnet(&mut dice);
        let document = json!({"policy": policies::policy(&mut dice), "context": context});
        Case::new(document).expect("a random network is one")
    }

    pub fn policy(&self) -> &Value {
        &self.document["policy"]
    }

    pub fn context(&self) -> &Value {
        &self.document["context"]
    }

    pub fn oracle(&self) -> Oracle {
        Oracle::new(self.policy(), self.context())
    }

    /// Asks the policy of the engine, and gives the answer as JavaScript sees it.
    pub fn ask<T: serde::Serialize>(&self, question: impl FnOnce(&Policy<'_>) -> T) -> Value {
        let document = hujson::parse(&self.text).expect("HuJSON");
        let answer = question(&Policy::read(&document));
        serde_json::to_value(answer).expect("an answer is JSON")
    }

    /// What `explain` says of plain texts.
    pub fn explain(&self, from: &str, to: &str, protocol: &str) -> Value {
        let flow = Flow::new(&from.parse().expect("a source"), to, Some(protocol)).expect("a flow");
        self.ask(|policy| policy.explain(&flow, &self.topology))
    }

    /// Why the service would refuse the policy, failing tests aside.
    fn refusal(&self) -> Option<String> {
        let message = check(&self.text, &self.topology).message;
        message.filter(|message| message != "test(s) failed")
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is a number"))
    })
}

/// Asks until enough is asked; a case that breaks the law is made small first. Costly laws ask a share of the questions.
pub fn law(name: &str, share: u64, ask: impl Fn(&Case, &mut Dice) -> Found) {
    let wanted = number("POLICY_LAW_QUESTIONS").unwrap_or(4_000);
    let wanted = wanted.div_ceil(if wanted > 100_000 { 1 } else { share });
    let first = number("POLICY_LAW_SEED").unwrap_or_default();
    let (mut asked, mut told, mut broken) = (0, 0, Vec::new());
    for seed in first.. {
        if asked >= wanted || broken.len() >= SHOWN {
            break;
        }
        let case = Case::of_seed(seed);
        match find(&case, seed, &ask) {
            Ok(more) => asked += more.max(1) as u64,
            Err(fault) => broken.push(smallest(case, seed, fault, &ask)),
        }
        if asked / 100_000 > told {
            told = asked / 100_000;
            eprintln!(
                "{name}: {asked} of {wanted} asked, {} policies",
                seed - first + 1
            );
        }
    }
    let broken = broken.join("\n");
    match BROKEN.contains(&name) {
        true if broken.is_empty() => println!("{name} holds: take it off the list"),
        true => println!("{name} is broken\n{broken}"),
        false => assert!(broken.is_empty(), "{name}\n{broken}"),
    }
}

/// The law on one case, a panic being a fault too.
fn find(case: &Case, seed: u64, ask: &impl Fn(&Case, &mut Dice) -> Found) -> Found {
    let found = catch_unwind(AssertUnwindSafe(|| ask(case, &mut Dice::new(seed))));
    found.unwrap_or_else(|_| Err(format!("panic: of seed {seed}")))
}

fn kind(fault: &str) -> &str {
    fault.split_once(':').map_or(fault, |(kind, _)| kind)
}

fn smallest(
    case: Case,
    seed: u64,
    fault: String,
    ask: &impl Fn(&Case, &mut Dice) -> Found,
) -> String {
    let mut last = fault.clone();
    let mut fails = |document: &Value| {
        let Ok(case) = Case::new(document.clone()) else {
            return false;
        };
        if case.refusal().is_some() {
            return false;
        }
        match find(&case, seed, ask) {
            Err(other) if kind(&other) == kind(&fault) => {
                last = other;
                true
            }
            _ => false,
        }
    };
    let small = shrink(case.document, &mut fails);
    format!(
        "\nseed {seed}: {last}\n policy  {}\n context {}",
        small["policy"], small["context"]
    )
}

/// Refused is only what a random test makes fail.
#[test]
fn every_random_policy_is_one_that_the_service_accepts() {
    law("accepted", 20, |case, _| match case.refusal() {
        Some(message) => Err(format!("refused: {message}")),
        None => Ok(1),
    });
}
