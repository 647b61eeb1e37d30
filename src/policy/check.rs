//! What the service would say to a document, and everything else worth saying.
//! Must not live here: the checks themselves, what a verdict is made of (`verdict`).

use crate::hujson;
use crate::tables::sort;

use super::findings::finding::{self, Finding};
use super::language::document::Policy;
use super::tailnet::context::PolicyContext;
use super::test_report::TestReport;
use super::verdict::{Check, Error, Judgement, closes};

/// Judges a text. Never fails: a syntax error is a verdict too.
///
/// ```
/// use tailnet_kit::policy::{PolicyContext, check};
///
/// let check = check(r#"{"acls": [{"action": "drop", "src": ["*"], "dst": ["*:*"]}]}"#, &PolicyContext::default());
/// assert_eq!(check.message.as_deref(), Some("action=\"drop\" is not supported"));
/// ```
pub fn check(text: &str, context: &PolicyContext) -> Check {
    match hujson::parse(text) {
        Ok(document) => Policy::read(&document).check(context),
        Err(error) => Check::of_no_document(&error),
    }
}

impl Policy<'_> {
    /// Whether the service would take the document, and what it would say if not, without a word more.
    #[inline(never)]
    pub fn judge(&self, context: &PolicyContext) -> Judgement {
        Judgement::new(self.problems(context), self.run_tests(context))
    }

    /// Judges the document.
    pub fn check(&self, context: &PolicyContext) -> Check {
        self.verdict(self.judge(context), context)
    }

    /// What the service says, and everything else worth saying.
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

    /// All there is to say where these are the problems and the tests ended so. The message is what the service meets
    /// first; people read the issues from the top of the text.
    pub(super) fn findings(
        &self,
        problems: Vec<Finding>,
        tests: &TestReport,
        context: &PolicyContext,
    ) -> Vec<Finding> {
        let mut findings = problems;
        findings.extend(self.failures(tests, context));
        findings.extend(self.advice(context));
        sort::sort_by(&mut findings, |a, b| a.span.start.cmp(&b.span.start));
        findings
    }

    /// Nothing if questions about the document have answers, else the whole verdict: failing tests close nothing.
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
