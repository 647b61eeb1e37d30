//! What each node receives, as Headscale recorded it: filters, ssh rules, peers, approvals, attributes.
//! Must not live here: what our other verbs make of it (tests/recorded/headscale/access.rs).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tailnet_kit::hujson::{parse, standardize};
use tailnet_kit::policy::{Device, Dialect, Policy, Power, PowerKind};

use super::{ids, of_accepted, replay};
use crate::oracle::Received;
use crate::oracle::compare::{difference, read_filter};
use crate::oracle::span::Span;

/// The numbers of protocols that a rule without any stands for.
const UNNAMED: [u8; 4] = [1, 6, 17, 58];

/// What the recordings write for the internet.
fn internet() -> Vec<String> {
    let sets = tailnet_kit::policy::internet();
    sets.prefixes().map(|prefix| prefix.to_string()).collect()
}

/// A recorded filter in the form of the public API; capabilities are rules of a protocol of their own, which `number` gives.
pub fn in_our_words(filter: &Value, number: &mut dyn FnMut(String) -> u8) -> Value {
    let mut rules = Vec::new();
    for rule in filter.as_array().expect("a list of rules") {
        let sources = rule["src"].as_array().cloned().unwrap_or_default();
        if let Some(given) = rule["cap"].as_array() {
            for given in given {
                let targets = given["dst"].as_array().expect("destinations").iter();
                let targets: Vec<Value> = targets
                    .map(|net| json!({"net": net, "ports": "*"}))
                    .collect();
                for (name, values) in given["caps"].as_object().expect("capabilities") {
                    let proto = [number(format!("{name} {values}"))];
                    rules.push(json!({"src": sources, "dst": targets, "proto": proto}));
                }
            }
            continue;
        }
        let mut targets = Vec::new();
        for entry in rule["dst"].as_array().expect("destinations") {
            let (net, ports) = entry
                .as_str()
                .and_then(|entry| entry.rsplit_once(':'))
                .expect("ports");
            let nets = match net {
                "@internet" => internet(),
                net => vec![net.to_owned()],
            };
            for net in nets {
                targets.extend(
                    ports
                        .split(',')
                        .map(|ports| json!({"net": net, "ports": ports})),
                );
            }
        }
        let proto = rule["proto"]
            .as_array()
            .map_or(json!(UNNAMED), |own| json!(own));
        rules.push(json!({"src": sources, "dst": targets, "proto": proto}));
    }
    Value::Array(rules)
}

/// Our filter with capabilities in the same form.
fn with_capabilities(filter: &Value, number: &mut dyn FnMut(String) -> u8) -> Value {
    let mut rules = Vec::new();
    for rule in filter.as_array().expect("a list of rules") {
        let mut rule = rule.clone();
        if let Some(app) = rule.as_object_mut().and_then(|rule| rule.remove("app")) {
            let (name, values) = app
                .as_object()
                .and_then(|app| app.iter().next())
                .expect("one");
            rule["proto"] = json!([number(format!("{name} {values}"))]);
        }
        rules.push(rule);
    }
    Value::Array(rules)
}

/// The sets of addresses that a packet to a node can have: its own, those behind it, and the internet for an exit node.
fn at_node(node: &Device) -> Vec<Span> {
    let mut all: Vec<String> = node.addresses.iter().map(ToString::to_string).collect();
    for route in &node.routes {
        match route.is_default_route() {
            true => all.extend(internet()),
            false => all.push(route.to_string()),
        }
    }
    let spans = all.iter().map(|net| Span::read(net).expect("a net"));
    spans.collect()
}

/// A filter for packets to some sets alone: Headscale joins neighbouring addresses, so that a node gets entries of another.
fn cut(rules: Vec<Received>, to: &[Span]) -> Vec<Received> {
    let within = |received: Received| {
        let dst: Vec<Span> = received
            .dst
            .iter()
            .flat_map(|own| to.iter().filter_map(|to| common(*own, *to)))
            .collect();
        Received { dst, ..received }
    };
    rules.into_iter().map(within).collect()
}

fn common(one: Span, other: Span) -> Option<Span> {
    let is_alike = one.first.is_ipv4() == other.first.is_ipv4();
    let (first, last) = (one.first.max(other.first), one.last.min(other.last));
    (is_alike && first <= last).then_some(Span { first, last })
}

