//! Compares with the answers that Headscale recorded for policies in its dialect, kind by kind, and counts what agrees.
//! Must not live here: recordings of the service itself (tests/recorded/verdicts.rs, tests/recorded/network.rs).

mod access;
mod checks;
mod network;
mod routes;
mod verdicts;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Check, Device, Policy, PolicyContext, check};

/// The files of recordings, and how many cases each has.
const FILES: [(&str, usize); 2] = [("dev-tables", 667), ("dev-random", 140)];

/// A recorded case with its network.
struct Case {
    case: Value,
    network: Value,
}

fn cases() -> Vec<Case> {
    let folder = env::var_os("TAILNET_KIT_BESIDE").map(PathBuf::from).expect(
        "these tests compare with recordings: `cargo xtask test recorded --beside FOLDER` says where they are",
    );
    let mut all = Vec::new();
    for (name, count) in FILES {
        let path = folder.join("headscale-corpus").join(format!("{name}.json"));
        let text = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("not complete: {}: {error}", path.display()));
        let mut file: Value = serde_json::from_str(&text).expect("a file of recordings is JSON");
        let cases = file["cases"].take();
        let cases = cases.as_array().expect("cases");
        assert_eq!(cases.len(), count, "recordings of {name}");
        for case in cases {
            let network = case["network"].as_str().expect("a network");
            all.push(Case {
                case: case.clone(),
                network: file["networks"][network].clone(),
            });
        }
    }
    all
}

impl Case {
    fn text(&self, name: &str) -> Option<&str> {
        self.case[name].as_str()
    }

    fn id(&self) -> &str {
        self.text("id").expect("an id")
    }

    fn policy(&self) -> &str {
        self.text("policy").expect("a policy")
    }

    /// Whether Headscale gave no answer: then no answer of ours is compared.
    fn was_endless(&self) -> bool {
        self.text("verdict") == Some("not evaluated")
    }

    /// The network in the form of the public API.
    fn context(&self) -> PolicyContext {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let id = |value: &Value| value.as_u64().map(|id| id.to_string());
        let user = |user: &Value| json!({"loginName": user["name"], "id": id(&user["id"]), "email": user["email"], "providerId": user["providerId"]});
        let device = |node: &Value| {
            let addresses: Vec<&Value> = [&node["ipv4"], &node["ipv6"]]
                .into_iter()
                .filter(|address| address.is_string())
                .collect();
            json!({
                "id": id(&node["id"]), "hostname": node["name"], "user": id(&node["user"]), "tags": list(&node["tags"]),
                "addresses": addresses, "advertisedRoutes": list(&node["routes"]), "enabledRoutes": list(&node["approved"]),
            })
        };
        let context = json!({
            "dialect": "headscale",
            "users": list(&self.network["users"]).iter().map(user).collect::<Vec<_>>(),
            "devices": list(&self.network["nodes"]).iter().map(device).collect::<Vec<_>>(),
        });
        serde_json::from_value(context).expect("a context")
    }

    /// The nodes with who made each, by the names of the powers: a context does not tell it of a node with tags.
    fn makers(&self) -> Vec<(Device, Option<String>)> {
        let mut untagged = Case {
            case: self.case.clone(),
            network: self.network.clone(),
        };
        for node in untagged.network["nodes"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            node["tags"] = Value::Null;
        }
        let devices = self.context().devices.unwrap_or_default().into_iter();
        let untagged = untagged.context().devices.unwrap_or_default();
        let maker = |device: &Device| device.user().map(str::to_owned);
        devices.zip(untagged.iter().map(maker)).collect()
    }

    /// Whether a message is one of those that Headscale gave, or says the same faults in another order.
    fn said(&self, message: &str) -> bool {
        let sorted = |message: &str| {
            let mut lines: Vec<String> = message.split("\n\t").map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        let others = self.case["otherMessages"].as_array();
        let others = others.into_iter().flatten().filter_map(Value::as_str);
        let mut all = self.text("message").into_iter().chain(others);
        match self.case["anyOrder"] == true {
            true => all.any(|own| sorted(own) == sorted(message)),
            false => all.any(|own| own == message),
        }
    }
}

/// Compares one kind of answer in every case that has it.
fn replay(what: &str, differs: impl Fn(&Case) -> Option<Option<String>>) {
    let (mut judged, mut found) = (0, Vec::new());
    let mut by_row: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases().iter().filter(|case| !case.was_endless()) {
        let Some(difference) = differs(case) else {
            continue;
        };
        judged += 1;
        if let Some(line) = difference {
            let row = case.text("about").expect("a row").to_owned();
            *by_row.entry(row).or_default() += 1;
            found.push(format!("{}: {line}", case.id()));
        }
    }
    println!(
        "{what}: {} of {judged} agree; not yet: {by_row:?}",
        judged - found.len()
    );
    let count = found.len();
    found.truncate(40);
    assert_eq!(count, 0, "{what}\n{}", found.join("\n"));
}

fn checked(case: &Case) -> Check {
    check(case.policy(), &case.context())
}

/// Runs a comparison of an accepted policy.
fn of_accepted<R>(case: &Case, answer: impl FnOnce(&Policy<'_>, &PolicyContext) -> R) -> Option<R> {
    if case.text("verdict") == Some("refused") {
        return None;
    }
    let context = case.context();
    let dialect = context.dialect_of(case.policy());
    let document = hujson::parse(dialect.document(case.policy())).expect("HuJSON");
    let policy = Policy::read_as(&document, dialect);
    Some(answer(&policy, &context))
}

fn ids(context: &PolicyContext) -> Vec<String> {
    let devices = context.devices.iter().flatten();
    devices.map(|device| device.id.clone()).collect()
}

/// What a case says of itself, and the answers: each is compared by a test here, in every case that has it.
const COMPARED: [&str; 24] = [
    "id",
    "about",
    "network",
    "policy",
    "ask",
    "verdict",
    "stage",
    "message",
    "otherMessages",
    "anyOrder",
    "tests",
    "sshTests",
    "filterOf",
    "filters",
    "sshOf",
    "ssh",
    "peers",
    "asked",
    "approved",
    "nodeAttrs",
    "mayTag",
    "checkPeriod",
    "via",
    "routes",
];

#[test]
fn every_answer_is_compared() {
    let mut seen = std::collections::BTreeSet::new();
    for case in cases() {
        seen.extend(case.case.as_object().expect("an object").keys().cloned());
    }
    let known: std::collections::BTreeSet<String> =
        COMPARED.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(seen, known);
}
