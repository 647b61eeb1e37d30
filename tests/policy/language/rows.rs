//! A row of a language without a document fails: rows of tables, entries of lists, messages of refusals, and the
//! headings that are only prose. Must not live here: what documents expect, the cells of the selectors (selectors.rs).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{Case, answered, cases, folder};

/// A heading with what stands below it.
#[derive(Default, Debug)]
struct Section {
    anchor: String,
    has_prose: bool,
    /// The cells of the first column of its tables, and the numbers of its lists' entries.
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    name: String,
    cells: Vec<String>,
}

fn anchor(heading: &str) -> String {
    heading.trim().to_lowercase().replace(' ', "-")
}

/// The headings of a language.
fn sections(language: &str) -> Vec<Section> {
    let text = fs::read_to_string(folder(language)).expect("the language");
    let mut sections: Vec<Section> = Vec::new();
    let mut lines = text.lines().peekable();
    let mut entries = 0;
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            entries = 0;
            sections.push(Section {
                anchor: anchor(line.trim_start_matches('#')),
                ..Section::default()
            });
            continue;
        }
        let section = sections.last_mut().expect("a heading first");
        let head = line.starts_with('|') && lines.peek().is_some_and(|next| next.starts_with("|-"));
        if head {
            lines.next();
        } else if line.starts_with('|') {
            let cells: Vec<String> = line
                .trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect();
            let name = cells[0].replace('`', "");
            section.rows.push(Row { name, cells });
        } else if is_entry(line) {
            entries += 1;
            let cells = vec![line.to_owned()];
            section.rows.push(Row {
                name: entries.to_string(),
                cells,
            });
        } else if !line.trim().is_empty() && !line.starts_with(' ') {
            section.has_prose = true;
        }
    }
    sections
}

fn is_entry(line: &str) -> bool {
    let number = line.split_once(". ").map_or("", |(number, _)| number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    line.starts_with("- ") || is_number
}

const LANGUAGE: &str = "docs/policy-language.md";

/// The rows of a table of the language by the name in their first column.
pub fn table(heading: &str) -> Vec<Vec<String>> {
    rows_of(LANGUAGE, heading)
}

/// The same of any language.
pub fn rows_of(language: &str, heading: &str) -> Vec<Vec<String>> {
    let section = sections(language)
        .into_iter()
        .find(|section| section.anchor == heading);
    let rows = section.expect("a heading").rows.into_iter();
    rows.map(|row| row.cells).collect()
}

/// The documents that say what is found in them, and those with answers.
fn all() -> Vec<Case> {
    let mut all = cases("tests/policy/documents", "home");
    all.extend(answered());
    all
}

/// The rows of a language that no document holds, and documents of rows that it does not have. Headings in `tables` are tested by their
/// cells, and of those in `prose` there are documents elsewhere.
pub fn unlike(
    language: &str,
    documents: Vec<Case>,
    tables: &[&str],
    prose: &[&str],
) -> Vec<String> {
    let mut held: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for case in documents {
        let rows = held.entry(case.heading().to_owned()).or_default();
        rows.extend(case.rows);
    }
    let sections = sections(language);
    let mut missing = Vec::new();
    for section in sections
        .iter()
        .filter(|section| !tables.contains(&section.anchor.as_str()))
    {
        let rows = held.remove(&section.anchor);
        if rows.is_none() && section.has_prose && !prose.contains(&section.anchor.as_str()) {
            missing.push(format!("{}: no document", section.anchor));
        }
        let mut rows = rows.unwrap_or_default();
        for row in &section.rows {
            if !rows.remove(&row.name) {
                missing.push(format!(
                    "{}: no document for `{}`",
                    section.anchor, row.name
                ));
            }
        }
        missing.extend(
            rows.iter()
                .map(|row| format!("{}: there is no `{row}`", section.anchor)),
        );
    }
    missing
}

#[test]
fn each_row_of_the_language_has_a_document() {
    let missing = unlike(LANGUAGE, all(), &["refusals", "advice"], &OTHERWISE);
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Headings whose documents are in files of their own: tests/policy/documents, tests/policy/external.rs, tests/policy/preview.rs,
/// tests/policy/explain, tests/policy/prove.
const OTHERWISE: [&str; 6] = [
    "the-policy-language",
    "advice",
    "external-devices",
    "preview",
    "questions",
    "assertions",
];

/// The messages of a cell: what stands in backticks; `…` stands for the beginning that several have in common.
fn messages(cell: &str) -> Vec<String> {
    let quoted = cell.split('`').skip(1).step_by(2);
    let mut messages: Vec<String> = quoted.map(str::to_owned).collect();
    if cell.contains("the same of `src`") {
        messages.pop();
        let of_source: Vec<String> = messages.iter().map(|m| m.replace("dst", "src")).collect();
        messages.extend(of_source);
    }
    messages
}

/// Whether a message is the one of a cell: there `X`, `Y`, `D` and `P` stand for words of the policy.
fn fits(template: &str, message: &str) -> bool {
    let stands = |word: char| matches!(word, 'X' | 'Y' | 'D' | 'P' | '…');
    let is_alone = |at: usize, c: char| {
        let before = template[..at].chars().next_back();
        let behind = template[at + c.len_utf8()..].chars().next();
        let part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        c == '…' || !part(before) && !part(behind)
    };
    let mut parts = vec![String::new()];
    for (at, c) in template.char_indices() {
        match stands(c) && is_alone(at, c) {
            true => parts.push(String::new()),
            false => parts.last_mut().expect("a part").push(c),
        }
    }
    let (first, last) = (&parts[0], &parts[parts.len() - 1]);
    if parts.len() == 1 {
        return message == template;
    }
    let Some(mut rest) = message.strip_prefix(first.as_str()) else {
        return false;
    };
    for part in &parts[1..parts.len() - 1] {
        let Some(at) = rest.find(part.as_str()) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last.as_str())
}

#[test]
fn each_message_of_a_refusal_has_a_document() {
    let said: Vec<String> = all().into_iter().filter_map(|case| case.message).collect();
    let mut missing = Vec::new();
    for row in table("refusals") {
        for template in messages(&row[1]) {
            // What a message begins with is no message of its own.
            let is_beginning = template.ends_with(' ');
            let has = |message: &String| match is_beginning {
                true => message.starts_with(&template),
                false => fits(&template, message),
            };
            if !said.iter().any(has) {
                missing.push(format!("{}: {template}", row[0]));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_template_fits_its_messages_and_no_others() {
    assert!(fits(
        "action=\"X\" is not supported",
        "action=\"drop\" is not supported"
    ));
    assert!(!fits(
        "action=\"X\" is not supported",
        "action=\"drop\" is not supporte"
    ));
    assert!(fits("D is not known", "a.b is not known"));
    assert!(!fits("IPPool(P): reserved", "Pool(1): reserved"));
    assert!(fits("IPPool(P): reserved", "IPPool(1): reserved"));
}
