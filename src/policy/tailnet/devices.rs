//! The devices of a tailnet, indexed by what selectors ask for: from a selector to devices and addresses.
//! Must not live here: rules, ports, what a filter looks like.

use crate::cidr::{Address, AddressSet, Range};
use crate::tables::sort;

use super::addresses::{IpSets, internet, tailnet};
use super::endpoint::Endpoint;
use super::identity::{Answer, Identity};
use super::net::Net;
use super::party::Side;
use super::routes::Routes;
use super::topology::{Device, Topology};
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Role, Selector};
use crate::tables::index::{Index, Lists};

/// A device, as its place in the topology.
pub(crate) type DeviceIndex = usize;

/// Who receives what is sent to a selector, and under which address (policy-language.md 6).
pub(crate) enum Targets {
    /// Every device is told the same.
    Everyone(Net),
    /// These devices, each with what it is told.
    Some(Vec<(DeviceIndex, Net)>),
}

/// A policy's view of the devices of a topology.
pub(crate) struct Network<'p> {
    pub policy: &'p Policy<'p>,
    pub devices: &'p [Device],
    pub topology: &'p Topology,
    by_user: Lists<'p>,
    by_tag: Lists<'p>,
    /// Ascending.
    by_address: Vec<(Address, DeviceIndex)>,
    /// The approved routes.
    pub routes: Routes,
    /// What `*` stands for as a source.
    anyone: Vec<Net>,
    internet: Vec<Net>,
    /// Places of users in the topology, by login.
    users: Index<'p>,
    /// Places of groups in their table, by the login of each member.
    groups: Lists<'p>,
    /// The ipsets that rules name.
    ipsets: IpSets<'p>,
}

