//! Ports and protocols of a rule: parsed once, with the service's own words for errors.
//! Must not live here: hosts, rules, addresses.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::hujson::Origin;
use crate::policy::findings::words::quoted;

/// An inclusive range of ports. `0-65535` is what `*` means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PortRange {
    /// Lowest port.
    pub first: u16,
    /// Highest port, not below `first`.
    pub last: u16,
}

impl PortRange {
    /// Every port, zero included (docs/policy-language.md#ports-of-an-acl): what `*` means.
    pub const ALL: PortRange = PortRange {
        first: 0,
        last: u16::MAX,
    };

    /// The range of one port.
    pub const fn one(port: u16) -> PortRange {
        PortRange {
            first: port,
            last: port,
        }
    }

    /// Whether `port` lies inside.
    pub const fn contains(self, port: u16) -> bool {
        self.first <= port && port <= self.last
    }

    /// Whether all of `other` lies inside.
    pub const fn covers(self, other: PortRange) -> bool {
        self.first <= other.first && other.last <= self.last
    }

    /// Reads one number or `lo-hi`.
    fn parse(text: &str) -> Result<PortRange, PortError> {
        let range = match number(text) {
            Some(port) => Ok(PortRange::one(port)),
            None => PortRange::parse_ends(text),
        };
        match range {
            Ok(PortRange { first: 0, .. }) => Err(RangeFault::Zero),
            Ok(PortRange { first, last }) if first > last => Err(RangeFault::Reversed),
            range => range,
        }
        .map_err(|fault| PortError::Range(text.into(), fault))
    }

    fn parse_ends(text: &str) -> Result<PortRange, RangeFault> {
        let (first, last) = match text.split_once('-') {
            None => (text, text),
            Some((_, rest)) if rest.contains('-') => return Err(RangeFault::Dashes),
            Some(ends) => ends,
        };
        let first = number(first).ok_or(RangeFault::First)?;
        let last = number(last).ok_or(RangeFault::Last)?;
        Ok(PortRange { first, last })
    }
}

/// `*`, `n` or `a-b`, as the packet filters spell it.
impl fmt::Display for PortRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PortRange::ALL => f.write_str("*"),
            PortRange { first, last } if first == last => write!(f, "{first}"),
            PortRange { first, last } => write!(f, "{first}-{last}"),
        }
    }
}

/// Digits only: Rust's number syntax would accept a plus sign, the service does not.
fn number(text: &str) -> Option<u16> {
    let mut value: u32 = 0;
    for byte in text.bytes() {
        let digit = u32::from(byte.wrapping_sub(b'0'));
        value = value * 10 + digit;
        if digit > 9 || value > u32::from(u16::MAX) {
            return None;
        }
    }
    (!text.is_empty()).then_some(value as u16)
}

/// The ports of one destination, as a union of ranges in the order written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ports {
    /// The common case, without a list on the heap.
    One(PortRange),
    /// Two and more; shared, as many rules open the same.
    Many(Arc<[PortRange]>),
}

impl Ports {
    /// Reads `*`, a number, `lo-hi`, or a comma list of these.
    ///
    /// # Errors
    /// [`PortError`] for the first entry that is none of these.
    pub fn parse(text: &str) -> Result<Ports, PortError> {
        if let Some(ports) = Ports::simple(text) {
            return Ok(ports);
        }
        if !text.is_empty() && !text.bytes().any(|byte| byte == b',') {
            return PortRange::parse(text).map(Ports::One);
        }
        if text.split(',').any(str::is_empty) {
            return Err(PortError::List(text.into()));
        }
        let mut ranges = Vec::new();
        for entry in text.split(',') {
            ranges.push(match entry {
                "*" => PortRange::ALL,
                _ => PortRange::parse(entry)?,
            });
        }
        Ok(Ports::Many(ranges.into()))
    }

    /// `*`, or one port.
    pub(crate) fn simple(text: &str) -> Option<Ports> {
        match (text, number(text)) {
            ("*", _) => Some(Ports::One(PortRange::ALL)),
            (_, Some(port @ 1..)) => Some(Ports::One(PortRange::one(port))),
            _ => None,
        }
    }

    /// The ranges.
    pub fn ranges(&self) -> &[PortRange] {
        match self {
            Ports::One(range) => std::slice::from_ref(range),
            Ports::Many(ranges) => ranges,
        }
    }

    /// Whether one of the ranges holds `port`.
    pub fn contains(&self, port: u16) -> bool {
        self.ranges().iter().any(|range| range.contains(port))
    }

    /// Whether these are all ports, written `*`.
    pub fn is_all(&self) -> bool {
        self.ranges() == [PortRange::ALL]
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.ranges().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{range}")?;
        }
        Ok(())
    }
}

/// Why a port, or a host with ports, is malformed. Displays in the service's words (docs/policy-language.md#refusals).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PortError {
    /// A destination without a colon.
    Colon,
    /// A comma before the last colon.
    Comma,
    /// An empty list, or a list with an empty entry.
    List(Box<str>),
    /// One entry of the list.
    Range(Box<str>, RangeFault),
    /// An empty entry of a grant.
    Empty,
    /// An entry of a grant with nothing before the colon.
    NoProtocol,
    /// An entry of a grant with an unknown protocol before the ports.
    Protocol(ProtocolError),
}

/// What is wrong with one entry of a port list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeFault {
    /// The first number is malformed, or above 65535.
    First,
    /// The last number is malformed, or above 65535.
    Last,
    /// Port 0.
    Zero,
    /// The first is above the last.
    Reversed,
    /// More than one dash.
    Dashes,
}

