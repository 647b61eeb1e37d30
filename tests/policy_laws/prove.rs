//! Law: an assertion holds exactly if no flow, looked at one by one, says otherwise; a counterexample is what `explain` or the
//! ssh rules say. Must not live here: assertions about one document (`tests/policy/prove.rs`).

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{DeviceIndex, Flow, Guard, Policy, SshRules, Subject, Topology, Verdict};

use crate::case::{Case, Fault, Found, Law};
use crate::oracle::document::{member, protocol};
use crate::oracle::span::{Set, after, before, everything, holds, internet};
use crate::oracle::tailnet::Device;
use crate::oracle::{Answer, Oracle, Packet};
use crate::questions::{PROTOCOLS, addresses, port};
use crate::random::dice::Dice;
use crate::random::rules::{GROUPS, HOSTS, IPSETS, with_port};
use crate::random::tailnets::{ROUTES, TAGS, USERS};

/// Pairs of ends that are looked at for one claim, at most.
const PAIRS: usize = 150;

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

struct Asked {
    assertion: Value,
    /// What decides which pairs are looked at where there are many.
    seed: u64,
    ports: Vec<u16>,
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

fn claim(dice: &mut Dice) -> Value {
    let mut to = names(dice);
    match dice.below(10) {
        0 => to = vec!["autogroup:self".to_owned()],
        1 => to.push("autogroup:internet".to_owned()),
        _ => {}
    }
    let mut claim = json!({"from": names(dice), "to": to});
    if dice.one_in(4) {
        let users = [
            "root",
            "ann",
            "deploy",
            "autogroup:nonroot",
            "localpart:*@example.com",
            "other",
        ];
        claim["users"] = json!(dice.some(&users, 1, 2));
        return claim;
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

fn draw(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let oracle = case.oracle();
    let mut asked = Vec::new();
    for _ in 0..3 {
        let assertion = match dice.below(8) {
            0..=2 => json!({"never": claim(dice)}),
            3 => json!({"always": claim(dice)}),
            4 | 5 => json!({"only": claim(dice)}),
            6 => json!({"noMoreThan": "after"}),
            _ => json!({"sameAs": "after"}),
        };
        let mut ports = vec![22, 80];
        ports.extend((0..4).map(|_| port(dice, &oracle)));
        ports.sort_unstable();
        ports.dedup();
        asked.push(Asked {
            assertion,
            seed: dice.below(1 << 30) as u64,
            ports,
        });
    }
    asked
}

/// A source or destination: an address, or somebody who has none yet.
#[derive(Clone)]
enum End {
    At(IpAddr),
    Nameless(Device),
}

impl End {
    fn subject(&self) -> Subject {
        Subject::Plain(match self {
            End::At(address) => address.to_string(),
            End::Nameless(device) => device.name.clone(),
        })
    }

    fn login<'e>(&'e self, oracle: &'e Oracle) -> Option<&'e str> {
        let device = match self {
            End::At(address) => oracle.tailnet.owner(*address)?,
            End::Nameless(device) => device,
        };
        device.user.as_deref()
    }
}

fn listed(names: &Value) -> impl Iterator<Item = &str> {
    let names = names.as_array().into_iter().flatten();
    names.filter_map(Value::as_str)
}

/// Who may send, and who may receive: addresses at every edge, and names without a device.
fn ends(oracle: &Oracle, declared: &Value, claim: &Value) -> Vec<End> {
    let mut near = addresses(oracle);
    for name in listed(&claim["from"]).chain(listed(&claim["to"])) {
        for span in oracle.tailnet.set(name) {
            near.extend([span.first, span.last]);
            near.extend(before(span.first).into_iter().chain(after(span.last)));
        }
    }
    near.sort();
    near.dedup();
    let mut ends: Vec<End> = near.into_iter().map(End::At).collect();
    let device = |name: &str, user: Option<&str>, tags: Vec<String>| Device {
        id: String::new(),
        name: name.to_owned(),
        user: user.map(str::to_owned),
        tags,
        addresses: Vec::new(),
        subnets: Vec::new(),
        exit: false,
    };
    let users = USERS.map(|login| device(login, Some(login), Vec::new()));
    let tags = TAGS.iter().filter(|tag| declared.get(**tag).is_some());
    let tags = tags.map(|tag| device(tag, None, vec![(*tag).to_owned()]));
    for nameless in users.into_iter().chain(tags) {
        let mut known = oracle.tailnet.devices.iter();
        let has_device =
            known.any(|own| oracle.tailnet.takes_in(&nameless.name, own) == Some(true));
        if !has_device {
            ends.push(End::Nameless(nameless));
        }
    }
    ends
}

/// Names with the sets that they stand for.
struct Named<'n>(Vec<(&'n str, Set)>);

impl<'n> Named<'n> {
    fn new(oracle: &Oracle, names: &'n Value, is_source: bool) -> Named<'n> {
        let set = |name: &'n str| match name {
            "*" if !is_source => everything(),
            "autogroup:internet" => internet(),
            _ => oracle
                .tailnet
                .sources(std::slice::from_ref(&name.to_owned())),
        };
        Named(listed(names).map(|name| (name, set(name))).collect())
    }

