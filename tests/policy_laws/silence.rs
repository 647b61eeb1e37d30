//! Law: if nothing is reported between two documents, every packet and every login passes as before; with devices known, and by
//! the texts alone. Must not live here: what is reported (tests/policy_laws/diff_access.rs).

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, diff_access, diff_ssh};

use crate::case::{Case, Fault, Found, Law};
use crate::oracle::compare::read_filter;
use crate::oracle::{Packet, Received};
use crate::questions::ELSEWHERE;
use crate::random::dice::Dice;

/// What is tried of each pair: ports that the random rules name, and others.
const PORTS: [u16; 9] = [0, 1, 22, 53, 80, 443, 3389, 8080, 65535];
// A ping passes where anything does, by whichever of its two protocols.
const PROTOCOLS: [u8; 4] = [6, 17, 132, 47];
pub const ACCOUNTS: [&str; 6] = ["root", "ubuntu", "ann", "bob", "deploy", "nobody-names-it"];

/// The policy with one entry of one rule taken away, doubled, or in the place of another.
pub fn edit(case: &Case, dice: &mut Dice) -> Vec<String> {
    let mut policy = case.policy().clone();
    let sections: Vec<String> = policy
        .as_object()
        .expect("an object")
        .keys()
        .filter(|key| ["acls", "grants", "ssh"].contains(&key.to_ascii_lowercase().as_str()))
        .cloned()
        .collect();
    if sections.is_empty() {
        return vec![case.changed().text];
    }
    let section = dice.pick(&sections).clone();
    let rules = policy[&section].as_array().cloned().unwrap_or_default();
    if rules.is_empty() {
        return vec![case.changed().text];
    }
    let (at, other) = (dice.below(rules.len()), dice.below(rules.len()));
    let lists: Vec<String> = rules[at]
        .as_object()
        .expect("a rule")
        .iter()
        .filter(|(_, value)| value.is_array())
        .map(|(key, _)| key.clone())
        .collect();
    let key = dice.pick(&lists).clone();
    let mut list = rules[at][&key].as_array().cloned().unwrap_or_default();
    if list.is_empty() {
        return vec![case.changed().text];
    }
    let place = dice.below(list.len());
    match dice.below(3) {
        0 => drop(list.remove(place)),
        1 => list.reverse(),
        _ => {
            let others = rules[other].get(&key).and_then(Value::as_array).cloned();
            let others = others.unwrap_or_default();
            if !others.is_empty() {
                list[place] = dice.pick(&others).clone();
            }
        }
    }
    policy[&section][at][&key] = json!(list);
    vec![policy.to_string()]
}

/// The addresses from which packets come, and those of a device or behind it.
fn addresses(device: &Value) -> Vec<IpAddr> {
    let own = device["addresses"].as_array().into_iter().flatten();
    let routes = device["enabledRoutes"].as_array().into_iter().flatten();
    let advertised = device["advertisedRoutes"].as_array();
    let mut found: Vec<IpAddr> = own
        .map(|text| text.as_str().expect("a text").parse().expect("an address"))
        .collect();
    for route in routes.filter(|route| advertised.is_some_and(|all| all.contains(route))) {
        let (first, length) = route
            .as_str()
            .and_then(|text| text.split_once('/'))
            .expect("a prefix");
        if length != "0" {
            found.push(first.parse().expect("an address"));
        }
    }
    found
}

fn filters(text: &str, context: &PolicyContext) -> Vec<Vec<Received>> {
    let document = hujson::parse(text).expect("HuJSON");
    let filters = Policy::read_as(&document, context.dialect.unwrap_or_default()).filters(context);
    filters
        .iter()
        .map(|filter| read_filter(&json!(filter)))
        .collect()
}

