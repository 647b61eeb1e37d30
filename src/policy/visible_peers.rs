//! Which devices see each other (policy-language.md 6).
//! Must not live here: how filters come about.

use std::collections::HashMap;
use std::rc::Rc;

use super::language::document::Policy;
use super::tailnet::devices::Network;
use super::tailnet::net::{Net, overlap, whole};
use super::tailnet::topology::{Device, Topology};
use crate::tables::sort;

impl Policy<'_> {
    /// The pairs of devices that see each other, each as two places in the topology's list, the lower first; ascending.
    ///
    /// One of the two holds a rule, of the network or of a capability, whose sources take in an address of the other
    /// or one of its approved subnet routes. A router that a grant goes by way of counts as holding one, even if the
    /// grant opens no port.
    pub fn visible_peers(&self, topology: &Topology) -> Vec<(usize, usize)> {
        let devices = topology.devices.as_deref().unwrap_or_default();
        let mut known: HashMap<Rc<[Net]>, Rc<[usize]>> = HashMap::new();
        let mut pairs = Vec::new();
        let mut pair = |holder: usize, sources: &Rc<[Net]>| {
            let seen = known
                .entry(sources.clone())
                .or_insert_with(|| senders(sources, devices));
            let others = seen.iter().filter(|&&other| other != holder);
            pairs.extend(others.map(|&other| (holder.min(other), holder.max(other))));
        };
        for (holder, filter) in self.filters(topology).iter().enumerate() {
            filter.iter().for_each(|rule| pair(holder, &rule.src));
        }
        for (router, sources) in self.routers(topology) {
            pair(router, &sources);
        }
        sort::sort(&mut pairs);
        pairs.dedup();
        pairs
    }

    /// The routers that grants go by way of, each with the sources of the grant.
    fn routers(&self, topology: &Topology) -> Vec<(usize, Rc<[Net]>)> {
        let network = Network::new(self, topology);
        let mut routers = Vec::new();
        for grant in self
            .grant_rules()
            .iter()
            .filter(|grant| !grant.via.is_empty())
        {
            let sources: Rc<[Net]> = network.sources(&grant.sources).into();
            let told = grant
                .destinations
                .iter()
                .flat_map(|to| network.via(&grant.via, to));
            routers.extend(told.map(|(router, _)| (router, sources.clone())));
        }
        routers
    }
}

/// The devices whose traffic a list of sources takes in.
fn senders(sources: &[Net], devices: &[Device]) -> Rc<[usize]> {
    let sends = |device: &Device| {
        let own = device
            .addresses
            .iter()
            .any(|&address| sources.iter().any(|net| net.contains(address)));
        let mut routes = device
            .routes
            .iter()
            .filter(|route| !route.is_default_route());
        own || routes.any(|&route| {
            let route = whole(route);
            sources
                .iter()
                .any(|net| net.range().is_none_or(|range| overlap(range, route)))
        })
    };
    let devices = devices.iter().enumerate();
    devices
        .filter(|(_, device)| sends(device))
        .map(|(index, _)| index)
        .collect()
}
