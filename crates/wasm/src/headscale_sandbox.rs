//! The class `HeadscaleSandbox`: a server that JavaScript holds on to, and calls on it. The engine frees it with its object.
//! Must not live here: anything but calls.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::Answer;
use crate::error::InvalidArgument;
use crate::json::through_json;
use tailnet_kit::api::given;
use tailnet_kit::sandbox::headscale::{HeadscaleSandbox, Options};

/// A sandbox of Headscale, opaque to JavaScript.
#[wasm_bindgen]
pub struct HeadscaleService(HeadscaleSandbox);

/// A sandbox from its options as JSON text. Throws `invalid_argument`.
#[wasm_bindgen]
pub fn headscale_sandbox_create(
    options: &str,
    now: f64,
) -> Result<HeadscaleService, InvalidArgument> {
    Ok(HeadscaleService(HeadscaleSandbox::new(
        Options::from_json(options)?,
        now as i64,
    )?))
}

/// Answers one request; `headers` is the JSON text of a list of pairs.
#[wasm_bindgen]
pub fn headscale_sandbox_handle(
    service: &mut HeadscaleService,
    method: &str,
    url: &str,
    headers: &str,
    body: Vec<u8>,
    now: f64,
) -> JsValue {
    let parts = (method, url, given::fields(headers), body);
    through_json(&Answer::from(&service.0.handle_parts(parts, now as i64)))
}

/// The key that it began with.
#[wasm_bindgen]
pub fn headscale_sandbox_key(service: &HeadscaleService) -> String {
    service.0.api_key().to_owned()
}

/// A number that grows with each request that may have changed something.
#[wasm_bindgen]
pub fn headscale_sandbox_revision(service: &HeadscaleService) -> f64 {
    service.0.revision() as f64
}
