//! A dialect as JavaScript names it, by the number that `pkg/common/dialect.js` counts. Must not live here: what a dialect is.

use tailnet_kit::policy::{Dialect, PolicyText};

/// A text in a dialect; 0 leaves it to the text.
pub(crate) fn named(text: &str, dialect: u8) -> PolicyText<'_> {
    match dialect {
        0 => text.into(),
        number => (text, of(number)).into(),
    }
}

/// The dialect of a number that is not 0.
pub(crate) fn of(number: u8) -> Dialect {
    match number {
        2 => Dialect::Headscale,
        _ => Dialect::Tailscale,
    }
}
