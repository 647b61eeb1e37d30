//! Ports, protocols and destinations as Headscale reads them: numbers with signs, ranges from zero, lists anywhere.
//! Must not live here: where the faults are, hosts.

use crate::cidr::{Address, Version};
use crate::policy::findings::words::{filled, joined, owned, shown};
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::tables::find::{has, rsplit_once, split, split_once};

/// The names that mean protocols, in lower case; the first of a number is the one that numbers become.
pub(crate) const NAMES: [(&str, u8); 15] = [
    ("icmp", 1),
    ("igmp", 2),
    ("ipv4", 4),
    ("ip-in-ip", 4),
    ("tcp", 6),
    ("egp", 8),
    ("igp", 9),
    ("udp", 17),
    ("gre", 47),
    ("esp", 50),
    ("ah", 51),
    ("ipv6-icmp", 58),
    ("sctp", 132),
    ("fc", 133),
    ("", 0),
];

/// A number as the language of Headscale reads one: with or without a sign, and zeros in front. The standard library's is 0.6 KB.
fn atoi(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    // Below zero there is one number more.
    let mut negated: i64 = 0;
    for byte in digits {
        if !byte.is_ascii_digit() || negated < i64::MIN / 10 {
            return None;
        }
        negated = (negated * 10).checked_sub(i64::from(byte - b'0'))?;
    }
    match is_negative {
        _ if digits.is_empty() => None,
        true => Some(negated),
        false => negated.checked_neg(),
    }
}

/// The protocol of a name or number in any case, and what a refusal calls it.
///
/// # Errors
/// Why it is none, in Headscale's words.
pub(crate) fn protocol(text: &str) -> Result<(Protocol, String), String> {
    let text = &text.to_ascii_lowercase()[..];
    let named = |number: u8| NAMES.iter().find(|(_, own)| *own == number);
    if let Some((name, number)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Ok((Protocol(*number), owned(name)));
    }
    let number = atoi(text);
    let byte = number.and_then(|number| u8::try_from(number).ok());
    if let Some((name, number)) = byte.filter(|byte| *byte > 0).and_then(named) {
        return Ok((Protocol(*number), owned(name)));
    }
    of_number(text, number, byte)
}

/// The same of the text before the ports of a grant, of which nothing is renamed.
pub(crate) fn named_protocol(text: &str) -> Result<Protocol, String> {
    if let Some((_, number)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(Protocol(*number));
    }
    let number = atoi(text);
    let byte = number.and_then(|number| u8::try_from(number).ok());
    of_number(text, number, byte).map(|(protocol, _)| protocol)
}

fn of_number(
    text: &str,
    number: Option<i64>,
    byte: Option<u8>,
) -> Result<(Protocol, String), String> {
    const UNKNOWN: &str = "proto name \"*\" not known; use protocol number 0-255 or protocol name (icmp, tcp, udp, etc.)";
    const LEADING: &str = "leading 0 not permitted in protocol number: %q";
    const INVALID: &str =
        "invalid protocol number: %q must be a known protocol name or valid protocol number 0-255";
    const RANGE: &str = "protocol number out of range (0-255): %s";
    match (number, byte) {
        _ if text == "*" => Err(owned(UNKNOWN)),
        _ if text.starts_with('0') => Err(filled(LEADING, &[text])),
        (None, _) => Err(filled(INVALID, &[text])),
        (Some(number), None) => {
            let sign = if number < 0 { "-" } else { "" };
            let first = text.bytes().position(|byte| matches!(byte, b'1'..=b'9'));
            let digits = first
                .and_then(|first| text.get(first..))
                .unwrap_or_default();
            Err(filled(RANGE, &[&joined(&[sign, digits])]))
        }
        (_, Some(byte)) => Ok((Protocol(byte), owned(text))),
    }
}

/// The parts of a text between these bytes, the empty ones only if they count.
#[inline(never)]
fn parts(text: &str, between: u8, with_empty: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in split(text, between) {
        if with_empty || !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}

/// `*`, or a list of numbers and ranges.
///
/// # Errors
/// What is wrong with the first faulty entry, in Headscale's words.
pub(crate) fn ports(text: &str) -> Result<Ports, &'static str> {
    if text == "*" {
        return Ok(Ports::One(PortRange::ALL));
    }
    let mut ranges = Vec::new();
    for entry in parts(text, b',', true) {
        ranges.push(range(entry)?);
    }
    Ok(match ranges[..] {
        [one] => Ports::One(one),
        _ => Ports::Many(ranges.into()),
    })
}

fn range(entry: &str) -> Result<PortRange, &'static str> {
    if !has(entry, b'-') {
        return match port(entry)? {
            0 => Err("first port must be >0, or use '*' for wildcard"),
            port => Ok(PortRange::one(port)),
        };
    }
    let ends = parts(entry, b'-', false);
    let [first, last] = ends[..] else {
        return Err("invalid port range format");
    };
    match (port(first)?, port(last)?) {
        (first, last) if first > last => {
            Err("invalid port range: first port is greater than last port")
        }
        (first, last) => Ok(PortRange { first, last }),
    }
}

fn port(text: &str) -> Result<u16, &'static str> {
    let number = atoi(text).ok_or("invalid first integer")?;
    u16::try_from(number).map_err(|_| "port number out of range")
}

/// The words for faulty ports.
pub(crate) fn port_words(text: &str, fault: &str) -> String {
    filled("port range %q: %s", &[text, fault])
}

/// The host and the ports of a destination.
///
/// # Errors
/// Why it has none, in Headscale's words.
pub(crate) fn destination(text: &str) -> Result<(&str, Ports), String> {
    const BRACKETS: &str = "square brackets are only valid around IPv6 addresses";
    if !has(text, b':') {
        return Err(owned("hostport must contain a colon"));
    }
    let mut host_from = text;
    if let Some(rest) = text.strip_prefix('[') {
        let (inside, after) = split_once(rest, "]").ok_or_else(|| owned(BRACKETS))?;
        let is_v6 = Address::parse(inside).is_ok_and(|own| own.version() == Version::V6);
        if !is_v6 {
            return Err(filled("%s: %q", &[BRACKETS, inside]));
        }
        if !after.starts_with([':', '/']) {
            return Err(filled("%s: %q", &[BRACKETS, text]));
        }
        host_from = rest;
    }
    let (host, after) = rsplit_once(host_from, b':').unwrap_or((host_from, ""));
    if host.is_empty() {
        return Err(owned("input cannot start with a colon character"));
    }
    if after.is_empty() {
        return Err(owned("input cannot end with a colon character"));
    }
    let ports = ports(after);
    let ports = ports.map_err(|fault| {
        let words = port_words(after, fault);
        filled("dst=%q: %s", &[text, &words])
    })?;
    Ok((host.strip_suffix(']').unwrap_or(host), ports))
}

/// One entry of a grant's `ip`: its protocol and its ports.
///
/// # Errors
/// Why it is none, in Headscale's words.
pub(crate) fn ip_entry(text: &str) -> Result<(Option<Protocol>, Ports), String> {
    let parts = parts(text, b':', true);
    let (protocol, after) = match parts[..] {
        ["*"] => return Ok((None, Ports::One(PortRange::ALL))),
        [after] => (None, after),
        ["", after] => (None, after),
        [name, after] => (Some(named_protocol(name)?), after),
        _ => {
            let count = shown(&parts.len());
            let words = "expected only one colon in Internet protocol and port type, got: [%s](%s)";
            return Err(filled(words, &[&parts.join(" "), &count]));
        }
    };
    let ports = ports(after).map_err(|fault| port_words(after, fault))?;
    Ok((protocol, ports))
}
