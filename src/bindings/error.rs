//! Rust errors as what is thrown: plain objects `{ code, message, …fields }`, which the facade
//! turns into the error class of that code. The one place that does it.
//!
//! An export returns `Result<_, SomeError>`; the `From` below does the rest. Must not live here: the
//! wording of errors.

use serde::Serialize;
use wasm_bindgen::JsValue;

use super::convert::{Issue, to_js};
use crate::policy::{self, Check};
use crate::{cidr, hujson};

/// What every thrown object has, beside the fields of its class.
#[derive(Serialize)]
struct Thrown<F: Serialize> {
    code: &'static str,
    message: String,
    #[serde(flatten)]
    fields: F,
}

fn thrown(code: &'static str, message: String, fields: impl Serialize) -> JsValue {
    to_js(&Thrown {
        code,
        message,
        fields,
    })
}

#[derive(Serialize)]
struct Syntax {
    issue: Issue,
}

impl From<hujson::Error> for JsValue {
    fn from(error: hujson::Error) -> Self {
        let issue = Issue::from(&error);
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

/// An argument that is not what the export takes, with the reason.
pub(super) struct InvalidArgument(pub String);

impl From<InvalidArgument> for JsValue {
    fn from(error: InvalidArgument) -> Self {
        thrown("invalid_argument", error.0, ())
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
