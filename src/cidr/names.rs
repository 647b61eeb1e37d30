//! Nameserver addresses and search paths as people type them: what is wrong with an entry, where, and
//! what to write instead.
//!
//! ```
//! use tailnet_kit::cidr::names::{check_nameserver, check_search_path};
//!
//! assert_eq!(check_nameserver("9.9.9.9"), None);
//! assert_eq!(check_nameserver("9.9.9.9:53").map(|finding| finding.code), Some("port"));
//! assert!(check_search_path("corp.example.com").is_empty());
//! ```
// Must not live here: DNS itself, the lists kept by the service.

use core::ops::Range;

use super::address::Address;
use super::error::{Error, Quoted};
use super::prefix::Prefix;
use crate::tables::find;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The entry cannot work as written.
    Error,
    /// The entry may work, but is probably not what its writer meant.
    Warning,
}

/// One remark on an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The stable code.
    pub code: &'static str,
    /// What is wrong: the marked text in backticks, then the rule; lower case, no full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The bytes of the entry to mark.
    pub place: Range<usize>,
}

impl Finding {
    fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// The text under judgement.
#[derive(Clone, Copy)]
struct Entry<'t>(&'t str);

impl Entry<'_> {
    fn finding(
        self,
        severity: Severity,
        code: &'static str,
        reason: &str,
        place: Range<usize>,
    ) -> Finding {
        let message = match self.0.get(place.clone()) {
            None | Some("") => reason.to_owned(),
            Some(marked) => format!("`{}`: {reason}", Quoted(marked)),
        };
        Finding {
            severity,
            code,
            message,
            hint: None,
            place,
        }
    }

    fn error_at(self, place: Range<usize>, code: &'static str, reason: &str) -> Finding {
        self.finding(Severity::Error, code, reason, place)
    }

    fn warning_at(self, place: Range<usize>, code: &'static str, reason: &str) -> Finding {
        self.finding(Severity::Warning, code, reason, place)
    }

    /// Of the whole entry.
    fn error(self, code: &'static str, reason: &str) -> Finding {
        self.error_at(0..self.0.len(), code, reason)
    }

    /// Of the whole entry.
    fn warning(self, code: &'static str, reason: &str) -> Finding {
        self.warning_at(0..self.0.len(), code, reason)
    }
}

/// What is wrong with a nameserver entry; empty if nothing is. The service takes plain addresses.
///
/// Errors: `empty`, `blank`, `url`, `several`, `prefix`, `port`, `host_name`, `unspecified`,
/// `multicast`, `broadcast`, and the codes of [`Address::parse`]. Warnings: `loopback`,
/// `link_local`, `ipv4_mapped`, `own_resolver`.
#[must_use]
pub fn check_nameserver(text: &str) -> Option<Finding> {
    let entry = Entry(text);
    match Address::parse(text) {
        Ok(address) => unsuitable(entry, address),
        Err(error) => Some(no_address(entry).unwrap_or_else(|| unreadable(entry, &error))),
    }
}

fn unreadable(entry: Entry<'_>, error: &Error) -> Finding {
    let finding = entry.error(error.code(), error.reason());
    match error.code() {
        "zone" => finding.hint(REACHABLE),
        "leading_zero" => finding.hint("write each number in decimal, without zeros in front"),
        _ => finding,
    }
}

const REACHABLE: &str = "give an address that every device of the tailnet can reach";
const ONE_SERVER: &str = "give the address of one DNS server";

/// The ranges that contain no usable server (RFC 6890), and the tailnet's own resolver.
const UNSUITABLE: &[(Address, u8, &str)] = &[
    (Address::V4(0), 8, "unspecified"),
    (Address::V6(0), 128, "unspecified"),
    (Address::V4(0x7f00_0000), 8, "loopback"),
    (Address::V6(1), 128, "loopback"),
    (Address::V4(0xa9fe_0000), 16, "link_local"),
    (Address::V6(0xfe80 << 112), 10, "link_local"),
    (Address::V4(0xe000_0000), 4, "multicast"),
    (Address::V6(0xff00 << 112), 8, "multicast"),
    (Address::V4(u32::MAX), 32, "broadcast"),
    (Address::V4(0x6464_6464), 32, "own_resolver"),
    (
        Address::V6(0xfd7a_115c_a1e0 << 80 | 0x53),
        128,
        "own_resolver",
    ),
];

