//! A prefix, an address with the number of its leading bits that count: strict text as Go's
//! `netip.ParsePrefix` judges it, canonical text, masks. Must not live here: leniency (see `check`), sets.

use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use serde::{Serialize, Serializer};

use super::address::{self, Address, Version};
use super::error::{Error, Kind};
use super::text::Text;

/// An address and a prefix length. Bits to the right of the length (host bits) are kept as written.
///
/// Prefixes order by address, then the shorter length first; all of IPv4 before all of IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prefix {
    address: Address,
    length: u8,
}

impl Prefix {
    /// A prefix of `length` leading bits; none if the family has fewer bits.
    #[must_use]
    pub fn new(address: Address, length: u8) -> Option<Self> {
        (length <= address.version().width()).then_some(Self { address, length })
    }

    /// The prefix that holds this address alone: `/32` or `/128`.
    #[must_use]
    pub const fn host(address: Address) -> Self {
        Self {
            address,
            length: address.version().width(),
        }
    }

    /// Reads a prefix exactly as Go's `netip.ParsePrefix` does: zones, leading zeros and signs are
    /// refused, host bits are not.
    ///
    /// # Errors
    /// `bare_address` for an address alone, `bad_prefix_length` for what follows the last `/`,
    /// `leading_zero`, `zone` and `bad_address` as [`Address::parse`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        match parse(text.as_bytes()) {
            Ok(Parsed { bare: true, .. }) => Err(Error::new(Kind::BareAddress, text)),
            Ok(Parsed { prefix, .. }) => Ok(prefix),
            Err(kind) => Err(Error::new(kind, text)),
        }
    }

    /// The address as written, host bits included.
    #[must_use]
    pub const fn address(self) -> Address {
        self.address
    }

    /// The number of leading bits that count.
    #[must_use]
    pub const fn length(self) -> u8 {
        self.length
    }

    /// The family.
    #[must_use]
    pub const fn version(self) -> Version {
        self.address.version()
    }

    /// The lowest address in the prefix: its address with all host bits cleared.
    #[must_use]
    pub fn first(self) -> Address {
        match self.address {
            Address::V4(bits) => Address::V4(bits & !self.host_mask_v4()),
            Address::V6(bits) => Address::V6(bits & !self.host_mask_v6()),
        }
    }

    /// The highest address in the prefix: its address with all host bits set.
    #[must_use]
    pub fn last(self) -> Address {
        match self.address {
            Address::V4(bits) => Address::V4(bits | self.host_mask_v4()),
            Address::V6(bits) => Address::V6(bits | self.host_mask_v6()),
        }
    }

    /// The same prefix without host bits.
    #[must_use]
    pub fn masked(self) -> Self {
        Self {
            address: self.first(),
            ..self
        }
    }

    /// Whether a bit is set to the right of the prefix length.
    #[must_use]
    pub fn has_host_bits(self) -> bool {
        self.first() != self.address
    }

    /// Whether the prefix holds every address of its family.
    #[must_use]
    pub const fn is_default_route(self) -> bool {
        self.length == 0
    }

    /// Whether the address is in the prefix. An IPv4 address is in no IPv6 prefix.
    #[must_use]
    pub fn contains(self, address: Address) -> bool {
        // The families need not be compared: every IPv4 address is below every IPv6 address.
        self.first() <= address && address <= self.last()
    }

    /// Whether every address of `inner` is in the prefix.
    #[must_use]
    pub fn covers(self, inner: Self) -> bool {
        self.length <= inner.length && self.contains(inner.address)
    }

    /// Whether the two share an address.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.covers(other) || other.covers(self)
    }

    /// Appends the canonical text, that of [`Display`](fmt::Display), without a formatter.
    pub fn write_to(self, out: &mut String) {
        out.push_str(self.text().as_str());
    }

    fn text(self) -> Text {
        let mut text = Text::new();
        self.address.write(&mut text);
        text.push(b'/');
        text.decimal(self.length);
        text
    }

    fn host_mask_v4(self) -> u32 {
        u32::MAX.checked_shr(self.length.into()).unwrap_or(0)
    }

    fn host_mask_v6(self) -> u128 {
        u128::MAX.checked_shr(self.length.into()).unwrap_or(0)
    }
}

impl PartialOrd for Prefix {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Prefix {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.address, self.length).cmp(&(other.address, other.length))
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}

impl Serialize for Prefix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Prefix {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// A prefix, or an address alone as the prefix of only that address.
pub(super) struct Parsed {
    pub(super) prefix: Prefix,
    pub(super) bare: bool,
}

impl Parsed {
    /// Whether the text that was read is already canonical. An IPv4 prefix without leading zeros
    /// has only one text.
    pub(super) fn spells(&self, prefix: Prefix, text: &str) -> bool {
        let same = prefix == self.prefix && !self.bare;
        same && match prefix.version() {
            Version::V4 => true,
            Version::V6 => prefix.text().as_bytes() == text.as_bytes(),
        }
    }
}

/// The last `/` separates address and length, as in Go.
pub(super) fn parse(text: &[u8]) -> Result<Parsed, Kind> {
    let slash = text.iter().rposition(|&byte| byte == b'/');
    let Some((head, [_, digits @ ..])) = slash.and_then(|at| text.split_at_checked(at)) else {
        let prefix = Prefix::host(address::parse(text)?);
        return Ok(Parsed { prefix, bare: true });
    };
    let address = address::parse(head)?;
    let length = parse_length(digits, address.version())?;
    let prefix = Prefix { address, length };
    Ok(Parsed {
        prefix,
        bare: false,
    })
}

fn parse_length(digits: &[u8], version: Version) -> Result<u8, Kind> {
    let too_long = match version {
        Version::V4 => Kind::LengthAbove32,
        Version::V6 => Kind::LengthAbove128,
    };
    let number = digits.iter().try_fold(0u32, |number, byte| match byte {
        b'0'..=b'9' => Ok(number
            .saturating_mul(10)
            .saturating_add(u32::from(byte - b'0'))),
        _ => Err(Kind::LengthNotNumber),
    })?;
    match (digits, u8::try_from(number)) {
        ([], _) => Err(Kind::LengthMissing),
        ([b'0', _, ..], _) => Err(Kind::LengthLeadingZero),
        (_, Ok(length)) if length <= version.width() => Ok(length),
        _ => Err(too_long),
    }
}
