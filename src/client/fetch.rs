//! `fetch` as the client's transport: the caller's or the global one, with time limits, cancellation and hooks.
//! The body of a success stays on the JavaScript side. Must not live here: paths, headers, retries, error objects.
#[cfg(feature = "bindings")]
pub mod bindings;
mod body;
mod cause;
mod object;
mod place;
mod request;
mod watch;

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use self::cause::{Fault, connection};
use self::object::{get, put, settled};
use self::place::is_browser;
use self::request::{build, init, read_headers};
use self::watch::{Watch, whole_milliseconds};
use crate::api::{
    self, ApiKey, CallError, Headers, Interrupted, KeyRequest, Limits, Pause, Request, Response,
    Transport, headers,
};

pub use self::body::Fetched;
pub use self::cause::Cause;
pub use self::place::place;

/// The error of a call over this transport.
pub type FetchError = CallError<Fetched, Cause>;

/// The transport of one call. The host object of the facade has `readBody` and, each optional, `fetch`, `key`, `hooks`, `logger`,
/// `logLevel`, `signal` and `toError`.
#[derive(Debug)]
pub struct Fetch {
    host: JsValue,
    describe: fn(&FetchError) -> JsValue,
}

impl Fetch {
    /// A transport over a host object; `describe` makes the plain object that `toError` turns into an error for `beforeRetry`.
    pub fn new(host: JsValue, describe: fn(&FetchError) -> JsValue) -> Self {
        Fetch { host, describe }
    }

    /// The value that the caller gave under this name, or else the global one.
    fn own_or_global(&self, name: &str) -> JsValue {
        let own = get(&self.host, name);
        if own.is_falsy() {
            get(&js_sys::global(), name)
        } else {
            own
        }
    }

    /// The argument of the function that was given as `apiKey`.
    fn told(&self, asked: &KeyRequest<'_>) -> Object {
        let told = Object::new();
        put(&told, "baseURL", asked.base_url);
        put(&told, "fetch", self.own_or_global("fetch"));
        put(&told, "signal", get(&self.host, "signal"));
        if let Some(key) = asked.rejected {
            put(&told, "rejected", key.reveal());
        }
        told
    }

    fn hook(&self, name: &str) -> Option<Function> {
        get(&get(&self.host, "hooks"), name).dyn_into().ok()
    }

    /// The error as the object that the facade's `toError` makes of it.
    fn as_error(&self, error: &FetchError) -> JsValue {
        let plain = (self.describe)(error);
        match get(&self.host, "toError").dyn_into::<Function>() {
            Ok(to_error) => to_error.call1(&JsValue::UNDEFINED, &plain).unwrap_or(plain),
            Err(_) => plain,
        }
    }

    /// Calls a hook as a method of `hooks`, and waits for its result, which may be a promise.
    async fn run_hook(&self, hook: &Function, arguments: &Array) -> Result<JsValue, Fault> {
        let returned = Reflect::apply(hook, &get(&self.host, "hooks"), arguments);
        settled(returned)
            .await
            .map_err(|error| Interrupted::Hook(Cause(error)))
    }

    /// Writes a line to the logger, if the level allows it. Errors of the logger are ignored.
    fn log(&self, level: &str, line: impl FnOnce() -> String) {
        let levels = ["off", "error", "warn", "info", "debug"];
        let rank = |name: &str| levels.iter().position(|level| *level == name);
        let wanted = get(&self.host, "logLevel").as_string();
        if rank(level) > rank(wanted.as_deref().unwrap_or("warn")) {
            return;
        }
        let own = get(&self.host, "logger");
        let logger = if own.is_falsy() {
            get(&js_sys::global(), "console")
        } else {
            own
        };
        if let Ok(method) = get(&logger, level).dyn_into::<Function>() {
            drop(method.call1(&logger, &line().into()));
        }
    }

