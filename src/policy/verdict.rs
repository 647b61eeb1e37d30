//! What is said of a document as a whole, and why a question about it has no answer: the types.
//! Must not live here: how a document comes to its verdict (`check`).

use std::fmt;

use serde::Serialize;

use crate::hujson::{self, Issue};

use super::findings::finding::{self, Finding};
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
