//! Rust values to JavaScript and back: the one place that does it.
//!
//! Must not live here: errors as objects (`error`), places in a text (`hujson::Issue`, `found`), anything of one namespace alone.

use serde::Serialize;
use wasm_bindgen::JsValue;

/// The value as JSON text. Nothing in the shapes that go out can fail to become JSON.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The value as plain objects and arrays: its JSON, parsed by the engine, which is quicker than making them one by one.
pub(super) fn to_js(value: &impl Serialize) -> JsValue {
    parsed(&to_json(value))
}

#[inline(never)]
fn parsed(json: &str) -> JsValue {
    js_sys::JSON::parse(json).unwrap_or_default()
}
