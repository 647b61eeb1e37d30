//! From a name to the endpoints that it means: single machines, or all addresses that it means.
//! Must not live here: whether a selector includes them (party.rs), what rules say about them.

use crate::cidr::{Address, AddressSet};

use super::addresses::{internet, tailnet};
use super::context::DeviceIndex;
use super::endpoint::{Endpoint, Place};
use super::identity::Identity;
use super::network::Network;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// Why a test cannot be about a selector.
#[derive(Clone, Debug)]
pub struct Untestable {
    /// In words.
    pub why: String,
    /// Whether no test may name it, and not only nothing is known of it.
    pub is_unfit: bool,
}

impl Untestable {
    /// That a test names no source.
    pub fn no_source() -> Untestable {
        Untestable {
            why: "src must be specified".to_owned(),
            is_unfit: false,
        }
    }
}

impl<'p> Network<'p> {
    /// The end at an address: the device that has it, or an unknown one.
    pub fn end_at(&self, address: Address) -> Endpoint<'p> {
        let device = self.device_at(address);
        let known = device.and_then(|device| device.of(self.devices));
        let identity = match known {
            Some(device) => Identity::from(device),
            None if self.context.devices.is_none() && tailnet().contains(address) => {
                Identity::Unknown
            }
            None => Identity::Nobody,
        };
        Endpoint {
            place: Place::At(address),
            identity,
            device,
        }
    }

    /// Each address of a device.
    pub fn endpoints_of_device(&self, device: DeviceIndex) -> Vec<Endpoint<'p>> {
        let mut endpoints = Vec::new();
        if let Some(known) = device.of(self.devices) {
            for &address in &known.addresses {
                endpoints.push(Endpoint {
                    place: Place::At(address),
                    identity: Identity::from(known),
                    device: Some(device),
                });
            }
        }
        endpoints
    }

    /// Each address of some devices.
    pub fn endpoints_of_devices(&self, devices: &[DeviceIndex]) -> Vec<Endpoint<'p>> {
        let mut endpoints = Vec::new();
        for &device in devices {
            endpoints.append(&mut self.endpoints_of_device(device));
        }
        endpoints
    }

    /// The machines behind a selector as `tests` read it (docs/policy-language.md#selectors): devices if they
    /// are known, else one assumed device for each user and tag (docs/policy-language.md#without-devices).
    ///
    /// # Errors
    /// The selector is not allowed here, or its name is not defined.
    #[inline(never)]
    pub fn tested<'a>(&self, selector: &Selector<'a>) -> Result<Vec<Endpoint<'a>>, Untestable>
    where
        'p: 'a,
    {
        let name = selector.name();
        match selector.kind {
            Kind::Any | Kind::Prefix | Kind::Range | Kind::Autogroup(_) => {}
            Kind::IpSet | Kind::Domain => {}
            Kind::User if self.knows_user(name) == Some(false) => {
                return Err(invalid("user not found", name));
            }
            Kind::Group if !self.groups.has_group(name) => {
                return Err(invalid("group not found", name));
            }
            Kind::Tag if !self.policy.tag_owners.contains(name) => {
                return Err(invalid("tag not found", name));
            }
            Kind::Host => match self.policy.host_range(name) {
                Some(range) if range.first() == range.last() => {
                    return Ok(vec![self.end_at(range.first())]);
                }
                Some(_) => return Err(unfit("not a single address", name)),
                None => return Err(invalid("invalid address", name)),
            },
            _ => return Ok(self.known_or_supposed(selector)),
        }
        Err(unfit("not valid in a test", name))
    }

    /// Devices if they are known; if none are known at all, an assumed one for each name.
    fn known_or_supposed<'a>(&self, selector: &Selector<'a>) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        match selector.kind {
            Kind::Address | Kind::Service => self.endpoints(selector).unwrap_or_default(),
            Kind::Group if self.groups.is_unknown(selector.name()) => self.supposed(selector),
            _ if self.context.devices.is_some() => {
                self.endpoints_of_devices(&self.devices_of(selector))
            }
            _ => self.supposed(selector),
        }
    }

    /// The endpoints that a name in a question means: devices if there are any, else an assumed one; for a set of addresses
    /// every address. Empty for a name that leads nowhere.
    ///
    /// `autogroup:self` depends on the other endpoint and is not handled here.
    #[inline(never)]
    pub fn endpoints<'a>(&self, selector: &Selector<'a>) -> Option<Vec<Endpoint<'a>>>
    where
        'p: 'a,
    {
        let (policy, name) = (self.policy, selector.name());
        let known = match selector.kind {
            Kind::User => self.knows_user(name) != Some(false),
            Kind::Group => self.groups.has_group(name),
            Kind::Tag => policy.tag_owners.contains(name),
            Kind::Autogroup(Autogroup::Internet) => {
                return Some(vec![Endpoint::of_set(Place::All(
                    internet().clone().into(),
                ))]);
            }
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => {
                return Some(vec![Endpoint::of_set(Place::All(
                    AddressSet::everything().into(),
                ))]);
            }
            Kind::Autogroup(Autogroup::Own | Autogroup::NonRoot | Autogroup::Unknown) => false,
            Kind::Autogroup(_) => true,
            Kind::Domain => selector.domain().is_some(),
            Kind::Service => {
                return Some(vec![Endpoint::supposed(Identity::Service(name))]);
            }
            _ => return Some(self.endpoints_in(self.set_of(selector)?)),
        };
        let devices = self.devices_of(selector);
        match (known, devices.is_empty()) {
            (false, _) => None,
            (true, true) => Some(self.supposed(selector)),
            (true, false) => Some(self.endpoints_of_devices(&devices)),
        }
    }

    /// What `*` is as a source in a question: everyone in the tailnet and behind its routes.
    pub fn anyone_at_all<'a>(&self) -> Endpoint<'a> {
        Endpoint::of_set(Place::All(std::rc::Rc::new(self.inside.clone())))
    }

    /// The end at the one address of a set, or at all of them; none in an empty one.
    fn endpoints_in<'a>(&self, set: AddressSet) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        let mut ranges = set.ranges();
        match (ranges.next(), ranges.next()) {
            (None, _) => Vec::new(),
            (Some(only), None) if only.first() == only.last() => vec![self.end_at(only.first())],
            _ => vec![Endpoint::of_set(Place::All(set.clone().into()))],
        }
    }

    /// The addresses of an address selector.
    pub fn set_of(&self, selector: &Selector<'_>) -> Option<AddressSet> {
        match selector.kind {
            Kind::IpSet => match self.ipset(selector.name()) {
                Some(set) => Some(set.clone()),
                None => self.policy.addresses(selector),
            },
            _ => self.policy.addresses(selector),
        }
    }

    /// An assumed device for a user, a tag, each member of a group, or some member of anything wider, and of a group whose
    /// members are unknown.
    fn supposed<'a>(&self, selector: &Selector<'a>) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        let name = selector.name();
        let identity = match selector.kind {
            Kind::User => Identity::User(self.login(name)),
            Kind::Tag => Identity::Tag(name),
            Kind::Group if !self.groups.is_unknown(name) => {
                let mut endpoints = Vec::new();
                for login in self.groups.of(name) {
                    endpoints.push(Endpoint::supposed(Identity::User(login)));
                }
                return endpoints;
            }
            kind => Identity::Some(kind, name),
        };
        vec![Endpoint::supposed(identity)]
    }
}

fn invalid(what: &str, name: &str) -> Untestable {
    Untestable {
        why: joined(&[what, ": ", &quoted(name)]),
        is_unfit: false,
    }
}

fn unfit(what: &str, name: &str) -> Untestable {
    Untestable {
        is_unfit: true,
        ..invalid(what, name)
    }
}
