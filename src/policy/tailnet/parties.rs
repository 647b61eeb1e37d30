//! Everyone and everything that a document names: the rows and columns of matrices.
//! Must not live here: what they reach, what changed.

use std::cmp::Ordering;

use serde::Serialize;

use super::context::DeviceIndex;
use super::device_names::DeviceNames;
use super::net::Net;
use super::network::Network;
use super::party::Side;
use crate::cidr::Range;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::index::Index;
use crate::tables::sort;

/// The kinds of parties, in the order of lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
    /// Whether it means addresses that rules write, whoever has them.
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
#[non_exhaustive]
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

/// A row or column of a matrix: a party, and what it is in the network.
#[derive(Clone, Debug)]
pub struct Listed<'p> {
    /// Who or what.
    pub party: Party,
    /// What it means.
    pub means: Means<'p>,
    /// Whether it is one of the text that is asked about, and of the one that this is compared with.
    pub texts: [bool; 2],
}

impl Listed<'_> {
    /// Whether it means addresses, whoever has them.
    pub fn is_set(&self) -> bool {
        match &self.means {
            Means::Device(_) => false,
            Means::Subnet(_) | Means::Internet => true,
            Means::Selector(selector) => matches!(
                selector.kind,
                Kind::Any
                    | Kind::Address
                    | Kind::Prefix
                    | Kind::Range
                    | Kind::Host
                    | Kind::IpSet
                    | Kind::Autogroup(Autogroup::Internet | Autogroup::DangerAll)
            ),
        }
    }
}

/// What a party means.
#[derive(Clone, Copy, Debug)]
pub enum Means<'p> {
    /// What a selector includes.
    Selector(Selector<'p>),
    /// A device of the context.
    Device(DeviceIndex),
    /// The addresses of a route.
    Subnet(Range),
    /// The internet.
    Internet,
}

/// Parties while they are collected: each name once.
#[derive(Default)]
pub struct Parties<'p> {
    list: Vec<Listed<'p>>,
    places: Index<'p>,
    /// Whether they are those of the text that another one is compared with.
    is_base: bool,
}

impl<'p> Parties<'p> {
    /// Adds those of the text that another one is compared with, from now on.
    pub fn of_base(&mut self) {
        self.is_base = true;
    }

    /// All parties that a document names or defines on one side of its rules, and the users of its context; of its ssh rules, only
    /// machines.
    #[inline(never)]
    pub fn add_names(&mut self, network: &Network<'p>, side: Side, is_ssh: bool) {
        let policy = network.policy;
        let root = policy.document.root().span();
        self.add_users(network);
        for (tag, _) in policy.tag_owners.iter() {
            self.add(network, side, &Selector::new(tag.name(), tag.span));
        }
        if is_ssh {
            for rule in &policy.ssh {
                let (own, others) = match side {
                    Side::Source => (&rule.sources, &rule.destinations),
                    Side::Destination => (&rule.destinations, &rule.sources),
                };
                self.add_rule(network, side, own.iter(), others.iter());
            }
            return;
        }
        for name in policy.hosts.names().chain(policy.ipsets.names()) {
            self.add(network, side, &Selector::new(name, root));
        }
        for rule in policy.rules() {
            let sources = rule.sources.iter();
            match side {
                Side::Source => self.add_rule(network, side, sources, rule.destinations()),
                Side::Destination => self.add_rule(network, side, rule.destinations(), sources),
            }
        }
        if policy.allows_all() {
            self.add(network, side, &Selector::new("*", root));
        }
    }

