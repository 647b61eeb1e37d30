//! What comes out of the tests of a document, entry by entry.
//! Must not live here: how an entry is run (`run_tests`, `run_ssh_tests`).

use serde::Serialize;

use crate::hujson::Span;

use super::findings::words::{joined, quoted};
use super::language::document::Policy;
use super::language::selector::Selector;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::identity::Answer;

/// How the tests of a document ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestReport {
    /// Whether none failed. One that cannot be decided does not fail.
    pub passed: bool,
    /// One result an entry, `tests` first.
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

/// How one entry ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestResult {
    /// Which list it stands in.
    pub section: TestSection,
    /// Its place there, from 0.
    pub index: usize,
    /// The line of its `{`, from 1.
    pub line: usize,
    /// Its source as written; empty if it has none.
    pub src: String,
    /// `None` where text and context cannot decide.
    pub passed: Option<bool>,
    /// What the service would say.
    pub errors: Vec<String>,
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
    /// Where the entry stands in its document.
    pub(super) fn span(&self, policy: &Policy<'_>) -> Option<Span> {
        match self.section {
            TestSection::Tests => policy.tests.get(self.index).map(|test| test.span),
            TestSection::SshTests => policy.ssh_tests.get(self.index).map(|test| test.span),
        }
    }
}

/// What came out of one entry so far.
#[derive(Debug)]
pub(super) struct Outcome {
    holds: Answer,
    errors: Vec<String>,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome {
            holds: Answer::Yes,
            errors: Vec::new(),
        }
    }
}

impl Outcome {
    /// Notes one more thing that must hold, with what to say if it does not.
    pub(super) fn add(&mut self, holds: Answer, error: &dyn Fn() -> String) {
        self.holds = self.holds.min(holds);
        if holds == Answer::No {
            self.errors.push(error());
        }
    }

    pub(super) fn fail(&mut self, error: String) {
        self.holds = Answer::No;
        self.errors.push(error);
    }

    /// The machines behind a selector; one that may not stand here, or is not defined, fails the entry.
    pub(super) fn known<'a>(
        &mut self,
        machines: Result<Vec<Endpoint<'a>>, String>,
        what: &str,
    ) -> Option<Vec<Endpoint<'a>>> {
        match machines {
            Ok(machines) => Some(machines),
            Err(why) => {
                self.fail(joined(&["address ", &quoted(what), ": ", &why]));
                None
            }
        }
    }

    /// The same entry, failed for this reason too.
    pub(super) fn failed(mut self, error: String) -> Outcome {
        self.fail(error);
        self
    }

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
            errors: self.errors,
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

/// What the service says of a source without machines.
pub(super) const NO_ADDRESS: &str =
    "no associated IPs for user (check spelling, or they may not have an approved machine)";
