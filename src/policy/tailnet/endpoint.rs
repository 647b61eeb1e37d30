//! The endpoints of flows: where somebody is, and who.
//! Must not live here: which endpoints a name means (selected.rs), whether a selector includes them (party.rs).

use std::rc::Rc;

use crate::cidr::{Address, AddressSet};

use super::context::DeviceIndex;
use super::identity::Identity;

/// One end of a flow: where it is, as far as known, and who is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint<'a> {
    /// Where it is.
    pub place: Place,
    /// Who is there.
    pub identity: Identity<'a>,
    /// The device of the context that it is.
    pub device: Option<DeviceIndex>,
}

/// Where an endpoint is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Unknown: a device of the tailnet that is only assumed.
    Supposed,
    /// At one address.
    At(Address),
    /// At every address of a set: what is true of the end is true of each.
    All(Rc<AddressSet>),
    /// At some address of a set.
    Some(Rc<AddressSet>),
    /// Behind an approved route of a device, at an address that nobody names.
    Behind,
}

impl<'a> Endpoint<'a> {
    /// A device that is only assumed.
    pub fn supposed(identity: Identity<'a>) -> Endpoint<'a> {
        Endpoint {
            place: Place::Supposed,
            identity,
            device: None,
        }
    }

    /// Addresses of no particular user or device.
    pub fn of_set(place: Place) -> Endpoint<'a> {
        Endpoint {
            place,
            identity: Identity::Nobody,
            device: None,
        }
    }

    /// The one address it has.
    pub fn address(&self) -> Option<Address> {
        match self.place {
            Place::At(address) => Some(address),
            _ => None,
        }
    }
}

/// The endpoints that can be machines of the tailnet, one for each identity: ssh rules do not depend on addresses.
pub fn by_identity(endpoints: Vec<Endpoint<'_>>) -> Vec<Endpoint<'_>> {
    let mut distinct: Vec<Endpoint<'_>> = Vec::with_capacity(endpoints.len());
    for end in endpoints {
        // The addresses of a device, and the devices of a user, stand together.
        let is_known = distinct
            .last()
            .is_some_and(|last| last.identity == end.identity);
        if end.identity != Identity::Nobody && !is_known {
            distinct.push(end);
        }
    }
    distinct
}
