//! The addresses that a selector of a test means, or why it means none.
//! Must not live here: rules, the words of a whole line.

use crate::cidr::{AddressSet, Range};
use crate::hujson::Span;
use crate::policy::findings::words::{filled, owned, said, together};
use crate::policy::language::headscale::selectors::{kind_of, no_alias};
use crate::policy::language::rule::Lines;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::addresses::{internet, set_of, tailnet};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::users::TokenWords;
use crate::policy::test_report::{Outcome, TestResult, TestSection};

/// Reads the selectors of tests in a network.
pub struct TestSets<'n, 'p> {
    pub network: &'n Network<'p>,
    tokens: TokenWords<'p>,
}

/// Adds what a set has. An iterator that is collected in its place is up to 1.5 KB of the wasm file.
#[inline(never)]
pub fn add_ranges(set: &AddressSet, ranges: &mut Vec<Range>) {
    for range in set.ranges() {
        ranges.push(range);
    }
}

/// The same of nets, but for those without an end.
#[inline(never)]
pub fn add_nets(nets: &[Net], ranges: &mut Vec<Range>) {
    for net in nets {
        if let Some(range) = net.range() {
            ranges.push(range);
        }
    }
}

/// The same of the addresses of a device.
#[inline(never)]
pub fn add_addresses(network: &Network<'_>, device: DeviceIndex, ranges: &mut Vec<Range>) {
    for &address in network.addresses(device) {
        ranges.push(Range::from(address));
    }
}

impl<'n, 'p> TestSets<'n, 'p> {
    pub fn new(network: &'n Network<'p>) -> TestSets<'n, 'p> {
        let tokens = TokenWords::new(network.context);
        TestSets { network, tokens }
    }

    /// The result of an entry: undecided without devices, else what is judged of its source.
    #[inline(never)]
    pub fn result(
        &self,
        (section, index): (TestSection, usize),
        (lines, span): (&mut Lines<'_>, Span),
        source: Option<&Selector<'_>>,
        judge: &mut dyn FnMut(&Selector<'_>, &mut Outcome),
    ) -> TestResult {
        let mut outcome = Outcome::default();
        match (&self.network.context.devices, source) {
            (None, _) => outcome = Outcome::undecided(),
            (Some(_), Some(source)) => judge(source, &mut outcome),
            (Some(_), None) => {}
        }
        outcome.result(section, index, lines.line_of(span.start), source)
    }

    /// The addresses of the source of an entry, which fails without any: what a line about the entry begins with, and what it calls the source.
    #[inline(never)]
    pub fn source(
        &self,
        source: &Selector<'_>,
        (head, name): (&str, &str),
        outcome: &mut Outcome,
    ) -> AddressSet {
        if let Some(fault) = self.source_fault(source) {
            let words = "%s: failed to resolve source %q: %s";
            outcome.fail(said(words, &[head, name, &fault]));
            return AddressSet::new();
        }
        let set = self.set(source, Side::Source);
        if set.is_empty() {
            let words = "%s: source %q resolved to no IP addresses";
            outcome.fail(said(words, &[head, name]));
        }
        set
    }

    /// The addresses of a selector on a side of a rule; a name that nobody knows has none.
    pub fn set(&self, selector: &Selector<'_>, side: Side) -> AddressSet {
        match (selector.kind, side) {
            (Kind::Any, Side::Source) => tailnet().clone(),
            (Kind::Any, Side::Destination) | (Kind::Autogroup(Autogroup::DangerAll), _) => {
                AddressSet::everything()
            }
            (Kind::Autogroup(Autogroup::Internet), _) => internet().clone(),
            (Kind::Autogroup(Autogroup::Own), _) => AddressSet::new(),
            _ => match self.network.set_of(selector) {
                Some(set) => set,
                None => self.own(selector),
            },
        }
    }

    /// The addresses of the devices that a selector includes by identity.
    fn own(&self, selector: &Selector<'_>) -> AddressSet {
        let mut ranges = Vec::new();
        for device in self.network.devices_of(selector) {
            add_addresses(self.network, device, &mut ranges);
        }
        set_of(ranges)
    }

    /// Why a source cannot be resolved.
    fn source_fault(&self, selector: &Selector<'_>) -> Option<String> {
        let text = selector.text();
        match kind_of(text) {
            None => Some(filled("invalid alias: %s", &[&no_alias(text)])),
            Some(_) => {
                let fault = self.fault(selector)?;
                Some(filled("resolving: %s", &[&fault]))
            }
        }
    }

    /// Why a selector cannot be resolved, in Headscale's words.
    pub fn fault(&self, selector: &Selector<'_>) -> Option<String> {
        const OWN: &str =
            "autogroup:self requires per-node resolution and cannot be resolved in this context";
        let (policy, name) = (self.network.policy, selector.name());
        match selector.kind {
            Kind::User | Kind::Group => {
                let mut faults = Vec::new();
                self.tokens.add_faults(policy, selector, &mut faults);
                (!faults.is_empty()).then(|| together(&faults))
            }
            Kind::Host if !policy.hosts.contains(name) => {
                Some(filled("error resolving host: %q", &[name]))
            }
            Kind::Autogroup(Autogroup::Own) => Some(owned(OWN)),
            Kind::Autogroup(Autogroup::NonRoot | Autogroup::Unknown) => {
                Some(filled("unknown autogroup: %q", &[name]))
            }
            _ => None,
        }
    }
}
