//! The options of a client, read once: JavaScript keeps them, and the engine frees them with the client's own object. Must not live here: anything else.

use tailnet_kit::client::Options;
use wasm_bindgen::prelude::wasm_bindgen;

/// Options that were checked, opaque to JavaScript.
#[wasm_bindgen]
pub struct Settings(pub(crate) Options);
