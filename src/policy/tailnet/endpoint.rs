//! From a selector to the machines it stands for, one by one: what tests and explanations ask about.
//! Must not live here: what rules say of them.

use crate::cidr::Address;

use super::addresses::tailnet;
use super::flow::Endpoint;
use super::identity::Identity;
use super::topology::{Device, Topology};
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Kind, Selector};

impl Policy<'_> {
    /// The machines behind a selector as `tests` take it (policy-language.md 3, columns T and D): devices where they
    /// are known, else one supposed device for each user and tag (policy-language.md 11).
    ///
    /// # Errors
    /// Why the selector may not stand here, or that its name is not defined.
    pub(crate) fn endpoints<'a>(
        &'a self,
        selector: &Selector<'a>,
        topology: &'a Topology,
    ) -> Result<Vec<Endpoint<'a>>, String> {
        let name = selector.name();
        match selector.kind {
            Kind::User => user(name, topology),
            Kind::Group => match self.groups.get(name) {
                Some(members) => {
                    let mut all = Vec::new();
                    for member in members {
                        all.append(&mut user(member.name(), topology).unwrap_or_default());
                    }
                    Ok(all)
                }
                None => Err(invalid("group not found", name)),
            },
            Kind::Tag if !self.tag_owners.contains(name) => Err(invalid("tag not found", name)),
            Kind::Tag => Ok(tagged(name, topology)),
            Kind::Address => Ok(self.at(selector.range().map(|range| range.first()), topology)),
            Kind::Host => match self.host_range(name) {
                Some(range) if range.first() == range.last() => {
                    Ok(self.at(Some(range.first()), topology))
                }
                Some(_) => Err(invalid("not a single address", name)),
                None => Err(invalid("invalid address", name)),
            },
            Kind::Service => Ok(vec![Endpoint {
                address: None,
                identity: Identity::Service(name),
            }]),
            Kind::Any
            | Kind::Prefix
            | Kind::Range
            | Kind::Autogroup(_)
            | Kind::IpSet
            | Kind::Domain => Err(invalid("not valid in a test", name)),
        }
    }

    fn at<'a>(&self, address: Option<Address>, topology: &'a Topology) -> Vec<Endpoint<'a>> {
        let endpoint = |address| {
            let identity = match topology.device_at(address) {
                Some(device) => Identity::from(device),
                None if topology.devices.is_some() => Identity::Nobody,
                None if tailnet().contains(address) => Identity::Unknown,
                None => Identity::Nobody,
            };
            Endpoint {
                address: Some(address),
                identity,
            }
        };
        address.map(endpoint).into_iter().collect()
    }
}

fn user<'a>(login: &'a str, topology: &'a Topology) -> Result<Vec<Endpoint<'a>>, String> {
    if topology.users.is_some() && topology.user(login).is_none() {
        return Err(invalid("user not found", login));
    }
    let Some(devices) = &topology.devices else {
        return Ok(supposed(Identity::User(login)));
    };
    let mut endpoints = Vec::new();
    for device in devices {
        if device.user() == Some(login) {
            add_addresses(device, &mut endpoints);
        }
    }
    Ok(endpoints)
}

fn tagged<'a>(tag: &'a str, topology: &'a Topology) -> Vec<Endpoint<'a>> {
    let Some(devices) = &topology.devices else {
        return supposed(Identity::Tag(tag));
    };
    let mut endpoints = Vec::new();
    for device in devices {
        if device.tags().iter().any(|own| own.trim() == tag) {
            add_addresses(device, &mut endpoints);
        }
    }
    endpoints
}

/// The addresses of one device.
pub(crate) fn of_device(device: &Device) -> Vec<Endpoint<'_>> {
    let mut endpoints = Vec::new();
    add_addresses(device, &mut endpoints);
    endpoints
}

fn add_addresses<'a>(device: &'a Device, endpoints: &mut Vec<Endpoint<'a>>) {
    for &address in &device.addresses {
        endpoints.push(Endpoint {
            address: Some(address),
            identity: Identity::from(device),
        });
    }
}

fn supposed(identity: Identity<'_>) -> Vec<Endpoint<'_>> {
    vec![Endpoint {
        address: None,
        identity,
    }]
}

fn invalid(what: &str, name: &str) -> String {
    joined(&[what, ": ", &quoted(name)])
}
