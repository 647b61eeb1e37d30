//! The scan for comments and trailing commas, 64 bytes at a time.
//!
//! It knows just enough of the grammar to find them. What it leaves is JSON if and only if the
//! text was HuJSON, so a strict JSON parser (in JavaScript `JSON.parse`) must judge the rest:
//! it leaves a comma that no value precedes, or that another comma follows, for that to refuse.
//! Must not live here: positions and wording of errors (`parse`).

use memchr::{memchr, memchr_iter};

use super::MAX_DEPTH;
use super::lanes;
use super::marks::Marks;

/// What the scan found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blanked {
    /// Nothing to blank: the text is JSON or invalid.
    Nothing,
    /// Something was blanked: what is left is JSON or invalid.
    Something,
    /// Not HuJSON: an unclosed comment, a stray slash, or nested too deep.
    Refused,
}

/// Turns every byte of comments and every trailing comma into a blank, except CR, LF and tab.
/// Leaves a text that it refuses unchanged.
pub fn blank(bytes: &mut [u8]) -> Blanked {
    let Some(cuts) = scan(bytes) else {
        return Blanked::Refused;
    };
    blank_ranges(bytes, &cuts);
    if cuts.is_empty() {
        Blanked::Nothing
    } else {
        Blanked::Something
    }
}

/// Blanks these ranges, start and end in turn, except CR, LF and tab in them.
pub(super) fn blank_ranges(bytes: &mut [u8], ranges: &[u32]) {
    let (ranges, _) = ranges.as_chunks();
    for &[start, end] in ranges {
        let Some(range) = bytes.get_mut(start as usize..end as usize) else {
            continue;
        };
        for byte in range {
            let space = matches!(*byte, b'\n' | b'\r' | b'\t');
            *byte = if space { *byte } else { b' ' };
        }
    }
}

/// Where to cut the text to remove comments and trailing commas, with some white space: start and
/// end of each cut in turn, in order. What is left, put together, is JSON if and only if the text
/// was HuJSON. None if it is not: an unclosed comment, a stray slash, or nested too deep.
///
/// The bytes may be any encoding with one byte for each unit of a text, ASCII as itself and everything
/// else as any byte from `0x80` on.
pub fn cuts(bytes: &[u8]) -> Option<Vec<u32>> {
    let cuts = scan(bytes)?;
    let (ranges, _) = cuts.as_chunks();
    for &[start, end] in ranges {
        let before = bytes.get(..start as usize)?.last();
        let behind = bytes.get(end as usize);
        // Two words separated only by a comment must not become one; side by side they are not HuJSON.
        if !parts_words(before) && !parts_words(behind) {
            return None;
        }
    }
    Some(cuts)
}

/// Makes these [`cuts`] and moves the rest together; returns its length. None if the text is not
/// HuJSON, so that there are no cuts.
pub fn squeeze(bytes: &mut [u8]) -> Option<usize> {
    let mut cuts = cuts(bytes)?;
    cuts.extend([bytes.len() as u32; 2]);
    let (mut to, mut from) = (0, 0);
    for &[start, end] in cuts.as_chunks().0 {
        let kept = from..start as usize;
        let length = kept.len();
        // INVARIANT: cuts are in order and inside the text, and no more is kept than was read.
        bytes.copy_within(kept, to);
        to += length;
        from = end as usize;
    }
    Some(to)
}

#[inline(always)]
fn parts_words(byte: Option<&u8>) -> bool {
    matches!(
        byte,
        None | Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"')
    )
}

/// The cuts of trailing commas and comments, in order; neighbours with only space between are one.
fn scan(bytes: &[u8]) -> Option<Vec<u32>> {
    u32::try_from(bytes.len()).ok()?;
    let mut scan = Scan {
        bytes,
        // Room for the cuts of a short text, which else move several times as they grow: a fiftieth of `hujson.parse`.
        cuts: Vec::with_capacity((bytes.len() / 16).min(ROOM)),
        in_string: false,
        before: b',',
        comma: None,
        depth: 0,
    };
    scan.run()?;
    Some(scan.cuts)
}

/// For how many numbers `cuts` has room from the start, at most.
const ROOM: usize = 4096;

