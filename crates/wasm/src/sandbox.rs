//! The class `Sandbox`: a service that JavaScript holds on to, and calls on it. The engine frees it with its object.
//! Must not live here: anything but calls.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::Answer;
use crate::error::InvalidArgument;
use crate::json::through_json;
use tailnet_kit::api::given;
use tailnet_kit::sandbox::{BASE_URL, Error, Options, Sandbox};

/// A sandbox, opaque to JavaScript.
#[wasm_bindgen]
pub struct Service(Sandbox);

impl From<Error> for InvalidArgument {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// The URL under which a client reaches any sandbox whose `fetch` it was given.
#[wasm_bindgen]
pub fn sandbox_base_url() -> String {
    BASE_URL.to_owned()
}

/// A sandbox from its options as JSON text. Throws `invalid_argument`.
#[wasm_bindgen]
pub fn sandbox_create(options: &str, now: f64) -> Result<Service, InvalidArgument> {
    Ok(Service(Sandbox::new(
        Options::from_json(options)?,
        now as i64,
    )?))
}

/// Answers one request; `headers` is the JSON text of a list of pairs.
#[wasm_bindgen]
pub fn sandbox_handle(
    service: &mut Service,
    method: &str,
    url: &str,
    headers: &str,
    body: Vec<u8>,
    now: f64,
) -> JsValue {
    let parts = (method, url, given::fields(headers), body);
    through_json(&Answer::from(&service.0.handle_parts(parts, now as i64)))
}

/// The whole state as JSON text.
#[wasm_bindgen]
pub fn sandbox_snapshot(service: &Service) -> String {
    service.0.state().to_json()
}

/// Puts a state, JSON text, in place of the present one. Throws `invalid_argument` and changes nothing.
#[wasm_bindgen]
pub fn sandbox_restore(service: &mut Service, state: &str) -> Result<(), InvalidArgument> {
    Ok(service.0.restore_json(state)?)
}

/// A number that grows with each change of the state.
#[wasm_bindgen]
pub fn sandbox_revision(service: &Service) -> f64 {
    service.0.revision() as f64
}

/// Signs a machine in, JSON text; gives its device, JSON text too. Throws `invalid_argument`.
#[wasm_bindgen]
pub fn sandbox_join(
    service: &mut Service,
    machine: &str,
    now: f64,
) -> Result<String, InvalidArgument> {
    Ok(service.0.join_json(machine, now as i64)?)
}

/// An access token for a grant, JSON text. Throws `invalid_argument`.
#[wasm_bindgen]
pub fn sandbox_token(
    service: &mut Service,
    grant: &str,
    now: f64,
) -> Result<String, InvalidArgument> {
    Ok(service.0.token_json(grant, now as i64)?)
}

/// Lets time pass from one instant to another.
#[wasm_bindgen]
pub fn sandbox_pass(service: &mut Service, from: f64, to: f64) {
    service.0.pass(from as i64, to as i64);
}

/// What is to be sent to webhooks since this was last asked.
#[wasm_bindgen]
pub fn sandbox_deliveries(service: &mut Service) -> JsValue {
    through_json(&service.0.take_deliveries())
}
