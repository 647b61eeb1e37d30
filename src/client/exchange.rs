//! One call from its request to a success: credentials, attempts, redirects, time limits.
//! Must not live here: which call may be repeated (`api::retry`), what a body means.
use std::time::Duration;

use super::url::Url;
use super::{CallOptions, Client, Error};
use crate::Code;
use crate::api::retry::{self, Failure, Rule};
use crate::api::{
    self, ApiKey, Body, CallError, Interrupted, KeyRequest, Kind, Limits, Method, Pause, Request,
    Response, Transport, headers,
};

/// A call under way.
struct Exchange<'c, T: Transport> {
    client: &'c Client<T>,
    call: &'c CallOptions,
    request: Request,
    rule: Rule,
    /// When all attempts together must be over, in milliseconds since 1970.
    deadline: Option<f64>,
    attempts: u32,
    /// The key of the last attempt. No error may contain it.
    sent_key: Option<ApiKey>,
    /// The number of attempts that failed, without the one whose rejected key was replaced.
    failures: u32,
    /// Whether another key has been asked for in place of a rejected one.
    asked_again: bool,
    /// The key that this gave, for the next attempt.
    second_key: Option<ApiKey>,
}

/// The failure of an attempt.
type Fault<T> = Kind<<T as Transport>::Body, <T as Transport>::Cause>;

/// How many redirects are followed in a row.
const MAX_REDIRECTS: usize = 5;

impl<T: Transport> Client<T> {
    /// Sends a request whose target is a path of the service and returns the success, with what `read` makes of it.
    /// `rule` says after which failures it may be repeated: [`Operation::rule`](crate::api::Operation::rule), or [`Operation::rule_of`](crate::api::Operation::rule_of) any request.
    ///
    /// # Errors
    /// [`CallError`]: see its [`Kind`] for all that can happen; an error of `read` becomes [`Kind::Malformed`].
    pub async fn send<X>(
        &self,
        request: Request,
        rule: Rule,
        call: &CallOptions,
        read: impl Fn(&Response<T::Body>) -> Result<X, api::Error>,
    ) -> Result<(X, Response<T::Body>), Error<T>> {
        let mut exchange = Exchange::new(self, call, request, rule);
        let response = exchange.success().await?;
        exchange.read(response, read)
    }
}

impl<'c, T: Transport> Exchange<'c, T> {
    fn new(client: &'c Client<T>, call: &'c CallOptions, request: Request, rule: Rule) -> Self {
        let total = client.options.total_timeout;
        let now = client.transport.now();
        Exchange {
            client,
            call,
            request,
            rule,
            deadline: total.map(|total| now + milliseconds(total)),
            attempts: 0,
            sent_key: None,
            failures: 0,
            asked_again: false,
            second_key: None,
        }
    }

    /// Reads a success.
    #[inline(never)]
    fn read<X>(
        &self,
        mut response: Response<T::Body>,
        read: impl Fn(&Response<T::Body>) -> Result<X, api::Error>,
    ) -> Result<(X, Response<T::Body>), Error<T>> {
        let error = match read(&response) {
            Ok(value) => return Ok((value, response)),
            Err(error) => error,
        };
        self.conceal(&mut response);
        // Parsers quote what they cannot read, so the error is made anew from the body without the key.
        let error = Box::new(read(&response).err().unwrap_or(error));
        if self.call.secret {
            response.body.withhold();
        }
        Err(self.failed(Kind::Malformed { error, response }))
    }

    /// Removes secrets from an answer that becomes part of an error.
    fn conceal(&self, response: &mut Response<T::Body>) {
        response.headers.conceal(|text| self.clean(text));
        if let Some(key) = &self.sent_key {
            response.body.redact(key);
        }
    }

    fn clean(&self, text: &str) -> String {
        match &self.sent_key {
            Some(key) => key.redact(text),
            None => text.to_owned(),
        }
    }

