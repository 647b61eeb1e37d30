//! What the service says of a policy that it is to judge. Must not live here: storing policies (`acl`).

use super::error::Error;
use super::message::Response;
use super::payload::{Answer, read_output};
use super::shape::Shape;
use super::wire_types::wire_types;

wire_types! {
    /// The answer to a question for a verdict, which is a success whatever the verdict: without a message all is well; with a message
    /// and no data, the policy is refused.
    #[derive(Eq)]
    #[non_exhaustive]
    pub struct AclVerdict {
        /// What the service says, if anything.
        pub message: Option<String>,
        /// What it says about single tests or names.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub data: Vec<VerdictDetail>,
    }
}

/// The outcome of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AclOutcome {
    /// The service would accept the policy, or the tests pass.
    Valid,
    /// The service would accept the policy, with warnings.
    Warnings,
    /// Tests fail.
    TestsFailed,
    /// The service would refuse the policy.
    Invalid,
}

impl AclOutcome {
    /// The outcome of a verdict with any errors, any warnings, or only a message.
    pub fn of(errors: bool, warnings: bool, message: bool) -> AclOutcome {
        match (errors, warnings, message) {
            (true, _, _) => AclOutcome::TestsFailed,
            (_, true, _) => AclOutcome::Warnings,
            (_, _, true) => AclOutcome::Invalid,
            _ => AclOutcome::Valid,
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            AclOutcome::Valid => "valid",
            AclOutcome::Warnings => "warnings",
            AclOutcome::TestsFailed => "tests_failed",
            AclOutcome::Invalid => "invalid",
        }
    }
}

impl AclVerdict {
    /// The outcome. Status 200 alone says only that the service has judged.
    pub fn outcome(&self) -> AclOutcome {
        let any = |list: fn(&VerdictDetail) -> &Vec<String>| {
            self.data.iter().any(|detail| !list(detail).is_empty())
        };
        let says = self.message.as_ref().is_some_and(|text| !text.is_empty());
        AclOutcome::of(
            any(|detail| &detail.errors),
            any(|detail| &detail.warnings),
            says,
        )
    }
}

wire_types! {
    /// One entry of a verdict.
    #[derive(Eq)]
    #[non_exhaustive]
    pub struct VerdictDetail {
        /// The user or thing that it is about.
        pub user: String,
        /// How a test failed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub errors: Vec<String>,
        /// What is doubtful, but no reason to refuse the policy.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub warnings: Vec<String>,
    }
}

impl Answer for AclVerdict {
    const SHAPE: Shape = Shape::Validation;

    fn read(response: &Response) -> Result<AclVerdict, Error> {
        let verdict: Option<AclVerdict> = read_output(response)?;
        Ok(verdict.unwrap_or_default())
    }

    fn write(&self) -> Response {
        Response::json(200, self)
    }
}
