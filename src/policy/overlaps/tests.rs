//! `tests`: every prefix of the source must be let in where it should, and some must not where it should not.
//! Must not live here: their shape (`validate`), ssh.

use crate::cidr::{AddressSet, Range};
use crate::policy::findings::hint::recorded;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::Test;
use crate::policy::language::headscale::ports::protocol;
use crate::policy::language::ports::Protocol;
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::Destination;
use crate::policy::tailnet::addresses::set_of;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::test_report::{Outcome, TestResult, TestSection};

use super::rules::{Admission, admissions, senders};
use super::sets::TestSets;

/// Runs every entry of `tests`.
pub fn run_tests(network: &Network<'_>, lines: &mut Lines<'_>, results: &mut Vec<TestResult>) {
    let reader = TestSets::new(network);
    let admissions = admissions(&reader);
    for (index, test) in network.policy.tests.iter().enumerate() {
        let run = TestRun {
            reader: &reader,
            admissions: admissions.as_deref(),
            test,
        };
        let outcome = match network.context.devices {
            Some(_) => run.outcome(),
            None => Outcome::undecided(),
        };
        let line = lines.line_of(test.span.start);
        let source = test.source.as_ref();
        results.push(outcome.result(TestSection::Tests, index, line, source));
    }
}

/// One entry.
struct TestRun<'r, 'n, 'p> {
    reader: &'r TestSets<'n, 'p>,
    admissions: Option<&'r [Admission]>,
    test: &'r Test<'p>,
}

impl TestRun<'_, '_, '_> {
    fn outcome(&self) -> Outcome {
        let mut outcome = Outcome::default();
        let Some(source) = &self.test.source else {
            return outcome;
        };
        let name = quoted(source.text());
        let head = joined(&[source.text(), &self.by_protocol()]);
        if let Some(fault) = self.reader.source_fault(source) {
            let parts = [
                &head[..],
                ": failed to resolve source ",
                &name,
                ": ",
                &fault,
            ];
            return outcome.failed(recorded(&parts));
        }
        let from = self.reader.set(source, Side::Source);
        if from.is_empty() {
            let words = " resolved to no IP addresses";
            return outcome.failed(recorded(&[&head, ": source ", &name, words]));
        }
        let from: Vec<Range> = from.prefixes().map(Range::from).collect();
        let mut ends = Vec::new();
        for (list, accept) in [(&self.test.accept, true), (&self.test.deny, false)] {
            for to in list {
                if let Some(set) = self.target(to, &head, &mut outcome) {
                    ends.push((to, set, accept));
                }
            }
        }
        for (to, set, accept) in &ends {
            self.judge(&from, (to, set), *accept, &mut outcome);
        }
        outcome
    }

    /// The addresses of a destination; notes one without any.
    fn target(
        &self,
        to: &Destination<'_>,
        head: &str,
        outcome: &mut Outcome,
    ) -> Option<AddressSet> {
        let text = quoted(to.text());
        let start = joined(&[head, ": error testing ", &text, ": "]);
        let set = self.reader.set(&to.host, Side::Destination);
        if let Some(fault) = self.reader.fault(&to.host) {
            outcome.fail(recorded(&[&start, "resolving destination: ", &fault]));
        } else if set.is_empty() {
            let words = "destination resolved to no IP addresses: ";
            outcome.fail(recorded(&[&start, words, &text]));
        } else {
            return Some(set);
        }
        None
    }

    fn judge(
        &self,
        from: &[Range],
        (to, set): (&Destination<'_>, &AddressSet),
        accept: bool,
        outcome: &mut Outcome,
    ) {
        let port = to
            .ports
            .as_ref()
            .ok()
            .and_then(|ports| ports.ranges().first());
        let port = port.map_or(0, |range| range.first);
        let protocols = self.protocols();
        let senders = match self.admissions {
            None => AddressSet::everything(),
            Some(all) => senders(all, set, port, &protocols),
        };
        let reached = from
            .iter()
            .all(|from| senders.overlaps(&set_of(vec![*from])));
        let (want, got) = match accept {
            true => ("ALLOWED", "DENIED"),
            false => ("DENIED", "ALLOWED"),
        };
        outcome.add(Answer::from(reached == accept), to.span(), &|| {
            let source = self.test.source.as_ref().map_or("", |source| source.text());
            let protocol = self.by_protocol();
            let parts = [
                source,
                " -> ",
                to.text(),
                &protocol,
                ": expected ",
                want,
                ", got ",
                got,
            ];
            recorded(&parts)
        });
    }

    /// The protocols of the packets: those of a rule that names none, if the entry names none either.
    fn protocols(&self) -> Vec<Protocol> {
        let named = self
            .test
            .protocol
            .as_ref()
            .map(|named| named.protocol.as_ref());
        match named {
            Some(Ok(protocol)) => vec![*protocol],
            _ => Protocol::DEFAULT.to_vec(),
        }
    }

    fn by_protocol(&self) -> String {
        let named = self.test.protocol.as_ref();
        let name = named.and_then(|named| protocol(&named.word.text.to_ascii_lowercase()).ok());
        name.map_or(String::new(), |(_, name)| joined(&[" (", &name, ")"]))
    }
}
