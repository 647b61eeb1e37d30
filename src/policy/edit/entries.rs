//! More texts in a list that an entry has: a source of a rule, a destination, an account.
//! Must not live here: whole entries (`lists`), which texts make sense.

use super::lists::found;
use super::{EditError, ListSection, apply, member, put};
use crate::hujson::{self, Kind, string_of};
use crate::policy::findings::words::joined;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::grammar::{Content, Object};
use crate::policy::language::text::PolicyText;

/// The text with more texts at the end of a list of an entry; those that the list has already are left out.
///
/// # Errors
/// [`EditError::Syntax`] for the text, [`EditError::Argument`] if there is no such entry, or it has no such list.
pub(crate) fn extend<'t>(
    text: impl Into<PolicyText<'t>>,
    (of, index): (ListSection, usize),
    key: &str,
    more: &[String],
) -> Result<String, EditError> {
    let PolicyText { text, dialect } = text.into();
    let none = || EditError::Argument(joined(&["the entry has no list ", key]));
    let document = hujson::parse(text)?;
    let (section, entry) = found((&document, dialect), of, index)?;
    let object = object_of(dialect, of).ok_or_else(none)?;
    let (name, list) = member(entry, object, key, Some(Kind::Array))?;
    let list = list.ok_or_else(none)?;
    let path = [&section, &index.to_string(), &name, "-"];
    let mut edits = Vec::new();
    for text in more {
        let mut present = list.elements();
        if !present.any(|one| one.as_str() == Some(text)) {
            edits.push(put(&path, string_of(text)));
        }
    }
    apply(text, &edits)
}

/// The keys of an entry of a section.
fn object_of(dialect: Dialect, section: ListSection) -> Option<&'static Object> {
    match Object::document(dialect).key(section.name())?.content {
        Content::List(object) => Some(object),
        _ => None,
    }
}
