//! Edits that change no meaning, and that no difference is reported of them, whatever is known. Must not live here: edits that do.

use serde_json::{Value, json};
use tailnet_kit::policy::PolicyContext;

use super::{differences, items};
use crate::case::{Case, Fault, Found, Law};
use crate::random::dice::Dice;
use crate::random::unknown::member;

type Edit = fn(&mut Value, &mut Dice);

/// The edits by name.
const EDITS: [(&str, Edit); 8] = [
    ("reordered", reorder),
    ("split", split),
    ("doubled", double),
    ("inlined", inline),
    ("renamed", rename),
    ("halved", halve),
    ("conditions reordered", reorder_conditions),
    ("joined", join),
];

fn sections(policy: &Value) -> Vec<String> {
    let names = ["acls", "grants", "ssh"].map(|name| member(policy, name));
    let held = names.into_iter().filter(|name| policy[name].is_array());
    held.collect()
}

/// Rules and the entries of their lists have no order; those of logins have the order of their actions alone.
fn reorder(policy: &mut Value, dice: &mut Dice) {
    for section in sections(policy) {
        let rules = policy[&section].as_array_mut().expect("rules");
        if dice.one_in(2) && !are_treated(rules) {
            rules.reverse();
        }
        for rule in rules {
            for list in rule.as_object_mut().expect("a rule").values_mut() {
                if let Some(list) = list.as_array_mut() {
                    list.reverse();
                }
            }
        }
    }
}

/// Whether the first of several rules for a login decides how it is treated.
fn are_treated(rules: &[Value]) -> bool {
    let mut keys = rules.iter().filter_map(Value::as_object);
    keys.any(|rule| rule.contains_key("acceptEnv") || rule.contains_key("checkPeriod"))
}

/// One rule with two entries of a list is two rules with one each.
fn split(policy: &mut Value, dice: &mut Dice) {
    for section in sections(policy) {
        let mut parts = Vec::new();
        for rule in policy[&section].as_array().expect("rules") {
            let keys = ["src", "Users", "dst", "Ports", "ip"].into_iter();
            let long = |key: &&str| rule[*key].as_array().is_some_and(|list| list.len() > 1);
            let keys: Vec<&str> = keys.filter(long).collect();
            // A rule by name is received for whatever destinations it has.
            let is_by_name = rule.to_string().contains("localpart:");
            if keys.is_empty() || is_by_name {
                parts.push(rule.clone());
                continue;
            }
            let key = *dice.pick(&keys);
            for entry in rule[key].as_array().expect("a list") {
                let mut part = rule.clone();
                part[key] = json!([entry]);
                parts.push(part);
            }
        }
        policy[&section] = json!(parts);
    }
}

fn double(policy: &mut Value, dice: &mut Dice) {
    for section in sections(policy) {
        let rules = policy[&section].as_array_mut().expect("rules");
        if !rules.is_empty() {
            rules.push(dice.pick(rules).clone());
        }
    }
}

/// Two rules that differ in one list alone are one rule with both lists.
fn join(policy: &mut Value, _: &mut Dice) {
    for section in sections(policy) {
        let mut joined: Vec<Value> = Vec::new();
        if are_treated(policy[&section].as_array().expect("rules")) {
            continue;
        }
        for rule in policy[&section].as_array().expect("rules") {
            let with = |known: &&mut Value| {
                let keys = ["src", "Users", "dst", "Ports", "ip"].into_iter();
                keys.filter(|key| known[*key] != rule[*key]).count() == 1
                    && keys_beside(known) == keys_beside(rule)
                    && !rule.to_string().contains("localpart:")
            };
            match joined.iter_mut().find(with) {
                Some(known) => {
                    for key in ["src", "Users", "dst", "Ports", "ip"] {
                        let more = rule[key].as_array().cloned().unwrap_or_default();
                        if let Some(list) = known[key].as_array_mut() {
                            list.extend(more);
                        }
                    }
                }
                None => joined.push(rule.clone()),
            }
        }
        policy[&section] = json!(joined);
    }
}

/// What a rule says besides its lists.
fn keys_beside(rule: &Value) -> Value {
    let mut rule = rule.clone();
    let keys = rule.as_object_mut().expect("a rule");
    keys.retain(|key, _| !["src", "Users", "dst", "Ports", "ip"].contains(&key.as_str()));
    rule
}

/// Passes on each name that a rule has, with the ports behind it if there are any.
fn each_name(policy: &mut Value, replace: &dyn Fn(&str) -> Vec<String>) {
    for section in sections(policy) {
        let is_acl = section.eq_ignore_ascii_case("acls");
        for rule in policy[&section].as_array_mut().expect("rules") {
            for key in ["src", "Users", "dst", "Ports"] {
                let Some(list) = rule.get_mut(key).and_then(Value::as_array_mut) else {
                    continue;
                };
                let has_ports = is_acl && ["dst", "Ports"].contains(&key);
                let mut replaced = Vec::new();
                for entry in list.iter() {
                    let text = entry.as_str().expect("a text");
                    let (name, ports) = match has_ports.then(|| text.rsplit_once(':')).flatten() {
                        Some((name, ports)) => (name, format!(":{ports}")),
                        None => (text, String::new()),
                    };
                    for name in replace(name) {
                        replaced.push(json!(format!("{name}{ports}")));
                    }
                }
                *list = replaced;
            }
        }
    }
}

