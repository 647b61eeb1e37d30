//! The operations of a JSON Patch, read from text or from values: RFC 6902, sections 3 and 4.
//!
//! Must not live here: carrying them out.

use std::borrow::Cow;

use super::super::extra::Extra;
use super::super::slots::{Slot, Slots};
use super::super::{Document, Kind, Value, pointer};
use super::PatchError;
use super::edit::Item;
use super::equal::ReadDouble;
use super::overlay::Content;
use super::owner::{Ends, has_comment, owners};
use super::space::is_space;
use crate::tables::index::Index;

/// One operation.
pub(super) struct Operation<'d> {
    pub path: Path,
    pub action: Action<'d>,
}

pub(super) enum Action<'d> {
    Add(Item<'d>),
    Remove,
    Replace(Item<'d>),
    Move { from: Path },
    Copy { from: Path },
    Test(Value<'d>, ReadDouble),
}

/// One edit of a text, as a value: what an operation of a patch says in JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Adds a value, like `add` (RFC 6902, section 4.1): it replaces an existing member; an element
    /// goes before the one at its index or, for `-`, to the end.
    Put {
        /// The tokens of the path, unescaped.
        path: Vec<String>,
        /// The value as JSON or HuJSON; its comments are kept.
        value: String,
    },
    /// Removes a value (section 4.2).
    Remove {
        /// The tokens of the path, unescaped.
        path: Vec<String>,
    },
    /// Moves a value, with its comments, to another place (section 4.4).
    Move {
        /// The tokens of its present path, unescaped.
        from: Vec<String>,
        /// Those of its new path, counted after it is removed.
        path: Vec<String>,
    },
}

impl Edit {
    /// The value that it puts in.
    pub(super) fn value(&self) -> Option<&str> {
        match self {
            Self::Put { value, .. } => Some(value),
            Self::Remove { .. } | Self::Move { .. } => None,
        }
    }

    /// The operation, with the value as it was read.
    pub(super) fn operation<'d>(&self, value: Option<&'d Document<'d>>) -> Operation<'d> {
        let (path, action) = match self {
            Self::Put { path, .. } | Self::Remove { path } => (
                path,
                value.map_or(Action::Remove, |value| Action::Add(alone(value))),
            ),
            Self::Move { from, path } => {
                let from = Path::of(from);
                (path, Action::Move { from })
            }
        };
        let path = Path::of(path);
        Operation { path, action }
    }
}

/// The value of a text with the comments around it.
fn alone<'d>(document: &'d Document<'d>) -> Item<'d> {
    let (text, root) = (document.text(), document.root());
    let lead = Extra::at(text, 0).raw(text);
    let tail = Extra::at(text, root.span().end).raw(text);
    let above = match has_comment(lead) {
        true => lead.trim_start_matches(is_space),
        false => "",
    };
    let end = Ends {
        after_open: false,
        before_close: true,
    };
    let behind = tail.get(..owners(tail, end).behind);
    Item {
        above: above.to_owned(),
        value: Content::Raw(root),
        after: Cow::Borrowed(""),
        behind: behind.unwrap_or_default().to_owned(),
        indent: None,
    }
}

/// A JSON Pointer.
pub(super) struct Path {
    /// As it was given.
    pub text: String,
    pub tokens: Vec<String>,
}

impl Path {
    fn of(tokens: &[String]) -> Self {
        let mut text = String::new();
        for token in tokens {
            text.push('/');
            text.push_str(&pointer::escape(token));
        }
        Self {
            text,
            tokens: tokens.to_vec(),
        }
    }
}

impl Action<'_> {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Add(_) => "add",
            Self::Remove => "remove",
            Self::Replace(_) => "replace",
            Self::Move { .. } => "move",
            Self::Copy { .. } => "copy",
            Self::Test(..) => "test",
        }
    }
}

/// Reads all operations.
///
/// # Errors
/// The first that is none.
pub(super) fn read(
    operations: Value<'_>,
    double: ReadDouble,
) -> Result<Vec<Operation<'_>>, PatchError> {
    if operations.kind() != Kind::Array {
        return Err(PatchError::whole(
            "the operations must be an array".to_owned(),
        ));
    }
    (operations.elements().enumerate())
        .map(|(index, value)| one(value, double).map_err(|reason| PatchError::at(index, reason)))
        .collect()
}

