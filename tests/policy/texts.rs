//! Texts for what holds for every policy: the documents of this folder, and random policies in random networks.
//! Must not live here: what holds, what is found in a document (tests/policy/check.rs).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tailnet_kit::policy::PolicyContext;

use crate::random::dice::Dice;
use crate::random::{policies, tailnets};

/// A text with what is known of its tailnet.
pub struct Given {
    /// Names it in a failure.
    pub name: String,
    pub text: String,
    pub tailnet: Value,
}

impl Given {
    pub fn context(&self) -> PolicyContext {
        serde_json::from_value(self.tailnet.clone()).expect("a context")
    }
}

/// Whether laws ask all they can, which takes minutes, and not only what a usual run has time for.
pub fn asks_all() -> bool {
    std::env::var_os("POLICY_LANGUAGE_ALL").is_some()
}

/// Every document below `tests/policy`, with the context that is written in it.
pub fn documents() -> Vec<Given> {
    let mut files = Vec::new();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/policy");
    collect(&folder, &mut files);
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a text");
        let is_of_headscale = path
            .components()
            .any(|part| part.as_os_str() == "headscale");
        let documents = each_of(&text).map(document);
        let documents = documents.map(|mut given| {
            if is_of_headscale {
                given.tailnet["dialect"] = json!("headscale");
            }
            given
        });
        documents.collect::<Vec<_>>()
    };
    files.iter().flat_map(read).collect()
}

/// The documents of a file: each starts at a line `//# `.
pub fn each_of(file: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = file.match_indices("//# ").map(|(at, _)| at).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([file.len()]).collect();
    let pieces = starts.into_iter().zip(ends);
    pieces.map(|(start, end)| &file[start..end])
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.extension() {
            _ if path.is_dir() => collect(&path, found),
            Some(ending) if ending == "hujson" => found.push(path),
            _ => {}
        }
    }
}

fn document(text: &str) -> Given {
    let context = text.lines().find_map(|line| line.strip_prefix("//@ "));
    // A name is that of a network which is not here.
    let context = context.filter(|context| context.starts_with('{'));
    // The lines that say what is expected of the document repeat its names.
    let own = text.lines().filter(|line| !line.starts_with("//"));
    Given {
        name: text.lines().next().unwrap_or_default().to_owned(),
        text: own.map(|line| format!("{line}\n")).collect(),
        tailnet: context.map_or(json!({}), |context| {
            serde_json::from_str(context).expect("a context")
        }),
    }
}

/// Random policies, which the service would accept but for their tests, in random networks; the same in every run.
pub fn random(count: usize) -> impl Iterator<Item = Given> {
    (0..count).map(|seed| {
        let mut dice = Dice::new(seed as u64);
        let tailnet = tailnets::tailnet(&mut dice);
        let policy = policies::policy(&mut dice);
        Given {
            name: format!("random policy {seed}"),
            text: serde_json::to_string_pretty(&policy).expect("JSON"),
            tailnet,
        }
    })
}
