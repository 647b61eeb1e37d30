//! What is asked: whom a preview is about, and who sends what where to; and what the names in a question stand for.
//! Must not live here: how selectors are told apart (`selector`), the answers (`preview`, `explain`).

use std::cell::OnceCell;
use std::str::FromStr;

use crate::cidr::{Address, Prefix, Range};
use crate::hujson::{self, Kind as ValueKind, Span};

use super::check::Error;
use super::findings::words::{did_you_mean, joined};
use super::language::document::Policy;
use super::language::ports::Protocol;
use super::language::selector::{Autogroup, Destination, Kind, Selector, trimmed};
use super::tailnet::device_names::DeviceNames;
use super::tailnet::topology::Topology;

/// The place of a selector that stands in no document.
const NOWHERE: Span = Span { start: 0, end: 0 };

/// Somebody or something that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A name as somebody types it: the first that it fits of those below, in their order.
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
    /// A device: its name, the first label of that, its host name, id or node id.
    Device(String),
    /// An address.
    Ip(String),
}

impl FromStr for Subject {
    type Err = Error;

    /// Takes a plain name; what it names, only a policy and a topology tell.
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

    /// What the name stands for.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name, an address that is none, and a device that is not there, not known or not the
    /// only one of its name.
    #[inline(never)]
    pub(crate) fn resolve(&self, names: &Names<'_>) -> Result<Resolved, Error> {
        let name = trimmed(self.text());
        if name.is_empty() {
            return Err(argument(self.text(), "a name"));
        }
        match self {
            Subject::Plain(_) => names.plain(name),
            Subject::User(_) => Ok(names.user(name)),
            Subject::Tag(_) => Ok(names.defined(prefixed("tag:", name))),
            Subject::Group(_) => Ok(names.defined(prefixed("group:", name))),
            Subject::Autogroup(_) => Ok(names.defined(prefixed("autogroup:", name))),
            Subject::Host(_) => names.host(name),
            Subject::Device(_) => names.device(name),
            Subject::Ip(_) => ip(name),
        }
    }
}

/// Whom or what a preview is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Rules with this user among their sources; with any other among their sources or destinations.
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

    /// Reads an address with a port as [`Query::ip_port`] does, everything else as a plain name. What is an address by itself
    /// is no address with a port: of `fd7a::1:80` only brackets, `[fd7a::1]:80`, make a port.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty name, or an address before a colon without one port after it.
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

/// A flow somebody asks about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    /// Who sends.
    pub from: Subject,
    /// Who is to receive.
    pub to: Subject,
    /// The port there.
    pub port: u16,
    /// The protocol; TCP where none is named.
    pub protocol: Protocol,
    /// The posture attributes of the source, a JSON object.
    attributes: Option<String>,
}

impl Flow {
    /// A flow to `HOST:PORT`, as a test has it; HOST may also name a device, a group or an autogroup.
    ///
    /// # Errors
    /// [`Error::Argument`] if an address is none, `to` has no single port, or the protocol is unknown.
    pub fn new(from: &Subject, to: &str, protocol: Option<&str>) -> Result<Flow, Error> {
        if let Subject::Ip(address) = from {
            ip(trimmed(address))?;
        }
        let to = Destination::new(to, NOWHERE);
        let port = to.single_port().ok_or_else(|| no_port(&to))?;
        let protocol = match protocol {
            None => Protocol::TCP,
            Some(name) => Protocol::parse(name).map_err(|_| argument(name, "a protocol"))?,
        };
        Ok(Flow {
            from: from.clone(),
            to: to.host.name().parse()?,
            port,
            protocol,
            attributes: None,
        })
    }

    /// The same flow from a device with these posture attributes: a JSON object of texts, numbers, true and false.
    ///
    /// # Errors
    /// [`Error::Argument`] for anything else.
    pub fn with_posture_attributes(mut self, json: &str) -> Result<Flow, Error> {
        let unfit =
            || Error::Argument("posture attributes are texts, numbers, true or false".to_owned());
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

    /// The JSON object of the posture attributes of the source; without them it has none.
    pub fn posture_attributes(&self) -> Option<&str> {
        self.attributes.as_deref()
    }
}

/// What a name of a question stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Resolved {
    /// What a rule would name so, too.
    Selector(Name),
    /// A device, by its place in the topology.
    Device(usize),
    /// Nothing that text and topology know.
    Unresolved {
        /// The name.
        name: Name,
        /// Which one may be meant, in words.
        hint: Option<String>,
    },
}

