//! Random pairs of policies of which text and context leave much open, and networks completed at random from what they leave open.
//! Must not live here: what is said of them.

use serde_json::{Map, Value, json};

use super::dice::Dice;
use super::policies;
use super::rules::{POSTURES, attributes};
use super::tailnets::{self, DOMAINS, ROUTES, TAGS, USERS};

/// Groups that an identity provider fills.
pub const SYNCED: [&str; 2] = ["group:eng@example.com", "group:ops@example.com"];
/// A tag that no device has.
const FREE: &str = "tag:free";
const ROLES: [&str; 7] = [
    "owner",
    "admin",
    "it-admin",
    "network-admin",
    "billing-admin",
    "auditor",
    "member",
];

/// `{policy, after, context, contextAfter?}`.
pub fn pair(dice: &mut Dice) -> Value {
    let mut policy = policies::policy(dice);
    for name in ["tests", "sshTests"] {
        policy.as_object_mut().expect("an object").remove(name);
    }
    let owners = member(&policy, "tagOwners");
    policy[owners][FREE] = json!([]);
    loosen(dice, &mut policy);
    treat_logins(dice, &mut policy);
    let mut after = policy.clone();
    for _ in 0..dice.between(1, 2) {
        change(dice, &mut after);
    }
    let context = context(dice);
    let mut pair = json!({"policy": policy, "after": after, "context": context});
    if context.get("devices").is_some() && dice.one_in(5) {
        let mut later = context.clone();
        for _ in 0..dice.between(1, 2) {
            change_network(dice, &mut later);
        }
        if dice.one_in(2) {
            pair["after"] = pair["policy"].clone();
        }
        pair["contextAfter"] = later;
    }
    pair
}

/// The spelling that a document has of a key.
pub fn member(policy: &Value, name: &str) -> String {
    let members = policy.as_object().expect("an object");
    let found = members.keys().find(|key| key.eq_ignore_ascii_case(name));
    found.map_or(name.to_owned(), Clone::clone)
}

/// The sections of rules that a document has.
fn sections(policy: &Value) -> Vec<String> {
    let names = ["acls", "grants", "ssh"].map(|name| member(policy, name));
    let held = names.into_iter().filter(|name| policy.get(name).is_some());
    held.collect()
}

/// Puts groups of an identity provider, people of other tailnets and a tag without device in the place of some names.
fn loosen(dice: &mut Dice, policy: &mut Value) {
    for section in sections(policy) {
        for rule in policy[&section].as_array_mut().expect("rules") {
            let has_own = rule.to_string().contains("autogroup:self");
            let is_via = rule.get("via").is_some();
            let keys: Vec<String> = rule.as_object().expect("a rule").keys().cloned().collect();
            for key in keys {
                let is_source = ["src", "Users"].contains(&&*key);
                let is_destination = ["dst", "Ports"].contains(&&*key);
                let is_loose = is_destination && section != "ssh" && !is_via;
                if !is_source && !is_loose {
                    continue;
                }
                for item in rule[&key].as_array_mut().into_iter().flatten() {
                    let text = item.as_str().expect("a text").to_owned();
                    if text.starts_with("autogroup:self") || !dice.one_in(7) {
                        continue;
                    }
                    let name = match dice.below(6) {
                        0 if is_source && !has_own && section != "ssh" => "autogroup:shared",
                        1 if !has_own => FREE,
                        2 if !has_own => "autogroup:it-admin",
                        _ => *dice.pick(&SYNCED),
                    };
                    // An acl has ports behind the name.
                    let ports = text.rsplit_once(':').map_or("", |(_, ports)| ports);
                    let is_acl = section.eq_ignore_ascii_case("acls") && is_destination;
                    *item = match is_acl {
                        true => json!(format!("{name}:{ports}")),
                        false => json!(name),
                    };
                }
            }
        }
    }
}

/// Gives ssh rules postures, periods, variables, and other destinations.
fn treat_logins(dice: &mut Dice, policy: &mut Value) {
    for rule in policy["ssh"].as_array_mut().into_iter().flatten() {
        if dice.one_in(4) {
            rule["srcPosture"] = json!(dice.some(&POSTURES, 1, 2));
        }
        if dice.one_in(4) {
            rule["acceptEnv"] = json!(dice.some(&["LANG", "GIT_*", "TERM"], 1, 2));
        }
        if rule["action"] == "check" && dice.one_in(3) {
            rule["checkPeriod"] = json!(dice.pick(&["1h", "20h", "always"]));
        }
        if dice.one_in(6) {
            rule["dst"] = json!([dice.pick(&["autogroup:tagged", "autogroup:member"])]);
            rule["src"] = json!(["autogroup:member"]);
        }
        if dice.one_in(6) && rule["dst"][0] != "autogroup:self" {
            rule["src"] =
                json!([dice.pick(&["autogroup:admin", "user:*@example.com", "group:two"])]);
        }
    }
}

