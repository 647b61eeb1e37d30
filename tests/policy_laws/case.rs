//! One random policy in one random network, and how a law asks thousands of them. Must not live here: laws.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, check};

use crate::oracle::Oracle;
use crate::random::dice::Dice;
use crate::random::shrink::shrink;
use crate::random::{policies, tailnets};

/// How many cases that break a law are shown, each of another kind.
const SHOWN: usize = 8;

/// After so many policies on end of which a law says nothing it holds of nothing.
const IDLE: u64 = 10_000;

/// What a broken case counts as, so that a law which hardly ever holds ends too.
const OF_BROKEN: u64 = 50;

/// Laws that the engine does not keep yet: what breaks them is printed and fails nothing. To be empty.
const BROKEN: &[&str] = &[];

/// What breaks a law: the place of the question among those asked, and what is wrong with the answer, as `kind: details`.
pub struct Fault {
    pub question: usize,
    pub says: String,
}

impl Fault {
    pub fn new(question: usize, says: String) -> Fault {
        Fault { question, says }
    }

    /// What stands before the first colon.
    fn kind(&self) -> &str {
        self.says
            .split_once(": ")
            .map_or(&self.says, |(kind, _)| kind)
    }
}

/// How many questions were judged, or what is wrong.
pub type Found = Result<usize, Fault>;

/// Whether the answer to a question is right, or what is wrong with it; nothing where the law says nothing of the question.
pub type Judged = Option<Result<(), String>>;

/// Judges one question after the other. Those that the law says nothing of are not counted.
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

/// Something that holds for every case, and how to ask for it.
pub struct Law<Q> {
    pub name: &'static str,
    /// A costly law asks only one of so many questions, unless a great many are wanted.
    pub share: u64,
    /// Random questions about a case; of those that break the law one is kept while the case is made small.
    pub draw: fn(&Case, &mut Dice) -> Vec<Q>,
    pub judge: fn(&Case, &[Q]) -> Found,
}

/// For a law that asks the same of every case.
pub fn nothing(_: &Case, _: &mut Dice) -> Vec<()> {
    vec![()]
}

pub struct Case {
    /// `{policy, after, context}`: `after` is the policy with one rule more or less.
    document: Value,
    pub text: String,
    pub context: PolicyContext,
}

impl Case {
    fn new(document: Value) -> Result<Case, String> {
        let context = PolicyContext::read(&document["context"].to_string())?;
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

    /// The same network with the other policy.
    pub fn changed(&self) -> Case {
        let (context, policy) = (self.tailnet(), &self.document["after"]);
        Case::new(json!({"policy": policy, "context": context})).expect("a network stays one")
    }

    /// The same network and policy with other tests.
    pub fn with_tests(&self, tests: &[Value]) -> Case {
        let mut document = self.document.clone();
        document["policy"]["tests"] = json!(tests);
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

    /// Asks the policy of the engine; the answer is as JavaScript sees it.
    pub fn ask(&self, question: impl FnOnce(&Policy<'_>) -> Value) -> Value {
        let document = hujson::parse(&self.text).expect("HuJSON");
        question(&Policy::read(&document))
    }

    /// Why the service would refuse the policy, failing tests aside.
    fn refusal(&self) -> Option<String> {
        let message = check(&self.text, &self.context).message;
        message.filter(|message| message != "test(s) failed")
    }
}

/// Each rule on a line of its own, so that a line says which it is.
fn one_rule_a_line(policy: &Value) -> String {
    let text = serde_json::to_string_pretty(policy).expect("JSON");
    let mut lines = String::new();
    for line in text.lines() {
        // The layout indents the start of an entry of a section by four.
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
    /// Asks until enough is asked; a case that breaks the law is made small before it is shown.
    pub fn holds(&self) {
        let name = self.name;
        let wanted = number("POLICY_LAW_QUESTIONS").unwrap_or(4_000);
        let wanted = wanted.div_ceil(if wanted > 100_000 { 1 } else { self.share });
        let first = number("POLICY_LAW_SEED").unwrap_or_default();
        let (mut asked, mut shown, mut idle, mut kinds, mut broken) =
            (0, 0, 0, Vec::new(), Vec::new());
        for seed in first.. {
            if asked >= wanted || broken.len() >= SHOWN {
                break;
            }
            let case = Case::of_seed(seed);
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
                eprintln!(
                    "{name}: {asked} of {wanted} judged, {} policies",
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
                case.filter(|case| case.refusal().is_none() && case.changed().refusal().is_none());
            let found = case.and_then(|case| self.find(&case, kept).err());
            let found = found.filter(|found| found.kind() == fault.kind());
            found
                .inspect(|found| last.clone_from(&found.says))
                .is_some()
        };
        let small = shrink(case.document, &mut fails);
        format!(
            "{last}\n policy  {}\n after   {}\n context {}",
            small["policy"], small["after"], small["context"]
        )
    }
}

/// Refused is only what a random test makes fail.
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
