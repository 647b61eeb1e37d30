//! Bodies that are JSON, as native values. Must not live here: what is promised of them.

use js_sys::Array;
use wasm_bindgen::JsValue;

use tailnet_kit::api::{Error, Response};
use tailnet_kit::client::fetch::Fetched;
use tailnet_kit::client::fetch::bindings::get;

/// The value of a JSON body.
pub(crate) fn value(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let parsed = response.body.json();
    parsed.map_err(|error| Error::malformed("", format!("is not JSON: {}", message(&error))))
}

fn message(error: &JsValue) -> String {
    get(error, "message").as_string().unwrap_or_default()
}

/// The value of a JSON body that is an object.
pub(crate) fn object(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let body = value(response)?;
    if body.is_object() && !Array::is_array(&body) {
        return Ok(body);
    }
    Err(Error::malformed("", "is not a JSON object"))
}
