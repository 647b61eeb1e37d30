//! The sandbox as the client's transport: every answer is ready at the first poll, so that a client can be tested
//! without a network and without an async runtime. Must not live here: the service.

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use super::Sandbox;
use crate::api::{Interrupted, Limits, Pause, Request, Response, Transport};

/// A sandbox with a clock, for callers that need a [`crate::api::Transport`].
pub struct SandboxTransport<Clock> {
    sandbox: Mutex<Sandbox>,
    clock: Clock,
}

impl<Clock: Fn() -> i64> SandboxTransport<Clock> {
    /// A transport to this sandbox; `clock` returns milliseconds since 1970.
    pub fn new(sandbox: Sandbox, clock: Clock) -> Self {
        SandboxTransport {
            sandbox: Mutex::new(sandbox),
            clock,
        }
    }

    /// Reads or changes the sandbox between calls.
    pub fn with<R>(&self, look: impl FnOnce(&mut Sandbox) -> R) -> R {
        look(&mut self.sandbox.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<Clock: Fn() -> i64> Transport for SandboxTransport<Clock> {
    type Body = Vec<u8>;
    type Cause = Infallible;

    async fn send(
        &self,
        request: Request,
        limits: Limits,
    ) -> Result<Response, Interrupted<Infallible>> {
        let response = self.with(|sandbox| sandbox.handle(&request, (self.clock)()));
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
