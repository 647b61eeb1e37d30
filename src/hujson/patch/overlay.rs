//! A document in the course of being changed: slices of the text it came from, and of that text
//! only the composites on the way to a change opened up.
//!
//! Must not live here: where changes go and how they are laid out.

use std::borrow::Cow;

use super::super::extra::Extra;
use super::super::slots::{Slot, Slots};
use super::super::{Kind, Value, parse, pointer};
use super::owner::{Ends, has_comment, line_indent};
use crate::tables::index::Index;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Content<'d> {
    /// As it is in a text.
    Raw(Value<'d>),
    /// As it was laid out for its place.
    Text(String),
    Open(Box<Composite<'d>>),
}

/// An object or array that can be changed.
#[derive(Clone, Debug)]
pub(super) struct Composite<'d> {
    pub kind: Kind,
    /// The children in no particular order; removed ones are kept here, empty.
    children: Vec<Child<'d>>,
    /// The children in their order.
    order: Vec<u32>,
    /// What precedes the closing bracket.
    pub tail: Cow<'d, str>,
    pub trailing_comma: bool,
    names: Names,
}

/// A member or element with the extra around it, except what follows its comma.
#[derive(Clone, Debug)]
pub(super) struct Child<'d> {
    /// From the opening bracket or the comma on.
    pub lead: Cow<'d, str>,
    /// The name as it is written; empty in an array.
    pub name: Cow<'d, str>,
    /// What is between name and value: the colon and extra; empty in an array.
    pub colon: Cow<'d, str>,
    pub value: Content<'d>,
    /// Up to the comma.
    pub after: Cow<'d, str>,
}

/// Where the members are, from the second question on.
#[derive(Clone, Debug)]
enum Names {
    Unasked,
    Asked,
    /// The last child with each name, including a removed one.
    Known(Index<'static>),
    /// Some name is repeated, so that each question is answered by a search.
    Repeated,
}

impl<'d> Content<'d> {
    /// The composite, opened; nothing for a literal.
    pub fn open(&mut self) -> Option<&mut Composite<'d>> {
        let composite = match self {
            Self::Open(composite) => return Some(composite),
            Self::Raw(value) => Composite::of(*value, Cow::Borrowed, Self::Raw)?,
            Self::Text(text) => Composite::parse(text)?,
        };
        *self = Self::Open(Box::new(composite));
        match self {
            Self::Open(composite) => Some(composite),
            Self::Raw(_) | Self::Text(_) => None,
        }
    }

    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Raw(value) => Cow::Borrowed(value.raw()),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Open(composite) => {
                let mut out = String::new();
                composite.write(&mut out);
                Cow::Owned(out)
            }
        }
    }

    /// How deep it is nested at most: each level takes two brackets.
    pub fn height_bound(&self) -> usize {
        match self {
            Self::Raw(value) => value.raw().len() / 2,
            Self::Text(text) => text.len() / 2,
            Self::Open(composite) => {
                let inside = |slot: &u32| composite.children.get(*slot as usize);
                let heights = composite.order.iter().filter_map(inside);
                1 + heights
                    .map(|child| child.value.height_bound())
                    .max()
                    .unwrap_or_default()
            }
        }
    }

    pub fn write(&self, out: &mut String) {
        match self {
            Self::Raw(value) => out.push_str(value.raw()),
            Self::Text(text) => out.push_str(text),
            Self::Open(composite) => composite.write(out),
        }
    }
}

impl<'d> Composite<'d> {
    /// Opens a value; nothing for a literal.
    fn of<'v>(
        value: Value<'v>,
        keep: impl Fn(&'v str) -> Cow<'d, str>,
        content: impl Fn(Value<'v>) -> Content<'d>,
    ) -> Option<Self> {
        let kind = value.kind();
        if !matches!(kind, Kind::Object | Kind::Array) {
            return None;
        }
        let text = value.text();
        let mut children = Vec::new();
        let mut trailing_comma = false;
        let mut slots = Slots::of(value);
        for slot in slots.by_ref() {
            trailing_comma = slot.comma;
            let (name, colon) = named(text, &slot);
            children.push(Child {
                lead: keep(slot.before.raw(text)),
                name: keep(name),
                colon: keep(colon),
                value: content(slot.value),
                after: keep(slot.after.raw(text)),
            });
        }
        Some(Self {
            kind,
            order: (0..children.len() as u32).collect(),
            children,
            tail: keep(slots.tail().raw(text)),
            trailing_comma,
            names: Names::Unasked,
        })
    }

    /// Opens a text by itself.
    pub fn parse(text: &str) -> Option<Self> {
        let document = parse(text).ok()?;
        let keep = |part: &str| Cow::Owned(part.to_owned());
        let content = |value: Value<'_>| Content::Text(value.raw().to_owned());
        Self::of(document.root(), keep, content)
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the operations removed everything that was in it. The white space inside stays until it is
    /// written, so that what is added gets the layout of what was removed.
    pub fn emptied(&self) -> bool {
        self.order.is_empty() && !self.children.is_empty()
    }

    pub fn child(&self, position: usize) -> Option<&Child<'d>> {
        self.children.get(*self.order.get(position)? as usize)
    }

    pub fn child_mut(&mut self, position: usize) -> Option<&mut Child<'d>> {
        self.children.get_mut(*self.order.get(position)? as usize)
    }

