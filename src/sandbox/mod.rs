//! The service in process: one [`Request`] in, one [`Response`] out, and the state behind it.
//!
//! [`Sandbox::handle`] answers every operation of the service as described in docs/service.md; where that is silent, as
//! in [`choices`]. It does no I/O and reads no clock: the caller passes the time.
//!
//! ```
//! use tailnet_kit::api::{Method, Request};
//! use tailnet_kit::sandbox::{Options, Sandbox};
//!
//! let mut sandbox = Sandbox::new(Options::default(), 0)?;
//! let mut request = Request::new(Method::Get, "/api/v2/tailnet/example.com/devices");
//! assert_eq!(sandbox.handle(&request, 0).status, 401);
//! request.headers.set("Authorization", "Bearer tskey-sandbox");
//! assert_eq!(sandbox.handle(&request, 0).status, 200);
//! # Ok::<(), tailnet_kit::sandbox::Error>(())
//! ```
// Must not live here: routing, wire shapes (`api`), verdicts (`policy`).

mod acl;
mod actor;
mod addresses;
mod attributes;
mod caller;
mod change;
pub mod choices;
mod clock;
mod contacts;
mod device;
mod device_changes;
mod device_invites;
mod devices;
mod dns;
mod dns_configuration;
mod dns_state;
mod etag;
mod events;
mod example;
mod exchange;
pub mod headscale;
mod join;
mod keys;
mod listed;
mod lists;
mod log;
mod log_streaming;
mod options;
mod owners;
mod passing;
mod perform;
mod posture;
mod services;
mod settings;
mod state;
mod tokens;
mod transport;
mod user_invites;
mod users;
mod verdict;
mod webhooks;

pub use device::Device;
pub use dns_state::{Dns, NeedsNameserver};
pub use events::Delivery;
pub use join::{Machine, TokenGrant};
pub use options::{Error, Lists, Options};
pub use state::{Person, State, StoredKey, Tailnet, Tailnets, Token};
pub use transport::{Answers, SandboxTransport};

use crate::api::{
    DeviceId, Effect, Headers, Method, NoRoute, Operation, Request, Response, TOKEN_EXCHANGE_PATH,
    TOKEN_PATH, TailnetName, headers,
};
use caller::Caller;
use choices::{OWN_TAILNET, Outcome, Refusal};
use example::hash;
use options::Start;

/// A base URL for clients whose requests never leave the process: `.invalid` has no address (RFC 2606, section 2).
pub const BASE_URL: &str = "https://sandbox.invalid";

/// The whole service with its state.
#[derive(Clone)]
pub struct Sandbox {
    key: String,
    /// The tailnets that the key opens, its own first; None for all.
    opens: Option<Vec<String>>,
    state: State,
    revision: u64,
    /// The current caller.
    caller: Caller,
    /// Deliveries to webhooks that are to be sent.
    deliveries: Vec<Delivery>,
    lists: Lists,
    /// How many requests were answered. No part of the state, as reading changes none.
    answered: u64,
}

impl Sandbox {
    /// A service at time `now`, in milliseconds since 1970.
    ///
    /// # Errors
    /// [`Error`], code `invalid_argument`, that names the unusable option.
    pub fn new(options: Options, now: i64) -> Result<Sandbox, Error> {
        let lists = options.lists;
        let Start { key, opens, state } = Start::new(options, now)?;
        Ok(Sandbox {
            key,
            opens,
            state,
            revision: 0,
            caller: Caller::default(),
            deliveries: Vec::new(),
            lists,
            answered: 0,
        })
    }

    /// Answers one request at time `now`, in milliseconds since 1970. A refusal is an answer too.
    pub fn handle(&mut self, request: &Request, now: i64) -> Response {
        let minted = self.state.minted;
        let mut response = self.answer(request, now).unwrap_or_else(|refusal| {
            // What is refused leaves nothing behind.
            self.state.minted = minted;
            refusal.answer()
        });
        let [name, ..] = headers::REQUEST_ID;
        response.headers.set(name, self.request_id(now));
        response
    }

    /// What whoever runs a service finds a request by: `REQ-`, the time, and digits that no other answer has.
    fn request_id(&mut self, now: i64) -> String {
        self.answered += 1;
        let time = clock::utc(now);
        let digits = time.chars().filter(char::is_ascii_digit);
        let mark = hash(format!("request {now} {}", self.answered).as_bytes()) as u64;
        format!("REQ-{}{mark:016x}", digits.collect::<String>())
    }

    /// [`Sandbox::handle`] for a request in parts, as JavaScript has them: any method, the URL or its path and query,
    /// header fields, body.
    pub fn handle_parts(&mut self, parts: (&str, &str, Headers, Vec<u8>), now: i64) -> Response {
        self.handle(&Request::of_parts(parts), now)
    }

    /// The whole state of the sandbox.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Replaces the whole state of the sandbox; its key and the tailnets that this opens stay.
    pub fn restore(&mut self, state: State) {
        self.state = state;
        self.revision += 1;
    }

