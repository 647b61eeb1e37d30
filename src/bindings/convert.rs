//! Rust values to JavaScript and back: the one place that does it.
//!
//! Must not live here: errors as objects (`error`), places in a text (`hujson::Issue`, `found`), anything of one namespace alone.

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// The value as plain objects and arrays, just as `JSON.parse` of its JSON would give them.
pub(super) fn to_js(value: &impl Serialize) -> JsValue {
    match value.serialize(&Serializer::json_compatible()) {
        Ok(value) => value,
        Err(error) => error.into(),
    }
}
