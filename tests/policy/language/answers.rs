//! The answers of the engine in the words of the documents (the notation is explained in mod.rs).
//! Must not live here: expected answers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tailnet_kit::policy::{DeviceIndex, Flow, Policy, PowerKind};

use super::network::Network;

/// The protocols of a rule without any, which are not written.
const UNNAMED: [u8; 4] = [1, 6, 17, 58];

/// One line of an answer: the device that it is about, if it is about one, and what it says.
pub type Line = (String, String);

/// The lines that answer a question; none for a question that nobody knows.
pub fn answer(
    question: &str,
    policy: &Policy<'_>,
    network: &Network,
    asked: &[Line],
) -> Option<Vec<Line>> {
    Some(match question {
        "filter" => filters(policy, network),
        "ssh" => ssh(policy, network),
        "peers" => peers(policy, network),
        "routes" => routes(policy, network),
        "attrs" => attributes(policy, network),
        "tests" => tests(policy, network),
        "via" => via(policy, network),
        "tags" => tags(policy, network),
        "flow" => flows(policy, network, asked),
        _ => return None,
    })
}

fn texts(list: &Value) -> impl Iterator<Item = String> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item.as_str().expect("a text").to_owned())
}

fn filters(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let mut lines = Vec::new();
    for (id, filter) in network.ids().zip(policy.filters(&network.context)) {
        // The order of rules has no meaning, and rules that differ in their destinations only are one.
        let mut merged: BTreeMap<(String, String), BTreeMap<String, BTreeSet<String>>> =
            BTreeMap::new();
        for rule in filter {
            let rule = json!(rule);
            let kind = match &rule["app"] {
                Value::Null if rule["proto"] == json!(UNNAMED) => String::new(),
                Value::Null => format!(" by {}", rule["proto"]),
                app => format!(" as {app}"),
            };
            let from = network.named(texts(&rule["src"])).join(" ");
            let targets = merged.entry((from, kind)).or_default();
            for to in rule["dst"].as_array().expect("a list") {
                let text = |part: &str| to[part].as_str().expect("a text").to_owned();
                targets
                    .entry(text("ports"))
                    .or_default()
                    .insert(text("net"));
            }
        }
        for ((from, kind), targets) in merged {
            let mut to = Vec::new();
            for (ports, nets) in targets {
                let nets = network.named(nets.into_iter());
                to.extend(nets.into_iter().map(|net| format!("{net}|{ports}")));
            }
            let line = format!("{from} -> {}{kind}", to.join(" "));
            lines.push((id.to_owned(), line.trim().to_owned()));
        }
    }
    lines
}

fn ssh(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let rules = policy.ssh_rules(&network.context);
    let mut lines = Vec::new();
    for (at, id) in network.ids().enumerate() {
        for rule in rules.of(DeviceIndex(at)) {
            let rule = json!(rule);
            let from = network.named(texts(&rule["from"])).join(" ");
            let action = rule["action"].as_str().expect("an action");
            let env = match &rule["acceptEnv"] {
                Value::Null => String::new(),
                names => format!(" with {names}"),
            };
            let line = format!("{from} as {} {action}{env}", rule["users"]);
            lines.push((id.to_owned(), line));
        }
    }
    lines
}

fn peers(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let ids: Vec<&str> = network.ids().collect();
    let mut pairs = BTreeSet::new();
    for (at, seen) in policy.visible_peers(&network.context).iter().enumerate() {
        for other in seen {
            let (a, b) = (ids[at], ids[other.0]);
            pairs.insert(format!("{} {}", a.min(b), a.max(b)));
        }
    }
    let pairs: Vec<String> = pairs.into_iter().collect();
    match pairs.is_empty() {
        true => Vec::new(),
        false => vec![(String::new(), pairs.join(", "))],
    }
}

fn routes(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let mut lines = Vec::new();
    for (id, own) in network.ids().zip(policy.approved_routes(&network.context)) {
        let own = json!(own);
        let list = |name: &str| texts(&own[name]).collect::<Vec<_>>().join(" ");
        let line = format!("{} | {}", list("approved"), list("waiting"));
        if line != " | " {
            lines.push((id.to_owned(), line.trim().to_owned()));
        }
    }
    lines
}

fn attributes(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let mut lines = Vec::new();
    for (id, own) in network.ids().zip(policy.node_attributes(&network.context)) {
        let own = json!(own);
        let mut words: Vec<String> = texts(&own["attrs"]).collect();
        if own["app"] != json!({}) {
            words.push(own["app"].to_string());
        }
        words.extend(texts(&own["ipPool"]).map(|pool| format!("from {pool}")));
        if !words.is_empty() {
            lines.push((id.to_owned(), words.join(" ")));
        }
    }
    lines
}

fn tests(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let report = policy.run_tests(&network.context);
    let results = report.results.iter().map(|result| match result.passed {
        Some(true) => "yes",
        Some(false) => "no",
        None => "open",
    });
    let results: Vec<&str> = results.collect();
    match results.is_empty() {
        true => Vec::new(),
        false => vec![(String::new(), results.join(" "))],
    }
}

fn via(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let ids: Vec<&str> = network.ids().collect();
    let mut lines = Vec::new();
    for (id, offered) in ids.iter().zip(policy.offered_routes(&network.context)) {
        let mut parts = Vec::new();
        for (peer, offered) in ids.iter().zip(offered) {
            let lists = [
                ("include", offered.included),
                ("exclude", offered.excluded),
                ("primary", offered.by_primary),
            ];
            for (name, routes) in lists.into_iter().filter(|(_, routes)| !routes.is_empty()) {
                let routes: Vec<String> = routes.iter().map(ToString::to_string).collect();
                parts.push(format!("{name} {peer} {}", routes.join(" ")));
            }
        }
        parts.sort_by_key(|part| part.split(' ').nth(1).map(str::to_owned));
        if !parts.is_empty() {
            lines.push(((*id).to_owned(), parts.join(", ")));
        }
    }
    lines
}

fn tags(policy: &Policy<'_>, network: &Network) -> Vec<Line> {
    let mut held: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for power in policy.powers(&network.context) {
        if power.kind == PowerKind::Tag {
            held.entry(power.who).or_default().push(power.what);
        }
    }
    let lines = held.into_iter();
    lines.map(|(who, tags)| (who, tags.join(" "))).collect()
}

/// Whether each flow that is asked passes, and where its packets end.
fn flows(policy: &Policy<'_>, network: &Network, asked: &[Line]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (flow, _) in asked {
        let (from, to) = flow.split_once(' ').expect("a source and a destination");
        let from = from.parse().expect("a source");
        let parsed = Flow::new(&from, to, None).expect("a flow");
        let told = json!(
            policy
                .explain(&parsed, &network.context)
                .expect("an answer")
        );
        let mut ends = Vec::new();
        for delivery in told["delivered"].as_array().expect("a list") {
            let kind = delivery["kind"].as_str().expect("a kind");
            let device = delivery["device"]["id"].as_str().unwrap_or_default();
            ends.push(format!("{kind} {device}").trim().to_owned());
        }
        let verdict = told["verdict"].as_str().expect("a verdict");
        lines.push((flow.clone(), format!("{verdict} at {}", ends.join(", "))));
    }
    lines
}
