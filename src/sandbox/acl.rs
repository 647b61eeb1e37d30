//! The three calls about the policy, and what they need. Must not live here: any judgement of a policy (`policy`).

use serde::Serialize;

use super::choices::{Outcome, Refusal, refused};
use super::perform::serves;
use super::{Device, Person, Sandbox, Tailnet, etag};
use crate::api::{
    AclDetails, AclDocument, AclFormat, Detail, Endpoint, GetAcl, PreviewAcl, PreviewFor, Request,
    Response, Scope, SetAcl, headers,
};
use crate::hujson;
use crate::policy::{self, Finding, Policy, PolicyContext, Query, Subject};
use crate::tables::base64;

/// The policy of a new tailnet: everybody reaches everything.
const DEFAULT: &str = include_str!("example/default.hujson");

serves! {
    GetAcl: whole get_acl,
    SetAcl: timed set_acl,
    PreviewAcl: whole preview_acl,
}

impl Sandbox {
    fn get_acl(&self, scope: Scope, request: &Request) -> Outcome<Response> {
        let call = GetAcl::from_request(scope, request)?;
        let tailnet = self.tailnet(&call.tailnet)?;
        if call.wanted.details {
            Ok(details(
                tailnet,
                &context(&self.name_of(&call.tailnet)?, tailnet),
            ))
        } else {
            Ok(GetAcl::respond(&document(tailnet, call.wanted.format)?))
        }
    }

    /// First the condition, then the verdict: a caller who would overwrite another's change learns that before anything else.
    fn set_acl(&mut self, call: SetAcl, now: i64) -> Outcome<AclDocument> {
        let change = call.change;
        let name = self.name_of(&call.tailnet)?;
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        let current = etag::of(&tailnet.acl);
        if change
            .if_match
            .is_some_and(|condition| !condition.allows(&current, !tailnet.acl_changed))
        {
            return Err(Refusal::StaleTag);
        }
        // An empty body is no policy: it brings back the one that every tailnet begins with.
        if change.body.text.trim().is_empty() {
            tailnet.change_acl(DEFAULT.to_owned(), now);
            tailnet.acl_changed = false;
            return document(tailnet, change.format);
        }
        judge(
            &Policy::read(&hujson::parse(&change.body.text)?),
            &context(&name, tailnet),
        )?;
        tailnet.change_acl(change.body.text, now);
        document(tailnet, change.format)
    }

    fn preview_acl(&self, scope: Scope, request: &Request) -> Outcome<Response> {
        let call = PreviewAcl::from_request(scope, request)?;
        let name = self.name_of(&call.tailnet)?;
        let context = context(&name, self.tailnet(&call.tailnet)?);
        let tree = hujson::parse(&call.question.body.text)?;
        let policy = Policy::read(&tree);
        judge(&policy, &context)?;
        let (kind, query) = question(call.question.preview_for)?;
        let preview = policy.preview(&query, &context);
        let preview = preview.map_err(|error| Refusal::BadRequest(error.to_string()))?;
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

impl Tailnet {
    /// Replaces the policy. Devices whose tag has lost its owners by that are signed out.
    fn change_acl(&mut self, text: String, now: i64) {
        let before = owned_tags(&self.acl);
        let after = owned_tags(&text);
        let is_lost = |tag: &String| before.contains(tag) && !after.contains(tag);
        for device in &mut self.devices {
            if !device.is_external() && device.list("tags").iter().any(is_lost) {
                device.sign_out(now);
            }
        }
        self.replace_acl(text);
    }
}

/// The tags that have owners in this policy.
fn owned_tags(acl: &str) -> Vec<String> {
    let tree = hujson::parse(acl).ok();
    let policy = tree.as_ref().map(Policy::read);
    let owners = policy.iter().flat_map(|policy| policy.tag_owners.iter());
    owners.map(|(tag, _)| tag.name().to_owned()).collect()
}

/// A preview as newer services send it: with the question under each of its names.
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

fn question(asked: PreviewFor) -> Outcome<(&'static str, Query)> {
    match asked {
        PreviewFor::User(login) => Ok(("user", Query::Of(Subject::User(login)))),
        PreviewFor::IpPort(text) => match Query::ip_port(&text) {
            Some(query) => Ok(("ipport", query)),
            None => refused!("`{text}` is not an address and a port"),
        },
    }
}

/// The stored policy in one of its two formats; both have the ETag of the text.
fn document(tailnet: &Tailnet, format: AclFormat) -> Outcome<AclDocument> {
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

/// The stored text with the service's own words about it.
fn details(tailnet: &Tailnet, context: &PolicyContext) -> Response {
    let (errors, warnings) = match hujson::parse(&tailnet.acl) {
        Err(error) => (vec![error.to_string()], Vec::new()),
        Ok(tree) => {
            let policy = Policy::read(&tree);
            let errors = messages(policy.judge(context).problems);
            (errors, messages(policy.warnings(context)))
        }
    };
    let acl = base64::encode(tailnet.acl.as_bytes());
    let answer = AclDetails {
        acl,
        warnings,
        errors,
    };
    let mut response = Response::json(200, &answer);
    let etag = etag::of(&tailnet.acl);
    response.headers.set(headers::ETAG, etag.as_str());
    response
}

fn messages(findings: Vec<Finding>) -> Vec<String> {
    findings
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

/// What the text of a policy cannot say about a tailnet: users, devices, mail domains. A personal tailnet has no domain.
/// A device without valid addresses does not count, and without devices nothing is known about them.
pub(super) fn context(name: &str, tailnet: &Tailnet) -> PolicyContext {
    let read = |device: &Device| policy::Device::try_from(device.for_policy()).ok();
    let devices: Vec<policy::Device> = tailnet.devices.iter().filter_map(read).collect();
    let user = |user: &Person| policy::User {
        login_name: user.login_name.clone(),
        role: user.role.clone(),
        ..policy::User::default()
    };
    PolicyContext {
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
        // It is the service, and no identity provider syncs with it.
        groups: Some(Vec::new()),
        ..PolicyContext::default()
    }
}

/// Whether the service accepts the policy; failed tests are listed if nothing else comes first.
pub(super) fn judge(policy: &Policy<'_>, context: &PolicyContext) -> Outcome<()> {
    let judgement = policy.judge(context);
    let Some(message) = judgement.message else {
        return Ok(());
    };
    if !judgement.problems.is_empty() {
        return Err(Refusal::BadRequest(message));
    }
    let mut data = Vec::new();
    for result in judgement.tests.results {
        if result.passed == Some(false) {
            data.push(Detail {
                user: Some(result.src),
                errors: result.errors,
            });
        }
    }
    Err(Refusal::FailedTests { message, data })
}

impl From<hujson::Error> for Refusal {
    fn from(error: hujson::Error) -> Refusal {
        Refusal::BadRequest(error.to_string())
    }
}

/// The parsed form. Only a snapshot can contain a policy that has none.
fn parsed(text: &str) -> Outcome<String> {
    policy::to_json(text).map_err(|error| Refusal::UnreadablePolicy(error.to_string()))
}
