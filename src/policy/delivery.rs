//! Where the packet of a flow ends, apart from what the rules say: at a device, a router, an exit node, or nowhere.
//! Must not live here: the verdict of the rules (explain.rs), how the next hop is found (tailnet/next_hop.rs).

use serde::Serialize;

use crate::cidr::{Address, AddressSet, Prefix};

use super::findings::words::joined;
use super::language::selector::Kind;
use super::tailnet::addresses::internet;
use super::tailnet::context::DeviceIndex;
use super::tailnet::device_names::DeviceNames;
use super::tailnet::endpoint::{Endpoint, Place};
use super::tailnet::flow::Judge;
use super::tailnet::identity::Identity;
use super::tailnet::network::ascending;
use super::tailnet::next_hop::{Given, NextHop};
use super::tailnet::routes::Routes;

/// A device in an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct DeviceRef {
    /// Its id.
    pub id: String,
    /// The name to show: the first label of its name or its host name, with the id if two devices share it; never a bare id.
    pub name: String,
}

/// Who receives a packet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Delivery {
    /// The device itself.
    Device {
        /// That device.
        device: DeviceRef,
    },
    /// A subnet router.
    Router {
        /// That device.
        device: DeviceRef,
        /// The route that leads there, a prefix.
        route: String,
    },
    /// An exit node.
    Exit {
        /// That device.
        device: DeviceRef,
        /// Its default route.
        route: String,
    },
    /// No device.
    Nobody {
        /// Why.
        why: String,
        /// A device that would receive it if its route were enabled.
        #[serde(skip_serializing_if = "Option::is_none")]
        device: Option<DeviceRef>,
    },
    /// Text and context do not tell.
    Unknown {
        /// Why.
        why: String,
    },
}

/// Finds the receivers of one flow.
pub(super) struct Deliveries<'a, 'p> {
    judge: &'a Judge<'p>,
    names: &'a DeviceNames<'a>,
    given: Given<'a>,
    found: Vec<Delivery>,
}

impl<'a, 'p> Deliveries<'a, 'p> {
    pub fn new(
        judge: &'a Judge<'p>,
        names: &'a DeviceNames<'a>,
        given: Given<'a>,
    ) -> Deliveries<'a, 'p> {
        Deliveries {
            judge,
            names,
            given,
            found: Vec::new(),
        }
    }

    /// One for each device that may receive what some endpoints send to others; never empty.
    #[inline(never)]
    pub fn of(mut self, from: &[Endpoint<'_>], to: &[Endpoint<'_>]) -> Vec<Delivery> {
        if self.judge.network.context.devices.is_none() {
            return vec![unknown("no devices are known")];
        }
        for end in to {
            match (&end.place, end.device) {
                (_, Some(device)) => {
                    let device = self.reference(device);
                    self.add(Delivery::Device { device });
                }
                (Place::At(address), None) => self.add_next_hops(from, *address),
                (Place::All(set) | Place::Some(set), None) => self.add_parts(set),
                (Place::Supposed | Place::Behind, None) => self.add_missing(end.identity),
            }
        }
        if self.found.is_empty() {
            self.found
                .push(nobody("it stands for no device".to_owned()));
        }
        self.found
    }

    /// The default route of an exit node: that of the family of an address, if it has it.
    fn default_route(&self, exit: DeviceIndex, to: Option<Address>) -> String {
        let device = exit.of(self.judge.network.devices);
        let routes = device.map_or(&[][..], |device| &device.routes);
        let defaults = || routes.iter().filter(|route| route.is_default_route());
        let is_own = |route: &&Prefix| to.is_some_and(|to| route.first().version() == to.version());
        let route = defaults().find(is_own).or(defaults().next());
        route.map_or(String::new(), Prefix::to_string)
    }

