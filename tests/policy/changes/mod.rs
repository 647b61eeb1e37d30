//! Changes as companies make them, each with the summary that a reviewer reads. A folder is a company: `policy.hujson`, its
//! `network.hujson`, and `changes.txt` with small edits of the two. Every summary was read by eye and compared with
//! docs/policy-language.md; BLESS=1 writes those of today in place of them, to be read again.
//! Must not live here: single facts of a review (tests/policy/review), cases in which an answer was wrong (tests/policy/silence.rs).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tailnet_kit::hujson;
use tailnet_kit::policy::{Judge, Judged, Policy, PolicyContext, review};

/// Lines of a summary at most.
const LINES: usize = 60;

/// One change: `#` its title, `-` and `+` what is written in place of what in the policy, `--` and `++` the same in the network, `!`
/// that nothing is known of the network, `|` the summary.
#[derive(Default)]
struct Change {
    head: String,
    edits: [Vec<(String, String)>; 2],
    by_text: bool,
    summary: String,
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

fn summary_of(policies: [&str; 2], networks: [&str; 2]) -> String {
    let documents = policies.map(|text| hujson::parse(text).expect("HuJSON"));
    let policies = documents.each_ref().map(Policy::read);
    let contexts = networks.map(|text| -> PolicyContext {
        let plain = hujson::standardize(text).expect("HuJSON");
        serde_json::from_str(&plain).expect("a context")
    });
    let is_one = networks[0] == networks[1];
    let context = |at: usize| &contexts[if is_one { 0 } else { at }];
    let checks = [0, 1].map(|at| {
        let check = policies[at].check(context(at));
        policies[at].accept(context(at)).expect("has answers");
        check
    });
    let judges = [0, 1].map(|at| Judge::new(&policies[at], context(at)));
    let judged = |at: usize| Judged {
        judge: &judges[at],
        check: &checks[at],
    };
    review(judged(0), judged(1), None).summary
}

fn company(folder: &Path, wrong: &mut Vec<String>) -> usize {
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let policy = read("policy.hujson").expect("a policy");
    let network = read("network.hujson").unwrap_or_else(|_| "{}".to_owned());
    let text = read("changes.txt").expect("changes");
    let mut blessed = String::new();
    let all = changes(&text);
    for change in &all {
        let [of_policy, of_network] = &change.edits;
        let network = if change.by_text { "{}" } else { &network };
        let after = [edited(&policy, of_policy), edited(network, of_network)];
        let summary = summary_of([&policy, &after[0]], [network, &after[1]]);
        assert!(summary.lines().count() <= LINES, "{}", change.head);
        if summary != change.summary {
            wrong.push(format!("{}: {}{summary}", folder.display(), change.head));
        }
        blessed += &change.head;
        for line in summary.lines() {
            blessed += format!("| {line}").trim_end();
            blessed.push('\n');
        }
        blessed.push('\n');
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(
            folder.join("changes.txt"),
            blessed.trim_end().to_owned() + "\n",
        )
        .expect("written");
    }
    all.len()
}

#[test]
fn every_change_has_the_summary_that_was_read() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/policy/changes");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for folder in &folders {
        count += company(folder, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 100, "{count} changes");
}
