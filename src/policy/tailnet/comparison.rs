//! Everyone and everything that two documents can be compared by, and which selectors cover whom.
//! Must not live here: ports, what changed.

use crate::cidr::AddressSet;
use crate::tables::sort;

use super::addresses::{internet, set_of, tailnet};
use super::devices::{Network, Targets};
use super::identity::{Answer, Identity};
use super::net::Net;
use super::topology::Topology;
use crate::policy::access::openings;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::index::{Index, Lists};

/// Somebody who sends or something that is reached.
pub(crate) struct Party {
    /// How it is called in the answer.
    pub label: String,
    /// Who owns it, where that is one user.
    pub login: Option<String>,
    /// Whether it stands for the asking user's own devices.
    pub is_own: bool,
    /// Whether it is one device of the topology.
    pub is_device: bool,
    meaning: Meaning,
}

/// What a party is.
enum Meaning {
    User(String),
    Tag(String),
    /// Addresses.
    Set(AddressSet),
    /// The device at this place of the topology.
    Device(usize),
    /// A selector that only one of the same name covers.
    Named(Kind),
}

/// The parties that each selector of a document covers, by the selector's text.
pub(crate) type Covered<'p> = Lists<'p>;

/// The coverage in one of the two documents.
pub(crate) struct Side<'p> {
    pub sources: Covered<'p>,
    pub places: Covered<'p>,
}

/// Two documents and the parties that they are compared by.
pub(crate) struct World<'p> {
    pub policies: [&'p Policy<'p>; 2],
    pub sources: Vec<Party>,
    pub places: Vec<Party>,
    /// The place that stands for `*`, if a document names it.
    pub anywhere: Option<usize>,
    pub sides: [Side<'p>; 2],
}

impl<'p> World<'p> {
    pub fn new(policies: [&'p Policy<'p>; 2], topology: &'p Topology) -> World<'p> {
        let networks = policies.map(|policy| Network::new(policy, topology));
        let (sources, places) = match topology.devices.is_some() {
            true => (devices(&networks[0]), all_places(&networks)),
            false => (
                named_parties(policies, true),
                named_parties(policies, false),
            ),
        };
        let anywhere = places.iter().position(|place| place.label == "*");
        let side = |network: &Network<'p>| Side {
            sources: cover(network, topology, &sources, true),
            places: cover(network, topology, &places, false),
        };
        let sides = [side(&networks[0]), side(&networks[1])];
        World {
            policies,
            sources,
            places,
            anywhere,
            sides,
        }
    }
}

/// The distinct selectors of a document on one side of its rules.
fn named<'p>(policy: &'p Policy<'p>, as_source: bool) -> Vec<&'p Selector<'p>> {
    let mut seen = Index::default();
    let mut found: Vec<&Selector<'_>> = Vec::new();
    for rule in policy.rules() {
        if as_source {
            found.extend(rule.sources);
        } else {
            for (to, _) in openings(rule) {
                found.push(to);
            }
        }
    }
    found.retain(|selector| seen.set(selector.name().into(), 0));
    found
}

/// Which parties each selector of one side of the rules covers.
#[inline(never)]
fn cover<'p>(
    network: &Network<'p>,
    topology: &Topology,
    parties: &[Party],
    as_source: bool,
) -> Covered<'p> {
    let mut by_label = Index::default();
    for (index, party) in parties.iter().enumerate() {
        by_label.set(party.label.as_str().into(), index);
    }
    let everyone: Vec<usize> = (0..parties.len()).collect();
    let mut covered = Covered::default();
    for selector in named(network.policy, as_source) {
        let name = selector.name();
        let mut those = Vec::new();
        let candidates = match selector.kind {
            // Without devices these are parties under their own names.
            Kind::User | Kind::Tag if topology.devices.is_none() => {
                those.extend(by_label.find(name));
                &those
            }
            Kind::Group if topology.devices.is_none() => {
                for member in network.policy.groups.get(name).into_iter().flatten() {
                    those.extend(by_label.find(member.name()));
                }
                sort::sort(&mut those);
                those.dedup();
                &those
            }
            _ => &everyone,
        };
        let coverage = Coverage {
            network,
            topology,
            selector,
            addresses: network.policy.addresses(selector),
        };
        for &index in candidates {
            let Some(party) = parties.get(index) else {
                continue;
            };
            let covers = match as_source {
                true => coverage.has_source(party),
                false => coverage.has_place(party),
            };
            if covers {
                covered.add(name, index);
            }
        }
    }
    covered
}

fn devices(network: &Network<'_>) -> Vec<Party> {
    let mut parties = Vec::with_capacity(network.devices.len());
    for (index, device) in network.devices.iter().enumerate() {
        parties.push(Party {
            label: device.id.clone(),
            login: device.user().map(str::to_owned),
            is_own: false,
            is_device: true,
            meaning: Meaning::Device(index),
        });
    }
    parties
}

