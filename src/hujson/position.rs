//! Positions in a text: line, column and UTF-16 offset of a byte.
//!
//! Must not live here: what is there, messages.

use super::Span;

/// How many bytes are between two marks of a [`Locator`]: the most that one look-up reads.
const STRIDE: usize = 1024;

/// A position in a text, as people and editors count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// 1-based; only LF ends a line.
    pub line: usize,
    /// 1-based; counts bytes of UTF-8 since the last LF, as the HuJSON reference does.
    pub column: usize,
    /// 0-based; counts UTF-16 units since the start of the text.
    pub offset: usize,
}

impl Position {
    /// The position of the byte at `at`; past the end, that of the end. Reads the whole text before it.
    pub fn of(text: &str, at: usize) -> Self {
        let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
        Mark::START.after(before, 0).position(before.len())
    }
}

/// The byte at which the UTF-16 unit `offset` starts (for the second half of a pair: its
/// character); the length of the text if `offset` is its end, none if it is further.
pub fn byte_offset(text: &str, offset: usize) -> Option<usize> {
    let mut seen = 0;
    for (at, character) in text.char_indices() {
        let next = seen + character.len_utf16();
        if offset < next {
            return Some(at);
        }
        seen = next;
    }
    (offset == seen).then_some(text.len())
}

/// Finds the positions of many bytes of one text: reads it once, then at most a kibibyte per look-up.
#[derive(Debug)]
pub struct Locator<'t> {
    text: &'t str,
    marks: Vec<Mark>,
}

impl<'t> Locator<'t> {
    /// Reads the text once.
    pub fn new(text: &'t str) -> Self {
        let mut mark = Mark::START;
        let mut marks = vec![mark];
        for (index, chunk) in text.as_bytes().chunks_exact(STRIDE).enumerate() {
            mark = mark.after(chunk, index * STRIDE);
            marks.push(mark);
        }
        Self { text, marks }
    }

    /// The position of the byte at `at`; past the end, that of the end.
    pub fn locate(&self, at: usize) -> Position {
        let at = at.min(self.text.len());
        let index = at / STRIDE;
        let start = index * STRIDE;
        let mark = self.marks.get(index).copied().unwrap_or(Mark::START);
        let between = self.text.as_bytes().get(start..at).unwrap_or_default();
        mark.after(between, start).position(at)
    }

    /// As [`byte_offset`].
    pub fn byte_at(&self, offset: usize) -> Option<usize> {
        let before = self.marks.partition_point(|mark| mark.units <= offset);
        let index = before.saturating_sub(1);
        let seen = self.marks.get(index).map_or(0, |mark| mark.units);
        // A mark inside of a character has counted all of it.
        let start = self.text.ceil_char_boundary(index * STRIDE);
        let rest = self.text.get(start..)?;
        byte_offset(rest, offset - seen).map(|at| start + at)
    }

    /// How many UTF-16 units are in the span.
    pub fn utf16_len(&self, span: Span) -> usize {
        self.locate(span.end)
            .offset
            .saturating_sub(self.locate(span.start).offset)
    }
}

/// Counts the UTF-16 units before many bytes of one text: in one pass before all that ascend, else as a [`Locator`] does.
#[derive(Debug)]
pub struct Units<'t> {
    places: Locator<'t>,
    /// Up to where was counted last, and how many those were.
    at: usize,
    seen: usize,
}

impl<'t> Units<'t> {
    /// Reads the text once.
    pub fn of(text: &'t str) -> Self {
        let places = Locator::new(text);
        Self {
            places,
            at: 0,
            seen: 0,
        }
    }

    /// The units before the byte at `at`; past the end, those of the text.
    pub fn before(&mut self, at: usize) -> usize {
        let at = at.min(self.places.text.len());
        if at < self.at || at - self.at > STRIDE {
            self.seen = self.places.locate(at).offset;
        } else {
            let between = self.places.text.as_bytes().get(self.at..at);
            self.seen += utf16_units(between.unwrap_or_default());
        }
        self.at = at;
        self.seen
    }
}

/// What is known at one byte of the text: lines and units before it, and where its line starts.
#[derive(Clone, Copy, Debug)]
struct Mark {
    lines: usize,
    line_start: usize,
    units: usize,
}

impl Mark {
    const START: Self = Self {
        lines: 0,
        line_start: 0,
        units: 0,
    };

    /// The mark after `bytes`, which start at `start`.
    fn after(self, bytes: &[u8], start: usize) -> Self {
        let (lines, line_start) = match memchr::memrchr(b'\n', bytes) {
            Some(last) => (memchr::memchr_iter(b'\n', bytes).count(), start + last + 1),
            None => (0, self.line_start),
        };
        Self {
            lines: self.lines + lines,
            line_start,
            units: self.units + utf16_units(bytes),
        }
    }

    fn position(self, at: usize) -> Position {
        Position {
            line: self.lines + 1,
            column: at - self.line_start + 1,
            offset: self.units,
        }
    }
}

/// One unit for each byte that starts a character, another for one that needs a pair. Counted in
/// groups whose sum fits a byte, so that vector instructions can.
#[inline(never)]
pub(super) fn utf16_units(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.len();
    }
    let mut units = 0;
    for group in bytes.chunks(64) {
        let mut count = 0;
        for &byte in group {
            count += u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0);
        }
        units += usize::from(count);
    }
    units
}
