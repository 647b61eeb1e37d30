//! The error of a patch: which operation, what about it.
//!
//! Must not live here: the wording of each reason, which is where the rule is.

use std::fmt;

use super::super::Error;
use crate::Code;

/// Why a patch was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatchError {
    operation: Option<usize>,
    /// The operation's name and path, as far as known.
    target: Option<(&'static str, String)>,
    reason: String,
    syntax: Option<Box<Error>>,
}

impl PatchError {
    pub(super) fn syntax(error: Error) -> Self {
        Self {
            syntax: Some(Box::new(error)),
            ..Self::whole(String::new())
        }
    }

    pub(super) fn whole(reason: String) -> Self {
        Self {
            operation: None,
            target: None,
            reason,
            syntax: None,
        }
    }

    pub(super) fn at(index: usize, reason: String) -> Self {
        Self {
            operation: Some(index),
            ..Self::whole(reason)
        }
    }

    pub(super) fn of(self, name: &'static str, path: &str) -> Self {
        Self {
            target: Some((name, path.to_owned())),
            ..self
        }
    }

    /// The index of the operation that failed; none if the text or the list of operations
    /// as a whole is at fault.
    pub fn operation(&self) -> Option<usize> {
        self.operation
    }

    /// `json_patch`, or `hujson_syntax` if the text to be patched is not HuJSON.
    pub fn code(&self) -> Code {
        self.syntax
            .as_ref()
            .map_or(Code::JsonPatch, |error| error.code())
    }

    /// What is wrong with the text to be patched, if it is at fault.
    pub fn syntax_error(&self) -> Option<&Error> {
        self.syntax.as_deref()
    }

    /// The message alone, without the operation.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(error) = &self.syntax {
            return error.fmt(f);
        }
        if let Some(index) = self.operation {
            write!(f, "operation {index}")?;
            if let Some((name, path)) = &self.target {
                write!(f, " ({name} `{path}`)")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for PatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.syntax.as_deref().map(|error| error as _)
    }
}
