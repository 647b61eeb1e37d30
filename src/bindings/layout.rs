//! The canonical layout, for `hujson.format` and for policies that come as objects. Must not live here: anything but calls.

use wasm_bindgen::prelude::wasm_bindgen;

use super::text::{put, with_text};
use crate::hujson::{self, Error};

/// Formats the text in the buffer; its length there.
#[wasm_bindgen]
pub fn hujson_format(length: usize) -> Result<usize, Error> {
    with_text(length, hujson::format).map(put)
}
