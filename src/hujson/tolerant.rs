//! A tree for any text: missing parts are left empty, misplaced parts are skipped, and both are listed.
//!
//! A broken text is read in two ways: once with the brackets as they are, once with a line that is not indented ending
//! everything that it cannot be inside of. The reading with fewer faults is the tree; if equal, the second.
//! Must not live here: the words of errors (`error`), the grammar of valid text (`parse`), how bytes become tokens
//! (`token`).

mod reading;
mod start;
mod token;

use super::parse;
use super::tree::Node;
use super::{Document, Kind, Span};
use reading::Reading;
use start::start;
use token::Tokens;

/// A text that may not be HuJSON, with the values found in it.
#[derive(Debug)]
pub struct Tolerant<'t> {
    /// The tree. A missing value is a `null` and a missing name a string, both of no bytes; a word without
    /// quotes and a string without an end are strings.
    pub document: Document<'t>,
    /// The violations of the grammar, in the order of the text: empty spans where something is missing. None
    /// exactly if the text is HuJSON.
    pub faults: Vec<Span>,
}

/// Reads any text, in time proportional to its length. For HuJSON the tree is that of [`super::parse()`].
#[inline(never)]
pub fn tolerant(text: &str) -> Tolerant<'_> {
    let nodes = match parse::document_or_start(text) {
        Ok(document) => {
            return Tolerant {
                document,
                faults: Vec::new(),
            };
        }
        Err(nodes) => nodes,
    };
    let read = better(text, nodes);
    Tolerant {
        document: Document::new(text, read.nodes),
        faults: read.faults,
    }
}

/// The reading that is the tree, of a text that starts with these values. Up to the first line that ends something by its indent
/// both readings are one.
fn better(text: &str, nodes: Vec<Node>) -> Reading {
    // Its spans are of 32 bits.
    if u32::try_from(text.len()).is_err() {
        let mut reading = Reading::new(text);
        reading.fault(0, text.len());
        reading.missing(Kind::Null, 0);
        return reading;
    }
    let from_start = || (Reading::new(text), Tokens::of(text));
    let (mut by_brackets, mut tokens) = start(text, nodes).unwrap_or_else(from_start);
    let mut by_indents: Option<Reading> = None;
    while let Some(token) = tokens.next() {
        if by_indents.is_none() && by_brackets.is_dedent(&token) {
            by_indents = Some(by_brackets.clone());
        }
        if let Some(reading) = &mut by_indents {
            while reading.is_dedent(&token) {
                reading.unclosed(token.span.start);
            }
            reading.next(&token, &tokens.faults);
        }
        by_brackets.next(&token, &tokens.faults);
        tokens.faults.clear();
    }
    let rest = &tokens.faults;
    let by_brackets = by_brackets.finished(text.len(), rest);
    match by_indents.map(|reading| reading.finished(text.len(), rest)) {
        Some(by_indents) if by_indents.faults.len() <= by_brackets.faults.len() => by_indents,
        _ => by_brackets,
    }
}
