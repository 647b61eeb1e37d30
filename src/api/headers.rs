//! Header names, media types and the rules of `Accept`, `ETag` and `If-Match`: writing and reading side by side.
//! Must not live here: credentials, retry times.
use std::fmt;

use super::error::Error;
use super::message::Headers;

/// Which formats a client can read.
pub const ACCEPT: &str = "Accept";
/// The methods a path knows (405).
pub const ALLOW: &str = "Allow";
/// The key.
pub const AUTHORIZATION: &str = "Authorization";
/// The size of a body.
pub const CONTENT_LENGTH: &str = "Content-Length";
/// The media type of a body.
pub const CONTENT_TYPE: &str = "Content-Type";
/// The version of the policy.
pub const ETAG: &str = "ETag";
/// The version that a write is meant for.
pub const IF_MATCH: &str = "If-Match";
/// Where a redirect leads.
pub const LOCATION: &str = "Location";
/// When to come back.
pub const RETRY_AFTER: &str = "Retry-After";
/// How to authenticate (401).
pub const WWW_AUTHENTICATE: &str = "WWW-Authenticate";
/// Names under which servers give an answer's identifier, the usual one first.
pub const REQUEST_ID: [&str; 2] = ["X-Request-Id", "Request-Id"];

/// JSON (RFC 8259).
pub const JSON: &str = "application/json";
/// JSON with comments and trailing commas.
pub const HUJSON: &str = "application/hujson";

/// What stands in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Whether the values under this name must not be shown.
pub fn is_secret(name: &str) -> bool {
    const SECRET: [&str; 5] = [
        AUTHORIZATION,
        "Proxy-Authorization",
        "Cookie",
        "Set-Cookie",
        "X-Api-Key",
    ];
    SECRET.iter().any(|secret| same_name(secret, name))
}

/// Whether two names of the protocol are the same: letter case does not count in any of them.
#[inline(never)] // It is asked in many loops, and the compiler would unroll it into each.
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Whether a name and a value can be sent (RFC 9110, sections 5.1 and 5.5): a token, and a value
/// without control characters whose characters fit a byte.
pub fn is_sendable(name: &str, value: &str) -> bool {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let visible = |c: char| c == '\t' || (!c.is_control() && u32::from(c) <= 0xFF);
    !name.is_empty() && name.chars().all(token) && value.chars().all(visible)
}

/// The two formats of a policy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AclFormat {
    /// The text as it was stored, comments included.
    #[default]
    HuJson,
    /// The parsed form, without comments.
    Json,
}

impl AclFormat {
    /// The media type that names the format, in `Accept` as in `Content-Type`.
    pub fn media_type(self) -> &'static str {
        match self {
            AclFormat::HuJson => HUJSON,
            AclFormat::Json => JSON,
        }
    }

    /// The format that an `Accept` header asks for: JSON only where `application/json` is named, in any
    /// letter case and with any parameters but `q=0`. `*/*` names nothing.
    pub fn from_accept(headers: &Headers) -> AclFormat {
        let names_json = |range: &str| {
            let mut parts = range.split(';').map(str::trim);
            let named = parts.next().is_some_and(|name| same_name(name, JSON));
            named && !parts.any(is_zero_quality)
        };
        let accept = headers.get(ACCEPT).unwrap_or_default();
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
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
        .map_or("", |(_, value)| value.trim())
        .strip_prefix('0')
        .is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b'.' | b'0')))
}

/// Whether a `Content-Type` names JSON: `application/json` or any `+json`.
pub fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let suffix = essence.rfind('+').and_then(|at| essence.get(at..));
    same_name(essence, JSON) || suffix.is_some_and(|suffix| same_name(suffix, "+json"))
}

/// The version of a policy, exactly as the server sent it (RFC 9110, section 8.8.3).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ETag(String);

impl ETag {
    /// A strong tag around these characters.
    pub fn strong(opaque: &str) -> Self {
        ETag(format!("\"{opaque}\""))
    }

    /// The tag of an answer. `None` where there is none, where it is empty, and where a browser hides it.
    pub fn read(headers: &Headers) -> Option<Self> {
        let value = headers.get(ETAG)?.trim();
        (!value.is_empty()).then(|| ETag(value.to_owned()))
    }

    /// The tag as it stands in the header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The condition of a write (RFC 9110, section 13.1.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IfMatch {
    /// `*`: whatever is stored.
    Any,
    /// One of these tags, as they stand in the header.
    Tags(Vec<String>),
}

/// The tag that stands for a policy nobody has changed yet.
const NEVER_CHANGED: &str = "\"ts-default\"";

impl IfMatch {
    /// The condition that a caller writes: a tag with or without its quotes, or `*`.
    ///
    /// # Errors
    /// [`Error::Argument`] naming `ifMatch` for an empty text, which would leave the write unguarded, and
    /// for characters that no tag has.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text == "*" {
            return Ok(IfMatch::Any);
        }
        let bare = text.strip_prefix("W/").unwrap_or(text);
        let quoted = bare
            .strip_prefix('"')
            .and_then(|inner| inner.strip_suffix('"'));
        let opaque = quoted.unwrap_or(text);
        if opaque.is_empty() && quoted.is_none() {
            let reason =
                "must not be empty: pass the `etag` of what was read, or `overwrite: true`";
            return Err(Error::argument("ifMatch", reason));
        }
        let is_tag_character = |c: char| c.is_ascii_graphic() && c != '"';
        if !opaque.chars().all(is_tag_character) {
            return Err(Error::argument("ifMatch", "is no entity tag"));
        }
        Ok(match quoted {
            Some(_) => IfMatch::Tags(vec![text.to_owned()]),
            None => IfMatch::from(ETag::strong(text)),
        })
    }

    /// The condition of a request, if it has one. A bare word is read as a tag without its quotes, and one that was quoted
    /// and escaped once more (Go's `%q` of a tag) as the tag.
    pub fn read(headers: &Headers) -> Option<Self> {
        let value = headers.get(IF_MATCH)?;
        let tags = value
            .split(',')
            .map(str::trim)
            .filter(|tag| !tag.is_empty());
        let tags: Vec<String> = tags
            .map(|tag| match tag.starts_with("W/") {
                true => tag.to_owned(),
                false => format!("\"{}\"", tag.trim_matches(['"', '\\'])),
            })
            .collect();
        Some(match value.trim() {
            "*" => IfMatch::Any,
            _ => IfMatch::Tags(tags),
        })
    }

    /// The value of the header.
    pub fn to_value(&self) -> String {
        match self {
            IfMatch::Any => "*".to_owned(),
            IfMatch::Tags(tags) => tags.join(", "),
        }
    }

    /// Whether a write under this condition may change the policy that has this tag.
    /// Weak tags match nothing.
    pub fn allows(&self, current: &ETag, never_changed: bool) -> bool {
        match self {
            IfMatch::Any => true,
            IfMatch::Tags(tags) => tags
                .iter()
                .any(|tag| tag == current.as_str() || (never_changed && tag == NEVER_CHANGED)),
        }
    }
}

impl From<ETag> for IfMatch {
    fn from(tag: ETag) -> Self {
        IfMatch::Tags(vec![tag.0])
    }
}
