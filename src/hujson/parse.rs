//! The grammar: text in, an index of values or the first error out.
//!
//! One loop with its own stack, so that depth costs memory and not the thread's stack.
//! Must not live here: wording of errors, what values mean.

use super::error::{Fault, MAX_DEPTH, Part, Place, Problem, Unfinished};
use super::gap::{Gap, Gaps};
use super::scan::comment_end;
use super::tree::{Escapes, Node};
use super::{Document, Error, Kind, byte_offset, literal};

/// Indexes a text.
///
/// # Errors
/// The first thing that is not HuJSON, or nesting deeper than [`MAX_DEPTH`].
#[inline(never)]
pub fn parse(text: &str) -> Result<Document<'_>, Error> {
    index(text).map_err(|fault| Error::new(text, fault))
}

/// The same for callers that need no reason, as for JSON written by programs. It keeps the wording of errors out of the
/// client's file.
pub fn document(text: &str) -> Option<Document<'_>> {
    index(text).ok()
}

/// The same; of a text that is none, the values up to what is wrong. A composite that has not ended then ends behind its bracket.
pub(super) fn document_or_start(text: &str) -> Result<Document<'_>, Vec<Node>> {
    index_to(text).map_err(|(_, nodes)| nodes)
}

fn index(text: &str) -> Result<Document<'_>, Fault> {
    index_to(text).map_err(|(fault, _)| fault)
}

#[inline(never)]
fn index_to(text: &str) -> Result<Document<'_>, (Fault, Vec<Node>)> {
    let mut parser = Parser::<true>::new(text);
    match parser.document() {
        Ok(()) => Ok(Document::new(text, parser.nodes)),
        Err(fault) => Err((fault, parser.nodes)),
    }
}

/// Judges a text like [`parse`], without an index.
///
/// # Errors
/// Those of [`parse`].
pub fn check(text: &str) -> Result<(), Error> {
    beyond_json(text).map(drop)
}

/// The comments and the trailing commas of a text: start and end of each in turn, in no particular
/// order.
///
/// # Errors
/// Those of [`parse`].
pub(super) fn beyond_json(text: &str) -> Result<Vec<u32>, Error> {
    let mut parser = Parser::<false>::new(text);
    match parser.document() {
        Ok(()) => Ok(parser.beyond_json),
        Err(fault) => Err(Error::new(text, fault)),
    }
}

/// The error of a text that was not valid Unicode: a stray surrogate was at the UTF-16 `offset`, where
/// the text has U+FFFD now. It counts as the invalid UTF-8 that writing it would give, wherever it
/// is, unless something before it is already wrong.
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
    /// Without an index: start and end of each comment and trailing comma.
    beyond_json: Vec<u32>,
    open: Vec<Frame>,
    /// How many composites may be open at once.
    room: usize,
}

