//! The calls of `TailnetClient`, of the sources of tokens for it, and of a receiver of webhooks. Must not live here: anything but calls.

use js_sys::{Function, Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use crate::settings::Settings;
use crate::thrown::Thrown;
use crate::{call_error, reply};
use tailnet_kit::api::{self, DeliveryFault, Signatures};
use tailnet_kit::client::call::{Call, UpdateCall};
use tailnet_kit::client::fetch::bindings::put;
use tailnet_kit::client::fetch::{Fetch, place};
use tailnet_kit::client::token::TokenOptions;
use tailnet_kit::client::{Client, Options};

/// The options of a client from their JSON text. Throws `invalid_argument` for those that no client can have.
#[wasm_bindgen]
pub fn client_settings(options: &str) -> Result<Settings, Thrown> {
    Ok(Settings(Options::read(options, &place())?))
}

/// Makes a call: a method's name, the JSON text of its arguments, and what of the options is no data (`host`).
/// Gives `{ data, response }`.
#[wasm_bindgen]
pub fn client_call(
    settings: &Settings,
    method: &str,
    args: &str,
    host: JsValue,
) -> Result<Promise, Thrown> {
    let call = Call::read(method, args, &settings.0)?;
    Ok(promised(call, settings.0.clone(), host))
}

/// Reads, edits, checks and writes the policy; gives it as `acl.get` would.
#[wasm_bindgen]
pub fn client_update(
    settings: &Settings,
    args: &str,
    host: JsValue,
    edit: Function,
) -> Result<Promise, Thrown> {
    let call = UpdateCall::read(args, &settings.0)?;
    let client = client(settings.0.clone(), host.clone());
    Ok(reply::promised(updated(call, client, host, edit)))
}

async fn updated(
    call: UpdateCall,
    client: Client<Fetch>,
    host: JsValue,
    edit: Function,
) -> Result<JsValue, Thrown> {
    let edit = async |text| reply::edited(&host, &edit, text, call.check).await;
    let written = call.run(&client, edit).await?;
    Ok(reply::document(&written))
}

fn client(options: Options, host: JsValue) -> Client<Fetch> {
    Client::new(Fetch::new(host, call_error::describe), options)
}

/// A call under way. In one place for all exports, or each would hold its own copy of all that can happen to a call.
fn promised(call: Call, options: Options, host: JsValue) -> Promise {
    future_to_promise(async move {
        let client = client(options, host.clone());
        let read = |reply: &_, response: &_| reply::data(reply, response, &host);
        let replied = call.run(&client, read).await;
        let (data, response) = replied.map_err(|error| call_error::describe(&error))?;
        Ok(reply::outcome(data, &response))
    })
}

/// The name under which a store keeps the token for this service. Throws `invalid_argument` for options, as JSON text, that no
/// source of tokens can have.
#[wasm_bindgen]
pub fn token_name(options: &str, base_url: &str) -> Result<String, Thrown> {
    Ok(TokenOptions::read(options)?.name(base_url))
}

/// Whether a token that was kept, as JSON text, can still be used, in place of the one that was refused.
#[wasm_bindgen]
pub fn token_accepts(options: &str, token: &str, rejected: Option<String>) -> Result<bool, Thrown> {
    let now = js_sys::Date::now();
    Ok(TokenOptions::read(options)?.accepts(token, rejected.as_deref(), now))
}

/// Asks the service for a token, with the secret or the identity's token. Gives `{ data, response }`, the token as a store keeps it.
#[wasm_bindgen]
pub fn token_request(
    options: &str,
    base_url: &str,
    proof: &str,
    host: JsValue,
) -> Result<Promise, Thrown> {
    let asked = TokenOptions::read(options)?.call(js_sys::Date::now(), base_url, proof)?;
    let (options, call) = asked;
    Ok(promised(call, options, host))
}

/// Where the signature of a delivery stands, and the seconds that it may be away from now.
#[wasm_bindgen]
pub fn webhook_rules() -> JsValue {
    let rules = Object::new();
    put(&rules, "header", api::headers::WEBHOOK_SIGNATURE);
    put(&rules, "tolerance", api::TOLERANCE);
    rules.into()
}

/// The time and the signatures of that header: `{ time, values }`.
#[wasm_bindgen]
pub fn webhook_signatures(
    header: Option<String>,
    now: f64,
    tolerance: f64,
) -> Result<JsValue, Thrown> {
    let signatures = Signatures::read(header.as_deref(), now, tolerance)?;
    Ok(reply::signatures(&signatures))
}

/// Throws the error for a delivery that is not taken for this reason.
#[wasm_bindgen]
pub fn webhook_refuse(reason: &str) -> Result<(), Thrown> {
    Err(DeliveryFault::by_reason(reason).into())
}
