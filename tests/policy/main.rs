//! Policies: a file for each part of `src/policy`, `documents` that say which findings they have, and the recordings of the real
//! service. Must not live here: tests, laws over random policies (`tests/policy_laws`).
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/effort.rs"]
mod effort;
#[path = "../common/recordings.rs"]
mod recordings;

mod access;
mod access_options;
mod check;
mod devices;
mod diff_access;
mod diff_ssh;
mod edit;
mod explain;
mod filters;
mod preview;
mod prove;
mod question;
mod recorded;
mod rename;
mod review;
mod schema;
mod service;
mod ssh;
mod verbs;
