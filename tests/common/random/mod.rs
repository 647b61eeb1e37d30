//! Small random networks and policies that the service would accept, as text. Must not live here: laws about them.
// Each test file uses the part it needs.
#![allow(dead_code)]

pub mod dice;
pub mod policies;
pub mod rules;
pub mod shrink;
pub mod tailnets;
pub mod unknown;