    /// What precedes the child at this position, or the closing bracket.
    pub fn gap(&mut self, position: usize) -> &mut Cow<'d, str> {
        let slot = self.order.get(position).map(|slot| *slot as usize);
        match slot.and_then(|slot| self.children.get_mut(slot)) {
            Some(child) => &mut child.lead,
            None => &mut self.tail,
        }
    }

    /// The neighbours of the gap at this position.
    pub fn ends(&self, position: usize) -> Ends {
        Ends {
            after_open: position == 0,
            before_close: position >= self.len(),
        }
    }

    pub fn insert(&mut self, position: usize, child: Child<'d>) {
        let slot = self.children.len() as u32;
        if let Names::Known(names) = &mut self.names {
            names.set(unquoted(&child.name).into_owned().into(), slot as usize);
        }
        self.children.push(child);
        self.order.insert(position.min(self.order.len()), slot);
    }

    pub fn remove(&mut self, position: usize) -> Option<Child<'d>> {
        if position >= self.len() {
            return None;
        }
        let slot = self.order.remove(position) as usize;
        Some(std::mem::replace(
            self.children.get_mut(slot)?,
            Child::nothing(),
        ))
    }

    /// The position of the last member with this name.
    pub fn member(&mut self, name: &str) -> Option<usize> {
        if let Names::Known(names) = &self.names {
            let slot = names.find(name)?;
            return self.order.iter().position(|other| *other as usize == slot);
        }
        self.names = match std::mem::replace(&mut self.names, Names::Repeated) {
            Names::Unasked => Names::Asked,
            Names::Asked => self.index(),
            known => known,
        };
        (0..self.len()).rev().find(|position| {
            self.child(*position)
                .is_some_and(|child| unquoted(&child.name) == name)
        })
    }

    fn index(&self) -> Names {
        let mut names = Index::default();
        for slot in &self.order {
            if let Some(child) = self.children.get(*slot as usize) {
                let name = unquoted(&child.name).into_owned();
                if !names.set(name.into(), *slot as usize) {
                    return Names::Repeated;
                }
            }
        }
        Names::Known(names)
    }

    /// The position that a reference token names.
    ///
    /// # Errors
    /// What is missing.
    pub fn position(&mut self, token: &str) -> Result<usize, String> {
        if self.kind == Kind::Object {
            return (self.member(token)).ok_or_else(|| format!("there is no member `{token}`"));
        }
        match pointer::index(token) {
            Some(index) if index < self.len() => Ok(index),
            Some(index) => Err(format!(
                "index {index} is out of range: there are {} elements",
                self.len()
            )),
            None if token == "-" => Err("`-` names the place after the last element".to_owned()),
            None => Err(format!("`{token}` is not an array index")),
        }
    }

    fn write(&self, out: &mut String) {
        out.push(if self.kind == Kind::Object { '{' } else { '[' });
        let last = self.len().saturating_sub(1);
        for (position, slot) in self.order.iter().enumerate() {
            let Some(child) = self.children.get(*slot as usize) else {
                continue;
            };
            out.push_str(&child.lead);
            out.push_str(&child.name);
            out.push_str(&child.colon);
            child.value.write(out);
            out.push_str(&child.after);
            if position < last || self.trailing_comma {
                out.push(',');
            }
        }
        if !self.emptied() || has_comment(&self.tail) {
            out.push_str(&self.tail);
        }
        out.push(if self.kind == Kind::Object { '}' } else { ']' });
    }
}

impl Child<'_> {
    /// The white space before the line on which the value begins, if that is not the line on
    /// which the composite begins.
    pub fn indent(&self) -> Option<&str> {
        let behind = Extra::at(&self.colon, 0).end() + 1;
        line_indent(self.colon.get(behind..).unwrap_or_default())
            .or_else(|| line_indent(&self.lead))
    }

    fn nothing() -> Self {
        Self {
            lead: Cow::Borrowed(""),
            name: Cow::Borrowed(""),
            colon: Cow::Borrowed(""),
            value: Content::Text(String::new()),
            after: Cow::Borrowed(""),
        }
    }
}

/// The name of a member, and what is between it and its value.
fn named<'d>(text: &'d str, slot: &Slot<'d>) -> (&'d str, &'d str) {
    let Some(name) = slot.name else {
        return ("", "");
    };
    let between = name.value.span().end..slot.value.span().start;
    (name.value.raw(), text.get(between).unwrap_or_default())
}

/// What a name stands for.
pub(super) fn unquoted(name: &str) -> Cow<'_, str> {
    super::super::literal::unescape(name)
}

/// The comments before and after a colon.
pub(super) fn around_colon(colon: &str) -> String {
    let before = Extra::at(colon, 0);
    let behind = colon.get(before.end() + 1..).unwrap_or_default();
    [before.raw(colon), behind].concat()
}