    /// Reads and restores a snapshot.
    ///
    /// # Errors
    /// [`Error`], code `invalid_argument`, that says what is missing or of the wrong type; nothing changes then.
    pub fn restore_json(&mut self, text: &str) -> Result<(), Error> {
        self.restore(options::state_from_json(text)?);
        Ok(())
    }

    /// [`Sandbox::join`] for a machine in JSON; returns the device as JSON.
    ///
    /// # Errors
    /// Those of [`Sandbox::join`], and one for JSON that is not a machine.
    pub fn join_json(&mut self, machine: &str, now: i64) -> Result<String, Error> {
        let machine: Machine = options::argument_from_json(machine)?;
        Ok(self.join(&machine, now)?.to_string())
    }

    /// [`Sandbox::token`] for a grant in JSON.
    ///
    /// # Errors
    /// Those of [`Sandbox::token`], and one for JSON that is not a grant.
    pub fn token_json(&mut self, grant: &str, now: i64) -> Result<String, Error> {
        self.token(options::argument_from_json(grant)?, now)
    }

    /// Grows with each change of the state.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    fn answer(&mut self, request: &Request, now: i64) -> Outcome<Response> {
        if request.path() == TOKEN_PATH && request.method == Method::Post {
            return self.issue_token(request, now);
        }
        if request.path() == TOKEN_EXCHANGE_PATH && request.method == Method::Post {
            return self.exchange_token(request, now);
        }
        self.caller = self.authenticate(&request.headers, now)?;
        let (operation, scope) = Operation::find(request.method, request.path())?;
        self.caller.admit(operation)?;
        let watched = self.watch(operation, &scope);
        let response = self.perform(operation, scope, request, now)?;
        if operation.effect() != Effect::Read {
            self.revision += 1;
        }
        if let Some(change) = watched.and_then(|watched| self.seen(watched, &response)) {
            self.record(&change, request, now);
            self.tell_webhooks(&change, now);
        }
        Ok(match self.lists {
            Lists::Empty => response,
            Lists::Absent => lists::without_empty(operation, response),
        })
    }

    /// The tailnets that the key opens, its own first.
    fn open(&self) -> impl Iterator<Item = (&str, &Tailnet)> {
        let of_token = self.caller.token.as_ref().map(|grant| &grant.tailnet);
        let of_key = self
            .opens
            .iter()
            .flatten()
            .filter(move |_| of_token.is_none());
        let named = of_token.into_iter().chain(of_key);
        let named = named.filter_map(|name| Some((name.as_str(), self.state.tailnets.get(name)?)));
        let everything = self.opens.is_none() && of_token.is_none();
        let all = everything.then(|| self.state.tailnets.iter());
        named.chain(all.into_iter().flatten())
    }

    /// The real name of a tailnet named in a path.
    fn name_of(&self, tailnet: &TailnetName) -> Outcome<String> {
        let asked = tailnet.as_str();
        let found = match asked {
            OWN_TAILNET => self.open().next(),
            _ => self.open().find(|(name, _)| *name == asked),
        };
        let name = found.map(|(name, _)| name.to_owned());
        name.ok_or_else(|| Refusal::Unknown("tailnet", asked.to_owned()))
    }

    fn tailnet(&self, name: &TailnetName) -> Outcome<&Tailnet> {
        let name = self.name_of(name)?;
        self.state
            .tailnets
            .get(&name)
            .ok_or(Refusal::Unknown("tailnet", name))
    }

    fn tailnet_mut(&mut self, name: &TailnetName) -> Outcome<&mut Tailnet> {
        let name = self.name_of(name)?;
        self.state
            .tailnets
            .get_mut(&name)
            .ok_or(Refusal::Unknown("tailnet", name))
    }

    fn device(&self, id: &DeviceId) -> Outcome<&Device> {
        let mut open = self.open();
        let found = open.find_map(|(_, tailnet)| tailnet.device(id.as_str()));
        found.ok_or_else(|| no_device(id))
    }

    /// The tailnet of which this holds, among those that the key opens, and its name.
    fn home_where(&mut self, holds: &dyn Fn(&Tailnet) -> bool) -> Option<(String, &mut Tailnet)> {
        let home = self
            .open()
            .find(|(_, tailnet)| holds(tailnet))?
            .0
            .to_owned();
        let tailnet = self.state.tailnets.get_mut(&home)?;
        Some((home, tailnet))
    }

    /// The tailnet that lists the device.
    fn home_of(&mut self, id: &DeviceId) -> Outcome<(String, &mut Tailnet)> {
        let found = self.home_where(&|tailnet| tailnet.device(id.as_str()).is_some());
        found.ok_or_else(|| no_device(id))
    }

    fn device_mut(&mut self, id: &DeviceId) -> Outcome<&mut Device> {
        let found = self.home_of(id)?.1.device_mut(id.as_str());
        found.ok_or_else(|| no_device(id))
    }
}

fn no_device(id: &DeviceId) -> Refusal {
    Refusal::Unknown("device", id.as_str().to_owned())
}

impl From<NoRoute> for Refusal {
    fn from(none: NoRoute) -> Refusal {
        match none {
            NoRoute::UnknownPath => Refusal::UnknownPath,
            NoRoute::MethodNotAllowed(known) => Refusal::WrongMethod(known),
        }
    }
}
