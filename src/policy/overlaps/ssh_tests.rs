//! `sshTests`: which accounts every address of the source may log in to, at every node of the destinations.
//! Must not live here: their shape (`validate`), the rules of each node (`ssh`).

use crate::cidr::{Address, AddressSet, Prefix};
use crate::policy::findings::words::{self, owned, said};
use crate::policy::language::document::{SshTest, Word};
use crate::policy::language::login::SshAction;
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::{Network, ascending};
use crate::policy::tailnet::party::Side;
use crate::policy::test_report::{Outcome, TestResult, TestSection};
use crate::tables::sort;

use super::logins::{LoginRule, admitted, login_rules};
use super::sets::{TestSets, add_ranges};

/// How many addresses a source may have: Headscale goes through all of them, and ends for no wider one.
const MOST: u128 = 4096;

/// Runs every entry of `sshTests`.
pub fn run_ssh_tests(network: &Network<'_>, lines: &mut Lines<'_>, results: &mut Vec<TestResult>) {
    let reader = TestSets::new(network);
    let rules = login_rules(network);
    for (index, test) in network.policy.ssh_tests.iter().enumerate() {
        let entry = (TestSection::SshTests, index);
        let place = (&mut *lines, test.span);
        let source = test.source.as_ref();
        results.push(reader.result(entry, place, source, &mut |source, outcome| {
            judge(&reader, &rules, (test, source), outcome);
        }));
    }
}

fn judge(
    reader: &TestSets<'_, '_>,
    rules: &[LoginRule<'_>],
    (test, source): (&SshTest<'_>, &Selector<'_>),
    outcome: &mut Outcome,
) {
    let shown = shown(source);
    let from = reader.source(source, (&shown, &shown), outcome);
    if from.is_empty() {
        return;
    }
    if test.accept.is_empty() && test.check.is_empty() && test.deny.is_empty() {
        let words = "%s: no accept, deny, or check assertions specified";
        return outcome.fail(said(words, &[&shown]));
    }
    if is_endless(&from) {
        *outcome = Outcome::undecided();
        return;
    }
    let Some(nodes) = nodes(reader, (test, source), &shown, outcome) else {
        return;
    };
    let run = SshRun {
        reader,
        rules,
        shown,
        from,
        nodes,
    };
    for (list, want) in [
        (&test.accept, Demand::Accept),
        (&test.deny, Demand::Deny),
        (&test.check, Demand::Check),
    ] {
        run.judge(list, want, outcome);
    }
}

/// A source as a line shows it: an address as a prefix.
fn shown(source: &Selector<'_>) -> String {
    let name = source.name();
    let prefix = match source.kind {
        Kind::Address => Address::parse(name).ok().map(Prefix::host),
        Kind::Prefix => Prefix::parse(name).ok().map(Prefix::masked),
        _ => None,
    };
    prefix.map_or_else(|| owned(name), |prefix| words::shown(&prefix))
}

/// Whether a set has more addresses than Headscale would go through.
fn is_endless(set: &AddressSet) -> bool {
    let (mut left, mut ranges) = (MOST, Vec::new());
    add_ranges(set, &mut ranges);
    for range in ranges {
        let count = match (range.first(), range.last()) {
            (Address::V4(first), Address::V4(last)) => u128::from(last - first),
            (Address::V6(first), Address::V6(last)) => last - first,
            _ => 0,
        };
        match left.checked_sub(count.saturating_add(1)) {
            Some(rest) => left = rest,
            None => return true,
        }
    }
    false
}

/// The nodes of the destinations, ascending; none at all where one cannot be resolved.
fn nodes(
    reader: &TestSets<'_, '_>,
    (test, source): (&SshTest<'_>, &Selector<'_>),
    shown: &str,
    outcome: &mut Outcome,
) -> Option<Vec<DeviceIndex>> {
    let network = reader.network;
    let mut nodes = Vec::new();
    for to in &test.destinations {
        let before = nodes.len();
        if to.kind == Kind::Autogroup(Autogroup::Own) {
            if source.kind == Kind::User {
                nodes.extend_from_slice(network.of_user(source.name()));
            }
        } else if let Some(fault) = reader.fault(to) {
            let words = "%s: failed to resolve destinations: resolving destination %q: %s";
            outcome.fail(said(words, &[shown, to.name(), &fault]));
            return None;
        } else {
            let mut ranges = Vec::new();
            add_ranges(&reader.set(to, Side::Destination), &mut ranges);
            for range in ranges {
                network.add_holders(Net::Range(range), &mut nodes);
            }
        }
        if nodes.len() == before {
            let words = "%s: dst alias %q resolved to no nodes";
            outcome.fail(said(words, &[shown, to.name()]));
        }
    }
    Some(ascending(nodes))
}

/// What an entry demands of logins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Demand {
    Accept,
    Deny,
    Check,
}

/// One entry that can be judged.
struct SshRun<'r, 'n, 'p> {
    reader: &'r TestSets<'n, 'p>,
    rules: &'r [LoginRule<'p>],
    shown: String,
    from: AddressSet,
    nodes: Vec<DeviceIndex>,
}

impl SshRun<'_, '_, '_> {
    fn judge(&self, list: &[Word<'_>], want: Demand, outcome: &mut Outcome) {
        let name = |at: usize| list.get(at).map(Word::name);
        let mut last = None;
        for at in sort::positions(list.len(), &|a, b| name(a) > name(b)) {
            let account = list.get(at).filter(|account| last != Some(account.name()));
            let Some(account) = account else { continue };
            last = Some(account.name());
            for &node in &self.nodes {
                self.login(account, node, want, outcome);
            }
        }
    }

    fn login(&self, account: &Word<'_>, node: DeviceIndex, want: Demand, outcome: &mut Outcome) {
        let name = account.name();
        let action = (want == Demand::Check).then_some(SshAction::Check);
        let admitted = self.admitted(node, name, action);
        let holds = match want {
            Demand::Deny => !admitted.overlaps(&self.from),
            Demand::Accept | Demand::Check => admitted.covers(&self.from),
        };
        let accepted = || self.admitted(node, name, Some(SshAction::Accept));
        outcome.add(Answer::from(holds), account.span, &|| {
            let user = match name {
                "" => "\"\"",
                name => name,
            };
            let words = match want {
                Demand::Accept => "ALLOWED, got DENIED",
                Demand::Deny => "DENIED, got ALLOWED",
                Demand::Check if accepted().covers(&self.from) => {
                    "ALLOWED via check, got ALLOWED via accept"
                }
                Demand::Check => "ALLOWED via check, got DENIED",
            };
            let names = [&self.shown, user, self.name_of(node), words];
            said("%s/%s -> %s: expected %s", &names)
        });
    }

    /// From where an account is let in at a node: by all rules, or by those of one action.
    fn admitted(&self, node: DeviceIndex, account: &str, action: Option<SshAction>) -> AddressSet {
        admitted(self.reader.network, self.rules, (node, account), action)
    }

    fn name_of(&self, node: DeviceIndex) -> &str {
        let Some(device) = node.of(self.reader.network.devices) else {
            return "";
        };
        let name = device.hostname.as_deref().or(device.name.as_deref());
        name.unwrap_or(&device.id)
    }
}
