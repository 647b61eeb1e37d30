//! Changes as companies make them, read from tests/policy/changes: a folder is a company with `policy.hujson`, its `network.hujson`,
//! and `changes.txt` with small edits of the two. Must not live here: what is told of them.
// Each test program uses the part it needs.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::fs::read_to_string;
use std::path::PathBuf;

/// One change: `#` its title, `-` and `+` what is written in place of what in the policy, `--` and `++` the same in the network, `!`
/// that nothing is known of the network, `|` the summary.
#[derive(Default)]
pub struct Change {
    /// All lines but the summary.
    pub head: String,
    edits: [Vec<(String, String)>; 2],
    by_text: bool,
    pub summary: String,
    /// The policy before and after.
    pub policies: [String; 2],
    /// The network before and after.
    pub networks: [String; 2],
}

/// A folder with its changes.
pub struct Company {
    pub folder: PathBuf,
    pub changes: Vec<Change>,
}

/// All companies, by their names.
pub fn companies() -> Vec<Company> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/policy/changes");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders.into_iter().map(company).collect()
}

fn company(folder: PathBuf) -> Company {
    let read = |name: &str| read_to_string(folder.join(name));
    let policy = read("policy.hujson").expect("a policy");
    let network = read("network.hujson").unwrap_or_else(|_| "{}".to_owned());
    let mut changes = changes(&read("changes.txt").expect("changes"));
    for change in &mut changes {
        let network = if change.by_text { "{}" } else { &network };
        let [of_policy, of_network] = &change.edits;
        change.policies = [policy.clone(), edited(&policy, of_policy)];
        change.networks = [network.to_owned(), edited(network, of_network)];
    }
    Company { folder, changes }
}

fn changes(text: &str) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for line in text.lines() {
        if line.starts_with("# ") {
            changes.push(Change::default());
        }
        let Some(change) = changes.last_mut() else {
            continue;
        };
        if let Some(line) = line.strip_prefix('|') {
            change.summary += line.strip_prefix(' ').unwrap_or(line);
            change.summary.push('\n');
            continue;
        }
        if line.is_empty() {
            continue;
        }
        writeln!(change.head, "{line}").expect("a string");
        let (sign, text) = line.split_once(' ').unwrap_or((line, ""));
        let text = text.to_owned();
        let [policy, network] = &mut change.edits;
        match sign {
            "-" => policy.push((text, String::new())),
            "--" => network.push((text, String::new())),
            "+" => policy.last_mut().expect("after a -").1 = text,
            "++" => network.last_mut().expect("after a --").1 = text,
            "!" => change.by_text = true,
            "#" => {}
            _ => panic!("a line begins with {sign}"),
        }
    }
    changes
}

/// A text with some parts in place of others, each of which occurs once.
#[track_caller]
fn edited(text: &str, edits: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    for (from, to) in edits {
        assert_eq!(text.matches(from.as_str()).count(), 1, "{from}");
        text = text.replace(from.as_str(), to);
    }
    text
}
