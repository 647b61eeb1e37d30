//! Compares with what the real service sent to each device of the recordings: packet filters, ssh rules, capabilities, peers.
//! Must not live here: verdicts and messages (tests/recorded/verdicts.rs).

use std::collections::{BTreeMap, BTreeSet};

use crate::recordings::{Recording, recordings};
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{DeviceIndex, Policy, PolicyContext};

/// Devices whose addresses were not replaced in step with the policy.
const DAMAGED: [(&str, &str); 1] = [(
    "policytest-allpass-grants-only-tag-src-ipv6-literal-dst",
    "beedrill",
)];

/// A filter in the form of the recordings: rules sorted, merged where sources and protocols agree.
fn as_recorded(rules: &Value) -> BTreeSet<String> {
    let mut merged: BTreeMap<(BTreeSet<String>, String), BTreeSet<String>> = BTreeMap::new();
    for rule in rules.as_array().expect("a list of rules") {
        let strings = |list: &Value| -> BTreeSet<String> {
            let items = list.as_array().expect("a list").iter();
            items
                .map(|item| item.as_str().expect("a string").to_owned())
                .collect()
        };
        let sources = strings(&rule["src"]);
        let targets = rule["dst"].as_array().expect("a list").iter();
        let kind = match rule.get("app") {
            Some(app) => app.to_string(),
            None => rule["proto"].to_string(),
        };
        let target = |target: &Value| {
            let (net, ports) = (target["net"].as_str(), target["ports"].as_str());
            format!("{}|{}", net.expect("a net"), ports.expect("ports"))
        };
        merged
            .entry((sources, kind))
            .or_default()
            .extend(targets.map(target));
    }
    let line = |((sources, kind), targets)| format!("{sources:?} -> {targets:?} {kind}");
    merged.into_iter().map(line).collect()
}

/// A recorded ruleset in the form of the public API.
fn in_our_words(ruleset: &Value) -> Value {
    let rule = |rule: &Value| {
        let split = |target: &Value| {
            let text = target.as_str().expect("a destination");
            match text.rsplit_once('|') {
                Some((net, ports)) => json!({"net": net, "ports": ports}),
                None => {
                    let (address, _) = text.rsplit_once('/').expect("a host prefix");
                    json!({"net": address, "ports": "*"})
                }
            }
        };
        let targets: Vec<Value> = rule["d"]
            .as_array()
            .expect("a list")
            .iter()
            .map(split)
            .collect();
        match rule.get("c") {
            Some(name) => {
                let name = name.as_str().expect("a name");
                json!({"src": rule["s"], "dst": targets, "proto": [], "app": {name: rule["v"]}})
            }
            None => {
                let proto = rule.get("p").cloned().unwrap_or(json!([1, 6, 17, 58]));
                json!({"src": rule["s"], "dst": targets, "proto": proto})
            }
        }
    };
    let rules = ruleset.as_array().expect("rules").iter();
    rules.map(rule).collect()
}

