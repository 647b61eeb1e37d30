//! The policy calls and what they carry.
//! Must not live here: what a policy means (`policy`).
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::etag::{ETag, IfMatch};
use super::headers;
use super::message::{Headers, Request, Response};
use super::payload::{Answer, Payload, given_as_json, null_as_default};
use super::shape::{Form, Shape};
use super::table::operations;
use super::uri;
use super::verdict::AclVerdict;

/// The two formats of a policy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AclFormat {
    /// The text as it is stored, with its comments.
    #[default]
    HuJson,
    /// The parsed form, without comments.
    Json,
}

impl AclFormat {
    /// The media type that names the format, in `Accept` as in `Content-Type`.
    pub fn media_type(self) -> &'static str {
        match self {
            AclFormat::HuJson => headers::HUJSON,
            AclFormat::Json => headers::JSON,
        }
    }

    /// The format that an `Accept` header asks for: JSON only where `application/json` is named, in any
    /// letter case and with any parameters but `q=0`. `*/*` names nothing.
    pub fn from_accept(given: &Headers) -> AclFormat {
        let names_json = |range: &str| {
            let mut parts = range.split(';').map(str::trim);
            let named = parts
                .next()
                .is_some_and(|name| headers::same_name(name, headers::JSON));
            named && !parts.any(is_zero_quality)
        };
        let accept = given.get(headers::ACCEPT).unwrap_or_default();
        if accept.split(',').any(names_json) {
            AclFormat::Json
        } else {
            AclFormat::HuJson
        }
    }
}

/// `q=0`, `q=0.0` …: "not this one" (RFC 9110, section 12.4.2).
fn is_zero_quality(parameter: &str) -> bool {
    parameter
        .split_once('=')
        .filter(|(name, _)| headers::same_name(name.trim(), "q"))
        .map_or("", |(_, value)| value.trim())
        .strip_prefix('0')
        .is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b'.' | b'0')))
}

/// A policy on the wire: its text, byte for byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AclBody {
    /// How the text is labelled. Readers judge the text and not the label.
    pub format: AclFormat,
    /// The text.
    pub text: String,
}

/// A policy as the service holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AclDocument {
    /// Whether the text is the stored one or its parsed form.
    pub format: AclFormat,
    /// The text.
    pub text: String,
    /// The version, for [`AclChange::if_match`]; `None` where the server sends none or a browser hides it.
    pub etag: Option<ETag>,
}

/// The rules of a policy that concern a user, or one address and port.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AclPreview {
    /// The login, or the address and port, that was asked about.
    #[serde(default)]
    pub user: String,
    /// `user` or `ipport`; only newer services send it.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The same under the name that newer services use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview_for: Option<String>,
    /// The rules, in the order of the policy.
    #[serde(deserialize_with = "null_as_default")]
    pub matches: Vec<AclMatch>,
    /// The conditions of the postures that the matches name; only newer services send them.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub postures: BTreeMap<String, Vec<String>>,
}

/// One rule of a preview, as the policy writes it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AclMatch {
    /// Sources.
    #[serde(default, deserialize_with = "null_as_default")]
    pub users: Vec<String>,
    /// Destinations with their ports.
    #[serde(default, deserialize_with = "null_as_default")]
    pub ports: Vec<String>,
    /// Line of the submitted text, from 1; of use for HuJSON only.
    #[serde(default)]
    pub line_number: Option<u32>,
    /// The tags of a grant's `via`, of which the router must have one; only newer services send them.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// The postures of which a source must meet one; only newer services send them.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
}

/// What a preview asks about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PreviewFor {
    /// A user's login name.
    User(String),
    /// An address and a port.
    IpPort(String),
}

/// The answer to [`AclWanted::details`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AclDetails {
    /// The stored text as Base64.
    pub acl: String,
    /// What is doubtful about the policy.
    #[serde(default, deserialize_with = "null_as_default")]
    pub warnings: Vec<String>,
    /// What is wrong with the policy.
    #[serde(default, deserialize_with = "null_as_default")]
    pub errors: Vec<String>,
}

const DETAILS: &str = "details";
const USER: &str = "user";
const TYPE: &str = "type";
const PREVIEW_FOR: &str = "previewFor";

impl PreviewFor {
    /// The login, or the address and port.
    pub fn as_str(&self) -> &str {
        match self {
            PreviewFor::User(text) | PreviewFor::IpPort(text) => text,
        }
    }

