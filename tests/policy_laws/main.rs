//! Laws that hold for every policy and every network. Laws over random policies compare the engine with an oracle, written
//! from the policy language alone, and the engine's verbs with one another. Must not live here: expectations about one document.
//!
//! Each law asks a few thousand questions. With `POLICY_LAW_QUESTIONS=1000000 cargo test --release --test policy_laws` each asks
//! a million. `POLICY_LAW_SEED` is the seed of the first random policy.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/companies.rs"]
mod companies;
#[path = "../common/oracle/mod.rs"]
mod oracle;
#[path = "../common/random/mod.rs"]
mod random;

mod access;
mod case;
mod cells;
mod covered;
mod diff_access;
mod explain;
mod filters;
mod headscale;
mod login;
mod logins;
mod matrix;
mod openings;
mod powers;
mod preview;
mod prove;
mod questions;
mod relation;
mod review;
mod run_tests;
mod silence;
mod texts;
