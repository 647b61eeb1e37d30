//! One reading of a text: what each token makes of the values so far, and what it lacks or has too much for that.
//!
//! Must not live here: which of two readings is the tree (`tolerant`), how bytes become tokens (`token`).

use super::token::{Token, What};
use crate::hujson::error::MAX_DEPTH;
use crate::hujson::gap::{Gap, Gaps};
use crate::hujson::tree::{Escapes, Node};
use crate::hujson::{Kind, Span};
use crate::tables::sort;

/// One reading of a text.
#[derive(Clone)]
pub(super) struct Reading {
    pub nodes: Vec<Node>,
    pub faults: Vec<Span>,
    pub open: Vec<Frame>,
    /// How many of the open composites are arrays.
    pub arrays: usize,
    pub awaits: Awaits,
    /// Whether the last value stands in a composite that has ended since.
    pub has_ended: bool,
    /// Where the last token ends, and the one before it.
    pub last: usize,
    pub before_last: usize,
    /// The bracket that closes the top value, unless something comes behind it.
    pub closed: Option<Span>,
}

/// An open composite.
#[derive(Clone)]
pub(super) struct Frame {
    pub node: usize,
    pub kind: Kind,
    /// Where its bracket stands, and the blanks that its line begins with.
    pub start: usize,
    pub indent: usize,
}

/// What stands next in a text that is right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Awaits {
    Top,
    Name,
    Colon,
    MemberValue,
    AfterMember,
    Element,
    AfterElement,
    /// Nothing: the top value is a literal.
    End,
}

impl Reading {
    pub fn new(text: &str) -> Reading {
        Reading {
            nodes: Vec::with_capacity(text.len() / 10 + 1),
            faults: Vec::new(),
            open: Vec::new(),
            arrays: 0,
            awaits: Awaits::Top,
            has_ended: false,
            last: 0,
            before_last: 0,
            closed: None,
        }
    }

    /// The next token, and what came before it that is none.
    pub fn next(&mut self, token: &Token, faults: &[Span]) {
        self.faults.extend_from_slice(faults);
        self.take(token);
        (self.before_last, self.last) = (self.last, token.span.end);
    }

    fn take(&mut self, token: &Token) {
        if let Some(span) = self.closed
            && !matches!(token.what, What::Close(_))
        {
            self.faults.push(span);
            self.closed = None;
        }
        match token.what {
            What::Open(kind) => self.open(kind, token),
            What::Close(kind) => self.close(kind, token.span),
            What::Colon => self.colon(token.span),
            What::Comma => self.comma(token.span),
            What::Literal(kind, escapes) => self.literal(kind, escapes, token),
        }
    }

    /// Whether a token at the start of a line cannot belong to the innermost composite, by its indent.
    pub fn is_dedent(&self, token: &Token) -> bool {
        let (Some(indent), [_, .., frame]) = (token.indent, self.open.as_slice()) else {
            return false;
        };
        match token.what {
            What::Close(_) => indent < frame.indent,
            _ => indent <= frame.indent && frame.start < token.line,
        }
    }

    /// Ends the innermost composite, whose bracket is missing.
    pub fn unclosed(&mut self, at: usize) {
        self.complete();
        self.fault(self.last, self.last);
        self.pop(at);
    }

    /// Fills in what the innermost member lacks.
    fn complete(&mut self) {
        if matches!(self.awaits, Awaits::Colon | Awaits::MemberValue) {
            self.fault(self.last, self.last);
            self.missing(Kind::Null, self.last);
            self.awaits = Awaits::AfterMember;
        }
    }

    fn pop(&mut self, end: usize) {
        let Some(frame) = self.open.pop() else { return };
        self.arrays -= usize::from(frame.kind == Kind::Array);
        self.has_ended = true;
        let size = self.nodes.len() - frame.node;
        if let Some(node) = self.nodes.get_mut(frame.node) {
            (node.end, node.size) = (end as u32, size as u32);
        }
        self.after_value();
    }

    /// What is awaited behind a value of the innermost composite.
    fn after_value(&mut self) {
        self.awaits = match self.open.last() {
            Some(frame) if frame.kind == Kind::Object => Awaits::AfterMember,
            Some(_) => Awaits::AfterElement,
            None => Awaits::End,
        };
    }

    fn push(&mut self, span: Span, kind: Kind, escapes: Escapes) {
        self.has_ended = false;
        self.nodes.push(Node {
            start: span.start as u32,
            end: span.end as u32,
            size: 1,
            kind,
            escapes,
            gaps: Gaps::leading(Gap::NONE),
        });
    }

    pub fn missing(&mut self, kind: Kind, at: usize) {
        let span = Span { start: at, end: at };
        self.push(span, kind, Escapes::Bare);
    }

    pub fn fault(&mut self, start: usize, end: usize) {
        self.faults.push(Span { start, end });
    }

