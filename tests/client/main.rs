//! The client over a scripted transport: native, without a network, without waiting. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/ready.rs"]
mod ready;

mod exchange;
mod token;
