//! Rust errors as what is thrown: plain objects `{ code, message, …fields }`, which the facade
//! turns into the error class of that code.
//!
//! Must not live here: the errors of one layer alone, the wording of errors.

use js_sys::{Object, Reflect};
use tailnet_kit::Code;
use wasm_bindgen::JsValue;

use crate::thrown::Thrown;

/// The object for an error of this code that has no fields of its own.
pub(crate) fn bare(code: Code, message: &str) -> JsValue {
    marked(Object::new().into(), code, message)
}

/// The object with what every thrown one has.
#[inline(never)]
pub(crate) fn marked(object: JsValue, code: Code, message: &str) -> JsValue {
    for (name, value) in [("code", code.as_str()), ("message", message)] {
        // A plain object takes every member.
        let _ = Reflect::set(&object, &name.into(), &value.into());
    }
    object
}

impl From<InvalidArgument> for Thrown {
    fn from(error: InvalidArgument) -> Self {
        Thrown(error.into())
    }
}

/// An argument that is not what the export takes, with the reason.
pub(crate) struct InvalidArgument(pub String);

impl From<InvalidArgument> for JsValue {
    #[inline(never)]
    fn from(error: InvalidArgument) -> Self {
        bare(Code::InvalidArgument, &error.0)
    }
}