impl Resolved {
    /// Whether it is a user, known or not.
    pub fn is_user(&self) -> bool {
        match self {
            Resolved::Selector(name) | Resolved::Unresolved { name, .. } => name.kind == Kind::User,
            Resolved::Device(_) => false,
        }
    }

    /// Which name may be meant instead of one that nothing is known of.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Resolved::Unresolved { hint, .. } => hint.as_deref(),
            Resolved::Selector(_) | Resolved::Device(_) => None,
        }
    }
}

/// A name, and what it names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    /// The name as a rule has it: with its prefix, without blanks around it.
    pub text: String,
    kind: Kind,
}

impl Name {
    /// The selector of that name, which stands in no document.
    pub fn selector(&self) -> Selector<'_> {
        let mut selector = Selector::new(&self.text, NOWHERE);
        selector.kind = self.kind;
        selector
    }
}

/// All that has a name in a policy and the topology around it. Devices are looked through when the first is asked for, and
/// once, however many questions come.
pub(crate) struct Names<'a> {
    policy: &'a Policy<'a>,
    topology: &'a Topology,
    devices: OnceCell<DeviceNames<'a>>,
}

impl<'a> Names<'a> {
    pub fn of(policy: &'a Policy<'a>, topology: &'a Topology) -> Names<'a> {
        Names {
            policy,
            topology,
            devices: OnceCell::new(),
        }
    }

    /// The devices by name.
    pub fn devices(&self) -> &DeviceNames<'a> {
        self.devices.get_or_init(|| DeviceNames::of(self.topology))
    }

    /// The first that a name fits of user, tag, group, autogroup, host, device, address.
    fn plain(&self, name: &str) -> Result<Resolved, Error> {
        match Kind::of(name) {
            Kind::User => Ok(self.user(name)),
            Kind::Tag | Kind::Group | Kind::Autogroup(_) => Ok(self.defined(name.to_owned())),
            Kind::Service => Ok(selector(name, Kind::Service)),
            Kind::Host if !self.policy.hosts.contains(name) => {
                match self.devices().find(name).map_err(Error::Argument)? {
                    Some(device) => Ok(Resolved::Device(device)),
                    None => self.host(name),
                }
            }
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host => self.host(name),
            Kind::Any | Kind::IpSet | Kind::Domain => Err(argument(
                name,
                "a user, tag, group, autogroup, host, device or address",
            )),
        }
    }

    /// Nobody is unknown as long as the users are not known.
    fn user(&self, login: &str) -> Resolved {
        let topology = self.topology;
        let is_known = topology.users.is_none()
            || topology.user(login).is_some()
            || topology.devices_of(login).next().is_some();
        match is_known {
            true => selector(login, Kind::User),
            false => unresolved(login, Kind::User, self.near_login(login)),
        }
    }

    /// What a name with a prefix stands for, if it is defined.
    fn defined(&self, name: String) -> Resolved {
        let kind = Kind::of(&name);
        let policy = self.policy;
        let (is_defined, hint) = match kind {
            Kind::Tag => (
                policy.tag_owners.contains(&name),
                did_you_mean(&name, &mut policy.tag_owners.names()),
            ),
            Kind::Group => (
                policy.groups.contains(&name),
                did_you_mean(&name, &mut policy.groups.names()),
            ),
            _ => (
                kind != Kind::Autogroup(Autogroup::Unknown),
                did_you_mean(&name, &mut Autogroup::NAMES.into_iter()),
            ),
        };
        match is_defined {
            true => Resolved::Selector(Name { text: name, kind }),
            false => unresolved(&name, kind, hint),
        }
    }

    fn host(&self, name: &str) -> Result<Resolved, Error> {
        let kind = Kind::of(name);
        if kind.is_numeric() {
            return Ok(selector(name, kind));
        }
        if self.policy.hosts.contains(name) {
            return Ok(selector(name, Kind::Host));
        }
        match unfit_address(name) {
            Some(reason) => Err(Error::Argument(reason)),
            None => Ok(unresolved(name, Kind::Host, self.near(name))),
        }
    }

    fn device(&self, name: &str) -> Result<Resolved, Error> {
        if self.topology.devices.is_none() {
            return Err(Error::Argument(joined(&[
                "no devices are known, so none is called `",
                name,
                "`: a context with `devices` has them",
            ])));
        }
        let found = self.devices().find(name).map_err(Error::Argument)?;
        found.map(Resolved::Device).ok_or_else(|| {
            let mut message = joined(&["no device is called `", name, "`"]);
            if let Some(near) = self.devices().near(name) {
                message.push_str("; ");
                message.push_str(&near);
            }
            Error::Argument(message)
        })
    }

