//! The devices of a tailnet, indexed by what selectors ask for: from a selector to devices and addresses.
//! Must not live here: rules, ports, what a filter looks like.

use crate::cidr::{Address, Range};
use crate::tables::sort;

use super::addresses::{internet, tailnet};
use super::identity::in_domain;
use super::net::{Net, overlap, whole};
use super::topology::{Device, Topology};
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::index::Lists;

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
    topology: &'p Topology,
    by_user: Lists<'p>,
    by_tag: Lists<'p>,
    /// Ascending.
    by_address: Vec<(Address, DeviceIndex)>,
    /// Approved routes, exit routes left out.
    routes: Vec<(Range, DeviceIndex)>,
    /// Devices with an approved exit route.
    exits: Vec<DeviceIndex>,
    /// What `*` stands for as a source.
    anyone: Vec<Net>,
    internet: Vec<Net>,
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
            routes: Vec::new(),
            exits: Vec::new(),
            anyone: Vec::new(),
            internet: internet().ranges().map(Net::Ends).collect(),
        };
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
        for &route in &device.routes {
            match route.is_default_route() {
                true => self.exits.push(index),
                false => self.routes.push((whole(route), index)),
            }
        }
        self.exits.dedup();
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
        let mut subnets = Vec::with_capacity(self.routes.len());
        for &(route, _) in &self.routes {
            subnets.push(Net::Range(route));
        }
        sorted(subnets)
    }

    /// Whether a device is an approved exit node.
    pub fn has_exit(&self) -> bool {
        !self.exits.is_empty()
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

    /// What a list of selectors stands for as the sources of a rule: sorted, without repeats; nothing makes the rule void.
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
                let set = self.policy.addresses(selector).unwrap_or_default();
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
                    if self.takes_in(selector, device) {
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

    /// Whether a domain or an autogroup takes in a device.
    fn takes_in(&self, selector: &Selector<'_>, device: &Device) -> bool {
        let login = device.user();
        match selector.kind {
            Kind::Domain => login.is_some_and(|login| in_domain(login, selector)),
            Kind::Autogroup(Autogroup::Member | Autogroup::Own) => login.is_some(),
            Kind::Autogroup(Autogroup::Tagged) => !device.tags().is_empty(),
            Kind::Autogroup(Autogroup::Role(role)) => {
                login.is_some_and(|login| self.topology.has_role(login, role) == Some(true))
            }
            _ => false,
        }
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
                for &exit in &self.exits {
                    for &net in &self.internet {
                        told.push((exit, net));
                    }
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
            for &(route, router) in &self.routes {
                if overlap(route, range) {
                    devices.push(router);
                }
            }
            if self.is_internet(range) {
                devices.extend_from_slice(&self.exits);
            }
        }
        for device in ascending(devices) {
            told.push((device, net));
        }
    }

    fn is_internet(&self, range: Range) -> bool {
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

    /// The devices that pass traffic on for a `via` grant: with one of the tags and an approved route to the set; of
    /// everything each passes on what its own routes lead to.
    pub fn via(&self, tags: &[Selector<'_>], to: &Selector<'_>) -> Vec<(DeviceIndex, Net)> {
        let tagged = self.all_devices_of(tags);
        let nets = self.written(to).unwrap_or_default();
        let mut told = Vec::new();
        for &(route, router) in &self.routes {
            if tagged.binary_search(&router).is_err() {
                continue;
            }
            if to.kind == Kind::Any {
                told.push((router, Net::Range(route)));
            }
            for &net in &nets {
                if net.range().is_some_and(|range| overlap(route, range)) {
                    told.push((router, net));
                }
            }
        }
        told
    }
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
