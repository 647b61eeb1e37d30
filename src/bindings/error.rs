//! Rust errors as what is thrown: plain objects `{ code, message, …fields }`, which the facade
//! turns into the error class of that code.
//!
//! An export returns `Result<_, SomeError>`; its `From` does the rest. Must not live here: the errors of one layer
//! alone, the wording of errors.

use serde::Serialize;
use wasm_bindgen::JsValue;

use super::convert::to_js;

/// What every thrown object has, beside the fields of its class.
#[derive(Serialize)]
struct Thrown<F: Serialize> {
    code: &'static str,
    message: String,
    #[serde(flatten)]
    fields: F,
}

/// The object for an error of this code.
pub(super) fn thrown(code: &'static str, message: String, fields: impl Serialize) -> JsValue {
    to_js(&Thrown {
        code,
        message,
        fields,
    })
}

/// An argument that is not what the export takes, with the reason.
pub(super) struct InvalidArgument(pub String);

impl From<InvalidArgument> for JsValue {
    fn from(error: InvalidArgument) -> Self {
        thrown("invalid_argument", error.0, ())
    }
}
