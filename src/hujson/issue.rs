//! A remark on a text, with its position for people and editors: the `Issue` of the declarations.
//!
//! Must not live here: faults in the meaning of a text (a policy's findings, `policy::findings`).

use serde::Serialize;

use super::{Duplicate, Error, Locator, Origin, Span, duplicates, parse};

/// How serious an issue is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The text is refused, by the grammar or by the service.
    Error,
    /// The text is accepted; its writer may not have meant it.
    Warning,
}

/// Something to say about a text, with its position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Issue {
    /// Whether the text is refused because of it.
    pub severity: Severity,
    /// Stable, snake_case.
    pub code: &'static str,
    /// What is wrong; in the service's own words if they are known.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where the message comes from.
    pub origin: Origin,
    /// JSON Pointer (RFC 6901) to the faulty place; absent for a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// 1-based.
    pub line: usize,
    /// 1-based, counts bytes.
    pub column: usize,
    /// UTF-16 units from the start of the text.
    pub offset: usize,
    /// UTF-16 units.
    pub length: usize,
    /// Whether the message names the line of another place, so that it changes with what is before that.
    #[serde(skip)]
    pub names_line: bool,
}

impl Issue {
    /// An issue in our words at a span of the text of `places`, without hint and pointer.
    pub fn at(
        places: &Locator<'_>,
        span: Span,
        severity: Severity,
        code: &'static str,
        message: String,
    ) -> Issue {
        let at = places.locate(span.start);
        Issue {
            severity,
            code,
            message,
            hint: None,
            origin: Origin::Ours,
            pointer: None,
            line: at.line,
            column: at.column,
            offset: at.offset,
            length: places.utf16_len(span),
            names_line: false,
        }
    }

    /// The one issue of a text that is not HuJSON.
    pub fn syntax(error: &Error) -> Issue {
        let at = error.position();
        Issue {
            severity: Severity::Error,
            code: error.code().as_str(),
            message: error.reason().to_owned(),
            hint: error.hint().map(str::to_owned),
            origin: error.origin(),
            pointer: None,
            line: at.line,
            column: at.column,
            offset: at.offset,
            length: error.utf16_len(),
            names_line: false,
        }
    }

    /// The warnings about a text without syntax errors: repeated names.
    ///
    /// # Errors
    /// The syntax error of a text that is not HuJSON.
    pub fn warnings(text: &str) -> Result<Vec<Issue>, Error> {
        let document = parse(text)?;
        let places = Locator::new(text);
        let mut warnings = Vec::new();
        for duplicate in duplicates(&document) {
            warnings.push(Issue::duplicate(duplicate, &places));
        }
        Ok(warnings)
    }

    /// The warning about a repeated name, at its second position and naming the first.
    fn duplicate(duplicate: Duplicate, places: &Locator<'_>) -> Issue {
        let first = places.locate(duplicate.first.start);
        let message = format!(
            "duplicate name `{}`, first at line {}, column {}",
            duplicate.name, first.line, first.column
        );
        Issue {
            hint: Some("the last one counts: remove the others".to_owned()),
            pointer: Some(duplicate.pointer),
            ..Issue::at(
                places,
                duplicate.again,
                Severity::Warning,
                Duplicate::CODE,
                message,
            )
        }
    }
}
