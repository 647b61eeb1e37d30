//! What the names of a question mean: selectors of the document, devices of the context, or nothing known.
//! Must not live here: what is asked (`question`), what a selector includes (`tailnet`).

use std::cell::OnceCell;

use crate::cidr::{Address, Prefix, Range};
use crate::hujson::Span;

use super::findings::hint::{Hint, Write};
use super::findings::words::{joined, nearest};
use super::language::document::Policy;
use super::language::selector::{Autogroup, Destination, Kind, Selector};
use super::tailnet::context::{DeviceIndex, PolicyContext};
use super::tailnet::device_names::DeviceNames;
use super::tailnet::membership::is_group;
use super::verdict::Error;

/// The index of a selector that is not in the document.
pub(super) const NOWHERE: Span = Span { start: 0, end: 0 };

/// What a name of a question means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Resolved {
    /// Something that a rule could name the same way.
    Selector {
        /// The name.
        name: ReadName,
        /// Which one may be meant, in words, if neither text nor context names it.
        hint: Option<Hint>,
    },
    /// A device of the context.
    Device(DeviceIndex),
    /// Nothing known to text and context.
    Unresolved {
        /// The name.
        name: ReadName,
        /// Which one may be meant, in words.
        hint: Option<Hint>,
    },
}

impl Resolved {
    /// Whether it is a user, known or not.
    pub fn is_user(&self) -> bool {
        match self {
            Resolved::Selector { name, .. } | Resolved::Unresolved { name, .. } => {
                name.kind == Kind::User
            }
            Resolved::Device(_) => false,
        }
    }

    /// What may be meant in place of a name that nothing names, in words.
    pub fn hint(&self) -> Option<&str> {
        self.advice().map(|hint| hint.text.as_str())
    }

    /// The name that may be meant.
    pub fn meant(&self) -> Option<&str> {
        match &self.advice()?.write[..] {
            [Write::Text(name)] => Some(name),
            _ => None,
        }
    }

    fn advice(&self) -> Option<&Hint> {
        match self {
            Resolved::Selector { hint, .. } | Resolved::Unresolved { hint, .. } => hint.as_ref(),
            Resolved::Device(_) => None,
        }
    }
}

/// A name, and what it names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReadName {
    /// The name as a rule has it: with its prefix, without blanks around it.
    pub text: String,
    kind: Kind,
}

impl ReadName {
    /// The selector of that name, which is not in the document.
    pub fn selector(&self) -> Selector<'_> {
        let mut selector = Selector::new(&self.text, NOWHERE);
        selector.kind = self.kind;
        selector
    }
}

/// All names of a policy and its context. Devices are searched when the first is asked for, and only once for all
/// questions.
pub(crate) struct Names<'a> {
    policy: &'a Policy<'a>,
    context: &'a PolicyContext,
    devices: OnceCell<DeviceNames<'a>>,
}

impl<'a> Names<'a> {
    /// Those of this policy and context.
    pub fn of(policy: &'a Policy<'a>, context: &'a PolicyContext) -> Names<'a> {
        Names {
            policy,
            context,
            devices: OnceCell::new(),
        }
    }

    /// The devices by name.
    pub fn devices(&self) -> &DeviceNames<'a> {
        self.devices.get_or_init(|| DeviceNames::of(self.context))
    }