/// An open composite.
#[derive(Clone, Copy)]
struct Frame {
    node: u32,
    /// What the composite around it expects after it.
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
        let nodes = if INDEX { text.len() / 10 + 1 } else { 0 };
        Self::with_room_for(nodes, text)
    }

    fn with_room_for(nodes: usize, text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            nodes: Vec::with_capacity(nodes),
            beyond_json: Vec::new(),
            open: Vec::with_capacity(16),
            room: MAX_DEPTH,
        }
    }

    fn document(&mut self) -> Result<(), Fault> {
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(fault(0, 0, Problem::Size));
        }
        self.run(0)
    }

    /// Reads the value that starts at `at`, or after extra there, and all that follows. The position
    /// and what is expected are locals on purpose: they then stay in registers.
    fn run(&mut self, mut at: usize) -> Result<(), Fault> {
        let bytes = self.bytes;
        let mut awaits = Awaits::Top;
        // The node of the value that is complete.
        let mut done;
        loop {
            (at, awaits, done) = self.value(bytes, at, awaits)?;
            // A value is complete. Nearly always what follows stands right behind it.
            match (bytes.get(at), awaits) {
                (Some(b','), Awaits::Element) => {
                    at += 1;
                    continue;
                }
                (Some(b','), Awaits::MemberValue) => {
                    (at, awaits) = (at + 1, Awaits::Name);
                    continue;
                }
                (Some(b':'), Awaits::Name) => {
                    (at, awaits) = (at + 1, Awaits::MemberValue);
                    continue;
                }
                _ => {}
            }
            // Read it, closing what ends with it.
            loop {
                let gap;
                (at, gap) = self.skip_extra(bytes, at)?;
                match (awaits, bytes.get(at)) {
                    (Awaits::MemberValue, Some(b',')) => awaits = Awaits::Name,
                    (Awaits::Element, Some(b',')) => {}
                    (Awaits::Name, Some(b':')) => awaits = Awaits::MemberValue,
                    (Awaits::MemberValue, Some(b'}')) | (Awaits::Element, Some(b']')) => {
                        (at, awaits, done) = self.close(at, gap);
                        continue;
                    }
                    (Awaits::Top, None) => return Ok(()),
                    (awaits, next) => return Err(self.misplaced(at, awaits, next)),
                }
                self.note_gap(done, gap);
                break at += 1;
            }
        }
    }

    /// Reads the value that is due at `at`, or after extra there, opening what precedes it: returns where it ends, what
    /// is expected after it, and its node.
    #[inline(always)]
    fn value(
        &mut self,
        bytes: &[u8],
        mut at: usize,
        mut awaits: Awaits,
    ) -> Result<(usize, Awaits, usize), Fault> {
        loop {
            let behind = at;
            let gap;
            (at, gap) = self.skip_extra(bytes, at)?;
            match (bytes.get(at), awaits) {
                (Some(b'}'), Awaits::Name) | (Some(b']'), Awaits::Element) => {
                    self.note_comma(behind);
                    return Ok(self.close(at, gap));
                }
                (Some(b'{'), Awaits::Top | Awaits::MemberValue | Awaits::Element) => {
                    (at, awaits) = self.open(at, Kind::Object, awaits, gap)?;
                    continue;
                }
                (Some(b'['), Awaits::Top | Awaits::MemberValue | Awaits::Element) => {
                    (at, awaits) = self.open(at, Kind::Array, awaits, gap)?;
                    continue;
                }
                (Some(b'"'), _) => at = self.string(bytes, at, gap)?,
                (Some(_), Awaits::Name) => return Err(self.bad_name(at)),
                (Some(_), _) => at = self.word(at, gap)?,
                (None, _) => return Err(fault(at, at, Problem::Eof(Unfinished::Value))),
            }
            return Ok((at, awaits, self.nodes.len().wrapping_sub(1)));
        }
    }

    /// Notes the gap between this node and the colon or comma after it.
    #[inline(always)]
    fn note_gap(&mut self, node: usize, gap: Gap) {
        if INDEX
            && !gap.is_empty()
            && let Some(node) = self.nodes.get_mut(node)
        {
            node.gaps.set_behind(gap);
        }
    }

    /// Notes the trailing comma before this position, if the composite that ends after it has one.
    #[inline(always)]
    fn note_comma(&mut self, behind: usize) {
        let comma = behind.wrapping_sub(1);
        if !INDEX && self.bytes.get(comma) == Some(&b',') {
            self.beyond_json.extend([comma as u32, behind as u32]);
        }
    }

    /// The fault of something other than a string in the place of a name. As in the reference, the
    /// faults inside it and after it come first.
    #[cold]
    fn bad_name(&self, at: usize) -> Fault {
        let mut inner = Self::with_room_for(0, self.text);
        inner.room = self.room - self.open.len();
        match inner.run(at) {
            Err(found) if found.problem != Problem::Character(Place::AfterTop) => found,
            _ => self.character(at, Place::Name),
        }
    }

    /// The fault of what follows a value where something else was expected.
    #[cold]
    fn misplaced(&self, at: usize, awaits: Awaits, next: Option<&u8>) -> Fault {
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

    /// Reads an opening bracket; returns what is expected after it.
    #[inline(always)]
    fn open(
        &mut self,
        at: usize,
        kind: Kind,
        outer: Awaits,
        lead: Gap,
    ) -> Result<(usize, Awaits), Fault> {
        if self.open.len() == self.room {
            return Err(fault(at, at + 1, Problem::Depth));
        }
        let node = self.nodes.len() as u32;
        self.open.push(Frame { node, outer });
        let awaits = match kind {
            Kind::Object => Awaits::Name,
            _ => Awaits::Element,
        };
        Ok((self.push(at, at + 1, kind, lead), awaits))
    }

    /// Reads the closing bracket of the innermost composite; returns what is expected after it, and its node.
    #[inline(always)]
    fn close(&mut self, at: usize, tail: Gap) -> (usize, Awaits, usize) {
        let Some(frame) = self.open.pop() else {
            return (at, Awaits::Top, 0);
        };
        if INDEX {
            let size = self.nodes.len() as u32 - frame.node;
            // INVARIANT: a frame holds the index of the node that `open` pushed with it.
            let node = &mut self.nodes[frame.node as usize];
            node.end = at as u32 + 1;
            node.size = size;
            node.gaps.set_tail(tail);
        }
        (at + 1, frame.outer, frame.node as usize)
    }

    /// Takes the bytes from `start` to `end`, a literal or an opening bracket.
    #[inline(always)]
    fn push(&mut self, start: usize, end: usize, kind: Kind, lead: Gap) -> usize {
        if INDEX {
            self.nodes.push(Node {
                start: start as u32,
                end: end as u32,
                size: 1,
                kind,
                escapes: Escapes::None,
                gaps: Gaps::leading(lead),
            });
        }
        end
    }

    /// Reads a string to its closing quote and judges it as a whole.
    #[inline(always)]
    fn string(&mut self, bytes: &[u8], start: usize, lead: Gap) -> Result<usize, Fault> {
        let inside = bytes.get(start + 1..).unwrap_or_default();
        let end = start + 1 + literal::plain_length(inside);
        if bytes.get(end) == Some(&b'"') {
            return Ok(self.push(start, end + 1, Kind::String, lead));
        }
        self.escaped_string(start, end, lead)
    }

    /// The same from the first backslash or control on.
    #[inline(never)]
    fn escaped_string(&mut self, start: usize, at: usize, lead: Gap) -> Result<usize, Fault> {
        let Some((quote, long)) = literal::string_end(self.bytes, at) else {
            let end = self.bytes.len();
            return Err(fault(end, end, Problem::Eof(Unfinished::String)));
        };
        let long = long.ok_or(fault(start, quote + 1, Problem::Literal))?;
        let end = self.push(start, quote + 1, Kind::String, lead);
        if let Some(node) = self.nodes.last_mut() {
            node.escapes = if long { Escapes::Long } else { Escapes::Short };
        }
        Ok(end)
    }

    /// Reads a run of letters, digits, `+`, `-` and `.` and judges it as a whole.
    #[inline(never)]
    fn word(&mut self, at: usize, lead: Gap) -> Result<usize, Fault> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let mut length = 0;
        while let Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.') =
            rest.get(length)
        {
            length += 1;
        }
        let kind = match rest.get(..length).unwrap_or_default() {
            [] => return Err(self.character(at, Place::Value)),
            b"null" => Kind::Null,
            b"true" | b"false" => Kind::Bool,
            word if literal::is_number(word) => Kind::Number,
            _ => return Err(fault(at, at + length, Problem::Literal)),
        };
        Ok(self.push(at, at + length, kind, lead))
    }

    /// Skips white space and comments. A slash that starts no comment is left.
    #[inline(always)]
    fn skip_extra(&mut self, bytes: &[u8], at: usize) -> Result<(usize, Gap), Fault> {
        // Nearly everywhere there is none, or one blank.
        let (behind, gap) = match bytes.get(at) {
            Some(b' ') => (at + 1, Gap::BLANK),
            _ => (at, Gap::NONE),
        };
        match bytes.get(behind) {
            Some(..=b' ' | b'/') => self.skip_long_extra(at),
            _ => Ok((behind, gap)),
        }
    }

    #[inline(never)]
    fn skip_long_extra(&mut self, mut at: usize) -> Result<(usize, Gap), Fault> {
        let start = at;
        let (mut breaks, mut commented) = (0, false);
        loop {
            match self.bytes.get(at) {
                Some(b' ' | b'\t' | b'\r') => at += 1,
                Some(b'\n') => {
                    breaks += 1;
                    at += 1;
                    at += blanks(self.bytes.get(at..).unwrap_or_default());
                }
                Some(b'/') => match self.comment(at)? {
                    end if end == at => break,
                    end => {
                        if INDEX {
                            breaks += self.line_feeds(at, end);
                        } else {
                            self.beyond_json.extend([at as u32, end as u32]);
                        }
                        commented = true;
                        at = end;
                    }
                },
                _ => break,
            }
        }
        Ok((at, Gap::new(at > start, breaks, commented)))
    }

    fn line_feeds(&self, start: usize, end: usize) -> usize {
        let comment = self.bytes.get(start..end).unwrap_or_default();
        comment.iter().filter(|byte| **byte == b'\n').count()
    }

    /// The end of the comment that starts here, or this place if none does.
    fn comment(&self, at: usize) -> Result<usize, Fault> {
        let unfinished = match self.bytes.get(at + 1) {
            Some(b'/') => Unfinished::LineComment,
            Some(b'*') => Unfinished::BlockComment,
            _ => return Ok(at),
        };
        let open = fault(at, at + 2, Problem::Eof(unfinished));
        comment_end(self.bytes, at).ok_or(open)
    }

    /// The character at this position is not allowed here.
    #[cold]
    fn character(&self, at: usize, place: Place) -> Fault {
        let rest = self.text.get(at..).unwrap_or_default();
        let length = rest.chars().next().map_or(0, char::len_utf8);
        fault(at, at + length, Problem::Character(place))
    }
}

/// How many blanks the bytes begin with: usually indentation. Eight are read at a time.
#[inline(always)]
fn blanks(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks();
    let mut length = 0;
    for word in words {
        let others = u64::from_le_bytes(*word) ^ u64::from_le_bytes([b' '; 8]);
        if others != 0 {
            return length + others.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    length + rest.iter().take_while(|byte| **byte == b' ').count()
}

fn fault(start: usize, end: usize, problem: Problem) -> Fault {
    Fault {
        start,
        end,
        problem,
    }
}