    /// Whether they take in an end; `autogroup:self` those that share a user with a source.
    fn take_in(&self, oracle: &Oracle, from: Option<&End>, end: &End) -> bool {
        self.0.iter().any(|(name, set)| match (*name, end) {
            ("*", End::Nameless(_)) => true,
            ("autogroup:self", _) => {
                let own = end.login(oracle);
                own.is_some() && from.is_some_and(|from| from.login(oracle) == own)
            }
            ("autogroup:internet", End::Nameless(_)) => false,
            (_, End::At(address)) => holds(set, *address),
            (name, End::Nameless(device)) => oracle.tailnet.takes_in(name, device) == Some(true),
        })
    }
}

/// A policy in a network, read once.
struct World<'w> {
    policy: &'w Policy<'w>,
    topology: &'w Topology,
    oracle: Oracle,
    /// The tags that there are.
    declared: Value,
    /// What sources may have: nothing, where no rule asks for a posture.
    attributes: Vec<Option<Value>>,
}

impl<'w> World<'w> {
    fn new(case: &'w Case, policy: &'w Policy<'w>) -> World<'w> {
        let oracle = case.oracle();
        let mut attributes = vec![
            None,
            Some(json!({"node:os": "macos", "custom:score": 3, "custom:tier": "prod"})),
            Some(json!({"node:os": "linux", "custom:score": 5})),
            Some(json!({"custom:score": 5, "custom:tier": "prod"})),
        ];
        if oracle.rules.iter().all(|rule| rule.postures.is_empty()) {
            attributes.truncate(1);
        }
        World {
            policy,
            topology: &case.topology,
            oracle,
            declared: member(case.policy(), &["tagOwners"])
                .cloned()
                .unwrap_or_default(),
            attributes,
        }
    }

    /// What `explain` says.
    fn explain(
        &self,
        (from, to): (&Subject, &Subject),
        (protocol, port): (&str, u16),
        attributes: Option<&Value>,
    ) -> Answer {
        let to = with_port(to.text(), port);
        let mut flow = Flow::new(from, &to, Some(protocol)).expect("a flow");
        if let Some(attributes) = attributes {
            let attributes = attributes.to_string();
            flow = flow
                .with_posture_attributes(&attributes)
                .expect("attributes");
        }
        let explanation = self.policy.explain(&flow, self.topology);
        match explanation.expect("an answer").verdict {
            Verdict::Allowed => Answer::Allowed,
            Verdict::Denied => Answer::Denied,
            Verdict::Unknown => Answer::Unknown,
        }
    }

    /// The same, of addresses by the oracle that `explain` is compared with.
    fn says(
        &self,
        (from, to): (&End, &End),
        (name, port): (&str, u16),
        attributes: Option<&Value>,
    ) -> Answer {
        if let (End::At(from), End::At(to)) = (from, to) {
            let packet = Packet {
                from: *from,
                to: *to,
                port,
                protocol: protocol(name),
            };
            return self.oracle.passes(packet, attributes);
        }
        self.explain((&from.subject(), &to.subject()), (name, port), attributes)
    }

    /// The pairs that a claim is about: all, or some where there are a great many.
    fn pairs(&self, asked: &Asked, only: bool, claim: &Value) -> Vec<(End, End)> {
        let oracle = &self.oracle;
        let ends = ends(oracle, &self.declared, claim);
        let sources = Named::new(oracle, &claim["from"], true);
        let targets = Named::new(oracle, &claim["to"], false);
        let mut pairs = Vec::new();
        for from in &ends {
            if sources.take_in(oracle, None, from) == only {
                continue;
            }
            let to = ends
                .iter()
                .filter(|to| targets.take_in(oracle, Some(from), to));
            pairs.extend(to.map(|to| (from.clone(), to.clone())));
        }
        sampled(pairs, asked.seed)
    }

    /// Whether a device lets somebody in from another as an account, by the rules it is told.
    fn lets_in(&self, told: &SshRules<'_>, (from, to): (usize, usize), account: &str) -> bool {
        let device = &self.topology.devices.as_ref().expect("devices")[from];
        let Some(&address) = device.addresses.first() else {
            return false;
        };
        let fits = |users: &[(String, String)]| {
            let named = users.iter().find(|(asked, _)| asked == account);
            let local = named.or_else(|| users.iter().find(|(asked, _)| asked == "*"));
            local.is_some_and(|(_, local)| !local.is_empty())
        };
        let mut rules = told.of(DeviceIndex(to));
        rules.any(|rule| rule.from.iter().any(|net| net.contains(address)) && fits(&rule.users))
    }
}

fn sampled<T>(mut list: Vec<T>, seed: u64) -> Vec<T> {
    let mut dice = Dice::new(seed);
    while list.len() > PAIRS {
        let at = dice.below(list.len());
        list.swap_remove(at);
    }
    list
}

/// The protocols and ports of a claim that are looked at: what names ports is about those that have some.
fn traffic(asked: &Asked, is_always: bool, claim: &Value) -> Vec<(&'static str, u16)> {
    let ports = claim["ports"].as_str().unwrap_or("*");
    let is_in = |port: &u16| {
        let mut ranges = ports.split(',');
        ports == "*"
            || ranges.any(|range| {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                let [first, last] = [first, last].map(|text| text.parse().expect("a port"));
                (first..=last).contains(port)
            })
    };
    let mut traffic = Vec::new();
    for name in PROTOCOLS {
        let has_ports = ["tcp", "udp", "sctp"].contains(&name);
        let wanted = match claim["proto"].as_str() {
            Some(named) => named == name,
            None if is_always => name == "tcp",
            None => ports == "*" || has_ports,
        };
        if wanted && !has_ports {
            traffic.push((name, 0));
        } else if wanted {
            let ports = asked.ports.iter().filter(|port| is_in(port));
            traffic.extend(ports.map(|port| (name, *port)));
        }
    }
    traffic
}

/// By brute force: a flow that is not as claimed, and one that may not be.
fn by_force(world: &World<'_>, asked: &Asked, verb: &str, claim: &Value) -> [Option<String>; 2] {
    let (mut sure, mut open) = (None, None);
    let traffic = traffic(asked, verb == "always", claim);
    for (from, to) in world.pairs(asked, verb == "only", claim) {
        for &port in &traffic {
            let says =
                |attributes: &Option<Value>| world.says((&from, &to), port, attributes.as_ref());
            let plain = says(&None);
            let most = world.attributes.iter().map(says).max();
            let found = match (verb, plain) {
                ("always", Answer::Denied) | ("never" | "only", Answer::Allowed) => &mut sure,
                ("always", Answer::Unknown) => &mut open,
                ("never" | "only", _) if most > Some(Answer::Denied) => &mut open,
                _ => continue,
            };
            *found = Some(format!(
                "{:?} to {:?} {port:?}",
                from.subject(),
                to.subject()
            ));
        }
    }
    [sure, open]
}

/// The same of logins, by the rules that devices are told.
fn by_doors(world: &World<'_>, verb: &str, claim: &Value) -> [Option<String>; 2] {
    let oracle = &world.oracle;
    let told = world.policy.ssh_rules(world.topology);
    let sources = Named::new(oracle, &claim["from"], true);
    let targets = Named::new(oracle, &claim["to"], false);
    let devices = oracle.tailnet.devices.iter();
    let first = |device: &Device| device.addresses.first().map(|own| End::At(*own));
    let devices: Vec<End> = devices.map_while(first).collect();
    for (from, source) in devices.iter().enumerate() {
        for (to, target) in devices.iter().enumerate() {
            let is_claimed = sources.take_in(oracle, None, source) != (verb == "only");
            if from == to || !is_claimed || !targets.take_in(oracle, Some(source), target) {
                continue;
            }
            for account in accounts(&claim["users"], source.login(oracle)) {
                let is_in = world.lets_in(&told, (from, to), &account);
                if is_in == (verb != "always") {
                    let (from, to) = (source.subject(), target.subject());
                    return [Some(format!("{from:?} to {to:?} as {account}")), None];
                }
            }
        }
    }
    [None, None]
}

/// The accounts of a claim, for one who logs in.
fn accounts(users: &Value, login: Option<&str>) -> Vec<String> {
    let own = login.and_then(|login| login.split_once('@'));
    let mut accounts = Vec::new();
    for user in listed(users) {
        match (user, own) {
            ("autogroup:nonroot", _) => {
                accounts.extend(["deploy", "nobody", "ann"].map(str::to_owned));
                accounts.extend(own.map(|(name, _)| name.to_owned()));
            }
            ("localpart:*@example.com", Some((name, "example.com"))) => {
                accounts.push(name.to_owned());
            }
            ("localpart:*@example.com", _) => {}
            (name, _) => accounts.push(name.to_owned()),
        }
    }
    accounts
}

/// Two policies flow by flow.
fn by_difference([own, base]: &[World<'_>; 2], asked: &Asked, same: bool) -> Option<String> {
    let mut near = ends(&own.oracle, &own.declared, &Value::Null);
    near.extend(addresses(&base.oracle).into_iter().map(End::At));
    let mut pairs = Vec::new();
    for from in &near {
        pairs.extend(near.iter().map(|to| (from, to)));
    }
    for (from, to) in sampled(pairs, asked.seed) {
        for port in traffic(asked, false, &Value::Null) {
            let answers = [own, base].map(|world| world.says((from, to), port, None));
            let differs = match answers {
                [Answer::Allowed, Answer::Denied] => true,
                [Answer::Denied, Answer::Allowed] => same,
                _ => false,
            };
            if differs {
                let (from, to) = (from.subject(), to.subject());
                return Some(format!("{from:?} to {to:?} {port:?}: {answers:?}"));
            }
        }
    }
    None
}

/// Whether `explain` or the ssh rules say what a counterexample does.
fn is_confirmed([own, base]: &[World<'_>; 2], verb: &str, found: &Value) -> bool {
    let subject = |side: &str| Subject::Plain(found[side].as_str().expect("a name").to_owned());
    if let Some(account) = found["user"].as_str() {
        return ["noMoreThan", "sameAs"].contains(&verb) || is_login(own, verb, found, account);
    }
    let port = u16::try_from(found["port"].as_u64().expect("a port")).expect("a port");
    let traffic = (found["protocol"].as_str().expect("a protocol"), port);
    let says = |world: &World<'_>| world.explain((&subject("from"), &subject("to")), traffic, None);
    // Where neither section stands everything is allowed, by no rule.
    let by_no_rule = own.policy.acls.is_none() && own.policy.grants.is_none();
    let has_rule = by_no_rule || !found["rule"].is_null();
    match (verb, says(own), says(base)) {
        ("always", own, _) => own == Answer::Denied && found["rule"].is_null(),
        ("never" | "only", own, _) => own == Answer::Allowed && has_rule,
        (_, Answer::Allowed, base) => base != Answer::Allowed && has_rule,
        (_, own, Answer::Allowed) => own != Answer::Allowed && found["rule"].is_null(),
        _ => false,
    }
}

/// The same of a login, as far as both ends have devices.
fn is_login(world: &World<'_>, verb: &str, found: &Value, account: &str) -> bool {
    let told = world.policy.ssh_rules(world.topology);
    let tailnet = &world.oracle.tailnet;
    let devices = |side: &str| {
        let name = found[side].as_str().expect("a name");
        let addresses = tailnet.addresses(name).unwrap_or_default();
        let owns = |device: &Device| device.addresses.iter().any(|own| addresses.contains(own));
        let devices = 0..tailnet.devices.len();
        let own = devices.filter(|at| owns(&tailnet.devices[*at]));
        own.collect::<Vec<usize>>()
    };
    let (from, to) = (devices("from"), devices("to"));
    let mut pairs = from
        .iter()
        .flat_map(|from| to.iter().map(|to| (*from, *to)));
    let agree = |pair| world.lets_in(&told, pair, account) == (verb != "always");
    from.is_empty() || to.is_empty() || from == to || pairs.any(agree)
}

fn judge_one(worlds: &[World<'_>; 2], other: &str, asked: &Asked) -> Result<(), String> {
    let [world, _] = worlds;
    let assertion = &asked.assertion;
    let guard = Guard::read(&json!([assertion]).to_string(), true).expect("a guard");
    let bases = [("after".to_owned(), other.to_owned())];
    let proof = world.policy.prove(&guard, &bases, world.topology);
    let found = json!(proof.expect("a proof"))["results"][0].take();
    // As a policy that was made small may leave it.
    let why = found["why"].as_str().unwrap_or_default();
    if why.contains("leads nowhere") {
        return Ok(());
    }
    let mut members = assertion.as_object().expect("an object").iter();
    let (verb, said) = members.next().expect("a verb");
    let [sure, open] = match verb.as_str() {
        "noMoreThan" | "sameAs" => [by_difference(worlds, asked, verb == "sameAs"), None],
        _ if said.get("users").is_some() => by_doors(world, verb, said),
        _ => by_force(world, asked, verb, said),
    };
    let says = match (found["holds"].as_bool(), sure, open) {
        (Some(true) | None, Some(flow), _) => format!("is not refuted: {flow}"),
        (Some(true), None, Some(flow)) => format!("is not open: {flow}"),
        (Some(false), ..) if !is_confirmed(worlds, verb, &found["counterexample"]) => {
            "is not confirmed: by anything".to_owned()
        }
        _ => return Ok(()),
    };
    Err(format!("{verb} {says}, {assertion}: {found}"))
}

fn judge(case: &Case, asked: &[Asked]) -> Found {
    let after = case.changed();
    let texts = [&case.text, &after.text].map(|text| hujson::parse(text).expect("HuJSON"));
    let [own, base] = [0, 1].map(|at| Policy::read(&texts[at]));
    let worlds = [World::new(case, &own), World::new(&after, &base)];
    for (at, asked) in asked.iter().enumerate() {
        judge_one(&worlds, &after.text, asked).map_err(|says| Fault::new(at, says))?;
    }
    Ok(asked.len())
}

#[test]
fn an_assertion_holds_exactly_if_every_flow_is_as_it_says() {
    Law {
        name: "prove",
        share: 16,
        draw,
        judge,
    }
    .holds();
}
