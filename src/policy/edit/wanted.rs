//! The edits from an existing value to a wanted one that leave what both have as it is written. Must not live here: the place.

use crate::hujson::{Edit, Kind, Value, string_of};

/// The edits that turn the value at a path into the wanted one.
pub(super) fn instead(path: &[String], present: Value<'_>, wanted: Value<'_>) -> Vec<Edit> {
    match (present.kind(), wanted.kind()) {
        (Kind::Object, Kind::Object) => members(path, present, wanted),
        (Kind::Array, Kind::Array) => elements(path, present, wanted),
        (Kind::String, Kind::String) if present.as_str() == wanted.as_str() => Vec::new(),
        _ if present.raw() == wanted.raw() => Vec::new(),
        _ => vec![put(path, wanted)],
    }
}

/// Edits that turn a list into these texts and leave unchanged what stays; `None` if it has to be rewritten.
pub(super) fn texts(path: &[String], list: Value<'_>, wanted: &[&str]) -> Option<Vec<Edit>> {
    let present: Option<Vec<_>> = list.elements().map(Value::as_str).collect();
    let present = present.filter(|_| list.kind() == Kind::Array)?;
    let stays = |at: &usize| present.get(*at).is_some_and(|text| wanted.contains(text));
    let mut edits = Vec::new();
    for place in (0..present.len()).rev().filter(|place| !stays(place)) {
        let path = below(path, &place.to_string());
        edits.push(Edit::Remove { path });
    }
    let kept = (0..present.len()).filter(stays);
    let mut rest = kept.filter_map(|at| present.get(at)).peekable();
    for (place, text) in wanted.iter().enumerate() {
        if rest.next_if(|kept| *kept == text).is_none() {
            let (path, value) = (below(path, &place.to_string()), string_of(text));
            edits.push(Edit::Put { path, value });
        }
    }
    rest.peek().is_none().then_some(edits)
}

fn members(path: &[String], present: Value<'_>, wanted: Value<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for name in present.members().filter_map(|member| member.name.as_str()) {
        let path = below(path, name);
        let is_out = wanted.get(name).is_none();
        // Of repeated names the first edit takes out all.
        let is_new = |edit: &Edit| !matches!(edit, Edit::Remove { path: out } if *out == path);
        if is_out && edits.iter().all(is_new) {
            edits.push(Edit::Remove { path });
        }
    }
    for member in wanted.members() {
        let name = member.name.as_str().unwrap_or_default();
        let path = below(path, name);
        match present.get(name) {
            Some(present) => edits.extend(instead(&path, present, member.value)),
            None => edits.push(put(&path, member.value)),
        }
    }
    edits
}

fn elements(path: &[String], present: Value<'_>, wanted: Value<'_>) -> Vec<Edit> {
    let strings: Option<Vec<&str>> = wanted.elements().map(Value::as_str).collect();
    if let Some(edits) = strings.and_then(|wanted| texts(path, present, &wanted)) {
        return edits;
    }
    if present.elements().count() != wanted.elements().count() {
        return vec![put(path, wanted)];
    }
    let pairs = present.elements().zip(wanted.elements()).enumerate();
    let edits = pairs.flat_map(|(at, (present, wanted))| {
        instead(&below(path, &at.to_string()), present, wanted)
    });
    edits.collect()
}

fn put(path: &[String], value: Value<'_>) -> Edit {
    let (path, value) = (path.to_vec(), value.raw().to_owned());
    Edit::Put { path, value }
}

fn below(path: &[String], token: &str) -> Vec<String> {
    let mut path = path.to_vec();
    path.push(token.to_owned());
    path
}
