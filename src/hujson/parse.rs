//! The grammar: text in, index of values or the first error out.
//!
//! One loop with its own stack, so that depth costs memory and never the thread's stack.
//! Must not live here: wording of errors, what values mean.

use super::error::{Fault, Place, Problem, Unfinished};
use super::tree::Node;
use super::{Document, Error, Kind, literal};

/// How deep objects and arrays may be nested.
pub const MAX_DEPTH: usize = 512;

/// Indexes a text.
///
/// # Errors
/// The first thing that is no HuJSON, or a nesting deeper than [`MAX_DEPTH`].
pub fn parse(text: &str) -> Result<Document<'_>, Error> {
    let mut parser = Parser::<true>::new(text);
    match parser.document() {
        Ok(()) => Ok(Document::new(text, parser.nodes)),
        Err(fault) => Err(Error::new(text, fault)),
    }
}

/// Judges a text as [`parse`] does, without an index.
///
/// # Errors
/// Those of [`parse`].
pub fn check(text: &str) -> Result<(), Error> {
    let outcome = Parser::<false>::new(text).document();
    outcome.map_err(|fault| Error::new(text, fault))
}

/// The state of one run; writes the index only when asked to.
struct Parser<'t, const INDEX: bool> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    open: Vec<Frame>,
    /// What the innermost open composite awaits.
    awaits: Awaits,
    /// Where the value that was completed last starts, and whether it is a string.
    last: (usize, bool),
}

/// An open composite.
#[derive(Clone, Copy)]
struct Frame {
    start: u32,
    node: u32,
    /// What the composite around it awaits behind it.
    outer: Awaits,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
    Top,
    Name,
    MemberValue,
    Element,
}

