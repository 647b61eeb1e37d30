//! The recordings of the real service, read from the folder that the caller of the tests names.
//! Must not live here: what is compared with them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};
use tailnet_kit::policy::PolicyContext;

/// Names the folder that holds `policy-corpus`; `cargo xtask test recorded --beside FOLDER` sets it.
const VARIABLE: &str = "TAILNET_KIT_BESIDE";

/// How many cases a category has, as the folder says itself, so that a part of it is not taken for all.
#[derive(Deserialize)]
struct Count {
    cases: usize,
}

/// The tailnet of every recording has this one domain.
const DOMAIN: &str = "example.com";

/// One recorded case.
pub struct Recording(Value);

/// The recordings by category.
///
/// # Panics
/// Where the folder is not named, or does not hold all of them: what is asked for must be run.
pub fn recordings() -> Vec<(String, Vec<Recording>)> {
    let folder = env::var_os(VARIABLE).map(PathBuf::from).expect(
        "these tests compare with recordings: `cargo xtask test recorded --beside FOLDER` says where they are",
    );
    let file = |name: &str| {
        let path = folder.join("policy-corpus").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!(
                "the folder of `--beside` is not complete: {}: {error}",
                path.display()
            )
        })
    };
    let counts: BTreeMap<String, Count> =
        serde_json::from_str(&file("counts.json")).expect("counts by category");
    let read = |line: &str| Recording(serde_json::from_str(line).expect("a recording is JSON"));
    let category = |(category, count): (String, Count)| {
        let cases: Vec<_> = file(&format!("{category}.jsonl"))
            .lines()
            .map(read)
            .collect();
        assert_eq!(cases.len(), count.cases, "recordings of {category}");
        (category, cases)
    };
    counts.into_iter().map(category).collect()
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
