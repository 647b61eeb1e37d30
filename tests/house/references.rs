//! Rule: every document that code, tests and documents refer to is in the repository, with the heading named.
//! Must not live here: how files are found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::sources::{Source, assert_clean, root, sources};

const FOLDERS: [&str; 9] = [
    "src", "tests", "pkg", "www", "xtask", "examples", "benches", "docs", ".github",
];
const ENDINGS: &[&str] = &[
    ".rs", ".js", ".mjs", ".ts", ".md", ".hujson", ".http", ".toml", ".yml",
];

/// This file, which has examples of references that lead nowhere.
const THIS: &str = "tests/house/references.rs";

/// The texts that people write, with the documents at the root.
fn texts() -> Vec<Source> {
    let mut texts: Vec<Source> = FOLDERS
        .iter()
        .flat_map(|folder| sources(folder, ENDINGS))
        .collect();
    for entry in fs::read_dir(root()).expect("the repository").flatten() {
        let path = entry.file_name().to_string_lossy().into_owned();
        if path.ends_with(".md") {
            let text = fs::read_to_string(entry.path()).expect("a document is text");
            texts.push(Source { path, text });
        }
    }
    texts.retain(|text| text.path != THIS);
    texts
}

/// The anchor that a forge gives a heading: lower case, dashes for blanks, no punctuation.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c })
        .collect::<String>()
        .to_lowercase()
}

/// The documents by their path, with the anchors of their headings.
fn documents(texts: &[Source]) -> BTreeMap<&str, BTreeSet<String>> {
    let documents = texts.iter().filter(|text| text.path.ends_with(".md"));
    documents
        .map(|document| {
            let lines = document.text.lines();
            let headings = lines.filter_map(|line| line.strip_prefix('#'));
            let anchors = headings.map(|heading| anchor(heading.trim_start_matches('#')));
            (document.path.as_str(), anchors.collect())
        })
        .collect()
}

/// Every mention of a document in a line: the word that ends in `.md`, and the anchor after it.
fn mentions(line: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let of_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let of_anchor = |c: char| c.is_alphanumeric() || "_-".contains(c);
    line.match_indices(".md").filter_map(move |(at, _)| {
        let (before, rest) = (&line[..at + 3], &line[at + 3..]);
        let start = before.rfind(|c| !of_path(c)).map_or(0, |at| at + 1);
        let behind = rest.strip_prefix('#').map(|rest| {
            let end = rest.find(|c| !of_anchor(c)).unwrap_or(rest.len());
            &rest[..end]
        });
        let whole = !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        (whole && at > start).then_some((&before[start..], behind))
    })
}

/// The part of a line that may refer to a document: in scripts only comments, as their code names other files too.
fn prose<'l>(path: &str, line: &'l str) -> &'l str {
    let is_script = [".js", ".mjs", ".ts"].iter().any(|end| path.ends_with(end));
    let comment = ["//", "/*", " * "]
        .iter()
        .filter_map(|mark| line.find(mark))
        .min();
    match (is_script, comment) {
        (false, _) => line,
        (true, at) => &line[at.unwrap_or(line.len())..],
    }
}

/// The document that a path in a text means: relative to the root or to the text, or a bare name.
fn meant<'d>(
    path: &str,
    text: &str,
    known: &'d BTreeMap<&str, BTreeSet<String>>,
) -> Option<&'d str> {
    let from_root = path.trim_start_matches("../").trim_start_matches("./");
    let folder = text.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = format!("{folder}/{from_root}");
    let mut documents = known.keys().copied();
    documents
        .find(|document| *document == from_root || *document == beside)
        .or_else(|| {
            let name = from_root.rsplit('/').next()?;
            (name == "README.md")
                .then(|| known.keys().copied().find(|document| *document == name))?
        })
}

#[test]
fn every_reference_leads_to_a_heading_of_the_repository() {
    let texts = texts();
    let known = documents(&texts);
    let mut breaches = Vec::new();
    for text in &texts {
        for (number, line) in text.text.lines().enumerate() {
            for (path, behind) in mentions(prose(&text.path, line)) {
                let document = meant(path, &text.path, &known);
                let led = document.is_some_and(|document| {
                    behind.is_none_or(|anchor| known[document].contains(anchor))
                });
                if !led {
                    let place = format!("{}:{}", text.path, number + 1);
                    breaches.push(format!("{place}: {path}#{}", behind.unwrap_or_default()));
                }
            }
        }
    }
    assert_clean("references to what the repository does not hold", &breaches);
}

