//! The check of a prefix that people wrote: strict text, and no meaning other than the one intended,
//! unless the options allow it. Must not live here: the grammar of addresses.

use serde::Deserialize;

use super::address::Address;
use super::error::{Error, Kind};
use super::prefix::{self, Parsed, Prefix};
use crate::tables::find;

/// What to do with bits set to the right of the prefix length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HostBits {
    /// Refuse them.
    #[default]
    Error,
    /// Clear them.
    Mask,
}

/// What to do with an address that has no prefix length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BareAddress {
    /// Refuse it.
    #[default]
    Error,
    /// Take it as the prefix of that one address.
    Host,
}

/// What to do with an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ipv4Mapped {
    /// Refuse it.
    #[default]
    Error,
    /// Take it as the IPv4 prefix inside; a length below 96 has none and is refused.
    Unwrap,
    /// Leave it an IPv6 prefix.
    Keep,
}

/// What [`check`] accepts; strict by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(
    rename_all = "camelCase",
    default,
    deny_unknown_fields,
    expecting = "an object of options"
)]
pub struct Options {
    /// Bits to the right of the prefix length.
    pub host_bits: HostBits,
    /// An address alone.
    pub bare_address: BareAddress,
    /// An IPv4-mapped address.
    pub ipv4_mapped: Ipv4Mapped,
}

/// Reads a prefix and returns it without host bits.
///
/// # Errors
/// Those of [`Prefix::parse`], and under the options `bare_address`, `ipv4_mapped` and `host_bits`,
/// in this order. A suggestion passes this check under the same options.
pub fn check(text: &str, options: Options) -> Result<Prefix, Error> {
    check_spelling(text, options).map(|(prefix, _)| prefix)
}

/// The same, and whether the text is already the canonical one of the prefix, which is known here
/// without writing out most prefixes.
///
/// # Errors
/// Those of [`check`].
pub fn check_spelling(text: &str, options: Options) -> Result<(Prefix, bool), Error> {
    let (kind, suggestion) = match prefix::parse(text.as_bytes()) {
        Ok(parsed) => match judge(&parsed, options) {
            Ok(prefix) => return Ok((prefix, parsed.spells(prefix, text))),
            Err((kind, correction)) => (kind, correction.map(|prefix| prefix.to_string())),
        },
        Err(kind) => (kind, respell(text, options)),
    };
    Err(Error::suggesting(kind, text, suggestion))
}

/// The prefix that is meant, or the rule that it breaks and a prefix that would break none.
fn judge(parsed: &Parsed, options: Options) -> Result<Prefix, (Kind, Option<Prefix>)> {
    let written = parsed.prefix;
    let mapped = match options.ipv4_mapped {
        Ipv4Mapped::Keep => None,
        Ipv4Mapped::Error | Ipv4Mapped::Unwrap => written.address().ipv4_mapped(),
    };
    let meant = match mapped {
        None => Some(written),
        Some(bits) => written
            .length()
            .checked_sub(96)
            .and_then(|length| Prefix::new(Address::V4(bits), length)),
    };
    let refuse = |kind| Err((kind, meant.map(Prefix::masked)));
    if parsed.bare && options.bare_address == BareAddress::Error {
        return refuse(Kind::BareAddress);
    }
    let Some(prefix) = meant else {
        return refuse(Kind::Ipv4MappedShort);
    };
    if mapped.is_some() && options.ipv4_mapped == Ipv4Mapped::Error {
        return refuse(Kind::Ipv4Mapped);
    }
    let masked = prefix.masked();
    if masked != prefix && options.host_bits == HostBits::Error {
        return refuse(Kind::HostBits);
    }
    Ok(masked)
}

/// The prefix meant by a text that is valid but for blanks around it or a length written as a mask.
fn respell(text: &str, options: Options) -> Option<String> {
    let trimmed = text.trim();
    let respelled = match find::rsplit_once(trimmed, b'/') {
        Some((address, mask)) if find::has(mask, b'.') && !find::has(address, b':') => {
            format!("{address}/{}", mask_length(mask)?)
        }
        _ if trimmed.len() < text.len() => trimmed.to_owned(),
        _ => return None,
    };
    match check(&respelled, options) {
        Ok(prefix) => Some(prefix.to_string()),
        Err(error) => error.suggestion().map(str::to_owned),
    }
}

/// The number of leading ones of an IPv4 mask, if no one follows a zero.
fn mask_length(mask: &str) -> Option<u32> {
    match Address::parse(mask) {
        Ok(Address::V4(bits)) if bits.leading_ones() + bits.trailing_zeros() == 32 => {
            Some(bits.leading_ones())
        }
        _ => None,
    }
}