/// One change of a document.
pub fn change(dice: &mut Dice, policy: &mut Value) {
    match dice.below(10) {
        0..=2 => change_entry(dice, policy),
        3 => {
            let changed = policies::changed(dice, policy);
            *policy = changed;
            loosen(dice, policy);
        }
        4 => {
            let other = policies::policy(dice);
            let name = *dice.pick(&["groups", "hosts", "ipsets"]);
            let (own, from) = (member(policy, name), member(&other, name));
            let names: Vec<String> = other[&from]
                .as_object()
                .expect("a table")
                .keys()
                .cloned()
                .collect();
            let entry = dice.pick(&names);
            policy[&own][entry] = other[&from][entry].clone();
        }
        5 => {
            let conditions = dice
                .pick(&[
                    json!(["custom:score >= 2"]),
                    json!(["custom:score >= 3"]),
                    json!(["custom:tier IS SET", "custom:score >= 3"]),
                    json!(["node:os == 'linux'"]),
                    json!(["custom:tier NOT SET"]),
                ])
                .clone();
            policy["postures"][*dice.pick(&POSTURES)] = conditions;
        }
        6 => match policy.get("defaultSrcPosture").is_some() {
            true => drop(
                policy
                    .as_object_mut()
                    .expect("an object")
                    .remove("defaultSrcPosture"),
            ),
            false => policy["defaultSrcPosture"] = json!(dice.some(&POSTURES, 1, 1)),
        },
        _ => {
            if let Some(rule) = any_rule(dice, policy) {
                change_rule(dice, rule);
            }
        }
    }
}

fn any_rule<'p>(dice: &mut Dice, policy: &'p mut Value) -> Option<&'p mut Value> {
    let sections = sections(policy);
    let section = sections.get(dice.below(sections.len().max(1)))?.clone();
    let rules = policy[&section].as_array_mut()?;
    let at = dice.below(rules.len().max(1));
    rules.get_mut(at)
}

/// A condition of a rule, its treatment of logins, or one entry of its lists.
fn change_rule(dice: &mut Dice, rule: &mut Value) {
    if rule.get("users").is_some() && rule.get("src").is_some() {
        match dice.below(5) {
            0 if rule.get("srcPosture").is_some() => {
                drop(rule.as_object_mut().expect("a rule").remove("srcPosture"));
                return;
            }
            0 => {
                rule["srcPosture"] = json!(dice.some(&POSTURES, 1, 2));
                return;
            }
            1 => {
                rule["acceptEnv"] = json!(dice.some(&["LANG", "GIT_*", "TERM"], 1, 2));
                return;
            }
            _ => {}
        }
        let action = if rule["action"] == "accept" {
            "check"
        } else {
            "accept"
        };
        match dice.one_in(2) {
            true => rule["action"] = json!(action),
            false => {
                rule["users"] = json!(dice.some(
                    &[
                        "root",
                        "autogroup:nonroot",
                        "deploy",
                        "localpart:*@example.com"
                    ],
                    1,
                    3
                ))
            }
        }
        return;
    }
    match dice.below(3) {
        0 if rule.get("via").is_some() => rule["via"] = json!(dice.some(&TAGS, 1, 2)),
        _ if rule.get("srcPosture").is_some() => {
            drop(rule.as_object_mut().expect("a rule").remove("srcPosture"))
        }
        _ => rule["srcPosture"] = json!(dice.some(&POSTURES, 1, 2)),
    }
}

/// One entry of one list of one rule: taken away, moved, or that of another rule.
fn change_entry(dice: &mut Dice, policy: &mut Value) {
    let Some(other) = any_rule(dice, policy).cloned() else {
        return;
    };
    let Some(rule) = any_rule(dice, policy) else {
        return;
    };
    let lists: Vec<String> = rule
        .as_object()
        .expect("a rule")
        .iter()
        .filter(|(_, value)| value.is_array())
        .map(|(key, _)| key.clone())
        .collect();
    let key = dice.pick(&lists).clone();
    let list = rule[&key].as_array_mut().expect("a list");
    if list.is_empty() {
        return;
    }
    let place = dice.below(list.len());
    match other
        .get(&key)
        .and_then(Value::as_array)
        .filter(|list| !list.is_empty())
    {
        Some(others) if !dice.one_in(3) => list[place] = dice.pick(others).clone(),
        _ => drop(list.remove(place)),
    }
}

