//! Laws of policies in Headscale's dialect: if nothing is reported between two documents, every packet and every login passes as before;
//! what is gained one way is lost the other way. Must not live here: what the dialect means (tests/recorded, tests/policy/headscale.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, diff_access, diff_ssh};

use crate::case::{Case, Fault, Found, Law};
use crate::random::dice::Dice;
use crate::random::tailnets;
use crate::silence::{edit, judge};

const USERS: [&str; 4] = ["ann", "bob", "cyd", "dee"];
const SOURCES: [&str; 12] = [
    "*",
    "ann@",
    "bob@example.com",
    "group:one",
    "group:two",
    "tag:a",
    "tag:b",
    "autogroup:member",
    "autogroup:tagged",
    "box",
    "net",
    "100.64.0.2",
];
const PORTS: [&str; 5] = ["*", "22", "80,443", "0-1023", "53"];

fn names(dice: &mut Dice) -> Vec<Value> {
    let all = dice.some(&SOURCES, 1, 3);
    all.into_iter().map(Value::from).collect()
}

fn users(dice: &mut Dice) -> Vec<Value> {
    let users = ["ann@", "group:one", "group:two", "autogroup:member"];
    let all = dice.some(&users, 1, 2);
    all.into_iter().map(Value::from).collect()
}

/// One destination with what may stand before it.
fn destination(dice: &mut Dice) -> (Vec<Value>, &'static str) {
    match dice.below(8) {
        0 => (users(dice), "autogroup:self"),
        1 => (names(dice), "autogroup:internet"),
        2 => (names(dice), "10.0.0.0/8"),
        _ => (names(dice), *dice.pick(&SOURCES)),
    }
}

fn acl(dice: &mut Dice) -> Value {
    let (from, to) = destination(dice);
    let mut rule =
        json!({"action": "accept", "src": from, "dst": [format!("{to}:{}", dice.pick(&PORTS))]});
    if dice.one_in(3) {
        rule["proto"] = json!(dice.pick(&["tcp", "udp", "icmp", "sctp"]));
    }
    rule
}

fn grant(dice: &mut Dice) -> Value {
    let (from, to) = destination(dice);
    let mut rule =
        json!({"src": from, "dst": [to], "ip": [dice.pick(&["*", "22", "tcp:80,443", "udp:53"])]});
    if dice.one_in(4) && to != "autogroup:self" {
        rule["via"] = json!(dice.some(&["tag:a", "tag:b"], 1, 2));
    }
    rule
}

fn ssh(dice: &mut Dice) -> Value {
    let (from, to) = match dice.below(4) {
        0 => (users(dice), "autogroup:self"),
        1 => (vec![json!("tag:a")], "tag:b"),
        2 => (vec![json!("ann@")], "ann@"),
        _ => (users(dice), "tag:a"),
    };
    let accounts = [
        "root",
        "ubuntu",
        "autogroup:nonroot",
        "localpart:*@example.com",
    ];
    let action = if from == [json!("tag:a")] {
        "accept"
    } else {
        *dice.pick(&["accept", "check"])
    };
    json!({"action": action, "src": from, "dst": [to], "users": dice.some(&accounts, 1, 2)})
}

fn of_headscale(seed: u64) -> Case {
    let mut dice = Dice::new(seed);
    let mut list = |one: fn(&mut Dice) -> Value| -> Vec<Value> {
        (0..dice.between(0, 3)).map(|_| one(&mut dice)).collect()
    };
    let (acls, grants, logins) = (list(acl), list(grant), list(ssh));
    let mut policy = json!({
        "groups": {"group:one": ["ann@", "bob@example.com"], "group:two": ["cyd@"]},
        "hosts": {"box": "100.64.0.1", "net": "10.1.0.0/16"},
        "tagOwners": {"tag:a": ["ann@"], "tag:b": ["group:one", "tag:a"], "tag:c": [], "tag:d": []},
        "acls": acls, "ssh": logins,
    });
    if dice.one_in(2) {
        policy["grants"] = json!(grants);
    }
    let mut context = tailnets::tailnet(&mut dice);
    context["dialect"] = json!("headscale");
    context
        .as_object_mut()
        .expect("a context")
        .remove("domains");
    let user = |(at, name): (usize, &&str)| json!({"loginName": name, "id": (at + 1).to_string(), "email": format!("{name}@example.com")});
    context["users"] = json!(USERS.iter().enumerate().map(user).collect::<Vec<_>>());
    for device in context["devices"].as_array_mut().expect("devices") {
        device["user"] = json!(dice.between(1, 4).to_string());
    }
    let document = json!({"policy": policy, "after": policy, "context": context});
    Case::new(document).expect("a network")
}

fn draw(case: &Case, dice: &mut Dice) -> Vec<String> {
    match case.refusal() {
        Some(_) => Vec::new(),
        None => edit(case, dice),
    }
}

#[test]
fn where_nothing_is_reported_in_the_dialect_nothing_differs() {
    Law {
        name: "headscale silence",
        share: 4,
        draw,
        judge,
    }
    .holds_for(of_headscale);
}

/// The sources with their destinations in one list of all changes.
fn told(changes: &Value, list: &str) -> Vec<String> {
    let mut told = Vec::new();
    for change in changes.as_array().into_iter().flatten() {
        for reach in change[list].as_array().into_iter().flatten() {
            let what = [
                &reach["opens"],
                &reach["users"],
                &reach["action"],
                &reach["part"],
            ];
            told.push(json!([change["source"], reach["destination"], what]).to_string());
        }
    }
    told.sort_unstable();
    told
}

fn judge_reverse(case: &Case, edits: &[String]) -> Found {
    for after in edits {
        let (context, dialect) = (&case.context, case.context.dialect.unwrap_or_default());
        let texts = [case.text.as_str(), after];
        let documents = texts.map(|text| hujson::parse(text).expect("HuJSON"));
        let [old, new] = documents.each_ref().map(|it| Policy::read_as(it, dialect));
        if new.accept(context).is_err() {
            continue;
        }
        let there = [
            json!(diff_access(&old, &new, context)),
            json!(diff_ssh(&old, &new, context)),
        ];
        let back = [
            json!(diff_access(&new, &old, context)),
            json!(diff_ssh(&new, &old, context)),
        ];
        for (there, back) in there.iter().zip(&back) {
            if told(there, "gained") != told(back, "lost") {
                return Err(Fault::new(
                    0,
                    format!("not the same back: {there} and {back}"),
                ));
            }
        }
    }
    Ok(edits.len())
}

#[test]
fn what_is_gained_in_the_dialect_is_lost_the_other_way() {
    Law {
        name: "headscale reversed",
        share: 4,
        draw,
        judge: judge_reverse,
    }
    .holds_for(of_headscale);
}
