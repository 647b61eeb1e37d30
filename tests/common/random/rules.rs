//! Random rules of every kind: acls in both spellings, grants, ssh rules, tests. Must not live here: definitions, documents.

use serde_json::{Map, Value, json};

use super::dice::Dice;
use super::tailnets::{DOMAINS, ROUTES, TAGS, USERS, addresses};

pub const GROUPS: [&str; 4] = ["group:one", "group:two", "group:three", "group:none"];
pub const HOSTS: [&str; 6] = ["box", "lone", "net", "wide", "public", "six"];
pub const IPSETS: [&str; 3] = ["ipset:lan", "ipset:mixed", "ipset:outside"];
pub const POSTURES: [&str; 3] = ["posture:mac", "posture:fresh", "posture:any"];

/// Sets that contain or overlap those of devices and routes.
const SETS: [&str; 11] = [
    "100.64.0.0/10",
    "100.64.0.0/30",
    "100.64.0.4-100.64.0.6",
    "fd7a:115c:a1e0::/126",
    "10.1.0.0/20",
    "10.1.2.7",
    "10.0.255.0-10.1.2.200",
    "203.0.113.64/26",
    "8.8.8.0/24",
    "8.0.0.0/6",
    "2001:db8:1::/47",
];

/// Autogroups and domains that may be sources and destinations.
const CROWDS: [&str; 6] = [
    "autogroup:member",
    "autogroup:tagged",
    "autogroup:admin",
    "autogroup:owner",
    "autogroup:auditor",
    "user:*@example.com",
];

/// Sources that are allowed with `autogroup:self`.
fn person(dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => "autogroup:member".to_owned(),
        1 => (*dice.pick(&GROUPS)).to_owned(),
        _ => (*dice.pick(&USERS)).to_owned(),
    }
}

/// A selector that is allowed on either side.
fn party(dice: &mut Dice) -> String {
    match dice.below(14) {
        0..=2 => (*dice.pick(&USERS)).to_owned(),
        3..=5 => (*dice.pick(&TAGS)).to_owned(),
        6 => (*dice.pick(&GROUPS)).to_owned(),
        7 => (*dice.pick(&CROWDS)).to_owned(),
        8 => (*dice.pick(&HOSTS)).to_owned(),
        9 => (*dice.pick(&IPSETS)).to_owned(),
        10 => (*dice.pick(&ROUTES)).to_owned(),
        11 => (*dice.pick(&SETS)).to_owned(),
        12 => format!("user:*@{}", dice.pick(&DOMAINS)),
        _ => {
            let number = dice.between(1, 9);
            dice.pick(&addresses(number)).clone()
        }
    }
}

fn source(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 | 1 => "*".to_owned(),
        2 if dice.one_in(2) => "autogroup:danger-all".to_owned(),
        _ => party(dice),
    }
}

fn sources(dice: &mut Dice) -> Vec<String> {
    (0..dice.between(1, 3)).map(|_| source(dice)).collect()
}

fn target(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => "*".to_owned(),
        1 | 2 => "autogroup:internet".to_owned(),
        _ => party(dice),
    }
}

const PORTS: [&str; 9] = [
    "*", "22", "80", "443", "80-90", "1-65535", "85-443", "22,80-90", "65535",
];
const PORTLESS: [&str; 4] = ["icmp", "gre", "ipv6-icmp", "89"];
const PORTED: [&str; 5] = ["tcp", "udp", "sctp", "TCP", "17"];

/// An acl rule; it has `autogroup:self` only with sources that are allowed with it.
fn acl(dice: &mut Dice) -> Value {
    let own = dice.one_in(6);
    let src = match own {
        true if dice.one_in(3) => vec!["*".to_owned()],
        true => vec![person(dice), person(dice)],
        false => sources(dice),
    };
    let protocol = match dice.below(5) {
        0 => Some(*dice.pick(&PORTED)),
        1 => Some(*dice.pick(&PORTLESS)),
        _ => None,
    };
    let portless = protocol.is_some_and(|name| PORTLESS.contains(&name));
    let mut dst = Vec::new();
    for _ in 0..dice.between(1, 3) {
        let host = if own && dice.one_in(2) {
            "autogroup:self".to_owned()
        } else {
            target(dice)
        };
        let host = if host.contains("::") && !host.contains('/') {
            format!("[{host}]")
        } else {
            host
        };
        dst.push(format!(
            "{host}:{}",
            if portless { "*" } else { dice.pick(&PORTS) }
        ));
    }
    let names = if dice.one_in(3) {
        ["Action", "Users", "Ports"]
    } else {
        ["action", "src", "dst"]
    };
    let mut rule = Map::new();
    rule.insert(names[0].to_owned(), json!("accept"));
    rule.insert(names[1].to_owned(), json!(src));
    rule.insert(names[2].to_owned(), json!(dst));
    if let Some(protocol) = protocol {
        rule.insert("proto".to_owned(), json!(protocol));
    }
    with_posture(dice, Value::Object(rule))
}

pub fn acls(dice: &mut Dice) -> Vec<Value> {
    (0..dice.between(0, 3)).map(|_| acl(dice)).collect()
}

fn with_posture(dice: &mut Dice, mut rule: Value) -> Value {
    if dice.one_in(6) {
        rule["srcPosture"] = json!(dice.some(&POSTURES, 1, 2));
    }
    rule
}

fn entries(dice: &mut Dice) -> Vec<String> {
    let mut ip = Vec::new();
    for _ in 0..dice.between(1, 3) {
        let range = *dice.pick(&["*", "22", "80", "80-90", "443", "1-65535"]);
        ip.push(match dice.below(5) {
            0 => format!("{}:*", dice.pick(&PORTLESS)),
            1 | 2 => format!("{}:{range}", dice.pick(&PORTED)),
            _ => range.to_owned(),
        });
    }
    ip
}

