//! Law: each device is told the filter that the policy language has it told. Must not live here: who receives a packet.

use std::net::IpAddr;

use serde_json::json;

use crate::case::{Case, Fault, Found, Law, nothing};
use crate::oracle::compare::{difference, read_filter};
use crate::oracle::{Oracle, Told};
use crate::questions::ELSEWHERE;

/// Both filters at one point of each class of packets that either tells apart.
fn judge(case: &Case, _: &[()]) -> Found {
    let oracle = case.oracle();
    let filters = case.ask(|policy| json!(policy.filters(&case.context)));
    let elsewhere = ELSEWHERE.map(|text| text.parse::<IpAddr>().expect("an address"));
    let mut asked = 0;
    for (at, device) in oracle.tailnet.devices.iter().enumerate() {
        let wanted: Vec<_> = oracle.filter(at, None).cloned().collect();
        let own = read_filter(&filters[at]);
        let (more, differs) = difference(&wanted, &own, &elsewhere);
        asked += more;
        if let Some(packet) = differs {
            let told = wanted.iter().find(|told| told.admits(packet));
            let fault = match told {
                Some(told) => format!("filter keeps out {}{}", via(&oracle, told), told.to),
                None => "filter lets in".to_owned(),
            };
            let (id, own) = (&device.id, &filters[at]);
            return Err(Fault::new(
                0,
                format!("{fault}: device {id}, {packet:?}; its filter is {own}"),
            ));
        }
    }
    Ok(asked)
}

fn via(oracle: &Oracle, told: &Told) -> &'static str {
    let through = !oracle.rules[told.rule].via.is_empty();
    if through { "via " } else { "" }
}

#[test]
fn the_filter_of_each_device_is_that_of_the_language() {
    Law {
        name: "filters",
        share: 1,
        draw: nothing,
        judge,
    }
    .holds();
}
