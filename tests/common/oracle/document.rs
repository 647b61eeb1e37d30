//! The rules of a policy, read from plain JSON in either spelling: docs/policy-language.md#document and docs/policy-language.md#rules.
//! Must not live here: users and devices, what follows from a rule.

use serde_json::Value;

/// A rule of either grammar.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `acls` or `grants`, and its place there.
    pub section: &'static str,
    pub index: usize,
    pub src: Vec<String>,
    /// Each destination with what it opens.
    pub dst: Vec<(String, Vec<Opening>)>,
    pub via: Vec<String>,
    /// The names of postures of which one must hold; an empty list requires none.
    pub postures: Vec<String>,
    pub app: Vec<(String, Value)>,
}

/// Ports of some protocols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    pub protocols: Vec<u8>,
    pub first: u16,
    pub last: u16,
}

impl Opening {
    pub fn opens(&self, port: u16, protocol: u8) -> bool {
        self.protocols.contains(&protocol) && self.first <= port && port <= self.last
    }
}

/// A member of an object, whatever the case of its name, under the first of some names.
pub fn member<'v>(object: &'v Value, names: &[&str]) -> Option<&'v Value> {
    let members = object.as_object()?;
    let found = members
        .iter()
        .find(|(key, _)| names.iter().any(|name| key.eq_ignore_ascii_case(name)));
    found.map(|(_, value)| value)
}

/// The texts of a list, trimmed.
pub fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items
        .filter_map(Value::as_str)
        .map(|text| text.trim().to_owned())
        .collect()
}

/// docs/policy-language.md#protocols: where none is given, TCP, UDP and both ICMPs.
const WITHOUT: [u8; 4] = [1, 6, 17, 58];

/// The number of a protocol.
pub fn protocol(name: &str) -> u8 {
    match name.to_ascii_lowercase().as_str() {
        "icmp" | "icmpv4" => 1,
        "igmp" => 2,
        "ipv4" | "ip-in-ip" => 4,
        "tcp" => 6,
        "egp" => 8,
        "igp" => 9,
        "udp" => 17,
        "dccp" => 33,
        "gre" => 47,
        "esp" => 50,
        "ah" => 51,
        "ipv6-icmp" | "icmpv6" => 58,
        "tsmp" => 99,
        "sctp" => 132,
        number => number
            .parse()
            .unwrap_or_else(|_| panic!("a protocol, not {name}")),
    }
}

/// docs/policy-language.md#ports-of-an-acl: `*` is 0 to 65535, else a list of numbers and ranges.
fn openings(protocols: &[u8], ports: &str) -> Vec<Opening> {
    let one = |part: &str| {
        let number = |text: &str| {
            text.parse()
                .unwrap_or_else(|_| panic!("a port, not {text}"))
        };
        let (first, last) = match part.split_once('-') {
            _ if part == "*" => (0, u16::MAX),
            Some((first, last)) => (number(first), number(last)),
            None => (number(part), number(part)),
        };
        Opening {
            protocols: protocols.to_vec(),
            first,
            last,
        }
    };
    ports.split(',').map(one).collect()
}

/// docs/policy-language.md#ports-of-an-acl: cut at the last colon; brackets are not a part of the address.
pub fn cut(destination: &str) -> (String, &str) {
    let (host, ports) = destination.rsplit_once(':').expect("a host and ports");
    let host = host.trim_start_matches('[').replace(']', "");
    (host, ports)
}

fn acl(rule: &Value) -> Vec<(String, Vec<Opening>)> {
    let named = member(rule, &["proto"]).and_then(Value::as_str);
    let named = named
        .filter(|name| !name.is_empty())
        .map(|name| vec![protocol(name)]);
    let protocols = named.unwrap_or(WITHOUT.to_vec());
    let mut dst = Vec::new();
    for to in texts(member(rule, &["dst", "ports"])) {
        let (host, ports) = cut(&to);
        dst.push((host, openings(&protocols, ports)));
    }
    dst
}

/// docs/policy-language.md#ports-of-a-grant: each entry is `*`, ports, or `proto:ports`.
fn grant(rule: &Value) -> Vec<(String, Vec<Opening>)> {
    let mut opens = Vec::new();
    for entry in texts(member(rule, &["ip"])) {
        opens.extend(match entry.split_once(':') {
            Some((name, ports)) => openings(&[protocol(name)], ports),
            None => openings(&WITHOUT, &entry),
        });
    }
    let dst = texts(member(rule, &["dst"])).into_iter();
    dst.map(|to| (to, opens.clone())).collect()
}

/// Every rule of a policy; where it has neither section, the one that allows all (docs/policy-language.md#no-rules-at-all).
pub fn rules(policy: &Value) -> Vec<Rule> {
    let default = texts(member(policy, &["defaultSrcPosture"]));
    let (acls, grants) = (member(policy, &["acls"]), member(policy, &["grants"]));
    if acls.is_none() && grants.is_none() {
        let all = ("*".to_owned(), openings(&WITHOUT, "*"));
        return vec![Rule {
            section: "acls",
            index: 0,
            src: vec!["*".to_owned()],
            dst: vec![all],
            via: vec![],
            postures: vec![],
            app: vec![],
        }];
    }
    let mut rules = Vec::new();
    for (section, list) in [("acls", acls), ("grants", grants)] {
        for (index, rule) in list
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .enumerate()
        {
            let own = texts(member(rule, &["srcPosture"]));
            let app = member(rule, &["app"]).and_then(Value::as_object);
            let app = app
                .into_iter()
                .flatten()
                .map(|(name, values)| (name.clone(), values.clone()));
            rules.push(Rule {
                section,
                index,
                src: texts(member(rule, &["src", "users"])),
                dst: if section == "acls" {
                    acl(rule)
                } else {
                    grant(rule)
                },
                via: texts(member(rule, &["via"])),
                postures: if own.is_empty() { default.clone() } else { own },
                app: app.collect(),
            });
        }
    }
    rules
}