    fn open(&mut self, kind: Kind, token: &Token) {
        let Span { start, end } = token.span;
        // A brace in the place of a name, in an object of a list: that one has ended.
        let is_next = kind == Kind::Object
            && matches!(self.awaits, Awaits::Name | Awaits::AfterMember)
            && matches!(self.open.as_slice(), [.., outer, _] if outer.kind == Kind::Array);
        if is_next {
            self.unclosed(start);
            self.awaits = Awaits::Element;
        }
        if self.awaits == Awaits::End || self.open.len() == MAX_DEPTH {
            return self.fault(start, end);
        }
        self.before_value(start);
        self.open.push(Frame {
            node: self.nodes.len(),
            kind,
            start,
            indent: token.line_indent,
        });
        self.arrays += usize::from(kind == Kind::Array);
        self.push(token.span, kind, Escapes::None);
        self.awaits = match kind {
            Kind::Array => Awaits::Element,
            _ => Awaits::Name,
        };
    }

    /// Fills in what a value that starts here lacks before it.
    fn before_value(&mut self, start: usize) {
        match self.awaits {
            Awaits::AfterElement | Awaits::Colon => self.fault(self.last, self.last),
            Awaits::Name | Awaits::AfterMember => {
                self.fault(start, start);
                self.missing(Kind::String, start);
            }
            _ => {}
        }
    }

    fn literal(&mut self, kind: Kind, escapes: Escapes, token: &Token) {
        let is_name = match self.awaits {
            Awaits::Name | Awaits::AfterMember => true,
            // On a line of its own it is more likely the next name.
            Awaits::Colon => kind == Kind::String && token.indent.is_some(),
            Awaits::End => return self.fault(token.span.start, token.span.end),
            _ => false,
        };
        if !is_name {
            self.before_value(token.span.start);
            self.push(token.span, kind, escapes);
            return self.after_value();
        }
        self.complete();
        if self.awaits == Awaits::AfterMember {
            self.fault(self.last, self.last);
        }
        if kind != Kind::String {
            self.fault(token.span.start, token.span.end);
        }
        let escapes = match kind {
            Kind::String => escapes,
            _ => Escapes::Bare,
        };
        self.push(token.span, Kind::String, escapes);
        self.awaits = Awaits::Colon;
    }

    fn colon(&mut self, span: Span) {
        let outer = |reading: &Reading| match reading.open.as_slice() {
            [.., outer, _] => outer.kind == Kind::Object,
            _ => false,
        };
        match self.awaits {
            Awaits::Colon => self.awaits = Awaits::MemberValue,
            Awaits::Name => {
                self.before_value(span.start);
                self.awaits = Awaits::MemberValue;
            }
            // What was taken for a value is the name of the next member.
            Awaits::AfterMember => match self.take_string() {
                Some(name) => {
                    self.fault(self.before_last, self.before_last);
                    self.missing(Kind::Null, self.before_last);
                    self.nodes.push(name);
                    self.awaits = Awaits::MemberValue;
                }
                None => self.fault(span.start, span.end),
            },
            // The same, and the list before it has no end.
            Awaits::AfterElement if outer(self) => match self.take_string() {
                Some(name) => {
                    self.fault(self.before_last, self.before_last);
                    self.pop(name.start as usize);
                    self.nodes.push(name);
                    self.awaits = Awaits::MemberValue;
                }
                None => self.fault(span.start, span.end),
            },
            _ => self.fault(span.start, span.end),
        }
    }

    /// Takes back the last value if it is a string that stands right before this token, and may be of the innermost composite.
    fn take_string(&mut self) -> Option<Node> {
        let last = self.nodes.last().filter(|_| !self.has_ended)?;
        let is_it = last.kind == Kind::String && last.end as usize == self.last;
        is_it.then(|| self.nodes.pop()).flatten()
    }

    fn comma(&mut self, span: Span) {
        self.complete();
        match self.awaits {
            Awaits::AfterMember => self.awaits = Awaits::Name,
            Awaits::AfterElement => self.awaits = Awaits::Element,
            _ => self.fault(span.start, span.end),
        }
    }

    fn close(&mut self, kind: Kind, span: Span) {
        let objects = self.open.len() - self.arrays;
        let fitting = match kind {
            Kind::Array => self.arrays,
            _ => objects,
        };
        if fitting == 0 || self.closed.is_some() {
            return self.fault(span.start, span.end);
        }
        while self.open.last().is_some_and(|frame| frame.kind != kind) {
            self.unclosed(span.start);
        }
        self.complete();
        match self.open.len() {
            // Whether this one is the last is known at the end of the text.
            1 => {
                self.closed = Some(span);
                self.after_value();
            }
            _ => self.pop(span.end),
        }
    }

    pub fn finished(mut self, end: usize, faults: &[Span]) -> Reading {
        self.faults.extend_from_slice(faults);
        if let Some(span) = self.closed {
            self.pop(span.end);
        }
        while !self.open.is_empty() {
            self.unclosed(end);
        }
        if self.nodes.is_empty() {
            self.fault(end, end);
            self.missing(Kind::Null, end);
        }
        sort::sort(&mut self.faults);
        self
    }
}
