//! How a call ends when it does not succeed: what happened, on which attempt of which call.
//! Must not live here: the decision to repeat (`retry`).
use std::fmt;

use super::error::Error;
use super::message::{Method, Response};
use super::refusal::Refusal;
use crate::Code;

/// A call that failed. `B` is a body and `C` a cause, both in the terms of the transport.
#[derive(Clone, PartialEq, Debug)]
pub struct CallError<B, C> {
    /// What happened.
    pub kind: Kind<B, C>,
    /// How many times the call was sent; 0 if it never was.
    pub attempts: u32,
    /// The method of the call.
    pub method: Method,
    /// The path of the call, without base URL and query.
    pub path: String,
}

/// What happened to a call.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Kind<B, C> {
    /// The call could not be written; nothing was sent.
    Argument(Error),
    /// The service said no.
    Refused {
        /// What it said.
        refusal: Box<Refusal>,
        /// The answer.
        response: Response<B>,
    },
    /// A success whose body is not what was promised.
    Malformed {
        /// Where and why.
        error: Box<Error>,
        /// The answer.
        response: Response<B>,
    },
    /// A body beyond the limit.
    TooLarge {
        /// The status that came before it.
        status: u16,
        /// The limit in bytes.
        limit: u64,
    },
    /// No answer, or only a part of one.
    Connection {
        /// What failed.
        cause: C,
        /// What the cause says, without the key.
        said: String,
        /// The status, where the connection failed only during the body.
        status: Option<u16>,
    },
    /// A redirect that must not be followed.
    Redirected {
        /// The status.
        status: u16,
        /// Why the redirect is not followed.
        reason: &'static str,
    },
    /// The time was up; the cause is the failure before it, if there was one.
    Timeout(Option<Box<CallError<B, C>>>),
    /// The caller stopped the call.
    Aborted(C),
    /// A function of the caller failed: a hook, or the one that gives the key. Its error is passed on as it is.
    Hook(C),
    /// The policy came without an ETag, so that a write could not be guarded.
    EtagUnavailable,
    /// The policy was written by somebody else meanwhile, where a server knows no guarded writes.
    Changed,
    /// The server is too old; it is served since this release.
    Unserved(&'static str),
    /// A guarded write met a conflict each time; the cause is the last one.
    Conflict(Box<CallError<B, C>>),
}

impl<B, C> CallError<B, C> {
    /// The stable code.
    pub fn code(&self) -> Code {
        match &self.kind {
            Kind::Argument(error) => error.code(),
            Kind::Malformed { error, .. } => error.code(),
            Kind::Refused { refusal, .. } => refusal.code(),
            Kind::TooLarge { .. } => Code::MalformedResponse,
            Kind::Connection { .. } | Kind::Redirected { .. } => Code::Connection,
            Kind::Timeout(_) => Code::Timeout,
            Kind::Aborted(_) | Kind::Hook(_) => Code::Aborted,
            Kind::EtagUnavailable => Code::EtagUnavailable,
            Kind::Changed => Code::Conflict,
            Kind::Unserved(_) => Code::NotImplemented,
            Kind::Conflict(last) => last.code(),
        }
    }

    /// The status of the answer, where one came.
    pub fn status(&self) -> Option<u16> {
        match &self.kind {
            Kind::Refused { response, .. } | Kind::Malformed { response, .. } => {
                Some(response.status)
            }
            Kind::TooLarge { status, .. } | Kind::Redirected { status, .. } => Some(*status),
            Kind::Connection { status, .. } => *status,
            Kind::Conflict(last) => last.status(),
            _ => None,
        }
    }

    /// Whether a guarded write met a version other than the one it was meant for.
    pub fn is_conflict(&self) -> bool {
        matches!(self.code(), Code::Conflict | Code::PreconditionFailed)
    }
}

impl<B, C: fmt::Display> fmt::Display for CallError<B, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Argument(error) => error.fmt(f),
            Kind::Malformed { error, .. } => error.fmt(f),
            Kind::Refused { refusal, .. } => refusal.fmt(f),
            Kind::TooLarge { limit, .. } => {
                write!(f, "the answer has more than {limit} bytes")
            }
            Kind::Connection { said, .. } => write!(f, "connection failed: {said}"),
            Kind::Redirected { status, reason } => {
                write!(f, "the service redirects with status {status}: {reason}")
            }
            Kind::Timeout(None) => f.write_str("no answer in time"),
            Kind::Timeout(Some(last)) => write!(f, "no success in time: {last}"),
            Kind::Aborted(_) => f.write_str("the call was aborted"),
            Kind::Hook(cause) => write!(f, "a function of the caller failed: {cause}"),
            Kind::EtagUnavailable => f.write_str(
                "the policy came without an ETag, so a write could not be guarded; \
                 in a page, let the server expose the header (Access-Control-Expose-Headers: ETag)",
            ),
            Kind::Changed => f.write_str("the policy was changed by somebody else meanwhile"),
            Kind::Unserved(since) => write!(f, "this server is too old: it takes {since}"),
            Kind::Conflict(last) => write!(f, "the policy kept changing: {last}"),
        }
    }
}

impl<B: fmt::Debug, C: fmt::Debug + fmt::Display> std::error::Error for CallError<B, C> {}
