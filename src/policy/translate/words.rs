//! How a string of a policy is written in the other language. Must not live here: where strings stand (`passes`).

use crate::policy::findings::words::joined;
use crate::policy::language::content::StringRole;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::headscale::{ports as headscale_ports, selectors};
use crate::policy::language::pieces::host_and_ports;
use crate::policy::language::ports::{PortSpec, Ports, Protocol};
use crate::policy::language::selector::{Autogroup, Kind, trimmed};

use super::users::Users;

/// What becomes of a string.
pub(super) enum Rewritten {
    /// This text, which may be the same; several where one entry becomes a list.
    As(Vec<String>),
    /// The same with another meaning, and which.
    Otherwise(String, &'static str),
    /// Nothing, and why.
    Lost(&'static str),
}

/// The words of both languages.
#[derive(Clone, Copy)]
pub(super) struct Words<'u> {
    users: &'u Users<'u>,
    from: Dialect,
    pub to: Dialect,
}

const INHERITED: &str =
    "whoever owns the owner of a tag owns that tag too in Headscale, and not here";
const NOT_ONE_STEP: &str = "whoever owns this tag would own the other too in Headscale";

impl<'u> Words<'u> {
    pub fn new(users: &'u Users<'u>, [from, to]: [Dialect; 2]) -> Words<'u> {
        Words { users, from, to }
    }

    /// The dialect of the first text.
    pub fn from(self) -> Dialect {
        self.from
    }

    /// What a string with a role becomes.
    pub fn rewritten(self, role: StringRole, text: &str) -> Rewritten {
        use StringRole::*;
        if self.from.counts_blanks(role) && text.contains('@') && trimmed(text) != text {
            return Rewritten::Lost("with blanks around it this is nobody in Headscale");
        }
        match role {
            Source | Destination | Target | SshSource | SshDestination | TestSource
            | SshTestSource | SshTestDestination | Member | Via => self.selector(text),
            Owner | Approver => self.owner(role, text),
            DestinationPorts | TestDestination => self.destination(text),
            Protocol | TestProtocol => self.protocol(text),
            Ip => self.ip(text),
            NodeAttribute if trimmed(text) == "funnel" && self.to == Dialect::Headscale => {
                Rewritten::Lost("Headscale has no funnel")
            }
            Pool if self.to == Dialect::Headscale => {
                Rewritten::Lost("Headscale gives no addresses by policy")
            }
            _ => as_it_is(text),
        }
    }

    fn owner(self, role: StringRole, text: &str) -> Rewritten {
        let name = trimmed(text);
        match self.to {
            Dialect::Headscale if name.starts_with("autogroup:") => {
                Rewritten::Lost("in Headscale no autogroup owns a tag or approves a route")
            }
            to if role == StringRole::Owner && name.starts_with("tag:") => {
                let why = match to {
                    Dialect::Headscale => NOT_ONE_STEP,
                    Dialect::Tailscale => INHERITED,
                };
                Rewritten::Otherwise(name.to_owned(), why)
            }
            _ => self.selector(text),
        }
    }

    fn selector(self, text: &str) -> Rewritten {
        let name = trimmed(text);
        match self.from {
            Dialect::Tailscale => self.selector_of_service(name),
            Dialect::Headscale => match selectors::kind_of(name) {
                Some(Kind::User) => self.user(name),
                Some(Kind::Address) => one(selectors::without_zone(name)),
                _ => one(name),
            },
        }
    }

    fn selector_of_service(self, name: &str) -> Rewritten {
        match Kind::of(name) {
            Kind::User => self.user(name),
            Kind::Range => Rewritten::Lost("Headscale has no ranges of addresses"),
            Kind::Group if name.contains('@') => {
                Rewritten::Lost("Headscale takes a name with an `@` for a user")
            }
            Kind::IpSet => Rewritten::Lost("Headscale has no IP sets"),
            Kind::Service => Rewritten::Lost("Headscale has no services"),
            Kind::Domain => Rewritten::Lost("Headscale has no name for all users of a domain"),
            Kind::Autogroup(Autogroup::Member) => one("autogroup:member"),
            Kind::Autogroup(Autogroup::Role(_) | Autogroup::Shared | Autogroup::Unknown) => {
                Rewritten::Lost("Headscale has no such autogroup")
            }
            _ => one(name),
        }
    }