fn unsuitable(entry: Entry<'_>, address: Address) -> Option<Finding> {
    if let Some(bits) = address.ipv4_mapped() {
        let finding = entry.warning("ipv4_mapped", "an IPv4 address written as IPv6");
        return Some(finding.hint(format!("write `{}`", Address::V4(bits))));
    }
    let (_, _, code) = UNSUITABLE.iter().find(|(first, length, _)| {
        Prefix::new(*first, *length).is_some_and(|prefix| prefix.contains(address))
    })?;
    Some(match *code {
        "loopback" => entry
            .warning("loopback", "each device would ask itself")
            .hint(REACHABLE),
        "link_local" => entry
            .warning("link_local", "reachable on one network link only")
            .hint(REACHABLE),
        "own_resolver" => entry
            .warning(
                "own_resolver",
                "the tailnet's own resolver, which would ask itself",
            )
            .hint("give the resolver that should answer names outside the tailnet"),
        "unspecified" => entry
            .error("unspecified", "the unspecified address, which is no server")
            .hint(ONE_SERVER),
        "multicast" => entry
            .error("multicast", "a multicast address, not a single server")
            .hint(ONE_SERVER),
        _ => entry
            .error("broadcast", "the broadcast address, not a single server")
            .hint(ONE_SERVER),
    })
}

/// What a text that is not an address seems to be.
fn no_address(entry: Entry<'_>) -> Option<Finding> {
    let Entry(text) = entry;
    if let Some(finding) = blank(entry) {
        return Some(finding);
    }
    if let Some((scheme, _)) = find::split_once(text, "://") {
        let finding = entry.error("url", "a URL where an IP address is wanted");
        return Some(finding.hint(match scheme {
            "https" => "DNS over HTTPS has no place here: give the resolver's IP address",
            _ => "give the server's IP address",
        }));
    }
    if text.contains(|character: char| matches!(character, ',' | ';') || character.is_whitespace())
    {
        let finding = entry.error("several", "more than one entry in one text");
        return Some(finding.hint("give each address as an entry of its own"));
    }
    if let Ok(prefix) = Prefix::parse(text) {
        let finding = entry.error("prefix", "a prefix where one address is wanted");
        return Some(finding.hint(format!("write `{}`", prefix.address())));
    }
    if let Some(address) = without_port(text) {
        let finding = entry.error(
            "port",
            "an address with brackets or a port; queries go to port 53",
        );
        return Some(finding.hint(format!("write `{address}`")));
    }
    let of_names = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    (text.bytes().all(of_names) && text.bytes().any(|byte| byte.is_ascii_alphabetic())).then(|| {
        let finding = entry.error("host_name", "not an IP address");
        finding.hint("give the address that the name stands for")
    })
}

/// Nothing at all to read, or blanks around the entry.
fn blank(entry: Entry<'_>) -> Option<Finding> {
    let trimmed = entry.0.trim();
    if trimmed.is_empty() {
        return Some(entry.error("empty", "there is nothing here"));
    }
    (trimmed.len() < entry.0.len()).then(|| {
        let finding = entry.error("blank", "blanks around the entry");
        finding.hint(format!("write `{}`", Quoted(trimmed)))
    })
}

/// The address in `a.b.c.d:53`, `[::1]:53` or `[::1]`.
fn without_port(text: &str) -> Option<Address> {
    let address = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None => text.rsplit_once(':')?.0,
    };
    Address::parse(address).ok()
}

/// Longest name in bytes, without the final dot: 255 on the wire (RFC 1035, section 2.3.4), where
/// a length precedes each label, and the root's follows them.
const LONGEST_NAME: usize = 253;

/// Longest label in bytes (RFC 1035, section 2.3.4).
const LONGEST_LABEL: usize = 63;

/// What is wrong with a search path, a domain name that devices append to short names; empty if
/// nothing is. The rules are those of host names (RFC 1123, section 2.1); one final dot is fine.
///
/// Errors: `empty`, `blank`, `url`, `address`, `prefix`, `wildcard`, `empty_label`, `long_label`,
/// `hyphen`, `not_ascii`, `bad_character`, `numeric_top`, `long_name`. Warnings: `underscore`,
/// `local_domain`. In the order of the text, one for each label; those of the whole name come last.
#[must_use]
pub fn check_search_path(text: &str) -> Vec<Finding> {
    no_name(Entry(text)).map_or_else(|| judge_name(Entry(text)), |finding| vec![finding])
}

