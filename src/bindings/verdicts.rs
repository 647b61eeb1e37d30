//! What the service says about a policy, as JavaScript gets it.
//! Must not live here: documents and previews (`reply`), what the engine itself says (`policy`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use js_sys::{Array, Object};
use wasm_bindgen::JsValue;

use crate::api::{AclDetails, AclVerdict, ETag, Error, Response};
use crate::client::fetch::{Fetched, put};

/// `{ text, etag, warnings, errors }`.
pub(super) fn details(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let details: AclDetails = read(response)?;
    let text = STANDARD.decode(details.acl).ok();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.ok_or_else(|| Error::malformed("acl", "is not Base64 of UTF-8"))?;
    let answer = Object::new();
    put(&answer, "text", text);
    let etag = ETag::read(&response.headers);
    let etag = etag.map_or(JsValue::NULL, |etag| etag.as_str().into());
    put(&answer, "etag", etag);
    put(&answer, "warnings", texts(details.warnings));
    put(&answer, "errors", texts(details.errors));
    Ok(answer.into())
}

/// `{ outcome, message, data }`; of each entry of `data` both lists are there.
pub(super) fn validation(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let verdict: Option<AclVerdict> = read(response)?;
    let verdict = verdict.unwrap_or_default();
    let answer = Object::new();
    put(&answer, "outcome", verdict.outcome().as_str());
    put(&answer, "message", verdict.message);
    let data = Array::new();
    for detail in verdict.data {
        let entry = Object::new();
        put(&entry, "user", detail.user);
        put(&entry, "errors", texts(detail.errors));
        put(&entry, "warnings", texts(detail.warnings));
        data.push(&entry);
    }
    put(&answer, "data", data);
    Ok(answer.into())
}

fn read<T: serde::de::DeserializeOwned>(response: &Response<Fetched>) -> Result<T, Error> {
    let text = response.body.string().map(String::from);
    let text = text.map_err(|_| Error::malformed("", "is not UTF-8"))?;
    let text = if text.is_empty() { "null" } else { &text };
    serde_json::from_str(text).map_err(|error| Error::malformed("", error.to_string()))
}

fn texts(texts: Vec<String>) -> Array {
    texts.into_iter().map(JsValue::from).collect()
}
