//! Each row of docs/policy-language.md has a document of our own with the answer that the language gives: what each device
//! receives, who sees whom, which routes are approved, which tests pass. The documents and their networks are beside.
//! Must not live here: what is refused and advised (tests/policy/check.rs), recordings of the service, laws.
//!
//! A file has many documents. Each starts at a line `//# HEADING: what it shows`; `//| ROW` names the row of that heading's table or
//! list that it holds, `//@ NAME` its network (else `home`), `//= MESSAGE` why it is refused. Lines `//: QUESTION` before the policy are
//! the whole answer to that question:
//!
//! - `filter DEVICES: SOURCES -> ADDRESSES|PORTS`, then `by` and its protocols if they are others than those of a rule without any, or
//!   `as` and a capability with its values; devices without a line let nothing in;
//! - `ssh DEVICES: SOURCES as ACCOUNTS ACTION`, in the order of evaluation, `ACCOUNTS` as the service sends them;
//! - `peers: A B, A C`, the pairs that see each other; `routes DEVICES: approved | waiting`; `attrs DEVICES: attributes`;
//! - `tests: yes no open`, the results of `tests` and then of `sshTests`;
//! - `via DEVICES: include PEER ROUTES, exclude …`, what `via` does to the routes that a device of Headscale is offered;
//! - `tags USERS: TAGS`, which tags somebody may put on;
//! - `flow SOURCE DESTINATION: verdict at ENDS`, what the rules say of it and where its packets may end; at nobody, the device that
//!   would receive them if its route were approved.
//!
//! `*` as the devices is all of them. The name of a device among addresses stands for all of its own, and a network may name other
//! sets. A question that has no answer says `none`. What no recording of the service shows is marked `By the documentation alone`.

mod answers;
mod headscale;
mod network;
mod offered;
mod renamed;
mod rows;
mod selectors;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use answers::Line;
use network::Network;
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, check};

use crate::texts::each_of;

/// A document with what it holds and the answers that it expects.
pub struct Case {
    file: String,
    title: String,
    rows: Vec<String>,
    network: String,
    message: Option<String>,
    answers: Vec<String>,
    text: String,
}

impl Case {
    fn read((file, network): (&str, &str), text: &str) -> Case {
        let marked = |mark: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
            lines.map(|line| line.trim().to_owned()).collect()
        };
        let first = |mark: &str| marked(mark).into_iter().next();
        Case {
            file: file.to_owned(),
            title: first("//# ").expect("a title"),
            rows: marked("//| "),
            network: first("//@ ").unwrap_or_else(|| network.to_owned()),
            message: first("//= ").map(|message| message.replace("\\n", "\n").replace("\\t", "\t")),
            answers: marked("//: "),
            text: text.to_owned(),
        }
    }

    /// The heading of the language that it shows.
    fn heading(&self) -> &str {
        let heading = self.title.split_once(": ");
        heading.map_or(self.title.as_str(), |(heading, _)| heading)
    }

    /// The lines of each question that it asks: a line about several devices is one about each.
    fn expected(&self, network: &Network) -> BTreeMap<String, Vec<Line>> {
        let mut expected: BTreeMap<String, Vec<Line>> = BTreeMap::new();
        for line in &self.answers {
            let (head, said) = line.split_once(": ").unwrap_or((line, ""));
            let (question, devices) = head.split_once(' ').unwrap_or((head, ""));
            let lines = expected.entry(question.to_owned()).or_default();
            match (devices, said) {
                (_, "none") => {}
                ("*", _) => lines.extend(network.ids().map(|id| (id.to_owned(), said.to_owned()))),
                _ if question == "flow" => lines.push((devices.to_owned(), said.to_owned())),
                _ => {
                    let each = devices.split(' ');
                    lines.extend(each.map(|id| (id.to_owned(), said.to_owned())));
                }
            }
        }
        expected
    }

    fn name(&self) -> String {
        format!("{}: {}", self.file, self.title)
    }
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The documents of a folder, about a network unless they name another.
fn cases(name: &str, network: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder(name)).expect("a folder of documents") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "hujson") {
            continue;
        }
        let file = path.file_name().expect("a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("a text");
        cases.extend(each_of(&text).map(|text| Case::read((&file, network), text)));
    }
    cases.sort_by_key(Case::name);
    cases
}

/// The documents with answers.
fn answered() -> Vec<Case> {
    cases("tests/policy/language", "home")
}

fn difference(case: &Case, network: &Network) -> Option<String> {
    let check = check(&case.text, &network.context);
    if check.message != case.message {
        return Some(format!("message: {:?}", check.message));
    }
    let dialect = network.context.dialect_of(&case.text);
    let document = hujson::parse(dialect.document(&case.text)).ok()?;
    let policy = Policy::read_as(&document, dialect);
    let mut differences = Vec::new();
    for (question, mut expected) in case.expected(network) {
        let Some(mut found) = answers::answer(&question, &policy, network, &expected) else {
            return Some(format!("`{question}` is no question"));
        };
        let told = found.clone();
        for lines in [&mut found, &mut expected] {
            if question == "filter" {
                *lines = lines.iter().flat_map(one_by_one).collect();
            }
            // A device tries its ssh rules in order; the order of all others has no meaning.
            match question == "ssh" {
                true => lines.sort_by(|a, b| a.0.cmp(&b.0)),
                false => lines.sort(),
            }
        }
        if found != expected {
            let lines = told.iter();
            let lines = lines.map(|(device, line)| format!("//: {question} {device}: {line}\n"));
            differences.push(format!(
                "found for `{question}`\n{}",
                lines.collect::<String>()
            ));
        }
    }
    (!differences.is_empty()).then(|| differences.join("\n"))
}

/// A line of a filter for each of its destinations: how they are put together has no meaning.
fn one_by_one((device, line): &Line) -> Vec<Line> {
    let (from, rest) = line.split_once("-> ").expect("sources and destinations");
    let kind = [" by ", " as "]
        .iter()
        .filter_map(|word| rest.find(word))
        .min();
    let (targets, kind) = rest.split_at(kind.unwrap_or(rest.len()));
    let each = targets.split(' ');
    each.map(|to| (device.clone(), format!("{from}-> {to}{kind}")))
        .collect()
}

/// What differs in any document from the answers that it expects.
fn differences(cases: &[Case]) -> Vec<String> {
    let networks = network::networks();
    let mut differences = Vec::new();
    for case in cases {
        let network = networks.get(&case.network);
        let network = network.unwrap_or_else(|| panic!("{}: no such network", case.name()));
        if case.answers.is_empty() && case.message.is_none() {
            differences.push(format!("{}\nexpects nothing", case.name()));
        } else if let Some(found) = difference(case, network) {
            differences.push(format!("{}\n{found}", case.name()));
        }
    }
    println!("{} documents asked", cases.len());
    differences
}

#[test]
fn each_document_has_the_answers_that_the_language_gives() {
    let differences = differences(&answered());
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}
