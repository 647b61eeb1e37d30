//! Calls: the table of routes and every call over it (`contract`), each exchange as text (`wire`), the header of deliveries.
//! Must not live here: tests, when a call is repeated (`tests/client`), what a call does (`tests/sandbox`).
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/ready.rs"]
mod ready;

mod contract;
mod webhook_signature;
mod wire;