/// `](#heading)`: from one heading of a document to another.
#[test]
fn links_inside_a_document_lead_to_its_headings() {
    let texts = texts();
    let known = documents(&texts);
    let mut breaches = Vec::new();
    for (path, anchors) in &known {
        let text = texts.iter().find(|text| text.path == *path);
        let links = text.map_or("", |text| text.text.as_str()).split("](#");
        let links = links.skip(1).filter_map(|rest| rest.split(')').next());
        let dangling = links.filter(|link| !anchors.contains(*link));
        breaches.extend(dangling.map(|link| format!("{path}: #{link}")));
    }
    assert_clean("links to headings that are not there", &breaches);
}

/// Numbered sections are those of a standard, which the file names before. Our own documents have headings.
#[test]
fn numbered_sections_are_those_of_a_standard() {
    const STANDARDS: [&str; 3] = ["RFC ", " standard", "W3C"];
    let mut breaches = Vec::new();
    for text in &texts() {
        let mut named = false;
        for (number, line) in text.text.lines().enumerate() {
            named |= STANDARDS.iter().any(|standard| line.contains(standard));
            let lower = line.to_lowercase();
            let mut sections = lower.match_indices("section ").filter(|(at, word)| {
                lower[at + word.len()..].starts_with(|c: char| c.is_ascii_digit())
            });
            if !named && sections.next().is_some() {
                let place = format!("{}:{}", text.path, number + 1);
                breaches.push(format!("{place}: {}", line.trim()));
            }
        }
    }
    assert_clean("sections by number of no standard", &breaches);
}

/// The names of documents under `tests/policy` and of pairs under `tests/hujson/format` begin with the heading that they show.
#[test]
fn fixtures_are_named_by_what_they_show() {
    let texts = texts();
    let known = documents(&texts);
    let languages = ["docs/policy-language.md", "docs/headscale-language.md"];
    let layout = &known["docs/hujson.md"];
    let mut breaches = Vec::new();
    for text in &texts {
        if text.path.starts_with("tests/policy/") {
            let is_of_headscale = text.path.contains("/headscale/");
            let language = &known[languages[usize::from(is_of_headscale)]];
            let titles = text
                .text
                .lines()
                .filter_map(|line| line.strip_prefix("//# "));
            let headless = titles.filter(|title| {
                let heading = title.split_once(": ").map(|(heading, _)| heading);
                heading.is_none_or(|heading| !language.contains(heading))
            });
            breaches.extend(headless.map(|title| format!("{}: {title}", text.path)));
        }
        if let Some(name) = text.path.strip_prefix("tests/hujson/format/") {
            let shows = |heading: &String| name.strip_prefix(heading.as_str());
            if !layout
                .iter()
                .filter_map(shows)
                .any(|rest| rest.starts_with('-'))
            {
                breaches.push(text.path.clone());
            }
        }
    }
    assert_clean("fixtures that name no heading of docs", &breaches);
}

/// The last column of a row of docs/choices.md is the test of the choice: one of Rust, a story, or a case in JavaScript.
#[test]
fn every_choice_has_its_test() {
    let texts = texts();
    let choices = texts.iter().find(|text| text.path == "docs/choices.md");
    let rows = choices.expect("the choices").text.lines();
    let rows = rows.filter(|line| line.starts_with("| ") && !line.ends_with("| test |"));
    let tests: Vec<&Source> = texts
        .iter()
        .filter(|text| text.path.starts_with("tests/"))
        .collect();
    let is_test = |name: &str| {
        let mut kinds = [
            format!("fn {name}() {{"),
            format!("\n## {name}\n"),
            format!("\n    '{name}',\n"),
        ]
        .into_iter();
        kinds.any(|test| tests.iter().any(|text| text.text.contains(&test)))
    };
    let held = |row: &&str| {
        let last = row.trim_end_matches(" |").rsplit(" | ").next();
        let mut names = last.unwrap_or_default().split(", ");
        names.all(|name| is_test(name.trim_matches('`')))
    };
    let breaches: Vec<String> = rows.filter(|row| !held(row)).map(str::to_owned).collect();
    assert_clean("choices without a test", &breaches);
}

#[test]
fn a_mention_is_a_path_and_an_anchor() {
    let line = "see docs/service.md#what-is, (docs/choices.md) and a.mdx, x.md.";
    let found: Vec<_> = mentions(line).collect();
    let expected = [
        ("docs/service.md", Some("what-is")),
        ("docs/choices.md", None),
        ("x.md", None),
    ];
    assert_eq!(found, expected);
    assert_eq!(
        anchor(" Where a packet ends: `x`, y"),
        "where-a-packet-ends-x-y"
    );
}