    /// The selectors of a rule on one side. Who stands on the other side is somebody here too; what does not need not be.
    fn add_rule<'r>(
        &mut self,
        network: &Network<'p>,
        side: Side,
        own: impl Iterator<Item = &'r Selector<'p>>,
        others: impl Iterator<Item = &'r Selector<'p>>,
    ) where
        'p: 'r,
    {
        for selector in own {
            self.add(network, side, selector);
        }
        for selector in others {
            if matches!(selector.kind, Kind::User | Kind::Tag) {
                self.add(network, side, selector);
            }
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
            self.add_user(network, user.written());
        }
    }

    fn add_user(&mut self, network: &Network<'p>, login: &'p str) {
        let selector = Selector::new(login, network.policy.document.root().span());
        if selector.kind == Kind::User {
            self.add(network, Side::Source, &selector);
        }
    }

    /// One selector: a group as a source is expanded, as its members take its place where they are known.
    fn add(&mut self, network: &Network<'p>, side: Side, selector: &Selector<'p>) {
        let selector = &network.named_by(selector);
        let (name, kind) = (selector.name(), kind_of(selector.kind));
        let is_expanded = selector.kind == Kind::Group && !network.groups.is_unknown(name);
        if is_expanded && side == Side::Source {
            return;
        }
        let place = self.places.place(name, self.list.len());
        if place == self.list.len() {
            self.list.push(Listed {
                party: Party {
                    kind,
                    name: name.to_owned(),
                    id: None,
                },
                means: Means::Selector(*selector),
                texts: [false; 2],
            });
        }
        if let Some(listed) = self.list.get_mut(place) {
            let [own, base] = &mut listed.texts;
            *(if self.is_base { base } else { own }) = true;
        }
    }

    /// Every device of the context; as destinations of packets, what is behind them too.
    #[inline(never)]
    pub fn add_devices(&mut self, network: &Network<'p>, names: &DeviceNames<'_>, behind: bool) {
        for (at, _) in DeviceIndex::each(network.devices) {
            self.add_device(
                network,
                at,
                (PartyKind::Device, names.shown(at)),
                Means::Device(at),
            );
        }
        if !behind {
            return;
        }
        for route in network.routes.iter() {
            if let Some(&router) = route.routers.first() {
                let name = Net::Range(route.range()).to_string();
                let means = Means::Subnet(route.range());
                self.add_device(network, router, (PartyKind::Subnet, name), means);
            }
        }
        if let Some(&exit) = network.routes.exits.first() {
            let name = "autogroup:internet".to_owned();
            self.add_device(network, exit, (PartyKind::Internet, name), Means::Internet);
        }
    }

    fn add_device(
        &mut self,
        network: &Network<'p>,
        device: DeviceIndex,
        (kind, name): (PartyKind, String),
        means: Means<'p>,
    ) {
        let id = device.of(network.devices).map(|device| device.id.clone());
        let party = Party { kind, name, id };
        self.list.push(Listed {
            party,
            means,
            texts: [true; 2],
        });
    }

    /// By kind, then by name, u2 before u10.
    pub fn sorted(mut self) -> Vec<Listed<'p>> {
        sort::sort_by(&mut self.list, |a, b| {
            let (one, other) = (&a.party, &b.party);
            one.kind
                .cmp(&other.kind)
                .then_with(|| natural(&one.name, &other.name))
        });
        self.list
    }
}

/// The order of two texts in which numbers count as numbers.
fn natural(one: &str, other: &str) -> Ordering {
    let (mut a, mut b) = (one.as_bytes(), other.as_bytes());
    loop {
        let ((own, rest), (others, left)) = (piece(a), piece(b));
        let is_number = |piece: &[u8]| piece.first().is_some_and(u8::is_ascii_digit);
        let order = match is_number(own) && is_number(others) {
            true => (own.len(), own).cmp(&(others.len(), others)),
            false => own.cmp(others),
        };
        if order != Ordering::Equal || own.is_empty() {
            // Zeros in front of numbers do not count, unless nothing else differs.
            return order.then_with(|| one.cmp(other));
        }
        (a, b) = (rest, left);
    }
}

/// The digits at the start of a text, without zeros in front of them, or its first byte; and the rest.
fn piece(text: &[u8]) -> (&[u8], &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return text.split_at_checked(1).unwrap_or((text, &[]));
    }
    let (number, rest) = text.split_at_checked(digits).unwrap_or((text, &[]));
    let zeros = number.iter().take_while(|byte| **byte == b'0').count();
    let zeros = zeros.min(digits - 1);
    (number.get(zeros..).unwrap_or(number), rest)
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
