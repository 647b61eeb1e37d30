//! Extra: the space and comments between two tokens, found and measured.
//!
//! Must not live here: how extra is laid out (`format`) or whom it belongs to (`patch`).

use std::borrow::Cow;

/// A stretch of extra in a text that has been parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra<'t> {
    /// The bytes, possibly none.
    pub raw: &'t str,
    /// How many line feeds there are, those inside comments included.
    pub breaks: usize,
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

impl<'t> Extra<'t> {
    /// No extra at all.
    pub const NONE: Extra<'static> = Extra {
        raw: "",
        breaks: 0,
        commented: false,
    };

    /// The extra that starts at this byte, up to the next thing that is none.
    pub fn at(text: &'t str, start: usize) -> Self {
        let bytes = text.as_bytes();
        let mut end = start;
        let mut breaks = 0;
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = bytes.get(end) {
            breaks += usize::from(*byte == b'\n');
            end += 1;
        }
        if bytes.get(end) == Some(&b'/') {
            return Self::with_comments(text, start);
        }
        Self {
            raw: text.get(start..end).unwrap_or_default(),
            breaks,
            commented: false,
        }
    }

    #[cold]
    fn with_comments(text: &'t str, start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let behind = Tokens(rest).fold(0, |length, token| length + token.text().len());
        let raw = rest.get(..behind).unwrap_or_default();
        Self {
            raw,
            breaks: raw.bytes().filter(|byte| *byte == b'\n').count(),
            commented: true,
        }
    }

    /// The same, or nothing where there is only space.
    pub fn comments_only(self) -> Self {
        if self.commented { self } else { Self::NONE }
    }

    /// How long the lines are that this becomes: comments with a blank before each, and one
    /// behind a block comment that nothing follows. Of the lines between nothing is said.
    pub fn lines(self) -> Lines {
        let several = self.breaks > 0;
        if !self.commented {
            return Lines {
                several,
                ..Lines::default()
            };
        }
        let first = self.raw.split('\n').next().unwrap_or_default();
        let last = self.raw.rsplit('\n').next().unwrap_or_default();
        Lines {
            first: width(first),
            last: width(last),
            several,
        }
    }
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
        let space = text.len() - text.trim_start_matches(is_space).len();
        let (length, token): (_, fn(&'t str) -> Token<'t>) = if space > 0 {
            (space, Token::Space)
        } else if text.starts_with("//") {
            (text.find('\n').unwrap_or(text.len()), Token::Line)
        } else if let Some(inside) = text.strip_prefix("/*") {
            let closing = inside.find("*/").map(|at| at + "/**/".len());
            (closing.unwrap_or(text.len()), Token::Block)
        } else {
            return None;
        };
        let (piece, rest) = text.split_at_checked(length)?;
        self.0 = rest;
        Some(token(piece))
    }
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
