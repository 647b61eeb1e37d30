//! What a preview asks of selectors: is this user, is this address among them?
//! Must not live here: ports, whole rules.

use crate::cidr::Address;
use crate::order;

use super::addresses::{of_some_device, tailnet};
use super::document::Policy;
use super::identity::{Answer, Identity, in_domain};
use super::selector::{Autogroup, Kind, Selector};
use super::topology::{Device, Topology};

/// One user, seen as the source of traffic: prepared once, asked for many selectors.
#[derive(Debug)]
pub struct UserSource<'a> {
    policy: &'a Policy<'a>,
    topology: &'a Topology,
    login: &'a str,
    groups: Vec<&'a str>,
    /// Of the user's untagged devices, where the devices are known.
    addresses: Option<Vec<Address>>,
}

impl<'a> UserSource<'a> {
    /// Looks up what does not depend on the selector.
    pub fn new(policy: &'a Policy<'a>, topology: &'a Topology, login: &'a str) -> Self {
        let login = login.trim();
        let mut groups: Vec<&str> = policy.groups_of(login).collect();
        order::sort(&mut groups);
        let devices = topology.devices_of(login);
        let addresses = devices.flat_map(|device| device.addresses.iter().copied());
        let addresses = topology.devices.is_some().then(|| addresses.collect());
        UserSource {
            policy,
            topology,
            login,
            groups,
            addresses,
        }
    }

    /// Whether the selector, read as a source, takes in this user (policy-language.md 10). Never because of a tag.
    pub fn selected_by(&self, selector: &Selector<'_>) -> Answer {
        match selector.kind {
            Kind::Any => Answer::Yes,
            Kind::User => (selector.name() == self.login).into(),
            Kind::Group => self.groups.binary_search(&selector.name()).is_ok().into(),
            Kind::Domain => in_domain(self.login, selector).into(),
            Kind::Autogroup(autogroup) => self.in_autogroup(autogroup),
            Kind::Tag | Kind::Service => Answer::No,
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => {
                self.has_address_of(selector)
            }
        }
    }

    fn has_address_of(&self, selector: &Selector<'_>) -> Answer {
        let Some(addresses) = &self.addresses else {
            let set = self.policy.addresses(selector);
            return set.map_or(Answer::No, |set| of_some_device(&set));
        };
        let held = |address: &Address| self.policy.holds(selector, *address) == Some(true);
        addresses.iter().any(held).into()
    }

    fn in_autogroup(&self, autogroup: Autogroup) -> Answer {
        match autogroup {
            Autogroup::DangerAll => Answer::Yes,
            // Who is asked about is taken to be a member unless the list of users says otherwise.
            Autogroup::Member => self.is_member().into(),
            Autogroup::Role(role) => self.topology.has_role(self.login, role).into(),
            Autogroup::Tagged
            | Autogroup::Own
            | Autogroup::Internet
            | Autogroup::Shared
            | Autogroup::NonRoot
            | Autogroup::Unknown => Answer::No,
        }
    }

    fn is_member(&self) -> bool {
        self.topology.users.is_none()
            || self.topology.user(self.login).is_some()
            || self.topology.devices_of(self.login).next().is_some()
    }
}

/// One address, seen as the destination of traffic.
#[derive(Debug)]
pub struct AddressTarget<'a> {
    policy: &'a Policy<'a>,
    topology: &'a Topology,
    address: Address,
    device: Option<&'a Device>,
    /// Whether it may be the address of a device that nobody told us about.
    may_be_device: bool,
}

impl<'a> AddressTarget<'a> {
    /// Looks up what does not depend on the selector.
    pub fn new(policy: &'a Policy<'a>, topology: &'a Topology, address: Address) -> Self {
        AddressTarget {
            policy,
            topology,
            address,
            device: topology.device_at(address),
            may_be_device: topology.devices.is_none() && tailnet().contains(address),
        }
    }

    /// Whether the selector, read as a destination, takes in this address (policy-language.md 10): devices' own
    /// addresses for users, groups and tags, whole sets for the others.
    pub fn selected_by(&self, selector: &Selector<'_>) -> Answer {
        match selector.kind {
            Kind::Any => Answer::Yes,
            Kind::Address
            | Kind::Prefix
            | Kind::Range
            | Kind::Host
            | Kind::IpSet
            | Kind::Autogroup(Autogroup::Internet) => {
                (self.policy.holds(selector, self.address) == Some(true)).into()
            }
            // No topology tells the addresses of a service.
            Kind::Service => match tailnet().contains(self.address) && self.device.is_none() {
                true => Answer::Unknown,
                false => Answer::No,
            },
            _ => match self.device {
                Some(device) => {
                    Identity::from(device).selected_by(selector, self.policy, self.topology)
                }
                None if self.may_be_device => Answer::Unknown,
                None => Answer::No,
            },
        }
    }
}
