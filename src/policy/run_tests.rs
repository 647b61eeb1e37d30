//! The document's own tests: `tests` and `sshTests`.
//! Must not live here: what the service says about their shape.

use serde::Serialize;

use crate::hujson::Span;

use super::findings::words::{joined, quoted};
use super::language::document::{AclProtocol, Policy, Spelling, Test};
use super::language::ports::Protocol;
use super::language::rule::Lines;
use super::language::selector::{Destination, Selector};
use super::run_ssh_tests::SshRules;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::flow::{Ends, Judge, Traffic};
use super::tailnet::identity::Answer;
use super::tailnet::party::Side;
use super::tailnet::topology::Topology;

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
    /// `None` where text and topology cannot decide.
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
    fn failed(mut self, error: String) -> Outcome {
        self.fail(error);
        self
    }

    fn result(
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

/// What the service says of a source without machines.
pub(super) const NO_ADDRESS: &str =
    "no associated IPs for user (check spelling, or they may not have an approved machine)";

/// An entry that names no protocol is content with either.
const UNNAMED: [Protocol; 2] = [Protocol::TCP, Protocol::UDP];

impl Policy<'_> {
    /// Runs every test of the document. With a topology its devices stand for users and tags, without one a
    /// supposed device each; what that leaves open is neither passed nor failed.
    #[inline(never)]
    pub fn run_tests(&self, topology: &Topology) -> TestReport {
        if self.tests.is_empty() && self.ssh_tests.is_empty() {
            return TestReport::default();
        }
        Judge::new(self, topology).run_tests()
    }
}

impl Judge<'_> {
    /// As [`Policy::run_tests`].
    pub fn run_tests(&self) -> TestReport {
        let policy = self.policy();
        let mut lines = Lines::new(policy.document.text());
        let mut results = Vec::with_capacity(policy.tests.len() + policy.ssh_tests.len());
        for (index, test) in policy.tests.iter().enumerate() {
            let outcome = self.run_test(test);
            let line = lines.line_of(test.span.start);
            let source = test.source.as_ref();
            results.push(outcome.result(TestSection::Tests, index, line, source));
        }
        let ssh_rules = SshRules::new(&self.network);
        for (index, test) in policy.ssh_tests.iter().enumerate() {
            let outcome = self.run_ssh_test(&ssh_rules, test);
            let line = lines.line_of(test.span.start);
            let source = test.source.as_ref();
            results.push(outcome.result(TestSection::SshTests, index, line, source));
        }
        let passed = results.iter().all(|result| result.passed != Some(false));
        TestReport { passed, results }
    }

    fn run_test(&self, test: &Test<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        if test.spelling == Spelling::Mixed {
            outcome.fail("one of src and user, one of accept and allow".to_owned());
        }
        if test.accept.is_empty() && test.deny.is_empty() {
            outcome.fail("neither accept nor deny is specified".to_owned());
        }
        let protocols = match &test.protocol {
            None => Ok(&UNNAMED[..]),
            Some(named) => testable(named),
        };
        let sources = match &test.source {
            Some(source) => outcome.known(self.network.tested(source), source.text()),
            None => outcome.known(Err("src must be specified".to_owned()), ""),
        };
        let (protocols, sources) = match (protocols, sources) {
            (Ok(protocols), Some(sources)) => (protocols, sources),
            (Err(error), _) => return outcome.failed(error),
            (_, None) => return outcome,
        };
        if sources.is_empty() {
            return outcome.failed(NO_ADDRESS.to_owned());
        }
        let case = Case {
            judge: self,
            test,
            sources: self.ends(Side::Source, sources),
            protocols,
        };
        for to in &test.accept {
            case.run(to, true, &mut outcome);
        }
        for to in &test.deny {
            case.run(to, false, &mut outcome);
        }
        outcome
    }
}

/// One entry of `tests`, ready for its destinations.
struct Case<'a, 'p> {
    judge: &'a Judge<'p>,
    test: &'a Test<'a>,
    sources: Ends<'a>,
    protocols: &'a [Protocol],
}

impl Case<'_, '_> {
    fn run(&self, to: &Destination<'_>, accept: bool, outcome: &mut Outcome) {
        let text = to.text();
        let Some(port) = to.single_port() else {
            let port = text.rsplit_once(':').map_or("", |(_, port)| port);
            let message = joined(&["address ", text, ": invalid port ", &quoted(port)]);
            return outcome.fail(message);
        };
        let targets = self.judge.network.tested(&to.host);
        let Some(targets) = outcome.known(targets, text) else {
            return;
        };
        // What nothing stands for is neither reached nor kept out (policy-language.md 7).
        if targets.is_empty() {
            let (what, why) = (quoted(text), ": no device behind it");
            return outcome.fail(joined(&["address ", &what, why]));
        }
        let traffic = Traffic {
            protocols: self.protocols,
            port,
            attributes: self.test.posture_attributes,
            posture: None,
        };
        let targets = self.judge.ends(Side::Destination, targets);
        let reached = self.judge.reaches(&self.sources, &targets, traffic);
        let (holds, want, got) = match accept {
            true => (reached, "Accept", "Drop"),
            false => (reached.negated(), "Drop", "Accept"),
        };
        outcome.add(holds, &|| {
            let named = self.test.protocol.as_ref();
            let protocol = named.map_or(String::new(), |named| {
                joined(&[" (protocol ", &quoted(named.word.name()), ")"])
            });
            let text = quoted(text);
            joined(&[
                "address ", &text, &protocol, ": want: ", want, ", got: ", got,
            ])
        });
    }
}

/// What an entry asks for by its `proto`: only these can be tested.
fn testable(named: &AclProtocol<'_>) -> Result<&'static [Protocol], String> {
    match &named.protocol {
        Ok(Protocol::TCP) => Ok(&[Protocol::TCP]),
        Ok(Protocol::UDP) => Ok(&[Protocol::UDP]),
        Ok(Protocol::SCTP) => Ok(&[Protocol::SCTP]),
        Ok(Protocol::ICMP) => Ok(&[Protocol::ICMP]),
        Ok(Protocol::ICMPV6) => Ok(&[Protocol::ICMPV6]),
        Ok(_) => {
            let name = quoted(named.word.name());
            Err(joined(&["protocol ", &name, " cannot be tested"]))
        }
        Err(error) => Err(error.to_string()),
    }
}
