//! A policy with a tailnet: its devices, users, routes and sets, indexed for selectors.
//! Must not live here: whether a selector includes somebody (party.rs), who receives a rule (receivers.rs).

use crate::cidr::{Address, AddressSet, Range};
use crate::tables::sort;

use super::addresses::{IpSets, internet, tailnet};
use super::context::{Device, DeviceIndex, PolicyContext};
use super::identity::Answer;
use super::membership::Membership;
use super::net::Net;
use super::postures::Attributes;
use super::routes::Routes;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Kind, Role, Selector};
use crate::tables::index::{Index, Lists};

/// A policy's view of the devices of a context.
pub(crate) struct Network<'p> {
    pub policy: &'p Policy<'p>,
    pub devices: &'p [Device],
    pub context: &'p PolicyContext,
    by_user: Lists<'p, DeviceIndex>,
    pub by_tag: Lists<'p, DeviceIndex>,
    /// Ascending.
    by_address: Vec<(Address, DeviceIndex)>,
    /// The approved routes.
    pub routes: Routes,
    /// What `*` means as a source.
    pub anyone: Vec<Net>,
    /// The same as a set.
    pub inside: AddressSet,
    /// The public internet, as devices receive it.
    pub internet: Vec<Net>,
    /// Indices of users in the context, by login.
    users: Index<'p>,
    /// Who is in which group.
    pub groups: Membership<'p>,
    /// Posture attributes of devices.
    pub attributes: Attributes<'p>,
    /// The ipsets that rules name.
    ipsets: IpSets<'p>,
}

impl<'p> Network<'p> {
    #[inline(never)]
    pub fn new(policy: &'p Policy<'p>, context: &'p PolicyContext) -> Network<'p> {
        let devices = context.devices.as_deref().unwrap_or_default();
        let mut network = Network {
            policy,
            devices,
            context,
            by_user: Lists::default(),
            by_tag: Lists::default(),
            by_address: Vec::new(),
            routes: Routes::new(devices, |device| &device.routes),
            anyone: Vec::new(),
            inside: AddressSet::new(),
            internet: internet().ranges().map(Net::Ends).collect(),
            users: Index::default(),
            groups: Membership::new(policy, context),
            attributes: Attributes::new(policy, context),
            ipsets: policy.ipsets_of(&named_ipsets(policy)),
        };
        for (at, user) in context.users.iter().flatten().enumerate() {
            let login = network.groups.logins.at(at);
            let login = login.unwrap_or(user.written());
            network.users.place(login, at);
        }
        for (index, device) in DeviceIndex::each(devices) {
            network.add(index, device);
        }
        sort::sort(&mut network.by_address);
        network.anyone = network.source_of_anyone();
        let inside = network.anyone.iter().filter_map(|net| net.range());
        network.inside = inside.collect();
        network
    }

    fn add(&mut self, index: DeviceIndex, device: &'p Device) {
        if let Some(login) = device.user() {
            self.by_user.add(login, index);
        }
        for tag in device.tags() {
            self.by_tag.add(tag.trim(), index);
        }
        for &address in &device.addresses {
            self.by_address.push((address, index));
        }
    }

    fn source_of_anyone(&self) -> Vec<Net> {
        let mut nets = self.subnets();
        for range in tailnet().ranges() {
            nets.push(Net::Range(range));
        }
        sorted(nets)
    }

    /// What `*` means as a source: the tailnet and every approved route.
    pub fn anyone(&self) -> Vec<Net> {
        self.anyone.clone()
    }

    /// The approved subnet routes, without exit routes.
    pub fn subnets(&self) -> Vec<Net> {
        let mut subnets = Vec::new();
        for route in self.routes.iter() {
            subnets.push(Net::Range(route.range()));
        }
        sorted(subnets)
    }

    /// The device that has an address.
    pub fn device_at(&self, address: Address) -> Option<DeviceIndex> {
        let at = self.by_address.partition_point(|(own, _)| *own < address);
        let found = self.by_address.get(at).filter(|(own, _)| *own == address);
        found.map(|&(_, device)| device)
    }

    /// Whether a user has a role; `None` if that is not known.
    pub fn has_role(&self, login: &str, role: Role) -> Option<bool> {
        let users = self.context.users.as_deref()?;
        match self
            .users
            .find(self.login(login))
            .and_then(|at| users.get(at))
        {
            Some(user) => user.has_role(role),
            None => Some(false),
        }
    }

    /// Whether a login is one of the tailnet's; `None` if its users are not known.
    pub fn knows_user(&self, login: &str) -> Option<bool> {
        let login = self.login(login);
        let known = || self.users.find(login).is_some() || !self.of_user(login).is_empty();
        self.context.users.is_some().then(known)
    }

    /// Whether a login is in a group. Members that nothing tells are users of the tailnet.
    pub fn is_member(&self, login: &str, group: &str) -> Answer {
        match self.groups.is_unknown(group) {
            true if self.knows_user(login) != Some(false) => Answer::Unknown,
            _ => self.groups.lists(group, login).into(),
        }
    }

    /// The names of the groups that list a login; it may be in others whose members are unknown.
    pub fn groups_of(&self, login: &str) -> impl Iterator<Item = &str> {
        self.groups.groups_of(login)
    }

    /// The addresses of an ipset that a rule names.
    pub fn ipset(&self, name: &str) -> Option<&AddressSet> {
        self.ipsets.get(name)
    }

    /// The addresses of a device.
    pub fn addresses(&self, device: DeviceIndex) -> &'p [Address] {
        let device = device.of(self.devices);
        device.map_or(&[], |device| &device.addresses)
    }

