//! `tests`: every prefix of the source must be let in where it should, and some must not where it should not.
//! Must not live here: their shape (`validate`), ssh.

use std::slice;

use crate::cidr::{AddressSet, Range};
use crate::policy::findings::words::{filled, joined, said};
use crate::policy::language::document::Test;
use crate::policy::language::headscale::ports::protocol;
use crate::policy::language::ports::Protocol;
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::{Destination, Selector};
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
        let entry = (TestSection::Tests, index);
        let place = (&mut *lines, test.span);
        let source = test.source.as_ref();
        results.push(reader.result(entry, place, source, &mut |source, outcome| {
            run.judge(source, outcome);
        }));
    }
}

/// One entry.
struct TestRun<'r, 'n, 'p> {
    reader: &'r TestSets<'n, 'p>,
    admissions: Option<&'r [Admission]>,
    test: &'r Test<'p>,
}

impl TestRun<'_, '_, '_> {
    fn judge(&self, source: &Selector<'_>, outcome: &mut Outcome) {
        let name = source.text();
        let head = joined(&[name, &self.by_protocol()]);
        let from = self.reader.source(source, (&head, name), outcome);
        if from.is_empty() {
            return;
        }
        let mut ends = Vec::new();
        for (list, accept) in [(&self.test.accept, true), (&self.test.deny, false)] {
            for to in list {
                if let Some(set) = self.target(to, &head, outcome) {
                    ends.push((to, set, accept));
                }
            }
        }
        for (to, set, accept) in &ends {
            self.reach(&from, (to, set), *accept, (name, outcome));
        }
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

    fn reach(
        &self,
        from: &AddressSet,
        (to, set): (&Destination<'_>, &AddressSet),
        accept: bool,
        (source, outcome): (&str, &mut Outcome),
    ) {
        let ports = to.ports.as_ref();
        let port = ports.ok().and_then(|ports| ports.ranges().first());
        let port = port.map_or(0, |range| range.first);
        // The protocols of the packets: those of a rule that names none, if the entry names none either.
        let named = self.test.protocol.as_ref().map(|named| &named.protocol);
        let protocols = match named {
            Some(Ok(protocol)) => slice::from_ref(protocol),
            _ => &Protocol::DEFAULT[..],
        };
        let senders = match self.admissions {
            None => AddressSet::everything(),
            Some(all) => senders(all, set, port, protocols),
        };
        let mut reached = true;
        for own in from.prefixes() {
            if !senders.overlaps(&set_of(vec![Range::from(own)])) {
                reached = false;
                break;
            }
        }
        let (want, got) = match accept {
            true => ("ALLOWED", "DENIED"),
            false => ("DENIED", "ALLOWED"),
        };
        outcome.add(Answer::from(reached == accept), to.span(), &|| {
            let names = [source, to.text(), &self.by_protocol(), want, got];
            said("%s -> %s%s: expected %s, got %s", &names)
        });
    }

    fn by_protocol(&self) -> String {
        let named = self.test.protocol.as_ref();
        let name = named.and_then(|named| protocol(named.word.text).ok());
        name.map_or(String::new(), |(_, name)| filled(" (%s)", &[&name]))
    }
}