struct Scan<'b> {
    bytes: &'b [u8],
    cuts: Vec<u32>,
    /// Whether the next block starts inside a string.
    in_string: bool,
    /// The last significant byte so far; a comma at the start, where there is no value before either.
    before: u8,
    /// A comma that only extra has followed so far.
    comma: Option<Comma>,
    depth: usize,
}

/// A comma after a value.
struct Comma {
    at: usize,
    /// How many numbers `cuts` held then.
    cuts: usize,
}

/// What a block holds outside strings, up to its end or to the first comment.
struct Code {
    mask: u64,
    /// Where in the block a comment starts.
    comment: Option<usize>,
}

impl Scan<'_> {
    /// Nothing when the text is refused.
    fn run(&mut self) -> Option<()> {
        let mut base = 0;
        while base < self.bytes.len() {
            let padded;
            let rest = self.bytes.get(base..)?;
            let block = match rest.first_chunk() {
                Some(block) => block,
                None => {
                    padded = pad(rest);
                    &padded
                }
            };
            base = self.block(base, &lanes::marks(block))?;
        }
        Some(())
    }

    /// Scans a block, and returns where the next one starts: after it and what its last byte escapes, or after a
    /// comment that goes on beyond it.
    #[inline(always)]
    fn block(&mut self, base: usize, marks: &Marks) -> Option<usize> {
        // A backslash in a comment takes what is the comment's own, or the line feed behind it.
        let (escaped, skipped) = escaped(marks.backslashes);
        let quotes = marks.quotes & !escaped;
        let mut rest = u64::MAX;
        loop {
            let code = self.code(quotes & rest, marks.slashes & rest);
            let mask = code.mask & rest;
            self.nest(mask & marks.openers, mask & marks.closers)?;
            self.trail(base, mask, marks)?;
            let Some(start) = code.comment else {
                return Some(base + 64 + usize::from(skipped));
            };
            let end = self.comment(base + start)?;
            match end - base {
                inside @ ..64 => rest = u64::MAX << inside,
                _ => return Some(end),
            }
        }
    }

    /// Tells code from strings, up to the first comment.
    #[inline(always)]
    fn code(&mut self, quotes: u64, slashes: u64) -> Code {
        let strings = between_pairs(quotes) ^ if self.in_string { u64::MAX } else { 0 };
        let comments = slashes & !strings;
        let code = !strings | quotes;
        if comments == 0 {
            self.in_string = strings >> 63 == 1;
            return Code {
                mask: code,
                comment: None,
            };
        }
        self.in_string = false;
        let start = next(comments);
        Code {
            mask: code & ((1 << start) - 1),
            comment: Some(start),
        }
    }

    /// Cuts out the comment that starts here, with the white space before it, and returns where it ends.
    fn comment(&mut self, start: usize) -> Option<usize> {
        let end = comment_end(self.bytes, start)?;
        let floor = self.cuts.last().map_or(0, |&end| end as usize);
        let start = floor + length_without_space(self.bytes.get(floor..start)?);
        match self.cuts.last_mut() {
            Some(last) if start == floor => *last = end as u32,
            _ => self.add_cut(start as u32, end as u32),
        }
        Some(end)
    }

    /// Keeps count of the depth: bracket by bracket only where the limit may be passed.
    #[inline(always)]
    fn nest(&mut self, openers: u64, closers: u64) -> Option<()> {
        let opened = openers.count_ones() as usize;
        if self.depth + opened <= MAX_DEPTH {
            self.depth = (self.depth + opened).checked_sub(closers.count_ones() as usize)?;
            return Some(());
        }
        self.nest_one_by_one(openers, closers)
    }

    #[cold]
    fn nest_one_by_one(&mut self, openers: u64, closers: u64) -> Option<()> {
        let mut brackets = openers | closers;
        while brackets != 0 {
            self.depth = match bit(openers, next(brackets)) {
                true => self.depth + 1,
                false => self.depth.checked_sub(1)?,
            };
            if self.depth > MAX_DEPTH {
                return None;
            }
            brackets &= brackets - 1;
        }
        Some(())
    }

    /// Cuts out each comma of the block whose next significant byte is a closing bracket, unless
    /// no value precedes it: the judge must refuse that.
    #[inline(always)]
    fn trail(&mut self, base: usize, code: u64, marks: &Marks) -> Option<()> {
        let significant = code & !marks.blanks;
        let closers = marks.closers;
        if significant == 0 {
            return Some(());
        }
        if let Some(comma) = self.comma.take()
            && bit(closers, next(significant))
        {
            self.cut(comma)?;
        }
        let commas = marks.commas & significant;
        // Adding the byte behind each comma to the gaps carries through the gap it starts: what
        // comes out on the far side is the first significant byte.
        let behind = commas << 1;
        let follows = behind | (behind & !significant).wrapping_add(!significant);
        let mut ends = follows & significant & closers;
        while ends != 0 {
            let place = last(commas & (ends - 1) & !ends);
            if let Some(comma) = self.behind_value(base, place, significant)? {
                self.cut(comma)?;
            }
            ends &= ends - 1;
        }
        let end = last(significant);
        if bit(commas, end) {
            self.comma = self.behind_value(base, end, significant)?;
        }
        self.before = *self.bytes.get(base + end)?;
        Some(())
    }

    /// The comma at this position of the block, if a value precedes it.
    #[inline(always)]
    fn behind_value(&self, base: usize, place: usize, significant: u64) -> Option<Option<Comma>> {
        let earlier = significant & ((1 << place) - 1);
        let before = match earlier {
            0 => self.before,
            _ => *self.bytes.get(base + last(earlier))?,
        };
        let comma = Comma {
            at: base + place,
            cuts: self.cuts.len(),
        };
        Some((!matches!(before, b'[' | b'{' | b',' | b':')).then_some(comma))
    }

    /// Cuts out a comma; also all comments after it, which were cut out before it.
    fn cut(&mut self, comma: Comma) -> Option<()> {
        let at = comma.at as u32;
        match self.cuts.get_mut(comma.cuts) {
            None => self.add_cut(at, at + 1),
            Some(start) if *start == at + 1 => *start = at,
            // Something other than white space is between comma and comment.
            Some(_) => return None,
        }
        Some(())
    }

    /// One number at a time, which is inlined; every other block has a cut.
    #[inline(always)]
    fn add_cut(&mut self, start: u32, end: u32) {
        self.cuts.push(start);
        self.cuts.push(end);
    }
}