    /// Attempts and pauses until there is a success or no further attempt is allowed.
    async fn success(&mut self) -> Result<Response<T::Body>, Error<T>> {
        loop {
            self.attempts = self.attempts.saturating_add(1);
            let fault = match self.attempt().await {
                Ok(response) => return Ok(response),
                Err(fault) => fault,
            };
            let error = self.failed(fault);
            if self.has_second_key(&error).await? {
                continue;
            }
            self.failures = self.failures.saturating_add(1);
            let delay = match self.delay(&error) {
                Some(delay) => delay,
                None => return Err(error),
            };
            if self.remaining().is_some_and(|remaining| remaining <= delay) {
                return Err(self.failed(Kind::Timeout(Some(Box::new(error)))));
            }
            self.pause(delay, &error).await?;
        }
    }

    /// Whether there is another key in place of one that was answered with 401. Then the call is sent again at once, which does
    /// not count as a repetition. Any call may be: 401 says that nothing was done.
    async fn has_second_key(&mut self, error: &Error<T>) -> Result<bool, Error<T>> {
        let refused = error.code() == Code::Authentication;
        let rejected = match &self.sent_key {
            Some(key) if refused && !self.asked_again => key,
            _ => return Ok(false),
        };
        let given = self.key(self.limits(), Some(rejected)).await;
        let given = given.map_err(|fault| self.failed(fault))?;
        self.asked_again = true;
        self.second_key = given.filter(|key| Some(key) != self.sent_key.as_ref());
        Ok(self.second_key.is_some())
    }

    /// How long to wait before the next attempt; `None` where there must not be one.
    fn delay(&self, error: &Error<T>) -> Option<Duration> {
        let failure = match &error.kind {
            Kind::Refused { refusal, .. } if refusal.decided.is_some() => return None,
            Kind::Refused { refusal, .. } => Failure::Status(refusal.status),
            Kind::Connection { .. } | Kind::Timeout(_) => Failure::Connection,
            _ => return None,
        };
        let max = self
            .call
            .max_retries
            .unwrap_or(self.client.options.max_retries);
        if self.failures > max || !self.rule.allows(failure) {
            return None;
        }
        let wish = match &error.kind {
            Kind::Refused { refusal, .. } => refusal.retry_after,
            _ => None,
        };
        let delay = retry::delay(self.failures, wish, self.client.transport.random())?;
        Some(duration(delay))
    }

    async fn pause(&self, delay: Duration, error: &Error<T>) -> Result<(), Error<T>> {
        let limit = self.remaining();
        let pause = Pause {
            delay,
            limit,
            error,
        };
        let paused = self.client.transport.pause(&pause).await;
        paused.map_err(|interrupted| self.failed(self.fault(interrupted)))
    }

    /// One attempt: the key, the request, redirects that may be followed, the status.
    async fn attempt(&mut self) -> Result<Response<T::Body>, Fault<T>> {
        let limits = self.limits();
        let end = limits
            .timeout
            .map(|timeout| self.client.transport.now() + milliseconds(timeout));
        self.sent_key = match self.second_key.take() {
            None => self.key(limits, None).await?,
            second => second,
        };
        let request = self.signed(self.sent_key.as_ref());
        let mut delivered = self.deliver(request, limits, end).await;
        if let Err(Kind::Connection { said, .. }) = &mut delivered {
            *said = self.clean(said);
        }
        let mut response = delivered?;
        if response.is_success() {
            return Ok(response);
        }
        self.conceal(&mut response);
        let text = response.body.text_lossy();
        let now = self.client.transport.now();
        let (status, read) = (response.status, self.client.options.service.refusal);
        let refusal = Box::new(read(status, &response.headers, &text, now));
        Err(Kind::Refused { refusal, response })
    }

    async fn key(
        &self,
        limits: Limits,
        rejected: Option<&ApiKey>,
    ) -> Result<Option<ApiKey>, Fault<T>> {
        let options = &self.client.options;
        if let Some(key) = &options.api_key {
            return Ok(Some(key.clone()));
        }
        let base_url = options.base_url.to_string();
        let asked = KeyRequest {
            base_url: &base_url,
            rejected,
            limits,
        };
        let key = self.client.transport.key(&asked).await;
        key.map_err(|interrupted| self.fault(interrupted))
    }

    /// The request as it is sent: with an absolute URL, credentials and the caller's header fields, which are set last
    /// and so can replace even the credentials.
    fn signed(&self, key: Option<&ApiKey>) -> Request {
        let options = &self.client.options;
        let mut request = self.request.clone();
        request.target = options.base_url.join(&request.target);
        if let Some(key) = key {
            let value = (options.service.authorization)(key);
            request.headers.set(headers::AUTHORIZATION, value);
        }
        options.headers.apply(&mut request.headers);
        self.call.headers.apply(&mut request.headers);
        request
    }

