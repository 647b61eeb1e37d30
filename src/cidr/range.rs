//! A run of addresses from a first to a last, both included, and its text `FIRST-LAST`.
//! Must not live here: sets of ranges.

use core::fmt;
use core::str::FromStr;

use super::address::Address;
use super::error::{Error, Kind};
use super::prefix::Prefix;

/// Every address from a first to a last of the same family; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range {
    first: Address,
    last: Address,
}

impl Range {
    /// The range from `first` to `last`; none if the families differ or `first` is above `last`.
    #[must_use]
    pub fn new(first: Address, last: Address) -> Option<Self> {
        (first.version() == last.version() && first <= last).then_some(Self { first, last })
    }

    /// Reads `FIRST-LAST`, two addresses as [`Address::parse`] takes them.
    ///
    /// # Errors
    /// `bad_range` without a `-`, with two families or with the ends swapped; the errors of
    /// [`Address::parse`] for an end.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let fail = |kind| Error::new(kind, text);
        let (first, last) = text.split_once('-').ok_or_else(|| fail(Kind::RangeForm))?;
        let (first, last) = (Address::parse(first)?, Address::parse(last)?);
        if first.version() != last.version() {
            return Err(fail(Kind::RangeFamilies));
        }
        Self::new(first, last).ok_or_else(|| fail(Kind::RangeOrder))
    }

    /// The lowest address.
    #[must_use]
    pub const fn first(self) -> Address {
        self.first
    }

    /// The highest address.
    #[must_use]
    pub const fn last(self) -> Address {
        self.last
    }

    /// The prefix that holds exactly these addresses, if there is one.
    #[must_use]
    pub fn as_prefix(self) -> Option<Prefix> {
        let free = match (self.first, self.last) {
            (Address::V4(first), Address::V4(last)) => 32 - (first ^ last).leading_zeros(),
            (Address::V6(first), Address::V6(last)) => 128 - (first ^ last).leading_zeros(),
            _ => return None,
        };
        let width = self.first.version().width();
        let length = u8::try_from(free).map_or(0, |free| width.saturating_sub(free));
        Prefix::new(self.first, length).filter(|prefix| Self::from(*prefix) == self)
    }
}

impl From<Address> for Range {
    fn from(address: Address) -> Self {
        Self {
            first: address,
            last: address,
        }
    }
}

impl From<Prefix> for Range {
    fn from(prefix: Prefix) -> Self {
        Self {
            first: prefix.first(),
            last: prefix.last(),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

impl FromStr for Range {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}
