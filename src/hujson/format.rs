//! The canonical layout, that of the reference formatter.
//!
//! Two walks over the index, each linear and without a string per value: [`Plan`] measures and
//! decides, [`Writer`] writes. Must not live here: the layout of a change (`patch`).

mod literals;
mod output;
mod plan;
mod write;

use super::extra::Extra;
use super::{Error, Value, parse};
use literals::Literals;
use plan::Plan;
use write::Writer;

/// Lays a text out as the reference formatter does: tabs, one blank after a colon, composites on
/// one line or fully expanded, values of neighbouring members in one column. Comments stay,
/// standard JSON stays standard, and the result is its own canonical layout. Strings with escapes
/// are written with the shortest ones; half of a surrogate pair becomes U+FFFD, as there.
///
/// # Errors
/// If the text is not HuJSON.
pub fn format(text: &str) -> Result<String, Error> {
    let document = parse(text)?;
    let root = document.root();
    let (before, after) = (Extra::at(text, 0), Extra::at(text, root.span().end));
    let mut plan = Plan::of(root, Literals::Shortest);
    plan.standard &= !before.commented && !after.commented;
    let room = text.len() + text.len() / 8;
    Ok(Writer::new(plan, room).document(before, root, after))
}

/// Lays one value out like [`format`], for a text whose expanded composites do or do not end
/// in a comma; but literals stay as they are written.
pub(super) fn layout(value: Value<'_>, commas: bool) -> String {
    let mut plan = Plan::of(value, Literals::Kept);
    plan.standard = !commas;
    Writer::new(plan, 2 * value.raw().len()).alone(value)
}
