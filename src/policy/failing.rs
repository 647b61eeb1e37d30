//! Tests of a document that fail, as findings: with the rule that nearly lets the flow pass, or the one that does.
//! Must not live here: how a test ends (`run_tests`), what explains a flow (`explain`).

use super::explanation::{Explanation, Verdict};
use super::findings::finding::Finding;
use super::findings::hint::{Hint, Message, Write};
use super::findings::words::joined;
use super::language::document::{Policy, Test};
use super::language::ports::Protocol;
use super::language::selector::Destination;
use super::question::{Flow, Subject};
use super::tailnet::context::PolicyContext;
use super::tailnet::ends::IN_NO_TEST;
use super::tailnet::flow::Judge;
use super::test_report::{TESTS_FAILED, TestReport, TestResult, TestSection};
use crate::hujson::Origin;
use crate::tables::find::find;

/// The protocols that a test may name.
const TESTABLE: [Protocol; 5] = [
    Protocol::TCP,
    Protocol::UDP,
    Protocol::SCTP,
    Protocol::ICMP,
    Protocol::ICMPV6,
];

/// How many flows are explained for one document: each is a question to every rule.
const EXPLAINED: usize = 20;

impl Policy<'_> {
    /// One finding for each entry of the tests that fails.
    pub(super) fn failures(&self, report: &TestReport, context: &PolicyContext) -> Vec<Finding> {
        let mut failures = Vec::new();
        if report.passed {
            return failures;
        }
        let judge = Judge::new(self, context);
        let mut left = EXPLAINED;
        for result in &report.results {
            let Some(span) = result.span(self).filter(|_| result.passed == Some(false)) else {
                continue;
            };
            let text = match &result.errors[..] {
                [] => TESTS_FAILED.to_owned(),
                errors => errors.join("; "),
            };
            let origin = origin(&text);
            let message = Message { text, origin };
            let finding = Finding::error("test_failed", span, message);
            failures.push(finding.hint(judge.failure(result, &mut left)));
        }
        failures
    }
}

impl Judge<'_> {
    /// What to do about an entry that fails, if that can be told.
    fn failure(&self, result: &TestResult, left: &mut usize) -> Option<Hint> {
        let test = match result.section {
            TestSection::Tests => self.policy().tests.get(result.index)?,
            TestSection::SshTests => {
                let words = "change the ssh rules or the test: network rules do not count";
                return Some(Hint::words(words));
            }
        };
        if test.accept.is_empty() && test.deny.is_empty() {
            let words = "list what it must reach in `accept`, what not in `deny`";
            return Some(Hint::words(words));
        }
        let mut destinations = test.accept.iter().chain(&test.deny);
        if destinations.any(|to| to.single_port().is_none()) {
            let words = "a destination of a test is `HOST:PORT` with one port";
            return Some(Hint::words(words));
        }
        let says = |why: &str| {
            let mut errors = result.errors.iter();
            errors.any(|error| find(error.as_bytes(), why.as_bytes()).is_some())
        };
        if IN_NO_TEST.into_iter().any(says) {
            const ENDS: &str =
                "a test names users, groups, tags, services, addresses and aliases of one address";
            return Some(Hint::words(ENDS));
        }
        if let Some(Ok(protocol)) = test.protocol.as_ref().map(|named| named.protocol.as_ref())
            && !TESTABLE.contains(protocol)
        {
            let words = "a test asks for tcp, udp, sctp, or icmp with port 0";
            return Some(Hint::words(words));
        }
        let accept = test.accept.iter().map(|to| (to, Verdict::Allowed));
        let deny = test.deny.iter().map(|to| (to, Verdict::Denied));
        for (to, wanted) in accept.chain(deny) {
            *left = left.checked_sub(1)?;
            let explanation = self.explained(test, to);
            let hint = explanation.and_then(|explanation| hint(test, wanted, explanation));
            if hint.is_some() {
                return hint;
            }
        }
        None
    }

    /// The explained flow of a test, if it is a valid question.
    fn explained(&self, test: &Test<'_>, to: &Destination<'_>) -> Option<Explanation> {
        let from: Subject = test.source.as_ref()?.name().parse().ok()?;
        let protocol = test.protocol.as_ref().map(|named| named.word.name());
        let mut flow = Flow::new(&from, to.text(), protocol).ok()?;
        if let Some(attributes) = test.posture_attributes {
            flow = flow.with_posture_attributes(attributes.raw()).ok()?;
        }
        self.explain(&flow).ok()
    }
}

/// What an explanation says of a flow that does not end as it should.
fn hint(test: &Test<'_>, wanted: Verdict, explanation: Explanation) -> Option<Hint> {
    let at_line = |line: usize| joined(&["the rule at line ", &line.to_string()]);
    if let (Some(unknown), Some(near)) = (explanation.unresolved.first(), &explanation.hint) {
        let source = test.source.as_ref().map(|source| source.name());
        let end = match source == Some(unknown) {
            true => "the source",
            false => "the destination",
        };
        let text = joined(&[end, " `", unknown, "` is not known: ", near]);
        let meant = near.split('`').nth(1).unwrap_or_default();
        let write = vec![Write::Instead(unknown.clone(), meant.to_owned())];
        return Some(Hint { text, write });
    }
    match (wanted, explanation.verdict) {
        (Verdict::Allowed, Verdict::Denied | Verdict::Partly) => {
            let miss = explanation.near_misses.first()?;
            let rule = at_line(miss.rule.line);
            Some(Hint::words(&joined(&[
                &rule,
                " nearly lets it through: ",
                &miss.why,
            ])))
        }
        (Verdict::Denied, Verdict::Allowed | Verdict::Partly) => {
            let rule = explanation.because.first()?;
            Some(Hint::words(&joined(&[
                &at_line(rule.line),
                " lets it through",
            ])))
        }
        _ => None,
    }
}

/// Where the words of the errors of a test come from.
fn origin(errors: &str) -> Origin {
    let has = |part: &str| find(errors.as_bytes(), part.as_bytes()).is_some();
    match errors {
        TESTS_FAILED => Origin::Recorded,
        _ if errors.starts_with("address \"") && has("\" (user \"") => Origin::Ours,
        _ if errors.starts_with("address \"") && has(": want: ") => Origin::Documented,
        _ if errors.starts_with("address ") && has(": invalid port \"") => Origin::Documented,
        _ if errors.starts_with("no associated IPs for user") => Origin::Documented,
        _ => Origin::Ours,
    }
}
