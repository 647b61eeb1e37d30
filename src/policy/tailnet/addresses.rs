//! The addresses that a selector stands for by the text alone: literals, aliases, ipsets, fixed autogroups.
//! Must not live here: what takes users or devices to know.

use std::sync::LazyLock;

use crate::cidr::{Address, AddressSet, Range};

use super::identity::Answer;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// How deep ipsets may lie in one another; a cycle, which the service refuses, ends here.
const IPSET_DEPTH: usize = 32;

/// Every address a device of a tailnet can have: what `*` means as a source, approved routes aside
/// (policy-language.md 6).
pub fn tailnet() -> &'static AddressSet {
    static TAILNET: LazyLock<AddressSet> = LazyLock::new(|| {
        let mut ranges = v4(&[(0x6440_0000, 0x6473_5bff), (0x6473_5e00, 0x647f_ffff)]);
        let last = ULA | (u128::MAX >> 48);
        ranges.extend(Range::new(Address::V6(ULA), Address::V6(last)));
        set_of(ranges)
    });
    &TAILNET
}

fn v4(ends: &[(u32, u32)]) -> Vec<Range> {
    let mut ranges = Vec::new();
    for &(first, last) in ends {
        ranges.extend(Range::new(Address::V4(first), Address::V4(last)));
    }
    ranges
}

/// `fd7a:115c:a1e0::`, the start of the tailnet's IPv6 addresses.
const ULA: u128 = 0xfd7a_115c_a1e0 << 80;

/// What `autogroup:internet` means as a destination (policy-language.md 6).
pub fn internet() -> &'static AddressSet {
    static INTERNET: LazyLock<AddressSet> = LazyLock::new(|| {
        let private = v4(&[
            (0x0a00_0000, 0x0aff_ffff),
            (0xac10_0000, 0xac1f_ffff),
            (0xc0a8_0000, 0xc0a8_ffff),
            (0xa9fe_0000, 0xa9fe_ffff),
            (0x6440_0000, 0x647f_ffff),
        ]);
        let mut all = v4(&[(0, u32::MAX)]);
        let (first, last) = (Address::V6(0x2 << 124), Address::V6(u128::MAX >> 2));
        all.extend(Range::new(first, last));
        set_of(all).minus(&set_of(private))
    });
    &INTERNET
}

/// The set of these ranges.
#[inline(never)]
pub(crate) fn set_of(ranges: Vec<Range>) -> AddressSet {
    ranges.into_iter().collect()
}

/// Whether a device of which nothing is known has an address in the set.
pub(crate) fn of_some_device(set: &AddressSet) -> Answer {
    match set.covers(tailnet()) {
        true => Answer::Yes,
        false if set.overlaps(tailnet()) => Answer::Unknown,
        false => Answer::No,
    }
}

/// The sets of ipsets that were already worked out.
type Known = Vec<(String, AddressSet)>;

impl Policy<'_> {
    /// The addresses of a selector, where the text alone says which: literals, aliases, ipsets,
    /// `autogroup:internet` and `autogroup:danger-all`, and `*` read as a destination.
    /// Nothing for the others and for undefined names.
    pub fn addresses(&self, selector: &Selector<'_>) -> Option<AddressSet> {
        match selector.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => Some(AddressSet::everything()),
            Kind::Autogroup(Autogroup::Internet) => Some(internet().clone()),
            Kind::IpSet => {
                let mut known = Known::default();
                self.ipset(selector.name(), IPSET_DEPTH, &mut known)
            }
            _ => self.range(selector).map(|range| set_of(vec![range])),
        }
    }

    /// Whether a selector that stands for addresses holds this one; nothing for the others. Quicker than asking the set.
    pub(crate) fn holds(&self, selector: &Selector<'_>, address: Address) -> Option<bool> {
        match selector.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => Some(true),
            Kind::Autogroup(Autogroup::Internet) => Some(internet().contains(address)),
            Kind::IpSet => self.addresses(selector).map(|set| set.contains(address)),
            _ => {
                let range = self.range(selector)?;
                let same = range.first().version() == address.version();
                Some(same && range.first() <= address && address <= range.last())
            }
        }
    }

    /// The addresses of a literal or an alias.
    pub(crate) fn range(&self, selector: &Selector<'_>) -> Option<Range> {
        match selector.kind {
            Kind::Host => self.host_range(selector.name()),
            _ => selector.range(),
        }
    }

    /// The addresses behind an alias of the hosts section.
    pub fn host_range(&self, alias: &str) -> Option<Range> {
        self.hosts.get(alias)?.range()
    }

    /// The addresses of an ipset; each one is worked out once, however often others name it.
    fn ipset(&self, name: &str, depth: usize, known: &mut Known) -> Option<AddressSet> {
        if let Some((_, set)) = known.iter().find(|(known, _)| known == name) {
            return Some(set.clone());
        }
        let depth = depth.checked_sub(1)?;
        let mut set = AddressSet::new();
        for operation in self.ipsets.get(name)? {
            let operand = &operation.operand;
            let operand = match operand.kind {
                Kind::IpSet => self.ipset(operand.name(), depth, known),
                _ => self.addresses(operand),
            };
            let operand = operand.unwrap_or_default();
            set = match operation.removes {
                true => set.minus(&operand),
                false => set.union(&operand),
            };
        }
        known.push((name.to_owned(), set.clone()));
        Some(set)
    }
}
