//! `tests`: every prefix of the source must be let in where it should, and some must not where it should not.
//! Must not live here: their shape (`validate`), ssh.

use crate::cidr::{AddressSet, Range};
use crate::policy::findings::words::{filled, joined, said};
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
        let name = source.text();
        let head = joined(&[source.text(), &self.by_protocol()]);
        if let Some(fault) = self.reader.source_fault(source) {
            let words = "%s: failed to resolve source %q: %s";
            return outcome.failed(said(words, &[&head, name, &fault]));
        }
        let from = self.reader.set(source, Side::Source);
        if from.is_empty() {
            let words = "%s: source %q resolved to no IP addresses";
            return outcome.failed(said(words, &[&head, name]));
        }
        let mut sources = Vec::new();
        for prefix in from.prefixes() {
            sources.push(Range::from(prefix));
        }
        let mut ends = Vec::new();
        for (list, accept) in [(&self.test.accept, true), (&self.test.deny, false)] {
            for to in list {
                if let Some(set) = self.target(to, &head, &mut outcome) {
                    ends.push((to, set, accept));
                }
            }
        }
        for (to, set, accept) in &ends {
            self.judge(&sources, (to, set), *accept, &mut outcome);
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
        let text = to.text();
        let set = self.reader.set(&to.host, Side::Destination);
        if let Some(fault) = self.reader.fault(&to.host) {
            let words = "%s: error testing %q: resolving destination: %s";
            outcome.fail(said(words, &[head, text, &fault]));
        } else if set.is_empty() {
            let words = "%s: error testing %q: destination resolved to no IP addresses: %q";
            outcome.fail(said(words, &[head, text, text]));
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
            let names = [source, to.text(), &protocol, want, got];
            said("%s -> %s%s: expected %s, got %s", &names)
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
        let name = named.and_then(|named| protocol(named.word.text).ok());
        name.map_or(String::new(), |(_, name)| filled(" (%s)", &[&name]))
    }
}