    /// One exchange under a watch: hooks, fetch, the whole body.
    async fn exchange(
        &self,
        request: &Request,
        watch: &Watch,
        limit: u64,
    ) -> Result<Response<Fetched>, Fault> {
        let hooked = self.hook("beforeRequest").is_some() || self.hook("afterResponse").is_some();
        let seen = if hooked {
            build(request, watch)?
        } else {
            JsValue::UNDEFINED
        };
        let given = self.before(&seen).await?;
        let response = match is_response(&given) {
            true => given.clone(),
            false => self.fetch(request, &given, watch).await?,
        };
        // Without a hook that may change the request, or where it made the response in place of the service, the request is the one
        // that was built.
        let is_replaced = given.is_object() && !is_response(&given);
        let sent = if is_replaced { &given } else { &seen };
        let response = self.after(sent, response).await?;
        self.received(request, response, watch, limit).await
    }

    /// What `beforeRequest` gives: the request to send, or a response in place of the service's; `undefined` without this hook.
    async fn before(&self, request: &JsValue) -> Result<JsValue, Fault> {
        let Some(hook) = self.hook("beforeRequest") else {
            return Ok(JsValue::UNDEFINED);
        };
        let replaced = self.run_hook(&hook, &Array::of1(request)).await?;
        unread("beforeRequest", replaced, request)
    }

    async fn after(&self, request: &JsValue, response: JsValue) -> Result<JsValue, Fault> {
        let Some(hook) = self.hook("afterResponse") else {
            return Ok(response);
        };
        let replaced = self
            .run_hook(&hook, &Array::of2(request, &response))
            .await?;
        unread("afterResponse", replaced, &response)
    }

    /// Calls the caller's fetch or the global one, without `this`. The request is passed as the object that `beforeRequest`
    /// may have changed, or, without this hook, as URL and options, which every fetch understands.
    async fn fetch(
        &self,
        request: &Request,
        seen: &JsValue,
        watch: &Watch,
    ) -> Result<JsValue, Fault> {
        let fetch = self.own_or_global("fetch");
        let fetch = fetch.dyn_into::<Function>().map_err(|_| {
            Interrupted::Argument(api::Error::argument(
                "fetch",
                "is missing: this runtime has none",
            ))
        })?;
        let returned = if seen.is_object() {
            fetch.call1(&JsValue::UNDEFINED, seen)
        } else {
            let init = init(request, watch)?;
            fetch.call2(&JsValue::UNDEFINED, &request.target.as_str().into(), &init)
        };
        let response = settled(returned).await.map_err(connection)?;
        if is_response(&response) {
            return Ok(response);
        }
        Err(connection(
            js_sys::TypeError::new("fetch returned no Response").into(),
        ))
    }

    /// The response with its body read.
    async fn received(
        &self,
        request: &Request,
        response: JsValue,
        watch: &Watch,
        limit: u64,
    ) -> Result<Response<Fetched>, Fault> {
        if get(&response, "type") == "opaqueredirect" {
            return self.reveal(request, response, watch).await;
        }
        let status = get(&response, "status").as_f64().unwrap_or_default() as u16;
        if status == 0 {
            // What `Response.error()` makes, or a mode that hides the answer (Fetch standard, section 2.2.6).
            return Err(connection(
                js_sys::TypeError::new("the response is a network error").into(),
            ));
        }
        let headers = read_headers(&get(&response, "headers"));
        let success = (200..300).contains(&status);
        let body = match self.body(&response, watch, limit).await {
            Ok(body) if body.is_undefined() && success => {
                return Err(Interrupted::TooLarge { status });
            }
            Ok(body) => body,
            Err(_) if !success => JsValue::UNDEFINED,
            Err(error) => {
                return Err(Interrupted::Connection {
                    cause: Cause(error),
                    status: Some(status),
                });
            }
        };
        Ok(Response {
            status,
            headers,
            body: Fetched::new(response, &body),
        })
    }

    /// What `readBody` of the host object gives: the body, or `undefined` where it is too large.
    async fn body(
        &self,
        response: &JsValue,
        watch: &Watch,
        limit: u64,
    ) -> Result<JsValue, JsValue> {
        let read: Function = get(&self.host, "readBody").dyn_into()?;
        let signal = watch.signal().map_or(JsValue::UNDEFINED, JsValue::from);
        let (limit, in_browser) = (JsValue::from(limit as f64), is_browser().into());
        settled(read.call4(&JsValue::UNDEFINED, response, &limit, &signal, &in_browser)).await
    }

