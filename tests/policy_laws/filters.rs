//! Law: each device receives the filter that the policy language gives it. Must not live here: who receives a packet.

use std::net::IpAddr;

use serde_json::json;

use crate::case::{Case, Fault, Found, Law, nothing};
use crate::oracle::compare::{difference, read_filter};
use crate::oracle::{Oracle, Received};
use crate::questions::ELSEWHERE;

/// Compares both filters for one packet of each class that either filter tells apart.
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
            let received = wanted.iter().find(|received| received.admits(packet));
            let fault = match received {
                Some(received) => {
                    format!("filter keeps out {}{}", via(&oracle, received), received.to)
                }
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

fn via(oracle: &Oracle, received: &Received) -> &'static str {
    let through = !oracle.rules[received.rule].via.is_empty();
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
