//! Laws: nothing changes between a document and itself, a gain is a loss the other way round, edits without meaning report nothing, what
//! is gained is a power of the later document alone, and nothing reported means that nothing differs in any network that the context
//! allows. Must not live here: expectations about one document.

use serde_json::{Map, Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, diff_powers};

use crate::case::{Case, Found, Judged, Law, each};
use crate::random::dice::Dice;
use crate::random::tailnets::{ROUTES, TAGS, USERS};

/// Two documents with the same definitions, and what is known of the network.
struct Pair {
    before: Value,
    after: Value,
    /// The same as `before`, written otherwise.
    neutral: Value,
    /// The context without some of its members.
    known: Value,
    /// Who is in the synced group, which nobody says.
    synced: Vec<&'static str>,
}

const SYNCED: &str = "group:eng@example.com";
const GROUPS: [&str; 4] = ["group:one", "group:two", "group:none", SYNCED];
const CROWDS: [&str; 4] = [
    "autogroup:member",
    "autogroup:auditor",
    "autogroup:it-admin",
    "user:*@example.com",
];

fn holder(dice: &mut Dice) -> Value {
    json!(match dice.below(6) {
        0..=2 => *dice.pick(&USERS),
        3 => *dice.pick(&GROUPS),
        4 => *dice.pick(&CROWDS),
        _ => *dice.pick(&TAGS),
    })
}

fn holders(dice: &mut Dice) -> Vec<Value> {
    (0..dice.between(0, 3)).map(|_| holder(dice)).collect()
}

/// Holders, addresses and everybody.
fn target(dice: &mut Dice) -> Value {
    match dice.below(8) {
        0 => json!("*"),
        1 => json!(*dice.pick(&["box", "net", "wide"])),
        2 => json!(format!("100.64.0.{}", dice.between(1, 5))),
        3 => json!("autogroup:tagged"),
        _ => holder(dice),
    }
}

fn targets(dice: &mut Dice) -> Vec<Value> {
    (0..dice.between(1, 3)).map(|_| target(dice)).collect()
}

fn app(dice: &mut Dice) -> Value {
    let values: Vec<Value> = (0..dice.below(3)).map(|_| json!(dice.below(3))).collect();
    json!({*dice.pick(&["example.com/cap/one", "example.com/cap/two"]): values})
}

/// The section of a name at random.
fn section(dice: &mut Dice, name: &str) -> Value {
    let some = |dice: &mut Dice, one: fn(&mut Dice) -> Value| -> Vec<Value> {
        (0..dice.below(3)).map(|_| one(dice)).collect()
    };
    match name {
        "tagOwners" => {
            let owned = TAGS.map(|tag| (tag.to_owned(), json!(holders(dice))));
            Value::Object(owned.into_iter().collect())
        }
        "autoApprovers" => {
            let mut routes = Map::new();
            for _ in 0..dice.below(4) {
                routes.insert((*dice.pick(&ROUTES)).to_owned(), json!(holders(dice)));
            }
            json!({"routes": routes, "exitNode": holders(dice), "services": {"svc:db": holders(dice)}})
        }
        "nodeAttrs" => json!(some(dice, |dice| match dice.one_in(3) {
            true => json!({"target": targets(dice), "app": app(dice)}),
            false =>
                json!({"target": targets(dice), "attr": dice.some(&["funnel", "drive:share"], 1, 2)}),
        })),
        _ => json!(some(
            dice,
            |dice| json!({"src": targets(dice), "dst": targets(dice), "app": app(dice)})
        )),
    }
}

const SECTIONS: [&str; 4] = ["tagOwners", "autoApprovers", "nodeAttrs", "grants"];

fn draw(case: &Case, dice: &mut Dice) -> Vec<Pair> {
    (0..8).map(|_| pair(case, dice)).collect()
}

fn pair(case: &Case, dice: &mut Dice) -> Pair {
    let mut before = json!({"acls": []});
    for name in ["groups", "Groups", "hosts", "Hosts"] {
        if let Some(defined) = case.policy().get(name) {
            before[name.to_lowercase()] = defined.clone();
        }
    }
    for name in SECTIONS {
        before[name] = section(dice, name);
    }
    let mut after = before.clone();
    for name in SECTIONS {
        if dice.one_in(3) {
            after[name] = section(dice, name);
        }
    }
    let mut known = case.tailnet().clone();
    for name in ["devices", "users"] {
        if dice.one_in(3) {
            known.as_object_mut().expect("a context").remove(name);
        }
    }
    Pair {
        neutral: rewritten(&before),
        before,
        after,
        known,
        synced: dice.some(&USERS, 0, 3),
    }
}

