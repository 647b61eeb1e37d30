//! What the service would say to a document, and everything else worth saying.
//! Must not live here: the checks themselves.

use std::fmt;

use crate::tables::sort;
use serde::Serialize;

use crate::hujson::{self, Issue};

use super::findings::finding::{self, Finding};
use super::language::document::Policy;
use super::tailnet::topology::Topology;
use super::test_report::{TESTS_FAILED, TestReport};

/// The verdict on a document.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Whether the service would take it.
    pub accepted: bool,
    /// What it would say if not: its words for the first problem it meets.
    pub message: Option<String>,
    /// All there is to say, in the order of the text.
    pub issues: Vec<Issue>,
    /// How the document's own tests ended.
    pub tests: TestReport,
}

/// What the service itself says of a document.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Its words for the first problem it meets, or that tests failed; None for a document that it takes.
    pub message: Option<String>,
    /// Everything for which it would refuse the document, tests aside; the first is what it says.
    pub problems: Vec<Finding>,
    /// How the document's own tests ended.
    pub tests: TestReport,
}

/// Judges a text. Never fails: a syntax error is a verdict too.
///
/// ```
/// use tailnet_kit::policy::{Topology, check};
///
/// let check = check(r#"{"acls": [{"action": "drop", "src": ["*"], "dst": ["*:*"]}]}"#, &Topology::default());
/// assert_eq!(check.message.as_deref(), Some("action=\"drop\" is not supported"));
/// ```
pub fn check(text: &str, topology: &Topology) -> Check {
    match hujson::parse(text) {
        Ok(document) => Policy::read(&document).check(topology),
        Err(error) => Check::of_no_document(&error),
    }
}

impl Check {
    /// The verdict on a text that is no HuJSON.
    pub fn of_no_document(error: &hujson::Error) -> Check {
        Check {
            accepted: false,
            message: Some(error.to_string()),
            issues: vec![finding::syntax(error)],
            tests: TestReport::default(),
        }
    }
}

impl Judgement {
    /// What the service says where it has met these problems, and the tests ended so.
    pub fn new(problems: Vec<Finding>, tests: TestReport) -> Judgement {
        let failed = (!tests.passed).then(|| TESTS_FAILED.to_owned());
        let problem = problems.first().map(|finding| finding.message.clone());
        Judgement {
            message: problem.or(failed),
            problems,
            tests,
        }
    }
}

/// Whether a document with these problems has no answers. What is wrong with its tests leaves its rules whole.
pub fn closes(problems: &[Finding]) -> bool {
    problems
        .iter()
        .any(|problem| problem.code != "invalid_ssh_test")
}

impl Policy<'_> {
    /// Whether the service would take the document, and what it would say if not, without a word more.
    #[inline(never)]
    pub fn judge(&self, topology: &Topology) -> Judgement {
        Judgement::new(self.problems(topology), self.run_tests(topology))
    }

    /// Judges the document.
    pub fn check(&self, topology: &Topology) -> Check {
        self.verdict(self.judge(topology), topology)
    }

    /// What the service says, and everything else worth saying.
    #[inline(never)]
    pub fn verdict(&self, judgement: Judgement, topology: &Topology) -> Check {
        let Judgement {
            message,
            problems: mut findings,
            tests,
        } = judgement;
        findings.extend(self.failures(&tests, topology));
        findings.extend(self.advice(topology));
        // The message is what the service meets first; people read the issues from the top of the text.
        sort::sort_by(&mut findings, |a, b| a.span.start.cmp(&b.span.start));
        Check {
            accepted: message.is_none(),
            message,
            issues: finding::locate(self.document, findings),
            tests,
        }
    }

    /// Nothing if questions about the document have answers, else the whole verdict: failing tests close nothing.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn accept(&self, topology: &Topology) -> Result<(), Error> {
        match closes(&self.problems(topology)) {
            false => Ok(()),
            true => Err(Error::Refused(Box::new(self.check(topology)))),
        }
    }
}

/// Why a question about a policy has no answer.
#[derive(Clone, Debug)]
pub enum Error {
    /// The text is no HuJSON.
    Syntax(hujson::Error),
    /// The service would refuse the policy, for more than its tests.
    Refused(Box<Check>),
    /// The question itself makes no sense.
    Argument(String),
}

impl Error {
    /// The stable code: `hujson_syntax`, `policy_refused` or `invalid_argument`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Syntax(error) => error.code(),
            Error::Refused(_) => "policy_refused",
            Error::Argument(_) => "invalid_argument",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(error) => error.fmt(f),
            Error::Refused(check) => {
                let message = check.message.as_deref().unwrap_or_default();
                write!(f, "the service would refuse this policy: {message}")
            }
            Error::Argument(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<hujson::Error> for Error {
    fn from(error: hujson::Error) -> Error {
        Error::Syntax(error)
    }
}