    /// Sends the request and follows redirects where that is safe. `end` is when the attempt must be over, in
    /// milliseconds since 1970.
    async fn deliver(
        &self,
        mut request: Request,
        limits: Limits,
        end: Option<f64>,
    ) -> Result<Response<T::Body>, Fault<T>> {
        let mut followed = 0;
        loop {
            let left = end.map(|end| duration(end - self.client.transport.now()));
            let limits = Limits {
                timeout: left,
                ..limits
            };
            let sent = self.client.transport.send(request.clone(), limits).await;
            let response = sent.map_err(|interrupted| self.fault(interrupted))?;
            match redirect(&request, &response, self.sent_key.is_some()) {
                Redirect::None => return Ok(response),
                Redirect::To(url) if followed < MAX_REDIRECTS => {
                    followed += 1;
                    request.target = url;
                }
                Redirect::To(_) => {
                    let (status, reason) = (response.status, "too many redirects");
                    return Err(Kind::Redirected { status, reason });
                }
                Redirect::Refused(reason) => {
                    let status = response.status;
                    return Err(Kind::Redirected { status, reason });
                }
            }
        }
    }

    fn limits(&self) -> Limits {
        let options = &self.client.options;
        let timeout = self.call.timeout.unwrap_or(options.timeout);
        let timeout = [timeout, self.remaining()].into_iter().flatten().min();
        Limits {
            timeout,
            max_bytes: options.max_response_bytes,
        }
    }

    fn remaining(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(duration(deadline - self.client.transport.now()))
    }

    fn failed(&self, kind: Fault<T>) -> Error<T> {
        CallError {
            kind,
            attempts: self.attempts,
            method: self.request.method,
            path: self.request.path().to_owned(),
        }
    }

    fn fault(&self, interrupted: Interrupted<T::Cause>) -> Fault<T> {
        match interrupted {
            Interrupted::Timeout => Kind::Timeout(None),
            Interrupted::Aborted(cause) => Kind::Aborted(cause),
            Interrupted::Connection { cause, status } => Kind::Connection {
                said: cause.to_string(),
                cause,
                status,
            },
            Interrupted::Argument(error) => Kind::Argument(error),
            Interrupted::Hook(cause) => Kind::Hook(cause),
            Interrupted::TooLarge { status } => Kind::TooLarge {
                status,
                limit: self.client.options.max_response_bytes,
            },
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Milliseconds as a duration: zero for a negative number, and at most some five hundred years.
fn duration(milliseconds: f64) -> Duration {
    Duration::from_nanos((milliseconds * 1e6) as u64)
}

/// Whether an answer redirects, and whether that is followed.
enum Redirect {
    None,
    To(String),
    Refused(&'static str),
}

/// Whether a redirect may be followed: never to another origin with a secret, which may also be a key in the body,
/// and never where a write would become a read (RFC 9110, section 15.4).
fn redirect<B>(request: &Request, response: &Response<B>, has_key: bool) -> Redirect {
    let keeps_method = matches!(response.status, 307 | 308);
    if !keeps_method && !matches!(response.status, 301..=303) {
        return Redirect::None;
    }
    if !keeps_method && request.method != Method::Get && request.method != Method::Head {
        return Redirect::Refused("a write cannot be repeated there as it was");
    }
    let Some(location) = response.headers.get(headers::LOCATION) else {
        return Redirect::Refused("it does not say where to");
    };
    let here = match Url::parse(&request.target) {
        Ok(here) => here,
        Err(reason) => return Redirect::Refused(reason),
    };
    let there = match here.resolve(location) {
        Ok(there) => there,
        Err(_) => return Redirect::Refused("its target cannot be read"),
    };
    let mut names = request.headers.iter().map(|(name, _)| name);
    let secret = has_key || names.any(headers::is_secret);
    if secret && !here.same_origin(&there) {
        return Redirect::Refused(
            "the key is not sent to another origin; set `baseURL` to the final address",
        );
    }
    Redirect::To(there.to_string())
}
