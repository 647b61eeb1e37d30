//! The call that has the service judge a policy, and what it says. Must not live here: storing policies (`acl`).
use serde::{Deserialize, Serialize};

use super::acl::{AclBody, AclFormat, accept};
use super::endpoint::{Endpoint, null_as_default, read_output, request};
use super::error::Error;
use super::message::{Request, Response};
use super::operation::Operation;
use super::place::{PathStyle, Scope, TailnetName};

/// `POST`: how the service judges this policy, or how these tests of the stored one end; stores nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidateAcl {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// A policy, or a list of tests.
    pub body: AclBody,
}

/// The answer to [`ValidateAcl`], which is a success whatever the verdict: without a message all is well, with one and
/// no data the policy cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AclVerdict {
    /// What is to be said, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Single tests or names.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<VerdictDetail>,
}

/// What a verdict comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AclOutcome {
    /// The service would take the policy, or the tests hold.
    Valid,
    /// It would take it, and has something to say.
    Warnings,
    /// Tests fail.
    TestsFailed,
    /// It would not take it.
    Invalid,
}

impl AclOutcome {
    /// What a verdict with any errors, any warnings, or only a message comes to.
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
    /// What it comes to. Status 200 alone says only that the service looked.
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

/// One entry of a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct VerdictDetail {
    /// The user or thing that it is about.
    #[serde(default)]
    pub user: String,
    /// How a test failed.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// What does not stop the policy.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Endpoint for ValidateAcl {
    const OPERATION: Operation = Operation::ValidateAcl;
    type Output = AclVerdict;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn to_request(&self, style: PathStyle) -> Request {
        let request = request(Self::OPERATION, &self.scope(), style);
        let mut request = self.body.write(request);
        accept(&mut request.headers, AclFormat::Json);
        request
    }

    fn output(response: &Response) -> Result<AclVerdict, Error> {
        let verdict: Option<AclVerdict> = read_output(response)?;
        Ok(verdict.unwrap_or_default())
    }

    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error> {
        Ok(ValidateAcl {
            tailnet: scope.tailnet()?,
            body: AclBody::read(request)?,
        })
    }

    fn respond(output: &AclVerdict) -> Response {
        Response::json(200, output)
    }
}
