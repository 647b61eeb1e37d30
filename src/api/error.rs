//! What can go wrong in writing a call and in reading its answer, and the stable codes of all failures.
//! Must not live here: the refusals of a service (`refusal`), transport failures, retries.
use std::borrow::Cow;
use std::fmt;

/// The stable words by which callers distinguish errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
}

impl Code {
    /// Every code of this layer.
    pub const ALL: [Code; 17] = [
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
    pub fn as_str(self) -> &'static str {
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
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a call or an answer could not be written or read.
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// The call cannot be written, or a request cannot be read: an option or field is missing or wrong.
    Argument {
        /// The option or field, as callers name it: `tailnet`, `routes[1]`.
        option: Cow<'static, str>,
        /// What is wrong, without the option and without secrets.
        reason: Cow<'static, str>,
    },
    /// A success whose body is not what was promised.
    Malformed {
        /// The place in the body: `devices[3].id`; empty for the body as a whole.
        at: Cow<'static, str>,
        /// What is wrong there.
        reason: Cow<'static, str>,
    },
}

impl Error {
    /// An [`Error::Argument`].
    #[inline(never)]
    pub fn argument(
        option: impl Into<Cow<'static, str>>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Error::Argument {
            option: option.into(),
            reason: reason.into(),
        }
    }

    /// An [`Error::Malformed`].
    #[inline(never)]
    pub fn malformed(
        at: impl Into<Cow<'static, str>>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Error::Malformed {
            at: at.into(),
            reason: reason.into(),
        }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Error::Argument { .. } => Code::InvalidArgument,
            Error::Malformed { .. } => Code::MalformedResponse,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Argument { option, reason } => write!(f, "`{option}` {reason}"),
            Error::Malformed { at, reason } if at.is_empty() => {
                write!(f, "the answer {reason}")
            }
            Error::Malformed { at, reason } => write!(f, "the answer's `{at}` {reason}"),
        }
    }
}

impl std::error::Error for Error {}
