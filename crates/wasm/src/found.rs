//! A value that a pointer finds, with its place, as JavaScript gets it.
//!
//! Must not live here: what is said about a text (`hujson::Issue`).

use serde::Serialize;

use tailnet_kit::hujson::{self, Locator, Value};

/// A value that a pointer found: its JSON, which the facade parses, and its place.
#[derive(Serialize)]
pub(crate) struct Found {
    json: String,
    line: usize,
    column: usize,
    offset: usize,
    length: usize,
}

impl Found {
    /// What the pointer finds in the text, if anything.
    pub(crate) fn at(text: &str, pointer: &str) -> Result<Option<Self>, hujson::Error> {
        let document = hujson::parse(text)?;
        let value = hujson::pointer::find(&document, pointer);
        Ok(value.map(|value| Self::new(value, text)))
    }

    fn new(value: Value<'_>, text: &str) -> Self {
        let (places, span) = (Locator::new(text), value.span());
        let position = places.locate(span.start);
        Self {
            json: hujson::minimal(value),
            line: position.line,
            column: position.column,
            offset: position.offset,
            length: places.utf16_len(span),
        }
    }
}
