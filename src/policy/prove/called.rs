//! What the endpoints of a counterexample are called, so that `explain` takes it as it is: people and devices before addresses.
//! Must not live here: which endpoints they are.

use crate::cidr::{Address, Range};
use crate::policy::findings::words::joined;
use crate::policy::language::ports::Protocol;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::resolve::{NOWHERE, Names};
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;

use super::proof::NamedFlow;

/// The protocol and port of a flow.
pub type Port = (Protocol, u16);

/// Whether a claim is certainly about an endpoint.
pub type IsClaimed<'c, 'w> = dyn Fn(&Endpoint<'w>) -> bool + 'c;

/// Names for the endpoints of flows under a policy.
pub struct Called<'w> {
    network: &'w Network<'w>,
    names: Names<'w>,
    /// The aliases with their addresses.
    aliases: Vec<(Range, &'w str)>,
    /// Logins that nobody names.
    fresh: &'w [String],
}

impl<'w> Called<'w> {
    /// The names of a policy and its context.
    pub fn new(judge: &'w Judge<'w>, fresh: &'w [String]) -> Called<'w> {
        let network = &judge.network;
        let policy = network.policy;
        let mut aliases = Vec::new();
        for alias in policy.hosts.names() {
            aliases.extend(policy.host_range(alias).map(|range| (range, alias)));
        }
        Called {
            network,
            names: Names::of(policy, network.context),
            aliases,
            fresh,
        }
    }

    /// What an endpoint may be called, the best name first, its own last. A name that means more than the endpoint is only
    /// among them where all of that is claimed.
    pub fn of(
        &self,
        side: Side,
        own: &str,
        end: &Endpoint<'w>,
        is_claimed: &IsClaimed<'_, 'w>,
    ) -> Vec<String> {
        let mut names: Vec<&'w str> = Vec::new();
        names.extend(end.identity.user().filter(|_| end.device.is_some()));
        if let Some(device) = end.device {
            names.extend(self.names.of_device(device));
        }
        // Somebody sends, something receives.
        if side == Side::Destination {
            names.reverse();
        }
        if let (Identity::Tags(tags), Some(_)) = (end.identity, end.device) {
            names.extend(tags.iter().map(|tag| tag.trim()));
        }
        if let (None, Some(address)) = (end.device, end.address()) {
            names.extend(self.aliases(address));
        }
        let mut names: Vec<String> = names
            .into_iter()
            .filter(|name| self.are_claimed(name, is_claimed))
            .map(str::to_owned)
            .collect();
        names.push(own.to_owned());
        names
    }

    /// What an endpoint is called where its name is only read: its device, else its own name.
    pub fn shown(&self, own: &str, end: &Endpoint<'w>) -> String {
        let device = end.device.map(|device| self.names.devices().shown(device));
        device.unwrap_or_else(|| own.to_owned())
    }

    /// Whether all that a name means is claimed.
    fn are_claimed(&self, name: &'w str, is_claimed: &IsClaimed<'_, 'w>) -> bool {
        let endpoints = match self.names.devices().find(name) {
            Ok(Some(device)) if !self.network.policy.hosts.contains(name) => {
                Some(self.network.endpoints_of_device(device))
            }
            _ => self.network.endpoints(&Selector::new(name, NOWHERE)),
        };
        endpoints.is_some_and(|endpoints| endpoints.iter().all(is_claimed))
    }

    /// The aliases of the sets that contain an address, the narrowest first.
    fn aliases(&self, address: Address) -> Vec<&'w str> {
        let mut found: Vec<(Range, &'w str)> = Vec::new();
        for &(range, alias) in &self.aliases {
            if range.first() <= address && address <= range.last() {
                let is_wider = |(known, _): &(Range, &str)| {
                    known.first() < range.first() || known.last() > range.last()
                };
                let at = found.iter().position(is_wider).unwrap_or(found.len());
                found.insert(at, (range, alias));
            }
        }
        found.into_iter().map(|(_, alias)| alias).collect()
    }

    /// How little an endpoint says to people: 0 for a user, a tag or a device, more for addresses, most for such as nothing names.
    pub fn strangeness(&self, end: &Endpoint<'_>) -> u8 {
        match (&end.place, end.identity) {
            _ if end.device.is_some() => 0,
            (Place::Supposed, Identity::User(login))
                if self.fresh.iter().any(|own| own == login) =>
            {
                2
            }
            // A user or tag without a device, where there are devices.
            (Place::Supposed, Identity::User(_) | Identity::Tag(_)) => {
                u8::from(self.network.context.devices.is_some())
            }
            (Place::Supposed, _) => 2,
            (Place::At(address), _) if self.is_alias(*address) => 0,
            (Place::At(address), _) if tailnet().contains(*address) => 3,
            (Place::At(address), _) if self.is_routed(*address) => 3,
            _ => 4,
        }
    }

    /// Whether it is all that an alias means.
    fn is_alias(&self, address: Address) -> bool {
        let own = Range::from(address);
        self.aliases.iter().any(|(range, _)| *range == own)
    }

    fn is_routed(&self, address: Address) -> bool {
        !self.network.routes.leading_to(address).is_empty()
    }
}

/// How little a pair of endpoints says: a flow from somebody to themselves says less than one to anybody else.
pub fn pair_strangeness((from, strange): (&Endpoint<'_>, u8), to: (&Endpoint<'_>, u8)) -> u8 {
    strange + to.1 + if are_same(from, to.0) { 5 } else { 0 }
}

/// Whether two endpoints are of one user or device.
pub fn are_same(from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
    let one = from.identity.role_aside();
    let is_device = from.device.is_some() && from.device == to.device;
    let is_supposed = from.place == Place::Supposed && to.place == Place::Supposed;
    let is_address = from.address().is_some() && from.address() == to.address();
    is_device
        || is_address
        || one == to.identity.role_aside() && (is_supposed || one.user().is_some())
}

/// A flow by the names of its endpoints.
pub fn flow(from: &str, to: &str, (protocol, port): Port) -> NamedFlow {
    let port = port.to_string();
    NamedFlow {
        from: from.to_owned(),
        to: match to.contains(':') && Kind::of(to).is_numeric() {
            true => joined(&["[", to, "]:", &port]),
            false => joined(&[to, ":", &port]),
        },
        proto: Some(protocol.to_string()),
        user: None,
    }
}

/// A login by the names of its endpoints.
pub fn login(from: &str, to: &str, account: &str) -> NamedFlow {
    NamedFlow {
        from: from.to_owned(),
        to: to.to_owned(),
        proto: None,
        user: Some(account.to_owned()),
    }
}