#[test]
fn every_node_lets_in_the_packets_that_headscale_lets_in() {
    replay("filters", |case| {
        case.case.get("filterOf")?;
        of_accepted(case, |policy, context| {
            let filters = policy.filters(context);
            for (id, filter) in ids(context).iter().zip(&filters) {
                let at = case.case["filterOf"][id].as_u64()?;
                let theirs = &case.case["filters"][usize::try_from(at).ok()?];
                let mut names: Vec<String> = Vec::new();
                let mut number = |name: String| {
                    let at = names.iter().position(|known| *known == name);
                    let at = at.unwrap_or_else(|| {
                        names.push(name);
                        names.len() - 1
                    });
                    200 + u8::try_from(at).expect("few capabilities")
                };
                let theirs = in_our_words(theirs, &mut number);
                let ours = with_capabilities(&json!(filter), &mut number);
                let device = context
                    .devices
                    .iter()
                    .flatten()
                    .find(|device| device.id == *id);
                let at = at_node(device.expect("a node"));
                let read = |filter: &Value| cut(read_filter(filter), &at);
                let packet = difference(&read(&ours), &read(&theirs), &[]).1;
                if let Some(packet) = packet {
                    let policy = case.policy();
                    return Some(format!(
                        "{policy}\n  node {id}: {packet:?}\n  ours {ours}\n  theirs {theirs}"
                    ));
                }
            }
            None
        })
    });
}

#[test]
fn the_nodes_see_each_other_as_headscale_lets_them() {
    replay("peers", |case| {
        let theirs = case.case.get("peers")?;
        of_accepted(case, |policy, context| {
            let ids = ids(context);
            let peers = policy.visible_peers(context);
            let seen = |own: &Vec<tailnet_kit::policy::DeviceIndex>| {
                let own = own
                    .iter()
                    .map(|index| ids[index.0].parse::<u64>().expect("a number"));
                own.collect::<BTreeSet<u64>>()
            };
            let ours: BTreeMap<&String, BTreeSet<u64>> =
                ids.iter().zip(peers.iter().map(seen)).collect();
            let theirs: BTreeMap<String, BTreeSet<u64>> =
                serde_json::from_value(theirs.clone()).expect("peers");
            let agrees = ours.iter().all(|(id, own)| theirs.get(*id) == Some(own));
            (!agrees).then(|| format!("{}\n  ours {ours:?}\n  theirs {theirs:?}", case.policy()))
        })
    });
}

#[test]
fn routes_are_approved_as_headscale_approves_them() {
    replay("approved routes", |case| {
        let asked = case.case.get("asked")?.clone();
        of_accepted(case, |policy, context| {
            let mut context = context.clone();
            for device in context.devices.iter_mut().flatten() {
                let own = asked[&device.id].as_array().cloned().unwrap_or_default();
                let own = own.iter().filter_map(|route| route.as_str()?.parse().ok());
                device.advertised = own.collect();
            }
            let approvals = policy.approved_routes(&context);
            let texts = |routes: &[tailnet_kit::cidr::Prefix]| {
                routes
                    .iter()
                    .map(ToString::to_string)
                    .collect::<BTreeSet<String>>()
            };
            for (id, ours) in ids(&context).iter().zip(&approvals) {
                let theirs = case.case["approved"][id].as_array()?;
                let theirs: BTreeSet<String> = theirs
                    .iter()
                    .filter_map(|route| Some(route.as_str()?.to_owned()))
                    .collect();
                if texts(&ours.approved) != theirs {
                    return Some(format!(
                        "{}\n  node {id}: ours {ours:?}\n  theirs {theirs:?}",
                        case.policy()
                    ));
                }
            }
            None
        })
    });
}

#[test]
fn every_node_has_the_attributes_that_headscale_gives_it() {
    replay("attributes", |case| {
        let theirs = &case.case["nodeAttrs"];
        of_accepted(case, |policy, context| {
            let ours = policy.node_attributes(context);
            for (id, ours) in ids(context).iter().zip(&ours) {
                let theirs: BTreeSet<String> =
                    serde_json::from_value(theirs[id].clone()).unwrap_or_default();
                if ours.attrs.iter().cloned().collect::<BTreeSet<_>>() != theirs {
                    return Some(format!(
                        "{}\n  node {id}: ours {ours:?}\n  theirs {theirs:?}",
                        case.policy()
                    ));
                }
            }
            None
        })
    });
}