/// The same policy without its groups and aliases, with its lists turned around and its entries split.
fn rewritten(policy: &Value) -> Value {
    let mut other = policy.clone();
    let plain = |list: &Value| {
        let mut names = Vec::new();
        for name in list.as_array().into_iter().flatten() {
            let text = name.as_str().expect("a name");
            match (&policy["groups"][text], &policy["hosts"][text]) {
                (Value::Array(members), _) => names.extend(members.clone()),
                (_, Value::String(address)) => names.push(json!(address)),
                _ => names.push(name.clone()),
            }
        }
        names.reverse();
        names
    };
    for owners in other["tagOwners"]
        .as_object_mut()
        .expect("owners")
        .values_mut()
    {
        *owners = json!(plain(owners));
    }
    let approvers = other["autoApprovers"].as_object_mut().expect("approvers");
    for (name, value) in approvers {
        match value {
            Value::Object(lists) => lists
                .values_mut()
                .for_each(|list| *list = json!(plain(list))),
            _ => *value = json!(plain(&value.clone())),
        }
        let _ = name;
    }
    let mut split = |section: &str, key: &str| {
        let mut entries = Vec::new();
        for entry in policy[section].as_array().into_iter().flatten().rev() {
            for name in plain(&entry[key]) {
                let mut one = entry.clone();
                one[key] = json!([name]);
                if section == "grants" {
                    one["dst"] = json!(plain(&entry["dst"]));
                }
                entries.push(one);
            }
        }
        other[section] = json!(entries);
    };
    split("nodeAttrs", "target");
    split("grants", "src");
    other.as_object_mut().expect("a policy").remove("groups");
    other.as_object_mut().expect("a policy").remove("hosts");
    other
}

