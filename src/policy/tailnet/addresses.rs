//! The addresses that a selector means by the text only: literals, aliases, ipsets, fixed autogroups.
//! Must not live here: selectors that depend on users or devices.

use std::sync::LazyLock;

use crate::cidr::{Address, AddressSet, Range};

use crate::policy::language::document::{IpSetOperation, Policy};
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::index::Index;

/// Every address a device of a tailnet can have: what `*` means as a source, without approved routes
/// (docs/policy-language.md#sources).
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

/// What `autogroup:internet` means as a destination (docs/policy-language.md#destinations).
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

impl Policy<'_> {
    /// The addresses of a selector, if the text alone determines them: literals, aliases, ipsets,
    /// `autogroup:internet` and `autogroup:danger-all`, and `*` as a destination.
    /// None for the others and for undefined names.
    pub fn addresses(&self, selector: &Selector<'_>) -> Option<AddressSet> {
        match selector.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => Some(AddressSet::everything()),
            Kind::Autogroup(Autogroup::Internet) => Some(internet().clone()),
            Kind::IpSet => self.ipset(selector.name()),
            _ => self.range(selector).map(|range| set_of(vec![range])),
        }
    }

    /// The addresses of a literal or an alias.
    pub fn range(&self, selector: &Selector<'_>) -> Option<Range> {
        match selector.kind {
            Kind::Host => self.host_range(selector.name()),
            _ => selector.range(),
        }
    }

    /// The addresses behind an alias of the hosts section.
    pub fn host_range(&self, alias: &str) -> Option<Range> {
        self.hosts.get(alias)?.range()
    }

    /// The addresses of an ipset.
    fn ipset(&self, name: &str) -> Option<AddressSet> {
        self.ipsets.get(name)?;
        self.ipsets_of(&[name]).get(name).cloned()
    }

    /// The addresses of some ipsets. Their parts are computed first, each once and without recursion, so
    /// that neither a long chain nor a cycle, which the service refuses, is more than a list to go through. A part is moved
    /// when it is used for the last time, so that a chain holds one set and not all.
    #[inline(never)]
    pub(crate) fn ipsets_of<'a>(&'a self, names: &[&'a str]) -> IpSets<'a> {
        let mut all = IpSets::default();
        let (order, mut needed) = self.parts_first(names);
        for part in order {
            let mut set = AddressSet::new();
            let operations = self.ipsets.get(part).map_or(&[][..], Vec::as_slice);
            // Literals and aliases in a row are one set, which is sorted once.
            let is_part = |one: &IpSetOperation<'_>| one.operand.kind == Kind::IpSet;
            let alike = |a: &_, b: &_| !is_part(a) && !is_part(b) && a.removes == b.removes;
            for alike in operations.chunk_by(alike) {
                let mut ranges = Vec::new();
                for IpSetOperation { operand, .. } in alike {
                    let operand = match operand.kind {
                        Kind::IpSet => all.part(operand.name(), &mut needed),
                        _ => self.addresses(operand).unwrap_or_default(),
                    };
                    ranges.extend(operand.ranges());
                }
                let operands = set_of(ranges);
                set = match alike.first().is_some_and(|first| first.removes) {
                    true => set.minus(&operands),
                    false => set.union(&operands),
                };
            }
            all.places.set(part.into(), all.sets.len());
            all.sets.push(Some(set));
        }
        all
    }

    /// Some ipsets and all their parts, each after its own parts; and how often each is needed.
    fn parts_first<'a>(&'a self, names: &[&'a str]) -> (Vec<&'a str>, Needed<'a>) {
        let mut needed = Needed::default();
        let (mut open, mut order) = (Vec::new(), Vec::new());
        for name in names {
            open.push((*name, false));
            needed.add(name);
        }
        let mut seen = Index::default();
        while let Some((name, is_done)) = open.pop() {
            if is_done {
                order.push(name);
            } else if seen.set(name.into(), 0) {
                open.push((name, true));
                for operation in self.ipsets.get(name).into_iter().flatten() {
                    if operation.operand.kind == Kind::IpSet {
                        open.push((operation.operand.name(), false));
                        needed.add(operation.operand.name());
                    }
                }
            }
        }
        (order, needed)
    }
}

/// The addresses of ipsets by name.
#[derive(Debug, Default)]
pub(crate) struct IpSets<'p> {
    /// None if the set was moved.
    sets: Vec<Option<AddressSet>>,
    places: Index<'p>,
}

impl IpSets<'_> {
    /// The addresses of one.
    pub fn get(&self, name: &str) -> Option<&AddressSet> {
        let place = self.places.find(name)?;
        self.sets.get(place)?.as_ref()
    }

    /// The addresses of one as a part of another: the set itself if it is used for the last time, else a copy.
    fn part(&mut self, name: &str, needed: &mut Needed<'_>) -> AddressSet {
        let is_last = needed.take(name);
        let place = self.places.find(name);
        let set = place.and_then(|place| self.sets.get_mut(place));
        let part = set.and_then(|set| match is_last {
            true => set.take(),
            false => set.clone(),
        });
        part.unwrap_or_default()
    }
}

/// How often each ipset is still needed.
#[derive(Debug, Default)]
struct Needed<'p> {
    places: Index<'p>,
    counts: Vec<usize>,
}

impl<'p> Needed<'p> {
    fn add(&mut self, name: &'p str) {
        let place = self.places.place(name, self.counts.len());
        match self.counts.get_mut(place) {
            Some(count) => *count += 1,
            None => self.counts.push(1),
        }
    }

    /// Counts one use less. Returns whether that was the last one.
    fn take(&mut self, name: &str) -> bool {
        let place = self.places.find(name);
        let count = place.and_then(|place| self.counts.get_mut(place));
        count.is_some_and(|count| {
            *count = count.saturating_sub(1);
            *count == 0
        })
    }
}
