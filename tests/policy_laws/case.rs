//! One random policy in one random network, and how a law is tried on thousands of them. Must not live here: laws.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, check};

use crate::oracle::Oracle;
use crate::random::dice::Dice;
use crate::random::shrink::shrink;
use crate::random::{policies, tailnets, unknown};

/// How many cases that break a law are shown, each with another kind of fault.
const SHOWN: usize = 8;

/// After this many policies in a row that a law does not apply to, the law has no content.
const IDLE: u64 = 10_000;

/// How many questions a broken case counts as, so that a law that hardly ever holds ends too.
const OF_BROKEN: u64 = 50;

/// Laws that the engine does not keep yet: broken cases are printed and do not fail the test. This list should be empty.
const BROKEN: &[&str] = &[];

/// A broken law: the index of the question, and what is wrong with the answer, as `kind: details`.
pub struct Fault {
    pub question: usize,
    pub says: String,
}

impl Fault {
    pub fn new(question: usize, says: String) -> Fault {
        Fault { question, says }
    }

    /// The part before the first colon.
    fn kind(&self) -> &str {
        self.says
            .split_once(": ")
            .map_or(&self.says, |(kind, _)| kind)
    }
}

/// How many questions were checked, or what is wrong.
pub type Found = Result<usize, Fault>;

/// Whether the answer to a question is right, or what is wrong with it; nothing where the law does not apply to the question.
pub type Judged = Option<Result<(), String>>;

/// Checks one question after the other. Questions that the law does not apply to are not counted.
pub fn each<Q>(asked: &[Q], judge: impl Fn(&Q) -> Judged) -> Found {
    let mut judged = 0;
    for (at, asked) in asked.iter().enumerate() {
        match judge(asked) {
            Some(Ok(())) => judged += 1,
            Some(Err(says)) => return Err(Fault::new(at, says)),
            None => {}
        }
    }
    Ok(judged)
}

/// A law that holds for every case, and how to check it.
pub struct Law<Q> {
    pub name: &'static str,
    /// A costly law asks only one in this many questions, unless very many are wanted.
    pub share: u64,
    /// Random questions about a case; one that breaks the law is kept while the case is made small.
    pub draw: fn(&Case, &mut Dice) -> Vec<Q>,
    pub judge: fn(&Case, &[Q]) -> Found,
}

/// For a law with the same question for every case.
pub fn nothing(_: &Case, _: &mut Dice) -> Vec<()> {
    vec![()]
}

pub struct Case {
    /// `{policy, after, context, contextAfter?}`: `after` is the policy with one rule added or removed, or changed otherwise.
    document: Value,
    pub text: String,
    pub context: PolicyContext,
}

impl Case {
    /// A case, unless its network is none.
    pub fn new(document: Value) -> Result<Case, String> {
        let context = PolicyContext::read(&document["context"].to_string())?;
        PolicyContext::read(&document["contextAfter"].to_string())?;
        Ok(Case {
            text: one_rule_a_line(&document["policy"]),
            context,
            document,
        })
    }

    fn of_seed(seed: u64) -> Case {
        let mut dice = Dice::new(seed);
        let context = tailnets::tailnet(&mut dice);
        let policy = policies::policy(&mut dice);
        let after = policies::changed(&mut dice, &policy);
        let document = json!({"policy": policy, "after": after, "context": context});
        Case::new(document).expect("a random network is one")
    }

    /// Two policies with much that text and context leave open, in one network or two.
    pub fn of_unknown(seed: u64) -> Case {
        Case::new(unknown::pair(&mut Dice::new(seed))).expect("a random network is one")
    }

    /// The other policy, in the network after it; what that leaves out is as before.
    pub fn later(&self) -> Case {
        let document = &self.document;
        let mut context = document["context"].clone();
        let later = document.get("contextAfter").and_then(Value::as_object);
        for (key, value) in later.into_iter().flatten() {
            context[key] = value.clone();
        }
        Case::new(json!({"policy": document["after"], "context": context})).expect("a network")
    }

    /// The same network with the other policy.
    pub fn changed(&self) -> Case {
        self.with_policy(self.document["after"].clone())
    }

    /// The same network with a policy.
    pub fn with_policy(&self, policy: Value) -> Case {
        let context = self.tailnet();
        Case::new(json!({"policy": policy, "context": context})).expect("a network stays one")
    }

    /// The same network and policy with other tests.
    pub fn with_tests(&self, tests: &[Value]) -> Case {
        let mut document = self.document.clone();
        document["policy"]["tests"] = json!(tests);
        Case::new(document).expect("a network stays one")
    }

    /// The same with one grant more.
    pub fn with_rule(&self, grant: Value) -> Case {
        let mut document = self.document.clone();
        match document["policy"]["grants"].as_array_mut() {
            Some(grants) => grants.push(grant),
            None => document["policy"]["grants"] = json!([grant]),
        }
        Case::new(document).expect("a network stays one")
    }

    pub fn policy(&self) -> &Value {
        &self.document["policy"]
    }

