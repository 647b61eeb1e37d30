//! One of two things that are compared: a document in a network, with its rules of one kind ready for questions.
//! Must not live here: what differs between two of them.

use std::borrow::Cow;

use super::cuts::after;
use super::rows::SshRules;
use crate::cidr::{Address, AddressSet, Range};
use crate::policy::language::document::Word;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::about::NamedSelectors;
use crate::policy::tailnet::addresses::internet;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::device_names::DeviceNames;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::parties::{PartyKind, kind_of};
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

/// A set of addresses that rules name: what it is, its name, and its addresses.
pub type NamedSet<'p> = (PartyKind, Cow<'p, str>, AddressSet);

/// A document in a network.
#[derive(Clone)]
pub struct Reading<'p> {
    /// Its network rules.
    pub judge: &'p Judge<'p>,
    /// Its ssh rules, if logins are compared.
    pub ssh: Option<&'p SshRules<'p>>,
    /// Its network.
    pub network: &'p Network<'p>,
    /// The names of its devices.
    pub names: &'p DeviceNames<'p>,
    /// Whether logins are compared.
    pub is_ssh: bool,
    /// Whether it is asked about everything that it defines, and not only about what rules name.
    pub is_exhaustive: bool,
    /// Readings for logins whose rules name machines besides, and users.
    pub beside: Vec<Reading<'p>>,
}

