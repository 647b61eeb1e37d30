//! One IP address: strict text as Go's `netip.ParseAddr` judges it, canonical text of RFC 5952.
//! Must not live here: prefix lengths, sets.

use core::fmt;
use core::net::IpAddr;
use core::str::FromStr;

use super::error::{Error, Kind};
use super::text::Text;
use crate::tables::find;

/// The family of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// IPv4, 32 bits.
    V4,
    /// IPv6, 128 bits.
    V6,
}

impl Version {
    /// The number of bits in an address of this family.
    #[must_use]
    pub const fn width(self) -> u8 {
        match self {
            Self::V4 => 32,
            Self::V6 => 128,
        }
    }
}

/// An IPv4 or IPv6 address without a zone, as a number in network order.
///
/// Addresses order by number, all of IPv4 before all of IPv6. An IPv4-mapped address
/// (`::ffff:a.b.c.d`) is an IPv6 address here, as in Go's `netip`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// An IPv4 address.
    V4(u32),
    /// An IPv6 address.
    V6(u128),
}

/// The upper 96 bits of an IPv4-mapped address (RFC 4291, section 2.5.5.2).
const MAPPED: u128 = 0xffff << 32;

impl Address {
    /// Reads an address exactly as Go's `netip.ParseAddr` does, zones aside.
    ///
    /// # Errors
    /// `zone` for an address with a zone, `leading_zero` for an IPv4 number with one,
    /// `bad_address` for everything else that is not an address.
    pub fn parse(text: &str) -> Result<Self, Error> {
        parse(text.as_bytes()).map_err(|kind| Error::new(kind, text))
    }

    /// The family.
    #[must_use]
    pub const fn version(self) -> Version {
        match self {
            Self::V4(_) => Version::V4,
            Self::V6(_) => Version::V6,
        }
    }

    /// The IPv4 address inside an IPv4-mapped one (RFC 4291, section 2.5.5.2).
    #[must_use]
    pub const fn ipv4_mapped(self) -> Option<u32> {
        match self {
            Self::V6(bits) if bits >> 32 == MAPPED >> 32 => Some((bits & 0xffff_ffff) as u32),
            _ => None,
        }
    }

    /// Appends the canonical text (RFC 5952; the mapped form as `::ffff:a.b.c.d`).
    pub(super) fn write(self, out: &mut Text) {
        match (self, self.ipv4_mapped()) {
            (Self::V4(bits), _) => out.ipv4(bits),
            (_, Some(bits)) => {
                out.ascii(b"::ffff:");
                out.ipv4(bits);
            }
            (Self::V6(bits), None) => out.ipv6(bits),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::new();
        self.write(&mut text);
        f.pad(text.as_str())
    }
}

impl FromStr for Address {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => Self::V6(address.to_bits()),
        }
    }
}

/// The first of `.`, `:` and `%` decides the family, as in Go.
pub(super) fn parse(text: &[u8]) -> Result<Address, Kind> {
    match text.iter().find(|byte| matches!(byte, b'.' | b':' | b'%')) {
        Some(b'.') => parse_ipv4(text).map(Address::V4),
        Some(b':') => match parse_ipv6(text) {
            Err(_) if find::find(text, b"%").is_some() => Err(Kind::Zone),
            parsed => parsed.map(Address::V6),
        },
        Some(_) => Err(Kind::UnexpectedCharacter),
        None if text.is_empty() => Err(Kind::Empty),
        None => Err(Kind::NotAnAddress),
    }
}

fn parse_ipv4(text: &[u8]) -> Result<u32, Kind> {
    let (mut address, mut octet, mut digits, mut dots) = (0u32, 0u32, 0, 0);
    for &byte in text {
        match byte {
            b'0'..=b'9' if digits == 1 && octet == 0 => return Err(Kind::OctetLeadingZero),
            b'0'..=b'9' => {
                octet = octet * 10 + u32::from(byte - b'0');
                digits += 1;
                if octet > 255 {
                    return Err(Kind::OctetTooLarge);
                }
            }
            b'.' if digits == 0 => return Err(Kind::OctetEmpty),
            b'.' if dots == 3 => return Err(Kind::OctetsTooMany),
            b'.' => {
                address = address << 8 | octet;
                dots += 1;
                (octet, digits) = (0, 0);
            }
            _ => return Err(Kind::UnexpectedCharacter),
        }
    }
    match (digits, dots) {
        (0, _) => Err(Kind::OctetEmpty),
        (_, 3) => Ok(address << 8 | octet),
        _ => Err(Kind::OctetsTooFew),
    }
}

