//! Which call answers which operation: a new operation does not compile until one does. Must not live here: what a call does.

use super::Sandbox;
use super::choices::Outcome;
use crate::api::{Endpoint, Operation as Op, Request, Response, Scope, each_operation};

/// A request that was accepted.
pub(super) struct Asked<'r> {
    pub(super) scope: Scope,
    pub(super) request: &'r Request,
    pub(super) now: i64,
}

impl Asked<'_> {
    /// Reads the call, runs it, and writes the result.
    pub(super) fn serve<E: Endpoint>(
        self,
        run: impl FnOnce(E, i64) -> Outcome<E::Output>,
    ) -> Outcome<Response> {
        let call = E::from_request(self.scope, self.request)?;
        Ok(E::respond(&run(call, self.now)?))
    }
}

/// An operation that the sandbox answers.
pub(super) trait Served {
    fn answer(sandbox: &mut Sandbox, asked: Asked<'_>) -> Outcome<Response>;
}

/// Says which methods of the sandbox answer which operations: `Operation: form method,`. A method of the form `plain` takes the call, a `timed` one
/// also the time; a `whole` one reads and writes by itself.
macro_rules! serves {
    (@plain $sandbox:ident $asked:ident $method:ident) => { $asked.serve(|call, _| $sandbox.$method(call)) };
    (@timed $sandbox:ident $asked:ident $method:ident) => { $asked.serve(|call, now| $sandbox.$method(call, now)) };
    (@whole $sandbox:ident $asked:ident $method:ident) => { $sandbox.$method($asked.scope, $asked.request) };
    ($($operation:ident: $form:ident $method:ident,)+) => {$(
        impl $crate::sandbox::perform::Served for $crate::api::$operation {
            fn answer(
                sandbox: &mut $crate::sandbox::Sandbox,
                asked: $crate::sandbox::perform::Asked<'_>,
            ) -> $crate::sandbox::choices::Outcome<$crate::api::Response> {
                serves!(@$form sandbox asked $method)
            }
        }
    )+};
}
pub(super) use serves;

macro_rules! performed {
    ($($operation:ident,)+) => {
        impl Sandbox {
            pub(super) fn perform(&mut self, op: Op, scope: Scope, request: &Request, now: i64) -> Outcome<Response> {
                let asked = Asked { scope, request, now };
                match op {
                    $(Op::$operation => <crate::api::$operation as Served>::answer(self, asked),)+
                }
            }
        }
    };
}
each_operation!(performed);