    fn user(self, name: &str) -> Rewritten {
        match self.users.named(name) {
            Some(there) => one(&there),
            None => Rewritten::Lost("it is not said which login this user has there"),
        }
    }

    fn destination(self, text: &str) -> Rewritten {
        let text = trimmed(text);
        let parts = match self.from {
            Dialect::Tailscale => match host_and_ports(text) {
                (host, Some(ports)) => Some((host, ports.to_owned())),
                _ => None,
            },
            Dialect::Headscale => self.destination_of_headscale(text),
        };
        let Some((host, ports)) = parts else {
            return as_it_is(text);
        };
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match self.selector(bare) {
            Rewritten::As(names) => {
                let whole = |name: &String| match name.contains(':') && Kind::of(name).is_numeric()
                {
                    true => joined(&["[", name, "]:", &ports]),
                    false => joined(&[name, ":", &ports]),
                };
                Rewritten::As(names.iter().map(whole).collect())
            }
            other => other,
        }
    }

    /// Host and ports, the ports as the service reads them: a range that begins with 0 has no port less.
    fn destination_of_headscale(self, text: &str) -> Option<(&str, String)> {
        let (_, ports) = headscale_ports::destination(text).ok()?;
        let host = text.rsplit_once(':')?.0;
        Some((host, as_service_writes(&ports)))
    }

    fn protocol(self, text: &str) -> Rewritten {
        let read = match self.from {
            Dialect::Tailscale => Protocol::parse(trimmed(text)).ok(),
            Dialect::Headscale => {
                let read = headscale_ports::protocol(text);
                read.ok().map(|(protocol, _)| protocol)
            }
        };
        read.map_or_else(|| as_it_is(text), |read| one(&self.named(read)))
    }

    /// A protocol by its name there, else by its number.
    fn named(self, protocol: Protocol) -> String {
        let mut names = self.to.protocols().iter();
        let own = names.find(|(_, number)| *number == protocol.0);
        own.map_or_else(|| protocol.0.to_string(), |(name, _)| (*name).to_owned())
    }

    fn ip(self, text: &str) -> Rewritten {
        let read = match self.from {
            Dialect::Tailscale => {
                let read = PortSpec::parse(text).ok();
                read.map(|spec| (spec.protocol, spec.ports))
            }
            Dialect::Headscale => headscale_ports::ip_entry(text).ok(),
        };
        let Some((protocol, ports)) = read else {
            return as_it_is(text);
        };
        let entry = |range: String| match protocol {
            Some(protocol) => joined(&[&self.named(protocol), ":", &range]),
            None => range,
        };
        let ranges = as_service_writes(&ports);
        Rewritten::As(
            ranges
                .split(',')
                .map(|range| entry(range.to_owned()))
                .collect(),
        )
    }
}

fn one(text: &str) -> Rewritten {
    Rewritten::As(vec![text.to_owned()])
}

fn as_it_is(text: &str) -> Rewritten {
    one(text)
}

/// Ports with no range from 0 on, which the service refuses.
fn as_service_writes(ports: &Ports) -> String {
    let mut out = String::new();
    for range in ports.ranges() {
        let mut range = *range;
        if range.first == 0 && range.last < u16::MAX {
            range.first = 1;
        }
        let text = match (range.first, range.last) {
            (0, u16::MAX) => "*".to_owned(),
            _ => range.to_string(),
        };
        out.push_str(if out.is_empty() { "" } else { "," });
        out.push_str(&text);
    }
    out
}
