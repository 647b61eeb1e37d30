//! Small values of Rust as values of JavaScript: the one place that makes them one by one.
//!
//! Must not live here: errors as objects (`error`), places in a text (`hujson::Issue`, `found`), anything of one namespace alone, large
//! values, and those of the policy engine and the sandboxes, which have JSON anyway and weigh 10 KiB of Brotli less with it alone (`json`).

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// A small value as plain objects and arrays, just as `JSON.parse` of its JSON would give them.
pub(crate) fn to_js(value: &impl Serialize) -> JsValue {
    match value.serialize(&Serializer::json_compatible()) {
        Ok(value) => value,
        Err(error) => error.into(),
    }
}
