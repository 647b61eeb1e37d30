//! `sshTests`: which accounts every address of the source may log in to, at every node of the destinations.
//! Must not live here: their shape (`validate`), the rules of each node (`ssh`).

use crate::cidr::{Address, AddressSet, Prefix};
use crate::policy::findings::hint::recorded;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::{SshTest, Word};
use crate::policy::language::login::SshAction;
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::ssh::DeviceSshRules;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::test_report::{Outcome, TestResult, TestSection};
use crate::tables::sort;

use super::sets::TestSets;

/// How many addresses a source may have: Headscale goes through all of them, and ends for no wider one.
const MOST: usize = 4096;

/// Runs every entry of `sshTests`.
#[inline(never)]
pub fn run_ssh_tests(network: &Network<'_>, lines: &mut Lines<'_>, results: &mut Vec<TestResult>) {
    let reader = TestSets::new(network);
    let rules = network.policy.ssh_rules(network.context);
    for (index, test) in network.policy.ssh_tests.iter().enumerate() {
        let outcome = match network.context.devices {
            Some(_) => run(&reader, &rules, test),
            None => Outcome::undecided(),
        };
        let line = lines.line_of(test.span.start);
        let source = test.source.as_ref();
        results.push(outcome.result(TestSection::SshTests, index, line, source));
    }
}

fn run(reader: &TestSets<'_, '_>, rules: &DeviceSshRules<'_>, test: &SshTest<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let Some(source) = &test.source else {
        return outcome;
    };
    let shown = shown(source);
    if let Some(fault) = reader.source_fault(source) {
        let name = quoted(&shown);
        let parts = [
            &shown[..],
            ": failed to resolve source ",
            &name,
            ": ",
            &fault,
        ];
        return outcome.failed(recorded(&parts));
    }
    let set = reader.set(source, Side::Source);
    if set.is_empty() {
        let parts = [
            &shown[..],
            ": source ",
            &quoted(&shown),
            " resolved to no IP addresses",
        ];
        return outcome.failed(recorded(&parts));
    }
    if test.accept.is_empty() && test.check.is_empty() && test.deny.is_empty() {
        let words = ": no accept, deny, or check assertions specified";
        return outcome.failed(recorded(&[&shown, words]));
    }
    let Some(from) = each_address(&set) else {
        return Outcome::undecided();
    };
    let Some(nodes) = nodes(reader, test, &shown, &mut outcome) else {
        return outcome;
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
        run.judge(list, want, &mut outcome);
    }
    outcome
}

/// A source as a line shows it: an address as a prefix.
fn shown(source: &Selector<'_>) -> String {
    let name = source.name();
    let prefix = match source.kind {
        Kind::Address => Address::parse(name).ok().map(Prefix::host),
        Kind::Prefix => Prefix::parse(name).ok().map(Prefix::masked),
        _ => None,
    };
    prefix.map_or(name.to_owned(), |prefix| prefix.to_string())
}

/// Every address of a set, unless there are too many.
fn each_address(set: &AddressSet) -> Option<Vec<Address>> {
    let mut all = Vec::new();
    for range in set.ranges() {
        let mut next = Some(range.first());
        while let Some(address) = next.filter(|address| *address <= range.last()) {
            if all.len() == MOST {
                return None;
            }
            all.push(address);
            next = after(address);
        }
    }
    Some(all)
}

fn after(address: Address) -> Option<Address> {
    match address {
        Address::V4(bits) => bits.checked_add(1).map(Address::V4),
        Address::V6(bits) => bits.checked_add(1).map(Address::V6),
    }
}

