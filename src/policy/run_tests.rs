//! The document's own tests: `tests` and `sshTests`.
//! Must not live here: what the service says about their shape.

use super::findings::hint::{Message, documented, ours};
use super::findings::words::{joined, quoted};
use super::language::document::{AclProtocol, Policy, Spelling, Test};
use super::language::port_set::PortSet;
use super::language::ports::{PortRange, Ports, Protocol};
use super::language::rule::Lines;
use super::language::selector::Destination;
use super::overlaps;
use super::relation::ids::ClassId;
use super::relation::reading::Reading;
use super::tailnet::context::PolicyContext;
use super::tailnet::flow::Judge;
use super::tailnet::identity::Answer;
use super::tailnet::party::Side;
use super::tailnet::selected::Untestable;
use super::test_report::{NO_ADDRESS, Outcome, TestReport, TestResult, TestSection};
use super::tested::{Running, Tested};

/// Without a protocol an entry is about either of these.
const UNNAMED: [Protocol; 2] = [Protocol::TCP, Protocol::UDP];

impl Policy<'_> {
    /// Runs every test of the document. With a context its devices are its users and tags, without one an
    /// assumed device for each; what that leaves undecided is neither passed nor failed.
    #[inline(never)]
    pub fn run_tests(&self, context: &PolicyContext) -> TestReport {
        match self.has_tests() {
            true => Judge::new(self, context).run_tests(),
            false => TestReport::default(),
        }
    }

    /// Whether there is any test.
    pub fn has_tests(&self) -> bool {
        !self.tests.is_empty() || !self.ssh_tests.is_empty()
    }
}

impl Judge<'_> {
    /// Like [`Policy::run_tests`].
    pub fn run_tests(&self) -> TestReport {
        let policy = self.policy();
        let mut lines = Lines::new(policy.document.text());
        let mut results = Vec::with_capacity(policy.tests.len() + policy.ssh_tests.len());
        if policy.dialect.tests_by_overlap() {
            let sections = [
                (&overlaps::HEADSCALE_TESTS, policy.tests.is_empty()),
                (&overlaps::HEADSCALE_SSH_TESTS, policy.ssh_tests.is_empty()),
            ];
            for (run, is_empty) in sections {
                if let (Some(run), false) = (run.get(), is_empty) {
                    run(&self.network, &mut lines, &mut results);
                }
            }
        } else {
            if !policy.tests.is_empty() {
                self.run_network_tests(&mut lines, &mut results);
            }
            if !policy.ssh_tests.is_empty() {
                self.run_ssh_tests(&mut lines, &mut results);
            }
        }
        let passed = results.iter().all(|result| result.passed != Some(false));
        TestReport { passed, results }
    }

    /// All names of the tests form one question to the rules, and each entry is about a part of it.
    fn run_network_tests(&self, lines: &mut Lines<'_>, results: &mut Vec<TestResult>) {
        let (mut from, mut to) = (Tested::default(), Tested::default());
        for test in &self.policy().tests {
            for source in test.source.iter() {
                from.add(&self.network, source, false);
            }
            for target in test.accept.iter().chain(&test.deny) {
                to.add(&self.network, &target.host, false);
            }
        }
        let reading = Reading::of_network(self);
        Running::each(&reading, [&from, &to], |running| {
            for (index, test) in self.policy().tests.iter().enumerate() {
                let outcome = running.run(test);
                let line = lines.line_of(test.span.start);
                let source = test.source.as_ref();
                results.push(outcome.result(TestSection::Tests, index, line, source));
            }
        });
    }
}

/// One entry, ready for its destinations.
struct TestCase<'t, 'p> {
    test: &'t Test<'p>,
    sources: Vec<ClassId>,
    protocols: &'static [Protocol],
}

impl<'p> Running<'_, 'p> {
    fn run(&mut self, test: &Test<'p>) -> Outcome {
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
        let [names, _] = self.names;
        let sources = match &test.source {
            Some(source) => outcome.known(names.get(source), source.text()),
            None => outcome.known(Err(Untestable::no_source()), ""),
        };
        let (protocols, sources) = match (protocols, sources) {
            (Ok(protocols), Some(sources)) => (protocols, sources),
            (Err(error), _) => return outcome.failed(error),
            (_, None) => return outcome,
        };
        if sources.is_empty {
            return outcome.failed(documented(&[NO_ADDRESS]));
        }
        let case = TestCase {
            test,
            sources: self.classes(Side::Source, sources),
            protocols,
        };
        for to in &test.accept {
            self.run_case(&case, to, true, &mut outcome);
        }
        for to in &test.deny {
            self.run_case(&case, to, false, &mut outcome);
        }
        outcome
    }

    fn run_case(
        &mut self,
        case: &TestCase<'_, 'p>,
        to: &Destination<'p>,
        accept: bool,
        outcome: &mut Outcome,
    ) {
        let text = to.text();
        let Some(port) = to.single_port() else {
            let port = text.rsplit_once(':').map_or("", |(_, port)| port);
            let message = documented(&["address ", text, ": invalid port ", &quoted(port)]);
            return outcome.fail(message);
        };
        let [_, names] = self.names;
        let Some(targets) = outcome.known(names.get(&to.host), text) else {
            return;
        };
        // For a name that means nothing both tests fail (docs/policy-language.md#tests).
        if targets.is_empty {
            let (what, why) = (quoted(text), ": no device behind it");
            return outcome.fail(ours(&["address ", &what, why]));
        }
        let targets = self.classes(Side::Destination, targets);
        let reached = self.reaches(case, &targets, port);
        let (holds, want, got) = match accept {
            true => (reached, "Accept", "Drop"),
            false => (reached.negated(), "Drop", "Accept"),
        };
        outcome.add(holds, to.span(), &|| {
            let named = case.test.protocol.as_ref();
            let protocol = named.map_or(String::new(), |named| {
                joined(&[" (protocol ", &quoted(named.word.name()), ")"])
            });
            let text = quoted(text);
            documented(&[
                "address ", &text, &protocol, ": want: ", want, ", got: ", got,
            ])
        });
    }

    /// Whether each source reaches some of the targets.
    fn reaches(&mut self, case: &TestCase<'_, 'p>, targets: &[ClassId], port: u16) -> Answer {
        let port = PortRange {
            first: port,
            last: port,
        };
        let set = PortSet::just(case.protocols, &Ports::One(port));
        let mut all = None;
        for &from in &case.sources {
            let row = self.row(case.test.posture_attributes, (from, targets), &set);
            all = Some(all.map_or(row.best(), |all: Answer| all.min(row.best())));
        }
        all.unwrap_or(Answer::No)
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
