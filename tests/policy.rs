//! Judges the documents under `tests/policy`, each of which says itself what is to be found in it.
//!
//! A file holds many documents. Each starts at a line `//# SECTION: what it shows` (a section of policy-language.md);
//! `//= MESSAGE` is what the service says (without it the document is accepted), `//@ JSON` the context. In the
//! document `//~ code` marks each finding of a line, `//? yes`, `no` or `open` how a test on that line ends.

use std::fs;
use std::path::PathBuf;

use tailnet_kit::policy::{Topology, check};

struct Case<'t> {
    title: &'t str,
    text: String,
    message: Option<&'t str>,
    topology: Topology,
}

impl<'t> Case<'t> {
    fn of(file: &'t str) -> Vec<Case<'t>> {
        let starts: Vec<usize> = file.match_indices("//# ").map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([file.len()]);
        starts
            .iter()
            .zip(ends)
            .map(|(start, end)| Case::read(&file[*start..end]))
            .collect()
    }

    fn read(text: &'t str) -> Case<'t> {
        let marked = |mark: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(mark).map(str::trim))
        };
        let context = marked("//@ ").unwrap_or("{}");
        Case {
            title: marked("//# ").expect("a title"),
            text: text.to_owned(),
            message: marked("//= "),
            topology: serde_json::from_str(context)
                .unwrap_or_else(|error| panic!("{context}: {error}")),
        }
    }

    /// Line and code of every finding, and how each test ends, as the document has it.
    fn expected(&self) -> Vec<String> {
        let mut expected = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            let (line, verdict) = line.split_once("//? ").unwrap_or((line, ""));
            let (_, codes) = line.split_once("//~ ").unwrap_or_default();
            let codes = codes.split_whitespace().map(str::to_owned);
            let verdicts = verdict
                .split_whitespace()
                .map(|verdict| format!("test {verdict}"));
            expected.extend(
                codes
                    .chain(verdicts)
                    .map(|found| format!("{}: {found}", index + 1)),
            );
        }
        expected.sort();
        expected
    }

    fn found(&self, text: &str) -> (Option<String>, Vec<String>) {
        let check = check(text, &self.topology);
        assert_eq!(check.accepted, check.message.is_none(), "{}", self.title);
        for issue in check
            .issues
            .iter()
            .filter(|issue| issue.code != "hujson_syntax")
        {
            assert!(
                issue.hint.is_some() && issue.pointer.is_some(),
                "{}: {issue:?}",
                self.title
            );
        }
        let issues = check.issues.iter();
        let mut found: Vec<String> = issues
            .map(|issue| format!("{}: {}", issue.line, issue.code))
            .collect();
        for result in &check.tests.results {
            let verdict = match result.passed {
                Some(true) => "yes",
                Some(false) => "no",
                None => "open",
            };
            found.push(format!("{}: test {verdict}", result.line));
            assert_eq!(
                result.passed == Some(false),
                !result.errors.is_empty(),
                "{}: {result:?}",
                self.title
            );
        }
        found.sort();
        (check.message, found)
    }
}

fn files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/policy");
    let entries = fs::read_dir(folder).expect("the folder of the documents");
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn documents_say_what_is_found_in_them() {
    let mut differences = Vec::new();
    let mut count = 0;
    for (name, file) in files() {
        for case in Case::of(&file) {
            count += 1;
            let (message, found) = case.found(&case.text);
            if message.as_deref() != case.message {
                differences.push(format!(
                    "{name}: {}\n  message: {message:?}\n  expected {:?}",
                    case.title, case.message
                ));
            }
            let expected = case.expected();
            if found != expected {
                differences.push(format!(
                    "{name}: {}\n  found    {found:?}\n  expected {expected:?}",
                    case.title
                ));
            }
        }
    }
    println!("{count} documents judged");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Lines stay where they are, whatever ends them.
#[test]
fn line_ends_change_nothing() {
    for (_, file) in files() {
        for case in Case::of(&file) {
            let carriage = case.text.replace('\n', "\r\n");
            let (message, found) = case.found(&carriage);
            assert_eq!((message, found), case.found(&case.text), "{}", case.title);
        }
    }
}
