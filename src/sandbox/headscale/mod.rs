//! Headscale in process: one [`Request`] in, one [`Response`] out, its own API `/api/v1` as of 0.30 (docs/headscale-api.md).
//!
//! [`HeadscaleSandbox::handle`] answers every operation; its refusals have the form of 0.30, or that of 0.29. Policies are judged in its dialect. It does
//! no I/O and reads no clock: the caller passes the time.
//!
//! ```
//! use tailnet_kit::api::{Method, Request};
//! use tailnet_kit::sandbox::headscale::{HeadscaleSandbox, Options};
//!
//! let mut sandbox = HeadscaleSandbox::new(Options::default(), 0)?;
//! let mut request = Request::new(Method::Get, "/api/v1/node");
//! assert_eq!(sandbox.handle(&request, 0).status, 401);
//! request.headers.set("Authorization", format!("Bearer {}", sandbox.api_key()));
//! assert_eq!(sandbox.handle(&request, 0).status, 200);
//! # Ok::<(), tailnet_kit::sandbox::Error>(())
//! ```
// Must not live here: paths (`api::headscale`), verdicts (`policy`), what a single operation does.

mod asked;
mod body;
mod documents;
mod example;
mod keys;
mod nodes;
mod options;
mod perform;
mod policy;
mod refusal;
mod registration;
mod store;
mod users;

pub use options::{Options, State};

use serde_json::json;

use super::clock;
use super::options::Error;
use crate::api::headscale::Release;
use crate::api::{Headers, Method, Request, Response, headers};
use asked::Asked;
use documents::{BACKFILL_PATH, DEBUG_PATH};
use refusal::{Kind, Refusal};
use store::Store;

/// Headscale with its state.
#[derive(Clone)]
pub struct HeadscaleSandbox {
    key: String,
    /// In the form of which release it refuses.
    release: Release,
    store: Store,
    revision: u64,
}

impl HeadscaleSandbox {
    /// A server at time `now`, in milliseconds since 1970.
    ///
    /// # Errors
    /// [`Error`], code `invalid_argument`, that names the unusable option.
    pub fn new(options: Options, now: i64) -> Result<HeadscaleSandbox, Error> {
        let (key, release, store) = options.begin(now)?;
        let revision = 0;
        Ok(HeadscaleSandbox {
            key,
            release,
            store,
            revision,
        })
    }

    /// The key of the API that it began with.
    pub fn api_key(&self) -> &str {
        &self.key
    }

    /// Grows with each request that may have changed something.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Answers one request at time `now`, in milliseconds since 1970. A refusal is an answer too.
    pub fn handle(&mut self, request: &Request, now: i64) -> Response {
        if let Some(document) = documents::open(request, self.release) {
            return document;
        }
        let answer = self.answer(request, now);
        answer.unwrap_or_else(|refusal| refusal.answer(self.release))
    }

    /// [`HeadscaleSandbox::handle`] for a request in parts, as JavaScript has them: any method, the URL or its path and query, header fields, body.
    pub fn handle_parts(&mut self, parts: (&str, &str, Headers, Vec<u8>), now: i64) -> Response {
        self.handle(&Request::of_parts(parts), now)
    }

    fn answer(&mut self, request: &Request, now: i64) -> Result<Response, Refusal> {
        self.authenticate(&request.headers, now)?;
        if !request.method.is_safe() {
            self.revision += 1;
        }
        match (request.method, request.path()) {
            (Method::Post, BACKFILL_PATH) => self.backfill_addresses(request),
            (Method::Post, DEBUG_PATH) => self.debug_node(request),
            _ => self.perform(request, now),
        }
    }

    fn health(&self, _: &Asked<'_>) -> Result<Response, Refusal> {
        let healthy = json!({"databaseConnectivity": true});
        Ok(Response::json(200, &healthy))
    }

    /// Every call needs a key, as a Bearer token; a key may do everything.
    fn authenticate(&mut self, headers: &Headers, now: i64) -> Result<(), Refusal> {
        let given = headers.get(headers::AUTHORIZATION);
        let given = given.and_then(|value| value.strip_prefix("Bearer "));
        let mut keys = self.store.api_keys.iter_mut();
        let held = keys.find(|held| Some(held.secret.as_str()) == given);
        let ends = |end: &String| clock::parse(end).is_some_and(|end| end <= now);
        let alive = held.filter(|held| !held.key.expiration.as_ref().is_some_and(ends));
        let held = alive.ok_or_else(|| Refusal::new(Kind::Unauthorized, "unauthorized"))?;
        held.key.last_seen = Some(clock::utc(now));
        Ok(())
    }
}
