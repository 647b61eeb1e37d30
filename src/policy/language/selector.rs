//! Selectors: the strings that name who may reach what, classified once (docs/policy-language.md#selectors).
//! Must not live here: what they resolve to, where each of them is allowed.

use std::num::NonZeroU32;

use crate::cidr::{Address, Prefix, Range};
use crate::hujson::Span;

use super::ports::{PortError, Ports};
use crate::tables::texts::Texts;

/// One selector of the document, borrowed from its text unless it has escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selector<'t> {
    text: &'t str,
    /// What the text is.
    pub kind: Kind,
    /// The string in the document, quotes included.
    pub span: Span,
    /// The number of its name among the names of the document, if it has one: equal names have equal numbers.
    pub(crate) number: Option<NonZeroU32>,
}

/// The kinds of selectors, in the order in which the service tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `*`.
    Any,
    /// One address.
    Address,
    /// A prefix.
    Prefix,
    /// `a-b`, first and last included, of one family.
    Range,
    /// `group:name`.
    Group,
    /// `tag:name`.
    Tag,
    /// `autogroup:name`.
    Autogroup(Autogroup),
    /// `ipset:name`.
    IpSet,
    /// `svc:name`.
    Service,
    /// `user:*@domain`.
    Domain,
    /// A login name.
    User,
    /// Everything else: an alias of the hosts section.
    Host,
}

/// The autogroups of docs/policy-language.md#selectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Autogroup {
    /// Every untagged device; also spelled `members`.
    Member,
    /// Every tagged device.
    Tagged,
    /// The devices of the asking user.
    Own,
    /// The public internet, through an exit node.
    Internet,
    /// Every address.
    DangerAll,
    /// Users of other tailnets with whom a device is shared.
    Shared,
    /// Devices of users with a role.
    Role(Role),
    /// In `users` of ssh rules: any account but root.
    NonRoot,
    /// A name that the service does not know.
    Unknown,
}

/// Roles that have an autogroup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// `owner`.
    Owner,
    /// `admin`.
    Admin,
    /// `it-admin`.
    ItAdmin,
    /// `network-admin`.
    NetworkAdmin,
    /// `billing-admin`.
    BillingAdmin,
    /// `auditor`.
    Auditor,
}

impl Role {
    /// Whether whoever holds it counts as a holder of another: the owner is an admin too (docs/policy-language.md#selectors).
    pub fn counts_as(self, other: Role) -> bool {
        self == other || (self, other) == (Role::Owner, Role::Admin)
    }

    /// Reads a role as it is spelled in a context and in autogroups.
    pub fn parse(name: &str) -> Option<Role> {
        Some(match name {
            "owner" => Role::Owner,
            "admin" => Role::Admin,
            "it-admin" => Role::ItAdmin,
            "network-admin" => Role::NetworkAdmin,
            "billing-admin" => Role::BillingAdmin,
            "auditor" => Role::Auditor,
            _ => return None,
        })
    }
}

impl Autogroup {
    /// Names that a writer may have meant, for hints.
    pub const NAMES: [&'static str; 12] = [
        "autogroup:member",
        "autogroup:tagged",
        "autogroup:self",
        "autogroup:internet",
        "autogroup:danger-all",
        "autogroup:shared",
        "autogroup:owner",
        "autogroup:admin",
        "autogroup:it-admin",
        "autogroup:network-admin",
        "autogroup:billing-admin",
        "autogroup:auditor",
    ];

    /// Those of them that Headscale knows.
    pub const OF_HEADSCALE: [&'static str; 5] = [
        "autogroup:member",
        "autogroup:tagged",
        "autogroup:self",
        "autogroup:internet",
        "autogroup:danger-all",
    ];

    fn parse(name: &str) -> Autogroup {
        match name {
            "member" | "members" => Autogroup::Member,
            "tagged" => Autogroup::Tagged,
            "self" => Autogroup::Own,
            "internet" => Autogroup::Internet,
            "danger-all" => Autogroup::DangerAll,
            "shared" => Autogroup::Shared,
            "nonroot" => Autogroup::NonRoot,
            role => Role::parse(role).map_or(Autogroup::Unknown, Autogroup::Role),
        }
    }
}

impl Kind {
    /// Classifies a selector without blanks around it.
    pub fn of(text: &str) -> Kind {
        // By the first byte, since large documents hold tens of thousands of these.
        let named = match text.as_bytes().first() {
            Some(b'*') if text.len() == 1 => Some(Kind::Any),
            Some(b'g') if text.starts_with("group:") => Some(Kind::Group),
            Some(b't') if text.starts_with("tag:") => Some(Kind::Tag),
            Some(b'a') => {
                let name = text.strip_prefix("autogroup:");
                name.map(|name| Kind::Autogroup(Autogroup::parse(name)))
            }
            Some(b'i') if text.starts_with("ipset:") => Some(Kind::IpSet),
            Some(b's') if text.starts_with("svc:") => Some(Kind::Service),
            _ => None,
        };
        if let Some(kind) = named {
            return kind;
        }
        if text.bytes().any(|byte| byte == b'@') {
            return match text.starts_with("user:") {
                true => Kind::Domain,
                false => Kind::User,
            };
        }
        Kind::numeric(text).unwrap_or(Kind::Host)
    }