/// The nodes of the destinations, ascending; none at all where one cannot be resolved.
fn nodes(
    reader: &TestSets<'_, '_>,
    test: &SshTest<'_>,
    shown: &str,
    outcome: &mut Outcome,
) -> Option<Vec<DeviceIndex>> {
    let network = reader.network;
    let own = Kind::Autogroup(Autogroup::Own);
    let mut nodes = Vec::new();
    for to in &test.destinations {
        if let Some(fault) = reader.fault(to).filter(|_| to.kind != own) {
            let words = ": failed to resolve destinations: resolving destination ";
            outcome.fail(recorded(&[shown, words, &quoted(to.name()), ": ", &fault]));
            return None;
        }
        let source = test
            .source
            .as_ref()
            .filter(|source| source.kind == Kind::User);
        let found = match (to.kind == own, source) {
            (true, Some(source)) => network.of_user(source.name()).to_vec(),
            (true, None) => Vec::new(),
            (false, _) => holders(network, &reader.set(to, Side::Destination)),
        };
        if found.is_empty() {
            let name = quoted(to.name());
            outcome.fail(recorded(&[
                shown,
                ": dst alias ",
                &name,
                " resolved to no nodes",
            ]));
        }
        nodes.extend(found);
    }
    sort::sort(&mut nodes);
    nodes.dedup();
    Some(nodes)
}

fn holders(network: &Network<'_>, set: &AddressSet) -> Vec<DeviceIndex> {
    let mut found = Vec::new();
    for range in set.ranges() {
        found.extend(network.holders(range));
    }
    found
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
    rules: &'r DeviceSshRules<'r>,
    shown: String,
    from: Vec<Address>,
    nodes: Vec<DeviceIndex>,
}

impl SshRun<'_, '_, '_> {
    fn judge(&self, list: &[Word<'_>], want: Demand, outcome: &mut Outcome) {
        let mut accounts: Vec<&Word<'_>> = list.iter().collect();
        sort::sort_by(&mut accounts, |a, b| a.name().cmp(b.name()));
        accounts.dedup_by(|a, b| a.name() == b.name());
        for account in accounts {
            for &node in &self.nodes {
                self.login(account, node, want, outcome);
            }
        }
    }

    fn login(&self, account: &Word<'_>, node: DeviceIndex, want: Demand, outcome: &mut Outcome) {
        let name = account.name();
        let all = |action| {
            self.from
                .iter()
                .all(|from| self.lets_in(*from, node, name, action))
        };
        let any = || {
            self.from
                .iter()
                .any(|from| self.lets_in(*from, node, name, None))
        };
        let (holds, words) = match want {
            Demand::Accept => (all(None), "ALLOWED, got DENIED"),
            Demand::Deny => (!any(), "DENIED, got ALLOWED"),
            Demand::Check => (
                all(Some(SshAction::Check)),
                match all(Some(SshAction::Accept)) {
                    true => "ALLOWED via check, got ALLOWED via accept",
                    false => "ALLOWED via check, got DENIED",
                },
            ),
        };
        outcome.add(Answer::from(holds), account.span, &|| {
            let user = match name {
                "" => "\"\"",
                name => name,
            };
            let line = [
                &self.shown,
                "/",
                user,
                " -> ",
                self.name_of(node),
                ": expected ",
                words,
            ];
            recorded(&[&joined(&line)])
        });
    }

    /// Whether some rule of a node, of this action if one is given, lets in an account from an address.
    fn lets_in(
        &self,
        from: Address,
        node: DeviceIndex,
        account: &str,
        action: Option<SshAction>,
    ) -> bool {
        let mut rules = self.rules.of(node);
        rules.any(|rule| {
            let is_own = action.is_none_or(|action| rule.action == action);
            let mut sources = rule.from.iter().filter_map(|net| net.range());
            is_own
                && sources.any(|own| own.first() <= from && from <= own.last())
                && opens(&rule.users, account)
        })
    }

    fn name_of(&self, node: DeviceIndex) -> &str {
        let Some(device) = node.of(self.reader.network.devices) else {
            return "";
        };
        let name = device.hostname.as_deref().or(device.name.as_deref());
        name.unwrap_or(&device.id)
    }
}

/// Whether the accounts of a rule include one: by its name, else as any but root.
fn opens(users: &[(String, String)], account: &str) -> bool {
    let find = |name: &str| users.iter().find(|(asked, _)| asked == name);
    let local = match find(account) {
        Some(own) => Some(own),
        None if account == "root" => None,
        None => find("*"),
    };
    !account.is_empty() && local.is_some_and(|(_, local)| !local.is_empty())
}
