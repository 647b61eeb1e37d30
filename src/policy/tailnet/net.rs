//! One entry of a packet filter: an address, a prefix, a range, or everything; and its text.
//! Must not live here: what a selector means.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::cidr::{Address, Range};

/// A set of addresses as a filter spells it. Orders IPv4 before IPv6 and everything first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Net {
    /// `*`: every address.
    All,
    /// From a first to a last address.
    Range(Range),
    /// From a first to a last address, never shown as a prefix, as for a range as written, and the internet.
    Ends(Range),
}

impl Net {
    /// The addresses, unless they are all.
    pub fn range(self) -> Option<Range> {
        match self {
            Net::All => None,
            Net::Range(range) | Net::Ends(range) => Some(range),
        }
    }

    /// Adds numbers that no other set has.
    pub(crate) fn number(self, run: &mut Vec<u64>) {
        let kind = match self {
            Net::All => 0,
            Net::Range(_) => 1,
            Net::Ends(_) => 2,
        };
        run.push(kind);
        if let Some(range) = self.range() {
            for end in [range.first(), range.last()] {
                match end {
                    Address::V4(bits) => run.extend([4, u64::from(bits)]),
                    Address::V6(bits) => run.extend([6, (bits >> 64) as u64, bits as u64]),
                }
            }
        }
    }

    /// Whether the address is in it.
    pub fn contains(self, address: Address) -> bool {
        let inside = |range: Range| range.first() <= address && address <= range.last();
        self.range().is_none_or(inside)
    }
}

impl From<Address> for Net {
    fn from(address: Address) -> Net {
        Net::Range(address.into())
    }
}

/// `*`, `a`, `a/n` if a prefix holds exactly these addresses, else `a-b`.
impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Net::All => f.write_str("*"),
            Net::Ends(range) => range.fmt(f),
            Net::Range(range) if range.first() == range.last() => range.first().fmt(f),
            Net::Range(range) => match range.as_prefix() {
                Some(prefix) => prefix.fmt(f),
                None => range.fmt(f),
            },
        }
    }
}

impl Serialize for Net {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