    /// The id of the device of this name, if there is one.
    ///
    /// # Errors
    /// Several devices have the name: which ones.
    pub fn device_id(&self, name: &str) -> Result<Option<&'a str>, String> {
        let devices = self.context.devices.as_deref().unwrap_or_default();
        let found = self.devices().find(name)?;
        Ok(found.and_then(|place| place.of(devices).map(|device| device.id.as_str())))
    }

    /// The first that a name fits of user, tag, group, autogroup, host, device, address.
    pub fn plain(&self, name: &str) -> Result<Resolved, Error> {
        match Kind::of(name) {
            Kind::User => Ok(self.user(name)),
            Kind::Tag | Kind::Group | Kind::Autogroup(_) => Ok(self.defined(name.to_owned())),
            Kind::Host if !self.policy.hosts.contains(name) => {
                match self.devices().find(name).map_err(Error::Argument)? {
                    Some(device) => Ok(Resolved::Device(device)),
                    None => self.host(name),
                }
            }
            _ => self.host(name),
        }
    }

    /// No user is unknown as long as the users are not known; but one that nothing names may be another one, misspelt.
    pub fn user(&self, login: &str) -> Resolved {
        let context = self.context;
        let is_known = context.knows_name(self.policy.dialect, login);
        let hint = match is_known {
            true => None,
            false => self.near_login(login),
        };
        let (text, kind) = (login.to_owned(), Kind::User);
        let name = ReadName { text, kind };
        match is_known || context.users.is_none() {
            true => Resolved::Selector { name, hint },
            false => Resolved::Unresolved { name, hint },
        }
    }

    /// What a name with a prefix means, if it is defined.
    pub fn defined(&self, name: String) -> Resolved {
        let kind = Kind::of(&name);
        let policy = self.policy;
        let (is_defined, hint) = match kind {
            Kind::Tag => (
                policy.tag_owners.contains(&name),
                nearest(&name, &mut policy.tag_owners.names()),
            ),
            Kind::IpSet => (
                policy.ipsets.contains(&name),
                nearest(&name, &mut policy.ipsets.names()),
            ),
            Kind::Group => (
                is_group(policy, self.context, &name),
                nearest(
                    &name,
                    &mut policy.groups.names().chain(self.context.group_names()),
                ),
            ),
            _ => (
                kind != Kind::Autogroup(Autogroup::Unknown),
                nearest(&name, &mut Autogroup::NAMES.into_iter()),
            ),
        };
        match is_defined {
            true => selector(&name, kind),
            false => unresolved(&name, kind, hint),
        }
    }

    /// An alias, address, prefix or range, or what else means addresses in a rule.
    pub fn host(&self, name: &str) -> Result<Resolved, Error> {
        let kind = Kind::of(name);
        match kind {
            Kind::IpSet => return Ok(self.defined(name.to_owned())),
            Kind::Any | Kind::Service | Kind::Domain => return Ok(selector(name, kind)),
            _ if kind.is_numeric() => return Ok(selector(name, kind)),
            _ => {}
        }
        if self.policy.hosts.contains(name) {
            return Ok(Resolved::Selector {
                name: ReadName {
                    text: name.to_owned(),
                    kind: Kind::Host,
                },
                hint: self.shadowed_device(name),
            });
        }
        match unfit_address(name) {
            Some(reason) => Err(Error::Argument(reason)),
            None => {
                let hint = self.near(name).or_else(|| no_domain_name(name));
                Ok(unresolved(name, Kind::Host, hint))
            }
        }
    }

    /// That an alias is also the name of a device which has other addresses.
    fn shadowed_device(&self, alias: &str) -> Option<Hint> {
        let device = self.devices().find(alias).ok().flatten()?;
        let devices = self.context.devices.as_deref().unwrap_or_default();
        let own = &device.of(devices)?.addresses;
        let range = self.policy.host_range(alias)?;
        if own.iter().any(|own| range == (*own).into()) {
            return None;
        }
        Some(Hint::words(&joined(&[
            "this is the alias of `hosts`; a device is called `",
            alias,
            "`, too: ask about it as `",
            devices.get(device.0).map_or(alias, |device| &device.id),
            "`",
        ])))
    }

    /// The device of this name.
    pub fn device(&self, name: &str) -> Result<Resolved, Error> {
        if self.context.devices.is_none() {
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
                message.push_str(&near.text);
            }
            Error::Argument(message)
        })
    }

    /// A name that means this device in a question, if it has one.
    pub fn of_device(&self, device: DeviceIndex) -> Option<&'a str> {
        let mut names = self.devices().names_of(device).into_iter();
        names
            .find(|name| matches!(self.plain(name), Ok(Resolved::Device(found)) if found == device))
    }

    /// What a name without a prefix may have meant.
    fn near(&self, name: &str) -> Option<Hint> {
        let policy = self.policy;
        for prefix in ["group:", "tag:", "autogroup:"] {
            if let Resolved::Selector { name, .. } = self.defined(joined(&[prefix, name])) {
                return Some(Hint::meant(&name.text));
            }
        }
        self.whole(name)
            .or_else(|| nearest(name, &mut policy.hosts.names()))
            .or_else(|| self.devices().near(name))
            .or_else(|| nearest(&joined(&["group:", name]), &mut policy.groups.names()))
            .or_else(|| nearest(&joined(&["tag:", name]), &mut policy.tag_owners.names()))
    }

    /// Which login is meant by one that neither text nor context names.
    fn near_login(&self, login: &str) -> Option<Hint> {
        if self.login(&mut |known| known == login).is_some() {
            return None;
        }
        self.whole(login).or_else(|| {
            let mut logins = Vec::new();
            self.login(&mut |known| {
                logins.push(known);
                false
            });
            nearest(login, &mut logins.into_iter())
        })
    }

    /// The login of which only the part before the `@` is given.
    fn whole(&self, own: &str) -> Option<Hint> {
        let is_own = |login: &str| login.split_once('@').is_some_and(|(name, _)| name == own);
        self.login(&mut |login| is_own(login)).map(Hint::meant)
    }

    /// The first login that text and context name and that fits.
    fn login<'s>(&'s self, fits: &mut dyn FnMut(&'s str) -> bool) -> Option<&'s str> {
        let users = self.context.users.iter().flatten();
        let devices = self.context.devices.iter().flatten();
        let known = users
            .map(|user| user.written())
            .chain(devices.filter_map(|device| device.user()));
        let members = self.policy.groups.iter().flat_map(|(_, members)| members);
        let sources = self.policy.rules().flat_map(|rule| rule.sources);
        let named = members
            .chain(sources)
            .filter(|selector| selector.kind == Kind::User);
        known
            .chain(named.map(Selector::name))
            .find(|login| fits(login))
    }
}

