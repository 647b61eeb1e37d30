//! Names of headers, media types, and what holds for all of them.
//!
//! ```
//! use tailnet_kit::api::headers;
//!
//! assert!(headers::is_json("application/problem+json; charset=utf-8"));
//! assert!(headers::is_secret("Authorization"));
//! assert!(!headers::is_sendable("X-Note", "two\nlines"));
//! ```
// The lowest file of this layer: it uses none of the others. Must not live here: what one header says (`etag`, `retry_after`, `credentials`).

use crate::tables::find;

/// Which formats a client can read.
pub const ACCEPT: &str = "Accept";
/// The methods that a path allows (405).
pub const ALLOW: &str = "Allow";
/// The credentials.
pub const AUTHORIZATION: &str = "Authorization";
/// The media type of a body.
pub const CONTENT_TYPE: &str = "Content-Type";
/// The version of the policy.
pub const ETAG: &str = "ETag";
/// The version that a write is meant for.
pub const IF_MATCH: &str = "If-Match";
/// Where a redirect leads.
pub const LOCATION: &str = "Location";
/// When to try again.
pub const RETRY_AFTER: &str = "Retry-After";
/// What proves that a delivery to a webhook is the service's: `t=<seconds>,v1=<hexadecimal>`.
pub const WEBHOOK_SIGNATURE: &str = "Tailscale-Webhook-Signature";
/// How to authenticate (401).
pub const WWW_AUTHENTICATE: &str = "WWW-Authenticate";
/// The headers with an answer's identifier: the service's own, then those of other servers with the same API.
pub const REQUEST_ID: [&str; 3] = ["X-Tailscale-Request-Id", "X-Request-Id", "Request-Id"];

/// JSON (RFC 8259).
pub const JSON: &str = "application/json";
/// Pairs of names and values as HTML forms are sent (URL standard, section 5).
pub const FORM: &str = "application/x-www-form-urlencoded";
/// JSON with comments and trailing commas.
pub const HUJSON: &str = "application/hujson";

/// The text that replaces a secret.
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

/// Whether two names of the protocol are the same, whatever their letter case.
#[inline(never)] // It is called in many loops, and the compiler would inline it into each.
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Whether a name and a value can be sent (RFC 9110, sections 5.1 and 5.5): a token, and a value
/// without control characters whose characters fit a byte.
pub fn is_sendable(name: &str, value: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || find::has("!#$%&'*+-.^_`|~", byte);
    let visible = |c: char| c == '\t' || (!c.is_control() && u32::from(c) <= 0xFF);
    !name.is_empty() && name.bytes().all(token) && value.chars().all(visible)
}

/// Whether a `Content-Type` names JSON: `application/json` or any `+json`.
pub fn is_json(media_type: &str) -> bool {
    let essence = find::split(media_type, b';').next();
    let essence = essence.unwrap_or_default().trim();
    let suffix = find::rsplit_once(essence, b'+').map(|(_, suffix)| suffix);
    same_name(essence, JSON) || suffix.is_some_and(|suffix| same_name(suffix, "json"))
}
