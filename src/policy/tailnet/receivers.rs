//! Which devices receive a rule: who takes in a destination, and which addresses count as its sources
//! (docs/policy-language.md#which-devices-receive-a-rule).
//! Must not live here: what a packet filter looks like, ports.

use std::sync::LazyLock;

use crate::cidr::Range;
use crate::hujson::Span;

use super::context::DeviceIndex;
use super::identity::Answer;
use super::net::Net;
use super::network::{Network, ascending, sorted};
use crate::policy::language::document::{SshRule, Word};
use crate::policy::language::login::Account;
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// Who receives what is sent to a selector, and under which address (docs/policy-language.md#which-devices-receive-a-rule).
pub(crate) enum Targets {
    /// Every device receives this set.
    Everyone(Net),
    /// These devices, each with the set that it receives.
    Some(Vec<(DeviceIndex, Net)>),
}

impl Network<'_> {
    /// What a list of selectors means as the sources of a rule: sorted, without repeats; a rule without any reaches nobody.
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

    /// The addresses of [`Network::sources`] that belong to a device which certainly has one of the postures: only devices
    /// have any.
    #[inline(never)]
    pub fn sources_with(&self, selectors: &[Selector<'_>], wanted: &[Word<'_>]) -> Vec<Net> {
        let mut nets = Vec::new();
        for net in self.sources(selectors) {
            for &(address, device) in self.held(net) {
                if self.attributes.has_posture(device, wanted) == Answer::Yes {
                    nets.push(address.into());
                }
            }
        }
        sorted(nets)
    }

    /// Which devices receive a destination, and at which addresses (docs/policy-language.md#which-devices-receive-a-rule); `autogroup:self`
    /// depends on the source and is not handled here.
    #[inline(never)]
    pub fn targets(&self, selector: &Selector<'_>) -> Targets {
        let mut receivers = Vec::new();
        match selector.kind {
            Kind::Any => return Targets::Everyone(Net::All),
            Kind::Autogroup(Autogroup::Internet) => {
                for &net in &self.internet {
                    for &exit in &self.routes.exits {
                        receivers.push((exit, net));
                    }
                    self.add_public_routers(net, &mut receivers);
                }
            }
            Kind::Autogroup(Autogroup::Own) => {}
            _ => match self.written(selector) {
                Some(nets) => {
                    for net in nets {
                        self.add_receivers(net, &mut receivers);
                    }
                }
                None => receivers = self.each_own(&self.devices_of(selector)),
            },
        }
        Targets::Some(receivers)
    }

    /// Each device with its own addresses.
    pub fn each_own(&self, devices: &[DeviceIndex]) -> Vec<(DeviceIndex, Net)> {
        let mut receivers = Vec::new();
        for &device in devices {
            for &address in self.addresses(device) {
                receivers.push((device, address.into()));
            }
        }
        receivers
    }

    /// Whether anybody receives a capability at a selector: not where one of its users is unknown, for Headscale.
    pub fn may_be_capable(&self, selector: &Selector<'_>) -> bool {
        selector.kind != Kind::Group || !self.groups.has_stranger(selector.name())
    }

    /// Who receives a capability at a selector: devices with their own addresses that it takes in, and routers to a set
    /// with the set as written (docs/policy-language.md#capabilities).
    #[inline(never)]
    pub fn capable(&self, selector: &Selector<'_>) -> Vec<(DeviceIndex, Net)> {
        let Some(nets) = self.written(selector) else {
            return self.each_own(&self.devices_of(selector));
        };
        let mut receivers = Vec::new();
        for net in nets {
            for &(address, device) in self.held(net) {
                receivers.push((device, address.into()));
            }
            if let Some(range) = net.range() {
                self.routes.overlapping(range, &mut |route| {
                    add_each(&route.routers, net, &mut receivers);
                });
            }
        }
        receivers
    }

    /// Adds the devices that receive a rule about a set of addresses: those with an address in it, routers to it, and exit nodes
    /// if it lies in the internet as a whole. They receive the set as written.
    fn add_receivers(&self, net: Net, receivers: &mut Vec<(DeviceIndex, Net)>) {
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
            receivers.push((device, net));
        }
    }

    /// Adds the routers to public subnets, each with the part of the internet that overlaps one.
    fn add_public_routers(&self, net: Net, receivers: &mut Vec<(DeviceIndex, Net)>) {
        if let Some(public) = net.range() {
            self.routes.overlapping(public, &mut |route| {
                add_each(&route.routers, net, receivers);
            });
        }
    }

    /// Whether a range lies in the public internet as a whole.
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

    /// The devices that forward traffic for a `via` grant, each with what it receives: those with one of the tags and an
    /// approved route to the set; for `*` each forwards what its own routes lead to. The default routes of an exit
    /// node are for `autogroup:internet` only (docs/policy-language.md#exit-nodes).
    #[inline(never)]
    pub fn via(&self, tags: &[Selector<'_>], to: &Selector<'_>) -> Vec<(DeviceIndex, Net)> {
        let tagged = self.all_devices_of(tags);
        let mut receivers = Vec::new();
        match to.kind {
            Kind::Any if !self.policy.dialect.routes_all_by_via() => {}
            Kind::Any => {
                for route in self.routes.iter() {
                    add_each(&route.routers, Net::Range(route.range()), &mut receivers);
                }
            }
            Kind::Autogroup(Autogroup::Internet) => {
                for &net in &self.internet {
                    add_each(&self.routes.exits, net, &mut receivers);
                }
            }
            _ => {
                for net in self.written(to).unwrap_or_default() {
                    if let Some(range) = net.range() {
                        self.routes.overlapping(range, &mut |route| {
                            add_each(&route.routers, net, &mut receivers);
                        });
                    }
                }
            }
        }
        receivers.retain(|(device, _)| tagged.binary_search(device).is_ok());
        receivers
    }
}

fn add_each(devices: &[DeviceIndex], net: Net, receivers: &mut Vec<(DeviceIndex, Net)>) {
    for &device in devices {
        receivers.push((device, net));
    }
}

/// The selectors except `autogroup:self`, and whether that is among them.
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

/// The source's own devices, which receive a rule by name whatever its destinations are (docs/policy-language.md#ssh-rules).
pub(crate) fn own_devices() -> &'static Selector<'static> {
    static OWN: LazyLock<Selector<'static>> =
        LazyLock::new(|| Selector::new("autogroup:self", Span { start: 0, end: 0 }));
    &OWN
}

/// The same where a rule that does not name them counts there.
pub(crate) fn own_place(
    network: &Network<'_>,
    rule: &SshRule<'_>,
) -> Option<&'static Selector<'static>> {
    let (others, own) = without_own(&rule.destinations);
    let returns = network.policy.dialect.returns_own_names_from_nowhere();
    let leads = !others.is_empty() && (returns || network.may_have_one(&others));
    (has_own_names(rule) && !own && leads).then(own_devices)
}

/// Whether a rule opens a different account to each user.
pub(crate) fn has_own_names(rule: &SshRule<'_>) -> bool {
    let accounts = rule.users.iter().map(|user| Account::parse(user.text));
    accounts
        .flatten()
        .any(|account| matches!(account, Account::OwnName(_)))
}