const CAPABILITIES: [&str; 4] = [
    "example.com/cap/reader",
    "example.com/cap/writer",
    "tailscale.com/cap/drive",
    "tailscale.com/cap/relay",
];

fn app(dice: &mut Dice) -> Value {
    let name = *dice.pick(&CAPABILITIES);
    json!({name: [{"level": dice.below(3)}]})
}

fn plain_grant(dice: &mut Dice) -> Value {
    let own = dice.one_in(6);
    let src = if own {
        vec![person(dice)]
    } else {
        sources(dice)
    };
    let mut dst = Vec::new();
    for _ in 0..dice.between(1, 3) {
        dst.push(if own && dice.one_in(2) {
            "autogroup:self".to_owned()
        } else {
            target(dice)
        });
    }
    let mut grant = json!({"src": src, "dst": dst});
    let internet = dst.iter().any(|to| to == "autogroup:internet");
    let only_app = !internet && dice.one_in(6);
    if !only_app {
        grant["ip"] = json!(entries(dice));
    }
    if only_app || !internet && dice.one_in(6) {
        grant["app"] = app(dice);
    }
    grant
}

/// A via grant, to what its routers lead to or to nothing at all.
fn via_grant(dice: &mut Dice) -> Value {
    let mut dst = Vec::new();
    for _ in 0..dice.between(1, 2) {
        dst.push(match dice.below(8) {
            0..=3 => (*dice.pick(&ROUTES)).to_owned(),
            4 | 5 => "autogroup:internet".to_owned(),
            6 => (*dice.pick(&[
                "10.1.0.0/20",
                "10.1.2.7",
                "net",
                "wide",
                "8.8.8.0/24",
                "203.0.113.64/26",
            ]))
            .to_owned(),
            _ => (*dice.pick(&["tag:a", "ann@example.com", "100.64.0.2", "box"])).to_owned(),
        });
    }
    json!({"src": sources(dice), "dst": dst, "ip": entries(dice), "via": dice.some(&TAGS, 1, 2)})
}

pub fn grants(dice: &mut Dice) -> Vec<Value> {
    let mut grants = Vec::new();
    for _ in 0..dice.between(0, 3) {
        let grant = if dice.one_in(3) {
            via_grant(dice)
        } else {
            plain_grant(dice)
        };
        grants.push(with_posture(dice, grant));
    }
    grants
}

pub fn ssh(dice: &mut Dice) -> Vec<Value> {
    let mut rules = Vec::new();
    for _ in 0..dice.between(0, 2) {
        let dst = if dice.one_in(2) {
            "autogroup:self"
        } else {
            dice.pick(&TAGS)
        };
        let users = dice.some(
            &[
                "root",
                "autogroup:nonroot",
                "deploy",
                "localpart:*@example.com",
            ],
            1,
            2,
        );
        let action = dice.pick(&["accept", "check"]);
        rules.push(json!({"action": action, "src": [person(dice)], "dst": [dst], "users": users}));
    }
    rules
}

/// A name that may or may not have an address in a network.
pub fn end(dice: &mut Dice) -> String {
    match dice.below(6) {
        0 | 1 => (*dice.pick(&USERS)).to_owned(),
        2 => (*dice.pick(&TAGS)).to_owned(),
        3 => (*dice.pick(&GROUPS)).to_owned(),
        4 => (*dice.pick(&["box", "lone", "public", "six"])).to_owned(),
        _ => {
            let number = dice.between(1, 9);
            dice.pick(&addresses(number)).clone()
        }
    }
}

/// `HOST:PORT`, an IPv6 address in brackets.
pub fn with_port(host: &str, port: u16) -> String {
    match host.contains("::") {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    }
}

/// The attributes that a question or test assumes.
pub fn attributes(dice: &mut Dice) -> Option<Value> {
    let mut attributes = json!({});
    if dice.one_in(2) {
        return None;
    }
    if dice.one_in(2) {
        attributes["node:os"] = json!(dice.pick(&["macos", "linux"]));
    }
    if dice.one_in(2) {
        attributes["custom:score"] = json!(dice.between(1, 5));
    }
    if dice.one_in(2) {
        attributes["custom:tier"] = json!("prod");
    }
    Some(attributes)
}

/// Tests that may pass or fail.
pub fn tests(dice: &mut Dice) -> Vec<Value> {
    let mut tests = Vec::new();
    for _ in 0..dice.between(0, 3) {
        let mut some = |most| {
            let mut list = Vec::new();
            for _ in 0..dice.between(0, most) {
                let (host, port) = (end(dice), *dice.pick(&[22_u16, 80, 85, 443, 65535]));
                list.push(with_port(&host, port));
            }
            list
        };
        let (accept, deny) = (some(2), some(2));
        let mut test = json!({"src": end(dice), "accept": accept, "deny": deny});
        if dice.one_in(3) {
            test["proto"] = json!(dice.pick(&["tcp", "udp", "sctp"]));
        }
        if let Some(attributes) = attributes(dice) {
            test["srcPostureAttrs"] = attributes;
        }
        tests.push(test);
    }
    tests
}

pub fn ssh_tests(dice: &mut Dice) -> Vec<Value> {
    let mut tests = Vec::new();
    for _ in 0..dice.between(0, 1) {
        tests
            .push(json!({"src": dice.pick(&USERS), "dst": [dice.pick(&TAGS)], "accept": ["root"]}));
    }
    tests
}
