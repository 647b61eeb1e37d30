//! Devices that there may be where nobody says which there are: none but those asked about, one of everybody, and routers.
//! Must not live here: what hangs on them (settled.rs).

use crate::cidr::{Address, Prefix};
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::context::{Device, Owner, PolicyContext};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::tables::sort;

/// So many ways in which routers may lead somewhere are tried; what hangs on more is open.
const MOST: usize = 1_000;

/// Where devices are not known: contexts in which there are no others than those asked about, and in which everybody has one.
pub fn contexts(context: &PolicyContext, named: &[Selector<'_>]) -> Vec<PolicyContext> {
    if context.devices.is_some() {
        return Vec::new();
    }
    let owners = named.iter().filter_map(|selector| match selector.kind {
        Kind::User => Some(Owner::User(selector.name().to_owned())),
        Kind::Tag => Some(Owner::Tags(vec![selector.name().to_owned()])),
        _ => None,
    });
    let everybody = owners.map(|owner| device(owner, Vec::new())).collect();
    let with = |devices| PolicyContext {
        devices: Some(devices),
        ..context.clone()
    };
    vec![with(Vec::new()), with(everybody)]
}

/// The routers that may lead to two endpoints, each way in which they differ: to the source any; to the destination one or two, with
/// a tag by whose way a grant leads or without, which may be exit nodes too, or nothing else. Nothing if there are too many ways.
/// Where both endpoints are one a router to it is both.
pub fn routers(
    judges: &[&Judge<'_>],
    (from, to, is_one): (&Endpoint<'_>, &Endpoint<'_>, bool),
) -> Option<Vec<Vec<Device>>> {
    let outside = |end: &Endpoint<'_>| {
        let address = end.address();
        address.filter(|address| !tailnet().contains(*address))
    };
    let tags = via_tags(judges);
    let mut all: Vec<Vec<Device>> = Vec::new();
    if let Some(address) = outside(to) {
        let routes = routes_to(address, judges);
        let led = |is_exit| {
            routes
                .iter()
                .map(move |route| (Some(*route), is_exit))
                .collect()
        };
        let kinds: [Vec<(Option<Prefix>, bool)>; 3] = [led(false), led(true), vec![(None, true)]];
        for kinds in kinds {
            let mut one: Vec<Device> = Vec::new();
            for (route, is_exit) in kinds {
                one.extend(tags.iter().map(|tag| router(*tag, route, is_exit)));
            }
            if one.len() * one.len() > MOST {
                return None;
            }
            for (at, first) in one.iter().enumerate() {
                all.push(vec![first.clone()]);
                // Routers that no grant tells apart lead the same way.
                let others = one.iter().skip(at + 1).filter(|_| tags.len() > 1);
                all.extend(others.map(|other| vec![first.clone(), other.clone()]));
            }
        }
    }
    let Some(address) = outside(from).filter(|_| !is_one) else {
        return Some(all);
    };
    let behind = router(None, Some(Prefix::host(address)), false);
    let mut more = vec![vec![behind.clone()]];
    for routers in &all {
        more.push([&routers[..], std::slice::from_ref(&behind)].concat());
    }
    all.append(&mut more);
    Some(all)
}

/// The tags by whose way grants lead, and none.
fn via_tags<'j>(judges: &[&'j Judge<'_>]) -> Vec<Option<&'j str>> {
    let mut tags = vec![None];
    for rule in judges.iter().flat_map(|judge| &judge.about.rules) {
        for tag in rule.via {
            if !tags.contains(&Some(tag.name())) {
                tags.push(Some(tag.name()));
            }
        }
    }
    tags
}

/// The routes that may lead to an address: the address alone, and each wider one that touches more of what `via` grants lead to,
/// or is no longer whole in what others open, for a route is used or not as a whole (docs/policy-language.md#via).
fn routes_to(address: Address, judges: &[&Judge<'_>]) -> Vec<Prefix> {
    let own = Prefix::host(address);
    // No route leads to addresses of the tailnet, and what is all addresses of a version is an exit node's.
    let inside = |route: Prefix| tailnet().overlaps(&route.into());
    let widest = widened(own, 1, &inside).map_or(1, |length| length + 1);
    let mut lengths = vec![own.length()];
    for judge in judges.iter().filter(|judge| judge.has_via) {
        for rule in &judge.about.rules {
            for to in rule.destinations().filter(|to| to.kind != Kind::Any) {
                let Some(set) = judge.network.set_of(to) else {
                    continue;
                };
                let touches = |route: Prefix| set.overlaps(&route.into());
                let covers = |route: Prefix| set.covers_range(route);
                lengths.extend(match rule.via.is_empty() {
                    true => widened(own, widest, &covers),
                    false => widened(own, widest, &touches),
                });
            }
        }
    }
    sort::sort(&mut lengths);
    lengths.dedup();
    let routes = lengths
        .into_iter()
        .filter_map(|length| Prefix::new(address, length));
    routes.map(Prefix::masked).collect()
}

/// The length at which something about a prefix changes as it is widened, if it does before `widest`; it changes once at most.
fn widened(own: Prefix, widest: u8, is_so: &dyn Fn(Prefix) -> bool) -> Option<u8> {
    let at = |length| Prefix::new(own.address(), length).map(Prefix::masked);
    let (before, mut same, mut changed) = (is_so(own), own.length(), widest);
    if is_so(at(changed)?) == before {
        return None;
    }
    while same - changed > 1 {
        let middle = changed + (same - changed) / 2;
        match is_so(at(middle)?) == before {
            true => same = middle,
            false => changed = middle,
        }
    }
    Some(changed)
}

/// A device with a route, or to which everything leads.
fn router(tag: Option<&str>, route: Option<Prefix>, is_exit: bool) -> Device {
    let mut routes: Vec<Prefix> = route.into_iter().collect();
    for all in [Address::V4(0), Address::V6(0)] {
        routes.extend(Prefix::new(all, 0).filter(|_| is_exit));
    }
    let owner = tag.map_or(Owner::Nobody, |tag| Owner::Tags(vec![tag.to_owned()]));
    device(owner, routes)
}

/// A device at no address that anybody asks about.
fn device(owner: Owner, routes: Vec<Prefix>) -> Device {
    Device {
        id: String::new(),
        name: None,
        hostname: None,
        node_id: None,
        owner,
        addresses: Vec::new(),
        advertised: routes.clone(),
        routes,
        os: None,
        client_version: None,
        is_authorized: None,
        key_expires: None,
        is_key_endless: false,
        blocks_incoming: false,
    }
}
