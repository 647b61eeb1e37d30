//! Runs tests in every recorded network, and compares their results with the packet filters that the real service sent.
//! Must not live here: verdicts and messages (tests/recorded/verdicts.rs), our own filters (tests/recorded/network.rs).

use std::net::IpAddr;

use crate::recordings::{Recording, recordings};
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Device, Policy, PolicyContext, TestSection};

/// Addresses of this recording were not replaced in step with its policy.
const DAMAGED: &str = "policytest-allpass-grants-only-tag-src-ipv6-literal-dst";

/// The ports to test: some that policies name and others, with or without a protocol.
const ASKED: [(u16, Option<&str>); 7] = [
    (22, None),
    (80, Some("tcp")),
    (443, Some("udp")),
    (53, None),
    (65_535, Some("17")),
    (22, Some("sctp")),
    (9, Some("icmp")),
];

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

/// The address as a number, so that prefixes can be cut.
fn bits(address: IpAddr) -> (u32, u128) {
    match address {
        IpAddr::V4(address) => (32, u128::from(u32::from(address))),
        IpAddr::V6(address) => (128, u128::from(address)),
    }
}

/// Whether a network of a recording contains an address.
fn holds(net: &str, asked: IpAddr) -> bool {
    let (width, own) = bits(asked);
    let within = |first: &str, last: &str| {
        let (first, last) = (bits(address(first)), bits(address(last)));
        first.0 == width && first.1 <= own && own <= last.1
    };
    if let Some((first, last)) = net.split_once('-') {
        return within(first, last);
    }
    let Some((base, length)) = net.split_once('/') else {
        return net == "*" || within(net, net);
    };
    let (base_width, base) = bits(address(base));
    let length: u32 = length.parse().expect("a length");
    let cut = |bits: u128| bits.checked_shr(width - length).unwrap_or(0);
    base_width == width && cut(base) == cut(own)
}

fn opens(ports: &str, port: u16) -> bool {
    let number = |text: &str| text.parse::<u16>().expect("a port");
    match ports.split_once('-') {
        _ if ports == "*" => true,
        Some((first, last)) => number(first) <= port && port <= number(last),
        None => number(ports) == port,
    }
}

/// Whether a recorded filter lets a packet in.
fn lets_in(ruleset: &Value, from: IpAddr, to: IpAddr, port: u16, protocol: Option<&str>) -> bool {
    let wanted: &[u64] = match protocol {
        None => &[6, 17],
        Some("tcp") => &[6],
        Some("udp" | "17") => &[17],
        Some("sctp") => &[132],
        _ => &[],
    };
    let texts = |list: &Value| -> Vec<String> {
        serde_json::from_value(list.clone()).expect("a list of texts")
    };
    let passes = |rule: &Value| {
        let default = json!([1, 6, 17, 58]);
        let own = rule.get("p").unwrap_or(&default);
        let own: Vec<u64> = serde_json::from_value(own.clone()).expect("numbers");
        // A source that reaches a device at any port may ping it (docs/policy-language.md#pings).
        let ping = wanted.is_empty();
        rule.get("c").is_none()
            && texts(&rule["s"]).iter().any(|net| holds(net, from))
            && (ping || wanted.iter().any(|wanted| own.contains(wanted)))
            && texts(&rule["d"]).iter().any(|target| {
                let (net, ports) = target.rsplit_once('|').expect("a net and ports");
                holds(net, to) && (ping || opens(ports, port))
            })
    };
    ruleset.as_array().expect("rules").iter().any(passes)
}

/// The policy with these tests in place of its own.
fn with_tests(recording: &Recording, tests: &[Value]) -> String {
    let text = hujson::standardize(recording.policy()).expect("HuJSON");
    let mut policy: Value = serde_json::from_str(&text).expect("JSON");
    policy["tests"] = json!(tests);
    policy.to_string()
}

/// One question for each pair of devices, with the answer of the recorded filter.
fn questions(recording: &Recording, devices: &[Device]) -> Vec<(Value, bool)> {
    let mut asked = Vec::new();
    for (at, from) in devices.iter().enumerate() {
        for (place, to) in devices.iter().enumerate().filter(|(place, _)| *place != at) {
            let Some(ruleset) = recording.ruleset(&to.id) else {
                continue;
            };
            let (port, protocol) = ASKED[(at * 5 + place) % ASKED.len()];
            let of = |device: &Device, at: usize| {
                let own = &device.addresses;
                address(&own[at % own.len()].to_string())
            };
            let (source, target) = (of(from, at / 2), of(to, place));
            let host = match target {
                IpAddr::V4(address) => format!("{address}:{port}"),
                IpAddr::V6(address) => format!("[{address}]:{port}"),
            };
            let mut test = json!({"src": source.to_string(), "accept": [host]});
            if let Some(protocol) = protocol {
                test["proto"] = json!(protocol);
            }
            asked.push((test, lets_in(ruleset, source, target, port, protocol)));
        }
    }
    asked
}

fn differences(recording: &Recording, context: &PolicyContext) -> (usize, Vec<String>) {
    let devices = context.devices.as_deref().expect("devices");
    let (tests, recorded): (Vec<Value>, Vec<bool>) =
        questions(recording, devices).into_iter().unzip();
    let text = with_tests(recording, &tests);
    let document = hujson::parse(&text).expect("HuJSON");
    let report = Policy::read(&document).run_tests(context);
    let ours = report
        .results
        .iter()
        .filter(|result| result.section == TestSection::Tests);
    let found: Vec<Option<bool>> = ours.map(|result| result.passed).collect();
    assert_eq!(found.len(), recorded.len(), "{}", recording.id());
    let compared = tests.iter().zip(found.iter().zip(&recorded));
    let differs = compared.filter(|(_, (ours, theirs))| **ours != Some(**theirs));
    let lines = differs.map(|(test, (ours, theirs))| {
        format!(
            "{}: {test}: the filter: {theirs}, we: {ours:?}",
            recording.id()
        )
    });
    (recorded.len(), lines.collect())
}

#[test]
fn tests_pass_and_fail_as_the_filters_of_the_service_say() {
    let (mut asked, mut found) = (0, Vec::new());
    for (_, recordings) in recordings() {
        for recording in recordings
            .iter()
            .filter(|r| r.accepted() && r.id() != DAMAGED)
        {
            let (count, lines) = differences(recording, &recording.context());
            asked += count;
            found.extend(lines);
        }
    }
    println!("tests against filters: {asked} asked");
    found.truncate(40);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
