//! What can go wrong in writing a call and in reading its answer.
//! Must not live here: the refusals of a service (`refusal`), transport failures, retries, the codes (`crate::code`).
use std::borrow::Cow;
use std::fmt;

use crate::Code;

/// Why a call or an answer could not be written or read.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
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
