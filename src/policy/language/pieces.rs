//! The parts of a string of a policy: its names, ports and operators, each with its bytes in the text.
//! Must not live here: the position of the string in the document (`places`), whether it is valid there.

use crate::hujson::{Span, Value};

use super::content::{NameKind, StringRole};
use super::selector::{Kind, bare, split_ports, trimmed};

/// A part of a string, or all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<'d> {
    /// What it is.
    pub kind: PieceKind,
    /// What it says.
    pub text: &'d str,
    /// Its bytes in the text.
    pub span: Span,
}

/// What a part of a string is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// A name that is defined somewhere.
    Name(NameKind),
    /// A login, or all of a domain.
    User,
    /// `autogroup:name`.
    Autogroup,
    /// `*`.
    Any,
    /// An address, a prefix or a range.
    Address,
    /// Ports.
    Port,
    /// A protocol.
    Protocol,
    /// A capability.
    Capability,
    /// An attribute of devices.
    Attribute,
    /// `add`, `==`, `IS SET` …
    Operator,
    /// Anything else.
    Text,
}

/// The parts of a string in this role, in order.
pub fn pieces<'d>(value: Value<'d>, role: StringRole) -> Vec<Piece<'d>> {
    let mut found = Vec::new();
    each_piece(value, role, &mut |piece| found.push(piece));
    found
}

/// Passes on the parts of a string in this role, in order.
pub fn each_piece<'d>(value: Value<'d>, role: StringRole, take: &mut dyn FnMut(Piece<'d>)) {
    let text = value.as_str().unwrap_or_default();
    Cut { value, text, take }.string(role, trimmed(text));
}

/// A string being taken apart; what is added is always a part of its text.
struct Cut<'c, 'd> {
    value: Value<'d>,
    text: &'d str,
    take: &'c mut dyn FnMut(Piece<'d>),
}

impl<'d> Cut<'_, 'd> {
    fn add(&mut self, kind: PieceKind, part: &'d str) {
        if part.is_empty() {
            return;
        }
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let span = Span {
            start: self.value.byte_of(start),
            end: self.value.byte_of(start + part.len()),
        };
        (self.take)(Piece {
            kind,
            text: part,
            span,
        });
    }

    fn string(&mut self, role: StringRole, text: &'d str) {
        let kind = match role {
            StringRole::Source
            | StringRole::Destination
            | StringRole::SshSource
            | StringRole::SshDestination
            | StringRole::TestSource
            | StringRole::SshTestSource
            | StringRole::SshTestDestination
            | StringRole::Target => return self.selector(text, true),
            StringRole::Member
            | StringRole::Owner
            | StringRole::Approver
            | StringRole::Via
            | StringRole::Recorder
            | StringRole::Connector => return self.selector(text, false),
            StringRole::DestinationPorts | StringRole::TestDestination => {
                return self.destination(text);
            }
            StringRole::Operation => return self.operation(text),
            StringRole::Condition => return self.condition(text),
            StringRole::Ip => return self.ip(text),
            StringRole::Definition(kind) => PieceKind::Name(kind),
            StringRole::Posture => PieceKind::Name(NameKind::Posture),
            StringRole::Service => PieceKind::Name(NameKind::Service),
            StringRole::HostAddress | StringRole::Route | StringRole::Pool
                if Kind::of(text).is_numeric() =>
            {
                PieceKind::Address
            }
            StringRole::Protocol | StringRole::TestProtocol => PieceKind::Protocol,
            StringRole::Capability => PieceKind::Capability,
            StringRole::Attribute | StringRole::NodeAttribute => PieceKind::Attribute,
            StringRole::SshUser if text.starts_with("autogroup:") => PieceKind::Autogroup,
            _ => PieceKind::Text,
        };
        self.add(kind, text);
    }

    /// A selector; where aliases are not allowed, a plain word is none.
    fn selector(&mut self, text: &'d str, aliases: bool) {
        let kind = match Kind::of(text) {
            Kind::Any => PieceKind::Any,
            Kind::Address | Kind::Prefix | Kind::Range => PieceKind::Address,
            Kind::Group => PieceKind::Name(NameKind::Group),
            Kind::Tag => PieceKind::Name(NameKind::Tag),
            Kind::IpSet => PieceKind::Name(NameKind::IpSet),
            Kind::Service => PieceKind::Name(NameKind::Service),
            Kind::Autogroup(_) => PieceKind::Autogroup,
            Kind::Domain | Kind::User => PieceKind::User,
            Kind::Host if aliases => PieceKind::Name(NameKind::Host),
            Kind::Host => PieceKind::Text,
        };
        self.add(kind, text);
    }

    fn destination(&mut self, text: &'d str) {
        let (host, ports) = host_and_ports(text);
        self.selector(bare(host), true);
        self.add(PieceKind::Port, ports.unwrap_or_default());
    }

    fn operation(&mut self, text: &'d str) {
        let (operator, operand) = match text.split_once(char::is_whitespace) {
            Some((word @ ("add" | "remove"), operand)) => (word, operand.trim()),
            _ => ("", text),
        };
        self.add(PieceKind::Operator, operator);
        self.selector(operand.strip_prefix("host:").unwrap_or(operand), true);
    }

    /// `attr op value`, as far as it goes.
    fn condition(&mut self, text: &'d str) {
        let end = text.find(|c: char| c.is_whitespace() || matches!(c, '=' | '!' | '<' | '>'));
        let (attribute, rest) = text.split_at(end.unwrap_or(text.len()));
        self.add(PieceKind::Attribute, attribute);
        let rest = rest.trim_start();
        const WORDS: [&str; 4] = ["IS SET", "NOT SET", "NOT IN", "IN"];
        let word = WORDS.into_iter().find(|word| rest.starts_with(word));
        let signs = rest.len() - rest.trim_start_matches(['=', '!', '<', '>']).len();
        let (operator, value) = rest.split_at(word.map_or(signs, str::len));
        self.add(PieceKind::Operator, operator);
        self.add(PieceKind::Text, value.trim_start());
    }

    fn ip(&mut self, text: &'d str) {
        let (protocol, ports) = text.rsplit_once(':').unwrap_or(("", text));
        self.add(PieceKind::Protocol, protocol);
        self.add(PieceKind::Port, ports);
    }
}

/// The text before the last colon, and the ports after it; no ports if the colon belongs to the selector, as in
/// `tag:db`.
pub fn host_and_ports(text: &str) -> (&str, Option<&str>) {
    const PREFIXES: [&str; 7] = ["tag", "group", "autogroup", "ipset", "svc", "user", "host"];
    if Kind::of(bare(text)).is_numeric() {
        return (text, None);
    }
    let of_ports = |byte| matches!(byte, b'0'..=b'9' | b',' | b'-' | b'*');
    match split_ports(text) {
        (host, Some(ports)) if PREFIXES.contains(&host) && !ports.bytes().all(of_ports) => {
            (text, None)
        }
        parts => parts,
    }
}
