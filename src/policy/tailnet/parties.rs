//! Everyone and everything that a document names: the rows and columns of who reaches what.
//! Must not live here: what they reach, what changed.

use serde::Serialize;

use super::context::DeviceIndex;
use super::device_names::DeviceNames;
use super::endpoint::{Endpoint, Place};
use super::identity::Identity;
use super::net::Net;
use super::network::Network;
use super::party::Side;
use crate::cidr::AddressSet;
use crate::policy::findings::words::joined;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::index::Index;
use crate::tables::sort;

/// The kinds of parties, in the order of lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PartyKind {
    /// A login name.
    User,
    /// `tag:…`
    Tag,
    /// `group:…`, if it is not expanded.
    Group,
    /// `autogroup:…`
    Autogroup,
    /// An alias of the hosts section.
    Host,
    /// A device.
    Device,
    /// An address.
    Address,
    /// A prefix.
    Prefix,
    /// A range `a-b`.
    Range,
    /// `ipset:…`
    Ipset,
    /// `svc:…`
    Service,
    /// `user:*@…`
    Domain,
    /// What is behind a router.
    Subnet,
    /// The internet behind an exit node.
    Internet,
    /// `*`
    Any,
}

impl PartyKind {
    /// Whether it stands for addresses that rules write, whoever has them.
    pub fn is_of_addresses(self) -> bool {
        matches!(
            self,
            PartyKind::Host
                | PartyKind::Address
                | PartyKind::Prefix
                | PartyKind::Range
                | PartyKind::Ipset
        )
    }
}

/// Somebody or something with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Party {
    /// What it is.
    pub kind: PartyKind,
    /// Its name.
    pub name: String,
    /// The id of the device that it is, or is behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// The index of a party in its list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PartyId(pub usize);

/// A party and the ends that it stands for: for a source all of them count, for a destination one is enough.
#[derive(Clone, Debug)]
pub struct Stands<'p> {
    /// Who or what.
    pub party: Party,
    /// The machines or addresses.
    pub ends: Vec<Endpoint<'p>>,
}

/// Parties while they are collected: each name once.
#[derive(Default)]
pub struct Parties<'p> {
    list: Vec<Stands<'p>>,
    places: Index<'static>,
}

impl<'p> Parties<'p> {
    /// All parties that a document names or defines on one side of its rules, and the users of its context.
    #[inline(never)]
    pub fn add_names(&mut self, network: &Network<'p>, side: Side) {
        let policy = network.policy;
        self.add_users(network);
        self.add_tags(network, side);
        for name in policy.hosts.names().chain(policy.ipsets.names()) {
            self.add(
                network,
                side,
                &Selector::new(name, policy.document.root().span()),
            );
        }
        for rule in policy.rules() {
            let (own, other) = match side {
                Side::Source => (
                    rule.sources.to_vec(),
                    rule.destinations().copied().collect(),
                ),
                Side::Destination => (
                    rule.destinations().copied().collect(),
                    rule.sources.to_vec(),
                ),
            };
            for selector in &own {
                self.add(network, side, selector);
            }
            // Who stands on the one side is somebody on the other too; what does not need not be.
            let others: Vec<Selector<'p>> = other;
            for selector in &others {
                if matches!(selector.kind, Kind::User | Kind::Tag) {
                    self.add(network, side, selector);
                }
            }
        }
        if policy.allows_all() {
            self.add(
                network,
                side,
                &Selector::new("*", policy.document.root().span()),
            );
        }
    }

    fn add_tags(&mut self, network: &Network<'p>, side: Side) {
        for (tag, _) in network.policy.tag_owners.iter() {
            self.add(network, side, &Selector::new(tag.name(), tag.span));
        }
    }

