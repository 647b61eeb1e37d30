//! The grammar: text in, index of values or the first error out.
//!
//! One loop with its own stack, so that depth costs memory and never the thread's stack.
//! Must not live here: wording of errors, what values mean.

use super::error::{Fault, Part, Place, Problem, Unfinished};
use super::tree::Node;
use super::{Document, Error, Kind, byte_offset, literal};

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

/// The error of a text that was no Unicode: a stray surrogate stood at the UTF-16 `offset`, where
/// the text has U+FFFD now. It is the invalid UTF-8 that writing it would give, wherever it
/// stands; unless something before it is wrong already.
pub fn refuse_surrogate(text: &str, offset: usize) -> Error {
    let at = byte_offset(text, offset).unwrap_or(text.len());
    let before = text.get(..at).unwrap_or(text);
    let end = at + char::REPLACEMENT_CHARACTER.len_utf8();
    let judged = |text| Parser::<false>::new(text).document().err();
    let found = match judged(before) {
        Some(cut) if cut.problem == Problem::Eof(Unfinished::String) => {
            fault(at, end, Problem::Encoding(Part::String))
        }
        Some(cut) if cut.problem.is_open_comment() => {
            fault(cut.start, end, Problem::Encoding(Part::Comment))
        }
        None
        | Some(Fault {
            problem: Problem::Eof(_),
            ..
        }) => match judged(text) {
            Some(Fault {
                problem: Problem::Character(place),
                ..
            }) => fault(at, end, Problem::Encoding(Part::Code(place))),
            other => other.unwrap_or(fault(at, end, Problem::Encoding(Part::String))),
        },
        Some(earlier) => earlier,
    };
    Error::new(text, found)
}