/// The logins that a list of ssh rules lets in: for each source and account the first rule that has an answer decides.
pub fn logins(rules: &Value, accounts: &BTreeSet<String>) -> BTreeMap<(String, String), String> {
    let mut logins = BTreeMap::new();
    for rule in rules.as_array().expect("a list of rules") {
        let from: BTreeSet<String> =
            serde_json::from_value(rule["from"].clone()).expect("addresses");
        let env = rule.get("acceptEnv").cloned().unwrap_or(json!([]));
        for (source, account) in from
            .iter()
            .flat_map(|from| accounts.iter().map(move |own| (from, own)))
        {
            let local = rule["users"]
                .get(account)
                .or_else(|| rule["users"].get("*"));
            let local = local
                .and_then(Value::as_str)
                .unwrap_or_default()
                .replace('=', account);
            if !local.is_empty() {
                let key = (source.clone(), account.clone());
                let login = format!("{local} {} {env}", rule["action"]);
                logins.entry(key).or_insert(login);
            }
        }
    }
    logins
}

/// The accounts that rules name, and another one.
pub fn accounts(rules: &[&Value]) -> BTreeSet<String> {
    let rules = rules
        .iter()
        .flat_map(|rules| rules.as_array().expect("a list of rules"));
    let named = rules.flat_map(|rule| rule["users"].as_object().expect("users").keys().cloned());
    named.chain(["someone".to_owned()]).collect()
}

#[test]
fn every_node_takes_the_logins_that_headscale_lets_in() {
    replay("ssh", |case| {
        case.case.get("sshOf")?;
        of_accepted(case, |policy, context| {
            let rules = policy.ssh_rules(context);
            for (at, id) in ids(context).iter().enumerate() {
                let Some(place) = case.case["sshOf"][id].as_u64() else {
                    continue;
                };
                let theirs = &case.case["ssh"][usize::try_from(place).expect("an index")];
                let ours = rules
                    .of(tailnet_kit::policy::DeviceIndex(at))
                    .collect::<Vec<_>>();
                let ours = &json!(ours);
                let accounts = accounts(&[ours, theirs]);
                let (ours, theirs) = (logins(ours, &accounts), logins(theirs, &accounts));
                if ours != theirs {
                    return Some(format!(
                        "{}\n  node {id}: ours {ours:#?}\n  theirs {theirs:#?}",
                        case.policy()
                    ));
                }
            }
            None
        })
    });
}

/// The same policy, in which no tag owns another.
fn without_inheritance(policy: &str) -> String {
    let mut document: Value =
        serde_json::from_str(&standardize(Dialect::Headscale.document(policy)).expect("HuJSON"))
            .expect("JSON");
    let is_owners = |key: &str| {
        key.replace(['_', '-'], "")
            .eq_ignore_ascii_case("tagOwners")
    };
    for (_, owners) in
        (document.as_object_mut().into_iter().flatten()).filter(|own| is_owners(own.0))
    {
        for owners in owners
            .as_object_mut()
            .into_iter()
            .flat_map(|tags| tags.values_mut())
        {
            let owners = owners.as_array_mut();
            let is_tag = |owner: &Value| owner.as_str().is_some_and(|own| own.starts_with("tag:"));
            owners
                .into_iter()
                .for_each(|owners| owners.retain(|owner| !is_tag(owner)));
        }
    }
    document.to_string()
}

/// What whoever made a node may put on it, and nobody else: whom a tag inherits from an owner may do so on nodes without tags.
#[test]
fn users_may_put_on_the_tags_that_headscale_lets_them() {
    replay("tags of users", |case| {
        let context = case.context();
        of_accepted(case, |policy, _| {
            let direct = without_inheritance(case.policy());
            let direct = parse(&direct).expect("JSON");
            let direct = Policy::read_as(&direct, Dialect::Headscale).powers(&context);
            let powers = policy.powers(&context);
            for (device, maker) in case.makers() {
                let powers = match device.tags() {
                    [] => &powers,
                    _ => &direct,
                };
                let own = |power: &&Power| {
                    power.kind == PowerKind::Tag && Some(&power.who) == maker.as_ref()
                };
                let own = powers.iter().filter(own);
                let ours: BTreeSet<&str> = own.map(|power| power.what.as_str()).collect();
                let listed = case.case["mayTag"][&device.id]
                    .as_array()
                    .into_iter()
                    .flatten();
                let theirs: BTreeSet<&str> = listed.filter_map(Value::as_str).collect();
                if ours != theirs {
                    let (policy, id) = (case.policy(), &device.id);
                    return Some(format!(
                        "{policy}\n  {id} of {maker:?}: ours {ours:?}\n  theirs {theirs:?}"
                    ));
                }
            }
            None
        })
    });
}