    /// What a name without a prefix may have meant.
    fn near(&self, name: &str) -> Option<String> {
        let policy = self.policy;
        for prefix in ["group:", "tag:", "autogroup:"] {
            if let Resolved::Selector(found) = self.defined(joined(&[prefix, name])) {
                return Some(joined(&["did you mean `", &found.text, "`?"]));
            }
        }
        let own = |login: &&str| login.split_once('@').is_some_and(|(own, _)| own == name);
        if let Some(login) = self.logins().into_iter().find(own) {
            return Some(joined(&["did you mean `", login, "`?"]));
        }
        did_you_mean(name, &mut policy.hosts.names())
            .or_else(|| self.devices().near(name))
            .or_else(|| did_you_mean(&joined(&["group:", name]), &mut policy.groups.names()))
            .or_else(|| did_you_mean(&joined(&["tag:", name]), &mut policy.tag_owners.names()))
    }

    fn near_login(&self, login: &str) -> Option<String> {
        did_you_mean(login, &mut self.logins().into_iter())
    }

    /// The logins that text and topology name.
    fn logins(&self) -> Vec<&str> {
        let mut logins = Vec::new();
        for user in self.topology.users.iter().flatten() {
            logins.push(user.login_name.as_str());
        }
        for device in self.topology.devices.iter().flatten() {
            logins.extend(device.user());
        }
        let members = self.policy.groups.iter().flat_map(|(_, members)| members);
        let rules = self.policy.rules();
        let sources = rules.iter().flat_map(|rule| rule.sources.iter());
        for selector in members.chain(sources) {
            if selector.kind == Kind::User {
                logins.push(selector.name());
            }
        }
        logins
    }
}

fn ip(name: &str) -> Result<Resolved, Error> {
    match Address::parse(name) {
        Ok(_) => Ok(selector(name, Kind::Address)),
        Err(error) => Err(Error::Argument(error.to_string())),
    }
}

fn selector(name: &str, kind: Kind) -> Resolved {
    let text = name.to_owned();
    Resolved::Selector(Name { text, kind })
}

fn unresolved(name: &str, kind: Kind, hint: Option<String>) -> Resolved {
    let text = name.to_owned();
    let name = Name { text, kind };
    Resolved::Unresolved { name, hint }
}

fn prefixed(prefix: &str, name: &str) -> String {
    match name.starts_with(prefix) {
        true => name.to_owned(),
        false => joined(&[prefix, name]),
    }
}

/// What is wrong with a text that can only be meant as an address, a prefix or a range, and is none.
fn unfit_address(text: &str) -> Option<String> {
    let has = |byte| text.bytes().any(|own| own == byte);
    let all = |wanted: fn(&u8) -> bool| text.bytes().all(|byte| wanted(&byte));
    if Destination::new(text, NOWHERE).host.kind == Kind::Address {
        return Some(joined(&[
            "`",
            text,
            "`: an address stands here without a port",
        ]));
    }
    if has(b'/') {
        return Prefix::parse(text).err().map(|error| error.to_string());
    }
    if has(b'.') && has(b'-') && all(|b| b.is_ascii_digit() || b".-".contains(b)) {
        return Range::parse(text).err().map(|error| error.to_string());
    }
    let ipv4 = has(b'.') && all(|b| b.is_ascii_digit() || *b == b'.');
    let ipv6 = has(b':') && all(|b| b.is_ascii_hexdigit() || b":.[]%".contains(b));
    match ipv4 || ipv6 {
        true => Address::parse(text).err().map(|error| error.to_string()),
        false => None,
    }
}

/// Why a destination has no single port.
fn no_port(to: &Destination<'_>) -> Error {
    let text = trimmed(to.text());
    let port = text.rsplit_once(':').map_or("", |(_, port)| port);
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    Error::Argument(match () {
        () if is_number => joined(&["`", text, "`: ports go to 65535"]),
        () if to.ports.is_ok() => joined(&["`", text, "`: ask about one port, not `", port, "`"]),
        () => joined(&["`", text, "` has no port: write `HOST:PORT`"]),
    })
}

/// That a text is not what was wanted.
pub(super) fn argument(text: &str, wanted: &str) -> Error {
    Error::Argument(joined(&["`", text, "` is not ", wanted]))
}