/// The state of one run; writes the index only when asked to.
struct Parser<'t, const INDEX: bool> {
    text: &'t str,
    bytes: &'t [u8],
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
            nodes: Vec::with_capacity(nodes),
            open: Vec::with_capacity(16),
            awaits: Awaits::Top,
            last: (0, false),
        }
    }

    /// Reads everything. The place is a local on purpose: it then stays in a register.
    fn document(&mut self) -> Result<(), Fault> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(fault(0, 0, Problem::Size));
        }
        let bytes = self.bytes;
        let mut at = 0;
        loop {
            // A value is due: read one, opening what stands before it.
            loop {
                at = self.skip_extra(at)?;
                match bytes.get(at) {
                    Some(b'"') => break at = self.string(at)?,
                    Some(b'{') => at = self.open(at, Kind::Object, Awaits::Name)?,
                    Some(b'[') => at = self.open(at, Kind::Array, Awaits::Element)?,
                    Some(b'}') if self.awaits == Awaits::Name => break at = self.close(at),
                    Some(b']') if self.awaits == Awaits::Element => break at = self.close(at),
                    Some(_) => break at = self.word(at)?,
                    None => return Err(fault(at, at, Problem::Eof(Unfinished::Value))),
                }
            }
            // A value is complete: read what follows, closing what ends with it.
            loop {
                at = self.skip_extra(at)?;
                match (self.awaits, bytes.get(at)) {
                    (Awaits::MemberValue, Some(b',')) => self.awaits = Awaits::Name,
                    (Awaits::Element, Some(b',')) => {}
                    (Awaits::Name, Some(b':')) if self.last.1 => self.awaits = Awaits::MemberValue,
                    (Awaits::MemberValue, Some(b'}')) | (Awaits::Element, Some(b']')) => {
                        at = self.close(at);
                        continue;
                    }
                    (Awaits::Top, None) => return Ok(()),
                    (awaits, next) => return Err(self.misplaced(at, awaits, next)),
                }
                break at += 1;
            }
        }
    }

    /// The fault of what follows a value where something else was due. A name that is no string
    /// is judged only here, after the faults inside it.
    #[cold]
    fn misplaced(&self, at: usize, awaits: Awaits, next: Option<&u8>) -> Fault {
        if awaits == Awaits::Name && !self.last.1 {
            return self.character(self.last.0, Place::Name);
        }
        let (place, unfinished) = match awaits {
            Awaits::Top => return self.character(at, Place::AfterTop),
            Awaits::Name => (Place::AfterName, Unfinished::AfterName),
            Awaits::MemberValue => (Place::AfterMember, Unfinished::AfterMember),
            Awaits::Element => (Place::AfterElement, Unfinished::AfterElement),
        };
        match next {
            Some(_) => self.character(at, place),
            None => fault(at, at, Problem::Eof(unfinished)),
        }
    }

    fn open(&mut self, at: usize, kind: Kind, awaits: Awaits) -> Result<usize, Fault> {
        if self.open.len() == MAX_DEPTH {
            return Err(fault(at, at + 1, Problem::Depth));
        }
        self.open.push(Frame {
            start: at as u32,
            node: self.nodes.len() as u32,
            outer: self.awaits,
        });
        self.awaits = awaits;
        Ok(self.push(at, at + 1, kind))
    }

    /// Takes the closing bracket of the innermost composite.
    fn close(&mut self, at: usize) -> usize {
        let Some(frame) = self.open.pop() else {
            return at;
        };
        self.awaits = frame.outer;
        self.last = (frame.start as usize, false);
        if INDEX {
            let size = self.nodes.len() as u32 - frame.node;
            // INVARIANT: a frame holds the index of the node that `open` pushed with it.
            let node = &mut self.nodes[frame.node as usize];
            node.end = at as u32 + 1;
            node.size = size;
        }
        at + 1
    }

    /// Takes the bytes from `start` to `end`, a literal or an opening bracket.
    #[inline(always)]
    fn push(&mut self, start: usize, end: usize, kind: Kind) -> usize {
        self.last = (start, kind == Kind::String);
        if INDEX {
            self.nodes.push(Node {
                start: start as u32,
                end: end as u32,
                size: 1,
                kind,
            });
        }
        end
    }

    /// Reads a string to its closing quote and judges it as a whole.
    #[inline(always)]
    fn string(&mut self, start: usize) -> Result<usize, Fault> {
        let inside = self.bytes.get(start + 1..).unwrap_or_default();
        let end = start + 1 + literal::plain_length(inside);
        if self.bytes.get(end) == Some(&b'"') {
            return Ok(self.push(start, end + 1, Kind::String));
        }
        self.escaped_string(start, end)
    }

    /// The same from the first backslash or control on.
    fn escaped_string(&mut self, start: usize, mut end: usize) -> Result<usize, Fault> {
        loop {
            match self.bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
                None => {
                    let end = self.bytes.len();
                    return Err(fault(end, end, Problem::Eof(Unfinished::String)));
                }
            }
            end += literal::plain_length(self.bytes.get(end..).unwrap_or_default());
        }
        if !literal::is_string(self.bytes.get(start + 1..end).unwrap_or_default()) {
            return Err(fault(start, end + 1, Problem::Literal));
        }
        Ok(self.push(start, end + 1, Kind::String))
    }

    /// Reads a run of letters, digits, `+`, `-` and `.` and judges it as a whole.
    fn word(&mut self, at: usize) -> Result<usize, Fault> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            .count();
        let kind = match rest.get(..length).unwrap_or_default() {
            [] => return Err(self.character(at, Place::Value)),
            b"null" => Kind::Null,
            b"true" | b"false" => Kind::Bool,
            word if literal::is_number(word) => Kind::Number,
            _ => return Err(fault(at, at + length, Problem::Literal)),
        };
        Ok(self.push(at, at + length, kind))
    }

    /// Passes over space and comments. A slash that starts no comment is left where it is.
    #[inline(always)]
    fn skip_extra(&self, mut at: usize) -> Result<usize, Fault> {
        loop {
            match self.bytes.get(at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'/') => match self.comment(at)? {
                    end if end == at => return Ok(at),
                    end => at = end,
                },
                _ => return Ok(at),
            }
        }
    }

    /// The end of the comment that starts here, or this place if none does.
    fn comment(&self, at: usize) -> Result<usize, Fault> {
        let (end, unfinished) = match self.bytes.get(at + 1) {
            Some(b'/') => ("\n", Unfinished::LineComment),
            Some(b'*') => ("*/", Unfinished::BlockComment),
            _ => return Ok(at),
        };
        let inside = self.text.get(at + 2..).unwrap_or_default();
        match inside.find(end) {
            Some(length) => Ok(at + 2 + length + end.len()),
            None => Err(fault(at, at + 2, Problem::Eof(unfinished))),
        }
    }

    /// The character that stands here is not allowed here.
    #[cold]
    fn character(&self, at: usize, place: Place) -> Fault {
        let rest = self.text.get(at..).unwrap_or_default();
        let length = rest.chars().next().map_or(0, char::len_utf8);
        fault(at, at + length, Problem::Character(place))
    }
}

fn fault(start: usize, end: usize, problem: Problem) -> Fault {
    Fault {
        start,
        end,
        problem,
    }
}
