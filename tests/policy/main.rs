//! Policies: a file for each of `src/policy`, `documents` that say what is found in them, and what the real service said.
//! Must not live here: tests, laws over random policies (`tests/policy_laws`).
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/effort.rs"]
mod effort;
#[path = "../common/recordings.rs"]
mod recordings;

mod access;
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
