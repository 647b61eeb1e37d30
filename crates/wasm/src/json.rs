//! Large values on their way to JavaScript, all of the policy engine and of the sandboxes: as JSON text, which the engine parses.
//!
//! Must not live here: small values (`convert`), arguments.

use serde::Serialize;
use wasm_bindgen::JsValue;

/// The value as JSON text. Nothing in the shapes that go out can fail to become JSON.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A value as `JSON.parse` of its JSON gives it, which for a large one is quicker than making objects one by one.
pub(crate) fn through_json(value: &impl Serialize) -> JsValue {
    parsed(&to_json(value))
}

#[inline(never)]
fn parsed(json: &str) -> JsValue {
    js_sys::JSON::parse(json).unwrap_or_default()
}
