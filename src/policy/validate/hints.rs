//! What to write in place of a name or destination that the service does not understand: one hint for each common
//! mistake.
//! Must not live here: whether it is a mistake; ports of grants, which are read before (`language::port_hints`).

use crate::cidr::{self, Address, Prefix};

use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::joined;
use crate::policy::language::document::Policy;
use crate::policy::language::port_hints;
use crate::policy::language::ports::PortError;
use crate::policy::language::selector::{Autogroup, Kind};

/// Prefixes of selectors, which are not hosts.
const PREFIXES: [&str; 6] = ["tag", "group", "autogroup", "ipset", "svc", "user"];

/// How to write an acl destination with malformed ports.
pub(super) fn destination(text: &str, error: &PortError) -> Option<Hint> {
    if let Some(hint) = add_ports(text) {
        return Some(hint);
    }
    let (host, list) = text.rsplit_once(':')?;
    if *error == PortError::Comma {
        return Some(Hint::words(
            "one entry names one host: write an entry for each",
        ));
    }
    let entries = match port_hints::entries(list)? {
        Ok(entries) => entries.join(","),
        Err(known) => return Some(known),
    };
    let before = match list.bytes().any(|byte| byte.is_ascii_whitespace()) {
        true => "no blanks may stand in ports: write ",
        false => "write ",
    };
    Some(Hint::write(&[before, &joined(&[host, ":", &entries])]))
}

/// That a destination needs ports, if it has none.
pub(super) fn add_ports(text: &str) -> Option<Hint> {
    let whole = without_ports(text)?;
    Some(Hint::write(&[
        "add the ports: write ",
        &joined(&[&whole, ":*"]),
    ]))
}

/// A destination without ports: a whole selector, or an IPv6 address, which contains the last colon.
fn without_ports(text: &str) -> Option<String> {
    let text = text.trim();
    let inside = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let host = inside.unwrap_or(text);
    let kind = Kind::of(host);
    if kind.is_numeric() && host.contains(':') {
        let brackets = if kind == Kind::Address {
            ["[", "]"]
        } else {
            ["", ""]
        };
        return Some(joined(&[brackets[0], host, brackets[1]]));
    }
    let is_whole = match text.rsplit_once(':') {
        None => !text.is_empty(),
        Some((before, _)) => {
            PREFIXES.contains(&before) && kind != Kind::Autogroup(Autogroup::Unknown)
        }
    };
    is_whole.then(|| text.to_owned())
}

/// Why an address or prefix is malformed, if a text seems to be meant as one: which part, and the rule for it.
pub(super) fn address(text: &str) -> Option<Hint> {
    let of_address = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':' | b'/');
    let is_meant = text.bytes().all(of_address)
        && text.bytes().any(|byte| matches!(byte, b'.' | b':' | b'/'))
        && text.bytes().any(|byte| byte.is_ascii_digit());
    if !is_meant {
        return None;
    }
    let error = match text.contains('/') {
        true => Prefix::parse(text).err()?,
        false => Address::parse(text).err()?,
    };
    let reason = match part(text, &error) {
        Some(part) => Hint::words(&joined(&["`", part, "`: ", error.reason()])),
        None => Hint::words(&joined(&[error.reason()])),
    };
    Some(match error.suggestion() {
        Some(suggestion) => reason.and(Hint::write(&["; write ", suggestion])),
        None => reason,
    })
}

/// The part of an address that is at fault, if one can be named.
fn part<'t>(text: &'t str, error: &cidr::Error) -> Option<&'t str> {
    let (address, _) = text.split_once('/').unwrap_or((text, ""));
    if error.code() == "bad_prefix_length" {
        return text.get(address.len()..).filter(|length| length.len() > 1);
    }
    let above = |octet: &&str| octet.parse::<u32>().is_ok_and(|octet| octet > 255);
    let is_v4 = !address.contains(':');
    address.split('.').find(above).filter(|_| is_v4)
}

/// How to write a name that lacks its prefix, if the document defines such a group or tag, with the prefix or without it.
pub(super) fn with_prefix(policy: &Policy<'_>, name: &str) -> Option<Hint> {
    let group = joined(&["group:", name]);
    if policy.groups.contains(&group) || policy.groups.contains(name) {
        return Some(Hint::meant(&group));
    }
    with_tag(policy, name)
}

/// The same where only a tag may stand.
pub(super) fn with_tag(policy: &Policy<'_>, name: &str) -> Option<Hint> {
    let tag = joined(&["tag:", name]);
    let is_known = policy.tag_owners.contains(&tag) || policy.tag_owners.contains(name);
    is_known.then(|| Hint::meant(&tag))
}

/// How to declare a tag.
pub(super) fn declare(tag: &str) -> Hint {
    let member = joined(&["\"", tag, "\": []"]);
    Hint::write(&["declare it in tagOwners: ", &member])
}

/// What may stand in place of a name that cannot be an alias, or that is meant as a domain name.
pub(super) fn no_alias(name: &str) -> Option<Hint> {
    let fits = |byte: u8| {
        byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b'_' | b'.')
    };
    const KINDS: &str =
        "name a user, a group, a tag, an address or an alias, which is a plain word";
    if name.is_empty() || !name.bytes().all(fits) {
        return Some(Hint::words(KINDS));
    }
    const DOMAINS: &str = "policies know no domain names: define it in hosts, with its address";
    name.contains('.').then(|| Hint::words(DOMAINS))
}

/// What to write in place of a name with ports where ports are not allowed.
pub(super) fn without_port(name: &str, kind: Kind) -> Option<Hint> {
    let (host, ports) = name.rsplit_once(':')?;
    let of_ports = |byte| matches!(byte, b'0'..=b'9' | b',' | b'-' | b'*');
    if ports.is_empty() || !ports.bytes().all(of_ports) {
        return None;
    }
    let meant = Kind::of(host);
    let meant = meant == kind || kind == Kind::Host && matches!(meant, Kind::Any | Kind::Address);
    const WHERE: &str = ": only the dst of an acl has ports, a grant has them in ";
    meant.then(|| Hint::write(&["write ", host, WHERE, "ip"]))
}
