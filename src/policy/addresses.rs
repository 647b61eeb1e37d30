//! The addresses that a selector stands for by the text alone: literals, aliases, ipsets, fixed autogroups.
//! Must not live here: what takes users or devices to know.

use crate::cidr::{Address, AddressSet, Range};

use super::document::{IpSetOperation, Policy};
use super::selector::{Autogroup, Kind, Selector};

/// How deep ipsets may lie in one another; a cycle, which the service refuses, ends here.
const IPSET_DEPTH: usize = 32;

/// Every address a device of a tailnet can have: what `*` means as a source, approved routes aside
/// (policy-language.md 6).
pub fn tailnet() -> AddressSet {
    let v4 = |first, last| Range::new(Address::V4(first), Address::V4(last));
    let v6 = |first, last| Range::new(Address::V6(first), Address::V6(last));
    let ranges = [
        v4(0x6440_0000, 0x6473_5bff),
        v4(0x6473_5e00, 0x647f_ffff),
        v6(ULA, ULA | (u128::MAX >> 48)),
    ];
    ranges.into_iter().flatten().collect()
}

/// `fd7a:115c:a1e0::`, the start of the tailnet's IPv6 addresses.
const ULA: u128 = 0xfd7a_115c_a1e0 << 80;

/// What `autogroup:internet` means as a destination (policy-language.md 6).
pub fn internet() -> AddressSet {
    let v4 = |first, last| Range::new(Address::V4(first), Address::V4(last));
    let private = [
        v4(0x0a00_0000, 0x0aff_ffff),
        v4(0xac10_0000, 0xac1f_ffff),
        v4(0xc0a8_0000, 0xc0a8_ffff),
        v4(0xa9fe_0000, 0xa9fe_ffff),
        v4(0x6440_0000, 0x647f_ffff),
    ];
    let global = Range::new(Address::V6(0x2 << 124), Address::V6(u128::MAX >> 2));
    let all: AddressSet = [v4(0, u32::MAX), global].into_iter().flatten().collect();
    all.minus(&private.into_iter().flatten().collect())
}

impl Policy<'_> {
    /// The addresses of a selector, where the text alone says which: literals, aliases, ipsets,
    /// `autogroup:internet` and `autogroup:danger-all`, and `*` read as a destination.
    /// Nothing for the others and for undefined names.
    pub fn addresses(&self, selector: &Selector<'_>) -> Option<AddressSet> {
        self.addresses_within(selector, IPSET_DEPTH)
    }

    fn addresses_within(&self, selector: &Selector<'_>, depth: usize) -> Option<AddressSet> {
        match selector.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => Some(AddressSet::everything()),
            Kind::Autogroup(Autogroup::Internet) => Some(internet()),
            Kind::Address | Kind::Prefix | Kind::Range => selector.range().map(AddressSet::from),
            Kind::Host => self.host_range(selector.name()).map(AddressSet::from),
            Kind::IpSet => {
                let operations = self.ipsets.get(selector.name())?;
                Some(self.ipset(operations, depth.checked_sub(1)?))
            }
            _ => None,
        }
    }

    /// The addresses behind an alias of the hosts section.
    pub fn host_range(&self, alias: &str) -> Option<Range> {
        self.hosts.get(alias)?.range()
    }

    fn ipset(&self, operations: &[IpSetOperation<'_>], depth: usize) -> AddressSet {
        let apply = |set: AddressSet, operation: &IpSetOperation<'_>| {
            let operand = self.addresses_within(&operation.operand, depth);
            let operand = operand.unwrap_or_default();
            match operation.removes {
                true => set.minus(&operand),
                false => set.union(&operand),
            }
        };
        operations.iter().fold(AddressSet::new(), apply)
    }
}
