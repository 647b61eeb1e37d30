//! The call that judges a policy, or runs tests against the stored one. Must not live here: any judgement (`policy`).

use super::choices::{Outcome, Refusal, refused};
use super::perform::serves;
use super::{Sandbox, acl};
use crate::api::{AclVerdict, Endpoint, Request, Response, Scope, ValidateAcl, VerdictDetail};
use crate::hujson::{self, Kind};
use crate::policy::{NOT_SYNCED, Policy, PolicyContext};

serves! {
    ValidateAcl: whole validate_acl,
}

impl Sandbox {
    /// A policy is judged; a list is run as tests of the stored policy. Status 200 whatever the verdict, except for what cannot
    /// be parsed: an empty object if there is nothing to report, otherwise `message` and, for tests and warnings, `data`.
    fn validate_acl(&self, scope: Scope, request: &Request) -> Outcome<Response> {
        let call = ValidateAcl::from_request(scope, request)?;
        let name = self.name_of(&call.tailnet)?;
        let tailnet = self.tailnet(&call.tailnet)?;
        let text = &call.body.text;
        if text.trim().is_empty() {
            return refused!("unexpected end of JSON input");
        }
        let verdict = validate(text, &tailnet.acl, &acl::context(&name, tailnet))?;
        Ok(ValidateAcl::respond(&verdict))
    }
}

fn validate(text: &str, stored: &str, context: &PolicyContext) -> Outcome<AclVerdict> {
    let tree = hujson::parse(text)?;
    if tree.root().kind() != Kind::Array {
        let policy = Policy::read(&tree);
        return Ok(match acl::judge(&policy, context) {
            Ok(()) => warnings(&policy),
            Err(refusal) => said(refusal),
        });
    }
    let with_tests = format!("{{\"tests\": {text}\n}}");
    let (stored, tests) = (hujson::parse(stored)?, hujson::parse(&with_tests)?);
    let mut policy = Policy::read(&stored);
    policy.tests = Policy::read(&tests).tests;
    policy.ssh_tests.clear();
    Ok(acl::judge(&policy, context).map_or_else(said, |()| AclVerdict::default()))
}

fn said(refusal: Refusal) -> AclVerdict {
    let message = Some(refusal.message());
    let data = match refusal {
        Refusal::FailedTests { data, .. } => data,
        _ => Vec::new(),
    };
    let detail = |detail: crate::api::Detail| VerdictDetail {
        user: detail.user.unwrap_or_default(),
        errors: detail.errors,
        warnings: Vec::new(),
    };
    let data = data.into_iter().map(detail).collect();
    AclVerdict { message, data }
}

/// The warnings about groups that an identity provider would have to sync, each once.
fn warnings(policy: &Policy<'_>) -> AclVerdict {
    let mut data: Vec<VerdictDetail> = Vec::new();
    for group in policy.unsynced_groups() {
        if !data.iter().any(|known| known.user == group.name()) {
            data.push(VerdictDetail {
                user: group.name().to_owned(),
                errors: Vec::new(),
                warnings: vec![NOT_SYNCED.to_owned()],
            });
        }
    }
    let message = (!data.is_empty()).then(|| "warning(s) found".to_owned());
    AclVerdict { message, data }
}
