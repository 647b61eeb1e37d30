//! Random policies: definitions, and rules of both grammars mixed. Must not live here: single rules, networks.

use serde_json::{Map, Value, json};

use super::dice::Dice;
use super::rules::{self, POSTURES};
use super::tailnets::{TAGS, USERS};

/// A policy that the service accepts, unless one of its tests fails.
pub fn policy(dice: &mut Dice) -> Value {
    let mut policy = definitions(dice);
    let old = dice.one_in(4);
    let (acls, grants) = (rules::acls(dice), rules::grants(dice));
    // A section that is absent and one that is empty are not the same.
    if !acls.is_empty() || dice.one_in(2) {
        policy.insert((if old { "ACLs" } else { "acls" }).to_owned(), json!(acls));
    }
    if !grants.is_empty() || dice.one_in(2) {
        policy.insert("grants".to_owned(), json!(grants));
    }
    policy.insert("ssh".to_owned(), json!(rules::ssh(dice)));
    policy.insert("tests".to_owned(), json!(rules::tests(dice)));
    policy.insert("sshTests".to_owned(), json!(rules::ssh_tests(dice)));
    if dice.one_in(8) {
        policy.insert(
            "defaultSrcPosture".to_owned(),
            json!(dice.some(&POSTURES, 1, 1)),
        );
    }
    Value::Object(policy)
}

/// The policy without one of its rules, or with a rule of another policy added.
pub fn changed(dice: &mut Dice, policy: &Value) -> Value {
    let mut changed = policy.clone();
    let acls = if policy.get("ACLs").is_some() {
        "ACLs"
    } else {
        "acls"
    };
    let (section, more) = match dice.one_in(2) {
        true => ("grants", rules::grants(dice)),
        false => (acls, rules::acls(dice)),
    };
    let rules = policy[section].as_array().cloned().unwrap_or_default();
    let (first, rest) = rules.split_at(rules.len().min(1));
    changed[section] = match more.is_empty() || dice.one_in(2) {
        true => json!(rest),
        false => json!([first, &more[..1], rest].concat()),
    };
    changed
}

fn definitions(dice: &mut Dice) -> Map<String, Value> {
    let mut members = |most| dice.some(&USERS, 0, most);
    let groups = json!({
        "group:one": members(3), "group:two": members(3), "group:three": members(4), "group:none": [],
    });
    let hosts = json!({
        "box": format!("100.64.0.{}", dice.between(1, 8)),
        "lone": dice.pick(&["100.64.0.99", "10.1.2.9", "192.168.1.7"]),
        "net": dice.pick(&["10.1.0.0/16", "10.1.2.0/24", "192.168.1.0/24", "10.2.0.0/17"]),
        "wide": dice.pick(&["10.0.0.0/8", "10.0.0.0/15"]),
        "public": dice.pick(&["203.0.113.7", "203.0.113.200", "8.8.8.8"]),
        "six": format!("fd7a:115c:a1e0::{:x}", dice.between(1, 8)),
    });
    let ipsets = json!({
        "ipset:lan": dice.pick(&[
            json!(["10.0.0.0/8", "100.64.0.3"]),
            json!(["add 10.0.0.0/8", "remove 10.1.0.0/16", "add 10.1.2.0/24"]),
            json!(["add 10.1.0.0-10.1.2.100", "remove 10.1.2.3"]),
        ]),
        "ipset:mixed": dice.pick(&[
            json!(["add ipset:lan", "add host:box", "remove 100.64.0.3"]),
            json!(["add ipset:lan", "remove ipset:outside", "add fd7a:115c:a1e0::2"]),
        ]),
        "ipset:outside": dice.pick(&[
            json!(["add autogroup:internet", "remove 8.8.8.0/24"]),
            json!(["203.0.113.0/24", "2001:db8:1:2::/64"]),
        ]),
    });
    let postures = json!({
        "posture:mac": ["node:os == 'macos'"],
        "posture:fresh": ["custom:score >= 3", "custom:tier IS SET"],
        "posture:any": ["node:os IN ['macos', 'linux']", "custom:score != 4"],
    });
    let owners: Map<String, Value> = TAGS
        .iter()
        .map(|tag| ((*tag).to_owned(), json!([])))
        .collect();
    let names = if dice.one_in(4) {
        ["Groups", "Hosts", "TagOwners"]
    } else {
        ["groups", "hosts", "tagOwners"]
    };
    let mut policy = Map::new();
    policy.insert(names[0].to_owned(), groups);
    policy.insert(names[1].to_owned(), hosts);
    policy.insert(names[2].to_owned(), Value::Object(owners));
    policy.insert("ipsets".to_owned(), ipsets);
    policy.insert("postures".to_owned(), postures);
    policy
}
