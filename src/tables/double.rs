//! The double that a number of JSON stands for. In JavaScript the engine is asked for it: the standard library reads numbers by
//! tables that brotli cannot shorten, a ninth of the text file. Must not live here: what is compared.

/// The double next to the number that `JSON.parse` makes; infinite beyond what one holds.
#[cfg(target_arch = "wasm32")]
pub(crate) fn of(number: &str) -> f64 {
    js_sys::parse_float(number)
}

/// The double next to the number that `JSON.parse` makes; infinite beyond what one holds.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn of(number: &str) -> f64 {
    number.parse().unwrap_or(f64::NAN)
}
