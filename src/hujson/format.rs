//! The canonical layout, that of the reference formatter.
//!
//! Two walks over the index, each linear and without a string per value: [`Plan`] measures and
//! decides, [`Writer`] writes. Must not live here: the layout of a change (`patch`).

mod plan;
mod write;

use super::extra::Extra;
use super::{Error, Kind, Value, literal, parse, quote};
use plan::Plan;
use write::Writer;

/// Lays a text out as the reference formatter does: tabs, one blank after a colon, composites on
/// one line or fully expanded, values of neighbouring members in one column. Comments stay,
/// standard JSON stays standard, and the result is its own canonical layout.
///
/// # Errors
/// When the text is no HuJSON.
pub fn format(text: &str) -> Result<String, Error> {
    let document = parse(text)?;
    let root = document.root();
    let (before, after) = (Extra::at(text, 0), Extra::at(text, root.span().end));
    let mut plan = Plan::new(text);
    plan.standard = !before.commented && !after.commented;
    plan.value(root);
    Ok(Writer::new(text, plan).document(before, root, after))
}

/// The literals of a text, as they are written.
#[derive(Clone, Copy)]
struct Literals {
    /// No string of the text has an escape.
    plain: bool,
}

impl Literals {
    fn of(text: &str) -> Self {
        Self {
            plain: !text.as_bytes().contains(&b'\\'),
        }
    }

    /// A string with escapes gets the shortest ones.
    #[inline(always)]
    fn with<T>(self, value: Value<'_>, then: impl FnOnce(&str) -> T) -> T {
        let raw = value.raw();
        if self.plain || value.kind() != Kind::String || !raw.contains('\\') {
            return then(raw);
        }
        let mut shortest = String::with_capacity(raw.len());
        quote(&literal::unescape(raw), &mut shortest);
        then(&shortest)
    }
}
