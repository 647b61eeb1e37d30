//! The sandbox: a file for each subject of `src/sandbox`, and `service`, with which they call it. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/exchanges.rs"]
mod exchanges;
#[path = "../common/exchanges_of_headscale.rs"]
mod exchanges_of_headscale;
#[path = "../common/ready.rs"]
mod ready;

mod device_changes;
mod device_invites;
mod dns;
mod events;
mod headscale;
mod headscale_client;
mod join;
mod keys;
mod log;
mod log_streaming;
mod model;
mod newer;
mod perform;
mod policy;
mod posture;
mod service;
mod services;
mod settings;
mod state;
mod tokens;
mod user_invites;
mod users;
mod webhooks;
mod wire;
