//! Everyone and everything that a text allows: each endpoint that a flow can have, one for each kind that differs.
//!
//! Users and tags are those with a name, and one more user where the users are not known. Addresses are divided at the edges of
//! all sets, and one address represents each part. Where devices are known, each of their addresses is an endpoint itself.
//! Must not live here: what they reach, claims about them.

use crate::cidr::{Address, AddressSet, Range};
use crate::policy::findings::words::joined;
use crate::policy::language::login::Account;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::relation::cuts::after;
use crate::policy::resolve::NOWHERE;
use crate::policy::tailnet::addresses::{internet, tailnet};
use crate::policy::tailnet::classes::Distinct;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Identity;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;
use crate::tables::sort;

/// One side of all flows: who or what can be there.
#[derive(Default)]
pub struct Places<'a> {
    /// Each with its own name.
    pub list: Vec<(String, Endpoint<'a>)>,
    names: Index<'static>,
    /// The addresses that represent no other, ascending.
    alone: Vec<Address>,
}

impl<'a> Places<'a> {
    /// One side, as far as these policies and selectors distinguish endpoints.
    #[inline(never)]
    pub fn new(judges: &[&Judge<'a>], named: &[Selector<'a>], side: Side) -> Places<'a> {
        let mut all = Places::default();
        for judge in judges {
            for selector in named {
                add_named(&judge.network, selector, side, &mut all);
            }
        }
        if side == Side::Source {
            const OUTSIDERS: &str = "autogroup:shared";
            let kind = Kind::Autogroup(Autogroup::Shared);
            all.add(
                OUTSIDERS,
                Endpoint::supposed(Identity::Some(kind, OUTSIDERS)),
            );
        }
        add_addresses(judges, named, &mut all);
        all
    }

    /// Whether an address represents no other.
    pub fn is_alone(&self, address: Address) -> bool {
        self.alone.binary_search(&address).is_ok()
    }

    /// The place of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.find(name)
    }

    /// Adds an endpoint, each name once.
    fn add(&mut self, name: &str, end: Endpoint<'a>) {
        if self.names.find(name).is_none() {
            self.names.set(name.to_owned().into(), self.list.len());
            self.list.push((name.to_owned(), end));
        }
    }
}

/// Adds a user or tag without a device; those with devices are there by the addresses of these.
fn add_named<'a>(network: &Network<'a>, selector: &Selector<'a>, side: Side, all: &mut Places<'a>) {
    let name = selector.name();
    let identity = match selector.kind {
        Kind::User if network.knows_user(name) != Some(false) => {
            Identity::User(network.login(name))
        }
        Kind::Tag if network.policy.tag_owners.contains(name) => Identity::Tag(name),
        Kind::Service if side == Side::Destination => Identity::Service(name),
        Kind::Autogroup(Autogroup::Role(_)) if !knows_roles(network) => {
            Identity::Some(selector.kind, name)
        }
        _ => return,
    };
    if network.devices_of(selector).is_empty() {
        all.add(name, Endpoint::supposed(identity));
    }
}

/// Whether the roles of all users are known.
fn knows_roles(network: &Network<'_>) -> bool {
    let users = network.context.users.as_deref();
    users.is_some_and(|users| users.iter().all(|user| user.role.is_some()))
}

/// Adds the addresses of devices, and one for each part of all others.
fn add_addresses<'a>(judges: &[&Judge<'a>], named: &[Selector<'a>], all: &mut Places<'a>) {
    let Some(network) = judges.first().map(|judge| &judge.network) else {
        return;
    };
    let mut sets = vec![tailnet().clone(), internet().clone()];
    for judge in judges {
        for selector in named {
            if !matches!(selector.kind, Kind::Any | Kind::Autogroup(_)) {
                sets.extend(judge.network.set_of(selector));
            }
        }
    }
    for route in network.routes.iter() {
        sets.push(AddressSet::from(route.range()));
    }
    let mut starts = vec![Address::V4(0), Address::V6(0)];
    for (at, _) in DeviceIndex::each(network.devices) {
        for &address in network.addresses(at) {
            add_edges(address.into(), &mut starts);
            all.add(&address.to_string(), network.end_at(address));
        }
    }
    for range in sets.iter().flat_map(AddressSet::ranges) {
        add_edges(range, &mut starts);
    }
    sort::sort(&mut starts);
    starts.dedup();
    let mut rest = starts.iter().peekable();
    while let Some(&start) = rest.next() {
        // The first address of a subnet mostly belongs to no device.
        let second = after(start).filter(|second| rest.peek() != Some(&second));
        let address = second.unwrap_or(start);
        if second.is_none() {
            all.alone.push(start);
        }
        if network.device_at(start).is_none() {
            all.add(&address.to_string(), network.end_at(address));
        }
    }
}

