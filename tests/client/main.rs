//! The client over a scripted transport (`script`): native, without a network, without waiting. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/exchanges_of_headscale.rs"]
mod exchanges_of_headscale;
#[path = "../common/ready.rs"]
mod ready;

mod exchange;
mod headscale;
mod options;
mod redirects;
mod reply;
mod script;
mod secret;
mod token;
mod update;
