//! Addresses: a file for each part of `src/cidr`. Must not live here: tests.
#![cfg(not(target_arch = "wasm32"))]

mod names;
mod prefix;
mod set;
