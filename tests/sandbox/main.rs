//! The sandbox: a file for each subject of `src/sandbox`, and `service`, with which they call it. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

mod administration;
mod device_changes;
mod log;
mod model;
mod newer;
mod perform;
mod posture;
mod service;
mod services;
mod state;
mod tokens;
mod webhooks;
mod wire;
