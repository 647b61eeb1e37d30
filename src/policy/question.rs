//! Questions: whom a preview is about, and who sends what where to.
//! Must not live here: what the names in a question mean (`resolve`), the answers (`preview`, `explain`).

use std::str::FromStr;

use crate::cidr::Address;
use crate::hujson::{self, Kind as ValueKind};

use super::findings::words::joined;
use super::language::port_hints::service;
use super::language::ports::Protocol;
use super::language::selector::{Destination, Kind, trimmed};
use super::resolve::{NOWHERE, Names, Resolved, argument, ip};
use super::verdict::Error;

/// Somebody or something that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A plain name: the first of the following that it fits, in their order.
    Plain(String),
    /// A login name.
    User(String),
    /// `tag:name`; the prefix may be left out.
    Tag(String),
    /// `group:name`; the prefix may be left out.
    Group(String),
    /// `autogroup:name`; the prefix may be left out.
    Autogroup(String),
    /// An alias of the hosts section, or an address, prefix or range.
    Host(String),
    /// A device: its name, the first label of it, its host name, id or node id.
    Device(String),
    /// An address.
    Ip(String),
}

impl FromStr for Subject {
    type Err = Error;

    /// Takes a plain name; only a policy and a context tell what it names.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name.
    fn from_str(text: &str) -> Result<Subject, Error> {
        match trimmed(text) {
            "" => Err(argument(text, "a name")),
            _ => Ok(Subject::Plain(text.to_owned())),
        }
    }
}

impl Subject {
    /// The name as it was asked.
    pub fn text(&self) -> &str {
        match self {
            Subject::Plain(name)
            | Subject::User(name)
            | Subject::Tag(name)
            | Subject::Group(name)
            | Subject::Autogroup(name)
            | Subject::Host(name)
            | Subject::Device(name)
            | Subject::Ip(name) => name,
        }
    }

    /// The name as a rule writes it: with its prefix, without blanks around it.
    pub(crate) fn name(&self) -> String {
        let name = trimmed(self.text());
        match self {
            Subject::Tag(_) => prefixed("tag:", name),
            Subject::Group(_) => prefixed("group:", name),
            Subject::Autogroup(_) => prefixed("autogroup:", name),
            _ => name.to_owned(),
        }
    }

    /// What the name means.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name, an address that is not valid, and a device that does not exist, is not known,
    /// or whose name is not unique.
    #[inline(never)]
    pub(crate) fn resolve(&self, names: &Names<'_>) -> Result<Resolved, Error> {
        let name = trimmed(self.text());
        if name.is_empty() {
            return Err(argument(self.text(), "a name"));
        }
        match self {
            Subject::Plain(_) => names.plain(name),
            Subject::User(_) => Ok(names.user(name)),
            Subject::Tag(_) | Subject::Group(_) | Subject::Autogroup(_) => {
                Ok(names.defined(self.name()))
            }
            Subject::Host(_) => names.host(name),
            Subject::Device(_) => names.device(name),
            Subject::Ip(_) => ip(name),
        }
    }
}

/// What a preview is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// For a user, rules with the user among their sources; for anything else, also among their destinations.
    Of(Subject),
    /// Rules with this address and port among their destinations.
    IpPort {
        /// The address.
        address: Address,
        /// The port.
        port: u16,
        /// The question as it was asked.
        text: String,
    },
}

impl FromStr for Query {
    type Err = Error;

    /// Reads an address with a port like [`Query::ip_port`], everything else as a plain name. A text that is an address by
    /// itself has no port: in `fd7a::1:80` only brackets, `[fd7a::1]:80`, make a port.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name, or an address that is followed by a colon but not by one port.
    fn from_str(text: &str) -> Result<Query, Error> {
        let subject = text.parse()?;
        if Kind::of(trimmed(text)).is_numeric() {
            return Ok(Query::Of(subject));
        }
        if let Some(query) = Query::ip_port(text) {
            return Ok(query);
        }
        let to = Destination::new(text, NOWHERE);
        match to.host.kind {
            Kind::Address => Err(no_port(&to)),
            _ => Ok(Query::Of(subject)),
        }
    }
}

impl Query {
    /// Reads `IP:PORT`, an IPv6 address in brackets or not. `None` for anything else.
    pub fn ip_port(text: &str) -> Option<Query> {
        let (host, port) = text.trim().rsplit_once(':')?;
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
        let address = Address::parse(bare.unwrap_or(host)).ok()?;
        let digits = port.bytes().all(|b| b.is_ascii_digit());
        let port = digits.then(|| port.parse().ok()).flatten()?;
        let text = text.to_owned();
        Some(Query::IpPort {
            address,
            port,
            text,
        })
    }

    /// The question as it was asked.
    pub fn text(&self) -> &str {
        match self {
            Query::Of(subject) => subject.text(),
            Query::IpPort { text, .. } => text,
        }
    }
}

/// A flow in question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    /// Who sends.
    pub from: Subject,
    /// The destination.
    pub to: Subject,
    /// Its port; 0 for a ping, which has none.
    pub port: u16,
    /// The protocol; TCP by default.
    pub protocol: Protocol,
    /// The account of a login by ssh: then the port is 22.
    pub user: Option<String>,
    /// The time of the question, as `2026-11-23T20:15:00Z`: whether a key has expired depends on it.
    pub now: Option<String>,
    /// The posture attributes of the source, a JSON object.
    attributes: Option<String>,
}