/// That a policy has no domain names.
fn no_domain_name(name: &str) -> Option<Hint> {
    const NO_NAMES: &str =
        "policies know no domain names: ask about an address, an alias of `hosts` or a device";
    let is_domain = name.contains('.') && !name.contains(':');
    is_domain.then(|| Hint::words(NO_NAMES))
}

/// What an address means.
pub(super) fn ip(name: &str) -> Result<Resolved, Error> {
    match Address::parse(name) {
        Ok(_) => Ok(selector(name, Kind::Address)),
        Err(error) => Err(Error::Argument(error.to_string())),
    }
}

fn selector(name: &str, kind: Kind) -> Resolved {
    let (text, hint) = (name.to_owned(), None);
    let name = ReadName { text, kind };
    Resolved::Selector { name, hint }
}

fn unresolved(name: &str, kind: Kind, hint: Option<Hint>) -> Resolved {
    let text = name.to_owned();
    let name = ReadName { text, kind };
    Resolved::Unresolved { name, hint }
}

/// What is wrong with a text that can only be meant as an address, a prefix or a range, but is not valid.
fn unfit_address(text: &str) -> Option<String> {
    let has = |byte| text.bytes().any(|own| own == byte);
    let all = |wanted: fn(&u8) -> bool| text.bytes().all(|byte| wanted(&byte));
    if Destination::new(text, NOWHERE).host.kind == Kind::Address {
        return Some(joined(&["`", text, "`: write the address without a port"]));
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

/// That a text is not what was wanted.
pub(super) fn argument(text: &str, wanted: &str) -> Error {
    Error::Argument(joined(&["`", text, "` is not ", wanted]))
}
