//! The calls of `createGateway`. Its options travel as JSON text with each of them. Must not live here: anything but calls.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::answer::{Answer, fields};
use super::convert::to_js;
use crate::api::{ApiKey, Effect, Error, Request};
use crate::client;
use crate::gateway::{Admission, Decision, Denial, Gateway, MAX_BODY};

/// What is to happen with a request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Plan<'p> {
    /// Answer at once, whoever asks.
    Preflight(Answer<'p>),
    /// Answer at once.
    Refusal(Answer<'p>),
    /// Send, if the caller is authorized and the device is one of the tailnet.
    Admission(Passage<'p>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Passage<'p> {
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<&'p str>,
    /// Whether it leaves anything behind; then what was looked up before does not count.
    changes: bool,
    send: Question<'p>,
    max_body: usize,
}

impl<'p> From<&'p Admission> for Passage<'p> {
    fn from(admission: &'p Admission) -> Self {
        Passage {
            operation: admission.operation.name(),
            device: admission.device.as_ref().map(|id| id.as_str()),
            changes: admission.operation.effect() != Effect::Read,
            send: Question::from(&admission.request),
            max_body: MAX_BODY,
        }
    }
}

impl<'p> From<&'p Decision> for Plan<'p> {
    fn from(decision: &'p Decision) -> Self {
        match decision {
            Decision::Preflight(response) => Plan::Preflight(Answer::from(response)),
            Decision::Refusal(response) => Plan::Refusal(Answer::from(response)),
            Decision::Admission(admission) => Plan::Admission(Passage::from(admission)),
        }
    }
}

/// What a `Request` of the web is made from, but for its body.
#[derive(Serialize)]
struct Question<'r> {
    url: &'r str,
    method: &'static str,
    headers: Vec<(&'r str, &'r str)>,
}

impl<'r> From<&'r Request> for Question<'r> {
    fn from(request: &'r Request) -> Self {
        Question {
            url: &request.target,
            method: request.method.as_str(),
            headers: request.headers.iter().collect(),
        }
    }
}

/// The gateway of these options; a client says which base URLs there are.
fn read(options: &str) -> Result<Gateway, Error> {
    let base_url = |text: &str| Ok(client::Options::new(text)?.base_url.to_string());
    Gateway::read(options, base_url)
}

/// Throws `invalid_argument` for options that no gateway can have.
#[wasm_bindgen]
pub fn gateway_check(options: &str) -> Result<(), Error> {
    read(options).map(drop)
}

/// The value of `Authorization`. Throws `invalid_argument` for what cannot be a key.
#[wasm_bindgen]
pub fn gateway_authorization(key: &str) -> Result<String, Error> {
    Ok(ApiKey::new(key)?.to_basic())
}

/// The text of an answer without the key of this value of `Authorization`.
#[wasm_bindgen]
pub fn gateway_conceal(authorization: &str, text: &str) -> String {
    ApiKey::of_authorization(authorization).map_or_else(|_| String::new(), |key| key.redact(text))
}

/// `{ preflight }`, `{ refusal }` or `{ admission }`; `headers` is the JSON text of a list of pairs.
#[wasm_bindgen]
pub fn gateway_plan(
    options: &str,
    method: &str,
    url: &str,
    headers: &str,
) -> Result<JsValue, Error> {
    let decision = read(options)?.decide(method, url, fields(headers));
    Ok(to_js(&Plan::from(&decision)))
}

/// The request that lists the devices of the tailnet.
#[wasm_bindgen]
pub fn gateway_lookup(options: &str) -> Result<JsValue, Error> {
    Ok(to_js(&Question::from(&read(options)?.lookup())))
}

/// The answer to a caller with these headers, for one of the reasons that only the sender can know.
#[wasm_bindgen]
pub fn gateway_refuse(options: &str, denial: &str, caller: &str) -> Result<JsValue, Error> {
    let denial = Denial::by_name(denial);
    Ok(to_js(&Answer::from(
        &read(options)?.refuse(&denial, &fields(caller)),
    )))
}

/// What to hand back of the service's answer; its body is passed on where this one has none.
#[wasm_bindgen]
pub fn gateway_hand_back(
    options: &str,
    caller: &str,
    status: u16,
    service: &str,
) -> Result<JsValue, Error> {
    let response = read(options)?.hand_back(&fields(caller), status, &fields(service));
    Ok(to_js(&Answer::from(&response)))
}
