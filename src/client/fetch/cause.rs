//! Why there was no answer. Must not live here: error objects, what becomes of a call.
use std::fmt;

use wasm_bindgen::JsValue;

use super::object::get;
use crate::api::Interrupted;

/// Why there was no answer: whatever JavaScript threw.
#[derive(Clone, Debug)]
pub struct Cause(pub JsValue);

/// How an exchange ends without an answer.
pub(super) type Fault = Interrupted<Cause>;

impl fmt::Display for Cause {
    /// The message and that of its cause, where `fetch` hides the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = |value: &JsValue| get(value, "message").as_string().or(value.as_string());
        let inner = get(&self.0, "cause");
        match (message(&self.0), message(&inner)) {
            (Some(outer), Some(inner)) => write!(f, "{outer}: {inner}"),
            (Some(only), None) | (None, Some(only)) => f.write_str(&only),
            (None, None) => f.write_str("fetch was rejected"),
        }
    }
}

/// No answer, or only a part of one.
pub(super) fn connection(error: JsValue) -> Fault {
    Interrupted::Connection {
        cause: Cause(error),
        status: None,
    }
}
