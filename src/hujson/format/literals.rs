//! How literals are written. Must not live here: layout.

use super::super::{Value, literal, quote};

/// How literals are written.
#[derive(Clone, Copy)]
pub(super) enum Literals {
    /// As they are in the text.
    Kept,
    /// Strings with the shortest escapes.
    Shortest,
}

impl Literals {
    #[inline(always)]
    pub(super) fn keeps(self, value: Value<'_>) -> bool {
        matches!(self, Self::Kept) || !value.has_long_escapes()
    }

    /// How many bytes it takes.
    #[inline(always)]
    pub(super) fn length(self, value: Value<'_>) -> usize {
        if self.keeps(value) {
            let span = value.span();
            return span.end - span.start;
        }
        shortest(value).len()
    }
}

/// A string with the shortest escapes.
#[cold]
pub(super) fn shortest(value: Value<'_>) -> String {
    let raw = value.raw();
    let mut shortest = String::with_capacity(raw.len());
    quote(&literal::unescape(raw), &mut shortest);
    shortest
}