impl<'p> Reading<'p> {
    /// A document for questions about the network.
    pub fn of_network(judge: &'p Judge<'p>) -> Reading<'p> {
        Reading {
            judge,
            ssh: None,
            network: &judge.network,
            names: &judge.names,
            is_ssh: false,
            is_exhaustive: false,
            beside: Vec::new(),
        }
    }

    /// A document for questions about logins.
    pub fn of_ssh(judge: &'p Judge<'p>, ssh: &'p SshRules<'p>) -> Reading<'p> {
        Reading {
            ssh: Some(ssh),
            is_ssh: true,
            ..Reading::of_network(judge)
        }
    }

    /// The same for questions about everyone and everything that it names.
    pub fn exhaustive(self) -> Reading<'p> {
        Reading {
            is_exhaustive: true,
            ..self
        }
    }

    /// Whether its devices are known.
    pub fn knows_devices(&self) -> bool {
        self.network.context.devices.is_some()
    }

    /// Whether it is about logins, and no ssh rule gives any.
    pub fn has_no_logins(&self) -> bool {
        self.ssh.is_some_and(|ssh| ssh.rules.is_empty())
    }

    /// Whether it has no rules, and so everyone reaches everything (docs/policy-language.md#no-rules-at-all).
    pub fn allows_all(&self) -> bool {
        !self.is_ssh && self.network.policy.allows_all()
    }

    /// The distinct selectors of one side of its rules.
    pub fn named(&self, side: Side) -> &NamedSelectors<'p> {
        match (self.ssh, side) {
            (Some(ssh), Side::Source) => &ssh.sources,
            (Some(ssh), Side::Destination) => &ssh.destinations,
            (None, Side::Source) => &self.judge.about.sources,
            (None, Side::Destination) => &self.judge.about.destinations,
        }
    }

    /// The postures that its rules need of their sources, each once.
    pub fn postures(&self) -> Vec<&'p str> {
        let policy = self.network.policy;
        let mut names = Vec::new();
        match self.ssh {
            Some(ssh) => {
                let rules = ssh.rules.iter().map(|(.., rule)| rule.postures.as_deref());
                let words = rules.flat_map(|own| policy.postures_of(own));
                names.extend(words.map(Word::name));
            }
            None => {
                let rules = self.judge.about.rules.iter();
                let words = rules.flat_map(|rule| rule.postures);
                names.extend(words.map(Word::name));
            }
        }
        sort::sort(&mut names);
        names.dedup();
        names
    }

    /// The selectors that name machines on one side.
    pub fn selectors(&self, side: Side) -> impl Iterator<Item = &'p Selector<'p>> {
        let others = self.beside.iter().map(move |ssh| ssh.named(side));
        let own = self.named(side).selectors.iter();
        let own = own.chain(others.flat_map(|it| &it.selectors)).copied();
        own.chain(self.unopened(side))
    }

    /// The destinations of rules that open nothing there, such as grants of capabilities alone, where it is asked about everything.
    fn unopened(&self, side: Side) -> impl Iterator<Item = &'p Selector<'p>> {
        let is_asked = self.is_exhaustive && !self.is_ssh && side == Side::Destination;
        let rules = self.judge.about.rules.iter().filter(move |_| is_asked);
        let rules = rules.filter(|rule| rule.openings().next().is_none());
        rules.flat_map(|rule| rule.destinations())
    }

    /// Whether one of its rules is about the source's own devices.
    pub fn has_own(&self) -> bool {
        self.named(Side::Destination).selectors.iter().any(is_own)
    }

    /// Whether it is asked about the source's own devices, be it for rules beside its own alone.
    pub fn names_own(&self) -> bool {
        self.selectors(Side::Destination).any(|it| is_own(&it))
    }

    /// The logins that document, context and devices name, with repeats.
    pub fn logins(&self) -> Vec<&'p str> {
        let policy = self.network.policy;
        let mut logins = Vec::new();
        let root = policy.document.root().span();
        let groups = policy.groups.iter().map(|(_, members)| members);
        let owners = policy.tag_owners.iter().map(|(_, owners)| owners);
        for named in groups.chain(owners).flatten() {
            if Selector::new(named.name(), root).kind == Kind::User {
                logins.push(self.network.login(named.name()));
            }
        }
        for side in [Side::Source, Side::Destination] {
            let named = self.selectors(side);
            logins.extend(
                named
                    .filter(|s| s.kind == Kind::User)
                    .map(|s| self.network.login(s.name())),
            );
        }
        for user in self.network.context.users.iter().flatten() {
            logins.push(self.network.login(user.written()));
        }
        let synced = self.network.context.groups.iter().flatten();
        for (_, members) in synced {
            logins.extend(members.iter().map(|login| self.network.login(login.trim())));
        }
        logins.extend(
            self.network
                .devices
                .iter()
                .filter_map(|device| device.user()),
        );
        logins.extend(self.beside.iter().flat_map(Reading::logins));
        logins
    }

    /// The tags that document and devices name, with repeats.
    pub fn tags(&self) -> Vec<&'p str> {
        let mut tags = Vec::new();
        for (tag, _) in self.network.policy.tag_owners.iter() {
            tags.push(tag.name());
        }
        for side in [Side::Source, Side::Destination] {
            let named = self.selectors(side);
            tags.extend(named.filter(|s| s.kind == Kind::Tag).map(|s| s.name()));
        }
        for device in self.network.devices {
            tags.extend(device.tags().iter().map(|tag| tag.trim()));
        }
        tags
    }

    /// Adds the sets of addresses that rules name on one side, each with its name; for `*` also the subnets and the internet, by which
    /// its parts are called.
    pub fn add_sets(&self, side: Side, sets: &mut Vec<NamedSet<'p>>) {
        let mut has_any = self.allows_all();
        let named = self.named(side).selectors.iter().copied();
        for selector in named.chain(self.unopened(side)) {
            let set = match (selector.kind, side) {
                (Kind::Any, _) => {
                    has_any = true;
                    continue;
                }
                (Kind::Autogroup(Autogroup::Internet), Side::Source) => continue,
                _ => match self.network.set_of(selector) {
                    Some(set) => set,
                    None => continue,
                },
            };
            sets.push((kind_of(selector.kind), selector.name().into(), set));
        }
        if has_any {
            self.add_any(side, sets);
        }
        if self.is_exhaustive {
            self.add_defined(side, sets);
        }
    }

    /// What a document defines without naming it in a rule, and what is behind devices.
    fn add_defined(&self, side: Side, sets: &mut Vec<NamedSet<'p>>) {
        let policy = self.network.policy;
        for name in policy.hosts.names().chain(policy.ipsets.names()) {
            let selector = Selector::new(name, policy.document.root().span());
            if let Some(set) = self.network.set_of(&selector) {
                sets.push((kind_of(selector.kind), name.into(), set));
            }
        }
        if side == Side::Destination {
            self.add_behind(sets);
        }
    }

    /// The subnets and the internet behind devices.
    fn add_behind(&self, sets: &mut Vec<NamedSet<'p>>) {
        for route in self.network.routes.iter() {
            let name = Net::Range(route.range()).to_string();
            sets.push((PartyKind::Subnet, name.into(), route.range().into()));
        }
        if !self.network.routes.exits.is_empty() {
            let internet = internet().clone();
            sets.push((PartyKind::Internet, "autogroup:internet".into(), internet));
        }
    }

    fn add_any(&self, side: Side, sets: &mut Vec<NamedSet<'p>>) {
        for route in self.network.routes.iter() {
            let name = Net::Range(route.range()).to_string();
            sets.push((PartyKind::Subnet, name.into(), route.range().into()));
        }
        match (side, self.knows_devices()) {
            (Side::Destination, _) => {
                let all = AddressSet::everything();
                sets.push((PartyKind::Any, "*".into(), all));
                if !self.network.routes.exits.is_empty() {
                    let internet = internet().clone();
                    sets.push((PartyKind::Internet, "autogroup:internet".into(), internet));
                }
            }
            // With devices, everyone in the tailnet has a name.
            (Side::Source, true) => {}
            (Side::Source, false) => {
                sets.push((PartyKind::Any, "*".into(), self.network.inside.clone()));
            }
        }
    }

    /// Whether a device has an address of a set.
    pub fn has_device_in(&self, set: &AddressSet) -> bool {
        let mut ranges = set.ranges();
        ranges.any(|range| !self.network.held(Net::Range(range)).is_empty())
    }

    /// The endpoint at an address that no device of the context has. Where devices are not known it is asked about as an address:
    /// whoever has it reaches what their names reach besides.
    pub fn end_at(&self, address: Address) -> Endpoint<'p> {
        Endpoint {
            place: Place::At(address),
            identity: Identity::Nobody,
            device: None,
        }
    }

    /// An address of a range that no device has.
    pub fn free_address(&self, range: Range) -> Option<Address> {
        let mut free = range.first();
        for &(held, _) in self.network.held(Net::Range(range)) {
            if held == free {
                free = after(free).filter(|next| *next <= range.last())?;
            }
        }
        Some(free)
    }

    /// The device that a set of addresses is behind, by its id: the first exit node, or the first router to it; and what the set is
    /// for that reason.
    pub fn behind(
        &self,
        kind: PartyKind,
        name: &str,
        set: &AddressSet,
    ) -> Option<(PartyKind, Option<String>)> {
        let network = self.network;
        let id = |device: DeviceIndex| device.of(network.devices).map(|device| device.id.clone());
        if let ("autogroup:internet", Some(exit)) = (name, network.routes.exits.first()) {
            return Some((PartyKind::Internet, id(*exit)));
        }
        let is_named = matches!(
            kind,
            PartyKind::Address | PartyKind::Prefix | PartyKind::Range | PartyKind::Subnet
        );
        if !is_named || self.has_device_in(set) {
            return None;
        }
        let mut router = None;
        for range in set.ranges() {
            network.routes.overlapping(range, &mut |route| {
                router = router.or(route.routers.first().copied());
            });
        }
        router.map(|router| (PartyKind::Subnet, id(router)))
    }

    /// Whether certainly no device is meant by an autogroup or domain, or none but those that are known.
    pub fn is_name_alone(&self, selector: &Selector<'_>) -> bool {
        let is_of_devices = match selector.kind {
            Kind::Autogroup(Autogroup::Member | Autogroup::Tagged | Autogroup::Role(_)) => true,
            kind => kind == Kind::Domain,
        };
        let may_be = |device| {
            let end = Endpoint::supposed(Identity::from(device));
            self.network.takes_in(selector, Side::Source, &end) != Answer::No
        };
        let has_none = || self.knows_devices() && !self.network.devices.iter().any(may_be);
        is_of_devices && has_none() || !self.may_have_more(selector)
    }

    /// Whether there may be machines behind a selector that no device of the context is.
    pub fn may_have_more(&self, selector: &Selector<'_>) -> bool {
        match selector.kind {
            Kind::Autogroup(Autogroup::Member | Autogroup::Tagged | Autogroup::Role(_))
            | Kind::Domain => {
                let is_role = matches!(selector.kind, Kind::Autogroup(Autogroup::Role(_)));
                let is_known =
                    self.knows_devices() && (!is_role || self.network.context.users.is_some());
                !is_known || self.network.devices_of(selector).is_empty()
            }
            Kind::Group => self.network.groups.is_unknown(selector.name()),
            _ => true,
        }
    }
}

fn is_own(selector: &&Selector<'_>) -> bool {
    selector.kind == Kind::Autogroup(Autogroup::Own)
}
