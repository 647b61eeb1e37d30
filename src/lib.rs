//! Offline tools, API client and sandbox for private mesh networks ("tailnets").
//!
//! [`hujson`] reads, lays out and edits JSON with comments; [`cidr`] judges prefixes, addresses and DNS names; [`policy`] says what a policy
//! means and what the service would say about it; [`api`] has each call on the wire, [`client`] sends them, [`gateway`] decides what a
//! dashboard may send, and [`sandbox`] answers all of them in process.
//!
//! ```
//! use tailnet_kit::{cidr, hujson, policy};
//!
//! let text = r#"{
//!   // Developers reach the web servers.
//!   "tagOwners": {"tag:web": []},
//!   "acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web:443"]}],
//! }"#;
//! assert!(policy::check(text, &policy::PolicyContext::default()).accepted);
//! assert!(hujson::standardize(text)?.starts_with("{\n"));
//! assert!(cidr::check("10.0.0.0/8", cidr::Options::default()).is_ok());
//! # Ok::<(), hujson::Error>(())
//! ```
// The modules stand lowest first. One uses those above it and never one below; `client`, `gateway` and `sandbox` are peers and meet only
// in `crates/wasm` and in tests. Must not live here: code.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
// Without the policy engine, what it alone uses of the modules above it has no use.
#![cfg_attr(not(feature = "policy"), allow(dead_code, unused_imports))]

mod tables;

mod code;
pub use code::Code;

pub mod hujson;

pub mod cidr;

#[cfg(feature = "policy")]
pub mod policy;

pub mod api;

pub mod client;

pub mod gateway;

#[cfg(feature = "sandbox")]
pub mod sandbox;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
mod readme {}