/// A packet that only one of two documents lets in.
fn packet(case: &Case, after: &str) -> Option<String> {
    let [old, new] = [case.text.as_str(), after].map(|text| filters(text, &case.context));
    let devices = case.tailnet()["devices"].as_array()?;
    let mut sources: Vec<IpAddr> = devices.iter().flat_map(addresses).collect();
    // With all devices known, no packet comes from an address of the tailnet that none of them has.
    let outside = ELSEWHERE.iter().filter(|text| !text.starts_with("100."));
    sources.extend(outside.map(|text| text.parse::<IpAddr>().expect("an address")));
    for ((device, old), new) in devices.iter().zip(&old).zip(&new) {
        for to in addresses(device) {
            // A device does not send to itself over the network.
            let own = addresses(device);
            let others = sources.iter().filter(|from| !own.contains(from));
            for from in others.filter(|from| from.is_ipv4() == to.is_ipv4()) {
                for (port, protocol) in PORTS
                    .iter()
                    .flat_map(|port| PROTOCOLS.map(|it| (*port, it)))
                {
                    let packet = Packet {
                        from: *from,
                        to,
                        port,
                        protocol,
                    };
                    let passes = |rules: &[Received]| rules.iter().any(|rule| rule.admits(packet));
                    if passes(old) != passes(new) {
                        let (was, id) = (passes(old), &device["id"]);
                        return Some(format!("packet: {id} lets in {packet:?}: {was} before"));
                    }
                }
            }
        }
    }
    None
}

/// How a device treats a login: the first rule that fits decides.
pub fn action(rules: &Value, from: &str, account: &str) -> Option<String> {
    for rule in rules.as_array().expect("rules") {
        let sources = rule["from"].as_array().expect("addresses");
        if !sources.iter().any(|source| source == from) {
            continue;
        }
        let users = &rule["users"];
        let local = users.get(account).or_else(|| users.get("*"));
        match local.and_then(Value::as_str) {
            None | Some("") => {}
            Some(_) => return rule["action"].as_str().map(str::to_owned),
        }
    }
    None
}

/// A login that only one of two documents allows, or of which only one asks for a check.
fn login(case: &Case, after: &str) -> Option<String> {
    let [old, new] = [case.text.as_str(), after].map(|text| {
        let document = hujson::parse(text).expect("HuJSON");
        json!(
            Policy::read_as(&document, case.context.dialect.unwrap_or_default())
                .ssh_rules(&case.context)
        )
    });
    let devices = case.tailnet()["devices"].as_array()?;
    for to in devices {
        let id = to["id"].as_str().expect("an id");
        for from in devices.iter().filter(|from| from["id"] != to["id"]) {
            for address in from["addresses"].as_array().into_iter().flatten() {
                let address = address.as_str().expect("a text");
                for account in ACCOUNTS {
                    let [was, is] = [&old, &new].map(|rules| action(&rules[id], address, account));
                    if was != is {
                        return Some(format!(
                            "login: {address} to {id} as {account}: {was:?} before, {is:?} after"
                        ));
                    }
                }
            }
        }
    }
    None
}

pub fn judge(case: &Case, edits: &[String]) -> Found {
    let mut asked = 0;
    for after in edits {
        let (Ok(old), Ok(new)) = (hujson::parse(&case.text), hujson::parse(after)) else {
            continue;
        };
        let dialect = case.context.dialect.unwrap_or_default();
        let (old, new) = (
            Policy::read_as(&old, dialect),
            Policy::read_as(&new, dialect),
        );
        if new.accept(&case.context).is_err() {
            continue;
        }
        let nothing = PolicyContext {
            dialect: case.context.dialect,
            ..PolicyContext::default()
        };
        for context in [&case.context, &nothing] {
            let kind = if context.devices.is_some() {
                "devices"
            } else {
                "text"
            };
            let access = diff_access(&old, &new, context);
            if access.is_empty() {
                asked += 1;
                if let Some(packet) = packet(case, after) {
                    return Err(Fault::new(
                        0,
                        format!("{kind}: nothing is reported, but {packet}: {after}"),
                    ));
                }
            }
            let ssh = diff_ssh(&old, &new, context);
            if ssh.is_empty() {
                asked += 1;
                if let Some(login) = login(case, after) {
                    return Err(Fault::new(
                        0,
                        format!("{kind}: nothing is reported, but {login}: {after}"),
                    ));
                }
            }
        }
    }
    Ok(asked)
}

#[test]
fn where_nothing_is_reported_nothing_differs() {
    Law {
        name: "silence",
        share: 4,
        draw: edit,
        judge,
    }
    .holds();
}
