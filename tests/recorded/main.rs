//! The engine, and the oracle of its laws, against recordings of the real service, which the repository does not hold: no part of
//! `cargo test --tests`, but of `cargo xtask test recorded --beside FOLDER`. Must not live here: what holds without recordings.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/oracle/mod.rs"]
mod oracle;

mod flows;
mod headscale;
mod network;
mod oracles;
mod recordings;
mod verdicts;
