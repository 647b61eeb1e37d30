//! What may make HuJSON of a text.
//! Must not live here: texts that are HuJSON.

use crate::hujson::{Span, tolerant};
use crate::policy::findings::words::joined;

use super::{Candidate, replacement};

/// One token more or less at the first fault.
pub(in super::super) fn of_syntax(text: &str) -> Vec<Candidate> {
    let before = tolerant(text).faults;
    let Some(fault) = before.first().copied() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut attempt = |title: &str, span: Span, insert: &str| {
        let candidate = Candidate {
            title: title.to_owned(),
            edits: vec![replacement(span, insert)],
            defines: false,
            is_choice: false,
        };
        if tolerant(&candidate.of(text)).faults.len() < before.len() {
            found.push(candidate);
        }
    };
    if fault.start < fault.end {
        let word = text.get(fault.start..fault.end).unwrap_or_default();
        let inside = word.trim_matches(['\'', '"']);
        let quoted = joined(&["\"", inside, "\""]);
        attempt("Write it in double quotes", fault, &quoted);
        attempt("Remove it", fault, "");
    } else {
        for (title, token) in MISSING {
            attempt(title, fault, token);
        }
    }
    found.truncate(1);
    found
}

/// What a text may lack.
const MISSING: [(&str, &str); 5] = [
    ("Add the comma", ","),
    ("Add the closing bracket", "]"),
    ("Add the closing brace", "}"),
    ("Add the colon", ":"),
    ("Add an empty value", " null"),
];
