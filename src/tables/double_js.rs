//! The double that a number of JSON stands for, as the engine reads it: the standard library does so by 10 KiB of
//! tables, which nothing shortens.
//! Must not live here: what is compared, anything else that JavaScript could be asked.

/// The double next to the number; infinite beyond what one holds.
pub(crate) fn double(number: &str) -> f64 {
    js_sys::parse_float(number)
}