    /// An address, prefix or range.
    fn numeric(text: &str) -> Option<Kind> {
        // Most aliases are recognized here, before a parser has to say why they are not addresses.
        let first = *text.as_bytes().first()?;
        let may_be = first.is_ascii_hexdigit() || first == b':';
        if !may_be || !text.bytes().any(|byte| matches!(byte, b'.' | b':')) {
            return None;
        }
        if text.bytes().any(|byte| byte == b'/') {
            return Prefix::parse(text).is_ok().then_some(Kind::Prefix);
        }
        if Address::parse(text).is_ok() {
            return Some(Kind::Address);
        }
        let is_range = text.contains('-') && Range::parse(text).is_ok();
        is_range.then_some(Kind::Range)
    }

    /// Whether the kind means addresses that the document itself contains.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Kind::Address | Kind::Prefix | Kind::Range)
    }
}

impl<'t> Selector<'t> {
    /// Classifies one string of the document.
    pub fn new(text: &'t str, span: Span) -> Selector<'t> {
        let kind = Kind::of(trimmed(text));
        Selector {
            text,
            kind,
            span,
            number: None,
        }
    }

    /// The text as written.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The text without the blanks around it, which the service ignores.
    pub fn name(&self) -> &'t str {
        trimmed(self.text)
    }

    /// The addresses of an address, a prefix or a range.
    pub fn range(&self) -> Option<Range> {
        match self.kind {
            Kind::Address => Address::parse(self.name()).ok().map(Range::from),
            Kind::Prefix => {
                let prefix = Prefix::parse(self.name()).ok();
                prefix.or_else(|| self.bracketed()).map(Range::from)
            }
            Kind::Range => Range::parse(self.name()).ok(),
            _ => None,
        }
    }

    /// The prefix of `[2000::]/3`, which one dialect has in destinations.
    #[cold]
    fn bracketed(&self) -> Option<Prefix> {
        let (address, bits) = self.name().split_once(']')?;
        let prefix = bits.starts_with('/').then(|| [address, bits].concat());
        Prefix::parse(&prefix?).ok()
    }

    /// The domain of a `user:*@domain`, if it is valid with `*` as the name.
    pub fn domain(&self) -> Option<&str> {
        match self.kind {
            Kind::Domain => self.name().strip_prefix("user:*@"),
            _ => None,
        }
    }
}

/// Makes the selectors and destinations of one document, and classifies each distinct text once.
#[derive(Debug)]
pub(crate) struct Selectors<'t> {
    texts: Texts<'t>,
    /// The class of each text, and whether it has a comma, which no host of a destination may have.
    kinds: Vec<(Kind, bool)>,
    port_texts: Texts<'t>,
    ports: Vec<Result<Ports, PortError>>,
}

