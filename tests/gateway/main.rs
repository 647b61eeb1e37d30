//! The gateway's decisions: a file for each part of `src/gateway`, with `paths`, `headers` and `options`; and `gate`, the gateway that
//! they ask. Must not live here: tests, sending.
#![cfg(not(target_arch = "wasm32"))]

mod allow;
mod gate;
mod headers;
mod member;
mod options;
mod passage;
mod paths;
mod secret;
mod service;
