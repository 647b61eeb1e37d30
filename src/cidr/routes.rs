//! What a device's two route lists say together: which routes carry traffic, and which wait.
//! Must not live here: reading the lists from the service, approval by policy.

use crate::tables::sort;
use serde::Serialize;

use super::prefix::Prefix;

/// How far a device serves as an exit node: which default routes are active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExitNode {
    /// Neither `0.0.0.0/0` nor `::/0` is active.
    No,
    /// One of the two is active: traffic of the other family does not leave by this device.
    Half,
    /// Both are active.
    Yes,
}

/// The routes of a device sorted by state. Each list ascends, IPv4 first, and names a route once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Advertised and enabled: these carry traffic.
    pub active: Vec<Prefix>,
    /// Advertised, not enabled: these wait for someone to enable them.
    pub pending: Vec<Prefix>,
    /// Enabled, not advertised: these act as soon as the device advertises them.
    pub enabled_only: Vec<Prefix>,
    /// Which default routes are active.
    pub exit_node: ExitNode,
    /// Pairs of different routes of either list that share addresses, the wider one first.
    pub overlaps: Vec<(Prefix, Prefix)>,
}

/// Sorts advertised and enabled routes by state. Host bits do not count: routes are compared masked.
#[must_use]
pub fn summarize(advertised: &[Prefix], enabled: &[Prefix]) -> Summary {
    let (advertised, enabled) = (distinct(advertised), distinct(enabled));
    let (active, pending) = parted(&advertised, &enabled);
    let (_, enabled_only) = parted(&enabled, &advertised);
    let defaults = active.iter().filter(|route| route.is_default_route());
    Summary {
        exit_node: match defaults.count() {
            0 => ExitNode::No,
            1 => ExitNode::Half,
            _ => ExitNode::Yes,
        },
        overlaps: overlaps(distinct(&[advertised, enabled].concat())),
        active,
        pending,
        enabled_only,
    }
}

/// The routes without host bits, ascending, each once.
fn distinct(routes: &[Prefix]) -> Vec<Prefix> {
    let mut distinct: Vec<Prefix> = routes.iter().copied().map(Prefix::masked).collect();
    sort::sort(&mut distinct);
    distinct.dedup();
    distinct
}

/// The routes that are also in the other list, and those that are not; both lists ascend.
fn parted(routes: &[Prefix], others: &[Prefix]) -> (Vec<Prefix>, Vec<Prefix>) {
    let is_shared = |route: &Prefix| others.binary_search(route).is_ok();
    routes.iter().copied().partition(is_shared)
}

/// Prefixes share addresses only if one covers the other, and in ascending order the wider one comes
/// first: the routes around the current one are those still open.
fn overlaps(ascending: Vec<Prefix>) -> Vec<(Prefix, Prefix)> {
    let mut open: Vec<Prefix> = Vec::new();
    let mut pairs = Vec::new();
    for route in ascending {
        open.retain(|wider| wider.covers(route));
        pairs.extend(open.iter().map(|wider| (*wider, route)));
        open.push(route);
    }
    sort::sort(&mut pairs);
    pairs
}
