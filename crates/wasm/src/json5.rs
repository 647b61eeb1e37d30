//! `hujson.fromJSON5`, which has a file of its own: it alone needs another grammar's tables. Must not live here: anything but calls.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::text::{put, with_text};
use crate::thrown::Thrown;
use tailnet_kit::hujson;

/// Turns the JSON5 in the buffer into HuJSON that is yet to be formatted, by the file that has the layout; its length there.
/// Nothing for HuJSON to be formatted as it is.
#[wasm_bindgen]
pub fn json5_as_hujson(length: usize) -> Result<Option<usize>, Thrown> {
    let hujson = with_text(length, hujson::json5_as_hujson)?;
    Ok(hujson.map(put))
}

/// The syntax error of a text that was no Unicode: a stray surrogate stood at the UTF-16 `offset`.
#[wasm_bindgen]
pub fn json5_refuse_surrogate(length: usize, offset: usize) -> JsValue {
    let error = with_text(length, |text| {
        hujson::refuse_surrogate_in_json5(text, offset)
    });
    Thrown::from(error).into()
}
