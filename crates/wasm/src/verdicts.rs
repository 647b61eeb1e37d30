//! What the service says about a policy, as JavaScript gets it.
//! Must not live here: documents and previews (`reply`), what the engine itself says (`policy`).

use js_sys::{Array, Function, Object};
use wasm_bindgen::{JsCast, JsValue};

use crate::body::value;
use tailnet_kit::api::{AclOutcome, ETag, Error, Response};
use tailnet_kit::client::fetch::Fetched;
use tailnet_kit::client::fetch::bindings::{get, put};

/// `{ text, etag, warnings, errors }`.
pub(crate) fn details(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let details = value(response)?;
    let text = decoded(&get(&details, "acl"));
    let text = text.ok_or_else(|| Error::malformed("acl", "is not Base64 of UTF-8"))?;
    let answer = Object::new();
    put(&answer, "text", text);
    let etag = ETag::read(&response.headers);
    let etag = etag.map_or(JsValue::NULL, |etag| etag.as_str().into());
    put(&answer, "etag", etag);
    put(&answer, "warnings", texts(&details, "warnings"));
    put(&answer, "errors", texts(&details, "errors"));
    Ok(answer.into())
}

/// `{ outcome, message, data }`; without words `message` is null, and of each entry of `data` both lists are there.
pub(crate) fn validation(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let body = value(response)?;
    let (mut failed, mut warned) = (false, false);
    let data = Array::new();
    for given in list(&body, "data").iter() {
        let (errors, warnings) = (texts(&given, "errors"), texts(&given, "warnings"));
        failed |= errors.length() > 0;
        warned |= warnings.length() > 0;
        let entry = Object::new();
        put(&entry, "user", text(&given, "user").unwrap_or_default());
        put(&entry, "errors", errors);
        put(&entry, "warnings", warnings);
        data.push(&entry);
    }
    let message = text(&body, "message");
    let says = message.as_ref().is_some_and(|text| !text.is_empty());
    let outcome = AclOutcome::of(failed, warned, says);
    let answer = Object::new();
    put(&answer, "outcome", outcome.as_str());
    put(
        &answer,
        "message",
        message.map_or(JsValue::NULL, JsValue::from),
    );
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

fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// A list; an empty one where there is none.
fn list(object: &JsValue, name: &str) -> Array {
    let found = get(object, name);
    match Array::is_array(&found) {
        true => found.unchecked_into(),
        false => Array::new(),
    }
}

/// The texts of a list that may be missing.
fn texts(object: &JsValue, name: &str) -> Array {
    let texts = Array::new();
    for text in list(object, name).iter().filter(JsValue::is_string) {
        texts.push(&text);
    }
    texts
}