    /// A page cannot see where a redirect leads, only follow it. So a read is sent again without any secret, and the URL where
    /// it ends becomes the target of an ordinary redirect, which the client then follows or refuses.
    async fn reveal(
        &self,
        request: &Request,
        response: JsValue,
        watch: &Watch,
    ) -> Result<Response<Fetched>, Fault> {
        let mut headers = Headers::new();
        let body = Fetched::new(response, &JsValue::UNDEFINED);
        if request.method == api::Method::Get {
            let mut bare = Request::new(request.method, request.target.clone());
            bare.headers.set(headers::ACCEPT, "*/*");
            let end = self.fetch(&bare, &JsValue::UNDEFINED, watch).await?;
            headers.set(
                headers::LOCATION,
                get(&end, "url").as_string().unwrap_or_default(),
            );
        }
        Ok(Response {
            status: 307,
            headers,
            body,
        })
    }
}

impl Transport for Fetch {
    type Body = Fetched;
    type Cause = Cause;

    async fn send(&self, request: Request, limits: Limits) -> Result<Response<Fetched>, Fault> {
        let watch = Watch::start(&get(&self.host, "signal"), limits.timeout);
        let started = self.now();
        let result = watch
            .race(self.exchange(&request, &watch, limits.max_bytes))
            .await;
        self.log("debug", || {
            let outcome = match &result {
                Ok(response) => response.status.to_string(),
                Err(_) => "no answer".to_owned(),
            };
            let took = (self.now() - started).max(0.0) as u64;
            format!(
                "tailnet-kit: {} {}: {outcome} after {took} ms",
                request.method, request.target
            )
        });
        result
    }

    async fn pause(&self, pause: &Pause<'_, Fetched, Cause>) -> Result<(), Fault> {
        let error = pause.error;
        // Whole milliseconds: printing fractions takes a dozen KiB of code.
        let delay = whole_milliseconds(pause.delay);
        self.log("info", || {
            let (method, path, attempt) = (error.method, &error.path, error.attempts);
            format!("tailnet-kit: {method} {path}: attempt {attempt} failed ({error}), next in {delay} ms")
        });
        let watch = Watch::start(&get(&self.host, "signal"), Some(pause.delay));
        if let Some(hook) = self.hook("beforeRetry") {
            let info = Object::new();
            put(&info, "attempt", error.attempts);
            put(&info, "delay", delay);
            put(&info, "error", self.as_error(error));
            put(&info, "method", error.method.as_str());
            put(&info, "path", error.path.as_str());
            let unhurried = Watch::start(&get(&self.host, "signal"), pause.limit);
            unhurried
                .race(self.run_hook(&hook, &Array::of1(&info)))
                .await?;
        }
        match watch
            .race(std::future::pending::<Result<(), Fault>>())
            .await
        {
            Err(Interrupted::Timeout) => Ok(()),
            interrupted => interrupted,
        }
    }

    fn now(&self) -> f64 {
        js_sys::Date::now()
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }

    async fn key(&self, asked: &KeyRequest<'_>) -> Result<Option<ApiKey>, Fault> {
        let Ok(function) = get(&self.host, "key").dyn_into::<Function>() else {
            return Ok(None);
        };
        let watch = Watch::start(&get(&self.host, "signal"), asked.limits.timeout);
        let told = self.told(asked);
        let given = async {
            let key = settled(function.call1(&JsValue::UNDEFINED, &told)).await;
            key.map_err(|error| Interrupted::Hook(Cause(error)))
        };
        let Some(text) = watch.race(given).await?.as_string() else {
            let error = api::Error::argument("apiKey", "must be a function that gives a string");
            return Err(Interrupted::Argument(error));
        };
        ApiKey::new(&text).map(Some).map_err(Interrupted::Argument)
    }
}

/// The object that a hook gave, or else the one that it got; its body must not have been read yet.
fn unread(hook: &'static str, replaced: JsValue, shown: &JsValue) -> Result<JsValue, Fault> {
    let given = if replaced.is_object() {
        replaced
    } else {
        shown.clone()
    };
    if get(&given, "bodyUsed").is_truthy() {
        let reason = "has read the body, which is there once: read that of a `clone()`";
        let error = api::Error::argument(format!("hooks.{hook}"), reason);
        return Err(Interrupted::Argument(error));
    }
    Ok(given)
}

fn is_response(value: &JsValue) -> bool {
    get(value, "status").as_f64().is_some()
}
