//! What JavaScript calls: stateless exports, five lines at most each, named after their namespace.
//! Text goes in and out as text, objects come in as JSON text. Must not live here: decisions.
//!
//! Each wasm file of the package has the exports of one feature, which `Cargo.toml` lists. Calls stand below under the feature that
//! exports them, what several files need above. This is the one table of what a file exports: the cutter reads it.
//!
//! A crate of its own, so that Rust programs which use `tailnet_kit` export nothing of it. There is nothing here but for wasm.

#![cfg(target_arch = "wasm32")]
#![forbid(unsafe_code)]

mod thrown;

mod heap;

#[cfg(feature = "sandbox")]
mod answer;
#[cfg(any(feature = "calls", feature = "gateway"))]
mod api_error;
#[cfg(any(feature = "cidr", feature = "edit"))]
mod arguments;
#[cfg(any(feature = "cidr", feature = "hujson", feature = "edit"))]
mod convert;
#[cfg(any(feature = "edit", feature = "check", feature = "language"))]
mod dialect;
#[cfg(any(feature = "buffer", feature = "sandbox"))]
mod error;
#[cfg(feature = "buffer")]
mod faults;
#[cfg(any(feature = "buffer", feature = "sandbox"))]
mod json;
#[cfg(any(feature = "hujson", feature = "check"))]
mod layout;
#[cfg(any(feature = "edit", feature = "policy"))]
mod splices;
#[cfg(any(feature = "check", feature = "language"))]
mod spoken;
#[cfg(feature = "buffer")]
mod text;
#[cfg(any(feature = "edit", feature = "check"))]
mod texts;

#[cfg(feature = "cidr")]
mod cidr;
#[cfg(feature = "cidr")]
mod short;

#[cfg(feature = "hujson")]
mod found;
#[cfg(feature = "hujson")]
mod hujson;

#[cfg(feature = "edit")]
mod edit;

#[cfg(feature = "json5")]
mod json5;

#[cfg(feature = "client")]
mod api;
#[cfg(feature = "calls")]
mod body;
#[cfg(feature = "calls")]
mod call_error;
#[cfg(feature = "calls")]
mod reply;
#[cfg(feature = "calls")]
mod settings;
#[cfg(feature = "calls")]
mod verdicts;

#[cfg(feature = "gateway")]
mod gateway;

#[cfg(feature = "headscale")]
mod headscale;

#[cfg(feature = "check")]
mod asked;
#[cfg(feature = "check")]
mod check;
#[cfg(feature = "check")]
mod memo;

#[cfg(feature = "policy")]
mod policy;

#[cfg(feature = "language")]
mod language;
#[cfg(feature = "language")]
mod packed;

#[cfg(feature = "sandbox")]
mod headscale_sandbox;
#[cfg(feature = "sandbox")]
mod sandbox;
