//! What JavaScript calls: stateless exports, five lines at most each, named after their namespace.
//! Text goes in and out as text, objects come in as JSON text. Must not live here: decisions.
//!
//! The core wasm is built with the feature `kit` alone, the sandbox's with `sandbox` alone.

mod answer;
mod convert;
mod error;

#[cfg(feature = "kit")]
mod api;
#[cfg(feature = "kit")]
mod arguments;
#[cfg(feature = "kit")]
mod asked;
#[cfg(feature = "kit")]
mod body;
#[cfg(feature = "kit")]
mod call_error;
#[cfg(feature = "kit")]
mod cidr;
#[cfg(feature = "kit")]
mod faults;
#[cfg(feature = "kit")]
mod found;
#[cfg(feature = "kit")]
mod gateway;
#[cfg(feature = "kit")]
mod hujson;
#[cfg(feature = "kit")]
mod json;
#[cfg(feature = "kit")]
mod memo;
#[cfg(feature = "kit")]
mod policy;
#[cfg(feature = "kit")]
mod reply;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "kit")]
mod text;
#[cfg(feature = "kit")]
mod verdicts;
