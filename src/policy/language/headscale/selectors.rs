//! The kinds of selectors of Headscale: what contains an `@` is a user, what has no colon a host.
//! Must not live here: whom they mean, where each may stand.

use crate::cidr::{Address, Prefix};
use crate::policy::findings::words::filled;
use crate::policy::language::selector::{Autogroup, Kind};
use crate::tables::find::{has, replace, split_once};

/// The kind of a selector; none for a text that is no selector.
pub(crate) fn kind_of(text: &str) -> Option<Kind> {
    if let Some(kind) = numeric(text) {
        return Some(kind);
    }
    if text == "*" {
        return Some(Kind::Any);
    }
    if has(text, b'@') {
        return Some(Kind::User);
    }
    if text.starts_with("group:") {
        return Some(Kind::Group);
    }
    if text.starts_with("tag:") {
        return Some(Kind::Tag);
    }
    if let Some(name) = text.strip_prefix("autogroup:") {
        return Some(Kind::Autogroup(autogroup(name)));
    }
    (!has(text, b':')).then_some(Kind::Host)
}

fn numeric(text: &str) -> Option<Kind> {
    if has(text, b'/') {
        return prefix(text).map(|_| Kind::Prefix);
    }
    let address = without_zone(text);
    Address::parse(address).is_ok().then_some(Kind::Address)
}

/// A prefix; what is left of `[2000::]/3` in a destination is one too.
pub(crate) fn prefix(text: &str) -> Option<Prefix> {
    let read = |text: &str| Prefix::parse(text).ok();
    read(text).or_else(|| read(&replace(text, "]/", "/")))
}

/// The address without its zone, which only IPv6 has and nothing looks at.
pub(crate) fn without_zone(text: &str) -> &str {
    match split_once(text, "%") {
        Some((address, zone)) if has(address, b':') && !zone.is_empty() => address,
        _ => text,
    }
}

fn autogroup(name: &str) -> Autogroup {
    match name {
        "member" => Autogroup::Member,
        "tagged" => Autogroup::Tagged,
        "self" => Autogroup::Own,
        "internet" => Autogroup::Internet,
        "danger-all" => Autogroup::DangerAll,
        "nonroot" => Autogroup::NonRoot,
        _ => Autogroup::Unknown,
    }
}

/// Whether the name of a tag begins with a letter.
pub(crate) fn is_tag(tag: &str) -> bool {
    let name = tag.strip_prefix("tag:").unwrap_or_default();
    name.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// The whole refusal for a tag that is none; the decoder tells which by what it last read.
pub(crate) fn no_tag(last: &str) -> String {
    let words = "tagOwners[%q]: tag names must start with a letter, after 'tag:'";
    filled(words, &[last])
}

/// The words for what is no selector.
pub(crate) fn no_alias(text: &str) -> String {
    filled("invalid alias format: %q", &[text])
}

/// Why the host of a destination is none, if it is none.
pub(crate) fn host_fault(host: &str) -> Option<String> {
    const UNKNOWN: &str = "invalid autogroup: got %q, must be one of [autogroup:internet autogroup:member autogroup:nonroot \
                           autogroup:tagged autogroup:self autogroup:danger-all]";
    match kind_of(host) {
        None => Some(no_alias(host)),
        Some(Kind::Autogroup(Autogroup::Unknown)) => Some(filled(UNKNOWN, &[host])),
        _ => None,
    }
}
