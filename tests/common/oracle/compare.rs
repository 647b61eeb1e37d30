//! Whether two packet filters let the same packets in. One packet of each class that either filter tells apart is tried, which
//! decides it for all packets. Must not live here: where filters come from.

use std::collections::BTreeSet;
use std::net::IpAddr;

use serde_json::Value;

use super::document::{Opening, texts};
use super::span::{Set, Span, after, before, everything};
use super::{Packet, Received};

/// A set as a filter writes it.
fn net(text: &str) -> Set {
    match text {
        "*" => everything(),
        text => vec![Span::read(text).unwrap_or_else(|| panic!("a net, not {text}"))],
    }
}

fn opening(ports: &str, protocols: &[u8]) -> Opening {
    let number = |text: &str| text.parse().expect("a port");
    let (first, last) = match ports.split_once('-') {
        _ if ports == "*" => (0, u16::MAX),
        Some((first, last)) => (number(first), number(last)),
        None => (number(ports), number(ports)),
    };
    Opening {
        protocols: protocols.to_vec(),
        first,
        last,
    }
}

/// The network rules of a filter in the form of the public API: `{src, dst: [{net, ports}], proto}`.
pub fn read_filter(filter: &Value) -> Vec<Received> {
    let mut received = Vec::new();
    for (at, rule) in filter
        .as_array()
        .expect("a list of rules")
        .iter()
        .enumerate()
    {
        if rule.get("app").is_some() {
            continue;
        }
        let src: Set = texts(rule.get("src"))
            .iter()
            .flat_map(|text| net(text))
            .collect();
        let protocols: Vec<u8> =
            serde_json::from_value(rule["proto"].clone()).expect("protocol numbers");
        for target in rule["dst"].as_array().expect("a list of destinations") {
            let text = |name: &str| target[name].as_str().expect("a text");
            received.push(Received {
                rule: at,
                to: String::new(),
                src: src.clone(),
                dst: net(text("net")),
                opens: vec![opening(text("ports"), &protocols)],
            });
        }
    }
    received
}

/// The first point of each class that no rule tells apart.
fn classes<T: Clone>(points: Vec<T>, signature: impl Fn(&T) -> Vec<bool>) -> Vec<T> {
    let mut known = BTreeSet::new();
    points
        .into_iter()
        .filter(|point| known.insert(signature(point)))
        .collect()
}

fn edges(sets: &[&Set]) -> Vec<IpAddr> {
    let mut points = BTreeSet::new();
    for span in sets.iter().copied().flatten() {
        points.extend([span.first, span.last]);
        points.extend(before(span.first));
        points.extend(after(span.last));
    }
    points.into_iter().collect()
}

fn traffic(rules: &[Received]) -> Vec<(u16, u8)> {
    let (mut ports, mut protocols) = (
        BTreeSet::from([0, 22, 80, u16::MAX]),
        BTreeSet::from([1, 6, 17, 47, 58, 132]),
    );
    for opening in rules.iter().flat_map(|received| &received.opens) {
        ports.extend([opening.first, opening.last]);
        ports.extend([
            opening.first.saturating_sub(1),
            opening.last.saturating_add(1),
        ]);
        protocols.extend(opening.protocols.iter().copied());
    }
    let of = |port: &u16| {
        protocols
            .iter()
            .map(|protocol| (*port, *protocol))
            .collect::<Vec<_>>()
    };
    ports.iter().flat_map(of).collect()
}

/// How many packets were tried, and the first that only one of the filters lets in.
pub fn difference(
    one: &[Received],
    other: &[Received],
    more: &[IpAddr],
) -> (usize, Option<Packet>) {
    let all: Vec<Received> = one.iter().chain(other).cloned().collect();
    let with = |mut points: Vec<IpAddr>| {
        points.extend(more);
        points
    };
    let holds = |set: &Set, point: &IpAddr| super::span::holds(set, *point);
    let sources = with(edges(
        &all.iter().map(|received| &received.src).collect::<Vec<_>>(),
    ));
    let sources = classes(sources, |point| {
        all.iter()
            .map(|received| holds(&received.src, point))
            .collect()
    });
    let targets = with(edges(
        &all.iter().map(|received| &received.dst).collect::<Vec<_>>(),
    ));
    let targets = classes(targets, |point| {
        all.iter()
            .map(|received| holds(&received.dst, point))
            .collect()
    });
    let opens = |received: &Received, (port, protocol): &(u16, u8)| {
        received
            .opens
            .iter()
            .any(|open| open.opens(*port, *protocol))
    };
    let traffic = classes(traffic(&all), |traffic| {
        all.iter()
            .map(|received| opens(received, traffic))
            .collect()
    });
    let mut asked = 0;
    for &from in &sources {
        for &to in &targets {
            for &(port, protocol) in &traffic {
                let packet = Packet {
                    from,
                    to,
                    port,
                    protocol,
                };
                asked += 1;
                let admits =
                    |filter: &[Received]| filter.iter().any(|received| received.admits(packet));
                if admits(one) != admits(other) {
                    return (asked, Some(packet));
                }
            }
        }
    }
    (asked, None)
}
