//! Laws that hold for every policy and every network. Those over random policies compare the engine with an oracle, written
//! from the policy language alone, and its verbs with one another. Must not live here: expectations about one document.
//!
//! Each law asks a few thousand questions. `POLICY_LAW_QUESTIONS=1000000 cargo test --release --test policy_laws` has each
//! ask a million, and `POLICY_LAW_SEED` says with which random policy it begins.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/oracle/mod.rs"]
mod oracle;
#[path = "../common/random/mod.rs"]
mod random;
#[path = "../common/recordings.rs"]
mod recordings;

mod access;
mod case;
mod covered;
mod diff_access;
mod explain;
mod filters;
mod openings;
mod preview;
mod prove;
mod questions;
mod recorded;
mod review;
mod run_tests;
mod texts;