/// What a text that is not a domain name seems to be.
fn no_name(entry: Entry<'_>) -> Option<Finding> {
    let Entry(text) = entry;
    if let Some(finding) = blank(entry) {
        return Some(finding);
    }
    if let Some((_, rest)) = find::split_once(text, "://") {
        let host = rest.split(['/', ':', '?', '#']).next().unwrap_or_default();
        let finding = entry.error("url", "a URL where a domain name is wanted");
        return Some(finding.hint(format!("write `{}`", Quoted(host))));
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    if Address::parse(name).is_ok() {
        let finding = entry.error("address", "an IP address where a domain name is wanted");
        return Some(finding.hint("addresses of DNS servers belong to the nameservers"));
    }
    let prefix = Prefix::parse(name).ok();
    prefix.map(|_| entry.error("prefix", "a prefix where a domain name is wanted"))
}

fn judge_name(entry: Entry<'_>) -> Vec<Finding> {
    let name = match entry.0.strip_suffix('.') {
        // The root by itself keeps its dot and is two empty labels.
        Some(name) if !name.is_empty() => name,
        _ => entry.0,
    };
    let mut findings = Vec::new();
    let mut start = 0;
    for label in name.split('.') {
        findings.extend(judge_label(entry, label, start));
        start += label.len() + 1;
    }
    findings.extend(judge_top(entry, name));
    if name.len() > LONGEST_NAME {
        let reason = format!(
            "a name has at most {LONGEST_NAME} bytes, here are {}",
            name.len()
        );
        findings.push(entry.error("long_name", &reason));
    }
    findings
}

/// The first fault of the label that starts at this byte.
fn judge_label(entry: Entry<'_>, label: &str, start: usize) -> Option<Finding> {
    let place = start..start + label.len();
    let fits = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    if label.is_empty() {
        let finding = entry.error_at(place, "empty_label", "nothing stands before or after a dot");
        Some(finding.hint("leave the extra dot out"))
    } else if label == "*" {
        let finding = entry.error_at(place, "wildcard", "a search path has no wildcard");
        Some(finding.hint("leave `*.` out: the path is appended to every short name"))
    } else if let Some((at, character)) = label.char_indices().find(|&(_, found)| !fits(found)) {
        Some(odd_character(entry, start + at, character))
    } else if label.len() > LONGEST_LABEL {
        let reason = format!(
            "a label has at most {LONGEST_LABEL} bytes, here are {}",
            label.len()
        );
        Some(entry.error_at(place, "long_label", &reason))
    } else if label.starts_with('-') || label.ends_with('-') {
        let reason = "a label neither starts nor ends with a hyphen";
        Some(entry.error_at(place, "hyphen", reason))
    } else {
        let at = start + label.find('_')?;
        let reason = "host names have no underscore (RFC 1123)";
        Some(entry.warning_at(at..at + 1, "underscore", reason))
    }
}

fn odd_character(entry: Entry<'_>, at: usize, character: char) -> Finding {
    let place = at..at + character.len_utf8();
    if !character.is_ascii() {
        let finding = entry.error_at(place, "not_ascii", "a character outside ASCII");
        return finding.hint("write the label in its `xn--` form (RFC 5891)");
    }
    let finding = entry.error_at(
        place,
        "bad_character",
        "a character that no domain name has",
    );
    match character {
        ' ' | ',' | ';' => finding.hint("give each search path as an entry of its own"),
        '/' | ':' | '@' => finding.hint("give the domain name alone, without path, port or user"),
        '*' => finding.hint("a search path has no wildcard"),
        _ => finding,
    }
}

/// What the last label says about the whole name.
fn judge_top(entry: Entry<'_>, name: &str) -> Option<Finding> {
    let start = name.rfind('.').map_or(0, |dot| dot + 1);
    let top = name.get(start..).filter(|top| !top.is_empty())?;
    let place = start..name.len();
    if top.bytes().all(|byte| byte.is_ascii_digit()) {
        let reason = "the last label is a number, so the name reads as an IPv4 address";
        Some(entry.error_at(place, "numeric_top", reason))
    } else if top.eq_ignore_ascii_case("local") {
        let reason = "names under `local` are asked by multicast (RFC 6762), not of a nameserver";
        Some(entry.warning_at(place, "local_domain", reason))
    } else {
        None
    }
}
