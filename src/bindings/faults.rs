//! Errors of the offline helpers as what is thrown.
//!
//! Must not live here: the wording of errors, errors of the client (`call_error`).

use serde::Serialize;
use wasm_bindgen::JsValue;

use super::convert::to_js;
use super::error::{InvalidArgument, bare, marked};
use super::json::through_json;
use crate::policy::{self, Check, edit};
use crate::{
    api, cidr,
    hujson::{self, Issue},
};

impl From<api::Error> for InvalidArgument {
    fn from(error: api::Error) -> Self {
        Self(error.to_string())
    }
}

/// The object for an error of this code, with the fields of its class.
fn thrown(code: &'static str, message: &str, fields: &impl Serialize) -> JsValue {
    marked(to_js(fields), code, message)
}

#[derive(Serialize)]
struct Syntax {
    issue: Issue,
}

impl From<hujson::Error> for JsValue {
    #[inline(never)]
    fn from(error: hujson::Error) -> Self {
        let issue = Issue::syntax(&error);
        thrown(error.code(), &error.to_string(), &Syntax { issue })
    }
}

#[derive(Serialize)]
struct Operation {
    /// Its index; -1 where the list as a whole is at fault.
    operation: isize,
}

impl From<hujson::PatchError> for JsValue {
    #[inline(never)]
    fn from(error: hujson::PatchError) -> Self {
        if let Some(syntax) = error.syntax_error() {
            return syntax.clone().into();
        }
        let index = error.operation().and_then(|index| index.try_into().ok());
        let operation = index.unwrap_or(-1);
        thrown(error.code(), &error.to_string(), &Operation { operation })
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
    #[inline(never)]
    fn from(error: policy::Error) -> Self {
        let (code, message) = (error.code(), error.to_string());
        match error {
            policy::Error::Syntax(error) => error.into(),
            policy::Error::Refused(check) | policy::Error::RefusedOf(_, check) => {
                marked(through_json(&Refused { check }), code, &message)
            }
            policy::Error::Argument(_) => bare(code, &message),
        }
    }
}

impl From<InvalidArgument> for policy::Error {
    fn from(error: InvalidArgument) -> Self {
        policy::Error::Argument(error.0)
    }
}

impl From<edit::EditError> for JsValue {
    #[inline(never)]
    fn from(error: edit::EditError) -> Self {
        match error {
            edit::EditError::Syntax(error) => error.into(),
            edit::EditError::Argument(message) => InvalidArgument(message).into(),
        }
    }
}

impl From<InvalidArgument> for edit::EditError {
    fn from(error: InvalidArgument) -> Self {
        edit::EditError::Argument(error.0)
    }
}
