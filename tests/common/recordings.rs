//! The recordings of the real service, read from beside the repository.
//! Must not live here: what is compared with them.
// Each test file uses the part it compares.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use tailnet_kit::policy::PolicyContext;

const CATEGORIES: [&str; 7] = [
    "acl",
    "grant",
    "nodeattrs",
    "policytest",
    "routes",
    "ssh",
    "sshtest",
];

/// The tailnet of every recording has this one domain.
const DOMAIN: &str = "example.com";

/// One recorded case.
pub struct Recording(Value);

/// The recordings by category. Where they are absent, a line says that the test was not run.
pub fn recordings(what: &str) -> Vec<(&'static str, Vec<Recording>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/policy-corpus");
    let read = |line: &str| Recording(serde_json::from_str(line).expect("a recording is JSON"));
    let category = |category: &'static str| {
        let text = fs::read_to_string(folder.join(format!("{category}.jsonl"))).ok()?;
        Some((category, text.lines().map(read).collect()))
    };
    let found: Vec<_> = CATEGORIES.into_iter().filter_map(category).collect();
    if found.len() < CATEGORIES.len() {
        not_run(CATEGORIES.len() - found.len(), what);
    }
    found
}

/// Prints a line that the run counts, past the harness, which hides the output of passing tests.
///
/// # Panics
/// Where `CI` is set, as a build machine must run every test.
fn not_run(absent: usize, what: &str) {
    let line = format!(
        "1 not run: {what}: {absent} of {} categories of recordings are not beside the repository",
        CATEGORIES.len()
    );
    assert!(
        env::var_os("CI").is_none_or(|value| value.is_empty()),
        "{line}, and CI is set"
    );
    let mut out = std::io::stdout();
    let written = writeln!(out, "\n{line}");
    written.expect("somebody reads the output");
}

impl Recording {
    pub fn id(&self) -> &str {
        self.0["id"].as_str().expect("an id")
    }

    pub fn policy(&self) -> &str {
        self.0["policy"].as_str().expect("a policy")
    }

    /// Why the service refused it.
    pub fn message(&self) -> Option<&str> {
        self.0["message"].as_str()
    }

    pub fn accepted(&self) -> bool {
        self.0["accepted"] == true
    }

    /// The packet filter that a device received; nothing where none was recorded.
    pub fn ruleset(&self, device: &str) -> Option<&Value> {
        let index = self.0["filters"].get(device)?.as_u64()?;
        self.0["rulesets"].get(usize::try_from(index).ok()?)
    }

    /// The ssh rules that devices received, by device; nothing where the policy has no `ssh`.
    pub fn ssh(&self) -> Option<&serde_json::Map<String, Value>> {
        self.0.get("ssh")?.as_object()
    }

    /// The attributes that devices received, by device; recorded in one category only.
    pub fn capabilities(&self) -> Option<&serde_json::Map<String, Value>> {
        self.0.get("caps")?.as_object()
    }

    /// Whether nothing was recorded of the device.
    pub fn uncaptured(&self, device: &str) -> bool {
        let uncaptured = self.0.get("uncaptured").and_then(Value::as_array);
        uncaptured.into_iter().flatten().any(|name| name == device)
    }

    /// The pairs of recorded devices that see each other, as `a b`.
    pub fn peers(&self) -> Option<BTreeSet<String>> {
        let pairs = |list: &Vec<Value>| {
            let names = list.iter().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        };
        match self.0.get("peers")? {
            Value::Array(list) => Some(pairs(list)),
            Value::String(all) if all == "all" => Some(self.all_pairs()),
            _ => Some(BTreeSet::new()),
        }
    }

    fn all_pairs(&self) -> BTreeSet<String> {
        let nodes = self.0["topo"]["nodes"].as_array().expect("nodes").iter();
        let mut names: Vec<&str> = nodes.filter_map(|node| node["name"].as_str()).collect();
        names.sort_unstable();
        let pairs = names.iter().enumerate();
        let pairs = pairs.flat_map(|(at, a)| names.iter().skip(at + 1).map(move |b| (a, b)));
        pairs
            .filter(|(a, b)| !self.uncaptured(a) || !self.uncaptured(b))
            .map(|(a, b)| format!("{a} {b}"))
            .collect()
    }

    /// The network in the form of the public API.
    pub fn context(&self) -> PolicyContext {
        serde_json::from_value(self.tailnet()).expect("a context")
    }

    /// The network as JSON of the public API.
    pub fn tailnet(&self) -> Value {
        let users = self.0["topo"]["users"].as_array().expect("users");
        let login = |name: &Value| {
            let user = users.iter().find(|user| user["name"] == *name);
            user.map_or(Value::Null, |user| user["email"].clone())
        };
        let nodes = self.0["topo"]["nodes"].as_array().expect("nodes");
        let device = |node: &Value| {
            json!({
                "id": node["name"], "user": login(&node["user"]), "tags": node["tags"], "addresses": node["ips"],
                "advertisedRoutes": node["advertised"], "enabledRoutes": node["approved"],
            })
        };
        let user = |user: &Value| json!({"loginName": user["email"], "role": user["role"]});
        json!({
            "devices": nodes.iter().map(device).collect::<Vec<_>>(),
            "users": users.iter().map(user).collect::<Vec<_>>(),
            "domains": [DOMAIN],
        })
    }
}
