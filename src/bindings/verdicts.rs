//! What the service says about a policy, as JavaScript gets it.
//! Must not live here: documents and previews (`reply`), what the engine itself says (`policy`).

use js_sys::{Array, Function, Object};
use wasm_bindgen::{JsCast, JsValue};

use super::body::value;
use crate::api::{AclVerdict, ETag, Error, Response, VerdictDetail};
use crate::client::fetch::{Fetched, get, put};

/// `{ text, etag, warnings, errors }`.
pub(super) fn details(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let details = value(response)?;
    let text = decoded(&get(&details, "acl"));
    let text = text.ok_or_else(|| Error::malformed("acl", "is not Base64 of UTF-8"))?;
    let answer = Object::new();
    put(&answer, "text", text);
    let etag = ETag::read(&response.headers);
    let etag = etag.map_or(JsValue::NULL, |etag| etag.as_str().into());
    put(&answer, "etag", etag);
    put(&answer, "warnings", texts(list(&details, "warnings")));
    put(&answer, "errors", texts(list(&details, "errors")));
    Ok(answer.into())
}

/// `{ outcome, message, data }`; without words `message` is null, and of each entry of `data` both lists are there.
pub(super) fn validation(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let body = value(response)?;
    let entries = get(&body, "data");
    let entries = Array::is_array(&entries).then(|| entries.unchecked_into::<Array>());
    let detail = |entry: JsValue| VerdictDetail {
        user: get(&entry, "user").as_string().unwrap_or_default(),
        errors: list(&entry, "errors"),
        warnings: list(&entry, "warnings"),
    };
    let verdict = AclVerdict {
        message: get(&body, "message").as_string(),
        data: entries.iter().flat_map(Array::iter).map(detail).collect(),
    };
    let answer = Object::new();
    put(&answer, "outcome", verdict.outcome().as_str());
    let message = verdict.message.map_or(JsValue::NULL, JsValue::from);
    put(&answer, "message", message);
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

/// The text behind Base64, by the engine's own decoder.
fn decoded(encoded: &JsValue) -> Option<String> {
    let decode: Function = get(&js_sys::global(), "atob").dyn_into().ok()?;
    let binary = decode
        .call1(&JsValue::UNDEFINED, encoded)
        .ok()?
        .as_string()?;
    String::from_utf8(binary.chars().map(|byte| byte as u8).collect()).ok()
}

/// The texts of a list that may be missing.
fn list(object: &JsValue, name: &str) -> Vec<String> {
    let found = get(object, name);
    let found = Array::is_array(&found).then(|| found.unchecked_into::<Array>());
    found
        .iter()
        .flat_map(Array::iter)
        .filter_map(|text| text.as_string())
        .collect()
}

fn texts(texts: Vec<String>) -> Array {
    texts.into_iter().map(JsValue::from).collect()
}
