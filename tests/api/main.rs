//! Calls: the table of operations (`contract`), an exchange of each as text (`wire`), the files made from both (`generated`), the header of deliveries.
//! Must not live here: tests, when a call is repeated (`tests/client`), what a call does (`tests/sandbox`).
#![cfg(not(target_arch = "wasm32"))]

#[path = "../common/exchanges.rs"]
mod exchanges;
#[path = "../common/ready.rs"]
mod ready;

mod contract;
mod generated;
mod webhook_signature;
mod wire;