/// How long this is without the space at its end.
#[inline(always)]
fn length_without_space(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let [front @ .., b' ' | b'\t' | b'\r' | b'\n'] = rest {
        rest = front;
    }
    rest.len()
}

/// The end of the comment that starts with the slash at `start`: at the LF of a line comment,
/// after the mark that closes a block comment. None if there is no such end, or no comment.
pub(super) fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let inside = bytes.get(start + 2..)?;
    let length = match bytes.get(start + 1)? {
        b'/' => memchr(b'\n', inside)?,
        b'*' => {
            let closes = |&slash: &usize| slash > 0 && inside.get(slash - 1) == Some(&b'*');
            memchr_iter(b'/', inside).find(closes)? + 1
        }
        _ => return None,
    };
    Some(start + 2 + length)
}

/// The last bytes of a text, filled up with blanks.
fn pad(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    for (to, from) in block.iter_mut().zip(rest) {
        *to = *from;
    }
    block
}

/// Which bytes a backslash takes the meaning of, and whether the first of the next block is one.
#[inline(always)]
fn escaped(mut backslashes: u64) -> (u64, bool) {
    let mut escaped = 0;
    while backslashes != 0 {
        let at = next(backslashes);
        if at == 63 {
            return (escaped, true);
        }
        escaped |= 2 << at;
        backslashes &= !(3 << at);
    }
    (escaped, false)
}

/// The bits from the first of each pair up to the second, which is left out.
#[inline(always)]
fn between_pairs(mut marks: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        marks ^= marks << shift;
    }
    marks
}

/// The place of the lowest bit; 64 when there is none.
#[inline(always)]
fn next(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

/// The place of the highest bit; 0 when there is none.
#[inline(always)]
fn last(mask: u64) -> usize {
    63_usize.saturating_sub(mask.leading_zeros() as usize)
}

#[inline(always)]
fn bit(mask: u64, at: usize) -> bool {
    at < 64 && mask >> at & 1 == 1
}