impl Flow {
    /// A flow to `HOST:PORT`, as in a test; HOST may be any name that a rule or a matrix has. A ping needs no port.
    ///
    /// # Errors
    /// [`Error::Argument`] if an address is not valid, `to` has no single port, or the protocol is unknown.
    pub fn new(from: &Subject, to: &str, protocol: Option<&str>) -> Result<Flow, Error> {
        let protocol = match protocol {
            None => Protocol::TCP,
            Some(name) if name.eq_ignore_ascii_case("ping") => Protocol::ICMP,
            Some(name) => Protocol::parse(name).map_err(|_| argument(name, "a protocol"))?,
        };
        let destination = Destination::new(to, NOWHERE);
        let whole = without_port(to);
        let is_address = protocol.is_ping() && Kind::of(whole).is_numeric();
        let (host, port) = match destination.single_port().filter(|_| !is_address) {
            Some(port) => (destination.host.name(), port),
            None if is_address || protocol.is_ping() && destination.ports.is_err() => (whole, 0),
            None => return Err(no_port(&destination)),
        };
        Flow::to_host(from, host, (protocol, port))
    }

    /// A login by ssh as an account, to a destination without port.
    ///
    /// # Errors
    /// [`Error::Argument`] if an address is not valid, or the account has no name.
    pub fn login(from: &Subject, to: &str, user: &str) -> Result<Flow, Error> {
        let user = trimmed(user);
        if user.is_empty() || user == "*" || user.starts_with("autogroup:") {
            return Err(argument(user, "the name of an account"));
        }
        let destination = Destination::new(to, NOWHERE);
        let whole = without_port(to);
        if !Kind::of(whole).is_numeric() && destination.ports.is_ok() {
            let text = trimmed(to);
            let host = destination.host.name();
            return Err(Error::Argument(joined(&[
                "`",
                text,
                "`: a login goes to a host without port: write `",
                host,
                "`",
            ])));
        }
        let mut flow = Flow::to_host(from, whole, (Protocol::TCP, 22))?;
        flow.user = Some(user.to_owned());
        Ok(flow)
    }

    fn to_host(
        from: &Subject,
        host: &str,
        (protocol, port): (Protocol, u16),
    ) -> Result<Flow, Error> {
        if let Subject::Ip(address) = from {
            ip(trimmed(address))?;
        }
        Ok(Flow {
            from: from.clone(),
            to: host.parse()?,
            port,
            protocol,
            user: None,
            now: None,
            attributes: None,
        })
    }

    /// The packets of a login, whoever logs in.
    #[must_use]
    pub(crate) fn without_login(&self) -> Flow {
        Flow {
            user: None,
            ..self.clone()
        }
    }

    /// The same flow at a time, as `2026-11-23T20:15:00Z`.
    #[must_use]
    pub fn at(mut self, now: &str) -> Flow {
        self.now = Some(now.to_owned());
        self
    }

    /// The same flow from a device with these posture attributes: a JSON object of strings, numbers and booleans.
    ///
    /// # Errors
    /// [`Error::Argument`] for anything else.
    pub fn with_posture_attributes(mut self, json: &str) -> Result<Flow, Error> {
        let unfit =
            || Error::Argument("posture attributes are strings, numbers, true or false".to_owned());
        let document = hujson::parse(json).map_err(|_| unfit())?;
        let mut members = document.root().members();
        let fits = members.all(|member| {
            !matches!(
                member.value.kind(),
                ValueKind::Object | ValueKind::Array | ValueKind::Null
            )
        });
        if document.root().kind() != ValueKind::Object || !fits {
            return Err(unfit());
        }
        self.attributes = Some(json.to_owned());
        Ok(self)
    }

    /// The JSON object of the posture attributes of the source; `None` means that it has none.
    pub fn posture_attributes(&self) -> Option<&str> {
        self.attributes.as_deref()
    }
}

/// A destination that has no port, an IPv6 address without its brackets.
fn without_port(to: &str) -> &str {
    let text = trimmed(to);
    let bare = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    bare.filter(|it| Kind::of(it).is_numeric()).unwrap_or(text)
}

fn prefixed(prefix: &str, name: &str) -> String {
    match name.starts_with(prefix) {
        true => name.to_owned(),
        false => joined(&[prefix, name]),
    }
}

/// Why a destination has no single port.
fn no_port(to: &Destination<'_>) -> Error {
    let text = trimmed(to.text());
    let port = text.rsplit_once(':').map_or("", |(_, port)| port);
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    Error::Argument(match () {
        () if is_number => joined(&["`", text, "`: ports end at 65535"]),
        () if to.ports.is_ok() => joined(&["`", text, "`: ask about one port, not `", port, "`"]),
        () => match service(port) {
            Some(number) => joined(&["`", text, "`: a port is a number: write `", number, "`"]),
            None => joined(&["`", text, "` has no port: write `HOST:PORT`"]),
        },
    })
}
