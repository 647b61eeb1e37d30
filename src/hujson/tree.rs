//! The lossless tree: an index of spans over the text, which itself is never copied.
//!
//! Nodes stand in the order of the text, each followed by what it contains; the space and the
//! comments are what lies between two spans. Must not live here: grammar, changes.

use std::borrow::Cow;

use super::gap::Gaps;
use super::literal;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, as JSON writes it.
    Number,
    /// A string in double quotes.
    String,
    /// Members in braces.
    Object,
    /// Elements in brackets.
    Array,
}

/// A range of bytes of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

/// One value in the index. `size` counts the nodes of the value, itself included, so that
/// the next sibling is `size` nodes further.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub start: u32,
    pub end: u32,
    pub size: u32,
    pub kind: Kind,
    /// A string that has escapes which could be shorter.
    pub long_escapes: bool,
    pub gaps: Gaps,
}

/// A text that is HuJSON, with the index of its values.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> Document<'t> {
    /// `nodes` must hold at least the top value.
    pub(super) fn new(text: &'t str, nodes: Vec<Node>) -> Self {
        Self { text, nodes }
    }

    /// The text, as it was given.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The top value.
    pub fn root(&self) -> Value<'_> {
        Value {
            document: self,
            index: 0,
        }
    }
}

/// A value of a [`Document`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'d> {
    document: &'d Document<'d>,
    index: usize,
}

impl<'d> Value<'d> {
    #[inline(always)]
    fn node(self) -> Node {
        // INVARIANT: an index comes from the parser or from `size` of a node, so it is in range.
        self.document.nodes[self.index]
    }

    /// What the value is.
    #[inline(always)]
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// The bytes of the value alone, without the space and comments around it.
    #[inline(always)]
    pub fn span(self) -> Span {
        let node = self.node();
        Span {
            start: node.start as usize,
            end: node.end as usize,
        }
    }

    /// The value as it is written.
    pub fn raw(self) -> &'d str {
        let Span { start, end } = self.span();
        self.document.text.get(start..end).unwrap_or_default()
    }

    /// The text that a string stands for; nothing for other values. Half of a surrogate pair,
    /// which only an escape can write, becomes U+FFFD.
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        (self.kind() == Kind::String).then(|| literal::unescape(self.raw()))
    }

    /// What a boolean says; nothing for other values.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The members of an object in the order of the text; none for other values.
    pub fn members(self) -> Members<'d> {
        Members(self.inside(Kind::Object))
    }

    /// The elements of an array in order; none for other values.
    pub fn elements(self) -> Elements<'d> {
        self.inside(Kind::Array)
    }

    /// Whether it is a string that has escapes which could be shorter.
    #[inline(always)]
    pub(super) fn has_long_escapes(self) -> bool {
        self.node().long_escapes
    }

    /// The extra around the value.
    #[inline(always)]
    pub(super) fn gaps(self) -> Gaps {
        self.node().gaps
    }

    /// The whole text that the value stands in.
    #[inline(always)]
    pub(super) fn text(self) -> &'d str {
        self.document.text
    }

    /// What stands directly inside: names and values in turn, or elements.
    #[inline(always)]
    pub(super) fn parts(self) -> Elements<'d> {
        self.inside(self.kind())
    }

    /// The value of the member with this name, of repeated ones the last, as `JSON.parse` has it.
    pub fn get(self, name: &str) -> Option<Value<'d>> {
        self.members()
            .filter(|member| member.name.as_str().as_deref() == Some(name))
            .last()
            .map(|member| member.value)
    }

    #[inline(always)]
    fn inside(self, kind: Kind) -> Elements<'d> {
        let node = self.node();
        let size = if node.kind == kind { node.size } else { 1 };
        Elements {
            document: self.document,
            next: self.index + 1,
            end: self.index + size as usize,
        }
    }
}

/// A name and its value.
#[derive(Clone, Copy, Debug)]
pub struct Member<'d> {
    /// Always a string.
    pub name: Value<'d>,
    /// What stands behind the colon.
    pub value: Value<'d>,
}

/// The elements of an array, see [`Value::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'d> {
    document: &'d Document<'d>,
    next: usize,
    end: usize,
}

impl<'d> Iterator for Elements<'d> {
    type Item = Value<'d>;

    #[inline(always)]
    fn next(&mut self) -> Option<Value<'d>> {
        if self.next >= self.end {
            return None;
        }
        let value = Value {
            document: self.document,
            index: self.next,
        };
        self.next += value.node().size as usize;
        Some(value)
    }

    /// At most one for each value inside, which a list of strings has.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.end.saturating_sub(self.next)))
    }
}

/// The members of an object, see [`Value::members`].
#[derive(Clone, Debug)]
pub struct Members<'d>(Elements<'d>);

impl<'d> Iterator for Members<'d> {
    type Item = Member<'d>;

    fn next(&mut self) -> Option<Member<'d>> {
        let name = self.0.next()?;
        let value = self.0.next()?;
        Some(Member { name, value })
    }
}
