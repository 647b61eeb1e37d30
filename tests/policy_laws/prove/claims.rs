//! Random assertions, and how much of the network is known. Must not live here: whether they hold.

use serde_json::{Value, json};

use crate::case::Case;
use crate::oracle::document::protocol;
use crate::questions::PROTOCOLS;
use crate::random::dice::Dice;
use crate::random::rules::{self, GROUPS, HOSTS, IPSETS};
use crate::random::tailnets::{ROUTES, TAGS, USERS};

/// Wider names.
const CROWDS: [&str; 8] = [
    "*",
    "autogroup:member",
    "autogroup:tagged",
    "autogroup:admin",
    "autogroup:owner",
    "user:*@example.com",
    "user:*@other.org",
    "100.64.0.0/29",
];

/// What is known of the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    Everything,
    /// Users without their roles.
    NoRoles,
    NoUsers,
    NoDevices,
    Nothing,
}

impl Told {
    /// The context, without the parts that are not known.
    pub fn of(self, context: &Value) -> Value {
        let mut context = context.clone();
        let Some(members) = context.as_object_mut() else {
            return context;
        };
        match self {
            Told::Everything => {}
            Told::NoRoles => {
                let users = members.get_mut("users").and_then(Value::as_array_mut);
                for user in users.into_iter().flatten().filter_map(Value::as_object_mut) {
                    user.remove("role");
                }
            }
            Told::NoUsers => drop(members.remove("users")),
            Told::NoDevices => drop(members.remove("devices")),
            Told::Nothing => members.clear(),
        }
        context
    }
}

pub struct Asked {
    pub assertion: Value,
    pub told: Told,
    /// The ssh rules of the policy that is compared with.
    pub ssh: Value,
    /// The seed that decides which of the open cases are tried.
    pub seed: u64,
}

impl Asked {
    /// The word for what it claims, and the claim.
    pub fn parts(&self) -> (&str, &Value) {
        let mut members = self.assertion.as_object().expect("an object").iter();
        let (verb, claim) = members.next().expect("a verb");
        (verb, claim)
    }

    /// Whether it is about paths where a hop may be allowed and may not.
    pub fn is_over_open_hops(&self) -> bool {
        self.form() == "never, paths" && self.told != Told::Everything
    }

    /// The name to count it by: the word, and whether it is about logins.
    pub fn form(&self) -> &'static str {
        let (verb, claim) = self.parts();
        match (verb, claim.get("users").is_some()) {
            ("never", false) if claim.get("paths").is_some() => "never, paths",
            ("never", false) => "never",
            ("never", true) => "never, ssh",
            ("always", false) => "always",
            ("always", true) => "always, ssh",
            ("only", false) => "only",
            ("only", true) => "only, ssh",
            ("noMoreThan", _) => "noMoreThan",
            _ => "sameAs",
        }
    }
}

fn name(dice: &mut Dice) -> String {
    let names: &[&str] = match dice.below(8) {
        0 | 1 => &USERS,
        2 | 3 => &TAGS,
        4 => &GROUPS,
        5 => &HOSTS,
        6 if dice.one_in(2) => &IPSETS,
        6 => &ROUTES,
        _ => &CROWDS,
    };
    (*dice.pick(names)).to_owned()
}

fn names(dice: &mut Dice) -> Vec<String> {
    (0..dice.between(1, 3)).map(|_| name(dice)).collect()
}

/// A claim about flows: half of the claims use the names of a rule of the policy, so that not almost all are true.
fn of_flows(dice: &mut Dice, case: &Case) -> Value {
    let mut to = names(dice);
    match dice.below(10) {
        0 => to = vec!["autogroup:self".to_owned()],
        1 => to.push("autogroup:internet".to_owned()),
        _ => {}
    }
    let mut claim = json!({"from": names(dice), "to": to});
    let oracle = case.oracle();
    if !oracle.rules.is_empty() && dice.one_in(2) {
        let rule = dice.pick(&oracle.rules);
        let is_claimed = |name: &&String| *name != "autogroup:danger-all";
        let from: Vec<&String> = rule.src.iter().filter(is_claimed).collect();
        if !from.is_empty() && !rule.dst.is_empty() {
            claim["from"] = json!(dice.some(&from, 1, 3));
            claim["to"] = json!([dice.pick(&rule.dst).0]);
        }
    }
    if dice.one_in(2) {
        let ports = ["22", "80", "80-90", "443", "1-65535", "22,80-90", "*"];
        claim["ports"] = json!(dice.pick(&ports));
    }
    if dice.one_in(2) {
        claim["proto"] = json!(dice.pick(&PROTOCOLS));
    }
    claim
}

