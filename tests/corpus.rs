//! Replays the recordings of the real service: what we say of a policy against what it said.
//! The recordings lie beside the repository and are never copied into it; without them each test prints how many
//! categories it left out.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tailnet_kit::policy::{Topology, check};

const CATEGORIES: [&str; 7] = [
    "acl",
    "grant",
    "nodeattrs",
    "policytest",
    "routes",
    "ssh",
    "sshtest",
];

/// The tailnet of every recording has this one domain: the others that occur were refused as not its own.
const DOMAIN: &str = "example.com";

/// Recordings whose addresses were not replaced together with those of the devices, as their README says.
const DAMAGED: [&str; 1] = ["sshtest-malformed-dst-bare-ipv6"];

/// The recordings of one category; nothing where the folder is absent.
fn recordings(category: &str) -> Option<Vec<Value>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/policy-corpus");
    let text = fs::read_to_string(folder.join(format!("{category}.jsonl"))).ok()?;
    let read = |line: &str| serde_json::from_str(line).expect("a recording is JSON");
    Some(text.lines().map(read).collect())
}

/// The network of a recording in the words of the public surface.
fn topology(recording: &Value) -> Topology {
    let users = recording["topo"]["users"].as_array().expect("users");
    let login = |name: &Value| {
        let user = users.iter().find(|user| user["name"] == *name);
        user.map_or(Value::Null, |user| user["email"].clone())
    };
    let nodes = recording["topo"]["nodes"].as_array().expect("nodes");
    let device = |node: &Value| {
        json!({
            "id": node["name"], "user": login(&node["user"]), "tags": node["tags"], "addresses": node["ips"],
            "advertisedRoutes": node["advertised"], "enabledRoutes": node["approved"],
        })
    };
    let user = |user: &Value| json!({"loginName": user["email"], "role": user["role"]});
    let context = json!({
        "devices": nodes.iter().map(device).collect::<Vec<_>>(),
        "users": users.iter().map(user).collect::<Vec<_>>(),
        "domains": [DOMAIN],
    });
    serde_json::from_value(context).expect("a context")
}

/// Judges every recording and prints how many agree; the differences fail the test.
fn replay(what: &str, differs: impl Fn(&Value, &Topology) -> Option<String>) {
    let mut differences = Vec::new();
    let mut absent = 0;
    for category in CATEGORIES {
        let Some(recordings) = recordings(category) else {
            absent += 1;
            continue;
        };
        let before = differences.len();
        let mut judged = 0;
        for recording in &recordings {
            if DAMAGED.contains(&recording["id"].as_str().expect("an id")) {
                println!("{what}: {} left out: a damaged recording", recording["id"]);
                continue;
            }
            judged += 1;
            if let Some(difference) = differs(recording, &topology(recording)) {
                differences.push(format!("{}: {difference}", recording["id"]));
            }
        }
        let agreed = judged - (differences.len() - before);
        println!("{what}: {category}: {agreed} of {judged} agree");
    }
    if absent > 0 {
        println!(
            "{what}: {absent} of {} categories left out: no recordings here",
            CATEGORIES.len()
        );
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn verdict_and_message_are_those_of_the_service() {
    replay("verdict", |recording, topology| {
        let check = check(recording["policy"].as_str()?, topology);
        let said = recording["message"].as_str();
        let agrees = recording["accepted"] == check.accepted && check.message.as_deref() == said;
        (!agrees).then(|| format!("the service: {said:?}, we: {:?}", check.message))
    });
}

/// Less knowledge may leave a question open; it must never turn a verdict into another.
#[test]
fn without_a_topology_nothing_is_guessed() {
    replay("verdict by text alone", |recording, _| {
        let check = check(recording["policy"].as_str()?, &Topology::default());
        let said = recording["message"].as_str();
        let agrees = check.accepted || check.message.as_deref() == said;
        (!agrees).then(|| format!("the service: {said:?}, we: {:?}", check.message))
    });
}
