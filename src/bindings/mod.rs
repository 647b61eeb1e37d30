//! What JavaScript calls: stateless exports, five lines at most each, named after their namespace.
//! Text goes in and out as text, objects come in as JSON text. Must not live here: decisions.

mod answer;
mod api;
mod call_error;
mod cidr;
mod convert;
mod error;
mod gateway;
mod hujson;
mod policy;
mod reply;
#[cfg(feature = "sandbox")]
mod sandbox;
mod text;
