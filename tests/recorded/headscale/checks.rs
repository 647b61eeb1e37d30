//! For how long a check of a login lasts, as Headscale recorded it for pairs of nodes. Must not live here: who may log in at all
//! (tests/recorded/headscale/network.rs).

use std::collections::BTreeMap;
use std::net::IpAddr;

use tailnet_kit::hujson;
use tailnet_kit::policy::{Device, DeviceIndex, Policy, PolicyContext};

use super::{Case, replay};
use crate::oracle::span::Span;

/// The pairs of two devices between which a rule alone lets somebody log in, by ids: `from>to`.
fn pairs(case: &Case, context: &PolicyContext, place: usize) -> Vec<String> {
    let dialect = context.dialect_of(case.policy());
    let document = hujson::parse(dialect.document(case.policy())).expect("HuJSON");
    let mut policy = Policy::read_as(&document, dialect);
    policy.ssh = vec![policy.ssh.swap_remove(place)];
    let rules = policy.ssh_rules(context);
    let devices: &[Device] = context.devices.as_deref().unwrap_or_default();
    let mut pairs = Vec::new();
    for (at, to) in devices.iter().enumerate() {
        let sources: Vec<Span> = rules
            .of(DeviceIndex(at))
            .flat_map(|rule| rule.from.iter())
            .map(|net| Span::read(&net.to_string()).expect("addresses"))
            .collect();
        let reaches = |from: &&Device| {
            let mut own = from.addresses.iter().map(|own| own.to_string());
            own.any(|own| {
                let own: IpAddr = own.parse().expect("an address");
                sources
                    .iter()
                    .any(|span| span.first <= own && own <= span.last)
            })
        };
        let others = devices.iter().filter(|from| from.id != to.id);
        let from = others.filter(reaches);
        pairs.extend(from.map(|from| format!("{}>{}", from.id, to.id)));
    }
    pairs
}

/// A period in Go's words, in seconds.
fn seconds(period: &str) -> f64 {
    if period == "always" {
        return 0.0;
    }
    let mut sum = 0.0;
    let mut rest = period;
    while !rest.is_empty() {
        let digits = rest.find(char::is_alphabetic).expect("a unit");
        let (number, behind) = rest.split_at(digits);
        let end = behind.find(|c: char| !c.is_alphabetic());
        let (unit, behind) = behind.split_at(end.unwrap_or(behind.len()));
        let size = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            _ => panic!("{period}"),
        };
        sum += number.parse::<f64>().expect("a number") * size;
        rest = behind;
    }
    sum
}

/// The first check that lets somebody log in says for how long it lasts; 12 hours if it does not say.
#[test]
fn a_check_lasts_as_long_as_headscale_says() {
    replay("periods of checks", |case| {
        if case.text("verdict") == Some("refused") {
            return None;
        }
        let theirs = case.case["checkPeriod"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        // A node that is nobody's and has no tags is a source of rules, and yet none lets it log in.
        let nodes = case.network["nodes"].as_array().expect("nodes");
        let owned = nodes
            .iter()
            .filter(|node| !node["user"].is_null() || !node["tags"].is_null());
        let owned: Vec<String> = owned.map(|node| node["id"].to_string()).collect();
        let from = |pair: &str| pair.split('>').next().unwrap_or_default().to_owned();
        let theirs: BTreeMap<String, f64> = theirs
            .iter()
            .filter(|(pair, _)| owned.contains(&from(pair)))
            .map(|(pair, period)| (pair.clone(), seconds(period.as_str().expect("a period"))))
            .collect();
        let context = case.context();
        let dialect = context.dialect_of(case.policy());
        let document = hujson::parse(dialect.document(case.policy())).expect("HuJSON");
        let policy = Policy::read_as(&document, dialect);
        let mut ours = BTreeMap::new();
        for (place, rule) in policy.ssh.iter().enumerate() {
            if rule.action.as_ref().map(|action| action.text.trim()) != Some("check") {
                continue;
            }
            let period = rule.check_period.as_ref().map_or("12h", |word| word.text);
            for pair in pairs(case, &context, place) {
                ours.entry(pair).or_insert_with(|| seconds(period));
            }
        }
        Some(
            (ours != theirs)
                .then(|| format!("{}\n  ours {ours:?}\n  theirs {theirs:?}", case.policy())),
        )
    });
}