/// Adds the first address of a range and the one after its end.
fn add_edges(range: Range, starts: &mut Vec<Address>) {
    starts.push(range.first());
    starts.extend(after(range.last()));
}

/// All names of the policies, the tailnet and some claims: users first, then tags, then all others.
#[inline(never)]
pub fn named<'a>(
    judges: &[&Judge<'a>],
    claimed: &[Selector<'a>],
    fresh: &'a [String],
) -> Vec<Selector<'a>> {
    let mut all = Distinct::default();
    for judge in judges {
        let policy = judge.policy();
        let network = &judge.network;
        for (_, members) in policy.groups.iter() {
            add_all(members, &mut all);
        }
        for (tag, owners) in policy.tag_owners.iter() {
            all.place(&Selector::new(tag.text, NOWHERE));
            add_all(owners, &mut all);
        }
        for rule in policy.rules() {
            add_all(rule.sources, &mut all);
            rule.destinations().for_each(|to| {
                all.place(to);
            });
        }
        for rule in &policy.ssh {
            add_all(&rule.sources, &mut all);
            add_all(&rule.destinations, &mut all);
        }
        let users = network.context.users.iter().flatten();
        let logins = users.map(|user| user.written());
        for login in logins.chain(network.devices.iter().filter_map(|device| device.user())) {
            all.place(&Selector::new(login, NOWHERE));
        }
    }
    add_all(claimed, &mut all);
    for login in fresh {
        all.place(&Selector::new(login, NOWHERE));
    }
    let mut selectors = all.selectors;
    let rank = |selector: &Selector<'_>| match selector.kind {
        Kind::User => 0,
        Kind::Tag => 1,
        _ => 2,
    };
    sort::sort_by(&mut selectors, |a, b| rank(a).cmp(&rank(b)));
    selectors
}

fn add_all<'a>(selectors: &[Selector<'a>], all: &mut Distinct<'a>) {
    for selector in selectors {
        all.place(selector);
    }
}

/// Logins that nobody names, where the users are not known: one in each domain that is distinguished, and one for each
/// account that rules or claims name, and root, where somebody logs in under their own name.
#[inline(never)]
pub fn fresh_logins(
    judges: &[&Judge<'_>],
    claimed: &[Selector<'_>],
    accounts: &[&str],
) -> Vec<String> {
    let mut logins: Vec<String> = Vec::new();
    let known = named(judges, claimed, &[]);
    let Some(context) = judges.first().map(|judge| judge.network.context) else {
        return logins;
    };
    if context.users.is_some() {
        return logins;
    }
    let (mut names, mut own_domains) = (vec!["someone", "root"], Vec::new());
    let rules = judges.iter().flat_map(|judge| &judge.policy().ssh);
    let of_rules = rules.flat_map(|rule| &rule.users).map(|user| user.text);
    for account in of_rules.chain(accounts.iter().copied()) {
        match Account::parse(account) {
            Some(Account::Named(name)) => names.push(name),
            Some(Account::OwnName(domain)) => own_domains.push(domain),
            _ => {}
        }
    }
    let own = context.domains.iter().flatten().map(String::as_str);
    let mut domains: Vec<&str> = own.collect();
    domains.extend(known.iter().filter_map(Selector::domain));
    if domains.is_empty() {
        let users = known.iter().filter(|known| known.kind == Kind::User);
        let mut of_users = users.filter_map(|user| user.name().rsplit_once('@'));
        domains.push(of_users.next().map_or("example.com", |(_, domain)| domain));
    } else if context.domains.is_none() {
        // A domain that nothing names.
        domains.push("elsewhere.test");
    }
    let by_name = own_domains
        .iter()
        .flat_map(|domain| names.iter().map(move |name| (*name, *domain)));
    let others = domains.iter().map(|domain| ("someone", *domain));
    for (name, domain) in others.chain(by_name) {
        let mut login = joined(&[name, "@", domain]);
        while name == "someone" && known.iter().any(|known| known.name() == login) {
            login.insert(0, 'x');
        }
        if !logins.contains(&login) {
            logins.push(login);
        }
    }
    logins
}