impl<'t> Selectors<'t> {
    /// Those of this text.
    pub fn of(whole: &'t str) -> Selectors<'t> {
        Selectors {
            texts: Texts::of(whole),
            kinds: Vec::new(),
            port_texts: Texts::of(whole),
            ports: Vec::new(),
        }
    }

    /// As [`Selector::new`], with a number.
    pub fn selector(&mut self, text: &'t str, span: Span) -> Selector<'t> {
        self.classified(text, span).0
    }

    /// A selector whose kind its reader knows: the same for each of its texts.
    pub fn of_kind(&mut self, text: &'t str, span: Span, kind: Kind) -> Selector<'t> {
        let at = self.texts.number(trimmed(text));
        let number = u32::try_from(at + 1).ok().and_then(NonZeroU32::new);
        Selector {
            text,
            kind,
            span,
            number,
        }
    }

    /// As [`Destination::new`], with a number for its host.
    pub fn destination(&mut self, text: &'t str, span: Span) -> Destination<'t> {
        let (host, ports) = split_ports(text);
        let (host, has_comma) = self.classified(bare(host), span);
        let ports = match ports {
            None => Err(PortError::Colon),
            Some(_) if has_comma => Err(PortError::Comma),
            Some(ports) => self.ports(ports),
        };
        Destination { text, host, ports }
    }

    #[inline(never)]
    fn classified(&mut self, text: &'t str, span: Span) -> (Selector<'t>, bool) {
        let name = trimmed(text);
        let at = self.texts.number(name);
        let (kind, has_comma) = self.kinds.get(at).copied().unwrap_or_else(|| {
            let found = (Kind::of(name), has_comma(name));
            self.kinds.push(found);
            found
        });
        let selector = Selector {
            text,
            kind,
            span,
            number: u32::try_from(at + 1).ok().and_then(NonZeroU32::new),
        };
        (selector, has_comma)
    }

    /// A single port is read faster than it is looked up.
    fn ports(&mut self, text: &'t str) -> Result<Ports, PortError> {
        if let Some(ports) = Ports::simple(text) {
            return Ok(ports);
        }
        let at = self.port_texts.number(text);
        if let Some(known) = self.ports.get(at) {
            return known.clone();
        }
        let ports = Ports::parse(text);
        self.ports.push(ports.clone());
        ports
    }
}

/// A number for each selector, by the numbers of their texts.
#[derive(Debug, Default)]
pub(crate) struct Numbered(Vec<u32>);

impl Numbered {
    /// The stored number; none for a selector that is not in the document.
    #[inline(always)]
    pub fn get(&self, selector: &Selector<'_>) -> Option<usize> {
        let at = selector.number?.get() as usize;
        let known = self.0.get(at)?.checked_sub(1)?;
        Some(known as usize)
    }

    /// Keeps a number in the place of that which was kept.
    pub fn set(&mut self, selector: &Selector<'_>, number: usize) {
        let Some(at) = selector.number.map(|number| number.get() as usize) else {
            return;
        };
        if at >= self.0.len() {
            self.0.resize(at.max(31) * 2, 0);
        }
        if let (Some(known), Ok(number)) = (self.0.get_mut(at), u32::try_from(number)) {
            *known = number + 1;
        }
    }
}

/// Facts about selectors, as bits.
#[derive(Debug, Default)]
pub(crate) struct Memo(Numbered);

impl Memo {
    /// The stored bits; zero if there are none.
    #[inline(always)]
    pub fn get(&self, selector: &Selector<'_>) -> usize {
        self.0.get(selector).unwrap_or_default()
    }

    /// Adds these bits to the stored ones.
    pub fn add(&mut self, selector: &Selector<'_>, bits: usize) {
        let known = self.get(selector);
        self.0.set(selector, known | bits);
    }
}

/// Whether all of a few selectors of a document have names of their own.
pub(crate) fn are_distinct<'s>(
    mut selectors: impl Iterator<Item = &'s Selector<'s>> + Clone,
) -> bool {
    while let Some(selector) = selectors.next() {
        let number = selector.number;
        if number.is_none() || selectors.clone().any(|other| other.number == number) {
            return false;
        }
    }
    true
}

/// `host:ports` of an acl rule or a test, split at the last colon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination<'t> {
    text: &'t str,
    /// The part before the ports, without the brackets of an IPv6 address.
    pub host: Selector<'t>,
    /// The ports, or why they are malformed.
    pub ports: Result<Ports, PortError>,
}

impl<'t> Destination<'t> {
    /// Splits one string of the document.
    pub fn new(text: &'t str, span: Span) -> Destination<'t> {
        Selectors::of(text).destination(text, span)
    }

    /// One whose parts its reader knows.
    pub(crate) fn known(
        text: &'t str,
        host: Selector<'t>,
        ports: Result<Ports, PortError>,
    ) -> Destination<'t> {
        Destination { text, host, ports }
    }

    /// The whole text as written.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The string in the document, quotes included.
    pub fn span(&self) -> Span {
        self.host.span
    }

    /// The port, if there is exactly one, written as a number; unlike in a rule it may be 0, as in a test of ICMP.
    pub fn single_port(&self) -> Option<u16> {
        let port = split_ports(self.text).1?;
        let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| port.parse().ok()).flatten()
    }
}

/// A host without the brackets of an IPv6 address or prefix.
pub(super) fn bare(host: &str) -> &str {
    let inside = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match inside {
        Some(inside) if inside.contains(':') && Kind::of(inside).is_numeric() => inside,
        _ => host,
    }
}

fn has_comma(text: &str) -> bool {
    text.bytes().any(|byte| byte == b',')
}

/// The text before and after the last colon, without blanks around the whole.
pub(super) fn split_ports(text: &str) -> (&str, Option<&str>) {
    let text = trimmed(text);
    let colon = last_colon(text.as_bytes());
    let parts = colon.and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?)));
    parts.map_or((text, None), |(host, ports)| (host, Some(ports)))
}

/// The position of the last colon. Ports are short: the last eight bytes nearly always contain it, and are read at once.
fn last_colon(bytes: &[u8]) -> Option<usize> {
    const EACH: u64 = u64::MAX / 0xFF;
    const LOW: u64 = EACH * 0x7F;
    if let Some(tail) = bytes.last_chunk() {
        let word = u64::from_le_bytes(*tail) ^ (EACH * u64::from(b':'));
        // The top bit of each byte that is zero now, exactly.
        let colons = !(((word & LOW) + LOW) | word | LOW);
        if colons != 0 {
            return Some(bytes.len() - 1 - colons.leading_zeros() as usize / 8);
        }
    }
    bytes.iter().rposition(|byte| *byte == b':')
}

/// The text without blanks around it. Nearly all have none, as two bytes show.
pub(crate) fn trimmed(text: &str) -> &str {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(b'!'..=b'~'), Some(b'!'..=b'~')) => text,
        _ => text.trim(),
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_the_last_colon(text in "[:;9\u{ba}a]{0,24}") {
            prop_assert_eq!(super::last_colon(text.as_bytes()), text.rfind(':'));
        }
    }
}
