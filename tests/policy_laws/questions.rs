//! Random questions about a policy in a network: between names, and between addresses at and around the edges of sets. Must not
//! live here: answers.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;

use serde_json::Value;

use crate::case::Case;
use crate::oracle::Oracle;
use crate::oracle::span::{Set, after, before};
use crate::random::dice::Dice;
use crate::random::rules::{attributes, end, with_port};

/// A flow to ask about.
pub struct Question {
    pub from: String,
    pub to: String,
    pub port: u16,
    pub protocol: &'static str,
    pub attributes: Option<Value>,
}

impl Question {
    /// `HOST:PORT`.
    pub fn destination(&self) -> String {
        with_port(&self.to, self.port)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} to {} ({})",
            self.from,
            self.destination(),
            self.protocol
        )?;
        match &self.attributes {
            Some(attributes) => write!(f, " with {attributes}"),
            None => Ok(()),
        }
    }
}

/// Addresses that need not be in any rule.
pub const ELSEWHERE: [&str; 8] = [
    "8.8.8.8",
    "203.0.113.9",
    "172.16.0.9",
    "127.0.0.1",
    "100.115.92.7",
    "100.64.7.7",
    "2600::1",
    "fd00:2::1",
];

/// Protocols with ports, protocols without, and the pings.
pub const PROTOCOLS: [&str; 6] = ["tcp", "udp", "icmp", "sctp", "gre", "89"];

/// The addresses at and around every edge of the sets that policy and network name.
pub fn addresses(oracle: &Oracle) -> Vec<IpAddr> {
    let mut sets: Set = oracle.tailnet.subnets();
    for rule in &oracle.rules {
        let targets = rule.dst.iter().map(|(to, _)| to);
        for selector in rule.src.iter().chain(targets) {
            sets.extend(oracle.tailnet.set(selector));
        }
    }
    let mut near: BTreeSet<IpAddr> = ELSEWHERE
        .iter()
        .map(|text| text.parse().expect("an address"))
        .collect();
    for span in sets {
        near.extend([span.first, span.last]);
        near.extend(before(span.first));
        near.extend(after(span.last));
    }
    for device in &oracle.tailnet.devices {
        near.extend(device.addresses.iter().copied());
    }
    near.into_iter().collect()
}

/// A port at or around an edge of the rules.
pub fn port(dice: &mut Dice, oracle: &Oracle) -> u16 {
    let mut ports = BTreeSet::from([22, 80]);
    for opening in oracle
        .rules
        .iter()
        .flat_map(|rule| &rule.dst)
        .flat_map(|(_, opens)| opens)
    {
        ports.extend([
            opening.first,
            opening.last,
            opening.first.saturating_sub(1),
            opening.last.saturating_add(1),
        ]);
    }
    let ports: Vec<u16> = ports.into_iter().filter(|port| *port > 0).collect();
    *dice.pick(&ports)
}

/// A name that is allowed in a question and not in a test: a device, or a selector of many.
fn crowd_or_device(dice: &mut Dice, oracle: &Oracle) -> String {
    match dice.below(3) {
        0 => "autogroup:member".to_owned(),
        1 => "autogroup:tagged".to_owned(),
        _ if oracle.tailnet.devices.is_empty() => "autogroup:admin".to_owned(),
        _ => dice.pick(&oracle.tailnet.devices).name.clone(),
    }
}

fn question(dice: &mut Dice, oracle: &Oracle, near: &[IpAddr]) -> Question {
    let place = |dice: &mut Dice| match dice.below(5) {
        0 | 1 => end(dice),
        2 => crowd_or_device(dice, oracle),
        _ => dice.pick(near).to_string(),
    };
    Question {
        from: place(dice),
        to: place(dice),
        port: port(dice, oracle),
        protocol: PROTOCOLS[[0, 0, 0, 1, 1, 2, 3, 4, 5][dice.below(9)]],
        attributes: attributes(dice),
    }
}

/// Fifty questions about a case.
pub fn questions(case: &Case, dice: &mut Dice) -> Vec<Question> {
    let oracle = case.oracle();
    let near = addresses(&oracle);
    (0..50).map(|_| question(dice, &oracle, &near)).collect()
}