impl<'t, const INDEX: bool> Parser<'t, INDEX> {
    fn new(text: &'t str) -> Self {
        let nodes = if INDEX { text.len() / 32 + 1 } else { 0 };
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            nodes: Vec::with_capacity(nodes),
            open: Vec::with_capacity(16),
            awaits: Awaits::Top,
            last: (0, false),
        }
    }

    fn document(&mut self) -> Result<(), Fault> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(fault(0, 0, Problem::Size));
        }
        loop {
            self.value()?;
            if self.follow()? {
                return Ok(());
            }
        }
    }

    /// Reads up to the end of the next literal or empty composite, opening what stands before it;
    /// or the closing bracket behind a trailing comma.
    fn value(&mut self) -> Result<(), Fault> {
        loop {
            self.skip_extra()?;
            match self.peek() {
                Some(b'"') => return self.string(),
                Some(b'{') => self.open(Kind::Object, Awaits::Name)?,
                Some(b'[') => self.open(Kind::Array, Awaits::Element)?,
                Some(b'}') if self.awaits == Awaits::Name => {
                    self.close();
                    return Ok(());
                }
                Some(b']') if self.awaits == Awaits::Element => {
                    self.close();
                    return Ok(());
                }
                Some(_) => return self.word(),
                None => return Err(self.eof(Unfinished::Value)),
            }
        }
    }

    /// Reads what follows a complete value, closing all composites that end here.
    /// True when the top value is complete and nothing but extra stood behind it.
    fn follow(&mut self) -> Result<bool, Fault> {
        loop {
            self.skip_extra()?;
            match (self.awaits, self.peek()) {
                (Awaits::MemberValue, Some(b',')) => {
                    self.awaits = Awaits::Name;
                    self.at += 1;
                    return Ok(false);
                }
                (Awaits::Element, Some(b',')) => {
                    self.at += 1;
                    return Ok(false);
                }
                (Awaits::Name, Some(b':')) if self.last.1 => {
                    self.awaits = Awaits::MemberValue;
                    self.at += 1;
                    return Ok(false);
                }
                (Awaits::MemberValue, Some(b'}')) | (Awaits::Element, Some(b']')) => self.close(),
                (Awaits::Top, None) => return Ok(true),
                (awaits, next) => return Err(self.misplaced(awaits, next)),
            }
        }
    }

    /// The fault of what follows a value where something else was due. A name that is no string
    /// is judged only here, after the faults inside it.
    #[cold]
    fn misplaced(&mut self, awaits: Awaits, next: Option<u8>) -> Fault {
        if awaits == Awaits::Name && !self.last.1 {
            self.at = self.last.0;
            return self.character(Place::Name);
        }
        let (place, unfinished) = match awaits {
            Awaits::Top => return self.character(Place::AfterTop),
            Awaits::Name => (Place::AfterName, Unfinished::AfterName),
            Awaits::MemberValue => (Place::AfterMember, Unfinished::AfterMember),
            Awaits::Element => (Place::AfterElement, Unfinished::AfterElement),
        };
        match next {
            Some(_) => self.character(place),
            None => self.eof(unfinished),
        }
    }

    fn open(&mut self, kind: Kind, awaits: Awaits) -> Result<(), Fault> {
        if self.open.len() == MAX_DEPTH {
            return Err(fault(self.at, self.at + 1, Problem::Depth));
        }
        self.open.push(Frame {
            start: self.at as u32,
            node: self.nodes.len() as u32,
            outer: self.awaits,
        });
        self.awaits = awaits;
        self.push(self.at, self.at + 1, kind);
        Ok(())
    }

    /// Takes the closing bracket of the innermost composite.
    fn close(&mut self) {
        self.at += 1;
        let Some(frame) = self.open.pop() else {
            return;
        };
        self.awaits = frame.outer;
        self.last = (frame.start as usize, false);
        if INDEX {
            let size = self.nodes.len() as u32 - frame.node;
            // INVARIANT: a frame holds the index of the node that `open` pushed with it.
            let node = &mut self.nodes[frame.node as usize];
            node.end = self.at as u32;
            node.size = size;
        }
    }

    /// Takes the bytes from `start` to `end`, a literal or an opening bracket.
    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        self.at = end;
        self.last = (start, kind == Kind::String);
        if INDEX {
            self.nodes.push(Node {
                start: start as u32,
                end: end as u32,
                size: 1,
                kind,
            });
        }
    }

    /// Reads a string to its closing quote and judges it as a whole.
    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let mut end = start + 1;
        let mut plain = true;
        loop {
            end += literal::plain_length(self.bytes.get(end..).unwrap_or_default());
            match self.bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
                None => {
                    self.at = self.bytes.len();
                    return Err(self.eof(Unfinished::String));
                }
            }
            plain = false;
        }
        let inside = self.bytes.get(start + 1..end).unwrap_or_default();
        if !plain && !literal::is_string(inside) {
            return Err(fault(start, end + 1, Problem::Literal));
        }
        self.push(start, end + 1, Kind::String);
        Ok(())
    }

    /// Reads a run of letters, digits, `+`, `-` and `.` and judges it as a whole.
    fn word(&mut self) -> Result<(), Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            .count();
        let kind = match rest.get(..length).unwrap_or_default() {
            [] => return Err(self.character(Place::Value)),
            b"null" => Kind::Null,
            b"true" | b"false" => Kind::Bool,
            word if literal::is_number(word) => Kind::Number,
            _ => return Err(fault(self.at, self.at + length, Problem::Literal)),
        };
        self.push(self.at, self.at + length, kind);
        Ok(())
    }

    /// Passes over space and comments. A slash that starts no comment is left where it is.
    fn skip_extra(&mut self) -> Result<(), Fault> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') => match self.bytes.get(self.at + 1) {
                    Some(b'/') => self.comment("\n", Unfinished::LineComment)?,
                    Some(b'*') => self.comment("*/", Unfinished::BlockComment)?,
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self, end: &str, unfinished: Unfinished) -> Result<(), Fault> {
        let inside = self.at + 2;
        match self.text.get(inside..).and_then(|rest| rest.find(end)) {
            Some(length) => self.at = inside + length + end.len(),
            None => return Err(fault(self.at, inside, Problem::Eof(unfinished))),
        }
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[cold]
    fn eof(&self, unfinished: Unfinished) -> Fault {
        fault(self.at, self.at, Problem::Eof(unfinished))
    }

    /// The character that stands here is not allowed here.
    #[cold]
    fn character(&self, place: Place) -> Fault {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.chars().next().map_or(0, char::len_utf8);
        fault(self.at, self.at + length, Problem::Character(place))
    }
}

fn fault(start: usize, end: usize, problem: Problem) -> Fault {
    Fault {
        start,
        end,
        problem,
    }
}
