//! Reads the JSON of a context from its tree, without derived code, which would be several times as large.
//! Must not live here: what the members mean.

use crate::hujson::{Kind, Value};

use crate::policy::findings::words::joined;

/// The members of an object except those that are `null`; none for `null` itself.
#[inline(never)]
pub(super) fn members<'t>(
    value: Value<'t>,
    what: &str,
) -> Result<Vec<(&'t str, Value<'t>)>, String> {
    let mut members = Vec::new();
    match value.kind() {
        Kind::Object | Kind::Null => {}
        _ => return Err(joined(&[what, " must be an object"])),
    }
    for member in value.members() {
        if member.value.kind() != Kind::Null {
            members.push((member.name.as_str().unwrap_or_default(), member.value));
        }
    }
    Ok(members)
}

pub(super) fn list<T>(
    value: Value<'_>,
    what: &str,
    read: fn(Value<'_>) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    if value.kind() != Kind::Array {
        return Err(joined(&["`", what, "` must be a list"]));
    }
    let mut items = Vec::new();
    for element in value.elements() {
        items.push(read(element)?);
    }
    Ok(items)
}

#[inline(never)]
pub(super) fn texts(value: Value<'_>) -> Result<Vec<String>, String> {
    list(value, value.raw(), text)
}

#[inline(never)]
pub(super) fn text(value: Value<'_>) -> Result<String, String> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(joined(&["`", value.raw(), "` must be a string"])),
    }
}

pub(super) fn flag(value: Value<'_>) -> Result<bool, String> {
    let unfit = || joined(&["`", value.raw(), "` must be `true` or `false`"]);
    value.as_bool().ok_or_else(unfit)
}
