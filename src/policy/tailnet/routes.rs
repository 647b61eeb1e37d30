//! The approved routes of a tailnet: which devices lead to an address, and which routes touch a set.
//! Must not live here: who may use them.

use crate::cidr::{Address, Prefix, Range};
use crate::tables::sort;
use crate::tables::spans::Spans;

use super::context::Device;
use super::context::DeviceIndex;

/// The approved routes, each prefix once; and the exit nodes, whose default routes are kept apart.
///
/// An exit node is for the internet only (docs/policy-language.md#exit-nodes): it leads to no subnet.
#[derive(Debug)]
pub struct Routes {
    list: Vec<Route>,
    spans: Spans<Address>,
    /// The devices with an approved default route, ascending.
    pub exits: Vec<DeviceIndex>,
    /// Each of these routes with its device.
    defaults: Vec<(DeviceIndex, Prefix)>,
}

/// One prefix, and the devices that lead to it.
#[derive(Debug)]
pub struct Route {
    /// The prefix.
    pub prefix: Prefix,
    /// Ascending.
    pub routers: Vec<DeviceIndex>,
}

impl Route {
    /// The addresses of the prefix.
    pub fn range(&self) -> Range {
        self.prefix.into()
    }
}

impl Routes {
    /// The routes of some devices, taken from each by `of`: the approved ones, or all that it advertises.
    #[inline(never)]
    pub fn new(devices: &[Device], of: fn(&Device) -> &[Prefix]) -> Routes {
        let (mut pairs, mut exits, mut defaults) = (Vec::new(), Vec::new(), Vec::new());
        for (at, device) in DeviceIndex::each(devices) {
            for &prefix in of(device) {
                match prefix.is_default_route() {
                    true => {
                        exits.push(at);
                        defaults.push((at, prefix));
                    }
                    false => pairs.push((prefix, at)),
                }
            }
        }
        exits.dedup();
        let place = |prefix: Prefix| (prefix.first(), prefix.length());
        sort::sort_by(&mut pairs, |(a, x), (b, y)| {
            (place(*a), x).cmp(&(place(*b), y))
        });
        pairs.dedup();
        let mut list: Vec<Route> = Vec::new();
        for (prefix, router) in pairs {
            match list.last_mut() {
                Some(route) if route.prefix == prefix => route.routers.push(router),
                _ => list.push(Route {
                    prefix,
                    routers: vec![router],
                }),
            }
        }
        let mut ends = Vec::with_capacity(list.len());
        for (at, route) in list.iter().enumerate() {
            ends.push((route.range().first(), route.range().last(), at));
        }
        Routes {
            list,
            spans: Spans::new(ends),
            exits,
            defaults,
        }
    }

    /// The exit nodes with a default route of the family of an address, ascending.
    pub fn exits_to(&self, address: Address) -> Vec<DeviceIndex> {
        let defaults = self.defaults.iter();
        let own = defaults.filter(|(_, route)| route.first().version() == address.version());
        let mut exits: Vec<DeviceIndex> = own.map(|(exit, _)| *exit).collect();
        exits.dedup();
        exits
    }

    /// Each prefix, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &Route> {
        self.list.iter()
    }

    /// Passes on the routes that share an address with a range.
    pub fn overlapping(&self, range: Range, take: &mut dyn FnMut(&Route)) {
        let mut found = |at| {
            if let Some(route) = self.list.get(at) {
                take(route);
            }
        };
        self.spans
            .overlapping(range.first(), range.last(), &mut found);
    }

    /// The routes that lead to an address, the longest prefix first: that decides on the router.
    pub fn leading_to(&self, address: Address) -> Vec<&Route> {
        let mut routes = Vec::new();
        for at in self.spans.at(address) {
            routes.extend(self.list.get(at));
        }
        // Of those that contain one address, a later one in this order is inside the earlier.
        routes.reverse();
        routes
    }
}
