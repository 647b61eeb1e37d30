//! What JavaScript calls: stateless exports, five lines at most each, named after their namespace.
//! Text goes in and out as text, objects come in as JSON text. Must not live here: decisions.
//!
//! Each wasm file of the package has the exports of one feature: `text`, `json5`, `client`, `gateway`, `policy`, `language` or
//! `sandbox`; the one that has it all but for the language service and the sandbox those of `kit`. Calls stand below under the
//! feature that exports them, what several files need above.
//!
//! A crate of its own, so that Rust programs which use `tailnet_kit` export nothing of it. There is nothing here but for wasm.

#![cfg(target_arch = "wasm32")]
#![forbid(unsafe_code)]

mod thrown;

#[cfg(feature = "tlsf")]
mod heap;

#[cfg(any(feature = "gateway", feature = "sandbox"))]
mod answer;
#[cfg(any(feature = "client", feature = "gateway"))]
mod api_error;
#[cfg(any(
    feature = "text",
    feature = "json5",
    feature = "policy",
    feature = "language",
    feature = "gateway",
    feature = "sandbox"
))]
mod convert;
#[cfg(any(
    feature = "text",
    feature = "json5",
    feature = "policy",
    feature = "language",
    feature = "sandbox"
))]
mod error;
#[cfg(any(
    feature = "text",
    feature = "json5",
    feature = "policy",
    feature = "language"
))]
mod faults;
#[cfg(any(
    feature = "text",
    feature = "json5",
    feature = "policy",
    feature = "language"
))]
mod json;
#[cfg(any(feature = "text", feature = "policy"))]
mod layout;
#[cfg(any(
    feature = "text",
    feature = "json5",
    feature = "policy",
    feature = "language"
))]
mod text;
#[cfg(any(feature = "text", feature = "policy"))]
mod texts;

#[cfg(feature = "text")]
mod arguments;
#[cfg(feature = "text")]
mod cidr;
#[cfg(feature = "text")]
mod edit;
#[cfg(feature = "text")]
mod found;
#[cfg(feature = "text")]
mod hujson;
#[cfg(feature = "text")]
mod short;

#[cfg(feature = "json5")]
mod json5;

#[cfg(feature = "client")]
mod api;
#[cfg(feature = "client")]
mod body;
#[cfg(feature = "client")]
mod call_error;
#[cfg(feature = "client")]
mod reply;
#[cfg(feature = "client")]
mod verdicts;

#[cfg(feature = "gateway")]
mod gateway;

#[cfg(feature = "policy")]
mod asked;
#[cfg(feature = "policy")]
mod memo;
#[cfg(feature = "policy")]
mod policy;

#[cfg(feature = "language")]
mod language;
#[cfg(feature = "language")]
mod packed;

#[cfg(feature = "sandbox")]
mod sandbox;