    /// Writes the question as newer services want it, and a user also for those that know only `user` (docs/service.md#preview).
    fn write(&self, target: &mut String) {
        let kind = match self {
            PreviewFor::User(user) => {
                uri::push_query(target, USER, user);
                "user"
            }
            PreviewFor::IpPort(_) => "ipport",
        };
        uri::push_query(target, TYPE, kind);
        uri::push_query(target, PREVIEW_FOR, self.as_str());
    }

    /// Reads the question in either form.
    fn read(query: &str) -> Result<PreviewFor, Error> {
        let value = |name| uri::query_value(query, name).filter(|value| !value.is_empty());
        if let Some(user) = value(USER) {
            return Ok(PreviewFor::User(user));
        }
        let asked = value(PREVIEW_FOR).ok_or_else(|| Error::argument(USER, "is missing"))?;
        match value(TYPE).as_deref() {
            None | Some("user") => Ok(PreviewFor::User(asked)),
            Some("ipport") => Ok(PreviewFor::IpPort(asked)),
            Some(other) => Err(Error::argument(
                TYPE,
                format!("must be `user` or `ipport`, not `{other}`"),
            )),
        }
    }
}

/// Which form of the stored policy is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AclWanted {
    /// The format of the answer.
    pub format: AclFormat,
    /// Extension: the policy in JSON, together with warnings and errors about it.
    pub details: bool,
}

impl Payload for AclWanted {
    const FORM: Form = Form::Policy;

    fn write(&self, request: &mut Request) {
        if self.details {
            // Some services give details only without `Accept`, and only for this value.
            uri::push_query(&mut request.target, DETAILS, "true");
        } else {
            accept(&mut request.headers, self.format);
        }
    }

    fn read(request: &Request) -> Result<Self, Error> {
        let details = uri::query_value(request.query(), DETAILS);
        Ok(AclWanted {
            format: AclFormat::from_accept(&request.headers),
            details: details.is_some_and(|value| value == "1" || value == "true"),
        })
    }
}

/// A policy that is to replace the stored one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AclChange {
    /// The new policy.
    pub body: AclBody,
    /// The version to replace; `None` overwrites any version.
    pub if_match: Option<IfMatch>,
    /// The format of the answer.
    pub format: AclFormat,
}

impl Payload for AclChange {
    const FORM: Form = Form::Policy;

    fn write(&self, request: &mut Request) {
        self.body.write_text(request);
        accept(&mut request.headers, self.format);
        if let Some(condition) = &self.if_match {
            request.headers.set(headers::IF_MATCH, condition.to_value());
        }
    }

    fn read(request: &Request) -> Result<Self, Error> {
        Ok(AclChange {
            body: AclBody::read(request)?,
            if_match: IfMatch::read(&request.headers),
            format: AclFormat::from_accept(&request.headers),
        })
    }
}

/// A question about a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AclQuestion {
    /// The policy in question.
    pub body: AclBody,
    /// What it is asked about.
    pub preview_for: PreviewFor,
}

impl Payload for AclQuestion {
    const FORM: Form = Form::Policy;

    fn write(&self, request: &mut Request) {
        Payload::write(&self.body, request);
        self.preview_for.write(&mut request.target);
    }

    fn read(request: &Request) -> Result<Self, Error> {
        Ok(AclQuestion {
            body: AclBody::read(request)?,
            preview_for: PreviewFor::read(request.query())?,
        })
    }
}

impl AclBody {
    fn write_text(&self, request: &mut Request) {
        let label = self.format.media_type();
        request.headers.set(headers::CONTENT_TYPE, label);
        request.body = self.text.clone().into_bytes();
    }
}

/// A policy to judge, or a list of tests: the answer comes in JSON.
impl Payload for AclBody {
    const FORM: Form = Form::Policy;

    fn write(&self, request: &mut Request) {
        self.write_text(request);
        accept(&mut request.headers, AclFormat::Json);
    }

    fn read(request: &Request) -> Result<AclBody, Error> {
        let text = String::from_utf8(request.body.clone())
            .map_err(|_| Error::argument("body", "is not UTF-8"))?;
        let format = labelled(&request.headers);
        Ok(AclBody { format, text })
    }
}

