//! Law: each device is told the filter that the policy language has it told. Must not live here: who receives a packet.

use std::net::IpAddr;

use crate::case::{Case, Found, law};
use crate::oracle::compare::{difference, read_filter};

/// Addresses that no rule needs to name.
const ELSEWHERE: [&str; 8] = [
    "8.8.8.8",
    "203.0.113.9",
    "172.16.0.9",
    "127.0.0.1",
    "100.115.92.7",
    "100.64.7.7",
    "2600::1",
    "fd00:2::1",
];

/// Both filters at one point of each class of packets that either tells apart.
fn asked(case: &Case) -> Found {
    let oracle = case.oracle();
    let filters = case.ask(|policy| policy.filters(&case.topology));
    let elsewhere = ELSEWHERE.map(|text| text.parse::<IpAddr>().expect("an address"));
    let mut asked = 0;
    for (at, device) in oracle.tailnet.devices.iter().enumerate() {
        let wanted: Vec<_> = oracle.filter(at, None).cloned().collect();
        let own = read_filter(&filters[at]);
        let (more, differs) = difference(&wanted, &own, &elsewhere);
        asked += more;
        if let Some(packet) = differs {
            let lets = own.iter().any(|told| told.admits(packet));
            let says = if lets { "lets in" } else { "keeps out" };
            let (id, own) = (&device.id, &filters[at]);
            return Err(format!(
                "filter {says}: device {id} {says} {packet:?}, the oracle does not; its filter is {own}"
            ));
        }
    }
    Ok(asked)
}

#[test]
fn the_filter_of_each_device_is_that_of_the_language() {
    law("filters", 1, |case, _| asked(case));
}
