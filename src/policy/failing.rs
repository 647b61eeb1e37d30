//! Tests of a document that fail, as findings: with the rule that nearly lets the flow pass, or the one that does.
//! Must not live here: how a test ends (`run_tests`), what explains a flow (`explain`).

use super::explanation::{Explanation, NearMiss, Verdict};
use super::findings::finding::{Finding, TEST_FAILED};
use super::findings::hint::{Hint, Message, Write, recorded};
use super::findings::words::joined;
use super::language::document::{Policy, Test};
use super::language::ports::Protocol;
use super::language::selector::Destination;
use super::question::{Flow, Subject};
use super::resolve::{Names, Resolved};
use super::tailnet::context::PolicyContext;
use super::tailnet::flow::Judge;
use super::test_report::{TESTS_FAILED, TestReport, TestResult, TestSection};
use crate::tables::find;

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
            let message = match &result.errors[..] {
                [] => recorded(&[TESTS_FAILED]),
                errors => Message {
                    text: errors.join("; "),
                    origin: result.origin,
                },
            };
            failures.push(Finding {
                failed: result.failed.clone(),
                hint: judge.failure(result, &mut left),
                ..Finding::error(TEST_FAILED, span, message)
            });
        }
        failures
    }
}

/// Whether a name can only be that of an alias.
fn is_alias(name: &str) -> bool {
    !name.contains([':', '@'])
}

/// The rule that comes closest, with what it lacks.
fn closest(miss: &NearMiss) -> String {
    let line = miss.rule.line.to_string();
    match find::split_once(&miss.why, ": the rule ") {
        Some((_, does)) => joined(&["closest: line ", &line, " ", does]),
        None => joined(&["closest: line ", &line, ", but ", &miss.why]),
    }
}

impl Judge<'_> {
    /// What to do about an entry that fails, if that is known.
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
        if result.is_unfit {
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
            let hint = explanation.and_then(|found| self.hint(test, wanted, found));
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

    /// What an explanation says of a flow that does not end as it should.
    fn hint(&self, test: &Test<'_>, wanted: Verdict, explanation: Explanation) -> Option<Hint> {
        let at_line = |line: usize| joined(&["the rule at line ", &line.to_string()]);
        if let (Some(unknown), Some(near)) = (explanation.unresolved.first(), &explanation.hint) {
            let source = test.source.as_ref().map(|source| source.name());
            let end = match source == Some(unknown) {
                true => "the source",
                false => "the destination",
            };
            let text = joined(&[end, " `", unknown, "` is not known: ", near]);
            let names = Names::of(self.policy(), self.network.context);
            let found = names.plain(unknown).ok();
            let meant = found.as_ref().and_then(Resolved::meant).map(str::to_owned);
            let write = meant.map(|meant| Write::Instead(unknown.clone(), meant));
            let write = write.into_iter().collect();
            return Some(Hint { text, write });
        }
        if let Some(unknown) = explanation.unresolved.first().filter(|name| is_alias(name)) {
            let text = joined(&["`", unknown, "` is not known: define it in hosts"]);
            return Some(Hint::words(&text));
        }
        match (wanted, explanation.verdict) {
            (Verdict::Allowed, Verdict::Denied | Verdict::Partly) => {
                Some(Hint::words(&closest(explanation.near_misses.first()?)))
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
}
