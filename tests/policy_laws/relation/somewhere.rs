//! Law: in a network of which everything is known, each difference of access and of logins that is told is so for some source and
//! destination of those that it names. Must not live here: that it is so for all of them (mod.rs).

use std::net::IpAddr;

use tailnet_kit::policy::PolicyContext;

use super::reported::{Item, Turn, items, set_of};
use super::{Pair, differences, seeds};
use crate::case::{Case, Fault, Found, Law};
use crate::oracle::span::Span;
use crate::random::unknown::complete;

/// The edges of what an item names, and of its parts, so that there is an address of it to try.
fn edges(pair: &Pair, item: &Item) -> Vec<IpAddr> {
    let mut found = Vec::new();
    for span in item
        .from
        .iter()
        .chain(&item.to)
        .filter_map(|text| Span::read(text))
    {
        found.extend([span.first, span.last]);
    }
    for party in [&item.source, &item.destination] {
        let name = party["name"].as_str().expect("a name");
        for network in &pair.networks {
            for span in set_of(name, network) {
                found.extend([span.first, span.last]);
            }
        }
    }
    found
}

/// Whether an item is so for some of the sources and destinations that it names.
fn is_somewhere(pair: &Pair, item: &Item) -> bool {
    let addresses = || pair.addresses.iter().filter(|it| !pair.is_moved(**it));
    addresses().any(|&to| {
        let mut sources = addresses().filter(|from| from.is_ipv4() == to.is_ipv4());
        sources.any(|&from| is_between(pair, item, from, to))
    })
}

fn is_between(pair: &Pair, item: &Item, from: IpAddr, to: IpAddr) -> bool {
    let (source, end) = (pair.end(from), pair.end(to));
    if !item.may_be_about(&pair.networks, &source, &end) {
        return false;
    }
    // Of what is behind a router, what the rules say is told, whichever device forwards it.
    let is_device = source.devices.iter().any(Option::is_some);
    let passes = |reading: usize| -> u64 {
        let network = &pair.networks[reading];
        let mut receivers = network.receivers(from, to);
        receivers.retain(|at| {
            let is_meant = item.goes_through(network, &end, at);
            is_meant && !(is_device && pair.is_at(from, at))
        });
        let held = receivers
            .iter()
            .filter(|at| pair.holds(item, reading, &source, at));
        match item.certain() {
            Some(own) if own != reading => receivers
                .iter()
                .fold(0, |all, at| all | network.passes(from, to, at)),
            _ => held.fold(0, |all, at| all | network.passes(from, to, at)),
        }
    };
    let [was, is] = [0, 1].map(passes);
    // What passes whichever device forwards.
    let by_all = |reading: usize| -> u64 {
        let network = &pair.networks[reading];
        let receivers = network.receivers(from, to);
        let passing = receivers.iter().map(|at| network.passes(from, to, at));
        passing.reduce(|all, bits| all & bits).unwrap_or_default()
    };
    let differs = match item.turn {
        Turn::Gained => is & !was,
        Turn::Lost => was & !is,
        Turn::Undecided | Turn::Checked => (was ^ is) | (by_all(0) ^ by_all(1)),
    };
    differs & item.bits() != 0
}

fn judge(case: &Case, asked: &[u64]) -> Found {
    let later = case.later();
    if later.refusal().is_some() || case.refusal().is_some() {
        return Ok(0);
    }
    let seed = asked[0];
    let networks = [case, &later].map(|it| complete(it.tailnet(), seed).to_string());
    let contexts = networks
        .each_ref()
        .map(|network| PolicyContext::read(network).expect("a network"));
    let second = usize::from(networks[0] != networks[1]);
    let [access, logins] = differences(case, &later, [&contexts[0], &contexts[second]]);
    let mut pair = Pair::completed(case, &later, seed);
    for item in items(&access) {
        // Nobody has what is told of nobody, of services, or of other tailnets; a ping passes by another rule, too. Of a condition
        // that changes, nothing need be open or closed by it today; everything is more than what there is.
        let name = &item.source["name"];
        let is_there = !item.is_vacant
            && name != "autogroup:shared"
            && item.destination["kind"] != "service"
            && item.destination["kind"] != "any"
            && item.bits() != 0
            && item.postures.is_empty()
            && item.unless.is_empty();
        if !is_there {
            continue;
        }
        pair.addresses.extend(edges(&pair, &item));
        pair.addresses.sort_unstable();
        pair.addresses.dedup();
        if !is_somewhere(&pair, &item) {
            let says = format!("nowhere: in a network completed by {seed}, {}", item.says);
            return Err(Fault::new(0, says));
        }
    }
    for item in items(&logins) {
        // Of a condition that changes, and of what is treated otherwise, nothing need be allowed by it today.
        let is_there = !item.is_vacant
            && item.turn != Turn::Checked
            && item.source["name"] != "autogroup:shared"
            && item.postures.is_empty()
            && item.unless.is_empty();
        if is_there && !is_login(&pair, &item) {
            let says = format!(
                "nobody logs in: in a network completed by {seed}, {}",
                item.says
            );
            return Err(Fault::new(0, says));
        }
    }
    Ok(1)
}

/// Whether some of the logins that an item names are so.
fn is_login(pair: &Pair, item: &Item) -> bool {
    pair.logins().into_iter().any(|(from, to)| {
        let (Some(source), Some(end)) = (pair.end_of(&from), pair.end_of(&to)) else {
            return false;
        };
        if from == to || !item.may_be_about(&pair.networks, &source, &end) {
            return false;
        }
        let mut users = source
            .devices
            .iter()
            .flatten()
            .map(|device| device.user.as_deref());
        users.any(|user| {
            item.accounts(user).into_iter().any(|account| {
                let [was, is] = [0, 1].map(|at| pair.networks[at].login(&from, &to, account));
                match item.turn {
                    Turn::Gained => was.is_none() && is.is_some(),
                    Turn::Lost => was.is_some() && is.is_none(),
                    Turn::Undecided | Turn::Checked => was != is,
                }
            })
        })
    })
}

#[test]
fn what_is_told_is_so_somewhere() {
    Law {
        name: "relation somewhere",
        share: 8,
        draw: seeds,
        judge,
    }
    .holds_for(Case::of_unknown);
}
