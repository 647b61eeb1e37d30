//! The lossless tree: an index of spans over the text, which is never copied.
//!
//! Nodes are in the order of the text, each followed by what it contains; white space and
//! comments are what is between two spans. Must not live here: grammar, changes.

use std::borrow::Cow;
use std::sync::OnceLock;

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
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
    pub escapes: Escapes,
    pub gaps: Gaps,
}

/// What the parser saw of the escapes in a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Escapes {
    /// It stands for exactly what is written between its quotes.
    None,
    /// All escapes are as short as possible.
    Short,
    /// Some could be shorter.
    Long,
    /// It lacks a quote, or both: a word, or a string without an end (`tolerant`).
    Bare,
}

/// A text in HuJSON, with the index of its values.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// What the strings with escapes stand for, by the index of their nodes, once one of them was needed.
    unescaped: OnceLock<Vec<(usize, Box<str>)>>,
}

impl<'t> Document<'t> {
    /// `nodes` must hold at least the top value.
    pub(super) fn new(text: &'t str, nodes: Vec<Node>) -> Self {
        Self {
            text,
            nodes,
            unescaped: OnceLock::new(),
        }
    }

    /// The text, as it was given.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// What the string at this node stands for, which has escapes. All of them are decoded at once: a policy, which
    /// has few, is then read without a copy.
    #[inline(never)]
    fn unescaped(&self, index: usize) -> &str {
        let all = self.unescaped.get_or_init(|| {
            let mut all = Vec::new();
            for (index, node) in self.nodes.iter().enumerate() {
                if node.kind == Kind::String && node.escapes != Escapes::None {
                    let document = self;
                    all.push((index, Value { document, index }.unescape().into()));
                }
            }
            all
        });
        let found = all.binary_search_by_key(&index, |(known, _)| *known);
        let found = found.ok().and_then(|at| all.get(at));
        found.map_or("", |(_, text)| text)
    }

    /// Whether a string contains an escaped half of a surrogate pair, which is read as U+FFFD.
    pub fn has_half_surrogates(&self) -> bool {
        let replaced = |text: &str| {
            text.chars()
                .filter(|each| *each == char::REPLACEMENT_CHARACTER)
                .count()
        };
        self.nodes.iter().enumerate().any(|(index, node)| {
            let value = Value {
                document: self,
                index,
            };
            node.kind == Kind::String
                && node.escapes != Escapes::None
                && replaced(&value.unescape()) > replaced(value.raw())
        })
    }

    /// The last value that starts before a place.
    fn last_before(&self, at: usize) -> Option<&Node> {
        let count = self
            .nodes
            .partition_point(|node| (node.start as usize) < at);
        self.nodes.get(count.checked_sub(1)?)
    }

    /// A place across which no token reaches, so that whoever wants the tokens from `at` on need not begin with the text: behind the
    /// last string that ends before it, or where a value starts.
    pub fn token_start(&self, at: usize) -> usize {
        self.last_before(at).map_or(0, |node| match node.kind {
            Kind::String if (node.end as usize) < at => node.end as usize,
            _ => node.start as usize,
        })
    }

    /// The bytes of the string or name that the byte at `at` stands in.
    pub fn string_over(&self, at: usize) -> Option<Span> {
        let node = self.last_before(at + 1)?;
        let span = Span {
            start: node.start as usize,
            end: node.end as usize,
        };
        (node.kind == Kind::String && at < span.end).then_some(span)
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

    /// The bytes of the value alone, without the white space and comments around it.
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

    /// The text that a string stands for; none for other values. Half of a surrogate pair,
    /// which only an escape can write, becomes U+FFFD.
    pub fn as_str(self) -> Option<&'d str> {
        let node = self.node();
        match (node.kind, node.escapes) {
            (Kind::String, Escapes::None) => Some(self.inside_quotes(node)),
            (Kind::String, Escapes::Bare) => Some(self.bare()),
            (Kind::String, _) => Some(self.document.unescaped(self.index)),
            _ => None,
        }
    }