/// Compares a part of the recording of each accepted policy; differences fail the test.
fn replay(
    what: &str,
    differs: impl Fn(&Recording, &Policy<'_>, &PolicyContext) -> Option<Vec<String>>,
) {
    let mut differences = Vec::new();
    for (category, recordings) in recordings() {
        let (mut judged, mut agreed) = (0, 0);
        for recording in recordings.iter().filter(|recording| recording.accepted()) {
            let document = hujson::parse(recording.policy()).expect("an accepted policy parses");
            let policy = Policy::read(&document);
            let Some(found) = differs(recording, &policy, &recording.context()) else {
                continue;
            };
            judged += 1;
            agreed += usize::from(found.is_empty());
            differences.extend(
                found
                    .iter()
                    .map(|line| format!("{}: {line}", recording.id())),
            );
        }
        println!("{what}: {category}: {agreed} of {judged} agree");
    }
    let total = differences.len();
    differences.truncate(40);
    assert!(
        total == 0,
        "{total} differences\n{}",
        differences.join("\n")
    );
}

#[test]
fn every_device_receives_the_filter_that_the_service_sent_it() {
    replay("filters", |recording, policy, context| {
        let filters = policy.filters(context);
        let mut differences = Vec::new();
        for (device, filter) in context.devices.iter().flatten().zip(&filters) {
            let Some(recorded) = recording.ruleset(&device.id) else {
                continue;
            };
            if DAMAGED.contains(&(recording.id(), &device.id)) {
                println!(
                    "filters: {} of {} left out: damaged",
                    device.id,
                    recording.id()
                );
                continue;
            }
            let ours = as_recorded(&serde_json::to_value(filter).expect("serializes"));
            let theirs = as_recorded(&in_our_words(recorded));
            let line = |sign: &str, rule: &String| format!("{} {sign} {rule}", device.id);
            differences.extend(ours.difference(&theirs).map(|rule| line("ours", rule)));
            differences.extend(theirs.difference(&ours).map(|rule| line("theirs", rule)));
        }
        Some(differences)
    });
}

/// The policy with a grant for each destination of its acls; nothing where a grant cannot say the same.
fn in_grants(policy: &str) -> Option<String> {
    let text = hujson::standardize(policy).expect("HuJSON");
    let mut policy: Value = serde_json::from_str(&text).expect("JSON");
    let acls = policy.as_object_mut()?.remove("acls")?;
    let mut grants = Vec::new();
    for rule in acls.as_array()? {
        for to in rule["dst"].as_array()? {
            let (host, ports) = to.as_str()?.rsplit_once(':')?;
            let entry = |ports: &str| match rule["proto"].as_str() {
                Some(protocol) => format!("{protocol}:{ports}"),
                None => ports.to_owned(),
            };
            let ip: Vec<String> = ports.split(',').map(entry).collect();
            if host == "autogroup:self" && rule["src"].to_string().contains("\"*\"") {
                return None;
            }
            let host = host.trim_start_matches('[').trim_end_matches(']');
            grants.push(json!({"src": rule["src"], "dst": [host], "ip": ip}));
        }
    }
    let own = policy["grants"].as_array().cloned().unwrap_or_default();
    policy["grants"] = json!([own, grants].concat());
    Some(policy.to_string())
}

/// An acl and grants that say the same are received as the same rules (docs/policy-language.md#rules).
#[test]
fn grants_that_say_the_same_as_acls_are_received_as_the_service_sent_those() {
    replay("grants for acls", |recording, policy, context| {
        let text = in_grants(recording.policy())?;
        let document = hujson::parse(&text).expect("HuJSON");
        let rewritten = Policy::read(&document);
        rewritten.accept(context).expect("as good as the acls");
        let told = |policy: &Policy<'_>| -> Vec<_> {
            let filters = policy.filters(context);
            let filters = filters.iter().map(|filter| json!(filter));
            filters.map(|filter| as_recorded(&filter)).collect()
        };
        // Our filters for the acls are those of the service, as another test shows.
        let same = told(policy) == told(&rewritten);
        Some(if same { vec![] } else { vec![text] })
    });
}

#[test]
fn every_device_receives_the_ssh_rules_that_the_service_sent_it() {
    replay("ssh", |recording, policy, context| {
        let recorded = recording.ssh()?;
        let mut differences = Vec::new();
        let rules = policy.ssh_rules(context);
        for (at, device) in context.devices.iter().flatten().enumerate() {
            if recording.uncaptured(&device.id) {
                continue;
            }
            let ours: Vec<String> = rules.of(DeviceIndex(at)).map(ssh_line).collect();
            let theirs = recorded.get(&device.id).and_then(Value::as_array);
            let theirs: Vec<String> = theirs
                .into_iter()
                .flatten()
                .map(recorded_ssh_line)
                .collect();
            if ours != theirs {
                differences.push(format!(
                    "{}:\n ours {ours:#?}\n theirs {theirs:#?}",
                    device.id
                ));
            }
        }
        Some(differences)
    });
}

fn ssh_line(rule: &impl serde::Serialize) -> String {
    let rule = serde_json::to_value(rule).expect("serializes");
    let env = rule.get("acceptEnv").cloned().unwrap_or_default();
    let from = sorted_strings(&rule["from"]);
    format!("{from:?} {} {} {env}", rule["users"], rule["action"])
}

