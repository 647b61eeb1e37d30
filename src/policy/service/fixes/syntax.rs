//! Fixes that turn a text into HuJSON.
//! Must not live here: texts that are HuJSON.

use crate::hujson::tolerant;
use crate::policy::findings::words::joined;

use super::{Candidate, replacement};

/// Adds or removes one token at the first fault: the first change that leaves fewer faults.
pub(in super::super) fn of_syntax(text: &str) -> Option<Candidate> {
    let before = tolerant(text).faults;
    let fault = before.first().copied()?;
    let attempt = |title: &str, insert: &str| {
        let candidate = Candidate {
            title: title.to_owned(),
            edits: vec![replacement(fault, insert)],
            defines: false,
            is_choice: false,
        };
        let after = tolerant(&candidate.of(text)).faults;
        (after.len() < before.len()).then_some(candidate)
    };
    if fault.start == fault.end {
        let mut missing = MISSING.iter();
        return missing.find_map(|(title, token)| attempt(title, token));
    }
    let word = text.get(fault.start..fault.end).unwrap_or_default();
    if word.starts_with('\u{FEFF}') {
        return attempt("Remove the byte-order mark", "");
    }
    let inside = word.trim_matches(['\'', '"']);
    let quoted = joined(&["\"", inside, "\""]);
    attempt("Write it in double quotes", &quoted).or_else(|| attempt("Remove it", ""))
}

/// The tokens that a text may lack.
const MISSING: [(&str, &str); 5] = [
    ("Add the comma", ","),
    ("Add the closing bracket", "]"),
    ("Add the closing brace", "}"),
    ("Add the colon", ":"),
    ("Add an empty value", " null"),
];
