//! The calls of `createGateway`. Its options travel as JSON text with each of them. Must not live here: anything but calls.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{Answer, fields};
use crate::convert::to_js;
use crate::thrown::Thrown;
use tailnet_kit::api::{ApiKey, Effect, Error, Operation, Request};
use tailnet_kit::client;
use tailnet_kit::gateway::{self, Admission, Decision, Denial, Gateway, MAX_BODY, Member};

/// What is to happen with a request: one of the three.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Plan<'p> {
    /// What it seems to ask for.
    operation: &'static str,
    /// Answer at once, whoever asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    preflight: Option<Answer<'p>>,
    /// Answer, once the caller is authorized.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Answer<'p>>,
    /// Send, once the caller is authorized and what is named is of the tailnet.
    #[serde(skip_serializing_if = "Option::is_none")]
    admission: Option<Passage<'p>>,
}

/// What the sender of requests needs to know of the options.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Terms<'g> {
    #[serde(rename = "baseURL")]
    base_url: &'g str,
    /// In milliseconds; absent for no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    authorize_timeout: Option<u32>,
    max_response_bytes: f64,
}

impl<'g> From<&'g Gateway> for Terms<'g> {
    fn from(gateway: &'g Gateway) -> Self {
        let limit = gateway.authorize_timeout;
        Terms {
            base_url: &gateway.base_url,
            authorize_timeout: limit.map(|limit| limit.as_millis() as u32),
            max_response_bytes: gateway.max_response_bytes as f64,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Passage<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<Membership<'p>>,
    /// Whether it leaves anything behind; then what was looked up before does not count.
    changes: bool,
    send: Question<'p>,
    max_body: usize,
}

/// What is to be looked for, and in which answer.
#[derive(Serialize)]
struct Membership<'p> {
    id: &'p str,
    lookup: Question<'p>,
    list: &'static str,
    names: &'static [&'static str],
}

impl<'p> From<&'p Member> for Membership<'p> {
    fn from(member: &'p Member) -> Self {
        Membership {
            id: &member.id,
            lookup: Question::from(&member.lookup),
            list: member.list,
            names: member.names,
        }
    }
}

impl<'p> From<&'p Admission> for Passage<'p> {
    fn from(admission: &'p Admission) -> Self {
        Passage {
            member: admission.member.as_ref().map(Membership::from),
            changes: admission.operation.effect() != Effect::Read,
            send: Question::from(&admission.request),
            max_body: MAX_BODY,
        }
    }
}

impl<'p> Plan<'p> {
    fn of(decision: &'p Decision, operation: Option<Operation>) -> Self {
        let mut plan = Plan {
            operation: operation.map_or("unknown", Operation::name),
            ..Plan::default()
        };
        match decision {
            Decision::Preflight(response) => plan.preflight = Some(Answer::from(response)),
            Decision::Refusal(response) => plan.refusal = Some(Answer::from(response)),
            Decision::Admission(admission) => plan.admission = Some(Passage::from(admission)),
        }
        plan
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

/// The key in a value of `Authorization` that was made here.
fn sent_key(authorization: &str) -> Result<ApiKey, Error> {
    let key = ApiKey::of_authorization(authorization);
    key.map_err(|fault| Error::argument("apiKey", fault.to_string()))
}

/// What the sender needs to know of the options. Throws `invalid_argument` for those that no gateway can have.
#[wasm_bindgen]
pub fn gateway_check(options: &str) -> Result<JsValue, Thrown> {
    Ok(to_js(&Terms::from(&read(options)?)))
}

/// The value of `Authorization`. Throws `invalid_argument` for what cannot be a key.
#[wasm_bindgen]
pub fn gateway_authorization(key: &str) -> Result<String, Thrown> {
    Ok(ApiKey::new(key)?.to_basic())
}

/// The text of an answer without the key of this value of `Authorization`.
#[wasm_bindgen]
pub fn gateway_conceal(authorization: &str, text: &str) -> String {
    ApiKey::of_authorization(authorization).map_or_else(|_| String::new(), |key| key.redact(text))
}

/// Whether a piece of an answer repeats the key of this value of `Authorization`, in whichever spelling.
#[wasm_bindgen]
pub fn gateway_repeats(authorization: &str, piece: &[u8]) -> bool {
    ApiKey::of_authorization(authorization).map_or(true, |key| gateway::repeats(&key, piece))
}

/// `{ operation }` with `preflight`, `refusal` or `admission`; `headers` is the JSON text of a list of pairs.
#[wasm_bindgen]
pub fn gateway_plan(
    options: &str,
    method: &str,
    url: &str,
    headers: &str,
) -> Result<JsValue, Thrown> {
    let gateway = read(options)?;
    let decision = gateway.decide(method, url, fields(headers));
    let plan = Plan::of(&decision, gateway.asked_for(method, url));
    Ok(to_js(&plan))
}

/// The answer to a caller with these headers, for one of the reasons that only the sender can know.
#[wasm_bindgen]
pub fn gateway_refuse(options: &str, denial: &str, caller: &str) -> Result<JsValue, Thrown> {
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
    authorization: &str,
) -> Result<JsValue, Thrown> {
    let (gateway, caller, service) = (read(options)?, fields(caller), fields(service));
    let key = sent_key(authorization)?;
    let response = gateway.hand_back(&caller, status, &service, &key);
    Ok(to_js(&Answer::from(&response)))
}
