//! Why nobody can use a power now, as far as the devices and users of the context tell.
//! Must not live here: who has it.

use super::holders::Who;
use super::power::PowerKind;
use super::statements::Combination;
use crate::cidr::{AddressSet, Version};
use crate::policy::findings::words::joined;
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::context::{Device, DeviceIndex};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;

/// What keeps everybody from using it; none if somebody can, or if that is not known.
pub fn hindrance(network: &Network<'_>, case: &Combination<'_, '_>) -> Option<String> {
    let (who, kind) = (case.who, case.statement.kind);
    if who.is_device() {
        return None;
    }
    if let Some(words) = no_user(network, who) {
        return Some(words);
    }
    // Users may bring a device for it.
    if network.context.devices.is_none() || kind == PowerKind::Tag && who.selector.kind != Kind::Tag
    {
        return None;
    }
    // Whoever is in a synced group is not known; a device is there.
    let is_known = |who: &&Who<'_>| who.selector.kind != Kind::Group && !who.is_device();
    for who in [Some(who), case.on].into_iter().flatten().filter(is_known) {
        let own = who.selector.kind == Kind::Autogroup(Autogroup::Own);
        // Devices of other tailnets are not listed.
        let is_any = matches!(
            who.selector.kind,
            Kind::Any | Kind::Service | Kind::Autogroup(Autogroup::Shared)
        );
        if !own && !is_any && devices_of(network, who).is_empty() && !who.is_routed(network) {
            return Some(no_device(who));
        }
    }
    if !is_known(&who) {
        return None;
    }
    let devices = devices_of(network, who);
    let advertises = |serves: &dyn Fn(&Device) -> bool| {
        let mut known = devices.iter().filter_map(|at| at.of(network.devices));
        known.any(serves)
    };
    match kind {
        PowerKind::Route
            if !advertises(&|device| has_route(device, &case.statement.extent.routes)) =>
        {
            let words = [
                "no device of ",
                who.name(),
                " advertises a route in ",
                &case.statement.what,
            ];
            Some(joined(&words))
        }
        PowerKind::ExitNode if !advertises(&is_exit_node) => Some(joined(&[
            "no device of ",
            who.name(),
            " advertises an exit node",
        ])),
        _ => None,
    }
}

fn no_device(who: &Who<'_>) -> String {
    match who.selector.kind {
        Kind::User => joined(&[who.name(), " has no device"]),
        Kind::Tag => joined(&["no device has ", who.name()]),
        _ => joined(&["no device is in ", &who.party().name]),
    }
}

/// Nobody of the known users is meant.
fn no_user(network: &Network<'_>, who: &Who<'_>) -> Option<String> {
    let users = network.context.users.as_deref()?;
    match who.selector.kind {
        Kind::User => (network.knows_user(who.name()) == Some(false))
            .then(|| joined(&["no user of the tailnet is ", who.name()])),
        Kind::Domain | Kind::Autogroup(Autogroup::Member | Autogroup::Role(_)) => {
            let is_meant = |login: &str| {
                let end = Endpoint::supposed(Identity::User(login));
                network.takes_in(&who.selector, Side::Source, &end) != Answer::No
            };
            let mut logins = users.iter().map(|user| user.written());
            (!logins.any(is_meant)).then(|| joined(&["no user of the tailnet is in ", who.name()]))
        }
        _ => None,
    }
}

fn devices_of(network: &Network<'_>, who: &Who<'_>) -> Vec<DeviceIndex> {
    match &who.set {
        None => network.devices_of(&who.selector),
        Some(set) => {
            let mut found = Vec::new();
            for range in set.ranges() {
                found.extend(network.holders(range));
            }
            found
        }
    }
}

fn has_route(device: &Device, routes: &AddressSet) -> bool {
    let mut advertised = device.advertised.iter();
    advertised.any(|route| !route.is_default_route() && routes.covers_range(*route))
}

fn is_exit_node(device: &Device) -> bool {
    [Version::V4, Version::V6].iter().all(|version| {
        let mut routes = device.advertised.iter();
        routes.any(|route| route.is_default_route() && route.version() == *version)
    })
}
