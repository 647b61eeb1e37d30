//! The `hujson` namespace, but for `format` (`layout`) and `fromJSON5` (`json5`). Must not live here: anything but calls.
//!
//! `length` is that of the text in the buffer of `text`; so is a returned length.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::convert::to_js;
use crate::found::Found;
use crate::text::{put, with_bytes, with_text};
use crate::thrown::Thrown;
use tailnet_kit::hujson::{self, Change, Issue, PatchError};

/// Where to cut the text, of which the buffer holds one byte a unit (see [`hujson::cuts`]), for
/// `JSON.parse` to judge the rest: start and end of each cut in turn. Nothing when it is no HuJSON.
#[wasm_bindgen]
pub fn hujson_cuts(units: usize) -> Option<Vec<u32>> {
    with_bytes(units, |bytes| hujson::cuts(bytes))
}

/// Cuts the text in the buffer in the same way; the length of the rest.
#[wasm_bindgen]
pub fn hujson_squeeze(units: usize) -> Option<usize> {
    with_bytes(units, hujson::squeeze)
}

/// Throws the syntax error of the text, if it has one.
#[wasm_bindgen]
pub fn hujson_check(length: usize) -> Result<(), Thrown> {
    Ok(with_text(length, hujson::check)?)
}

/// The syntax error of a text that was no Unicode: a stray surrogate stood at the UTF-16 `offset`.
#[wasm_bindgen]
pub fn hujson_refuse_surrogate(length: usize, offset: usize) -> JsValue {
    let error = with_text(length, |text| hujson::refuse_surrogate(text, offset));
    Thrown::from(error).into()
}

/// Blanks comments and trailing commas in the buffer; whether there were any.
#[wasm_bindgen]
pub fn hujson_standardize(length: usize) -> Result<bool, Thrown> {
    Ok(with_bytes(length, hujson::standardize_bytes)?)
}

/// Minimizes the text in the buffer.
#[wasm_bindgen]
pub fn hujson_minimize(length: usize) -> Result<usize, Thrown> {
    Ok(put(with_text(length, hujson::minimize)?))
}

/// Carries out the operations, as JSON text, on the text in the buffer. Only what changed is put
/// there; how many UTF-16 units of the old text stay before and behind it, and its length.
#[wasm_bindgen]
pub fn hujson_patch(length: usize, operations: &str) -> Result<Vec<usize>, Thrown> {
    let (mut text, change) = with_text(length, |text| changed(text, operations))?;
    text.truncate(change.new.end);
    text.drain(..change.new.start);
    Ok(vec![change.before, change.behind, put(text)])
}

/// Whether the text is plain JSON.
#[wasm_bindgen]
pub fn hujson_is_standard(length: usize) -> bool {
    with_text(length, hujson::is_standard)
}

/// What the pointer finds: its JSON and its place; null for nothing.
#[wasm_bindgen]
pub fn hujson_find(length: usize, pointer: &str) -> Result<JsValue, Thrown> {
    let found = with_text(length, |text| Found::at(text, pointer))?;
    Ok(to_js(&found))
}

/// The pointer of what stands at the UTF-16 `offset`.
#[wasm_bindgen]
pub fn hujson_pointer_at(length: usize, offset: usize) -> Result<String, Thrown> {
    with_text(length, |text| {
        let at = hujson::byte_offset(text, offset).unwrap_or(text.len());
        Ok(hujson::pointer::pointer_at(&hujson::parse(text)?, at))
    })
}

/// The warnings about a text without syntax errors, as an array of issues; throws its syntax error.
#[wasm_bindgen]
pub fn hujson_warnings(length: usize) -> Result<JsValue, Thrown> {
    Ok(to_js(&with_text(length, Issue::warnings)?))
}

fn changed(text: &str, operations: &str) -> Result<(String, Change), PatchError> {
    let patched = hujson::patch_by(text, operations, js_sys::parse_float)?;
    let change = Change::between(text, &patched);
    Ok((patched, change))
}
