//! Cuts modules out of one linked wasm file: each with what some of its exports reach, code and data, and with the
//! JavaScript glue for just that. `docs/cutting.md` explains it. Must not live here: which exports make which module.

mod glue;
mod linked;
mod module;
mod reach;
mod write;

pub use reach::{Apart, Cut, Kit};
