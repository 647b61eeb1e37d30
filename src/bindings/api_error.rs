//! What is wrong with options and arguments of calls as what is thrown, for the client and the gateway.
//! Must not live here: errors of calls that were made (`call_error`).

use js_sys::Object;
use wasm_bindgen::JsValue;

use crate::api::{Code, Error};
use crate::client::fetch::put;

impl From<Error> for JsValue {
    #[inline(never)]
    fn from(error: Error) -> Self {
        thrown(error.code(), error.to_string()).into()
    }
}

/// What every thrown object has.
pub(super) fn thrown(code: Code, message: String) -> Object {
    let object = Object::new();
    put(&object, "code", code.as_str());
    put(&object, "message", message);
    object
}
