//! Which routes of its peers a device is offered, as Headscale decides it (docs/headscale-language.md#routes).
//! Must not live here: which routes are approved at all, where a packet ends (tailnet/next_hop.rs).

use super::language::document::Policy;
use super::language::known::returned;
use super::language::rule::Rule;
use super::language::selector::{Autogroup, Kind, Selector};
use super::tailnet::about::About;
use super::tailnet::addresses::{internet, set_of};
use super::tailnet::context::{Device, DeviceIndex, PolicyContext};
use super::tailnet::identity::Answer;
use super::tailnet::net::Net;
use super::tailnet::network::Network;
use super::tailnet::next_hop::Steered;
use super::tailnet::receivers::without_own;
use super::tailnet::routes::Route;
use crate::cidr::{AddressSet, Prefix};

/// What a device is offered of the approved routes of another one. Every list ascends.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OfferedRoutes {
    /// Those to which the rules of the device lead from it, or from which they lead to it, whichever router is the primary one.
    pub open: Vec<Prefix>,
    /// Those to which a `via` grant leads through this router.
    pub included: Vec<Prefix>,
    /// Those to which one leads through others alone: they are not offered.
    pub excluded: Vec<Prefix>,
    /// Included ones which a rule without `via` opens as well: the primary router has them.
    pub by_primary: Vec<Prefix>,
}

impl Policy<'_> {
    /// For each device of the context, what it is offered of each other, in the context's order; nothing of itself.
    pub fn offered_routes(&self, context: &PolicyContext) -> Vec<Vec<OfferedRoutes>> {
        let network = Network::new(self, context);
        let about = About::new(&network);
        let mut offered = Vec::with_capacity(network.devices.len());
        for (viewer, _) in DeviceIndex::each(network.devices) {
            let viewer = Viewer::new(&network, &about, viewer);
            let routers = DeviceIndex::each(network.devices);
            offered.push(routers.map(|(peer, _)| viewer.offered(peer)).collect());
        }
        offered
    }
}

/// A device that is offered routes.
struct Viewer<'a, 'p> {
    network: &'a Network<'p>,
    about: &'a About<'p>,
    device: DeviceIndex,
    /// Where it may send, and who may send to it; the subnets behind it count as itself.
    reached: AddressSet,
    reaching: AddressSet,
}

impl<'a, 'p> Viewer<'a, 'p> {
    fn new(network: &'a Network<'p>, about: &'a About<'p>, device: DeviceIndex) -> Viewer<'a, 'p> {
        let mut viewer = Viewer {
            network,
            about,
            device,
            reached: AddressSet::new(),
            reaching: AddressSet::new(),
        };
        let known = device.of(network.devices);
        let own: AddressSet = known.into_iter().flat_map(around).collect();
        let (mut reached, mut reaching) = (Vec::new(), Vec::new());
        let mut add = |from: Vec<Net>, to: Vec<Net>| {
            if set(&from).overlaps(&own) {
                reached.extend_from_slice(&to);
            }
            if set(&to).overlaps(&own) {
                reaching.extend(from);
            }
        };
        if network.policy.allows_all() {
            add(vec![Net::All], vec![Net::All]);
        }
        for rule in &about.rules {
            viewer.add(rule, &mut add);
        }
        viewer.reached = set(&reached);
        viewer.reaching = set(&reaching);
        viewer
    }

    /// The sources and destinations of a rule, in both directions of its capabilities, as the device has them.
    fn add(&self, rule: &Rule<'p>, add: &mut dyn FnMut(Vec<Net>, Vec<Net>)) {
        let network = self.network;
        let sources = network.sources(rule.sources);
        let to: Vec<Selector<'p>> = rule.destinations().copied().collect();
        if !rule.via.is_empty() {
            let mut nets = Vec::new();
            for opening in rule.openings() {
                for (router, net) in network.via(rule.via, opening.to) {
                    nets.extend((router == self.device).then_some(net));
                }
            }
            return add(sources, nets);
        }
        let (mut others, own) = without_own(&to);
        if rule.openings().next().is_none() {
            others.retain(|to| network.may_be_capable(to));
        }
        let login = self.device.of(network.devices).and_then(Device::user);
        if let (true, Some(login)) = (own, login) {
            let own = network.of_user(login);
            let mut senders = network.all_devices_of(rule.sources);
            senders.retain(|sender| own.contains(sender));
            add(network.own_nets(&senders), network.own_nets(own));
        }
        let mut nets = Vec::new();
        for to in &others {
            nets.append(&mut self.destination(to));
        }
        let mut given = rule.app.iter().map(|app| app.name.name());
        if given.any(|name| returned(name).is_some()) {
            let mut senders = Vec::new();
            for from in rule.sources {
                senders.append(&mut self.destination(from));
            }
            add(network.sources(&others), senders);
        }
        add(sources, nets);
    }

    fn destination(&self, to: &Selector<'p>) -> Vec<Net> {
        match to.kind {
            Kind::Any | Kind::Autogroup(Autogroup::DangerAll) => vec![Net::All],
            Kind::Autogroup(Autogroup::Internet) => internet().ranges().map(Net::Ends).collect(),
            _ => {
                let written = self.network.written(to);
                let own = || self.network.own_nets(&self.network.devices_of(to));
                written.unwrap_or_else(own)
            }
        }
    }

    fn offered(&self, peer: DeviceIndex) -> OfferedRoutes {
        let mut offered = OfferedRoutes::default();
        let known = peer.of(self.network.devices);
        let mut routes = known.map_or(Vec::new(), |known| known.routes.clone());
        routes.sort_unstable();
        if peer == self.device {
            return offered;
        }
        for route in routes {
            let here = AddressSet::from(route);
            if here.overlaps(&self.reached) || here.overlaps(&self.reaching) {
                offered.open.push(route);
            }
            let steered = self.steered(peer, route);
            match (steered.here, steered.elsewhere, steered.freely) {
                (Answer::Yes, _, freely) => {
                    offered.included.push(route);
                    if freely == Answer::Yes {
                        offered.by_primary.push(route);
                    }
                }
                (_, Answer::Yes, Answer::No) => offered.excluded.push(route),
                _ => {}
            }
        }
        offered
    }

    fn steered(&self, peer: DeviceIndex, prefix: Prefix) -> Steered {
        let endpoints = self.network.endpoints_of_device(self.device);
        let Some(end) = endpoints.first() else {
            return Steered::default();
        };
        let steering = self.about.steering(self.network, end, &|_| Answer::Yes);
        let known = self.network.routes.iter();
        match prefix.is_default_route() {
            true => steering.of_exit(peer, prefix.first()),
            false => known
                .filter(|route| route.prefix == prefix)
                .map(|route: &Route| steering.of_route(peer, route))
                .next()
                .unwrap_or_default(),
        }
    }
}

/// The addresses that count as a device's own: its own, and the subnets behind it.
fn around(device: &Device) -> Vec<Prefix> {
    let subnets = device
        .routes
        .iter()
        .filter(|route| !route.is_default_route());
    let own = device.addresses.iter().map(|own| Prefix::host(*own));
    own.chain(subnets.copied()).collect()
}

fn set(nets: &[Net]) -> AddressSet {
    let mut ranges = Vec::with_capacity(nets.len());
    for net in nets {
        match net.range() {
            Some(range) => ranges.push(range),
            None => return AddressSet::everything(),
        }
    }
    set_of(ranges)
}
