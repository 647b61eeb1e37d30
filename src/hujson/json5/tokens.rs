//! JSON5 cut into tokens. Must not live here: whether they are valid (`judge`).

use crate::hujson::error::{Fault, Problem};
use crate::tables::find::find;

pub fn ends_line(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// A piece of the text, with its first byte.
pub struct Token<'t> {
    pub start: usize,
    pub text: &'t str,
    pub kind: Lexeme,
}

#[derive(Clone, Copy)]
pub enum Lexeme {
    Space,
    LineEnd,
    LineComment,
    BlockComment,
    /// A bracket, colon or comma.
    Mark(char),
    Quoted,
    /// A bare name, a number or a keyword.
    Word,
}

impl Token<'_> {
    pub fn fault(&self, problem: Problem) -> Fault {
        Fault {
            start: self.start,
            end: self.start + self.text.len(),
            problem,
        }
    }
}

/// Cuts any text into tokens; the judge decides whether they are valid.
pub struct Tokens<'t> {
    pub rest: &'t str,
    start: usize,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            rest: text,
            start: 0,
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let (kind, length) = lexeme(self.rest)?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        let start = self.start;
        self.rest = rest;
        self.start += length;
        Some(Token { start, text, kind })
    }
}

/// What the text starts with, and its length in bytes.
pub fn lexeme(text: &str) -> Option<(Lexeme, usize)> {
    let first = text.chars().next()?;
    let up_to = |found: Option<usize>| found.unwrap_or(text.len());
    Some(match first {
        '{' | '}' | '[' | ']' | ':' | ',' => (Lexeme::Mark(first), 1),
        '"' | '\'' => (Lexeme::Quoted, quoted_length(text, first)),
        _ if text.starts_with("//") => (Lexeme::LineComment, up_to(text.find(ends_line))),
        _ if text.starts_with("/*") => {
            let inside = find(text.as_bytes().get(2..)?, b"*/");
            (Lexeme::BlockComment, up_to(inside.map(|at| at + 4)))
        }
        _ if text.starts_with("\r\n") => (Lexeme::LineEnd, 2),
        _ if ends_line(first) => (Lexeme::LineEnd, first.len_utf8()),
        _ if is_space(first) => (Lexeme::Space, first.len_utf8()),
        _ => {
            let ends = |c: char| is_space(c) || ends_line(c) || "{}[]:,\"'/".contains(c);
            let behind = text.char_indices().skip(1).find(|&(_, c)| ends(c));
            (Lexeme::Word, up_to(behind.map(|(at, _)| at)))
        }
    })
}

/// White space of JSON5: that of ECMAScript, which is Unicode's without U+0085 and with the mark.
fn is_space(character: char) -> bool {
    character == '\u{FEFF}' || character != '\u{85}' && character.is_whitespace()
}

pub fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