fn recorded_ssh_line(rule: &Value) -> String {
    let env = rule.get("env").cloned().unwrap_or_default();
    let from = sorted_strings(&rule["from"]);
    format!("{from:?} {} {} {env}", rule["users"], rule["action"])
}

fn sorted_strings(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    let mut items: Vec<&str> = items.map(|item| item.as_str().expect("a string")).collect();
    items.sort_unstable();
    items
}

#[test]
fn the_devices_see_each_other_as_the_service_let_them() {
    replay("peers", |recording, policy, context| {
        let devices = context.devices.as_deref().unwrap_or_default();
        // One end is enough: its recording has what it saw.
        let known = |index: &usize| !recording.uncaptured(&devices[*index].id);
        let peers = policy.visible_peers(context);
        let pairs = peers.iter().enumerate();
        let pairs = pairs.flat_map(|(a, seen)| seen.iter().map(move |b| (a, b.0)));
        let damaged = |index: &usize| DAMAGED.contains(&(recording.id(), &devices[*index].id));
        let pairs = pairs.filter(|(a, b)| known(a) || known(b));
        let pairs = pairs.filter(|(a, b)| !damaged(a) && !damaged(b));
        let ours: BTreeSet<String> = pairs
            .map(|(a, b)| {
                let (a, b) = (devices[a].id.as_str(), devices[b].id.as_str());
                format!("{} {}", a.min(b), a.max(b))
            })
            .collect();
        let mut theirs = recording.peers()?;
        theirs.retain(|pair| {
            !DAMAGED
                .iter()
                .any(|(id, device)| *id == recording.id() && pair.contains(device))
        });
        let line = |sign: &str, pair: &String| format!("{sign} {pair}");
        let mut differences: Vec<String> =
            ours.difference(&theirs).map(|p| line("ours", p)).collect();
        differences.extend(theirs.difference(&ours).map(|p| line("theirs", p)));
        Some(differences)
    });
}

#[test]
fn every_device_has_the_attributes_that_the_service_gave_it() {
    replay("capabilities", |recording, policy, context| {
        let recorded = recording.capabilities()?;
        let devices = context.devices.iter().flatten();
        let ours = policy.node_attributes(context);
        let mut differences = Vec::new();
        for (device, ours) in devices.zip(&ours) {
            let Some(theirs) = recorded.get(&device.id) else {
                continue;
            };
            let ours = as_capabilities(&json!(ours));
            if ours != *theirs {
                differences.push(format!("{}: ours {ours}, theirs {theirs}", device.id));
            }
        }
        Some(differences)
    });
}

/// The attributes of a device in the form of the recordings: an attribute is a capability without values.
fn as_capabilities(given: &Value) -> Value {
    let mut capabilities = given["app"].clone();
    for name in given["attrs"].as_array().expect("a list") {
        capabilities[name.as_str().expect("a name")] = Value::Null;
    }
    capabilities
}

/// Recordings of a network in which the route of `squirtle` was not enabled yet.
const NOT_YET_APPROVED: [&str; 10] = [
    "acl-au06", "acl-k03", "acl-m02", "acl-mr09", "acl-mr20", "acl-mu02", "acl-pf03", "acl-r02",
    "acl-rs02", "acl-t10",
];

#[test]
fn routes_are_approved_as_the_service_approved_them() {
    replay("approved routes", |recording, policy, context| {
        let ours = policy.approved_routes(context);
        let mut differences = Vec::new();
        for (device, ours) in context.devices.iter().flatten().zip(&ours) {
            if NOT_YET_APPROVED.contains(&recording.id()) && device.id == "squirtle" {
                println!("approved routes: squirtle of {} left out", recording.id());
                continue;
            }
            let approved: BTreeSet<_> = device.routes.iter().collect();
            if ours.approved.iter().collect::<BTreeSet<_>>() != approved {
                differences.push(format!("{}: ours {ours:?}, theirs {approved:?}", device.id));
            }
        }
        Some(differences)
    });
}