/// The members of one operation that mean something.
#[derive(Default)]
struct Members<'d> {
    op: Option<&'d str>,
    path: Option<Value<'d>>,
    from: Option<Value<'d>>,
    value: Option<(Value<'d>, Item<'d>)>,
}

fn one(value: Value<'_>, double: ReadDouble) -> Result<Operation<'_>, String> {
    if value.kind() != Kind::Object {
        return Err("an operation must be an object".to_owned());
    }
    let members = members(value)?;
    let op = members.op.ok_or("member `op` is missing")?;
    let path = path("path", members.path)?;
    // A member that an operation does not use is ignored (section 4).
    let from = || self::path("from", members.from);
    let value = || members.value.ok_or("member `value` is missing");
    let action = match op {
        "add" => Action::Add(value()?.1),
        "remove" => Action::Remove,
        "replace" => Action::Replace(value()?.1),
        "move" => Action::Move { from: from()? },
        "copy" => Action::Copy { from: from()? },
        "test" => Action::Test(value()?.0, double),
        other => return Err(format!("there is no operation `{other}`")),
    };
    Ok(Operation { path, action })
}

fn members(operation: Value<'_>) -> Result<Members<'_>, String> {
    let mut members = Members::default();
    let mut seen = Index::default();
    let mut slots = Slots::of(operation).peekable();
    let tail = tail(operation);
    while let Some(slot) = slots.next() {
        let Some(name) = slot.name.and_then(|name| name.value.as_str()) else {
            continue;
        };
        match name {
            "op" => members.op = Some(string("op", slot.value)?),
            "path" => members.path = Some(slot.value),
            "from" => members.from = Some(slot.value),
            "value" => {
                let text = operation.text();
                let next = slots.peek().map(|next| next.before.raw(text));
                members.value = Some((slot.value, item(&slot, next, tail)));
            }
            _ => {}
        }
        if !seen.set(name.into(), 0) {
            return Err(format!("member `{name}` appears twice"));
        }
    }
    Ok(members)
}

/// What precedes the closing brace.
fn tail(operation: Value<'_>) -> &str {
    let mut slots = Slots::of(operation);
    slots.by_ref().for_each(drop);
    slots.tail().raw(operation.text())
}

/// The value with the comments around it and its member.
fn item<'d>(slot: &Slot<'d>, next: Option<&str>, tail: &str) -> Item<'d> {
    let text = slot.value.text();
    let lead = slot.before.raw(text);
    let before = Ends {
        after_open: false,
        before_close: false,
    };
    let behind = Ends {
        before_close: next.is_none(),
        ..before
    };
    let mut above = lead
        .get(owners(lead, before).above..)
        .unwrap_or_default()
        .to_owned();
    if let Some(name) = slot.name {
        for extra in [name.after, name.before_value] {
            if extra.commented {
                above.push_str(extra.raw(text).trim_start_matches(is_space));
            }
        }
    }
    let next = next.unwrap_or(tail);
    let after = slot.after.raw(text);
    Item {
        above,
        value: Content::Raw(slot.value),
        after: Cow::Borrowed(if has_comment(after) { after } else { "" }),
        behind: next
            .get(..owners(next, behind).behind)
            .unwrap_or_default()
            .to_owned(),
        indent: None,
    }
}

fn string<'d>(name: &str, value: Value<'d>) -> Result<&'d str, String> {
    value
        .as_str()
        .ok_or_else(|| format!("member `{name}` must be a string"))
}

fn path(name: &str, value: Option<Value<'_>>) -> Result<Path, String> {
    let value = value.ok_or_else(|| format!("member `{name}` is missing"))?;
    let text = string(name, value)?.to_owned();
    let tokens = pointer::tokens(&text)
        .ok_or_else(|| format!("member `{name}` is not a JSON Pointer: `{text}`"))?;
    Ok(Path { text, tokens })
}
