//! The canonical layout, for `hujson.format` and for policies that come as objects. Must not live here: anything but calls.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::text::{put, with_text};
use crate::thrown::Thrown;
use tailnet_kit::hujson;

/// Formats the text in the buffer; its length there.
#[wasm_bindgen]
pub fn hujson_format(length: usize) -> Result<usize, Thrown> {
    Ok(put(with_text(length, hujson::format)?))
}
