//! The `hujson` namespace. Must not live here: anything but calls.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{Issue, to_js};
use crate::hujson::{self, Locator};

/// Throws the syntax error of the text, if it has one.
#[wasm_bindgen]
pub fn hujson_check(text: &str) -> Result<(), hujson::Error> {
    hujson::check(text)
}

/// The warnings about a text without syntax errors, as an array of issues; throws its syntax error.
#[wasm_bindgen]
pub fn hujson_warnings(text: &str) -> Result<JsValue, hujson::Error> {
    let places = Locator::new(text);
    let duplicates = hujson::duplicates(&hujson::parse(text)?);
    let warn = |duplicate| Issue::duplicate(duplicate, &places);
    Ok(to_js(&Vec::from_iter(duplicates.iter().map(warn))))
}