/// A network of which something may be unknown, or all of it.
fn context(dice: &mut Dice) -> Value {
    if dice.one_in(4) {
        return json!({});
    }
    let mut context = tailnets::tailnet(dice);
    // Without devices, users and groups may be known.
    if dice.one_in(10) {
        context
            .as_object_mut()
            .expect("a context")
            .remove("devices");
        if dice.one_in(2) {
            context["groups"] = groups(dice.below(1 << 20) as u64);
        }
        return context;
    }
    for device in context["devices"].as_array_mut().expect("devices") {
        match dice.below(12) {
            // Another tailnet has its user, its tags and its routes.
            0 => {
                device["isExternal"] = json!(true);
                device["user"] = json!("eve@elsewhere.net");
                for name in ["tags", "advertisedRoutes", "enabledRoutes"] {
                    device[name] = json!([]);
                }
            }
            1 => {
                device["user"] = json!("");
                device["tags"] = json!([]);
            }
            _ => {}
        }
        if dice.one_in(3) {
            device["os"] = json!(dice.pick(&["macOS", "linux"]));
        }
    }
    let is_complete = dice.one_in(3);
    if is_complete {
        return complete(&context, dice.below(1 << 20) as u64);
    }
    match dice.below(3) {
        0 => drop(context.as_object_mut().expect("a context").remove("users")),
        1 => {
            for user in context["users"].as_array_mut().expect("users") {
                if dice.one_in(2) {
                    user.as_object_mut().expect("a user").remove("role");
                }
            }
        }
        _ => {}
    }
    if dice.one_in(3) {
        context["groups"] = groups(dice.below(1 << 20) as u64);
    }
    if dice.one_in(2) {
        let mut listed = Map::new();
        for device in context["devices"].as_array().expect("devices") {
            if dice.one_in(2) {
                let id = device["id"].as_str().expect("an id");
                listed.insert(id.to_owned(), attributes(dice).unwrap_or(json!({})));
            }
        }
        context["attributes"] = Value::Object(listed);
    }
    context
}

/// One change of a network.
fn change_network(dice: &mut Dice, context: &mut Value) {
    let has_groups = context.get("groups").is_some();
    if has_groups && dice.one_in(8) {
        context["groups"] = groups(dice.below(1 << 20) as u64);
        return;
    }
    let devices = context["devices"].as_array_mut().expect("devices");
    let at = dice.below(devices.len());
    let id = devices[at]["id"].as_str().expect("an id").to_owned();
    match dice.below(8) {
        7 => {
            let is_external = devices[at]["isExternal"] == true;
            devices[at]["isExternal"] = json!(!is_external);
        }
        0 if devices.len() > 1 => drop(devices.remove(at)),
        1 => devices[at]["tags"] = json!(dice.some(&TAGS, 0, 2)),
        2 => devices[at]["enabledRoutes"] = json!([]),
        3 => {
            let routes = dice.some(&ROUTES, 1, 3);
            devices[at]["advertisedRoutes"] = json!(routes);
            devices[at]["enabledRoutes"] = json!(routes);
        }
        4 => devices[at]["user"] = json!(dice.pick(&USERS)),
        5 => {
            if let Some(user) = context["users"]
                .as_array_mut()
                .and_then(|users| users.first_mut())
            {
                user["role"] = json!(dice.pick(&ROLES));
            }
        }
        _ => {
            if context.get("attributes").is_some() {
                context["attributes"][id] = attributes(dice).unwrap_or(json!({}));
            }
        }
    }
}

/// Dice that are the same for the same seed and name, so that what is unknown of two networks is completed alike.
fn dice_of(seed: u64, name: &str) -> Dice {
    let mut number = seed;
    for byte in name.bytes() {
        number = number.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte);
    }
    Dice::new(number)
}

fn groups(seed: u64) -> Value {
    let members = |name: &&str| {
        let own = dice_of(seed, name).some(&USERS, 0, 4);
        ((*name).to_owned(), json!(own))
    };
    Value::Object(SYNCED.iter().map(members).collect())
}

/// A network in which everything is known, and that a context allows.
pub fn complete(context: &Value, seed: u64) -> Value {
    let mut network = match context.get("devices") {
        Some(_) => context.clone(),
        None => {
            let mut drawn = tailnets::tailnet(&mut dice_of(seed, "network"));
            drawn["groups"] = context.get("groups").cloned().unwrap_or(Value::Null);
            if let Some(users) = context.get("users") {
                drawn["users"] = users.clone();
            }
            drawn
        }
    };
    let role = |login: &str| json!(dice_of(seed, login).pick(&ROLES));
    match network["users"].as_array_mut() {
        Some(users) => {
            for user in users.iter_mut().filter(|user| user.get("role").is_none()) {
                user["role"] = role(user["loginName"].as_str().expect("a login"));
            }
        }
        None => {
            let user = |login: &&str| json!({"loginName": login, "role": role(login)});
            network["users"] = json!(USERS.iter().map(user).collect::<Vec<_>>());
        }
    }
    if network["groups"].is_null() {
        network["groups"] = groups(seed);
    }
    network["domains"] = json!(DOMAINS);
    let mut listed = network["attributes"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    for device in network["devices"].as_array().expect("devices") {
        let id = device["id"].as_str().expect("an id");
        if listed.contains_key(id) {
            continue;
        }
        let mut own = attributes(&mut dice_of(seed, id)).unwrap_or(json!({}));
        if let Some(os) = device["os"].as_str() {
            own["node:os"] = json!(os.to_lowercase());
        }
        if let Some(version) = device["clientVersion"].as_str() {
            own["node:tsVersion"] = json!(version);
        }
        listed.insert(id.to_owned(), own);
    }
    network["attributes"] = Value::Object(listed);
    network
}