/// Names the wanted format, as every policy call does: servers differ in what they send by default.
fn accept(headers: &mut Headers, format: AclFormat) {
    headers.set(headers::ACCEPT, format.media_type());
}

impl AclDocument {
    /// The policy in an answer with these header fields and this text.
    pub fn new(headers: &Headers, text: String) -> Self {
        let format = labelled(headers);
        let etag = ETag::read(headers);
        AclDocument { format, text, etag }
    }
}

/// JSON where `Content-Type` names it, else HuJSON.
fn labelled(headers: &Headers) -> AclFormat {
    let content_type = headers.get(headers::CONTENT_TYPE);
    match content_type.is_some_and(headers::is_json) {
        true => AclFormat::Json,
        false => AclFormat::HuJson,
    }
}

impl Answer for AclDocument {
    const SHAPE: Shape = Shape::Policy;

    fn read(response: &Response) -> Result<AclDocument, Error> {
        let text = String::from_utf8(response.body.clone())
            .map_err(|_| Error::malformed("", "is not UTF-8"))?;
        Ok(AclDocument::new(&response.headers, text))
    }

    fn write(&self) -> Response {
        let body = self.text.clone().into_bytes();
        let mut response = Response::with_body(200, self.format.media_type(), body);
        if let Some(etag) = &self.etag {
            response.headers.set(headers::ETAG, etag.as_str());
        }
        response
    }
}

given_as_json! { AclPreview: Shape::Preview, }

const ACL: &str = "/api/v2/tailnet/:tailnet/acl";

operations! {
    /// The access-control policy: the text as its authors wrote it, with the ETag.
    GetAcl(tailnet: TailnetName) "acl.get", Get ACL, Read;
        sends wanted: AclWanted; gives AclDocument; needs Area("policy_file"); refuses "`not_found`";
        typed "(params?: { /** The text. */ format?: 'hujson' }): AclText";
        typed "/** The parsed form; also from a service that sends the stored text instead. */ (params: { /** The parsed form. */ format: 'json' }): AclJson";
        example "const { text, etag } = await client.acl.get()";
        heads "acl" "The policy of the tailnet.";
    /// Replaces the access-control policy if it still has the ETag that was read, or unconditionally.
    SetAcl(tailnet: TailnetName) "acl.set", Post ACL, Once;
        sends change: AclChange; gives AclDocument; needs Area("policy_file"); logs part(Policy, "", "ACL");
        refuses "`bad_request` (invalid policy, failing tests), `precondition_failed`, `conflict`, `etag_unavailable` (`ifMatch` is null, as the service sent none)";
        typed "(acl: string | AclPolicy, how: AclReplaced & { /** The text comes back. */ format?: 'hujson' }): AclText";
        typed "/** The same; returns the parsed form. */ (acl: string | AclPolicy, how: AclReplaced & { /** The parsed form comes back. */ format: 'json' }): AclJson";
        example "const { text, etag } = await client.acl.get()
        await client.acl.set(policy.edit.setHost(text, 'nas', '192.168.10.5'), { ifMatch: etag })";
    /// The rules of a given policy that concern a user, or an address and port; stores nothing.
    PreviewAcl(tailnet: TailnetName) "acl.preview", Post "/api/v2/tailnet/:tailnet/acl/preview", Read;
        sends question: AclQuestion; gives AclPreview; needs Area("policy_file"); refuses "`bad_request`";
        typed "(acl: string | AclPolicy, params: { /** Login name. */ user: string } | { /** `ip:port`. */ ipPort: string }): AclPreview";
        example "const { matches } = await client.acl.preview('{\"acls\": [{\"action\": \"accept\", \"src\": [\"*\"], \"dst\": [\"*:*\"]}]}', { user: 'bob@example.com' })
        matches[0].ports // → ['*:*']";
    /// Judges a policy, or runs tests against the stored one; stores nothing.
    ValidateAcl(tailnet: TailnetName) "acl.validate", Post "/api/v2/tailnet/:tailnet/acl/validate", Read;
        sends body: AclBody; gives AclVerdict; needs Area("policy_file"); refuses "`bad_request` (cannot be parsed)";
        typed "(acl: string | AclPolicy | PolicyTest[]): AclValidation";
        example "const { outcome } = await client.acl.validate([{ src: 'dave@example.com', deny: ['tag:db:5432'] }])
        outcome // → 'valid'";
}
