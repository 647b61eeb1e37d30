//! The verbs of the namespace `policy` that most pages need: the verdict, questions about one flow or party, tests, the parsed form. They
//! have a wasm file of their own, less than half of that of all verbs. Must not live here: anything but calls; the form of questions is in
//! `asked`.
//!
//! `length` is that of the document in the buffer of `text`, `context` that of its context behind it.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json::through_json;
use crate::text::with_text;
use crate::thrown::Thrown;
use crate::{asked, dialect, memo};
use tailnet_kit::policy::{self, Preview};

/// The verdict on a document; never throws for what the document says.
#[wasm_bindgen]
pub fn policy_check(length: usize, context: usize) -> Result<JsValue, Thrown> {
    Ok(through_json(&memo::check(length, context)?))
}

/// The rules that concern somebody or something. Lines are left out for a document that was no text.
#[wasm_bindgen]
pub fn policy_preview(
    length: usize,
    context: usize,
    is_text: bool,
    query: &str,
) -> Result<JsValue, Thrown> {
    let query = asked::query(query)?;
    let reading = memo::open(length, context)?;
    let preview = reading.judge().preview(&query)?;
    Ok(shown(preview, is_text))
}

/// How the tests of a document end.
#[wasm_bindgen]
pub fn policy_run_tests(length: usize, context: usize) -> Result<JsValue, Thrown> {
    Ok(through_json(memo::read(length, context)?.tests()))
}

/// Why a flow passes or not, and whether it arrives at this time.
#[wasm_bindgen]
pub fn policy_explain(
    length: usize,
    context: usize,
    flow: &str,
    now: &str,
) -> Result<JsValue, Thrown> {
    let flow = asked::flow(flow, now)?;
    let reading = memo::open(length, context)?;
    Ok(through_json(&reading.judge().explain(&flow)?))
}

/// The parsed form of a document, as the text of `JSON.stringify`.
#[wasm_bindgen]
pub fn policy_to_json(length: usize, dialect: u8) -> Result<String, Thrown> {
    Ok(with_text(length, |text| {
        policy::to_json(dialect::named(text, dialect))
    })?)
}

/// Lines of a text that nobody wrote mean nothing.
fn shown(preview: Preview<'_>, is_text: bool) -> JsValue {
    match is_text {
        true => through_json(&preview),
        false => through_json(&preview.without_lines()),
    }
}
