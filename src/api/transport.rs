//! What a client needs from the world: sending, waiting, a clock, random numbers.
//! Must not live here: an implementation.
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::time::Duration;

use super::credentials::ApiKey;
use super::error::Error;
use super::failure::CallError;
use super::message::{Request, Response};

/// Carries requests to a service. The client is generic over it: in JavaScript it is `fetch`, in tests the
/// sandbox, in a Rust program whatever HTTP library is at hand.
///
/// A transport follows no redirects: that is for the client to decide, since it holds the key.
pub trait Transport {
    /// The body of an answer.
    type Body: Body;
    /// Why there was no answer, in the transport's own terms.
    type Cause: fmt::Debug + fmt::Display;

    /// Sends one request, whose target is an absolute URL, and reads the whole answer.
    fn send(
        &self,
        request: Request,
        limits: Limits,
    ) -> impl Future<Output = Result<Response<Self::Body>, Interrupted<Self::Cause>>>;

    /// Waits before the next attempt; it may inform its user first.
    fn pause(
        &self,
        pause: &Pause<'_, Self::Body, Self::Cause>,
    ) -> impl Future<Output = Result<(), Interrupted<Self::Cause>>>;

    /// Milliseconds since 1970.
    fn now(&self) -> f64;

    /// A number in 0..1, different each time.
    fn random(&self) -> f64;

    /// The key for the next attempt, where it comes from the transport and not from the client's options. The time that this
    /// takes is part of the attempt. If the service rejects the key, this is called once more, and may give another.
    fn key(
        &self,
        asked: &KeyRequest<'_>,
    ) -> impl Future<Output = Result<Option<ApiKey>, Interrupted<Self::Cause>>> {
        let _ = asked;
        async { Ok(None) }
    }
}

/// What a source of keys is given.
#[derive(Clone, Copy, Debug)]
pub struct KeyRequest<'a> {
    /// Where the key is going.
    pub base_url: &'a str,
    /// The key that was just answered with 401, if any.
    pub rejected: Option<&'a ApiKey>,
    /// How long it may take.
    pub limits: Limits,
}

/// How long an attempt may take, and how much it may read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The time for headers and body together; `None` for no limit.
    pub timeout: Option<Duration>,
    /// The size of the largest body, in bytes after decoding.
    pub max_bytes: u64,
}

/// Why an attempt has no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Interrupted<C> {
    /// The limit of [`Limits::timeout`] was reached.
    Timeout,
    /// The caller stopped it.
    Aborted(C),
    /// The connection failed, before or during the answer.
    Connection {
        /// What failed.
        cause: C,
        /// The status, where the connection failed only during the body.
        status: Option<u16>,
    },
    /// The transport's user gave something that cannot be used: a key, a header.
    Argument(Error),
    /// A function of the transport's user failed; its error is passed on as it is.
    Hook(C),
    /// The body exceeds [`Limits::max_bytes`].
    TooLarge {
        /// The status that came before the body.
        status: u16,
    },
}

/// A pause before another attempt.
#[derive(Debug)]
pub struct Pause<'a, B, C> {
    /// How long to wait.
    pub delay: Duration,
    /// The time for the caller's functions that run before it, where the call as a whole has a limit.
    pub limit: Option<Duration>,
    /// What happened; its `attempts` is the number of the attempt that failed, from 1.
    pub error: &'a CallError<B, C>,
}

/// A body that can be read as text, which the client does only with refusals, policies and tokens.
pub trait Body: fmt::Debug {
    /// The body as text, byte for byte; `None` where it is not UTF-8.
    fn text(&self) -> Option<Cow<'_, str>>;

    /// The body as text for people: invalid UTF-8 is replaced.
    fn text_lossy(&self) -> Cow<'_, str>;

    /// Removes the key, in both of the forms that [`ApiKey::forms`] gives.
    fn redact(&mut self, key: &ApiKey);

    /// Removes everything: for a body that is a secret itself.
    fn withhold(&mut self);
}

impl Body for Vec<u8> {
    fn text(&self) -> Option<Cow<'_, str>> {
        str::from_utf8(self).ok().map(Cow::Borrowed)
    }

    fn text_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self)
    }

    fn redact(&mut self, key: &ApiKey) {
        *self = key.redact(&self.text_lossy()).into_bytes();
    }

    fn withhold(&mut self) {
        self.clear();
    }
}
