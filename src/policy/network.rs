//! The devices of a tailnet, indexed by what selectors ask for: from a selector to devices and addresses.
//! Must not live here: rules, ports, what a filter looks like.

use std::collections::BTreeMap;

use crate::cidr::{Address, Range};
use crate::order;

use super::addresses::{internet, tailnet};
use super::document::Policy;
use super::identity::in_domain;
use super::net::{Net, overlap, whole};
use super::selector::{Autogroup, Kind, Selector};
use super::topology::{Device, Topology};

/// A device, as its place in the topology.
pub(super) type DeviceIndex = usize;

/// Who receives what is sent to a selector, and under which address (policy-language.md 6).
pub(super) enum Targets {
    /// Every device is told the same.
    Everyone(Net),
    /// These devices, each with what it is told.
    Some(Vec<(DeviceIndex, Net)>),
}

/// A policy's view of the devices of a topology.
pub(super) struct Network<'p> {
    pub policy: &'p Policy<'p>,
    pub devices: &'p [Device],
    topology: &'p Topology,
    by_user: BTreeMap<&'p str, Vec<DeviceIndex>>,
    by_tag: BTreeMap<&'p str, Vec<DeviceIndex>>,
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
            by_user: BTreeMap::new(),
            by_tag: BTreeMap::new(),
            by_address: Vec::new(),
            routes: Vec::new(),
            exits: Vec::new(),
            anyone: Vec::new(),
            internet: internet().ranges().map(Net::Ends).collect(),
        };
        for (index, device) in devices.iter().enumerate() {
            network.add(index, device);
        }
        order::sort(&mut network.by_address);
        network.anyone = network.source_of_anyone();
        network
    }

    fn add(&mut self, index: DeviceIndex, device: &'p Device) {
        if let Some(login) = device.user() {
            self.by_user.entry(login).or_default().push(index);
        }
        for tag in device.tags() {
            self.by_tag.entry(tag.trim()).or_default().push(index);
        }
        let addresses = device.addresses.iter();
        self.by_address.extend(addresses.map(|&a| (a, index)));
        for &route in &device.routes {
            match route.is_default_route() {
                true => self.exits.push(index),
                false => self.routes.push((whole(route), index)),
            }
        }
        self.exits.dedup();
    }

    fn source_of_anyone(&self) -> Vec<Net> {
        let mut nets: Vec<Net> = tailnet().ranges().map(Net::Range).collect();
        nets.extend(self.routes.iter().map(|&(route, _)| Net::Range(route)));
        sorted(nets)
    }

    /// What `*` stands for as a source: the tailnet and every approved route.
    pub fn anyone(&self) -> Vec<Net> {
        self.anyone.clone()
    }

    /// The approved subnets, exit routes left out.
    pub fn subnets(&self) -> Vec<Net> {
        let subnets = self.routes.iter();
        sorted(subnets.map(|&(route, _)| Net::Range(route)).collect())
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

    /// The devices of each user, tagged ones left out; users by their logins.
    pub fn users(&self) -> impl Iterator<Item = &[DeviceIndex]> {
        self.by_user.values().map(Vec::as_slice)
    }

    /// The devices that some of the selectors take in, ascending.
    pub fn all_devices_of<'s, 't: 's>(
        &self,
        selectors: impl IntoIterator<Item = &'s Selector<'t>>,
    ) -> Vec<DeviceIndex> {
        let selectors = selectors.into_iter();
        let mut found: Vec<_> = selectors.flat_map(|s| self.devices_of(s)).collect();
        order::sort(&mut found);
        found.dedup();
        found
    }

    /// What a list of selectors stands for as the sources of a rule: sorted, without repeats; nothing makes the rule void.
    pub fn sources(&self, selectors: &[Selector<'_>]) -> Vec<Net> {
        sorted(selectors.iter().flat_map(|s| self.source(s)).collect())
    }

    fn source(&self, selector: &Selector<'_>) -> Vec<Net> {
        match selector.kind {
            Kind::Any => self.anyone.clone(),
            Kind::Autogroup(Autogroup::DangerAll) => vec![Net::All],
            _ => match self.written(selector) {
                Some(nets) => nets,
                None => self.own_nets(&self.devices_of(selector)),
            },
        }
    }

    /// The addresses of devices, one by one.
    pub fn own_nets(&self, devices: &[DeviceIndex]) -> Vec<Net> {
        let devices = devices.iter();
        let addresses = devices.flat_map(|&device| self.addresses(device));
        addresses.map(|&address| address.into()).collect()
    }

    /// The sets that a selector by address stands for, as written; `None` for a selector by identity.
    pub fn written(&self, selector: &Selector<'_>) -> Option<Vec<Net>> {
        match selector.kind {
            Kind::Address | Kind::Prefix | Kind::Range => {
                Some(selector.range().map(Net::Range).into_iter().collect())
            }
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
    pub fn devices_of(&self, selector: &Selector<'_>) -> Vec<DeviceIndex> {
        let name = selector.name();
        let mut found = match selector.kind {
            Kind::Any => (0..self.devices.len()).collect(),
            Kind::User => self.of_user(name).to_vec(),
            Kind::Group => {
                let members = self.policy.groups.get(name).into_iter().flatten();
                members
                    .flat_map(|m| self.of_user(m.name()))
                    .copied()
                    .collect()
            }
            Kind::Tag => self.by_tag.get(name).cloned().unwrap_or_default(),
            Kind::Domain => self.of_users(|login| in_domain(login, selector)),
            Kind::Autogroup(autogroup) => self.in_autogroup(autogroup),
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
                let nets = self.written(selector).unwrap_or_default();
                nets.iter().flat_map(|net| self.holders(*net)).collect()
            }
            Kind::Service => Vec::new(),
        };
        order::sort(&mut found);
        found.dedup();
        found
    }

    /// The untagged devices of a user.
    pub fn of_user(&self, login: &str) -> &[DeviceIndex] {
        self.by_user.get(login).map_or(&[], Vec::as_slice)
    }

    fn of_users(&self, wanted: impl Fn(&str) -> bool) -> Vec<DeviceIndex> {
        let users = self.by_user.iter().filter(|(login, _)| wanted(login));
        users.flat_map(|(_, own)| own).copied().collect()
    }

    fn in_autogroup(&self, autogroup: Autogroup) -> Vec<DeviceIndex> {
        let holds = |role| move |login: &str| self.topology.has_role(login, role) == Some(true);
        match autogroup {
            Autogroup::Member | Autogroup::Own => self.of_users(|_| true),
            Autogroup::Tagged => self.by_tag.values().flatten().copied().collect(),
            Autogroup::DangerAll => (0..self.devices.len()).collect(),
            Autogroup::Role(role) => self.of_users(holds(role)),
            Autogroup::Internet | Autogroup::Shared | Autogroup::NonRoot | Autogroup::Unknown => {
                Vec::new()
            }
        }
    }

    /// The devices with an address in the set.
    fn holders(&self, net: Net) -> impl Iterator<Item = DeviceIndex> + '_ {
        let first = net.range().map(Range::first);
        let start = self.by_address.partition_point(|(a, _)| Some(*a) < first);
        let rest = self.by_address.get(start..).unwrap_or_default().iter();
        rest.take_while(move |(address, _)| net.contains(*address))
            .map(|&(_, device)| device)
    }

    /// Who is told of a destination, and how (policy-language.md 6); `autogroup:self` depends on the source and is not
    /// answered here.
    pub fn targets(&self, selector: &Selector<'_>) -> Targets {
        match selector.kind {
            Kind::Any => Targets::Everyone(Net::All),
            Kind::Autogroup(Autogroup::Internet) => {
                let all = |&exit| self.internet.iter().map(move |&net| (exit, net));
                Targets::Some(self.exits.iter().flat_map(all).collect())
            }
            Kind::Autogroup(Autogroup::Own) => Targets::Some(Vec::new()),
            _ => Targets::Some(match self.written(selector) {
                Some(nets) => nets.iter().flat_map(|net| self.receivers(*net)).collect(),
                None => self.each_own(&self.devices_of(selector)),
            }),
        }
    }

    /// Each device with its own addresses.
    pub fn each_own(&self, devices: &[DeviceIndex]) -> Vec<(DeviceIndex, Net)> {
        let own = |&device: &DeviceIndex| {
            let addresses = self.addresses(device).iter();
            addresses.map(move |&address| (device, address.into()))
        };
        devices.iter().flat_map(own).collect()
    }

    /// The devices that are told of a set of addresses: those with an address in it, routers to it, and exit nodes
    /// if it lies wholly in the internet. The set is told as written.
    fn receivers(&self, net: Net) -> Vec<(DeviceIndex, Net)> {
        let mut devices: Vec<DeviceIndex> = self.holders(net).collect();
        if let Some(range) = net.range() {
            let routers = self
                .routes
                .iter()
                .filter(|(route, _)| overlap(*route, range));
            devices.extend(routers.map(|&(_, device)| device));
            if self.is_internet(range) {
                devices.extend(&self.exits);
            }
        }
        order::sort(&mut devices);
        devices.dedup();
        devices.into_iter().map(|device| (device, net)).collect()
    }

    fn is_internet(&self, range: Range) -> bool {
        let mut parts = self.internet.iter().filter_map(|net| net.range());
        parts.any(|part| part.first() <= range.first() && range.last() <= part.last())
    }

    /// The devices that pass traffic on for a `via` grant: with one of the tags and an approved route to the set.
    pub fn via(&self, tags: &[Selector<'_>], to: &Selector<'_>) -> Vec<(DeviceIndex, Net)> {
        let tagged: Vec<DeviceIndex> = tags.iter().flat_map(|tag| self.devices_of(tag)).collect();
        let nets = match to.kind {
            Kind::Any => self
                .routes
                .iter()
                .map(|&(route, _)| Net::Range(route))
                .collect(),
            _ => self.written(to).unwrap_or_default(),
        };
        let mut told = Vec::new();
        for net in nets {
            let Some(range) = net.range() else { continue };
            let routers = self
                .routes
                .iter()
                .filter(|(route, device)| tagged.contains(device) && overlap(*route, range));
            told.extend(routers.map(|&(_, device)| (device, net)));
        }
        told
    }
}

pub(super) fn sorted(mut nets: Vec<Net>) -> Vec<Net> {
    order::sort(&mut nets);
    nets.dedup();
    nets
}
