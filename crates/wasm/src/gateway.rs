//! The calls of `createGateway`. Its options, the request and what happened so far travel as text with each of them. Must not live here: anything but
//! calls. Answers are JSON text, which takes less code than values of JavaScript would.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::thrown::Thrown;
use tailnet_kit::api::{ApiKey, Error, Headers, Response, given};
use tailnet_kit::client;
use tailnet_kit::gateway::{self, Event, Gateway, Member, Members, Passage, Step};
use tailnet_kit::hujson;

/// A step as JavaScript gets it: what to do, by name, and what that needs. Limits are in milliseconds, or in bytes; absent for none.
fn task(gateway: &Gateway, step: &Step<'_>) -> String {
    let most = gateway.max_response_bytes;
    match step {
        Step::Authorize { operation, limit } => {
            let task = Written::act("authorize").text("operation", operation);
            match limit {
                Some(limit) => task.limit(limit.as_millis() as u64),
                None => task.end(),
            }
        }
        Step::ReadBody(most) => Written::act("receive").limit(*most as u64),
        Step::Key { rejected } => {
            let task = Written::act("key").text("baseURL", &gateway.base_url);
            match rejected {
                Some(key) => task.text("rejected", key.reveal()).end(),
                None => task.end(),
            }
        }
        Step::Recall(member) => Written::act("recall").member(member).end(),
        Step::Send { request, with_body } => Written::act("send")
            .text("url", &request.target)
            .text("method", request.method.as_str())
            .pairs(&request.headers)
            .raw("withBody", if *with_body { "true" } else { "false" })
            .end(),
        Step::List(member) => Written::act("list").member(member).limit(most),
        Step::Open(key) => Written::act("open").text("key", key.reveal()).limit(most),
        Step::ReadWords => Written::act("words").limit(most),
        Step::Answer(response) => Written::act("answer").answer(response),
        Step::Pass(response) => Written::act("pass").answer(response),
    }
}

/// A JSON object that is being written. Code derived for each step would be several times as large.
struct Written(String);

impl Written {
    fn act(name: &str) -> Written {
        Written("{".to_owned()).text("act", name)
    }

    #[inline(never)]
    fn raw(mut self, name: &str, json: &str) -> Written {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        hujson::quote(name, &mut self.0);
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    #[inline(never)]
    fn text(self, name: &str, text: &str) -> Written {
        let mut json = String::new();
        hujson::quote(text, &mut json);
        self.raw(name, &json)
    }

    #[inline(never)]
    fn pairs(self, headers: &Headers) -> Written {
        let mut json = "[".to_owned();
        for (name, value) in headers.iter() {
            json.push_str(if json.len() > 1 { ",[" } else { "[" });
            hujson::quote(name, &mut json);
            json.push(',');
            hujson::quote(value, &mut json);
            json.push(']');
        }
        json.push(']');
        self.raw("headers", &json)
    }

    fn member(self, member: &Member) -> Written {
        self.text("id", &member.id).text("list", member.list)
    }

    #[inline(never)]
    fn limit(self, limit: u64) -> String {
        self.raw("limit", &limit.to_string()).end()
    }

    #[inline(never)]
    fn answer(self, response: &Response) -> String {
        self.raw("status", &response.status.to_string())
            .pairs(&response.headers)
            .text("body", str::from_utf8(&response.body).unwrap_or_default())
            .end()
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
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
) -> Result<String, Thrown> {
    let gateway = read(options)?;
    let mut passage = Passage::new(&gateway, method, url, given::fields(headers));
    let step = passage.after(Event::read_all(events));
    Ok(task(&gateway, &step))
}

/// The members that the body of an answer lists, as `gateway_knows` takes them; `undefined` for a body that is no such list.
#[wasm_bindgen]
pub fn gateway_members(list: &str, body: &[u8], now: f64) -> Option<String> {
    Members::listed(list, body, now as u64).map(|members| members.to_text())
}

/// Whether the one with this name is among the members.
#[wasm_bindgen]
pub fn gateway_knows(members: &str, name: &str, now: f64) -> bool {
    Members::of_text(members).have(name, now as u64)
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
pub fn gateway_failure() -> String {
    Written::act("answer").answer(&gateway::failure())
}
