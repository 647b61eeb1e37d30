//! The sandbox as the client's transport: every answer is ready at the first poll, so that a client can be tested
//! without a network and without an async runtime. Must not live here: the service.

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use super::Sandbox;
use super::headscale::HeadscaleSandbox;
use crate::api::{Interrupted, Limits, Pause, Request, Response, Transport};

/// What answers requests in process.
pub trait Answers {
    /// Answers one request at time `now`, in milliseconds since 1970.
    fn answer_at(&mut self, request: &Request, now: i64) -> Response;
}

impl Answers for Sandbox {
    fn answer_at(&mut self, request: &Request, now: i64) -> Response {
        self.handle(request, now)
    }
}

impl Answers for HeadscaleSandbox {
    fn answer_at(&mut self, request: &Request, now: i64) -> Response {
        self.handle(request, now)
    }
}

/// A sandbox of either kind with a clock, for callers that need a [`crate::api::Transport`].
pub struct SandboxTransport<Clock, Service = Sandbox> {
    sandbox: Mutex<Service>,
    clock: Clock,
}

impl<Clock: Fn() -> i64, Service: Answers> SandboxTransport<Clock, Service> {
    /// A transport to this sandbox; `clock` returns milliseconds since 1970.
    pub fn new(sandbox: Service, clock: Clock) -> Self {
        SandboxTransport {
            sandbox: Mutex::new(sandbox),
            clock,
        }
    }

    /// Reads or changes the sandbox between calls.
    pub fn with<R>(&self, look: impl FnOnce(&mut Service) -> R) -> R {
        look(&mut self.sandbox.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<Clock: Fn() -> i64, Service: Answers> Transport for SandboxTransport<Clock, Service> {
    type Body = Vec<u8>;
    type Cause = Infallible;

    async fn send(
        &self,
        request: Request,
        limits: Limits,
    ) -> Result<Response, Interrupted<Infallible>> {
        let response = self.with(|sandbox| sandbox.answer_at(&request, (self.clock)()));
        if u64::try_from(response.body.len()).is_ok_and(|length| length > limits.max_bytes) {
            return Err(Interrupted::TooLarge {
                status: response.status,
            });
        }
        Ok(response)
    }

    /// No time passes: the next attempt follows at once.
    async fn pause(
        &self,
        _: &Pause<'_, Vec<u8>, Infallible>,
    ) -> Result<(), Interrupted<Infallible>> {
        Ok(())
    }

    fn now(&self) -> f64 {
        (self.clock)() as f64
    }

    /// The middle, always: a test must give the same result twice.
    fn random(&self) -> f64 {
        0.5
    }
}
