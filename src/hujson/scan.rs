//! The blanking scan: comments and trailing commas become blanks, 64 bytes at a time.
//!
//! It knows just enough of the grammar to find them. What it leaves is JSON if and only if the
//! text was HuJSON, so a strict JSON parser (in JavaScript `JSON.parse`) must judge the rest:
//! a comma that nothing stands before, or that another one follows, is left for it to refuse.
//! Must not live here: positions and wording of errors (`parse`).

use memchr::{memchr, memchr_iter};

use super::MAX_DEPTH;
use super::lanes;

/// What the scan found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blanked {
    /// Nothing to blank: the text is JSON or nothing.
    Nothing,
    /// Something was blanked: what is left is JSON or nothing.
    Something,
    /// No HuJSON: an unclosed comment, a stray slash, or nested too deep.
    Refused,
}

/// Turns every byte of comments and every trailing comma into a blank, save CR, LF and tab.
/// When it refuses, what became of the bytes is of no use.
pub fn blank(bytes: &mut [u8]) -> Blanked {
    let mut scan = Scan {
        bytes,
        changed: false,
        in_string: false,
        comma: None,
        depth: 0,
    };
    match scan.run() {
        None => Blanked::Refused,
        Some(()) if scan.changed => Blanked::Something,
        Some(()) => Blanked::Nothing,
    }
}

struct Scan<'b> {
    bytes: &'b mut [u8],
    changed: bool,
    /// Whether the next block starts inside a string.
    in_string: bool,
    /// The place of a comma that only extra has followed so far.
    comma: Option<usize>,
    depth: usize,
}

/// Which of 64 bytes are what, one bit a byte.
pub(super) struct Marks {
    pub quotes: u64,
    pub slashes: u64,
    pub backslashes: u64,
    pub commas: u64,
    pub openers: u64,
    pub closers: u64,
    /// Blanks and controls.
    pub blanks: u64,
}

/// The bits of one block: what stands outside strings and comments, and where the next begins.
struct Code {
    mask: u64,
    next: usize,
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
            let marks = lanes::marks(block);
            let code = self.code(base, &marks)?;
            self.nest(code.mask & marks.openers, code.mask & marks.closers)?;
            self.trail(base, code.mask, &marks)?;
            base = code.next;
        }
        Some(())
    }

    /// Tells code from strings. A comment cuts the block off: it is blanked, and the next block
    /// starts behind it.
    fn code(&mut self, base: usize, marks: &Marks) -> Option<Code> {
        let (escaped, skipped) = escaped(marks.backslashes);
        let quotes = marks.quotes & !escaped;
        let strings = between_pairs(quotes) ^ if self.in_string { u64::MAX } else { 0 };
        let comments = marks.slashes & !strings;
        if comments == 0 {
            self.in_string = strings >> 63 == 1;
            return Some(Code {
                mask: !strings | quotes,
                next: base + 64 + usize::from(skipped),
            });
        }
        self.in_string = false;
        let start = next(comments);
        Some(Code {
            mask: (!strings | quotes) & ((1 << start) - 1),
            next: self.comment(base + start)?,
        })
    }

    /// Blanks the comment that starts here and tells where it ends.
    fn comment(&mut self, start: usize) -> Option<usize> {
        let end = comment_end(self.bytes, start)?;
        for byte in self.bytes.get_mut(start..end)? {
            *byte = match byte {
                b'\n' | b'\r' | b'\t' => *byte,
                _ => b' ',
            };
        }
        self.changed = true;
        Some(end)
    }

    /// Keeps count of the depth: bracket by bracket only where the limit may be passed.
    fn nest(&mut self, openers: u64, closers: u64) -> Option<()> {
        let opened = openers.count_ones() as usize;
        if self.depth + opened <= MAX_DEPTH {
            self.depth = (self.depth + opened).checked_sub(closers.count_ones() as usize)?;
            return Some(());
        }
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

    /// Blanks each comma of the block whose next significant byte is a closing bracket.
    fn trail(&mut self, base: usize, code: u64, marks: &Marks) -> Option<()> {
        let significant = code & !marks.blanks;
        let closers = marks.closers;
        if significant == 0 {
            return Some(());
        }
        if let Some(comma) = self.comma.take()
            && bit(closers, next(significant))
        {
            self.blank_comma(comma)?;
        }
        let commas = marks.commas & significant;
        // Adding the byte behind each comma to the gaps carries through the gap it starts: what
        // comes out on the far side is the first significant byte.
        let behind = commas << 1;
        let follows = behind | (behind & !significant).wrapping_add(!significant);
        let mut ends = follows & significant & closers;
        while ends != 0 {
            let before = commas & (ends - 1) & !ends;
            self.blank_comma(base + last(before))?;
            ends &= ends - 1;
        }
        if bit(commas, last(significant)) {
            self.comma = Some(base + last(significant));
        }
        Some(())
    }

    /// Blanks a comma, unless no value stands before it: that is for the judge to refuse.
    fn blank_comma(&mut self, at: usize) -> Option<()> {
        let before = self.bytes.get(..at)?.iter().rfind(|&&byte| byte > b' ');
        if !matches!(before, None | Some(b'[' | b'{' | b',' | b':')) {
            *self.bytes.get_mut(at)? = b' ';
            self.changed = true;
        }
        Some(())
    }
}

/// The end of the comment that starts with the slash at `start`: at the LF of a line comment,
/// behind the mark that closes a block comment. Nothing when there is no such end, or no comment.
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
fn between_pairs(mut marks: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        marks ^= marks << shift;
    }
    marks
}

/// The place of the lowest bit; 64 when there is none.
fn next(mask: u64) -> usize {
    mask.trailing_zeros() as usize
}

/// The place of the highest bit; 0 when there is none.
fn last(mask: u64) -> usize {
    63_usize.saturating_sub(mask.leading_zeros() as usize)
}

fn bit(mask: u64, at: usize) -> bool {
    at < 64 && mask >> at & 1 == 1
}