    /// The same for a string, decoded for this one alone; not meaningful for other values.
    pub(super) fn unescape(self) -> Cow<'d, str> {
        let node = self.node();
        match node.escapes {
            Escapes::None => Cow::Borrowed(self.inside_quotes(node)),
            Escapes::Bare => Cow::Borrowed(self.bare()),
            _ => literal::unescape(self.raw()),
        }
    }

    #[inline(always)]
    fn inside_quotes(self, node: Node) -> &'d str {
        let inside = node.start as usize + 1..(node.end as usize).saturating_sub(1);
        self.document.text.get(inside).unwrap_or_default()
    }

    /// The text of a string that lacks a quote.
    #[cold]
    fn bare(self) -> &'d str {
        let raw = self.raw();
        raw.strip_prefix('"').unwrap_or(raw)
    }

    /// The bytes between the quotes of a string, as far as it has them; all bytes of other values.
    pub fn inside_span(self) -> Span {
        let Span { start, end } = self.span();
        let (open, close) = match (self.kind(), self.node().escapes) {
            (Kind::String, Escapes::Bare) => (usize::from(self.raw().starts_with('"')), 0),
            (Kind::String, _) => (1, 1),
            _ => (0, 0),
        };
        Span {
            start: start + open,
            end: end - close,
        }
    }

    /// The byte of the text at which byte `at` of [`Value::as_str`] is written.
    #[inline(always)]
    pub fn byte_of(self, at: usize) -> usize {
        let node = self.node();
        match (node.kind, node.escapes) {
            // Nearly every string.
            (Kind::String, Escapes::None) => {
                (node.start as usize + 1 + at).min(node.end as usize - 1)
            }
            _ => self.written_at(at),
        }
    }

    /// The same where it has escapes, or not both quotes.
    #[cold]
    fn written_at(self, at: usize) -> usize {
        let Span { start, end } = self.inside_span();
        match self.node().escapes {
            Escapes::None | Escapes::Bare => (start + at).min(end),
            Escapes::Short | Escapes::Long => {
                let inside = self.document.text.get(start..end).unwrap_or_default();
                start + literal::escaped_offset(inside, at)
            }
        }
    }

    /// Whether there is a colon in a range of the text without strings.
    pub fn has_colon(self, span: Span) -> bool {
        let stretch = self.document.text.as_bytes().get(span.start..span.end);
        stretch.is_some_and(|stretch| stretch.contains(&b':'))
    }

    /// Whether it stands for a missing value or name (`tolerant`).
    pub fn is_missing(self) -> bool {
        let span = self.span();
        span.start == span.end
    }

    /// The value of a boolean; none for other values.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The members of an object in the order of the text; empty for other values.
    pub fn members(self) -> Members<'d> {
        Members(self.inside(Kind::Object))
    }

    /// The elements of an array in order; empty for other values.
    pub fn elements(self) -> Elements<'d> {
        self.inside(Kind::Array)
    }

    /// Whether it is a string with escapes that could be shorter.
    #[inline(always)]
    pub(super) fn has_long_escapes(self) -> bool {
        self.node().escapes == Escapes::Long
    }

    /// The extra around the value.
    #[inline(always)]
    pub(super) fn gaps(self) -> Gaps {
        self.node().gaps
    }

    /// The whole text that contains the value.
    #[inline(always)]
    pub(super) fn text(self) -> &'d str {
        self.document.text
    }

    /// The direct children: names and values in turn, or elements.
    #[inline(always)]
    pub(super) fn parts(self) -> Elements<'d> {
        self.inside(self.kind())
    }

    /// The value of the member with this name; of repeated names the last, as in `JSON.parse`.
    pub fn get(self, name: &str) -> Option<Value<'d>> {
        self.members()
            .filter(|member| member.name.unescape() == name)
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
    /// What is after the colon.
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
