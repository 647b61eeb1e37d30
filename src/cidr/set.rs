//! Sets of addresses of both families, with the algebra on them.
//! Must not live here: names for sets (aliases, autogroups), text beyond what a prefix or range has.

use super::address::Address;
use super::intervals::Intervals;
use super::prefix::Prefix;
use super::range::Range;

/// A set of IPv4 and IPv6 addresses.
///
/// Kept as ascending intervals, so equal sets compare equal however they were made, and union,
/// minus, intersect and overlaps take time in the number of intervals, not of addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct AddressSet {
    v4: Intervals<u32>,
    v6: Intervals<u128>,
}

impl AddressSet {
    /// The set without an address.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Every IPv4 and every IPv6 address.
    #[must_use]
    pub fn everything() -> Self {
        Self {
            v4: Intervals::from_any(vec![(0, u32::MAX)]),
            v6: Intervals::from_any(vec![(0, u128::MAX)]),
        }
    }

    /// Whether no address is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.v4.as_slice().is_empty() && self.v6.as_slice().is_empty()
    }

    /// The addresses in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            v4: self.v4.union(&other.v4),
            v6: self.v6.union(&other.v6),
        }
    }

    /// The addresses in this set and not in the other.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self {
            v4: self.v4.minus(&other.v4),
            v6: self.v6.minus(&other.v6),
        }
    }

    /// The addresses in both sets.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        Self {
            v4: self.v4.intersect(&other.v4),
            v6: self.v6.intersect(&other.v6),
        }
    }

    /// Whether the address is in the set; logarithmic in the number of intervals.
    #[must_use]
    pub fn contains(&self, address: Address) -> bool {
        match address {
            Address::V4(bits) => self.v4.contains(bits),
            Address::V6(bits) => self.v6.contains(bits),
        }
    }

    /// Whether every address of the other set is in this one. The empty set is in every set.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.v4.covers(&other.v4) && self.v6.covers(&other.v6)
    }

    /// Whether every address of the range (or prefix, or address) is in the set.
    #[must_use]
    pub fn covers_range(&self, range: impl Into<Range>) -> bool {
        let range = range.into();
        match (range.first(), range.last()) {
            (Address::V4(first), Address::V4(last)) => self.v4.covers_interval(first, last),
            (Address::V6(first), Address::V6(last)) => self.v6.covers_interval(first, last),
            _ => false,
        }
    }

    /// Whether the two sets share an address.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.v4.overlaps(&other.v4) || self.v6.overlaps(&other.v6)
    }

    /// The fewest ranges that make up the set: ascending, IPv4 first, a gap between any two.
    pub fn ranges(&self) -> impl Iterator<Item = Range> + '_ {
        let v4 = self.v4.as_slice().iter();
        let v6 = self.v6.as_slice().iter();
        v4.map(|&(first, last)| (Address::V4(first), Address::V4(last)))
            .chain(v6.map(|&(first, last)| (Address::V6(first), Address::V6(last))))
            .filter_map(|(first, last)| Range::new(first, last))
    }

    /// The fewest prefixes that make up the set: ascending, IPv4 first, without host bits.
    pub fn prefixes(&self) -> impl Iterator<Item = Prefix> + '_ {
        let v4 = self.v4.blocks();
        let v6 = self.v6.blocks();
        v4.map(|(first, length)| (Address::V4(first), length))
            .chain(v6.map(|(first, length)| (Address::V6(first), length)))
            .filter_map(|(first, length)| Prefix::new(first, length))
    }
}

impl<R: Into<Range>> FromIterator<R> for AddressSet {
    /// The union of ranges, prefixes or addresses in any order: one sort, then one pass.
    fn from_iter<I: IntoIterator<Item = R>>(items: I) -> Self {
        let (mut v4, mut v6) = (Vec::new(), Vec::new());
        for range in items.into_iter().map(Into::into) {
            match (range.first(), range.last()) {
                (Address::V4(first), Address::V4(last)) => v4.push((first, last)),
                (Address::V6(first), Address::V6(last)) => v6.push((first, last)),
                // INVARIANT: both ends of a range are of one family.
                _ => {}
            }
        }
        Self {
            v4: Intervals::from_any(v4),
            v6: Intervals::from_any(v6),
        }
    }
}

impl<R: Into<Range>> From<R> for AddressSet {
    fn from(item: R) -> Self {
        Self::from_iter([item])
    }
}
