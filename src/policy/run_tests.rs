//! The document's own tests: `tests` and `sshTests`.
//! Must not live here: what the service says about their shape.

use super::findings::hint::{Message, documented, ours};
use super::findings::words::{joined, quoted};
use super::language::document::{AclProtocol, Policy, Spelling, Test};
use super::language::ports::Protocol;
use super::language::rule::Lines;
use super::language::selector::Destination;
use super::run_ssh_tests::SshRules;
use super::tailnet::context::PolicyContext;
use super::tailnet::ends::Untestable;
use super::tailnet::flow::{Ends, Judge, Traffic};
use super::tailnet::party::Side;
use super::tailnet::way::Given;
use super::test_report::{NO_ADDRESS, Outcome, TestReport, TestSection};

/// Without a protocol an entry is about either of these.
const UNNAMED: [Protocol; 2] = [Protocol::TCP, Protocol::UDP];

impl Policy<'_> {
    /// Runs every test of the document. With a context its devices stand for users and tags, without one an
    /// assumed device for each; what that leaves undecided is neither passed nor failed.
    #[inline(never)]
    pub fn run_tests(&self, context: &PolicyContext) -> TestReport {
        if self.tests.is_empty() && self.ssh_tests.is_empty() {
            return TestReport::default();
        }
        Judge::new(self, context).run_tests()
    }
}

impl Judge<'_> {
    /// Like [`Policy::run_tests`].
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
            outcome.fail(ours(&[
                "use either src or user, and either accept or allow",
            ]));
        }
        if test.accept.is_empty() && test.deny.is_empty() {
            outcome.fail(ours(&["neither accept nor deny is specified"]));
        }
        let protocols = match &test.protocol {
            None => Ok(&UNNAMED[..]),
            Some(named) => testable(named),
        };
        let sources = match &test.source {
            Some(source) => outcome.known(self.network.tested(source), source.text()),
            None => outcome.known(Err(Untestable::no_source()), ""),
        };
        let (protocols, sources) = match (protocols, sources) {
            (Ok(protocols), Some(sources)) => (protocols, sources),
            (Err(error), _) => return outcome.failed(error),
            (_, None) => return outcome,
        };
        if sources.is_empty() {
            return outcome.failed(documented(&[NO_ADDRESS]));
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
            let message = documented(&["address ", text, ": invalid port ", &quoted(port)]);
            return outcome.fail(message);
        };
        let targets = self.judge.network.tested(&to.host);
        let Some(targets) = outcome.known(targets, text) else {
            return;
        };
        // For a name that stands for nothing both tests fail (docs/policy-language.md#tests).
        if targets.is_empty() {
            let (what, why) = (quoted(text), ": no device behind it");
            return outcome.fail(ours(&["address ", &what, why]));
        }
        let traffic = Traffic {
            protocols: self.protocols,
            port,
            given: Given {
                attributes: self.test.posture_attributes,
                postures: &[],
                device: None,
            },
            as_a_whole: true,
        };
        let targets = self.judge.ends(Side::Destination, targets);
        let reached = self.judge.reaches(&self.sources, &targets, traffic);
        let (holds, want, got) = match accept {
            true => (reached, "Accept", "Drop"),
            false => (reached.negated(), "Drop", "Accept"),
        };
        outcome.add(holds, to.span(), &|| {
            let named = self.test.protocol.as_ref();
            let protocol = named.map_or(String::new(), |named| {
                joined(&[" (protocol ", &quoted(named.word.name()), ")"])
            });
            let text = quoted(text);
            documented(&[
                "address ", &text, &protocol, ": want: ", want, ", got: ", got,
            ])
        });
    }
}

/// The meaning of the `proto` of an entry: only these protocols can be tested.
fn testable(named: &AclProtocol<'_>) -> Result<&'static [Protocol], Message> {
    match &named.protocol {
        Ok(Protocol::TCP) => Ok(&[Protocol::TCP]),
        Ok(Protocol::UDP) => Ok(&[Protocol::UDP]),
        Ok(Protocol::SCTP) => Ok(&[Protocol::SCTP]),
        Ok(Protocol::ICMP) => Ok(&[Protocol::ICMP]),
        Ok(Protocol::ICMPV6) => Ok(&[Protocol::ICMPV6]),
        Ok(_) => {
            let name = quoted(named.word.name());
            Err(ours(&["protocol ", &name, " cannot be tested"]))
        }
        Err(error) => Err(ours(&[&error.to_string()])),
    }
}
