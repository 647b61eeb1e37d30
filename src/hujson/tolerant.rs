//! A tree for any text: missing parts are left empty, misplaced parts are skipped, and both are listed.
//!
//! A broken text is read in two ways: once with the brackets as they are, once with a line that is not indented ending
//! everything that it cannot be inside of. The reading with fewer faults is the tree; if equal, the second.
//! Must not live here: the words of errors (`error`), the grammar of valid text (`parse`), how bytes become tokens
//! (`token`).

mod start;
mod token;

use super::error::MAX_DEPTH;
use super::gap::{Gap, Gaps};
use super::parse;
use super::tree::{Escapes, Node};
use super::{Document, Kind, Span};
use crate::tables::sort;
use start::start;
use token::{Token, Tokens, What};

/// A text that may not be HuJSON, with the values found in it.
#[derive(Debug)]
pub struct Tolerant<'t> {
    /// The tree. A missing value is a `null` and a missing name a string, both of no bytes; a word without
    /// quotes and a string without an end are strings.
    pub document: Document<'t>,
    /// The violations of the grammar, in the order of the text: empty spans where something is missing. None
    /// exactly if the text is HuJSON.
    pub faults: Vec<Span>,
}

/// Reads any text, in time proportional to its length. For HuJSON the tree is that of [`super::parse()`].
#[inline(never)]
pub fn tolerant(text: &str) -> Tolerant<'_> {
    let nodes = match parse::document_or_start(text) {
        Ok(document) => {
            return Tolerant {
                document,
                faults: Vec::new(),
            };
        }
        Err(nodes) => nodes,
    };
    let read = Reading::better(text, nodes);
    Tolerant {
        document: Document::new(text, read.nodes),
        faults: read.faults,
    }
}

/// One reading of a text.
#[derive(Clone)]
struct Reading {
    nodes: Vec<Node>,
    faults: Vec<Span>,
    open: Vec<Frame>,
    /// How many of the open composites are arrays.
    arrays: usize,
    awaits: Awaits,
    /// Whether the last value is inside a composite that has ended since.
    has_ended: bool,
    /// Where the last token ends, and the one before it.
    last: usize,
    before_last: usize,
    /// The bracket that closes the top value, unless something follows it.
    closed: Option<Span>,
}

/// An open composite.
#[derive(Clone)]
struct Frame {
    node: usize,
    kind: Kind,
    /// Where its bracket is, and the blanks that its line begins with.
    start: usize,
    indent: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
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
    fn new(text: &str) -> Reading {
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

    /// The reading that is the tree, of a text that starts with these values. Up to the first line that ends something by its indent
    /// both readings are one.
    fn better(text: &str, nodes: Vec<Node>) -> Reading {
        // Its spans are of 32 bits.
        if u32::try_from(text.len()).is_err() {
            let mut reading = Reading::new(text);
            reading.fault(0, text.len());
            reading.missing(Kind::Null, 0);
            return reading;
        }
        let from_start = || (Reading::new(text), Tokens::of(text));
        let (mut by_brackets, mut tokens) = start(text, nodes).unwrap_or_else(from_start);
        let mut by_indents: Option<Reading> = None;
        while let Some(token) = tokens.next() {
            if by_indents.is_none() && by_brackets.is_dedent(&token) {
                by_indents = Some(by_brackets.clone());
            }
            if let Some(reading) = &mut by_indents {
                while reading.is_dedent(&token) {
                    reading.unclosed(token.span.start);
                }
                reading.next(&token, &tokens.faults);
            }
            by_brackets.next(&token, &tokens.faults);
            tokens.faults.clear();
        }
        let rest = &tokens.faults;
        let by_brackets = by_brackets.finished(text.len(), rest);
        match by_indents.map(|reading| reading.finished(text.len(), rest)) {
            Some(by_indents) if by_indents.faults.len() <= by_brackets.faults.len() => by_indents,
            _ => by_brackets,
        }
    }

    /// The next token, and what came before it that is none.
    fn next(&mut self, token: &Token, faults: &[Span]) {
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
    fn is_dedent(&self, token: &Token) -> bool {
        let (Some(indent), [_, .., frame]) = (token.indent, self.open.as_slice()) else {
            return false;
        };
        match token.what {
            What::Close(_) => indent < frame.indent,
            _ => indent <= frame.indent && frame.start < token.line,
        }
    }

    /// Ends the innermost composite, whose bracket is missing.
    fn unclosed(&mut self, at: usize) {
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

    /// What is expected after a value of the innermost composite.
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

    fn missing(&mut self, kind: Kind, at: usize) {
        let span = Span { start: at, end: at };
        self.push(span, kind, Escapes::Bare);
    }

    fn fault(&mut self, start: usize, end: usize) {
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

    /// Takes back the last value if it is a string directly before this token and may belong to the innermost composite.
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

    fn finished(mut self, end: usize, faults: &[Span]) -> Reading {
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
