//! Offline tools, API client and sandbox for private mesh networks ("tailnets").
//!
//! Lives here: the map of the modules, lowest first. A module uses those above it in this list
//! and never one below; `client`, `gateway` and `sandbox` are peers and meet only in `bindings` and in tests.
//! Must not live here: code.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod tables;

pub mod hujson;

pub mod cidr;

pub mod policy;

pub mod api;

pub mod client;

pub mod gateway;

#[cfg(feature = "sandbox")]
pub mod sandbox;

#[cfg(target_arch = "wasm32")]
mod bindings;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
mod readme {}
