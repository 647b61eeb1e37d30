//! The tests of tests/web.rs once more, in a browser: `wasm-pack test --headless --chrome` runs these. Must not live here: tests.
#![cfg(target_arch = "wasm32")]

#[path = "web.rs"]
mod web;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
