//! Laws of policies in Headscale's dialect: if nothing is reported between two documents, every packet and every login passes as before;
//! what is gained one way is lost the other way; of edits without meaning nothing is reported; and whatever tells who reaches whom says
//! what the filters and rules of the devices do. Must not live here: what the dialect means (tests/recorded, tests/policy/headscale.rs).

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    By, Device, DeviceIndex, Flow, Policy, PolicyContext, diff_access, diff_powers, diff_ssh,
    rename,
};

use crate::case::{Case, Fault, Found, Law};
use crate::oracle::Packet;
use crate::oracle::compare::read_filter;
use crate::oracle::span::Span;
use crate::random::dice::Dice;
use crate::random::tailnets;
use crate::silence::{ACCOUNTS, action, edit, judge};

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

/// The policy with its approvers, attributes and capabilities, which the rules alone have not.
fn of_powers(seed: u64) -> Case {
    let case = of_headscale(seed);
    let mut dice = Dice::new(seed);
    let mut policy = case.policy().clone();
    let owners = |dice: &mut Dice| {
        let all = [
            "ann@",
            "bob@example.com",
            "group:one",
            "group:two",
            "tag:a",
            "zoe@",
        ];
        json!(dice.some(&all, 1, 2))
    };
    policy["tagOwners"] = json!({"tag:a": owners(&mut dice), "tag:b": owners(&mut dice), "tag:c": ["tag:b"], "tag:d": []});
    policy["groups"]["group:two"] = json!(dice.some(&["cyd@", "dee@", "zoe@"], 1, 2));
    policy["autoApprovers"] = json!({"routes": {"10.0.0.0/8": owners(&mut dice), "10.1.2.3/16": owners(&mut dice)}, "exitNode": owners(&mut dice)});
    policy["nodeAttrs"] = json!([{"target": names(&mut dice), "attr": ["a", "b"]}, {"target": ["tag:a"], "attr": ["b"]}]);
    let app = json!({"example.com/x": [1], "tailscale.com/cap/drive": [{}]});
    policy["grants"] = json!([{"src": names(&mut dice), "dst": names(&mut dice), "app": app}]);
    let document = json!({"policy": policy, "after": policy, "context": case.tailnet()});
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

/// The policy with one entry of one list of powers taken away, or in the place of another.
fn edit_powers(case: &Case, dice: &mut Dice) -> Vec<String> {
    if case.refusal().is_some() {
        return Vec::new();
    }
    let mut policy = case.policy().clone();
    let places = [
        "/tagOwners/tag:a",
        "/tagOwners/tag:b",
        "/tagOwners/tag:c",
        "/groups/group:two",
        "/autoApprovers/routes/10.0.0.0~18",
        "/autoApprovers/routes/10.1.2.3~116",
        "/autoApprovers/exitNode",
        "/nodeAttrs/0/target",
        "/nodeAttrs/0/attr",
        "/grants/0/src",
        "/grants/0/dst",
    ];
    let (place, other) = (*dice.pick(&places), *dice.pick(&places));
    let others = policy.pointer(other).cloned().unwrap_or_default();
    let list = policy
        .pointer_mut(place)
        .and_then(Value::as_array_mut)
        .expect("a list");
    if list.is_empty() {
        return Vec::new();
    }
    let at = dice.below(list.len());
    match others.as_array().filter(|others| !others.is_empty()) {
        Some(others) if dice.one_in(2) => list[at] = dice.pick(others).clone(),
        _ => drop(list.remove(at)),
    }
    vec![policy.to_string()]
}

/// What a policy hands out to devices, but for what the rules open.
fn handed(policy: &Policy<'_>, context: &PolicyContext) -> Vec<Value> {
    let filters = json!(policy.filters(context));
    let mut capable = Vec::new();
    for (at, filter) in filters.as_array().expect("filters").iter().enumerate() {
        for rule in filter.as_array().expect("rules") {
            let from = rule["src"].as_array().expect("sources").iter();
            let from = from.map(|net| Span::read(net.as_str().expect("a text")).expect("a net"));
            let from: Vec<Span> = from.collect();
            for (app, values) in rule["app"].as_object().into_iter().flatten() {
                let to = rule["dst"].as_array().expect("destinations");
                for to in to.iter().map(|to| &to["net"]) {
                    capable.extend(
                        senders(context, &from)
                            .map(|id| json!([at, app, values, to, id]).to_string()),
                    );
                }
            }
        }
    }
    capable.sort_unstable();
    capable.dedup();
    let approvals = policy.approved_routes(context).into_iter();
    let approved: Vec<_> = approvals.map(|own| json!(own.approved)).collect();
    let attributes = policy.node_attributes(context).into_iter();
    let attributes: Vec<_> = attributes.map(|own| json!(own.attrs)).collect();
    vec![json!(capable), json!(approved), json!(attributes)]
}

/// The devices of which an address is in a set.
fn senders<'c>(context: &'c PolicyContext, set: &'c [Span]) -> impl Iterator<Item = &'c str> {
    let has = |own: &IpAddr| {
        set.iter()
            .any(|span| span.first <= *own && *own <= span.last)
    };
    let devices = context.devices.iter().flatten();
    let senders = devices.filter(move |device| {
        let mut own = device.addresses.iter();
        own.any(|own| has(&own.to_string().parse().expect("an address")))
    });
    senders.map(|device| device.id.as_str())
}

/// Asks about an edit of a document with the network of the case and with none, unless the edited one has no answers; and in how many cases.
fn each_known(
    case: &Case,
    after: &str,
    ask: &mut dyn FnMut([&Policy<'_>; 2], &PolicyContext) -> Found,
) -> Found {
    let (context, dialect) = (&case.context, case.context.dialect.unwrap_or_default());
    let documents = [case.text.as_str(), after].map(|text| hujson::parse(text).expect("HuJSON"));
    let [old, new] = documents.each_ref().map(|it| Policy::read_as(it, dialect));
    if new.accept(context).is_err() {
        return Ok(0);
    }
    let nothing = PolicyContext {
        dialect: context.dialect,
        ..PolicyContext::default()
    };
    Ok(ask([&old, &new], context)? + ask([&old, &new], &nothing)?)
}

/// By what is known a difference is told, or is not.
fn by(known: &PolicyContext) -> &'static str {
    match known.devices {
        Some(_) => "devices",
        None => "text",
    }
}

fn judge_powers(case: &Case, edits: &[String]) -> Found {
    let mut asked = 0;
    for after in edits {
        asked += each_known(case, after, &mut |policies, known| {
            let [old, new] = policies;
            let [before, now] = policies.map(|policy| handed(policy, &case.context));
            if diff_powers(old, new, [known, known]).is_empty() && before != now {
                let differs = before.iter().zip(&now).find(|(before, now)| before != now);
                let text = format!(
                    "{}: nothing is reported, but {differs:?}: {after}",
                    by(known)
                );
                return Err(Fault::new(0, text));
            }
            Ok(1)
        })?;
    }
    Ok(asked)
}

#[test]
fn where_no_power_is_reported_in_the_dialect_none_differs() {
    Law {
        name: "headscale powers",
        share: 4,
        draw: edit_powers,
        judge: judge_powers,
    }
    .holds_for(of_powers);
}

/// Edits without meaning; those by a name that only the context knows are judged with it alone.
fn neutral(case: &Case, dice: &mut Dice) -> Vec<(bool, String)> {
    if case.refusal().is_some() {
        return Vec::new();
    }
    let policy = case.policy();
    let text = policy.to_string();
    let mut edits = Vec::new();
    let mut reordered = policy.clone();
    let mut split = policy.clone();
    for section in ["acls", "grants"] {
        let rules = reordered[section].as_array_mut().into_iter().flatten();
        for list in rules.flat_map(|rule| rule.as_object_mut().expect("a rule").values_mut()) {
            list.as_array_mut()
                .into_iter()
                .for_each(|list| list.reverse());
        }
        let rules = policy[section].as_array().cloned().unwrap_or_default();
        let mut parts = Vec::new();
        for rule in &rules {
            for from in rule["src"].as_array().expect("sources") {
                let mut part = rule.clone();
                part["src"] = json!([from]);
                parts.push(part);
            }
        }
        if policy[section].is_array() {
            parts.extend(rules.first().cloned());
            split[section] = json!(parts);
        }
    }
    edits.extend([(false, reordered.to_string()), (false, split.to_string())]);
    let renamed = |from: &str, to: &str| {
        let context = (text.as_str(), case.context.dialect.unwrap_or_default());
        rename(context, from, to).expect("a name")
    };
    let names = [
        ("group:one", "group:uno"),
        ("net", "netz"),
        ("box", "kiste"),
    ];
    let (from, to) = *dice.pick(&names);
    edits.push((false, renamed(from, to)));
    // Of a tag that no device has.
    edits.push((true, renamed("tag:d", "tag:delta")));
    edits.push((
        true,
        text.replace("\"bob@example.com", "\"bob@")
            .replace("\"ann@", "\"ann@example.com"),
    ));
    edits.push((
        false,
        text.replace("10.0.0.0/8", "10.9.9.9/8")
            .replace("\"net\":\"10.1.0.0/16\"", "\"net\":\"10.1.2.3/16\""),
    ));
    let inlined = text.replace("\"group:one\"", "\"ann@\",\"bob@example.com\"");
    let defined = "\"ann@\",\"bob@example.com\":[";
    edits.push((false, inlined.replace(defined, "\"group:one\":[")));
    edits
}

fn judge_neutral(case: &Case, edits: &[(bool, String)]) -> Found {
    let mut asked = 0;
    for (by_context, after) in edits {
        asked += each_known(case, after, &mut |[old, new], known| {
            if *by_context && known.devices.is_none() {
                return Ok(0);
            }
            let changes = [
                json!(diff_access(old, new, known)),
                json!(diff_ssh(old, new, known)),
                json!(diff_powers(old, new, [known, known])),
            ];
            match changes.iter().any(|changes| *changes != json!([])) {
                true => Err(Fault::new(
                    0,
                    format!("{}: {}: {after}", by(known), json!(changes)),
                )),
                false => Ok(1),
            }
        })?;
    }
    Ok(asked)
}

#[test]
fn of_an_edit_without_meaning_nothing_is_reported_in_the_dialect() {
    Law {
        name: "headscale neutral",
        share: 4,
        draw: neutral,
        judge: judge_neutral,
    }
    .holds_for(of_headscale);
}

/// The accounts that rules name, with those that are somebody's own.
fn accounts() -> impl Iterator<Item = &'static str> {
    ACCOUNTS.into_iter().chain(["cyd", "dee"])
}

/// Pairs of devices, with a protocol, a port and an account.
type Asked = (usize, usize, &'static str, u16, &'static str);

fn pairs(case: &Case, dice: &mut Dice) -> Vec<Asked> {
    let count = case.tailnet()["devices"].as_array().map_or(0, Vec::len);
    if case.refusal().is_some() || count < 2 {
        return Vec::new();
    }
    let mut asked = Vec::new();
    for _ in 0..12 {
        let (from, to) = (dice.below(count), dice.below(count));
        let protocol = *dice.pick(&["tcp", "udp", "sctp"]);
        let port = *dice.pick(&[22, 53, 80, 443, 1023, 8080]);
        if from != to {
            asked.push((
                from,
                to,
                protocol,
                port,
                *dice.pick(&accounts().collect::<Vec<_>>()),
            ));
        }
    }
    asked
}

/// Whether the matrix has a cell for two devices.
fn has_cell(matrix: &Value, [from, to]: [&str; 2]) -> bool {
    let is = |side: &str, cell: &Value, id: &str| {
        let at = usize::try_from(cell[side].as_u64().expect("an index")).expect("small");
        let party = &matrix["parties"][format!("{side}s")][at];
        party["id"].as_str().or(party["name"].as_str()) == Some(id)
    };
    let mut cells = matrix["cells"].as_array().expect("cells").iter();
    cells.any(|cell| is("source", cell, from) && is("destination", cell, to))
}

fn judge_truth(case: &Case, asked: &[Asked]) -> Found {
    let (context, dialect) = (&case.context, case.context.dialect.unwrap_or_default());
    let document = hujson::parse(&case.text).expect("HuJSON");
    let policy = Policy::read_as(&document, dialect);
    let filters = json!(policy.filters(context));
    let rules = policy.ssh_rules(context);
    let (Ok(access), Ok(logins)) = (
        policy.access(context, By::Device),
        policy.logins(context, By::Device),
    ) else {
        return Ok(0);
    };
    let (access, logins) = (json!(access), json!(logins));
    let devices = context.devices.as_deref().unwrap_or_default();
    for (at, &(from, to, protocol, port, account)) in asked.iter().enumerate() {
        let fault = |says: String| Err(Fault::new(at, says));
        let (Some(sender), Some(receiver)) = (devices.get(from), devices.get(to)) else {
            continue;
        };
        let filter = read_filter(&filters[to]);
        let mut has_any = false;
        for from in &sender.addresses {
            for to in receiver
                .addresses
                .iter()
                .filter(|to| to.version() == from.version())
            {
                let number = match protocol {
                    "tcp" => 6,
                    "udp" => 17,
                    _ => 132,
                };
                let packet = Packet {
                    from: from.to_string().parse().expect("an address"),
                    to: to.to_string().parse().expect("an address"),
                    port,
                    protocol: number,
                };
                let is_let_in = filter.iter().any(|rule| rule.admits(packet));
                has_any |= is_let_in;
                let host = match packet.to.is_ipv4() {
                    true => format!("{to}:{port}"),
                    false => format!("[{to}]:{port}"),
                };
                let flow = Flow::new(
                    &from.to_string().parse().expect("a source"),
                    &host,
                    Some(protocol),
                );
                let told = policy
                    .explain(&flow.expect("a flow"), context)
                    .expect("an answer");
                if json!(told)["verdict"] != json!(if is_let_in { "allowed" } else { "denied" }) {
                    return fault(format!(
                        "explain: {packet:?}: let in {is_let_in}, {}",
                        json!(told)
                    ));
                }
            }
        }
        let pair = [sender.id.as_str(), receiver.id.as_str()];
        if has_any && !has_cell(&access, pair) {
            return fault(format!("access: no cell for {pair:?}, {protocol}/{port}"));
        }
        // A login of a device without an address is told of what the rules say, and there is no rule for it.
        if sender.addresses.is_empty() || receiver.addresses.is_empty() {
            continue;
        }
        let own = json!(rules.of(DeviceIndex(to)).collect::<Vec<_>>());
        let first = sender
            .addresses
            .first()
            .map(ToString::to_string)
            .unwrap_or_default();
        let done = action(&own, &first, account);
        if done.is_some() && !has_cell(&logins, pair) {
            return fault(format!("logins: no cell for {pair:?} as {account}"));
        }
        if done.is_none()
            && has_cell(&logins, pair)
            && accounts().all(|account| action(&own, &first, account).is_none())
        {
            return fault(format!("logins: a cell for {pair:?}, and no rule"));
        }
    }
    Ok(asked.len())
}

#[test]
fn what_is_told_of_two_devices_is_what_their_filters_and_rules_do() {
    Law {
        name: "headscale truth",
        share: 4,
        draw: pairs,
        judge: judge_truth,
    }
    .holds_for(of_headscale);
}

/// What each test of logins between addresses says, beside what the rules of the receiving device do.
fn judge_ssh_tests(case: &Case, asked: &[Asked]) -> Found {
    let (context, dialect) = (&case.context, case.context.dialect.unwrap_or_default());
    let devices = context.devices.as_deref().unwrap_or_default();
    let holders = |address| {
        let has = move |(_, device): &(usize, &Device)| device.addresses.contains(address);
        devices.iter().enumerate().filter(has)
    };
    let mut pairs = Vec::new();
    for &(from, to, _, _, account) in asked {
        // A rule for own names leads a device to itself, too.
        for ends in [[from, to], [from, from]] {
            let ends = ends.map(|at| devices.get(at).and_then(|it| it.addresses.first()));
            if let [Some(from), Some(to)] = ends {
                pairs.push((from.to_string(), to, account));
            }
        }
    }
    let mut policy = case.policy().clone();
    let tests = pairs.iter().flat_map(|(from, to, account)| {
        let demands = ["accept", "check", "deny"];
        demands.map(|demand| json!({"src": from, "dst": [to.to_string()], demand: [account]}))
    });
    policy["sshTests"] = tests.collect();
    let text = policy.to_string();
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read_as(&document, dialect);
    let rules = policy.ssh_rules(context);
    let report = policy.run_tests(context);
    for (at, (from, to, account)) in pairs.iter().enumerate() {
        let done: Vec<_> = holders(to)
            .map(|(at, _)| {
                let own = json!(rules.of(DeviceIndex(at)).collect::<Vec<_>>());
                action(&own, from, account)
            })
            .collect();
        let expected = [
            done.iter().all(Option::is_some),
            done.iter().all(|done| done.as_deref() == Some("check")),
            done.iter().all(Option::is_none),
        ];
        let found = report.results.iter().skip(at * 3).take(3);
        let found: Vec<_> = found.map(|result| result.passed).collect();
        if found != expected.map(Some) {
            let text = format!("{from} as {account} to {to}: {found:?}, and {done:?}");
            return Err(Fault::new(at / 2, text));
        }
    }
    Ok(pairs.len())
}

#[test]
fn a_test_of_a_login_says_what_the_rules_of_the_receiving_device_do() {
    Law {
        name: "headscale ssh tests",
        share: 4,
        draw: pairs,
        judge: judge_ssh_tests,
    }
    .holds_for(of_headscale);
}