impl<'p> Network<'p> {
    #[inline(never)]
    pub fn new(policy: &'p Policy<'p>, topology: &'p Topology) -> Network<'p> {
        let devices = topology.devices.as_deref().unwrap_or_default();
        let mut network = Network {
            policy,
            devices,
            topology,
            by_user: Lists::default(),
            by_tag: Lists::default(),
            by_address: Vec::new(),
            routes: Routes::new(devices, |device| &device.routes),
            anyone: Vec::new(),
            internet: internet().ranges().map(Net::Ends).collect(),
            users: Index::default(),
            groups: Lists::default(),
            ipsets: policy.ipsets_of(&named_ipsets(policy)),
        };
        for (at, user) in topology.users.iter().flatten().enumerate() {
            network.users.place(user.login_name.trim(), at);
        }
        for (at, (_, members)) in policy.groups.iter().enumerate() {
            for member in members {
                network.groups.add(member.name(), at);
            }
        }
        for (index, device) in devices.iter().enumerate() {
            network.add(index, device);
        }
        sort::sort(&mut network.by_address);
        network.anyone = network.source_of_anyone();
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

    /// What `*` stands for as a source: the tailnet and every approved route.
    pub fn anyone(&self) -> Vec<Net> {
        self.anyone.clone()
    }

    /// The approved subnets, exit routes left out.
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

    /// Whether a user holds a role; `None` when that is not known.
    pub fn has_role(&self, login: &str, role: Role) -> Option<bool> {
        let users = self.topology.users.as_deref()?;
        match self.users.find(login).and_then(|at| users.get(at)) {
            Some(user) => {
                let own = user.role.as_deref()?;
                Some(Role::parse(own) == Some(role))
            }
            None => Some(false),
        }
    }

    /// Whether a login is one of the tailnet's; `None` when its users are not known.
    pub fn knows_user(&self, login: &str) -> Option<bool> {
        let known = || self.users.find(login).is_some() || !self.of_user(login).is_empty();
        self.topology.users.is_some().then(known)
    }

    /// The groups that name a login, as they are called.
    pub fn groups_of(&self, login: &str) -> impl Iterator<Item = &str> {
        let places = self.groups.get(login).iter();
        places.filter_map(|&place| self.policy.groups.name(place))
    }

    /// The addresses of an ipset that a rule names.
    pub fn ipset(&self, name: &str) -> Option<&AddressSet> {
        self.ipsets.get(name)
    }

    /// The addresses of a device.
    pub fn addresses(&self, device: DeviceIndex) -> &'p [Address] {
        let device = self.devices.get(device);
        device.map_or(&[], |device| &device.addresses)
    }

    /// The devices of each user, tagged ones left out; users in the order of their first device.
    pub fn users(&self) -> &[Vec<DeviceIndex>] {
        self.by_user.all()
    }

    /// The devices that some of the selectors take in, ascending.
    #[inline(never)]
    pub fn all_devices_of(&self, selectors: &[Selector<'_>]) -> Vec<DeviceIndex> {
        let mut found = Vec::new();
        for selector in selectors {
            self.add_devices_of(selector, &mut found);
        }
        ascending(found)
    }

    /// What a list of selectors stands for as the sources of a rule: sorted, without repeats; a rule without any is void.
    #[inline(never)]
    pub fn sources(&self, selectors: &[Selector<'_>]) -> Vec<Net> {
        let mut nets = Vec::new();
        for selector in selectors {
            match selector.kind {
                Kind::Any => nets.extend_from_slice(&self.anyone),
                Kind::Autogroup(Autogroup::DangerAll) => nets.push(Net::All),
                _ => match self.written(selector) {
                    Some(mut written) => nets.append(&mut written),
                    None => self.add_own_nets(&self.devices_of(selector), &mut nets),
                },
            }
        }
        sorted(nets)
    }

    /// The addresses of devices, one by one.
    pub fn own_nets(&self, devices: &[DeviceIndex]) -> Vec<Net> {
        let mut nets = Vec::new();
        self.add_own_nets(devices, &mut nets);
        nets
    }

    fn add_own_nets(&self, devices: &[DeviceIndex], nets: &mut Vec<Net>) {
        for &device in devices {
            for &address in self.addresses(device) {
                nets.push(address.into());
            }
        }
    }

    /// The sets that a selector by address stands for, as written; `None` for a selector by identity.
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

    /// The devices that a selector takes in because of who they are, ascending (policy-language.md 3).
    #[inline(never)]
    pub fn devices_of(&self, selector: &Selector<'_>) -> Vec<DeviceIndex> {
        let mut found = Vec::new();
        self.add_devices_of(selector, &mut found);
        ascending(found)
    }

    #[inline(never)]
    fn add_devices_of(&self, selector: &Selector<'_>, found: &mut Vec<DeviceIndex>) {
        let name = selector.name();
        match selector.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => {
                found.extend(0..self.devices.len())
            }
            Kind::User => found.extend_from_slice(self.of_user(name)),
            Kind::Group => {
                for member in self.policy.groups.get(name).into_iter().flatten() {
                    found.extend_from_slice(self.of_user(member.name()));
                }
            }
            Kind::Tag => found.extend_from_slice(self.by_tag.get(name)),
            Kind::Domain | Kind::Autogroup(_) => {
                for (index, device) in self.devices.iter().enumerate() {
                    let end = Endpoint::supposed(Identity::from(device));
                    if self.takes_in(selector, Side::Source, &end) == Answer::Yes {
                        found.push(index);
                    }
                }
            }
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
                for net in self.written(selector).unwrap_or_default() {
                    self.add_holders(net, found);
                }
            }
            Kind::Service => {}
        }
    }

    /// The untagged devices of a user.
    pub fn of_user(&self, login: &str) -> &[DeviceIndex] {
        self.by_user.get(login)
    }

    /// The devices with an address in a range, ascending.
    pub fn holders(&self, range: Range) -> Vec<DeviceIndex> {
        let mut found = Vec::new();
        self.add_holders(Net::Range(range), &mut found);
        ascending(found)
    }

    /// Adds the devices with an address in the set.
    fn add_holders(&self, net: Net, found: &mut Vec<DeviceIndex>) {
        let first = net.range().map(Range::first);
        let start = self.by_address.partition_point(|(a, _)| Some(*a) < first);
        for &(address, device) in self.by_address.get(start..).unwrap_or_default() {
            if !net.contains(address) {
                break;
            }
            found.push(device);
        }
    }

    /// Who is told of a destination, and how (policy-language.md 6); `autogroup:self` depends on the source and is not
    /// answered here.
    #[inline(never)]
    pub fn targets(&self, selector: &Selector<'_>) -> Targets {
        let mut told = Vec::new();
        match selector.kind {
            Kind::Any => return Targets::Everyone(Net::All),
            Kind::Autogroup(Autogroup::Internet) => {
                for &net in &self.internet {
                    for &exit in &self.routes.exits {
                        told.push((exit, net));
                    }
                    self.add_public_routers(net, &mut told);
                }
            }
            Kind::Autogroup(Autogroup::Own) => {}
            _ => match self.written(selector) {
                Some(nets) => {
                    for net in nets {
                        self.add_receivers(net, &mut told);
                    }
                }
                None => told = self.each_own(&self.devices_of(selector)),
            },
        }
        Targets::Some(told)
    }

    /// Each device with its own addresses.
    pub fn each_own(&self, devices: &[DeviceIndex]) -> Vec<(DeviceIndex, Net)> {
        let mut told = Vec::new();
        for &device in devices {
            for &address in self.addresses(device) {
                told.push((device, address.into()));
            }
        }
        told
    }

    /// Adds the devices that are told of a set of addresses: those with an address in it, routers to it, and exit nodes
    /// if it lies wholly in the internet. The set is told as written.
    fn add_receivers(&self, net: Net, told: &mut Vec<(DeviceIndex, Net)>) {
        let mut devices = Vec::new();
        self.add_holders(net, &mut devices);
        if let Some(range) = net.range() {
            self.routes.overlapping(range, &mut |route| {
                devices.extend_from_slice(&route.routers);
            });
            if self.is_internet(range) {
                devices.extend_from_slice(&self.routes.exits);
            }
        }
        for device in ascending(devices) {
            told.push((device, net));
        }
    }

    /// Adds the routers to public subnets, told of the part of the internet that overlaps one.
    fn add_public_routers(&self, net: Net, told: &mut Vec<(DeviceIndex, Net)>) {
        if let Some(public) = net.range() {
            self.routes.overlapping(public, &mut |route| {
                add_told(&route.routers, net, told);
            });
        }
    }

    /// Whether a range lies wholly in the public internet.
    pub fn is_internet(&self, range: Range) -> bool {
        for net in &self.internet {
            if let Some(part) = net.range()
                && part.first() <= range.first()
                && range.last() <= part.last()
            {
                return true;
            }
        }
        false
    }

    /// The devices that pass traffic on for a `via` grant, each with what it is told: those with one of the tags and an
    /// approved route to the set; of everything each passes on what its own routes lead to. The default routes of an exit
    /// node are for `autogroup:internet` alone (policy-language.md 5).
    #[inline(never)]
    pub fn via(&self, tags: &[Selector<'_>], to: &Selector<'_>) -> Vec<(DeviceIndex, Net)> {
        let tagged = self.all_devices_of(tags);
        let mut told = Vec::new();
        match to.kind {
            Kind::Any => {
                for route in self.routes.iter() {
                    add_told(&route.routers, Net::Range(route.range()), &mut told);
                }
            }
            Kind::Autogroup(Autogroup::Internet) => {
                for &net in &self.internet {
                    add_told(&self.routes.exits, net, &mut told);
                }
            }
            _ => {
                for net in self.written(to).unwrap_or_default() {
                    if let Some(range) = net.range() {
                        self.routes.overlapping(range, &mut |route| {
                            add_told(&route.routers, net, &mut told);
                        });
                    }
                }
            }
        }
        told.retain(|(device, _)| tagged.binary_search(device).is_ok());
        told
    }
}

fn add_told(devices: &[DeviceIndex], net: Net, told: &mut Vec<(DeviceIndex, Net)>) {
    for &device in devices {
        told.push((device, net));
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

/// The selectors but `autogroup:self`, and whether that is among them.
#[inline(never)]
pub(crate) fn without_own<'t>(selectors: &[Selector<'t>]) -> (Vec<Selector<'t>>, bool) {
    let mut others = Vec::with_capacity(selectors.len());
    for selector in selectors {
        if selector.kind != Kind::Autogroup(Autogroup::Own) {
            others.push(*selector);
        }
    }
    let own = others.len() < selectors.len();
    (others, own)
}

#[inline(never)]
pub(crate) fn sorted(mut nets: Vec<Net>) -> Vec<Net> {
    sort::sort(&mut nets);
    nets.dedup();
    nets
}

#[inline(never)]
fn ascending(mut devices: Vec<DeviceIndex>) -> Vec<DeviceIndex> {
    sort::sort(&mut devices);
    devices.dedup();
    devices
}
