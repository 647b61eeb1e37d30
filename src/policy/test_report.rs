//! The results of the tests of a document, entry by entry.
//! Must not live here: how an entry is run (`run_tests`, `run_ssh_tests`).

use serde::Serialize;

use crate::hujson::{Origin, Span};

use super::findings::hint::{Message, ours};
use super::findings::words::quoted;
use super::language::document::Policy;
use super::language::selector::Selector;
use super::tailnet::identity::Answer;
use super::tailnet::selected::Untestable;
use super::tested::Machines;

/// The results of the tests of a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct TestReport {
    /// Whether none failed. An undecided test does not fail.
    pub passed: bool,
    /// One result per entry, `tests` first.
    pub results: Vec<TestResult>,
}

impl Default for TestReport {
    /// No tests, none failed.
    fn default() -> TestReport {
        TestReport {
            passed: true,
            results: Vec::new(),
        }
    }
}

/// The result of one entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct TestResult {
    /// The list that contains it.
    pub section: TestSection,
    /// Its index in the list, from 0.
    pub index: usize,
    /// The line of its `{`, from 1.
    pub line: usize,
    /// Its source as written; empty if it has none.
    pub src: String,
    /// Whether it passed; `None` if text and context cannot decide.
    pub passed: Option<bool>,
    /// What the service would say.
    pub errors: Vec<String>,
    /// Where the words of these come from.
    #[serde(skip)]
    pub origin: Origin,
    /// The strings of the entry that say something which does not hold.
    #[serde(skip)]
    pub failed: Vec<Span>,
    /// Whether it names something that no test may name.
    #[serde(skip)]
    pub is_unfit: bool,
}

/// A list of tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum TestSection {
    /// `tests`
    #[serde(rename = "tests")]
    Tests,
    /// `sshTests`
    #[serde(rename = "sshTests")]
    SshTests,
}

impl TestResult {
    /// The position of the entry in its document.
    pub(super) fn span(&self, policy: &Policy<'_>) -> Option<Span> {
        match self.section {
            TestSection::Tests => policy.tests.get(self.index).map(|test| test.span),
            TestSection::SshTests => policy.ssh_tests.get(self.index).map(|test| test.span),
        }
    }
}

/// The result of one entry so far.
#[derive(Debug)]
pub(super) struct Outcome {
    holds: Answer,
    errors: Vec<Message>,
    failed: Vec<Span>,
    is_unfit: bool,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome {
            holds: Answer::Yes,
            errors: Vec::new(),
            failed: Vec::new(),
            is_unfit: false,
        }
    }
}

impl Outcome {
    /// That of an entry which text and context cannot decide.
    pub(super) fn undecided() -> Outcome {
        Outcome {
            holds: Answer::Unknown,
            ..Outcome::default()
        }
    }

    /// Adds one more condition, which a string of the entry states, with what to say if it does not hold.
    #[inline(never)]
    pub(super) fn add(&mut self, holds: Answer, stated: Span, error: &dyn Fn() -> Message) {
        self.holds = self.holds.min(holds);
        if holds == Answer::No {
            self.errors.push(error());
            self.failed.push(stated);
        }
    }

    #[inline(never)]
    pub(super) fn fail(&mut self, error: Message) {
        self.holds = Answer::No;
        self.errors.push(error);
    }

    /// The machines behind a selector; one that is not allowed here, or not defined, fails the entry.
    pub(super) fn known<'t>(
        &mut self,
        machines: Result<&'t Machines, Untestable>,
        what: &str,
    ) -> Option<&'t Machines> {
        match machines {
            Ok(machines) => {
                // Nobody may be in it, and then the service fails the entry.
                if machines.is_open {
                    self.holds = self.holds.min(Answer::Unknown);
                }
                Some(machines)
            }
            Err(Untestable { why, is_unfit }) => {
                self.is_unfit |= is_unfit;
                self.fail(ours(&["address ", &quoted(what), ": ", &why]));
                None
            }
        }
    }

    /// The same entry, failed for this reason too.
    pub(super) fn failed(mut self, error: Message) -> Outcome {
        self.fail(error);
        self
    }

    #[inline(never)]
    pub(super) fn result(
        self,
        section: TestSection,
        index: usize,
        line: usize,
        source: Option<&Selector<'_>>,
    ) -> TestResult {
        TestResult {
            section,
            index,
            line,
            src: source.map_or(String::new(), |source| source.text().to_owned()),
            passed: self.passed(),
            origin: match self
                .errors
                .iter()
                .any(|error| error.origin == Origin::Documented)
            {
                true => Origin::Documented,
                false => Origin::Ours,
            },
            failed: self.failed,
            is_unfit: self.is_unfit,
            errors: self.errors.into_iter().map(|error| error.text).collect(),
        }
    }

    fn passed(&self) -> Option<bool> {
        match self.holds {
            Answer::Yes => Some(true),
            Answer::No => Some(false),
            Answer::Unknown => None,
        }
    }
}

/// What the service says when a test of the document fails (docs/policy-language.md#tests).
pub(super) const TESTS_FAILED: &str = "test(s) failed";

/// What the service says about a source without machines.
pub(super) const NO_ADDRESS: &str =
    "no associated IPs for user (check spelling, or they may not have an approved machine)";
