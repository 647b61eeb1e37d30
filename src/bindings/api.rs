//! The calls of `TailnetClient`, of the sources of tokens for it, and of a receiver of webhooks. Must not live here: anything but calls.

use js_sys::{Function, Object};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{call_error, reply};
use crate::api::{self, DeliveryFault, Signatures};
use crate::client::call::{Call, UpdateCall};
use crate::client::fetch::{Fetch, place, put};
use crate::client::token::TokenOptions;
use crate::client::{Client, Options};

/// Throws `invalid_argument` for options, as JSON text, that no client can have.
#[wasm_bindgen]
pub fn client_check(options: &str) -> Result<(), api::Error> {
    Options::read(options, &place()).map(drop)
}

/// Makes a call: a method's name, the JSON text of its arguments, and what of the options is no data (`host`).
/// Gives `{ data, response }`.
#[wasm_bindgen]
pub async fn client_call(
    options: String,
    method: String,
    args: String,
    host: JsValue,
) -> Result<JsValue, JsValue> {
    let client = client(&options, host.clone())?;
    let call = Call::read(&method, &args, client.options())?;
    let read = |reply: &_, response: &_| reply::data(reply, response, &host);
    let (data, response) = call.run(&client, read).await?;
    Ok(reply::outcome(data, &response))
}

/// Reads, edits, checks and writes the policy; gives it as `acl.get` would.
#[wasm_bindgen]
pub async fn client_update(
    options: String,
    args: String,
    host: JsValue,
    edit: Function,
) -> Result<JsValue, JsValue> {
    let client = client(&options, host.clone())?;
    let call = UpdateCall::read(&args, client.options())?;
    let edit = async |text| reply::edited(&host, &edit, text, call.check).await;
    let written = call.run(&client, edit).await?;
    Ok(reply::document(&written))
}

fn client(options: &str, host: JsValue) -> Result<Client<Fetch>, api::Error> {
    let options = Options::read(options, &place())?;
    Ok(Client::new(Fetch::new(host, call_error::describe), options))
}

/// Throws `invalid_argument` for options, as JSON text, that no source of tokens can have.
#[wasm_bindgen]
pub fn token_check(options: &str) -> Result<(), api::Error> {
    TokenOptions::read(options).map(drop)
}

/// The name under which a store keeps the token for this service.
#[wasm_bindgen]
pub fn token_name(options: &str, base_url: &str) -> Result<String, api::Error> {
    Ok(TokenOptions::read(options)?.name(base_url))
}

/// Whether a token that was kept, as JSON text, can still be used, in place of the one that was refused.
#[wasm_bindgen]
pub fn token_accepts(
    options: &str,
    token: &str,
    rejected: Option<String>,
) -> Result<bool, api::Error> {
    let now = js_sys::Date::now();
    Ok(TokenOptions::read(options)?.accepts(token, rejected.as_deref(), now))
}

/// Asks the service for a token, with the secret or the identity's token; gives it as a store keeps it.
#[wasm_bindgen]
pub async fn token_request(
    options: String,
    base_url: String,
    proof: String,
    host: JsValue,
) -> Result<JsValue, JsValue> {
    let options = TokenOptions::read(&options)?;
    let transport = Fetch::new(host, call_error::describe);
    let token = options.ask(transport, &base_url, &proof).await?;
    Ok(reply::token(&token))
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
) -> Result<JsValue, DeliveryFault> {
    let signatures = Signatures::read(header.as_deref(), now, tolerance)?;
    Ok(reply::signatures(&signatures))
}

/// Throws the error for a delivery that is not taken for this reason.
#[wasm_bindgen]
pub fn webhook_refuse(reason: &str) -> Result<(), DeliveryFault> {
    Err(DeliveryFault::by_reason(reason))
}
