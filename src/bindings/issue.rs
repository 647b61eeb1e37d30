//! What is said about a text, with its place: issues and found values as JavaScript gets them.
//!
//! Must not live here: errors as objects (`faults`), anything of one namespace alone.

use serde::Serialize;

use crate::hujson::{self, Duplicate, Locator, Value};

/// How grave an [`Issue`] is.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    Error,
    Warning,
}

/// The contract's `Issue`: something about a text, with its place.
#[derive(Serialize)]
pub(super) struct Issue {
    pub severity: Severity,
    pub code: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    pub line: usize,
    pub column: usize,
    pub offset: usize,
    pub length: usize,
}

impl From<&hujson::Error> for Issue {
    fn from(error: &hujson::Error) -> Self {
        let position = error.position();
        Self {
            severity: Severity::Error,
            code: error.code(),
            message: error.reason().to_owned(),
            hint: error.hint().map(str::to_owned),
            pointer: None,
            line: position.line,
            column: position.column,
            offset: position.offset,
            length: error.utf16_len(),
        }
    }
}

impl Issue {
    /// What a text without syntax errors is warned of.
    pub(super) fn warnings(text: &str) -> Result<Vec<Self>, hujson::Error> {
        let (document, places) = (hujson::parse(text)?, Locator::new(text));
        let duplicates = hujson::duplicates(&document).into_iter();
        Ok(duplicates
            .map(|found| Self::duplicate(&found, &places))
            .collect())
    }

    /// The warning of a repeated name: at its second place, naming the first.
    fn duplicate(duplicate: &Duplicate, places: &Locator<'_>) -> Self {
        let first = places.locate(duplicate.first.start);
        let again = places.locate(duplicate.again.start);
        Self {
            severity: Severity::Warning,
            code: Duplicate::CODE,
            message: format!(
                "duplicate name `{}`, first at line {}, column {}",
                duplicate.name, first.line, first.column
            ),
            hint: Some("the last one counts: remove the others".to_owned()),
            pointer: Some(duplicate.pointer.clone()),
            line: again.line,
            column: again.column,
            offset: again.offset,
            length: places.utf16_len(duplicate.again),
        }
    }
}

/// A value that a pointer found: its JSON, which the facade parses, and its place.
#[derive(Serialize)]
pub(super) struct Found {
    json: String,
    line: usize,
    column: usize,
    offset: usize,
    length: usize,
}

impl Found {
    /// What the pointer finds in the text, if anything.
    pub(super) fn at(text: &str, pointer: &str) -> Result<Option<Self>, hujson::Error> {
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
