//! What there is to say about a document: findings with a span, issues with a place people can use.
//! Must not live here: the rules that are checked.

use crate::order;
use serde::Serialize;

use crate::hujson::{self, Document, Kind, Locator, Span, Value, pointer};

use super::hint;

/// How much a finding weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The service refuses the document.
    Error,
    /// The service takes it; the writer may not have meant it.
    Warning,
}

/// One thing to say about a document, at a place in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether the service would refuse it.
    pub severity: Severity,
    /// Stable, snake_case.
    pub code: &'static str,
    /// The service's own words where they are known.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The faulty place.
    pub span: Span,
}

impl Finding {
    /// Something the service refuses.
    pub fn error(code: &'static str, span: Span, message: String) -> Finding {
        Finding {
            severity: Severity::Error,
            code,
            message,
            hint: None,
            span,
        }
    }

    /// Something worth saying that the service lets pass.
    pub fn warning(code: &'static str, span: Span, message: String) -> Finding {
        Finding {
            severity: Severity::Warning,
            ..Finding::error(code, span, message)
        }
    }

    /// The same with a hint, if there is one.
    pub fn hint(self, hint: Option<String>) -> Finding {
        Finding { hint, ..self }
    }
}

/// A finding where people and editors look for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Issue {
    /// Whether the service would refuse it.
    pub severity: Severity,
    /// Stable, snake_case.
    pub code: &'static str,
    /// The service's own words where they are known.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// JSON Pointer (RFC 6901) of the faulty place; absent for a syntax error.
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
}

impl Issue {
    /// The one issue of a text that is no HuJSON.
    pub fn syntax(error: &hujson::Error) -> Issue {
        let at = error.position();
        Issue {
            severity: Severity::Error,
            code: error.code(),
            message: error.reason().to_owned(),
            hint: error.hint().map(str::to_owned),
            pointer: None,
            line: at.line,
            column: at.column,
            offset: at.offset,
            length: error.utf16_len(),
        }
    }

    /// The places of all findings, in the order given.
    pub fn locate(document: &Document<'_>, findings: Vec<Finding>) -> Vec<Issue> {
        let locator = Locator::new(document.text());
        let pointers = pointers(document, &findings);
        let mut issues = Vec::with_capacity(findings.len());
        for (finding, pointer) in findings.into_iter().zip(pointers) {
            let at = locator.locate(finding.span.start);
            issues.push(Issue {
                severity: finding.severity,
                code: finding.code,
                message: finding.message,
                hint: finding
                    .hint
                    .or_else(|| hint::general(finding.code).map(str::to_owned)),
                pointer,
                line: at.line,
                column: at.column,
                offset: at.offset,
                length: locator.utf16_len(finding.span),
            });
        }
        issues
    }
}

/// The pointer of each finding: one walk over the document for all of them.
fn pointers(document: &Document<'_>, findings: &[Finding]) -> Vec<Option<String>> {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    let start = |&at: &usize| findings.get(at).map(|finding| finding.span.start);
    order::sort_by(&mut order, |a, b| start(a).cmp(&start(b)));
    let mut walk = Walk {
        findings,
        order: &order,
        path: String::new(),
        found: vec![None; findings.len()],
    };
    walk.visit(document.root());
    walk.found
}

/// A walk that hands each finding the path of the innermost value (or name) around its start.
struct Walk<'f> {
    findings: &'f [Finding],
    /// Those that are still to be placed.
    order: &'f [usize],
    path: String,
    found: Vec<Option<String>>,
}

impl Walk<'_> {
    fn visit(&mut self, value: Value<'_>) {
        match value.kind() {
            Kind::Object => {
                for member in value.members() {
                    let token = member.name.as_str().unwrap_or_default();
                    self.child(member.name.span().start, member.value, &token);
                }
            }
            Kind::Array => {
                for (index, element) in value.elements().enumerate() {
                    self.child(element.span().start, element, &index.to_string());
                }
            }
            _ => {}
        }
        self.take_before(value.span().end);
    }

    /// Visits a child, which begins at `start` with its name if it has one, unless no finding lies in it.
    fn child(&mut self, start: usize, value: Value<'_>, token: &str) {
        let end = value.span().end;
        if self.next_start().is_none_or(|next| next >= end) {
            return;
        }
        self.take_before(start);
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(&pointer::escape(token));
        self.visit(value);
        self.path.truncate(length);
    }

    fn next_start(&self) -> Option<usize> {
        let at = *self.order.first()?;
        self.findings.get(at).map(|finding| finding.span.start)
    }

    /// Gives the current path to every finding that starts before `end`.
    fn take_before(&mut self, end: usize) {
        while self.next_start().is_some_and(|start| start < end) {
            let Some((&at, rest)) = self.order.split_first() else {
                return;
            };
            self.order = rest;
            if let Some(slot) = self.found.get_mut(at) {
                *slot = Some(self.path.clone());
            }
        }
    }
}
