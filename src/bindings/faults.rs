//! Errors of the offline helpers as what is thrown, and arguments that cannot be read.
//!
//! Must not live here: the wording of errors, errors of the client (`call_error`).

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use super::error::{InvalidArgument, thrown};
use crate::policy::{self, Check};
use crate::{
    cidr,
    hujson::{self, Issue},
};

/// An argument that came as the text of `JSON.stringify`.
pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, InvalidArgument> {
    serde_json::from_str(text).map_err(|error| InvalidArgument(unreadable(&error)))
}

/// The caller wrote values, so that a line and column of their JSON would say nothing.
#[inline(never)]
fn unreadable(error: &serde_json::Error) -> String {
    let said = error.to_string();
    if said.contains("hex escape") {
        return "half of a surrogate pair, which is no text".to_owned();
    }
    let reason = said.split(" at line ").next().unwrap_or_default();
    format!("not what this takes: {reason}")
}

#[derive(Serialize)]
struct Syntax {
    issue: Issue,
}

impl From<hujson::Error> for JsValue {
    fn from(error: hujson::Error) -> Self {
        let issue = Issue::syntax(&error);
        thrown(error.code(), error.to_string(), Syntax { issue })
    }
}

#[derive(Serialize)]
struct Operation {
    /// Its index; -1 where the list as a whole is at fault.
    operation: isize,
}

impl From<hujson::PatchError> for JsValue {
    fn from(error: hujson::PatchError) -> Self {
        if let Some(syntax) = error.syntax_error() {
            return syntax.clone().into();
        }
        let index = error.operation().and_then(|index| index.try_into().ok());
        let operation = index.unwrap_or(-1);
        thrown(error.code(), error.to_string(), Operation { operation })
    }
}

impl From<cidr::Error> for InvalidArgument {
    fn from(error: cidr::Error) -> Self {
        Self(error.to_string())
    }
}

#[derive(Serialize)]
struct Refused {
    check: Box<Check>,
}

impl From<policy::Error> for JsValue {
    fn from(error: policy::Error) -> Self {
        let (code, message) = (error.code(), error.to_string());
        match error {
            policy::Error::Syntax(error) => error.into(),
            policy::Error::Refused(check) => thrown(code, message, Refused { check }),
            policy::Error::Argument(_) => thrown(code, message, ()),
        }
    }
}

impl From<InvalidArgument> for policy::Error {
    fn from(error: InvalidArgument) -> Self {
        policy::Error::Argument(error.0)
    }
}
