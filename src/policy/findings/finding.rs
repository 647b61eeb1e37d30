//! Findings on a document, with a span and their position.
//! Must not live here: the rules that are checked.

use crate::hujson::{self, Document, Issue, Kind, Locator, Origin, Severity, Span, Value, pointer};
use crate::tables::sort;

use super::hint::{Hint, Message};
use super::words;

/// The code of a test that fails or is none: it does not affect the rules.
pub const TEST_FAILED: &str = "test_failed";
/// The code of an ssh test that is none, likewise.
pub const INVALID_SSH_TEST: &str = "invalid_ssh_test";

/// One finding on a document, with its position in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether the service would refuse it.
    pub severity: Severity,
    /// Stable, snake_case.
    pub code: &'static str,
    /// The service's own words if they are known.
    pub message: String,
    /// Where these words come from.
    pub origin: Origin,
    /// What to do about it.
    pub hint: Option<Hint>,
    /// The faulty place.
    pub span: Span,
    /// Where the rule is that makes it superfluous, if one does: its line is in the message.
    pub by: Option<usize>,
    /// The strings of a test that state what does not hold.
    pub failed: Vec<Span>,
}

impl Finding {
    /// Something the service refuses.
    pub fn error(code: &'static str, span: Span, message: Message) -> Finding {
        Finding {
            severity: Severity::Error,
            code,
            message: message.text,
            origin: message.origin,
            hint: None,
            span,
            by: None,
            failed: Vec::new(),
        }
    }

    /// Something worth reporting that the service accepts.
    pub fn warning(code: &'static str, span: Span, message: Message) -> Finding {
        Finding {
            severity: Severity::Warning,
            ..Finding::error(code, span, message)
        }
    }

    /// The same with a hint, if there is one.
    pub fn hint(self, hint: Option<Hint>) -> Finding {
        Finding { hint, ..self }
    }

    /// What to do about it: its own hint, else the one for all of its code.
    pub fn advice(&self) -> Option<Hint> {
        (self.hint.clone()).or_else(|| words::general(self.code))
    }
}

/// The findings with positions for people and editors, in the order given.
pub(crate) fn locate(document: &Document<'_>, findings: Vec<Finding>) -> Vec<Issue> {
    let places = Locator::new(document.text());
    let pointers = pointers(document, &findings);
    let mut issues = Vec::with_capacity(findings.len());
    for (finding, pointer) in findings.into_iter().zip(pointers) {
        issues.push(Issue {
            hint: finding.advice().map(|hint| hint.text),
            origin: finding.origin,
            names_line: finding.by.is_some(),
            pointer,
            ..Issue::at(
                &places,
                finding.span,
                finding.severity,
                finding.code,
                finding.message,
            )
        });
    }
    issues
}

/// The one issue of a text that is not HuJSON, and perhaps not even meant as such.
pub(crate) fn syntax(error: &hujson::Error) -> Issue {
    let issue = Issue::syntax(error);
    match error.is_first() {
        true => Issue {
            hint: Some("a policy is an object in JSON: `{ \"acls\": [ … ] }`".to_owned()),
            ..issue
        },
        false => issue,
    }
}

/// The pointer of each finding: one walk over the document for all of them.
fn pointers(document: &Document<'_>, findings: &[Finding]) -> Vec<Option<String>> {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    let start = |&at: &usize| findings.get(at).map(|finding| finding.span.start);
    sort::sort_by(&mut order, |a, b| start(a).cmp(&start(b)));
    let mut walk = PointerWalk {
        findings,
        order: &order,
        path: String::new(),
        found: vec![None; findings.len()],
    };
    walk.visit(document.root());
    walk.found
}

/// A walk that gives each finding the path of the innermost value (or name) around its start.
struct PointerWalk<'f> {
    findings: &'f [Finding],
    /// Those that are still to be placed.
    order: &'f [usize],
    path: String,
    found: Vec<Option<String>>,
}

impl PointerWalk<'_> {
    fn visit(&mut self, value: Value<'_>) {
        match value.kind() {
            Kind::Object => {
                for member in value.members() {
                    if self.lies_in(member.value) {
                        let token = pointer::escape(member.name.as_str().unwrap_or_default());
                        self.child(member.name.span().start, member.value, &token);
                    }
                }
            }
            Kind::Array => {
                for (index, element) in value.elements().enumerate() {
                    if self.lies_in(element) {
                        self.child(element.span().start, element, &index.to_string());
                    }
                }
            }
            _ => {}
        }
        self.take_before(value.span().end);
    }

    /// Whether the next finding is in a child or its name.
    fn lies_in(&self, child: Value<'_>) -> bool {
        let next = self.next_start();
        next.is_some_and(|next| next < child.span().end)
    }

    /// Visits a child, which begins at `start` with its name if it has one.
    fn child(&mut self, start: usize, value: Value<'_>, token: &str) {
        self.take_before(start);
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(token);
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
