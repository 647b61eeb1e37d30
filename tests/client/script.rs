//! A scripted transport, calls over it, and its answers. Must not live here: tests.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;
use std::time::Duration;

use crate::ready::ready;
use tailnet_kit::api::{
    ApiKey, Endpoint, GetNameservers, Interrupted, KeyRequest, Limits, Nameservers, NameserversSet,
    Operation, Pause, Request, Response, SetNameservers, TailnetName, Transport,
};
use tailnet_kit::client::{CallOptions, Client, Error, Options};

pub const KEY: &str = "tskey-very-secret";

/// When every test begins: 1994-11-06T08:48:20Z.
pub const NOW: f64 = 784_111_700_000.0;

/// Gives its answers and its keys in order, and records the requests. A copy shares them, so that a test can look at them afterwards.
#[derive(Clone, Default)]
pub struct Script(Rc<Scripted>);

#[derive(Default)]
pub struct Scripted {
    pub answers: RefCell<VecDeque<Answer>>,
    pub keys: RefCell<VecDeque<&'static str>>,
    pub requests: RefCell<Vec<Request>>,
    /// The refused keys, each time that another was asked for.
    pub rejected: RefCell<Vec<Option<String>>>,
    pub limits: RefCell<Vec<Limits>>,
    pub pauses: RefCell<Vec<Duration>>,
    pub now: Cell<f64>,
}

impl Deref for Script {
    type Target = Scripted;

    fn deref(&self) -> &Scripted {
        &self.0
    }
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

    async fn key(&self, asked: &KeyRequest<'_>) -> Result<Option<ApiKey>, Interrupted<String>> {
        assert_eq!(asked.base_url, "https://api.example.com/base");
        let rejected = asked.rejected.map(|key| key.reveal().to_owned());
        self.rejected.borrow_mut().push(rejected);
        match self.keys.borrow_mut().pop_front() {
            Some("") => Err(Interrupted::Hook("the vault is shut".to_owned())),
            key => Ok(key.map(|key| ApiKey::new(key).expect("a key"))),
        }
    }
}

pub fn options() -> Options {
    let mut options = Options::new("https://api.example.com/base/").expect("a URL");
    options.api_key = Some(ApiKey::new(KEY).expect("a key"));
    options.tailnet = Some(TailnetName::new("example.com").expect("a name"));
    options
}

pub fn script(answers: impl IntoIterator<Item = Answer>) -> Script {
    Script(Rc::new(Scripted {
        answers: RefCell::new(answers.into_iter().collect()),
        now: Cell::new(NOW),
        ..Scripted::default()
    }))
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
