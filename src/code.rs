//! The stable codes of all errors that this crate gives, in one list.
//! Must not live here: the errors themselves, their words, the codes of findings about a policy or a prefix.

use std::fmt;

/// The stable word by which callers distinguish errors, the same in Rust, in JavaScript and in the output of the command.
///
/// ```
/// use tailnet_kit::{Code, hujson};
///
/// let error = hujson::standardize("{").expect_err("no end");
/// assert_eq!(error.code(), Code::HujsonSyntax);
/// assert_eq!(Code::for_status(404).as_str(), "not_found");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Code {
    /// 400.
    BadRequest,
    /// 401.
    Authentication,
    /// 403.
    PermissionDenied,
    /// 404.
    NotFound,
    /// 409.
    Conflict,
    /// 412.
    PreconditionFailed,
    /// 429.
    RateLimit,
    /// 501.
    NotImplemented,
    /// Any other 5xx.
    ServerError,
    /// Any other status that is not a success.
    UnexpectedStatus,
    /// No whole answer came, or a redirect that must not be followed.
    Connection,
    /// The time was up.
    Timeout,
    /// The caller stopped the call, or a function of the caller failed.
    Aborted,
    /// A success whose body is too large, or not what was promised.
    MalformedResponse,
    /// An argument is missing or wrong.
    InvalidArgument,
    /// The policy came without an ETag, so that a write could not be guarded.
    EtagUnavailable,
    /// A delivery of a webhook that is not proven to be the service's.
    WebhookSignature,
    /// A text is not HuJSON.
    HujsonSyntax,
    /// A JSON patch is not one, or does not fit the text (RFC 6902).
    JsonPatch,
    /// The service would refuse the policy.
    PolicyRefused,
    /// In JavaScript alone: a file of the package was called before it was loaded.
    NotInitialized,
}

impl Code {
    /// Every code.
    pub const ALL: [Code; 21] = [
        Code::BadRequest,
        Code::Authentication,
        Code::PermissionDenied,
        Code::NotFound,
        Code::Conflict,
        Code::PreconditionFailed,
        Code::RateLimit,
        Code::NotImplemented,
        Code::ServerError,
        Code::UnexpectedStatus,
        Code::Connection,
        Code::Timeout,
        Code::Aborted,
        Code::MalformedResponse,
        Code::InvalidArgument,
        Code::EtagUnavailable,
        Code::WebhookSignature,
        Code::HujsonSyntax,
        Code::JsonPatch,
        Code::PolicyRefused,
        Code::NotInitialized,
    ];

    /// The code of a status that is not a success.
    pub fn for_status(status: u16) -> Code {
        match status {
            400 => Code::BadRequest,
            401 => Code::Authentication,
            403 => Code::PermissionDenied,
            404 => Code::NotFound,
            409 => Code::Conflict,
            412 => Code::PreconditionFailed,
            429 => Code::RateLimit,
            501 => Code::NotImplemented,
            500..=599 => Code::ServerError,
            _ => Code::UnexpectedStatus,
        }
    }

    /// The word itself, snake_case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::BadRequest => "bad_request",
            Code::Authentication => "authentication",
            Code::PermissionDenied => "permission_denied",
            Code::NotFound => "not_found",
            Code::Conflict => "conflict",
            Code::PreconditionFailed => "precondition_failed",
            Code::RateLimit => "rate_limit",
            Code::NotImplemented => "not_implemented",
            Code::ServerError => "server_error",
            Code::UnexpectedStatus => "unexpected_status",
            Code::Connection => "connection",
            Code::Timeout => "timeout",
            Code::Aborted => "aborted",
            Code::MalformedResponse => "malformed_response",
            Code::InvalidArgument => "invalid_argument",
            Code::EtagUnavailable => "etag_unavailable",
            Code::WebhookSignature => "webhook_signature",
            Code::HujsonSyntax => "hujson_syntax",
            Code::JsonPatch => "json_patch",
            Code::PolicyRefused => "policy_refused",
            Code::NotInitialized => "not_initialized",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, word: &&str) -> bool {
        self.as_str() == *word
    }
}