/// The groups read so far, the last one in the lowest bits: how many they are, and how many stood
/// before a `::`. At most eight are pushed.
#[derive(Default)]
struct Groups {
    bits: u128,
    count: u32,
    ellipsis: Option<u32>,
}

impl Groups {
    fn push(&mut self, group: u16) {
        self.bits = self.bits << 16 | u128::from(group);
        self.count += 1;
    }

    /// Spreads the groups around the `::`, which stands for at least one group of zeros.
    fn finish(&self) -> Result<u128, Kind> {
        match self.ellipsis {
            None if self.count == 8 => Ok(self.bits),
            None => Err(Kind::GroupsTooFew),
            Some(_) if self.count == 8 => Err(Kind::EllipsisOfNothing),
            Some(before) => {
                let tail = 16 * (self.count - before);
                let head = self.bits.unbounded_shr(tail);
                let rest = self.bits ^ head.unbounded_shl(tail);
                Ok(head.unbounded_shl(16 * (8 - before)) | rest)
            }
        }
    }
}

fn parse_ipv6(text: &[u8]) -> Result<u128, Kind> {
    let mut groups = Groups::default();
    let mut rest = text;
    if let Some(after) = rest.strip_prefix(b"::") {
        groups.ellipsis = Some(0);
        rest = after;
    }
    while !rest.is_empty() {
        if groups.count == 8 {
            return Err(Kind::GroupsTooMany);
        }
        let (group, after) = parse_group(rest)?;
        if after.first() == Some(&b'.') {
            embed_ipv4(&mut groups, rest)?;
            break;
        }
        groups.push(group);
        rest = parse_separator(&mut groups, after)?;
    }
    groups.finish()
}

/// One to four hexadecimal digits, and what follows them.
fn parse_group(text: &[u8]) -> Result<(u16, &[u8]), Kind> {
    let (mut group, mut digits, mut rest) = (0, 0, text);
    while let Some((byte, after)) = rest.split_first()
        && byte.is_ascii_hexdigit()
    {
        if digits == 4 {
            return Err(Kind::GroupTooLong);
        }
        // In ASCII a letter, and no digit, has the bit 64, and `a` ends in 1. A branch would be guessed
        // wrong at every second digit.
        group = group << 4 | u16::from((byte & 0xf) + 9 * (byte >> 6));
        digits += 1;
        rest = after;
    }
    match (digits, rest.first()) {
        (0, None | Some(b':')) => Err(Kind::GroupEmpty),
        (0, Some(_)) => Err(Kind::UnexpectedCharacter),
        _ => Ok((group, rest)),
    }
}

/// What follows a group: the end, a `:` with more after it, or the one `::`.
fn parse_separator<'t>(groups: &mut Groups, text: &'t [u8]) -> Result<&'t [u8], Kind> {
    match text {
        [] => Ok(text),
        [b':'] => Err(Kind::GroupEmpty),
        [b':', b':', ..] if groups.ellipsis.is_some() => Err(Kind::TwoEllipses),
        [b':', b':', after @ ..] => {
            groups.ellipsis = Some(groups.count);
            Ok(after)
        }
        [b':', after @ ..] => Ok(after),
        _ => Err(Kind::UnexpectedCharacter),
    }
}

/// An IPv4 address at the end takes the place of the last two groups.
fn embed_ipv4(groups: &mut Groups, text: &[u8]) -> Result<(), Kind> {
    if groups.count > 6 || (groups.ellipsis.is_none() && groups.count != 6) {
        return Err(Kind::EmbeddedPlace);
    }
    let address = parse_ipv4(text)?;
    groups.push((address >> 16) as u16);
    groups.push(address as u16);
    Ok(())
}
