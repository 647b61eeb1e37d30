//! A text cut into tokens: strings by the parts in them, and everything between them.
//! Must not live here: the parts of a string (`language::pieces`).

use crate::hujson::{Span, Tolerant, tolerant};
use crate::policy::language::content::StringRole;
use crate::policy::language::pieces::each_piece;
use crate::policy::language::places::{StringPlace, walk_in};
use crate::policy::language::text::PolicyText;
use crate::tables::find::find;

use super::answer::{PlainToken, TextRange, Token, TokenType};

/// The tokens of a text, ascending, without overlaps; for a range, those that touch it.
#[inline(never)]
pub fn tokens<'t>(text: impl Into<PolicyText<'t>>, range: Option<TextRange>) -> Vec<Token> {
    let PolicyText { text, dialect } = text.into();
    let read = tolerant(text);
    let range = range.unwrap_or(TextRange {
        from: 0,
        to: text.len(),
    });
    let mut cutter = Cutter {
        text,
        at: read.document.token_start(range.from),
        range,
        found: Vec::new(),
    };
    let mut is_seen = |span: Span| range.touches(span);
    walk_in(&read.document, dialect, &mut is_seen, &mut |place, _| {
        cutter.place(place);
    });
    cutter.between(text.len());
    cutter.found
}

/// The comments of a text, in order: they begin at a comment mark outside a string.
pub(super) fn comments(read: &Tolerant<'_>) -> Vec<Span> {
    let bytes = read.document.text().as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..)
        && let Some(slash) = memchr::memchr(b'/', rest)
    {
        let (start, rest) = (at + slash, rest.get(slash..).unwrap_or_default());
        at = start + 1;
        if !matches!(rest, [_, b'/' | b'*', ..]) {
            continue;
        }
        if let Some(string) = read.document.string_over(start) {
            at = string.end;
            continue;
        }
        let end = start + comment(rest);
        found.push(Span { start, end });
        at = end;
    }
    found
}

/// Whether a range without strings ends inside a comment.
pub(super) fn ends_in_comment(text: &str, from: usize, to: usize) -> bool {
    let last = TokenGap::of(text, from, to).last();
    last.is_some_and(|(kind, start, end)| {
        let comment = text.get(start..end).unwrap_or_default();
        let is_closed = comment.starts_with("/*") && comment.len() > 3 && comment.ends_with("*/");
        kind == PlainToken::Comment && end == to && !is_closed
    })
}

/// The first byte from a place on that is not space and not in a comment.
pub(super) fn significant(text: &str, at: usize) -> Option<u8> {
    let mut rest = text.get(at..)?;
    loop {
        rest = rest.trim_start();
        if !rest.starts_with("//") && !rest.starts_with("/*") {
            return rest.bytes().next();
        }
        rest = rest.get(comment(rest.as_bytes())..)?;
    }
}

struct Cutter<'t> {
    text: &'t str,
    /// Where the last string ends.
    at: usize,
    range: TextRange,
    found: Vec<Token>,
}

impl Cutter<'_> {
    #[inline(always)]
    fn add(&mut self, from: usize, to: usize, kind: TokenType, definition: bool) {
        if from < to && from <= self.range.to && to >= self.range.from {
            self.found.push(Token {
                from,
                to,
                kind,
                definition,
            });
        }
    }

    #[inline(always)]
    fn plain(&mut self, from: usize, to: usize, kind: PlainToken) {
        self.add(from, to, TokenType::Plain(kind), false);
    }

    /// Adds the tokens between the last string and this place, as far as they are in the range.
    fn between(&mut self, to: usize) {
        for (kind, start, end) in TokenGap::of(self.text, self.at, to) {
            if start > self.range.to {
                break;
            }
            self.plain(start, end, kind);
        }
        self.at = to;
    }

    fn place(&mut self, place: StringPlace<'_>) {
        let span = place.value.span();
        if span.start < self.at {
            return;
        }
        self.between(span.start);
        self.at = span.end;
        // Strings outside the range are not cut into parts.
        if !self.range.touches(span) {
            return;
        }
        if place.is_name && matches!(place.role, StringRole::Key | StringRole::Other) {
            return self.plain(span.start, span.end, PlainToken::Key);
        }
        if !place.value.raw().starts_with('"') {
            return self.plain(span.start, span.end, PlainToken::Invalid);
        }
        let mut at = span.start;
        each_piece(place.value, place.role, &mut |piece| {
            let kind = TokenType::from(piece.kind);
            if kind != TokenType::Plain(PlainToken::String) {
                self.plain(at, piece.span.start, PlainToken::String);
                self.add(piece.span.start, piece.span.end, kind, place.defines());
                at = piece.span.end;
            }
        });
        self.plain(at, span.end, PlainToken::String);
    }
}

/// What stands in a stretch without strings: kind, start and end of each.
struct TokenGap<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> TokenGap<'t> {
    #[inline(always)]
    fn of(text: &'t str, from: usize, to: usize) -> TokenGap<'t> {
        let bytes = text.as_bytes().get(..to).unwrap_or_default();
        TokenGap { bytes, at: from }
    }
}

impl Iterator for TokenGap<'_> {
    type Item = (PlainToken, usize, usize);

    // Nearly every one is a bracket, a comma or a colon, behind a blank or right there: two of three tokens of a policy.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.bytes.get(self.at) {
            self.at += 1;
        }
        let start = self.at;
        let (kind, length) = match self.bytes.get(start)? {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => (PlainToken::Punctuation, 1),
            _ => comment_or_word(self.bytes.get(start..)?),
        };
        self.at += length;
        Some((kind, start, self.at))
    }
}

#[inline(never)]
fn comment_or_word(rest: &[u8]) -> (PlainToken, usize) {
    match rest {
        [b'/', b'/' | b'*', ..] => (PlainToken::Comment, comment(rest)),
        _ => word(rest),
    }
}

fn comment(rest: &[u8]) -> usize {
    let inside = rest.get(2..).unwrap_or_default();
    let end = match rest.get(1) {
        Some(b'/') => memchr::memchr(b'\n', inside),
        _ => find(inside, b"*/").map(|at| at + 2),
    };
    2 + end.unwrap_or(inside.len())
}

fn word(rest: &[u8]) -> (PlainToken, usize) {
    let ends = |byte: &u8| {
        matches!(
            byte,
            0..=b' ' | b'{' | b'}' | b'[' | b']' | b',' | b':' | b'/'
        )
    };
    let length = rest.iter().position(ends).unwrap_or(rest.len()).max(1);
    let kind = match rest.get(..length).unwrap_or_default() {
        b"true" | b"false" | b"null" => PlainToken::Literal,
        [b'-' | b'0'..=b'9', ..] => PlainToken::Number,
        _ => PlainToken::Invalid,
    };
    (kind, length)
}
