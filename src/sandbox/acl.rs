//! The three calls about the policy, and what surrounds it. Must not live here: any opinion about a policy (`policy`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::choices::{Refusal, WARNINGS};
use super::{Device, Sandbox, Tailnet, User, etag};
use crate::api::{
    AclDetails, AclDocument, AclFormat, Detail, Endpoint, GetAcl, PreviewAcl, PreviewFor, Request,
    Response, Scope, SetAcl, headers,
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

    pub(super) fn preview_acl(&self, scope: Scope, request: &Request) -> Result<Response, Refusal> {
        let call = PreviewAcl::from_request(scope, request)?;
        let name = self.name_of(&call.tailnet)?;
        let topology = topology(&name, self.tailnet(&call.tailnet)?);
        let tree = hujson::parse(&call.body.text)?;
        let policy = Policy::read(&tree);
        judge(&policy, &topology)?;
        let (kind, query) = question(call.preview_for)?;
        let preview = policy.preview(&query, &topology);
        Ok(Response::json(
            200,
            &Previewed {
                user: query.text(),
                kind,
                preview_for: query.text(),
                matches: &preview.matches,
                postures: &preview.postures,
            },
        ))
    }
}

/// A preview as newer services send it: the question under each of its names.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Previewed<'p> {
    user: &'p str,
    #[serde(rename = "type")]
    kind: &'static str,
    preview_for: &'p str,
    matches: &'p [policy::Match<'p>],
    #[serde(skip_serializing_if = "policy::Postures::is_empty")]
    postures: &'p policy::Postures<'p>,
}

fn question(asked: PreviewFor) -> Result<(&'static str, Query), Refusal> {
    match asked {
        PreviewFor::User(login) => Ok(("user", Query::User(login))),
        PreviewFor::IpPort(text) => match Query::ip_port(&text) {
            Some(query) => Ok(("ipport", query)),
            None => Err(Refusal::BadRequest(format!(
                "`{text}` is not an address and a port"
            ))),
        },
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
    let mut answer = AclDetails {
        acl: STANDARD.encode(&tailnet.acl),
        warnings: Vec::new(),
        errors: Vec::new(),
    };
    for issue in policy::check(&tailnet.acl, topology).issues {
        match issue.severity {
            Severity::Error => answer.errors.push(issue.message),
            Severity::Warning if WARNINGS.contains(&issue.code) => {
                answer.warnings.push(issue.message);
            }
            Severity::Warning => {}
        }
    }
    let mut response = Response::json(200, &answer);
    let etag = etag::of(&tailnet.acl);
    response.headers.set(headers::ETAG, etag.as_str());
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