/// Every device, and what lies behind the routers as far as a document or a route names it.
fn all_places(networks: &[Network<'_>; 2]) -> Vec<Party> {
    let [first, _] = networks;
    let mut places = devices(first);
    let mut seen = Index::default();
    for device in first.devices {
        for address in &device.addresses {
            seen.set(address.to_string().into(), 0);
        }
    }
    let mut nets = first.subnets();
    for network in networks {
        for selector in named(network.policy, false) {
            if network.written(selector).is_some() {
                told(network, selector, &mut nets);
            }
        }
    }
    for net in nets {
        let label = net.to_string();
        if net != Net::All && seen.set(label.clone().into(), 0) {
            places.push(set_party(label, set_of(net.range().into_iter().collect())));
        }
    }
    if first.has_exit() {
        places.push(set_party(
            "autogroup:internet".to_owned(),
            internet().clone(),
        ));
    }
    places
}

/// The sets of a selector that some device is told of.
fn told(network: &Network<'_>, selector: &Selector<'_>, nets: &mut Vec<Net>) {
    match network.targets(selector) {
        Targets::Everyone(net) => nets.push(net),
        Targets::Some(told) => {
            for (_, net) in told {
                nets.push(net);
            }
        }
    }
}

fn set_party(label: String, set: AddressSet) -> Party {
    Party {
        label,
        login: None,
        is_own: false,
        is_device: false,
        meaning: Meaning::Set(set),
    }
}

/// Parties by identity: users, groups taken apart, tags, other selectors.
fn named_parties(policies: [&Policy<'_>; 2], as_source: bool) -> Vec<Party> {
    let mut parties = Parties::default();
    for policy in policies {
        for selector in named(policy, as_source) {
            parties.add(policy, selector);
        }
        parties.everyone(policy);
    }
    parties.list
}

/// Parties without repeats.
#[derive(Default)]
struct Parties {
    list: Vec<Party>,
    seen: Index<'static>,
}

impl Parties {
    fn add(&mut self, policy: &Policy<'_>, selector: &Selector<'_>) {
        let name = selector.name();
        match selector.kind {
            Kind::Group => {
                let members = policy.groups.get(name).into_iter().flatten();
                members.for_each(|member| self.user(member.name()));
            }
            Kind::User => self.user(name),
            Kind::Tag => self.push(name.to_owned(), Meaning::Tag(name.to_owned())),
            Kind::Any => self.push(name.to_owned(), Meaning::Set(AddressSet::everything())),
            kind => match policy.addresses(selector) {
                // An alias that means something else in the other document is another party.
                Some(set) if self.means_other(name, &set) => {
                    let nets: Vec<String> =
                        set.ranges().map(|r| Net::Range(r).to_string()).collect();
                    self.push(format!("{name} ({})", nets.join(", ")), Meaning::Set(set));
                }
                Some(set) => self.push(name.to_owned(), Meaning::Set(set)),
                None => self.push(name.to_owned(), Meaning::Named(kind)),
            },
        }
    }

    /// A document without rules speaks of everyone and everything.
    fn everyone(&mut self, policy: &Policy<'_>) {
        if policy.allows_all() {
            self.push("*".to_owned(), Meaning::Set(AddressSet::everything()));
        }
    }

    fn means_other(&self, name: &str, set: &AddressSet) -> bool {
        let known = self.seen.find(name).and_then(|place| self.list.get(place));
        known.is_some_and(|party| !matches!(&party.meaning, Meaning::Set(own) if own == set))
    }

    fn user(&mut self, login: &str) {
        self.push(login.to_owned(), Meaning::User(login.to_owned()));
    }

    fn push(&mut self, label: String, meaning: Meaning) {
        if self.seen.find(&label).is_some() {
            return;
        }
        self.seen.set(label.clone().into(), self.list.len());
        let login = match &meaning {
            Meaning::User(login) => Some(login.clone()),
            _ => None,
        };
        let is_own = matches!(meaning, Meaning::Named(Kind::Autogroup(Autogroup::Own)));
        self.list.push(Party {
            label,
            login,
            is_own,
            is_device: false,
            meaning,
        });
    }
}

/// Whom one selector covers.
struct Coverage<'a, 'p> {
    network: &'a Network<'p>,
    topology: &'a Topology,
    selector: &'p Selector<'p>,
    /// What it stands for, where that is addresses.
    addresses: Option<AddressSet>,
}

impl Coverage<'_, '_> {
    fn has_source(&self, party: &Party) -> bool {
        let kind = self.selector.kind;
        match &party.meaning {
            _ if kind == Kind::Autogroup(Autogroup::DangerAll) => true,
            Meaning::Set(set) if kind == Kind::Any => party.label == "*" || tailnet().covers(set),
            Meaning::Named(_) if kind == Kind::Any => true,
            _ => self.has(party),
        }
    }

    fn has_place(&self, party: &Party) -> bool {
        self.selector.kind == Kind::Any || self.has(party)
    }

    /// By addresses, by identity, or by name.
    fn has(&self, party: &Party) -> bool {
        let selector = self.selector;
        let identity = match &party.meaning {
            Meaning::Device(device) => {
                let devices = self.network.devices_of(selector);
                return devices.binary_search(device).is_ok();
            }
            Meaning::User(login) => Identity::User(login),
            Meaning::Tag(tag) => Identity::Tag(tag),
            Meaning::Set(set) => {
                let own = self.addresses.as_ref();
                return own.is_some_and(|own| own.covers(set));
            }
            Meaning::Named(Kind::Domain | Kind::Autogroup(Autogroup::Role(_)))
                if selector.kind == Kind::Autogroup(Autogroup::Member) =>
            {
                return true;
            }
            Meaning::Named(_) => return selector.name() == party.label,
        };
        identity.selected_by(selector, self.network.policy, self.topology) == Answer::Yes
    }
}
