//! A scripted transport, calls over it, and its answers. Must not live here: tests.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use crate::ready::ready;
use tailnet_kit::api::{
    ApiKey, Endpoint, GetNameservers, Interrupted, Limits, Nameservers, NameserversSet, Operation,
    Pause, Request, Response, SetNameservers, TailnetName, Transport,
};
use tailnet_kit::client::{CallOptions, Client, Error, Options};

pub const KEY: &str = "tskey-very-secret";

/// Gives its answers in order, and records the requests.
pub struct Script {
    pub answers: RefCell<VecDeque<Answer>>,
    pub requests: RefCell<Vec<Request>>,
    pub limits: RefCell<Vec<Limits>>,
    pub pauses: RefCell<Vec<Duration>>,
    pub now: Cell<f64>,
}

pub type Answer = Result<Response, Interrupted<String>>;

impl Transport for Script {
    type Body = Vec<u8>;
    type Cause = String;

    async fn send(&self, request: Request, limits: Limits) -> Answer {
        self.requests.borrow_mut().push(request);
        self.limits.borrow_mut().push(limits);
        // Each answer takes a second.
        self.now.set(self.now.get() + 1000.0);
        self.answers
            .borrow_mut()
            .pop_front()
            .expect("an answer is left")
    }

    async fn pause(&self, pause: &Pause<'_, Vec<u8>, String>) -> Result<(), Interrupted<String>> {
        self.pauses.borrow_mut().push(pause.delay);
        self.now
            .set(self.now.get() + pause.delay.as_secs_f64() * 1000.0);
        Ok(())
    }

    fn now(&self) -> f64 {
        self.now.get()
    }

    fn random(&self) -> f64 {
        0.0
    }
}

pub fn options() -> Options {
    let mut options = Options::new("https://api.example.com/base/").expect("a URL");
    options.api_key = Some(ApiKey::new(KEY).expect("a key"));
    options.tailnet = Some(TailnetName::new("example.com").expect("a name"));
    options
}

pub fn script(answers: impl IntoIterator<Item = Answer>) -> Script {
    Script {
        answers: RefCell::new(answers.into_iter().collect()),
        requests: RefCell::default(),
        limits: RefCell::default(),
        pauses: RefCell::default(),
        now: Cell::new(784_111_700_000.0),
    }
}

/// A call over these answers, all of which it must use: its result, and the transport.
pub fn run<T>(
    options: Options,
    answers: impl IntoIterator<Item = Answer>,
    call: impl AsyncFnOnce(&Client<Script>) -> T,
) -> (T, Script) {
    let client = Client::new(script(answers), options);
    let result = ready(call(&client));
    let script = client.into_transport();
    assert!(script.answers.borrow().is_empty(), "answers are left");
    (result, script)
}

pub fn status(status: u16) -> Answer {
    Ok(Response::refusal(status, format!("refused with {status}")))
}

pub fn with_header(status: u16, name: &str, value: &str) -> Answer {
    let mut response = Response::refusal(status, "later");
    response.headers.set(name, value);
    Ok(response)
}

pub fn success() -> Answer {
    let nameservers = Nameservers {
        dns: vec!["8.8.8.8".to_owned()],
    };
    Ok(Response::json(200, &nameservers))
}

pub fn broken() -> Answer {
    Err(Interrupted::Connection {
        cause: "reset".to_owned(),
        status: None,
    })
}

/// Sends a request that need not be one of the operations.
pub async fn ask(
    client: &Client<Script>,
    request: Request,
    call: &CallOptions,
) -> Result<((), Response), Error<Script>> {
    let rule = Operation::rule_of(&request);
    client.send(request, rule, call, |_| Ok(())).await
}

/// Sends a call without options.
pub async fn call<T: Transport<Body = Vec<u8>>, E: Endpoint>(
    client: &Client<T>,
    call: E,
) -> Result<E::Output, Error<T>> {
    client.call(&call, &CallOptions::default()).await
}

fn example() -> TailnetName {
    TailnetName::new("example.com").expect("a name")
}

/// A call that reads.
pub async fn nameservers<T: Transport<Body = Vec<u8>>>(
    client: &Client<T>,
) -> Result<Nameservers, Error<T>> {
    call(client, GetNameservers { tailnet: example() }).await
}

/// A call that replaces.
pub async fn set_nameservers<T: Transport<Body = Vec<u8>>>(
    client: &Client<T>,
) -> Result<NameserversSet, Error<T>> {
    let nameservers = Nameservers::default();
    let tailnet = example();
    call(
        client,
        SetNameservers {
            tailnet,
            nameservers,
        },
    )
    .await
}