fn with<T>(policy: &Value, ask: impl FnOnce(&Policy<'_>) -> T) -> T {
    let text = policy.to_string();
    let document = hujson::parse(&text).expect("HuJSON");
    ask(&Policy::read(&document))
}

fn context(value: &Value) -> PolicyContext {
    PolicyContext::read(&value.to_string()).expect("a context")
}

fn changes(before: &Value, after: &Value, known: &Value) -> Value {
    let context = context(known);
    with(before, |before| {
        with(after, |after| {
            json!(diff_powers(before, after, [&context, &context]))
        })
    })
}

fn powers(policy: &Value, known: &Value) -> Vec<Value> {
    let context = context(known);
    let powers = with(policy, |policy| json!(policy.powers(&context)));
    powers.as_array().expect("a list").clone()
}

/// The entries of some lists of all changes, without the remarks about the other document.
fn entries(changes: &Value, lists: &[&str]) -> Vec<Value> {
    let mut all = Vec::new();
    for change in changes.as_array().into_iter().flatten() {
        for list in lists {
            all.extend(change[list].as_array().into_iter().flatten().cloned());
        }
    }
    for entry in &mut all {
        entry.as_object_mut().expect("an entry").remove("why");
    }
    all.sort_by_key(Value::to_string);
    all
}

/// What may be gained one way may be lost the other way.
fn turn(entry: &mut Value) {
    let turned = match entry["may"].as_str() {
        Some("gained") => "lost",
        Some("lost") => "gained",
        _ => return,
    };
    entry["may"] = json!(turned);
}

fn judge_reverse(_: &Case, pairs: &[Pair]) -> Found {
    each(pairs, |pair| {
        let there = changes(&pair.before, &pair.after, &pair.known);
        let back = changes(&pair.after, &pair.before, &pair.known);
        for (one, other) in [
            ("gained", "lost"),
            ("lost", "gained"),
            ("undecided", "undecided"),
        ] {
            let (one, mut other) = (entries(&there, &[one]), entries(&back, &[other]));
            other.iter_mut().for_each(turn);
            other.sort_by_key(Value::to_string);
            if one != other {
                return Some(Err(format!("not the same back: {one:?} and {other:?}")));
            }
        }
        Some(Ok(()))
    })
}

#[test]
fn gained_powers_are_lost_the_other_way_round() {
    Law {
        name: "diff_powers reversed",
        share: 10,
        draw,
        judge: judge_reverse,
    }
    .holds();
}

fn judge_neutral(_: &Case, pairs: &[Pair]) -> Found {
    each(pairs, |pair| {
        for (one, other) in [
            (&pair.before, &pair.before),
            (&pair.before, &pair.neutral),
            (&pair.neutral, &pair.before),
        ] {
            let found = changes(one, other, &pair.known);
            if found != json!([]) {
                return Some(Err(format!(
                    "an edit without meaning: {found} in {one} and {other}"
                )));
            }
        }
        Some(Ok(()))
    })
}

#[test]
fn edits_without_meaning_change_no_powers() {
    Law {
        name: "diff_powers of neutral edits",
        share: 10,
        draw,
        judge: judge_neutral,
    }
    .holds();
}

/// Who, what, and whether it takes another tag first; one that a tag owns is no step of its own.
fn about(entry: &Value) -> String {
    let mut steps = entry["through"].as_array().into_iter().flatten();
    let is_direct = steps.all(|tag| *tag == entry["who"]);
    json!([
        entry["who"],
        entry["kind"],
        entry["what"],
        is_direct,
        entry["value"]
    ])
    .to_string()
}

/// What an entry is about, whoever has it.
fn of_anybody(entry: &Value) -> String {
    let mut anybody = entry.clone();
    anybody["who"] = Value::Null;
    about(&anybody)
}

/// Whether an entry is about a name that may mean several users.
fn is_of_several(entry: &&Value) -> bool {
    let name = entry["who"].as_str().unwrap_or_default();
    name.starts_with("autogroup:") || name.starts_with("user:*@")
}

/// Gains are told as they stand in the later document, where the earlier has none of them; addresses and routes may be told in part, and
/// so may users of a name of several.
fn judge_rows(_: &Case, pairs: &[Pair]) -> Found {
    each(pairs, |pair| {
        let is_whole = |entry: &&Value| {
            let kinds = [
                json!("tag"),
                json!("exit-node"),
                json!("service"),
                json!("attribute"),
            ];
            let parts = [
                json!("address"),
                json!("prefix"),
                json!("range"),
                json!("host"),
            ];
            kinds.contains(&entry["kind"]) && !parts.contains(&entry["party"]["kind"])
        };
        let [before, after] = [&pair.before, &pair.after].map(|policy| powers(policy, &pair.known));
        let list = |all: &[Value]| all.iter().filter(is_whole).map(about).collect::<Vec<_>>();
        let several: Vec<String> = after.iter().filter(is_of_several).map(of_anybody).collect();
        let [before, after] = [list(&before), list(&after)];
        let found = changes(&pair.before, &pair.after, &pair.known);
        for gained in entries(&found, &["gained"]).iter().filter(is_whole) {
            let entry = about(gained);
            let is_user = gained["party"]["kind"] == "user";
            let is_one_of = is_user && several.contains(&of_anybody(gained));
            if !(after.contains(&entry) || is_one_of) || before.contains(&entry) {
                return Some(Err(format!(
                    "not a gain: {entry} in {} and {} with {}",
                    pair.before, pair.after, pair.known
                )));
            }
        }
        Some(Ok(()))
    })
}

#[test]
fn gained_powers_are_those_of_the_later_document_alone() {
    Law {
        name: "diff_powers and powers",
        share: 10,
        draw,
        judge: judge_rows,
    }
    .holds();
}

/// Whether a user is an admin in the whole network, who may take every tag; the owner is one.
fn is_admin(case: &Case, login: &str) -> bool {
    let users = case.tailnet()["users"].as_array().expect("users");
    users.iter().any(|user| {
        user["loginName"] == login && ["admin", "owner"].iter().any(|role| user["role"] == *role)
    })
}

/// What is so in the whole network: who owns which tag, by the words of docs/policy-language.md#tags.
fn owns((policy, synced): (&Value, &[&str]), case: &Case, login: &str, tag: &str) -> bool {
    let role = |wanted: &str| {
        let users = case.tailnet()["users"].as_array().expect("users");
        users
            .iter()
            .any(|user| user["loginName"] == login && user["role"] == wanted)
    };
    let owners = policy["tagOwners"][tag].as_array().expect("owners");
    owners.iter().any(|owner| {
        let owner = owner.as_str().expect("a name");
        owner == login
            || owner == "autogroup:member"
            || owner == SYNCED && synced.contains(&login)
            || owner == "user:*@example.com" && login.ends_with("@example.com")
            || owner.strip_prefix("autogroup:").is_some_and(&role)
            || policy["groups"][owner]
                .as_array()
                .is_some_and(|members| members.contains(&json!(login)))
    })
}

/// Whether some changes tell of a user's power over a tag.
fn told(found: &Value, lists: &[&str], login: &str, tag: &str) -> bool {
    entries(found, lists).iter().any(|entry| {
        let is_meant = match entry["party"]["kind"].as_str() {
            Some("user") => entry["who"] == login,
            Some("tag") => false,
            _ => true,
        };
        is_meant && entry["what"] == tag && entry["through"].is_null()
    })
}

fn judge_silence(case: &Case, pairs: &[Pair]) -> Found {
    each(pairs, |pair| {
        let found = changes(&pair.before, &pair.after, &pair.known);
        let others = USERS.into_iter().filter(|login| !is_admin(case, login));
        for login in others {
            for tag in TAGS {
                let [before, after] = [&pair.before, &pair.after]
                    .map(|policy| owns((policy, &pair.synced), case, login, tag));
                let lists: &[&str] = match (before, after) {
                    (false, true) => &["gained", "undecided"],
                    (true, false) => &["lost", "undecided"],
                    _ => continue,
                };
                if !told(&found, lists, login, tag) {
                    return Some(Err(format!("not told: {login} and {tag} in {found}")));
                }
            }
        }
        alarms(case, pair, &found).or_else(|| verbs(case, pair, &found))
    })
}

/// What is gained by a user for certain is gained in the whole network.
fn alarms(case: &Case, pair: &Pair, found: &Value) -> Judged {
    for (list, sides) in [
        ("gained", [&pair.before, &pair.after]),
        ("lost", [&pair.after, &pair.before]),
    ] {
        for entry in entries(found, &[list]) {
            let (who, what) = (entry["who"].as_str()?, entry["what"].as_str()?);
            if entry["kind"] == "tag"
                && entry["party"]["kind"] == "user"
                && entry["through"].is_null()
            {
                let [without, with] =
                    sides.map(|policy| owns((policy, &pair.synced), case, who, what));
                if without || !with {
                    return Some(Err(format!("{list} for no reason: {entry}")));
                }
            }
        }
    }
    None
}

/// Where nothing is told of attributes, approvals or capabilities, the verbs about devices answer alike in the whole network.
fn verbs(case: &Case, pair: &Pair, found: &Value) -> Judged {
    let all = entries(found, &["gained", "lost", "undecided"]);
    let is_told = |kinds: &[&str]| {
        let mut kinds = kinds.iter();
        kinds.any(|kind| all.iter().any(|entry| entry["kind"] == *kind))
    };
    let context = context(case.tailnet());
    let same = |what: &str, ask: &dyn Fn(&Policy<'_>) -> Value| {
        let [before, after] = [&pair.before, &pair.after].map(|policy| with(policy, ask));
        match before == after {
            true => None,
            false => Some(Err(format!("{what} not told: {before} and {after}"))),
        }
    };
    let attributes = |policy: &Policy<'_>| {
        let given = policy.node_attributes(&context);
        let mut lists: Vec<Vec<String>> = given.into_iter().map(|given| given.attrs).collect();
        lists.iter_mut().for_each(|list| list.sort());
        json!(lists)
    };
    let broken = (!is_told(&["attribute"])).then(|| same("attributes", &attributes));
    let approvals = |policy: &Policy<'_>| json!(policy.approved_routes(&context));
    let approved = (!is_told(&["route", "exit-node"])).then(|| same("approvals", &approvals));
    let filters = |policy: &Policy<'_>| capabilities(policy, &context);
    let capable = (!is_told(&["capability"])).then(|| same("capabilities", &filters));
    let mut faults = [broken, approved, capable].into_iter().flatten().flatten();
    faults.next().or(Some(Ok(())))
}