    /// The addresses of devices, one by one.
    pub fn own_nets(&self, devices: &[DeviceIndex]) -> Vec<Net> {
        let mut nets = Vec::new();
        self.add_own_nets(devices, &mut nets);
        nets
    }

    pub fn add_own_nets(&self, devices: &[DeviceIndex], nets: &mut Vec<Net>) {
        for &device in devices {
            for &address in self.addresses(device) {
                nets.push(address.into());
            }
        }
    }

    /// The sets that an address selector means, as written; `None` for an identity selector.
    pub fn written(&self, selector: &Selector<'_>) -> Option<Vec<Net>> {
        match selector.kind {
            Kind::Address | Kind::Prefix => {
                Some(selector.range().map(Net::Range).into_iter().collect())
            }
            Kind::Range => Some(selector.range().map(Net::Ends).into_iter().collect()),
            Kind::Host => {
                let range = self.policy.host_range(selector.name());
                Some(range.map(Net::Range).into_iter().collect())
            }
            Kind::IpSet => {
                let set = match self.ipset(selector.name()) {
                    Some(set) => set.clone(),
                    None => self.policy.addresses(selector).unwrap_or_default(),
                };
                Some(set.ranges().map(Net::Range).collect())
            }
            _ => None,
        }
    }

    /// The untagged devices of a user.
    pub fn of_user(&self, login: &str) -> &[DeviceIndex] {
        self.by_user.get(self.login(login))
    }

    /// The selector by which somebody is named: that of the login for any name of a user.
    pub fn named_by(&self, selector: &Selector<'p>) -> Selector<'p> {
        let login = self.login(selector.name());
        match selector.kind == Kind::User && login != selector.name() {
            true => Selector::new(login, selector.span),
            false => *selector,
        }
    }

    /// The mail address of a user, of which the local part may be an account: the login itself, unless users are named otherwise.
    pub fn mail<'a>(&'a self, login: &'a str) -> Option<&'a str> {
        match self.groups.logins.is_by_token() {
            false => Some(login),
            true => {
                let users = self.context.users.as_deref()?;
                let user = users.get(self.users.find(login)?)?;
                user.email.as_deref()
            }
        }
    }

    /// Whether it is known which mail address a user has, if any.
    pub fn knows_mail(&self) -> bool {
        !self.groups.logins.is_by_token() || self.context.users.is_some()
    }

    /// The login of the user whom a name means; the name itself if it means nobody.
    #[inline]
    pub fn login<'a>(&self, name: &'a str) -> &'a str
    where
        'p: 'a,
    {
        self.groups.logins.of(name)
    }

    /// The devices with an address in a range, ascending.
    pub fn holders(&self, range: Range) -> Vec<DeviceIndex> {
        let mut found = Vec::new();
        self.add_holders(Net::Range(range), &mut found);
        ascending(found)
    }

    /// Adds the devices with an address in the set.
    pub fn add_holders(&self, net: Net, found: &mut Vec<DeviceIndex>) {
        for &(_, device) in self.held(net) {
            found.push(device);
        }
    }

    /// The addresses of devices in the set, each with its device.
    pub fn held(&self, net: Net) -> &[(Address, DeviceIndex)] {
        let Some(range) = net.range() else {
            return &self.by_address;
        };
        let from = self
            .by_address
            .partition_point(|(own, _)| *own < range.first());
        let to = self
            .by_address
            .partition_point(|(own, _)| *own <= range.last());
        self.by_address.get(from..to).unwrap_or_default()
    }
}

/// The ipsets that rules name, with repeats.
fn named_ipsets<'p>(policy: &'p Policy<'p>) -> Vec<&'p str> {
    let mut names = Vec::new();
    if policy.ipsets.is_empty() {
        return names;
    }
    for rule in policy.rules() {
        for selector in rule.sources.iter().chain(rule.destinations()) {
            if selector.kind == Kind::IpSet {
                names.push(selector.name());
            }
        }
    }
    names
}

#[inline(never)]
pub(crate) fn sorted(mut nets: Vec<Net>) -> Vec<Net> {
    sort::sort(&mut nets);
    nets.dedup();
    nets
}

#[inline(never)]
pub(crate) fn ascending(mut devices: Vec<DeviceIndex>) -> Vec<DeviceIndex> {
    sort::sort(&mut devices);
    devices.dedup();
    devices
}
