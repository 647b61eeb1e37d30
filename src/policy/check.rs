//! What the service would say to a document, and all other findings.
//! Must not live here: the checks themselves, the types of a verdict (`verdict`).

use crate::hujson::{self, Span};
use crate::tables::sort;

use super::findings::finding::{self, Finding, INVALID_SSH_TEST, TEST_FAILED};
use super::language::document::Policy;
use super::tailnet::context::PolicyContext;
use super::test_report::TestReport;
use super::verdict::{Check, Error, Judgement, closes};

/// Judges a text. Never fails: a syntax error is also a verdict.
///
/// ```
/// use tailnet_kit::policy::{PolicyContext, check};
///
/// let check = check(r#"{"acls": [{"action": "drop", "src": ["*"], "dst": ["*:*"]}]}"#, &PolicyContext::default());
/// assert_eq!(check.message.as_deref(), Some("action=\"drop\" is not supported"));
/// ```
pub fn check(text: &str, context: &PolicyContext) -> Check {
    let dialect = context.dialect_of(text);
    let context = &*context.known_for(text);
    match hujson::parse(dialect.document(text)) {
        Ok(document) => Policy::read_as(&document, dialect).check(context),
        Err(error) => Check::of_no_document(&error, dialect),
    }
}

impl Policy<'_> {
    /// Whether the service would accept the document, and its message if not; nothing more is computed.
    #[inline(never)]
    pub fn judge(&self, context: &PolicyContext) -> Judgement {
        let problems = self.problems(context);
        Judgement::new(self, problems, self.run_tests(context))
    }

    /// Judges the document.
    pub fn check(&self, context: &PolicyContext) -> Check {
        self.verdict(self.judge(context), context)
    }

    /// What the service says, and all other findings.
    #[inline(never)]
    pub fn verdict(&self, judgement: Judgement, context: &PolicyContext) -> Check {
        let Judgement {
            message,
            problems,
            tests,
        } = judgement;
        let findings = self.findings(problems, &tests, context);
        Check {
            accepted: message.is_none(),
            message,
            issues: finding::locate(self.document, findings),
            tests,
        }
    }

    /// The whole verdict, if these are the problems and the tests ended like this. The message is what the service finds
    /// first; people read the issues from the top of the text.
    pub(super) fn findings(
        &self,
        problems: Vec<Finding>,
        tests: &TestReport,
        context: &PolicyContext,
    ) -> Vec<Finding> {
        let mut findings = problems;
        let mut failures = self.failures(tests, context);
        // A test that is none fails for that; what else it says would lead astray.
        let misshapen = |span: Span| {
            let is_none = |code: &str| matches!(code, TEST_FAILED | INVALID_SSH_TEST);
            let mut own = findings.iter().filter(|it| is_none(it.code));
            own.any(|it| span.start <= it.span.start && it.span.end <= span.end)
        };
        failures.retain(|failure| !misshapen(failure.span));
        findings.append(&mut failures);
        findings.extend(self.advice(context));
        sort::sort_by(&mut findings, |a, b| a.span.start.cmp(&b.span.start));
        findings
    }

    /// None if questions about the document can be answered, else the whole verdict; failing tests do not prevent answers.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn accept(&self, context: &PolicyContext) -> Result<(), Error> {
        match closes(&self.problems(context)) {
            false => Ok(()),
            true => Err(Error::Refused(Box::new(self.check(context)))),
        }
    }
}