/// A claim about logins: source and destination are mostly names that ssh rules use.
fn of_logins(dice: &mut Dice) -> Value {
    let users = [
        "root",
        "ann",
        "deploy",
        "autogroup:nonroot",
        "localpart:*@example.com",
        "other",
    ];
    let to = match dice.below(4) {
        0 => vec!["autogroup:self".to_owned()],
        1 | 2 => dice
            .some(&TAGS, 1, 2)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        _ => names(dice),
    };
    json!({"from": names(dice), "to": to, "users": dice.some(&users, 1, 2)})
}

/// A claim about flows, in one of four also over devices.
fn or_paths(dice: &mut Dice, mut claim: Value) -> Value {
    if claim.get("users").is_none() && dice.one_in(4) {
        claim["paths"] = json!(true);
    }
    claim
}

/// The ssh rules with one removed or one added, or unchanged.
fn changed_ssh(dice: &mut Dice, policy: &Value) -> Value {
    let mut rules = policy["ssh"].as_array().cloned().unwrap_or_default();
    match dice.below(3) {
        0 if !rules.is_empty() => drop(rules.remove(dice.below(rules.len()))),
        1 => rules.extend(rules::ssh(dice)),
        _ => {}
    }
    Value::Array(rules)
}

/// Five assertions about a case.
pub fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let one = |dice: &mut Dice| {
        let claim = match dice.one_in(3) {
            true => of_logins(dice),
            false => of_flows(dice, case),
        };
        let assertion = match dice.below(9) {
            0..=2 => json!({"never": or_paths(dice, claim)}),
            3 | 4 => json!({"always": claim}),
            5 | 6 => json!({"only": claim}),
            7 => json!({"noMoreThan": "after"}),
            _ => json!({"sameAs": "after"}),
        };
        let told = match dice.below(10) {
            0..=5 => Told::Everything,
            6 => Told::NoRoles,
            7 => Told::NoUsers,
            8 => Told::NoDevices,
            _ => Told::Nothing,
        };
        Asked {
            assertion,
            told,
            ssh: changed_ssh(dice, case.policy()),
            seed: dice.below(1 << 30) as u64,
        }
    };
    (0..5).map(|_| one(dice)).collect()
}

/// The protocols that a policy and a claim tell apart: those with ports, pings, others, and one that nothing names.
pub const TRAFFIC: [u8; 7] = [6, 17, 132, 1, 47, 89, 50];

pub fn has_ports(protocol: u8) -> bool {
    [6, 17, 132].contains(&protocol)
}

/// Ports as a claim writes them.
fn ports(text: &str) -> Vec<(u16, u16)> {
    let number = |text: &str| text.parse::<u16>().expect("a port");
    let range = |part: &str| match part.split_once('-') {
        _ if part == "*" => (0, u16::MAX),
        Some((first, last)) => (number(first), number(last)),
        None => (number(part), number(part)),
    };
    text.split(',').map(range).collect()
}

/// Whether a claim is about this traffic: without a protocol `always` is about TCP, the others about every protocol with such ports.
pub fn speaks_of(verb: &str, claim: &Value, (number, port): (u8, u16)) -> bool {
    let text = claim["ports"].as_str().unwrap_or("*");
    let is_protocol = match claim["proto"].as_str() {
        Some(named) => protocol(named) == number,
        None if verb == "always" => number == 6,
        None => text == "*" || has_ports(number),
    };
    let mut ranges = ports(text).into_iter();
    is_protocol && (!has_ports(number) || ranges.any(|(first, last)| first <= port && port <= last))
}