    pub fn tailnet(&self) -> &Value {
        &self.document["context"]
    }

    pub fn oracle(&self) -> Oracle {
        Oracle::new(self.policy(), self.tailnet())
    }

    /// Asks the engine about the policy; the answer is as JavaScript sees it.
    pub fn ask(&self, question: impl FnOnce(&Policy<'_>) -> Value) -> Value {
        let document = hujson::parse(&self.text).expect("HuJSON");
        question(&Policy::read(&document))
    }

    /// Why the service would refuse the policy, regardless of failing tests.
    pub fn refusal(&self) -> Option<String> {
        let message = check(&self.text, &self.context).message;
        message.filter(|message| message != "test(s) failed")
    }
}

/// The text with each rule on its own line, so that the line identifies the rule.
fn one_rule_a_line(policy: &Value) -> String {
    let text = serde_json::to_string_pretty(policy).expect("JSON");
    let mut lines = String::new();
    for line in text.lines() {
        // The layout indents the first line of a section's entry by four.
        let starts =
            line.starts_with("    ") && !line.starts_with("     ") || !line.starts_with("    ");
        if starts {
            lines.push('\n');
        }
        lines.push_str(line.trim());
    }
    lines
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is a number"))
    })
}

impl<Q> Law<Q> {
    /// Asks until there were enough questions; a case that breaks the law is made small before it is shown.
    pub fn holds(&self) {
        self.holds_for(Case::of_seed);
    }

    /// The same for cases that are drawn otherwise.
    pub fn holds_for(&self, of_seed: fn(u64) -> Case) {
        let name = self.name;
        let wanted = number("POLICY_LAW_QUESTIONS").unwrap_or(4_000);
        let wanted = wanted.div_ceil(if wanted > 100_000 { 1 } else { self.share });
        let first = number("POLICY_LAW_SEED").unwrap_or_default();
        let (mut asked, mut shown, mut idle, mut kinds, mut broken) =
            (0, 0, 0, Vec::new(), Vec::new());
        let mut policies = 0;
        for seed in first.. {
            if asked >= wanted || broken.len() >= SHOWN {
                break;
            }
            policies += 1;
            let case = of_seed(seed);
            let questions = (self.draw)(&case, &mut Dice::new(seed));
            match self.find(&case, &questions) {
                Ok(0) => idle += 1,
                Ok(more) => (asked, idle) = (asked + more as u64, 0),
                Err(fault) => {
                    asked += OF_BROKEN;
                    if !kinds.iter().any(|known| known == fault.kind()) {
                        kinds.push(fault.kind().to_owned());
                        eprintln!("{name}: made smaller: seed {seed}: {}", fault.says);
                        broken.push(format!(
                            "\nseed {seed}: {}",
                            self.smallest(case, &questions, fault)
                        ));
                    }
                }
            }
            assert!(idle < IDLE, "{name}: nothing to judge in {idle} policies");
            if asked / 100_000 > shown {
                shown = asked / 100_000;
                eprintln!("{name}: {asked} of {wanted} judged, {policies} policies");
            }
        }
        println!("{name}: {asked} questions about {policies} policies");
        let broken = broken.join("\n");
        match BROKEN.contains(&name) {
            true if broken.is_empty() => println!("{name} holds: take it off the list"),
            true => println!("{name} is broken\n{broken}"),
            false => assert!(broken.is_empty(), "{name}\n{broken}"),
        }
    }

    /// Checks the law on one case; a panic is a fault too.
    fn find(&self, case: &Case, questions: &[Q]) -> Found {
        let found = catch_unwind(AssertUnwindSafe(|| (self.judge)(case, questions)));
        found.unwrap_or_else(|_| Err(Fault::new(0, "panic".to_owned())))
    }

    fn smallest(&self, case: Case, questions: &[Q], fault: Fault) -> String {
        let kept = &questions[fault.question..=fault.question];
        let mut last = fault.says.clone();
        let mut fails = |document: &Value| {
            let case = Case::new(document.clone()).ok();
            let case =
                case.filter(|case| case.refusal().is_none() && case.later().refusal().is_none());
            let found = case.and_then(|case| self.find(&case, kept).err());
            let found = found.filter(|found| found.kind() == fault.kind());
            found
                .inspect(|found| last.clone_from(&found.says))
                .is_some()
        };
        let small = shrink(case.document, &mut fails);
        format!(
            "{last}\n policy  {}\n after   {}\n context {}\n later   {}",
            small["policy"], small["after"], small["context"], small["contextAfter"]
        )
    }
}

/// Only a failing random test may have a policy refused.
#[test]
fn every_random_policy_is_one_that_the_service_accepts() {
    let judge = |case: &Case, _: &[()]| match case.refusal() {
        Some(message) => Err(Fault::new(0, format!("refused: {message}"))),
        None => Ok(1),
    };
    Law {
        name: "accepted",
        share: 20,
        draw: nothing,
        judge,
    }
    .holds();
}
