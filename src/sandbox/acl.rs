//! The three calls about the policy, and what surrounds it. Must not live here: any opinion about a policy (`policy`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::choices::Refusal;
use super::{Device, Sandbox, Tailnet, User, etag};
use crate::api::{
    AclDetails, AclDocument, AclFormat, AclMatch, AclPreview, Detail, Endpoint, GetAcl, PreviewAcl,
    PreviewFor, Request, Response, Scope, SetAcl, headers,
};
use crate::hujson;
use crate::policy::{self, Policy, Query, Severity, TestReport, TestResult, Topology};

impl Sandbox {
    pub(super) fn get_acl(&self, scope: Scope, request: &Request) -> Result<Response, Refusal> {
        let call = GetAcl::from_request(scope, request)?;
        let tailnet = self.tailnet(&call.tailnet)?;
        if call.details {
            Ok(details(
                tailnet,
                &topology(&self.name_of(&call.tailnet)?, tailnet),
            ))
        } else {
            Ok(GetAcl::respond(&document(tailnet, call.format)?))
        }
    }

    /// First the condition, then the verdict: who would overwrite another's change learns that before anything else.
    pub(super) fn set_acl(&mut self, call: SetAcl) -> Result<AclDocument, Refusal> {
        let name = self.name_of(&call.tailnet)?;
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        let current = etag::of(&tailnet.acl);
        if call
            .if_match
            .is_some_and(|condition| !condition.allows(&current, !tailnet.acl_changed))
        {
            return Err(Refusal::StaleTag);
        }
        judge(
            &Policy::read(&hujson::parse(&call.body.text)?),
            &topology(&name, tailnet),
        )?;
        tailnet.replace_acl(call.body.text);
        document(tailnet, call.format)
    }

    pub(super) fn preview_acl(&self, call: PreviewAcl) -> Result<AclPreview, Refusal> {
        let name = self.name_of(&call.tailnet)?;
        let topology = topology(&name, self.tailnet(&call.tailnet)?);
        let tree = hujson::parse(&call.body.text)?;
        let policy = Policy::read(&tree);
        judge(&policy, &topology)?;
        let (kind, asked, query) = question(call.preview_for)?;
        let matches = policy
            .preview(&query, &topology)
            .matches
            .into_iter()
            .map(in_wire_form)
            .collect();
        Ok(AclPreview {
            user: asked.clone(),
            kind: Some(kind.to_owned()),
            preview_for: Some(asked),
            matches,
        })
    }
}

fn question(asked: PreviewFor) -> Result<(&'static str, String, Query), Refusal> {
    match asked {
        PreviewFor::User(login) => Ok(("user", login.clone(), Query::User(login))),
        PreviewFor::IpPort(text) => match Query::ip_port(&text) {
            Some(query) => Ok(("ipport", text, query)),
            None => Err(Refusal::BadRequest(format!(
                "`{text}` is not an address and a port"
            ))),
        },
    }
}

fn in_wire_form(found: policy::Match<'_>) -> AclMatch {
    let owned = |texts: Vec<std::borrow::Cow<'_, str>>| {
        texts.into_iter().map(|text| text.into_owned()).collect()
    };
    let line_number = found.line_number.and_then(|line| u32::try_from(line).ok());
    AclMatch {
        users: owned(found.users),
        ports: owned(found.ports),
        line_number,
    }
}

/// The stored policy in one of its two formats; both carry the ETag of the text.
fn document(tailnet: &Tailnet, format: AclFormat) -> Result<AclDocument, Refusal> {
    let text = match format {
        AclFormat::HuJson => tailnet.acl.clone(),
        AclFormat::Json => parsed(&tailnet.acl)?,
    };
    Ok(AclDocument {
        format,
        text,
        etag: Some(etag::of(&tailnet.acl)),
    })
}

fn details(tailnet: &Tailnet, topology: &Topology) -> Response {
    let issues = policy::check(&tailnet.acl, topology).issues;
    let (errors, warnings): (Vec<_>, Vec<_>) = issues
        .into_iter()
        .partition(|issue| issue.severity == Severity::Error);
    let messages =
        |issues: Vec<policy::Issue>| issues.into_iter().map(|issue| issue.message).collect();
    let acl = STANDARD.encode(&tailnet.acl);
    let answer = AclDetails {
        acl,
        warnings: messages(warnings),
        errors: messages(errors),
    };
    let mut response = Response::json(200, &answer);
    response
        .headers
        .set(headers::ETAG, etag::of(&tailnet.acl).as_str());
    response
}

/// What the text of a policy cannot say about a tailnet: users, devices, mail domains. One person's tailnet has no domain;
/// a device whose addresses are none does not count, and where there are no devices nothing is known of them.
pub(super) fn topology(name: &str, tailnet: &Tailnet) -> Topology {
    let read = |device: &Device| policy::Device::deserialize(device.fields()).ok();
    let devices: Vec<policy::Device> = tailnet.devices.iter().filter_map(read).collect();
    let user = |user: &User| policy::User {
        login_name: user.login_name.clone(),
        role: user.role.clone(),
    };
    Topology {
        devices: (!devices.is_empty()).then_some(devices),
        users: tailnet
            .users
            .as_ref()
            .map(|users| users.iter().map(user).collect()),
        domains: Some(if name.contains('@') {
            Vec::new()
        } else {
            vec![name.to_owned()]
        }),
    }
}

/// Whether the service takes the policy.
pub(super) fn judge(policy: &Policy<'_>, topology: &Topology) -> Result<(), Refusal> {
    policy.accept(topology).map_err(Refusal::from)
}

/// The tests that failed, as a refusal lists them.
pub(super) fn failures(report: &TestReport) -> Vec<Detail> {
    let failed = report
        .results
        .iter()
        .filter(|result| result.passed == Some(false));
    let detail = |result: &TestResult| Detail {
        user: Some(result.src.clone()),
        errors: result.errors.clone(),
    };
    failed.map(detail).collect()
}

impl From<hujson::Error> for Refusal {
    fn from(error: hujson::Error) -> Refusal {
        Refusal::InvalidPolicy(error.to_string())
    }
}

impl From<policy::Error> for Refusal {
    /// The first issue is the one that the message is about; failed tests are listed where nothing comes before them.
    fn from(error: policy::Error) -> Refusal {
        let policy::Error::Refused(check) = error else {
            return Refusal::InvalidPolicy(error.to_string());
        };
        let message = check.message.unwrap_or_default();
        match check.issues.first() {
            Some(issue) if issue.code == "test_failed" => Refusal::FailedTests {
                message,
                data: failures(&check.tests),
            },
            _ => Refusal::InvalidPolicy(message),
        }
    }
}

/// The parsed form. Only a snapshot can bring in a policy that has none.
fn parsed(text: &str) -> Result<String, Refusal> {
    policy::to_json(text).map_err(|error| Refusal::UnreadablePolicy(error.to_string()))
}