    /// The users that a document and its context name anywhere.
    fn add_users(&mut self, network: &Network<'p>) {
        let policy = network.policy;
        let groups = policy.groups.iter().map(|(_, members)| members);
        let owners = policy.tag_owners.iter().map(|(_, owners)| owners);
        for named in groups.chain(owners).flatten() {
            self.add_user(network, named.name());
        }
        let synced = network.context.groups.iter().flatten();
        for login in synced.flat_map(|(_, members)| members) {
            self.add_user(network, login.trim());
        }
        for user in network.context.users.iter().flatten() {
            self.add_user(network, user.login_name.trim());
        }
    }

    fn add_user(&mut self, network: &Network<'p>, login: &'p str) {
        let selector = Selector::new(login, network.policy.document.root().span());
        if selector.kind == Kind::User {
            self.add(network, Side::Source, &selector);
        }
    }

    /// One selector: a group as a source is expanded, as its members stand for it where they are known.
    fn add(&mut self, network: &Network<'p>, side: Side, selector: &Selector<'p>) {
        let (name, kind) = (selector.name(), kind_of(selector.kind));
        let is_expanded = selector.kind == Kind::Group && !network.groups.is_unknown(name);
        if is_expanded && side == Side::Source {
            return;
        }
        let ends = match (selector.kind, side) {
            (Kind::Any, Side::Source) => vec![network.anyone_at_all()],
            (Kind::Autogroup(Autogroup::Own), _) => vec![Endpoint::supposed(Identity::OWN)],
            (Kind::User, _) if network.knows_user(name) == Some(false) => {
                vec![Endpoint::supposed(Identity::User(name))]
            }
            _ => network.ends(selector).unwrap_or_default(),
        };
        self.push(kind, name, ends);
    }

    /// Each name once; if it means other addresses in the other of two documents, it is another party.
    fn push(&mut self, kind: PartyKind, name: &str, ends: Vec<Endpoint<'p>>) {
        let known = self.places.find(name).and_then(|at| self.list.get(at));
        let name = match known {
            Some(known) if known.ends == ends => return,
            Some(_) => joined(&[name, " (", &texts_of(&ends), ")"]),
            None => name.to_owned(),
        };
        if self.places.set(name.clone().into(), self.list.len()) {
            let party = Party {
                kind,
                name,
                id: None,
            };
            self.list.push(Stands { party, ends });
        }
    }

    /// Every device of the context.
    #[inline(never)]
    pub fn add_devices(&mut self, network: &Network<'p>, names: &DeviceNames<'_>) {
        for (at, device) in DeviceIndex::each(network.devices) {
            self.list.push(Stands {
                party: Party {
                    kind: PartyKind::Device,
                    name: names.shown(at),
                    id: Some(device.id.clone()),
                },
                ends: network.ends_of_device(at),
            });
        }
    }

    /// By kind, then by name.
    pub fn sorted(mut self) -> Vec<Stands<'p>> {
        sort::sort_by(&mut self.list, |a, b| {
            (a.party.kind, &a.party.name).cmp(&(b.party.kind, &b.party.name))
        });
        self.list
    }
}

fn texts_of(ends: &[Endpoint<'_>]) -> String {
    let mut text = String::new();
    for end in ends {
        let set = match &end.place {
            Place::At(address) => AddressSet::from(*address),
            Place::All(set) | Place::Some(set) => AddressSet::clone(set),
            Place::Supposed => continue,
        };
        for range in set.ranges() {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(&Net::Range(range).to_string());
        }
    }
    text
}

/// The kind of party that a selector is.
pub fn kind_of(kind: Kind) -> PartyKind {
    match kind {
        Kind::Any => PartyKind::Any,
        Kind::Address => PartyKind::Address,
        Kind::Prefix => PartyKind::Prefix,
        Kind::Range => PartyKind::Range,
        Kind::Group => PartyKind::Group,
        Kind::Tag => PartyKind::Tag,
        Kind::Autogroup(_) => PartyKind::Autogroup,
        Kind::IpSet => PartyKind::Ipset,
        Kind::Service => PartyKind::Service,
        Kind::Domain => PartyKind::Domain,
        Kind::User => PartyKind::User,
        Kind::Host => PartyKind::Host,
    }
}