/// Which device has which value of which capability at which, by address, as the filters say; and by `nodeAttrs`.
fn capabilities(policy: &Policy<'_>, context: &PolicyContext) -> Value {
    let devices = || context.devices.iter().flatten();
    let mut held = Vec::new();
    for (filter, device) in policy.filters(context).iter().zip(devices()) {
        for rule in filter {
            let Some((name, values)) = rule.app.as_deref() else {
                continue;
            };
            let values: Value = serde_json::from_str(values.as_str()).expect("JSON");
            for from in devices().flat_map(|device| &device.addresses) {
                if !rule.src.iter().any(|net| net.contains(*from)) {
                    continue;
                }
                for to in device.addresses.iter() {
                    if rule.dst.iter().any(|target| target.net.contains(*to)) {
                        let at = format!("{from} {to} {name}");
                        held.push(at.clone());
                        let values = values.as_array().into_iter().flatten();
                        held.extend(values.map(|value| format!("{at} {value}")));
                    }
                }
            }
        }
    }
    for (given, device) in policy.node_attributes(context).into_iter().zip(devices()) {
        for (name, values) in given.app {
            held.push(format!("{} {name}", device.id));
            held.extend(
                values
                    .iter()
                    .map(|value| format!("{} {name} {}", device.id, value.as_str())),
            );
        }
    }
    held.sort_unstable();
    held.dedup();
    json!(held)
}

#[test]
fn what_is_not_told_does_not_differ_in_any_network() {
    Law {
        name: "diff_powers silence",
        share: 10,
        draw,
        judge: judge_silence,
    }
    .holds();
}
