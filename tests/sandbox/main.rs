//! The sandbox: what it does, as stories in text (`stories`), and a file for each subject that takes more than requests; `service`, with which they call
//! it. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/exchanges.rs"]
mod exchanges;
#[path = "../common/exchanges_of_headscale.rs"]
mod exchanges_of_headscale;
#[path = "../common/ready.rs"]
mod ready;

mod device_changes;
mod dns;
mod events;
mod headscale;
mod headscale_client;
mod join;
mod keys;
mod log;
mod model;
mod newer;
mod perform;
mod policy;
mod posture;
mod service;
mod settings;
mod state;
mod stories;
mod tokens;
mod users;
mod webhooks;
mod wire;
