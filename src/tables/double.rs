//! The double that a number of JSON stands for, as the standard library reads it.
//! Must not live here: what is compared.

/// The double next to the number; infinite beyond what one holds.
pub(crate) fn double(number: &str) -> f64 {
    number.parse().unwrap_or(f64::NAN)
}