    fn given_of(&self, end: &Endpoint<'_>) -> Given<'a> {
        Given {
            device: end.device,
            ..self.given
        }
    }

    fn reference(&self, device: DeviceIndex) -> DeviceRef {
        let known = device.of(self.judge.network.devices);
        DeviceRef {
            id: known.map_or(String::new(), |device| device.id.clone()),
            name: self.names.shown(device),
        }
    }

    /// Adds one, unless it equals the previous one: the addresses of a device are adjacent.
    fn add(&mut self, delivery: Delivery) {
        if self.found.last() != Some(&delivery) {
            self.found.push(delivery);
        }
    }

    fn add_next_hops(&mut self, from: &[Endpoint<'_>], address: Address) {
        let mut next_hops: Vec<NextHop> = Vec::new();
        for end in from {
            let network = &self.judge.network;
            let about = &self.judge.about;
            let next_hop = about.next_hop(network, end, address, self.given_of(end));
            if !next_hops.contains(&next_hop) {
                next_hops.push(next_hop);
            }
            if !self.judge.has_via {
                break;
            }
        }
        for next_hop in next_hops {
            self.add_next_hop(&next_hop, from, address);
        }
    }

    fn add_next_hop(&mut self, next_hop: &NextHop, from: &[Endpoint<'_>], address: Address) {
        for &index in next_hop.devices() {
            let device = self.reference(index);
            self.add(match next_hop {
                NextHop::Routers(prefix, _) | NextHop::PerhapsRouters(prefix, _) => {
                    Delivery::Router {
                        device,
                        route: prefix.to_string(),
                    }
                }
                NextHop::Exits(_) | NextHop::PerhapsExits(_) => Delivery::Exit {
                    device,
                    route: self.default_route(index, Some(address)),
                },
                _ => Delivery::Device { device },
            });
        }
        if next_hop.devices().is_empty() {
            let nobody = self.nobody_at(from, address);
            self.add(nobody);
        }
    }

    /// Why no device leads from some endpoints to an address, in words.
    pub fn why_nobody(&self, from: &[Endpoint<'_>], address: Address) -> Option<String> {
        match self.nobody_at(from, address) {
            Delivery::Nobody { why, .. } => Some(why),
            _ => None,
        }
    }

    /// Why no device leads from some endpoints to an address; and which one might.
    fn nobody_at(&self, from: &[Endpoint<'_>], address: Address) -> Delivery {
        let network = &self.judge.network;
        let text = address.to_string();
        if !network.routes.leading_to(address).is_empty() {
            const WAY: &str = ": a rule with `via` asks for a tag that no router to it has";
            return nobody(joined(&["nothing leads to ", &text, WAY]));
        }
        if internet().contains(address) && !network.routes.exits_to(address).is_empty() {
            const WAY: &str = ": a rule with `via` asks for a tag that no exit node has";
            return nobody(joined(&["nothing leads to ", &text, WAY]));
        }
        let offered = self.offered();
        let about = &self.judge.about;
        let offer = from.iter().take(SENDERS).find_map(|end| {
            let fits = |rule: &_| self.given_of(end).fits(network, rule);
            let next_hop = about.next_hop_by(network, &offered, end, address, &fits);
            let what = match next_hop {
                NextHop::Routers(..) | NextHop::PerhapsRouters(..) => "advertised by ",
                _ => OFFERED,
            };
            next_hop.devices().first().map(|device| (*device, what))
        });
        self.nobody_but(joined(&["no approved route leads to ", &text]), offer)
    }

    /// Why no device leads to any address of a set; and which one might.
    fn nobody_in(&self, set: &AddressSet) -> Delivery {
        let offered = self.offered();
        let mut found = None;
        for range in set.ranges() {
            offered.overlapping(range, &mut |route| {
                if let (None, Some(&router)) = (&found, route.routers.first()) {
                    found = Some((router, route.prefix.to_string()));
                }
            });
        }
        let advertised = found.map(|(router, prefix)| (router, prefix + " is advertised by "));
        let exit = || offered.exits.first().filter(|_| set.overlaps(internet()));
        let offer = advertised.or_else(|| exit().map(|&exit| (exit, OFFERED.to_owned())));
        let offer = offer.as_ref().map(|(device, what)| (*device, &**what));
        self.nobody_but("no device and no approved route is in it".to_owned(), offer)
    }

    /// The routes that devices advertise, approved or not.
    fn offered(&self) -> Routes {
        Routes::new(self.judge.network.devices, |device| &device.advertised)
    }

    /// Nobody, but for a device whose route would lead there if it were approved.
    fn nobody_but(&self, why: String, offer: Option<(DeviceIndex, &str)>) -> Delivery {
        let Some((device, what)) = offer else {
            return nobody(why);
        };
        let device = self.reference(device);
        Delivery::Nobody {
            why: joined(&[&why, "; ", what, &device.name, ", not approved"]),
            device: Some(device),
        }
    }

    /// The devices that have a part of a set or lead to one.
    fn add_parts(&mut self, set: &AddressSet) {
        let network = &self.judge.network;
        let (mut owners, mut routers) = (Vec::new(), Vec::new());
        for range in set.ranges() {
            owners.append(&mut network.holders(range));
            network.routes.overlapping(range, &mut |route| {
                routers.extend(route.routers.iter().map(|router| (*router, route.prefix)));
            });
        }
        for device in ascending(owners) {
            let device = self.reference(device);
            self.add(Delivery::Device { device });
        }
        for (device, prefix) in each_once(routers) {
            let device = self.reference(device);
            let route = prefix.to_string();
            self.add(Delivery::Router { device, route });
        }
        if set.overlaps(internet()) {
            for &exit in &network.routes.exits {
                let mut firsts = set.ranges().map(|range| range.first());
                let own = firsts.find(|first| network.routes.exits_to(*first).contains(&exit));
                if own.is_some() {
                    let (device, route) = (self.reference(exit), self.default_route(exit, own));
                    self.add(Delivery::Exit { device, route });
                }
            }
        }
        if self.found.is_empty() {
            let nobody = self.nobody_in(set);
            self.add(nobody);
        }
    }

    /// A name with no device.
    fn add_missing(&mut self, identity: Identity<'_>) {
        self.add(match identity {
            Identity::Service(_) => unknown("services are not part of a context"),
            Identity::User(name) | Identity::Tag(name) => nobody(joined(&[name, " has no device"])),
            Identity::Some(Kind::Autogroup(_) | Kind::Domain, name) => {
                nobody(joined(&["no device is in ", name]))
            }
            Identity::Some(Kind::Group, name) => {
                unknown(&joined(&["the members of ", name, " are unknown"]))
            }
            _ => nobody("it stands for no device".to_owned()),
        });
    }
}

/// The same without repetitions, in the same order.
fn each_once<T: PartialEq + Copy>(list: Vec<T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for one in list {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// Of how many senders it is asked which route that waits would serve them.
const SENDERS: usize = 16;

/// What is said of an exit node before its name.
const OFFERED: &str = "offered as exit node by ";

fn nobody(why: String) -> Delivery {
    Delivery::Nobody { why, device: None }
}

fn unknown(why: &str) -> Delivery {
    Delivery::Unknown {
        why: why.to_owned(),
    }
}