/// Groups and aliases in so many words, their definitions dropped where nothing else names them.
fn inline(policy: &mut Value, _: &mut Dice) {
    let (groups, hosts) = (member(policy, "groups"), member(policy, "hosts"));
    let (groups, hosts) = (policy[&groups].clone(), policy[&hosts].clone());
    each_name(policy, &|name| {
        if let Some(members) = groups.get(name).and_then(Value::as_array) {
            let logins = members.iter().filter_map(Value::as_str);
            let logins: Vec<String> = logins.map(str::to_owned).collect();
            // An empty group stays: a rule without sources is another rule.
            return match logins.is_empty() {
                true => vec![name.to_owned()],
                false => logins,
            };
        }
        match hosts.get(name).and_then(Value::as_str) {
            Some(address) if address.contains(':') && !address.contains('/') => {
                vec![name.to_owned()]
            }
            Some(address) => vec![address.to_owned()],
            None => vec![name.to_owned()],
        }
    });
}

/// Groups, aliases, ipsets and postures under other names, wherever they are named.
fn rename(policy: &mut Value, _: &mut Dice) {
    let mut text = policy.to_string();
    for name in [
        "group:one",
        "group:two",
        "ipset:lan",
        "posture:fresh",
        "posture:any",
    ] {
        text = text.replace(name, &format!("{name}-renamed"));
    }
    *policy = serde_json::from_str(&text).expect("JSON");
    let hosts = member(policy, "hosts");
    if let Some(table) = policy.get_mut(&hosts).and_then(Value::as_object_mut)
        && let Some(net) = table.remove("net")
    {
        table.insert("renamed-net".to_owned(), net);
    }
    each_name(policy, &|name| match name {
        "net" => vec!["renamed-net".to_owned()],
        name => vec![name.to_owned()],
    });
}

/// A prefix as its two halves.
fn halve(policy: &mut Value, _: &mut Dice) {
    each_name(policy, &|name| match name {
        "10.0.0.0/8" => vec!["10.0.0.0/9".to_owned(), "10.128.0.0/9".to_owned()],
        "100.64.0.0/10" => vec!["100.64.0.0/11".to_owned(), "100.96.0.0/11".to_owned()],
        "192.168.1.0/24" => vec!["192.168.1.0/25".to_owned(), "192.168.1.128/25".to_owned()],
        name => vec![name.to_owned()],
    });
}

fn reorder_conditions(policy: &mut Value, _: &mut Dice) {
    let postures = policy.get_mut("postures").and_then(Value::as_object_mut);
    for conditions in postures.into_iter().flat_map(|it| it.values_mut()) {
        conditions.as_array_mut().expect("conditions").reverse();
    }
}

fn draw(_: &Case, dice: &mut Dice) -> Vec<u64> {
    vec![dice.below(1 << 30) as u64]
}

/// The policy with one rule more, that differs from another in one list alone: so that there is something to join.
fn extended(policy: &Value, dice: &mut Dice) -> Value {
    let mut policy = policy.clone();
    for section in sections(&policy) {
        let rules = policy[&section].as_array_mut().expect("rules");
        if rules.is_empty() {
            continue;
        }
        let (mut rule, other) = (dice.pick(rules).clone(), dice.pick(rules).clone());
        let keys = ["src", "Users", "dst", "Ports", "ip"].into_iter();
        let keys: Vec<&str> = keys
            .filter(|key| rule[*key].is_array() && other[*key].is_array())
            .collect();
        if !keys.is_empty() {
            let key = *dice.pick(&keys);
            rule[key] = other[key].clone();
            rules.push(rule);
        }
    }
    policy
}

fn judge(case: &Case, seeds: &[u64]) -> Found {
    let mut asked = 0;
    for (name, edit) in EDITS {
        // A route is kept where one destination covers the whole of it (docs/policy-language.md#via).
        if name == "halved" && case.policy().to_string().contains("\"via\"") {
            continue;
        }
        let mut dice = Dice::new(seeds[0]);
        let case = match name {
            "joined" => &case.with_policy(extended(case.policy(), &mut dice)),
            _ => case,
        };
        let mut policy = case.policy().clone();
        edit(&mut policy, &mut dice);
        let edited = case.with_policy(policy);
        if case.refusal().is_some() || edited.refusal().is_some() {
            continue;
        }
        for context in [&case.context, &PolicyContext::default()] {
            let answers = differences(case, &edited, [context, context]);
            if let Some(item) = answers.iter().flat_map(items).next() {
                let said = format!("{name}: {}: {}", item.says, edited.policy());
                return Err(Fault::new(0, said));
            }
            asked += 1;
        }
    }
    Ok(asked)
}

#[test]
fn of_an_edit_without_meaning_nothing_is_reported() {
    Law {
        name: "relation neutral",
        share: 4,
        draw,
        judge,
    }
    .holds_for(Case::of_unknown);
}
