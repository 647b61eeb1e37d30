//! Extra: the white space and comments between two tokens, found and measured.
//!
//! Must not live here: how extra is laid out (`format`) or which value it belongs to (`patch`).

use std::borrow::Cow;

use memchr::memchr;

use super::Value;
use super::gap::Gap;
use super::scan::comment_end;

/// A range of extra in a text that has been parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    start: u32,
    end: u32,
    /// How many line feeds there are, including those inside comments; three stands for three or more.
    pub breaks: u32,
    /// Whether there is anything but white space.
    pub commented: bool,
}

/// How long something is when written: its first and its last line, in bytes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lines {
    pub first: usize,
    pub last: usize,
    /// If false, both lengths are those of the same line.
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
    /// A run of blanks, tabs, carriage returns and line feeds.
    Space(&'t str),
    /// From `//` up to the line feed, which belongs to the white space after it.
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

    /// The extra that starts at this byte, up to the next thing that is not extra. A text that has been
    /// parsed is shorter than 4 GiB.
    pub fn at(text: &str, start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let (mut end, mut breaks, mut commented) = (start, 0, false);
        for token in Tokens(rest) {
            end += token.text().len();
            breaks += token.text().bytes().filter(|byte| *byte == b'\n').count();
            commented |= !matches!(token, Token::Space(_));
        }
        Self::known(start, end, Gap::new(end > start, breaks, commented))
    }

    /// The extra between a value and the colon or comma after it; empty if neither follows.
    #[inline(always)]
    pub fn behind(text: &str, value: Value<'_>) -> Self {
        let (end, gap) = (value.span().end, value.gaps().behind());
        if gap.is_empty() {
            return Self::known(end, end, gap);
        }
        Self::at(text, end)
    }

    /// The extra from one byte to another, which the parser has looked at.
    #[inline(always)]
    pub fn known(start: usize, end: usize, gap: Gap) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
            breaks: gap.breaks(),
            commented: gap.commented(),
        }
    }

    /// The byte after it.
    #[inline(always)]
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The bytes, possibly none.
    pub fn raw(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// The same, or nothing if there is only white space.
    #[inline(always)]
    pub fn comments_only(self) -> Self {
        if self.commented { self } else { Self::NONE }
    }

    /// The line lengths that this becomes: comments with a blank before each, and one
    /// after a block comment that nothing follows. Lines in between are not measured.
    #[inline(always)]
    pub fn lines(self, text: &str) -> Lines {
        let several = self.breaks > 0;
        let mut lines = Lines {
            several,
            ..Lines::default()
        };
        if self.commented {
            let raw = self.raw(text);
            let bytes = raw.as_bytes();
            let first = bytes.iter().position(|byte| *byte == b'\n');
            let last = bytes.iter().rposition(|byte| *byte == b'\n');
            lines.first = width(raw.get(..first.unwrap_or(raw.len())).unwrap_or_default());
            lines.last = match last {
                Some(at) => width(raw.get(at + 1..).unwrap_or_default()),
                None => lines.first,
            };
        }
        lines
    }
}

/// The width of the comments on one line, which may cut off a block comment at either end.
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

/// The pieces of extra, up to the first thing that is not extra.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'t>(pub &'t str);

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let text = self.0;
        let bytes = text.as_bytes();
        let mut space = 0;
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(space) {
            space += 1;
        }
        let (length, token): (_, fn(&'t str) -> Token<'t>) = if space > 0 {
            (space, Token::Space)
        } else if text.starts_with("//") {
            (memchr(b'\n', bytes).unwrap_or(text.len()), Token::Line)
        } else if text.starts_with("/*") {
            (comment_end(bytes, 0).unwrap_or(text.len()), Token::Block)
        } else {
            return None;
        };
        let (piece, rest) = text.split_at_checked(length)?;
        self.0 = rest;
        Some(token(piece))
    }
}

/// Whether HuJSON counts the character as white space.
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

/// What both start with, cut at a character boundary.
pub(super) fn common_start<'t>(one: &'t str, other: &str) -> &'t str {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let length = same.map(|(character, _)| character.len_utf8()).sum();
    one.get(..length).unwrap_or_default()
}
