//! What can go wrong between a call and its answer: three families, kept apart, and the stable codes.
//! Must not live here: transport failures, retries, JavaScript's error classes.
use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::headers;
use super::message::{Headers, Response};
use super::retry;

/// The stable words by which callers tell errors apart.
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
    /// Any other status that is no success.
    UnexpectedStatus,
    /// No answer came.
    Connection,
    /// The time was up.
    Timeout,
    /// The caller stopped the call.
    Aborted,
    /// A success whose body is not what was promised.
    MalformedResponse,
    /// The call cannot be written.
    InvalidArgument,
    /// A guarded write without a version to guard it.
    EtagUnavailable,
}

impl Code {
    /// Every code of this layer.
    pub const ALL: [Code; 16] = [
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
    ];

    /// The code of a status that is no success.
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
    /// The service said no.
    Refused(Box<Refusal>),
}

impl Error {
    /// An [`Error::Argument`].
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
            Error::Refused(refusal) => refusal.code(),
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
            Error::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// An answer that is no success, read leniently: whatever its body, status and class survive.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// The status code.
    pub status: u16,
    /// The service's own `message`; without one the body's text where it is short and plain, else the status.
    pub message: String,
    /// What the service says about single tests or users.
    pub details: Vec<Detail>,
    /// Seconds to wait, from `Retry-After` in either form.
    pub retry_after: Option<f64>,
    /// The answer's identifier, if the server names one.
    pub request_id: Option<String>,
    /// The body as text.
    pub body: String,
}

/// One entry of a refusal's `data`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Detail {
    /// Whom or what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What was found.
    pub errors: Vec<String>,
}

impl Detail {
    /// Reads every entry that is an object; in it, whatever has not the right type counts as absent.
    fn read_all(json: Option<&Value>) -> Vec<Detail> {
        let mut details = Vec::new();
        let Some(Value::Array(entries)) = json.and_then(|json| json.get("data")) else {
            return details;
        };
        for entry in entries.iter().filter(|entry| entry.is_object()) {
            let mut detail = Detail::default();
            if let Some(Value::String(user)) = entry.get("user") {
                detail.user = Some(user.clone());
            }
            if let Some(Value::Array(errors)) = entry.get("errors") {
                let texts = errors.iter().filter_map(Value::as_str);
                detail.errors.extend(texts.map(str::to_owned));
            }
            details.push(detail);
        }
        details
    }
}

/// The longest body that is shown in place of a message.
const SHOWN: usize = 200;

impl Refusal {
    /// Reads an answer. `now` is the clock in milliseconds since 1970, for dates in `Retry-After`.
    pub fn read(status: u16, headers: &Headers, body: &str, now: f64) -> Refusal {
        let json: Option<Value> = serde_json::from_str(body).ok();
        let message = json
            .as_ref()
            .and_then(|json| json.get("message")?.as_str())
            .filter(|message| !message.is_empty())
            .map_or_else(
                || plain_message(status, body, json.is_some()),
                str::to_owned,
            );
        Refusal {
            status,
            message,
            details: Detail::read_all(json.as_ref()),
            retry_after: headers
                .get(headers::RETRY_AFTER)
                .and_then(|value| retry::retry_after_seconds(value, now)),
            request_id: headers::REQUEST_ID
                .iter()
                .find_map(|name| headers.get(name))
                .map(str::to_owned),
            body: body.to_owned(),
        }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        Code::for_status(self.status)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A line for an answer without a `message`: a short plain body, else the status.
fn plain_message(status: u16, body: &str, is_json: bool) -> String {
    let text = body.trim();
    let plain = !text.is_empty() && text.len() <= SHOWN && !text.starts_with('<') && !is_json;
    if plain {
        text.to_owned()
    } else {
        format!("the service answered with status {status}")
    }
}

/// The body that the service sends with a refusal; the counterpart of [`Refusal::read`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusalBody {
    /// What went wrong, for people.
    pub message: String,
    /// What was found, one entry a test or user; absent where there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<Detail>,
}

impl Response {
    /// The answer of a server that says no, with a message and nothing else.
    pub fn refusal(status: u16, message: impl Into<String>) -> Response {
        let body = RefusalBody {
            message: message.into(),
            data: Vec::new(),
        };
        Response::json(status, &body)
    }
}
