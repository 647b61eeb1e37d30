//! The addresses that a selector of a test means, or why it means none.
//! Must not live here: rules, the words of a whole line.

use crate::cidr::{AddressSet, Range};
use crate::policy::findings::words::{filled, together};
use crate::policy::language::headscale::selectors::{kind_of, no_alias};
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::addresses::{internet, set_of, tailnet};
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::users::TokenWords;

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

impl<'n, 'p> TestSets<'n, 'p> {
    pub fn new(network: &'n Network<'p>) -> TestSets<'n, 'p> {
        let tokens = TokenWords::new(network.context);
        TestSets { network, tokens }
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
            for address in self.network.addresses(device) {
                ranges.push(Range::from(*address));
            }
        }
        set_of(ranges)
    }

    /// Why a source cannot be resolved.
    pub fn source_fault(&self, selector: &Selector<'_>) -> Option<String> {
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
            Kind::User => self.token_fault(name),
            Kind::Group => {
                let mut faults = Vec::new();
                for member in policy.groups.get(name)? {
                    faults.extend(self.token_fault(member.text()));
                }
                (!faults.is_empty()).then(|| together(&faults))
            }
            Kind::Host if !policy.hosts.contains(name) => {
                Some(filled("error resolving host: %q", &[name]))
            }
            Kind::Autogroup(Autogroup::Own) => Some(OWN.to_owned()),
            Kind::Autogroup(Autogroup::NonRoot | Autogroup::Unknown) => {
                Some(filled("unknown autogroup: %q", &[name]))
            }
            _ => None,
        }
    }

    /// Where the users are not known, a name may be that of one.
    fn token_fault(&self, token: &str) -> Option<String> {
        self.network.context.users.as_ref()?;
        self.tokens.fault(token)
    }
}
