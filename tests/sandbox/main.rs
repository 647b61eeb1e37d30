//! The sandbox: what it does, as stories in text (`stories`), and a file for each subject that takes more than requests; `service`, with which they call
//! it. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/exchanges.rs"]
mod exchanges;
#[path = "../common/exchanges_of_headscale.rs"]
mod exchanges_of_headscale;
#[path = "../common/ready.rs"]
mod ready;

mod events;
mod headscale;
mod headscale_client;
mod join;
mod log;
mod model;
mod newer;
mod perform;
mod policy;
mod service;
mod state;
mod stories;
mod tokens;
mod webhooks;
mod wire;
