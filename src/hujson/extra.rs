//! Extra: the space and comments between two tokens, found and measured.
//!
//! Must not live here: how extra is laid out (`format`) or whom it belongs to (`patch`).

use std::borrow::Cow;

/// A stretch of extra in a text that has been parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    start: u32,
    end: u32,
    /// How many line feeds there are, those inside comments included.
    pub breaks: u32,
    /// Whether there is more than space.
    pub commented: bool,
}

/// How long something is when it is written: the first and the last of its lines, in bytes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lines {
    pub first: usize,
    pub last: usize,
    /// False means that both lengths are of one and the same line.
    pub several: bool,
}

impl Lines {
    pub fn one(length: usize) -> Self {
        Self {
            first: length,
            last: length,
            several: false,
        }
    }
}

/// A piece of extra.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// Blanks, tabs, carriage returns and line feeds, as many as stand together.
    Space(&'t str),
    /// From `//` up to the line feed, which is left to the space behind it.
    Line(&'t str),
    /// From `/*` to `*/`.
    Block(&'t str),
}

impl Extra {
    /// No extra at all.
    pub const NONE: Extra = Extra {
        start: 0,
        end: 0,
        breaks: 0,
        commented: false,
    };

    /// The extra that starts at this byte, up to the next thing that is none.
    #[inline(always)]
    pub fn at(text: &str, start: usize) -> Self {
        match text.as_bytes().get(start) {
            Some(b' ' | b'\t' | b'\r' | b'\n' | b'/') => Self::some(text, start),
            _ => Self::between(text, start, start),
        }
    }

    fn some(text: &str, start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let length: usize = Tokens(rest).map(|token| token.text().len()).sum();
        Self::between(text, start, start + length)
    }

    /// The extra from one byte to another, where it is known that there is nothing else. Then a
    /// slash can only belong to a comment. A text that has been parsed is shorter than 4 GiB.
    #[inline(always)]
    pub fn between(text: &str, start: usize, end: usize) -> Self {
        let (words, rest) = (text.as_bytes().get(start..end).unwrap_or_default()).as_chunks();
        let mut breaks = 0;
        let mut commented = false;
        for word in words {
            let word = u64::from_le_bytes(*word);
            breaks += ones(equal_bytes(word, b'\n'));
            commented |= equal_bytes(word, b'/') != 0;
        }
        for byte in rest {
            breaks += u32::from(*byte == b'\n');
            commented |= *byte == b'/';
        }
        Self {
            start: start as u32,
            end: end as u32,
            breaks,
            commented,
        }
    }

    /// The byte behind it.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The bytes, possibly none.
    pub fn raw(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// The same, or nothing where there is only space.
    #[inline(always)]
    pub fn comments_only(self) -> Self {
        if self.commented { self } else { Self::NONE }
    }

    /// How long the lines are that this becomes: comments with a blank before each, and one
    /// behind a block comment that nothing follows. Of the lines between nothing is said.
    #[inline(always)]
    pub fn lines(self, text: &str) -> Lines {
        let several = self.breaks > 0;
        let mut lines = Lines {
            several,
            ..Lines::default()
        };
        if self.commented {
            let raw = self.raw(text);
            lines.first = width(raw.split('\n').next().unwrap_or_default());
            lines.last = width(raw.rsplit('\n').next().unwrap_or_default());
        }
        lines
    }
}

/// How many of the top bits of the eight bytes are set, where no other bit is.
fn ones(tops: u64) -> u32 {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    ((tops >> 7).wrapping_mul(EACH) >> 56) as u32
}

/// The top bit of each of the eight bytes that is this one.
fn equal_bytes(word: u64, byte: u8) -> u64 {
    const LOW: u64 = u64::from_le_bytes([0x7F; 8]);
    let other = word ^ u64::from_le_bytes([byte; 8]);
    // The top bit of each byte becomes 0 where all bits are.
    !(((other & LOW) + LOW) | other | LOW)
}

/// The width of the comments on one line, which may cut a block comment short at either end.
fn width(line: &str) -> usize {
    let mut width = 0;
    for token in Tokens(line) {
        match token {
            Token::Space(_) => {}
            Token::Line(comment) => return width + 1 + comment.len(),
            Token::Block(comment) if Token::closed(comment) => width += 1 + comment.len(),
            Token::Block(comment) => return width + 1 + comment.len(),
        }
    }
    if width > 0 { width + 1 } else { 0 }
}

impl<'t> Token<'t> {
    pub fn text(self) -> &'t str {
        let (Self::Space(text) | Self::Line(text) | Self::Block(text)) = self;
        text
    }

    fn closed(block: &str) -> bool {
        block.len() >= "/**/".len() && block.ends_with("*/")
    }
}

/// The pieces of extra, up to the first thing that is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'t>(pub &'t str);

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let text = self.0;
        let bytes = text.as_bytes();
        let space = bytes
            .iter()
            .take_while(|byte| is_space(char::from(**byte)))
            .count();
        let (length, token): (_, fn(&'t str) -> Token<'t>) = if space > 0 {
            (space, Token::Space)
        } else if text.starts_with("//") {
            (position(bytes, b'\n').unwrap_or(text.len()), Token::Line)
        } else if text.starts_with("/*") {
            (block_length(bytes).unwrap_or(text.len()), Token::Block)
        } else {
            return None;
        };
        let (piece, rest) = text.split_at_checked(length)?;
        self.0 = rest;
        Some(token(piece))
    }
}

fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    bytes.iter().position(|byte| *byte == wanted)
}

/// How long the block comment is that starts here; nothing if it is cut short.
fn block_length(bytes: &[u8]) -> Option<usize> {
    let inside = bytes.get("/*".len()..)?;
    let closing = inside.array_windows().position(|pair| pair == b"*/")?;
    Some(closing + "/**/".len())
}

/// Whether HuJSON counts the character as space.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// The same extra with line feeds for CR LF and LF CR, and a blank for any other CR.
pub(super) fn without_returns(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\r') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut characters = raw.chars().peekable();
    let mut behind_break = false;
    while let Some(character) = characters.next() {
        let before_break = characters.peek() == Some(&'\n');
        match character {
            '\r' if before_break => continue,
            '\r' if behind_break => {}
            '\r' => out.push(' '),
            _ => out.push(character),
        }
        behind_break = character == '\n';
    }
    Cow::Owned(out)
}
