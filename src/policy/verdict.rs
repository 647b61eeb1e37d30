//! The verdict on a document as a whole, and why a question about it has no answer: the types.
//! Must not live here: how a verdict is computed (`check`).

use std::fmt;

use serde::Serialize;

use crate::hujson::{self, Issue};

use super::findings::finding::{self, Finding, INVALID_SSH_TEST, TEST_FAILED};
use super::findings::words::{joined, together};
use super::language::dialect::Dialect;
use super::language::document::Policy;
use super::tailnet::context::PolicyContext;
use super::test_report::{TESTS_FAILED, TestReport, TestSection};
use crate::Code;

/// The verdict on a document.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Check {
    /// Whether the service would accept it.
    pub accepted: bool,
    /// The service's message if not: its words for the first problem it finds.
    pub message: Option<String>,
    /// All issues, in the order of the text.
    pub issues: Vec<Issue>,
    /// The results of the document's own tests.
    pub tests: TestReport,
}

/// What the service itself says about a document.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Its words for the first problem it finds, or that tests failed; None for a document that it accepts.
    pub message: Option<String>,
    /// Everything for which it would refuse the document, tests aside; the first gives the message.
    pub problems: Vec<Finding>,
    /// The results of the document's own tests.
    pub tests: TestReport,
}

impl Check {
    /// The verdict on a text that is not HuJSON.
    pub fn of_no_document(error: &hujson::Error, dialect: Dialect) -> Check {
        let words = dialect.before_syntax();
        Check {
            accepted: false,
            message: Some(joined(&[words, &error.to_string()])),
            issues: vec![finding::syntax(error)],
            tests: TestReport::default(),
        }
    }
}

impl Judgement {
    /// What the service says of a document if it has found these problems, and the tests ended like this.
    pub fn new(policy: &Policy<'_>, problems: Vec<Finding>, tests: TestReport) -> Judgement {
        // What cannot be read ends at the first fault in either dialect.
        let tells_all = policy.dialect.tells_all_faults() && policy.faults.is_empty();
        let message = match tells_all {
            true => every_fault(&problems, &tests),
            false => {
                let failed = (!tests.passed).then(|| TESTS_FAILED.to_owned());
                let problem = problems.first().map(|finding| finding.message.clone());
                problem.or(failed)
            }
        };
        Judgement {
            message,
            problems,
            tests,
        }
    }
}

/// The words of every problem, or of every failing test if there is none.
fn every_fault(problems: &[Finding], tests: &TestReport) -> Option<String> {
    let mut faults: Vec<String> = Vec::new();
    let kind = |finding: &Finding| match finding.code {
        TEST_FAILED => Some(TestSection::Tests),
        INVALID_SSH_TEST => Some(TestSection::SshTests),
        _ => None,
    };
    for alike in problems.chunk_by(|a, b| kind(a).is_some() && kind(a) == kind(b)) {
        let own: Vec<String> = alike.iter().map(|own| own.message.clone()).collect();
        match alike.first().and_then(kind) {
            Some(_) => faults.push(joined(&[TESTS_FAILED, ":\n", &together(&own)])),
            None => faults.extend(own),
        }
    }
    if faults.is_empty() {
        for section in [TestSection::Tests, TestSection::SshTests] {
            let own = tests.results.iter().filter(|own| own.section == section);
            let lines: Vec<&str> = own
                .flat_map(|own| &own.errors)
                .map(String::as_str)
                .collect();
            if !lines.is_empty() {
                faults.push(joined(&[TESTS_FAILED, ":\n", &lines.join("\n")]));
            }
        }
    }
    (!faults.is_empty()).then(|| together(&faults))
}

/// Whether questions about a document with these problems have no answers. Faults of its tests do not affect its rules.
pub fn closes(problems: &[Finding]) -> bool {
    problems
        .iter()
        .any(|problem| !matches!(problem.code, TEST_FAILED | INVALID_SSH_TEST))
}

/// Why a question about a policy has no answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text is not HuJSON.
    Syntax(hujson::Error),
    /// The service would refuse the policy, for more than its tests.
    Refused(Box<Check>),
    /// The same of one of two policies: `before` or `after`.
    RefusedOf(&'static str, Box<Check>),
    /// The question itself is malformed.
    Argument(String),
}

impl Error {
    /// The same error, about one of two policies.
    #[must_use]
    pub fn of(self, which: &'static str) -> Error {
        match self {
            Error::Refused(check) => Error::RefusedOf(which, check),
            other => other,
        }
    }

    /// The stable code: `hujson_syntax`, `policy_refused` or `invalid_argument`.
    pub fn code(&self) -> Code {
        match self {
            Error::Syntax(error) => error.code(),
            Error::Refused(_) | Error::RefusedOf(..) => Code::PolicyRefused,
            Error::Argument(_) => Code::InvalidArgument,
        }
    }
}

impl PolicyContext {
    /// For an answer by device, which would be empty without any: that would say that nobody may do anything.
    ///
    /// # Errors
    /// [`Error::Argument`] if no devices are known.
    pub fn need_devices(&self) -> Result<(), Error> {
        match self.devices {
            Some(_) => Ok(()),
            None => Err(Error::Argument(
                "an answer by device needs a context with `devices`".to_owned(),
            )),
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
            Error::RefusedOf(which, check) => {
                let message = check.message.as_deref().unwrap_or_default();
                write!(
                    f,
                    "the service would refuse the policy `{which}`: {message}"
                )
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
