//! JSON Patch on texts: documents with texts and their patched form, and the laws. Must not live here: the canonical layout
//! (`format`).
//!
//! A document beside this file has many cases. Each starts at a line `//# WHAT IT SHOWS`, with the text below it. After `//@` come
//! the operations, then the patched text below `//=`, or the message of the refusal after `//!`. The line break before a mark is
//! not part of a text.

mod edit;
mod laws;
mod model;
mod refusing;
mod returns;
mod testing;

use std::fs;
use std::path::PathBuf;

use tailnet_kit::hujson::{PatchError, parse, patch};

/// A text, operations, and the patched text or the message of the refusal.
struct Case<'d> {
    shows: &'d str,
    text: &'d str,
    operations: &'d str,
    outcome: Result<&'d str, &'d str>,
}

impl<'d> Case<'d> {
    /// Reads the lines from one `//#` to the next.
    fn read(piece: &'d str) -> Self {
        let (shows, rest) = piece.split_once('\n').expect("a text below the title");
        let (text, rest) = rest.split_once("\n//@ ").expect("operations");
        let (operations, outcome) = match rest.split_once("\n//=\n") {
            Some((operations, text)) => (operations, Ok(text)),
            None => {
                let (operations, message) = rest.split_once("\n//! ").expect("an outcome");
                (operations, Err(message))
            }
        };
        Self {
            shows,
            text,
            operations,
            outcome,
        }
    }

    /// The difference from what the case says, if there is one.
    fn difference(&self) -> Option<String> {
        let patched = patch(self.text, self.operations);
        let found = patched.as_ref().map(String::as_str);
        let found = found.map_err(|error| (error.to_string(), error.code()));
        let right = match (&found, self.outcome) {
            (Ok(text), Ok(want)) => *text == want && parse(text).is_ok(),
            (Err((message, code)), Err(want)) => message == want && *code == "json_patch",
            _ => false,
        };
        (!right).then(|| format!("{}: {found:?}\n", self.shows))
    }
}

#[test]
fn patched_texts_are_as_the_documents_say() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/hujson/patch");
    let (mut cases, mut differences) = (0, String::new());
    for entry in fs::read_dir(folder).expect("the folder of the documents") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "hujson") {
            continue;
        }
        let document = fs::read_to_string(&path).expect("a text");
        let document = document.strip_suffix('\n').expect("a last line");
        for piece in document.split("\n//# ").skip(1) {
            cases += 1;
            let difference = Case::read(piece).difference();
            differences.extend(difference.map(|it| format!("{}: {it}", path.display())));
        }
    }
    assert!(cases > 0 && differences.is_empty(), "{differences}");
}

#[track_caller]
fn patched(text: &str, operations: &str) -> String {
    match patch(text, operations) {
        Ok(out) => {
            assert!(parse(&out).is_ok(), "no HuJSON: {out}");
            out
        }
        Err(error) => panic!("{error}"),
    }
}

/// The patch gives this text.
#[track_caller]
fn gives(text: &str, operations: &str, want: &str) {
    assert_eq!(patched(text, operations), want);
}

/// The patch is refused with this message.
#[track_caller]
fn refused(text: &str, operations: &str, message: &str) -> PatchError {
    let error = patch(text, operations).expect_err("the patch is refused");
    assert_eq!(error.to_string(), message);
    error
}
