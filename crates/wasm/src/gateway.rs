//! The calls of `createGateway`. Its options, the request and what happened so far travel as text with each of them. Must not live here: anything but
//! calls.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{Answer, fields};
use crate::convert::to_js;
use crate::thrown::Thrown;
use tailnet_kit::api::{ApiKey, Error};
use tailnet_kit::client;
use tailnet_kit::gateway::{self, Event, Gateway, Members, Passage, Step};

/// A step as JavaScript gets it: what to do, by name, and what that needs. Limits are in milliseconds, or in bytes; absent for none.
#[derive(Serialize)]
#[serde(tag = "act", rename_all = "camelCase")]
enum Task<'s> {
    Authorize {
        operation: &'s str,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<f64>,
    },
    Receive {
        limit: f64,
    },
    Key {
        #[serde(rename = "baseURL")]
        base_url: &'s str,
        #[serde(skip_serializing_if = "Option::is_none")]
        rejected: Option<&'s str>,
    },
    Recall {
        id: &'s str,
        list: &'s str,
    },
    Send {
        url: &'s str,
        method: &'s str,
        headers: Vec<(&'s str, &'s str)>,
        #[serde(rename = "withBody")]
        with_body: bool,
    },
    List {
        id: &'s str,
        list: &'s str,
        limit: f64,
    },
    Open {
        key: &'s str,
        limit: f64,
    },
    Words {
        limit: f64,
    },
    Answer {
        answer: Answer<'s>,
    },
    Pass {
        answer: Answer<'s>,
    },
}

impl<'s> Task<'s> {
    fn of(gateway: &'s Gateway, step: &'s Step<'s>) -> Self {
        let most = gateway.max_response_bytes as f64;
        match step {
            Step::Authorize { operation, limit } => Task::Authorize {
                operation,
                limit: limit.map(|limit| limit.as_millis() as f64),
            },
            Step::ReadBody(most) => Task::Receive {
                limit: *most as f64,
            },
            Step::Key { rejected } => Task::Key {
                base_url: &gateway.base_url,
                rejected: rejected.map(ApiKey::reveal),
            },
            Step::Recall(member) => Task::Recall {
                id: &member.id,
                list: member.list,
            },
            Step::Send { request, with_body } => Task::Send {
                url: &request.target,
                method: request.method.as_str(),
                headers: request.headers.iter().collect(),
                with_body: *with_body,
            },
            Step::List(member) => Task::List {
                id: &member.id,
                list: member.list,
                limit: most,
            },
            Step::Open(key) => Task::Open {
                key: key.reveal(),
                limit: most,
            },
            Step::ReadWords => Task::Words { limit: most },
            Step::Answer(answer) => Task::Answer {
                answer: Answer::from(answer),
            },
            Step::Pass(answer) => Task::Pass {
                answer: Answer::from(answer),
            },
        }
    }
}

/// The gateway of these options; a client says which base URLs there are.
fn read(options: &str) -> Result<Gateway, Error> {
    let base_url = |text: &str| Ok(client::Options::new(text)?.base_url.to_string());
    Gateway::read(options, base_url)
}

/// Throws `invalid_argument` for options that no gateway can have, and for a key that none is.
#[wasm_bindgen]
pub fn gateway_check(options: &str, key: Option<String>) -> Result<(), Thrown> {
    read(options)?;
    key.map_or(Ok(()), |key| Ok(ApiKey::new(&key).map(drop)?))
}

/// What to do with a request after these events, which are the JSON text of a list; `headers` is that of a list of pairs.
#[wasm_bindgen]
pub fn gateway_next(
    options: &str,
    method: &str,
    url: &str,
    headers: &str,
    events: &str,
) -> Result<JsValue, Thrown> {
    let gateway = read(options)?;
    let mut passage = Passage::new(&gateway, method, url, fields(headers));
    let step = passage.after(Event::read_all(events));
    Ok(to_js(&Task::of(&gateway, &step)))
}

/// The members that the body of an answer lists: `{ names, until }`; `undefined` for a body that is no such list.
#[wasm_bindgen]
pub fn gateway_members(list: &str, body: &[u8], now: f64) -> JsValue {
    let members = Members::listed(list, body, now);
    members.map_or(JsValue::UNDEFINED, |members| to_js(&members))
}

/// Whether the one with this name is among the members of these names, which may be used until then.
#[wasm_bindgen]
pub fn gateway_knows(names: String, until: f64, name: &str, now: f64) -> bool {
    Members { names, until }.have(name, now)
}

/// How many bytes of a piece of an answer may pass before the next one is there; a negative number where it repeats the key.
#[wasm_bindgen]
pub fn gateway_passing(key: &str, piece: &[u8]) -> f64 {
    let key = ApiKey::new(key).ok();
    let free = key.and_then(|key| gateway::passing(&key, piece));
    free.map_or(-1.0, |free| free as f64)
}

/// The answer while there are no options that a gateway could have.
#[wasm_bindgen]
pub fn gateway_failure() -> JsValue {
    to_js(&Answer::from(&gateway::failure()))
}
