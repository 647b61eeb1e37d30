//! Where an offset is in a policy: at the name of a member or at a value, and what is allowed there.
//! Must not live here: the completions there (`complete`).

use crate::hujson::{Document, Kind, Member, Span, Value};
use crate::policy::language::content::StringRole;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::grammar::Content;

/// A place of the text where something can be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'d> {
    /// Whether the name of a member is there, or expected there.
    pub is_name: bool,
    /// The content of the object whose name it is, else the content of the value.
    pub content: Content,
    /// The object or list around it.
    pub holder: Option<Value<'d>>,
    /// The innermost object around it whose keys are of the language, or names that the writer chooses.
    pub object: Option<Value<'d>>,
    /// The string, word or literal there.
    pub value: Option<Value<'d>>,
    /// Whether it is an element of a list.
    pub in_list: bool,
    /// Where the gap before the offset begins: after the last value, name or bracket.
    pub gap: usize,
}

impl Spot<'_> {
    /// What the string there is for.
    pub fn role(&self) -> StringRole {
        match self.is_name {
            true => self.content.name_role(),
            false => self.content.role(),
        }
    }
}

/// The spot at an offset.
pub(super) fn spot<'d>(document: &'d Document<'_>, dialect: Dialect, offset: usize) -> Spot<'d> {
    let mut spot = Spot {
        is_name: false,
        content: Content::document(dialect),
        holder: None,
        object: None,
        value: None,
        in_list: false,
        gap: 0,
    };
    let mut value = document.root();
    while let Some(inner) = step(value, offset, &mut spot) {
        value = inner;
    }
    spot
}

/// Goes into the part of the value around the offset, if that part has parts itself; otherwise the spot is complete.
fn step<'d>(value: Value<'d>, offset: usize, spot: &mut Spot<'d>) -> Option<Value<'d>> {
    match value.kind() {
        Kind::Object if is_inside(value, offset) => {
            spot.holder = Some(value);
            spot.object = Some(value);
            spot.in_list = false;
            spot.gap = value.span().start + 1;
            in_object(value, offset, spot)
        }
        Kind::Array if is_inside(value, offset) => {
            spot.holder = Some(value);
            spot.in_list = true;
            spot.content = spot.content.element();
            spot.gap = value.span().start + 1;
            in_array(value, offset, spot)
        }
        Kind::Object | Kind::Array => {
            if value.span().end <= offset {
                spot.gap = value.span().end;
            }
            None
        }
        // A word that is the whole document, with the offset behind it.
        _ if spot.holder.is_none() && !touches(value, offset) => None,
        _ => {
            spot.value = Some(value).filter(|value| !value.is_missing());
            None
        }
    }
}

fn in_array<'d>(array: Value<'d>, offset: usize, spot: &mut Spot<'d>) -> Option<Value<'d>> {
    for element in array.elements() {
        if touches(element, offset) {
            return Some(element);
        }
        let span = element.span();
        if span.start > offset {
            break;
        }
        spot.gap = span.end.min(offset);
    }
    None
}

fn in_object<'d>(object: Value<'d>, offset: usize, spot: &mut Spot<'d>) -> Option<Value<'d>> {
    let mut before: Option<Member<'d>> = None;
    for member in object.members() {
        let name = member.name.span();
        if touches(member.name, offset) {
            spot.is_name = true;
            spot.value = Some(member.name);
            return None;
        }
        if name.start > offset {
            break;
        }
        before = Some(member);
    }
    let Some(member) = before else {
        spot.is_name = true;
        return None;
    };
    let (name, value) = (member.name.span(), member.value.span());
    let behind = if value.end <= offset {
        value.end
    } else {
        name.end
    };
    spot.gap = behind.min(offset);
    let colon = Span {
        start: name.end,
        end: offset,
    };
    let is_value = match member.value.is_missing() {
        true => object.has_colon(colon),
        false => offset < value.start && object.has_colon(colon) || touches(member.value, offset),
    };
    if !is_value {
        spot.is_name = true;
        return None;
    }
    spot.content = (spot.content).member(member.name.as_str().unwrap_or_default());
    touches(member.value, offset).then_some(member.value)
}

/// Whether an offset is at a value: between its brackets or quotes; for a value without these, also at its ends.
fn touches(value: Value<'_>, offset: usize) -> bool {
    let Span { start, end } = value.inside_span();
    match value.kind() {
        Kind::Object | Kind::Array => is_inside(value, offset),
        _ => !value.is_missing() && start <= offset && offset <= end,
    }
}

/// Whether an offset is between the brackets of a value, whose closing bracket may be missing.
fn is_inside(value: Value<'_>, offset: usize) -> bool {
    let Span { start, end } = value.span();
    let raw = value.raw();
    let is_open = raw.len() == 1 || !raw.ends_with(['}', ']']);
    start < offset && (offset < end || is_open && offset <= end)
}