impl PortError {
    /// The stable code: `unknown_protocol` or `invalid_port`.
    pub const fn code(&self) -> &'static str {
        match self {
            PortError::Protocol(_) | PortError::NoProtocol => ProtocolError::CODE,
            _ => "invalid_port",
        }
    }

    /// Where the words for it come from, where an entry of a grant has it.
    pub const fn origin(&self) -> Origin {
        match self {
            PortError::Range(_, RangeFault::First | RangeFault::Zero) => Origin::Recorded,
            _ => Origin::Documented,
        }
    }
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PortError::Colon => f.write_str("hostport must contain a colon (\":\")"),
            PortError::Comma => f.write_str("host cannot contain a comma (\",\")"),
            PortError::List(list) => write!(f, "invalid port list: {}", quoted(list)),
            PortError::Range(entry, fault) => write!(f, "port range {}: {fault}", quoted(entry)),
            PortError::Empty => f.write_str("empty string"),
            PortError::NoProtocol => f.write_str("empty protocol"),
            PortError::Protocol(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for RangeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RangeFault::First => "invalid first integer",
            RangeFault::Last => "invalid last integer",
            RangeFault::Zero => "first port must be >0, or use '*' for wildcard",
            RangeFault::Reversed => "first port must be >= last port",
            RangeFault::Dashes => "too many dashes(-)",
        })
    }
}

impl std::error::Error for PortError {}

/// An IP protocol number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Protocol(pub u8);

/// Names the service knows besides plain numbers (docs/policy-language.md#protocols); the first of a number is the one to show.
pub(crate) const NAMES: [(&str, u8); 17] = [
    ("icmp", 1),
    ("icmpv4", 1),
    ("igmp", 2),
    ("ipv4", 4),
    ("ip-in-ip", 4),
    ("tcp", 6),
    ("egp", 8),
    ("igp", 9),
    ("udp", 17),
    ("dccp", 33),
    ("gre", 47),
    ("esp", 50),
    ("ah", 51),
    ("ipv6-icmp", 58),
    ("icmpv6", 58),
    ("tsmp", 99),
    ("sctp", 132),
];

impl Protocol {
    /// ICMP for IPv4.
    pub const ICMP: Protocol = Protocol(1);
    /// TCP.
    pub const TCP: Protocol = Protocol(6);
    /// UDP.
    pub const UDP: Protocol = Protocol(17);
    /// ICMP for IPv6.
    pub const ICMPV6: Protocol = Protocol(58);
    /// SCTP.
    pub const SCTP: Protocol = Protocol(132);

    /// The protocols of a rule that names none (docs/policy-language.md#protocols).
    pub const DEFAULT: [Protocol; 4] = [
        Protocol::ICMP,
        Protocol::TCP,
        Protocol::UDP,
        Protocol::ICMPV6,
    ];

    /// Reads a name in any case or a number 1-255.
    ///
    /// # Errors
    /// [`ProtocolError`] for any other text.
    pub fn parse(text: &str) -> Result<Protocol, ProtocolError> {
        let named = || {
            let mut names = NAMES.iter();
            names.find(|(name, _)| name.eq_ignore_ascii_case(text))
        };
        match number(text) {
            Some(n @ 1..=255) => u8::try_from(n).ok().map(Protocol),
            Some(_) => None,
            None => named().map(|&(_, n)| Protocol(n)),
        }
        .ok_or_else(|| ProtocolError(text.into()))
    }

    /// Whether it is ICMP of either family, which a device answers to any source that may reach it (docs/policy-language.md#pings).
    pub const fn is_ping(self) -> bool {
        matches!(self, Protocol::ICMP | Protocol::ICMPV6)
    }

    /// Whether the protocol has ports at all: only TCP, UDP and SCTP do.
    pub const fn has_ports(self) -> bool {
        matches!(self, Protocol::TCP | Protocol::UDP | Protocol::SCTP)
    }
}

/// The name, or the number if there is none.
impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|&&(_, number)| number == self.0) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{}", self.0),
        }
    }
}

/// The text does not name a protocol; displays in the service's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProtocolError(pub Box<str>);

impl ProtocolError {
    /// The stable code.
    pub const CODE: &'static str = "unknown_protocol";
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = quoted(&self.0);
        write!(f, "proto name {name} not known; use protocol number 0-255")
    }
}

impl std::error::Error for ProtocolError {}

/// One `ip` entry of a grant: ports, of one protocol or of the default four.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PortSpec {
    /// The protocol named; `None` means [`Protocol::DEFAULT`].
    pub protocol: Option<Protocol>,
    /// The ports.
    pub ports: Ports,
}

impl PortSpec {
    /// Reads `*`, `ports` or `proto:ports` with one port or range, no blanks anywhere, as the client's parser does
    /// (docs/policy-language.md#ports-of-a-grant). A bare number is a port, a bare protocol name is an error.
    ///
    /// # Errors
    /// [`PortError`] with the service's words: the host part first, then the ports, then the protocol, in lower case.
    pub fn parse(text: &str) -> Result<PortSpec, PortError> {
        if text.is_empty() {
            return Err(PortError::Empty);
        }
        let lower = match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
        let (protocol, ports) = lower.rsplit_once(':').unwrap_or(("*", &lower));
        if protocol.bytes().any(|byte| byte == b',') {
            return Err(PortError::Comma);
        }
        let ports = match ports {
            "*" => PortRange::ALL,
            "" => return Err(PortError::List(ports.into())),
            _ => PortRange::parse(ports)?,
        };
        let protocol = match protocol {
            "" => return Err(PortError::NoProtocol),
            "*" => None,
            name => Some(Protocol::parse(name).map_err(PortError::Protocol)?),
        };
        let ports = Ports::One(ports);
        Ok(PortSpec { protocol, ports })
    }
}
