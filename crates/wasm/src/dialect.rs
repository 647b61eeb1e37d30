//! The dialect of a text as JavaScript names it. Must not live here: what a dialect is.

use tailnet_kit::policy::{Dialect, PolicyText};

/// A text in a dialect by its number, as `pkg/common/dialect.js` counts; 0 leaves it to the text.
pub(crate) fn named(text: &str, dialect: u8) -> PolicyText<'_> {
    match dialect {
        1 => (text, Dialect::Tailscale).into(),
        2 => (text, Dialect::Headscale).into(),
        _ => text.into(),
    }
}
