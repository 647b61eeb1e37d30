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
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
        nodes: Vec::with_capacity(text.len() / 32 + 1),
        open: Vec::new(),
        last: 0,
    };
    match parser.document() {
        Ok(()) => Ok(Document::new(text, parser.nodes)),
        Err(fault) => Err(Error::new(text, fault)),
    }
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    open: Vec<Frame>,
    /// The node of the value that was completed last.
    last: u32,
}

/// An object or array that is not closed yet.
#[derive(Clone, Copy)]
struct Frame {
    node: u32,
    awaits: Awaits,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
    Name,
    MemberValue,
    Element,
}

/// What the reading of one value came to.
enum Read {
    /// A literal, or an object or array with nothing in it that is still to come.
    Complete,
    /// An object or array was opened: its first name or element is next.
    Opened,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<(), Fault> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(self.fault(0, 0, Problem::Size));
        }
        loop {
            self.skip_extra()?;
            if let Read::Opened = self.value()? {
                continue;
            }
            if self.follow()? {
                return Ok(());
            }
        }
    }

    /// Reads what starts here: a literal, an opening bracket, or the closing one of an empty
    /// composite or behind a trailing comma.
    fn value(&mut self) -> Result<Read, Fault> {
        match self.peek() {
            None => return Err(self.eof(Unfinished::Value)),
            Some(b'"') => self.string()?,
            Some(b'{') => return self.open(Kind::Object, Awaits::Name),
            Some(b'[') => return self.open(Kind::Array, Awaits::Element),
            Some(bracket @ (b'}' | b']')) => match self.open.last() {
                Some(frame) if closes(bracket, frame.awaits) => self.close(),
                _ => return Err(self.character(Place::Value)),
            },
            Some(_) => self.word()?,
        }
        Ok(Read::Complete)
    }

    /// Reads what follows a complete value, closing all composites that end here.
    /// True when the top value is complete and nothing but extra stood behind it.
    fn follow(&mut self) -> Result<bool, Fault> {
        loop {
            self.skip_extra()?;
            let Some(frame) = self.open.last_mut() else {
                return match self.peek() {
                    None => Ok(true),
                    Some(_) => Err(self.character(Place::AfterTop)),
                };
            };
            let next = self.bytes.get(self.at).copied();
            match (frame.awaits, next) {
                (Awaits::Name, _) => {
                    frame.awaits = Awaits::MemberValue;
                    return self.colon(next).map(|()| false);
                }
                (Awaits::MemberValue, Some(b',')) => {
                    frame.awaits = Awaits::Name;
                    self.at += 1;
                    return Ok(false);
                }
                (Awaits::Element, Some(b',')) => {
                    self.at += 1;
                    return Ok(false);
                }
                (Awaits::MemberValue, Some(b'}')) | (Awaits::Element, Some(b']')) => self.close(),
                (Awaits::MemberValue, None) => return Err(self.eof(Unfinished::AfterMember)),
                (Awaits::Element, None) => return Err(self.eof(Unfinished::AfterElement)),
                (Awaits::MemberValue, Some(_)) => return Err(self.character(Place::AfterMember)),
                (Awaits::Element, Some(_)) => return Err(self.character(Place::AfterElement)),
            }
        }
    }

    /// Reads the colon behind a name. A name that is no string is judged only here, after the
    /// faults inside it.
    fn colon(&mut self, next: Option<u8>) -> Result<(), Fault> {
        // INVARIANT: `last` is the index of a node that was pushed.
        let name = self.nodes[self.last as usize];
        if name.kind != Kind::String {
            self.at = name.start as usize;
            return Err(self.character(Place::Name));
        }
        match next {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.character(Place::AfterName)),
            None => return Err(self.eof(Unfinished::AfterName)),
        }
        Ok(())
    }

    fn open(&mut self, kind: Kind, awaits: Awaits) -> Result<Read, Fault> {
        if self.open.len() == MAX_DEPTH {
            return Err(self.fault(self.at, self.at + 1, Problem::Depth));
        }
        let node = self.nodes.len() as u32;
        self.open.push(Frame { node, awaits });
        self.push(self.at, self.at + 1, kind);
        Ok(Read::Opened)
    }

    /// Takes the closing bracket of the innermost composite.
    fn close(&mut self) {
        self.at += 1;
        if let Some(frame) = self.open.pop() {
            let size = self.nodes.len() as u32 - frame.node;
            // INVARIANT: a frame holds the index of the node that `open` pushed with it.
            let node = &mut self.nodes[frame.node as usize];
            node.end = self.at as u32;
            node.size = size;
            self.last = frame.node;
        }
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        self.last = self.nodes.len() as u32;
        self.nodes.push(Node {
            start: start as u32,
            end: end as u32,
            size: 1,
            kind,
        });
        self.at = end;
    }

    /// Reads a string to its closing quote and judges it as a whole.
    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let mut end = start + 1;
        let mut plain = true;
        loop {
            match self.bytes.get(end) {
                None => {
                    self.at = self.bytes.len();
                    return Err(self.eof(Unfinished::String));
                }
                Some(b'"') => break,
                Some(b'\\') => {
                    plain = false;
                    end += 2;
                }
                Some(byte) => {
                    plain &= *byte >= 0x20;
                    end += 1;
                }
            }
        }
        let inside = self.bytes.get(start + 1..end).unwrap_or_default();
        if !plain && !literal::is_string(inside) {
            return Err(self.fault(start, end + 1, Problem::Literal));
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
            _ => return Err(self.fault(self.at, self.at + length, Problem::Literal)),
        };
        self.push(self.at, self.at + length, kind);
        Ok(())
    }

    /// Passes over space and comments. A slash that starts no comment is left where it is.
    fn skip_extra(&mut self) -> Result<(), Fault> {
        loop {
            match self.bytes.get(self.at) {
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
            None => return Err(self.fault(self.at, inside, Problem::Eof(unfinished))),
        }
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fault(&self, start: usize, end: usize, problem: Problem) -> Fault {
        Fault {
            start,
            end,
            problem,
        }
    }

    fn eof(&self, unfinished: Unfinished) -> Fault {
        self.fault(self.at, self.at, Problem::Eof(unfinished))
    }

    /// The character that stands here is not allowed here.
    fn character(&self, place: Place) -> Fault {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.chars().next().map_or(0, char::len_utf8);
        self.fault(self.at, self.at + length, Problem::Character(place))
    }
}

fn closes(bracket: u8, awaits: Awaits) -> bool {
    matches!(
        (bracket, awaits),
        (b'}', Awaits::Name) | (b']', Awaits::Element)
    )
}
