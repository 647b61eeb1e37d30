//! Edits of a text as JavaScript has them: places in UTF-16 units. Must not live here: how edits are found or carried out.

use serde::Serialize;
use tailnet_kit::hujson::{Locator, Splice};

/// One edit, `{ from, to, insert }`.
#[derive(Serialize)]
pub(crate) struct TextEdit<'s> {
    from: usize,
    to: usize,
    insert: &'s str,
}

/// The edits of a text, in its order.
pub(crate) fn text_edits<'s>(text: &str, edits: &'s [Splice]) -> Vec<TextEdit<'s>> {
    let places = Locator::new(text);
    let of = |edit: &'s Splice| TextEdit {
        from: places.locate(edit.span.start).offset,
        to: places.locate(edit.span.end).offset,
        insert: &edit.insert,
    };
    edits.iter().map(of).collect()
}
