//! What people paste: JSON5 (bare names, single quotes, hex, line continuations) to HuJSON.
//!
//! The json5 crate judges the text and decodes its strings and names; this file carries each token
//! over, so that comments, the order of members and the digits of numbers stay.
//! Must not live here: writing JSON5. Nothing of it is on the way to the service.

use serde::de::IgnoredAny;

use super::error::{Fault, Part, Place, Problem};
use super::{Error, MAX_DEPTH, byte_offset, quote};
use crate::tables::find::find;

/// HuJSON in canonical layout that says what the JSON5 text says; HuJSON itself is just formatted,
/// unless JSON5 would end one of its comments sooner.
///
/// # Errors
/// The first thing that is no JSON5; a number that JSON cannot hold (`NaN`, `Infinity`); a nesting
/// deeper than [`MAX_DEPTH`].
pub fn from_json5(text: &str) -> Result<String, Error> {
    let formatted = super::format(text);
    if formatted.is_ok() && ends_comments_alike(text) {
        return formatted;
    }
    limit_depth(text)?;
    if let Err(error) = json5::from_str::<IgnoredAny>(text) {
        return formatted.map_err(|_| refused(text, &error));
    }
    let mut writer = Writer::default();
    for token in Tokens::new(text) {
        writer
            .write(&token)
            .map_err(|problem| Error::new(text, token.fault(problem)))?;
    }
    // For a line comment that ends with the text.
    writer.out.push('\n');
    super::format(&writer.out)
}

/// The error of a JSON5 text that was no Unicode: a stray surrogate stood at the UTF-16 `offset`,
/// where the text has U+FFFD now. As for HuJSON, but single quotes and bare names are no fault.
pub fn refuse_surrogate_in_json5(text: &str, offset: usize) -> Error {
    let at = byte_offset(text, offset).unwrap_or(text.len());
    let around = Tokens::new(text).find(|token| at < token.start + token.text.len());
    let (start, part) = match around {
        Some(token) => match token.kind {
            Lexeme::Quoted => (at, Part::String),
            Lexeme::LineComment | Lexeme::BlockComment => (token.start, Part::Comment),
            _ => (at, Part::Code(Place::Value)),
        },
        None => (at, Part::Code(Place::Value)),
    };
    let end = at + char::REPLACEMENT_CHARACTER.len_utf8();
    let problem = Problem::Encoding(part);
    Error::new(
        text,
        Fault {
            start,
            end,
            problem,
        },
    )
}

/// Whether all line comments end at a line feed, as they do in HuJSON.
fn ends_comments_alike(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        let at_feed = tokens.rest.starts_with('\n') || tokens.rest.starts_with("\r\n");
        if matches!(token.kind, Lexeme::LineComment) && !at_feed {
            return false;
        }
    }
    true
}

/// The crate recurses, so this comes first.
fn limit_depth(text: &str) -> Result<(), Error> {
    let mut depth = 0_usize;
    for token in Tokens::new(text) {
        match token.kind {
            Lexeme::Mark('{' | '[') => depth += 1,
            Lexeme::Mark('}' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(Error::new(text, token.fault(Problem::Depth)));
        }
    }
    Ok(())
}

/// The crate's error at the byte that it counted in lines and characters of its own.
fn refused(text: &str, error: &json5::Error) -> Error {
    let reason = match error.code() {
        Some(code) => code.to_string(),
        None => "invalid number".to_owned(),
    };
    let at = match error.position() {
        Some(place) if !reason.starts_with("EOF") => byte_of(text, place),
        _ => text.len(),
    };
    Error::of_dialect(text, at, reason)
}

fn byte_of(text: &str, place: json5::Position) -> usize {
    let mut line = 0;
    let mut column = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if (line, column) == (place.line, place.column) {
            return at;
        }
        column += 1;
        if ends_line(character) {
            characters.next_if(|&(_, next)| character == '\r' && next == '\n');
            (line, column) = (line + 1, 0);
        }
    }
    text.len()
}

fn ends_line(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// A piece of the text, with its first byte.
struct Token<'t> {
    start: usize,
    text: &'t str,
    kind: Lexeme,
}

#[derive(Clone, Copy)]
enum Lexeme {
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
    fn fault(&self, problem: Problem) -> Fault {
        Fault {
            start: self.start,
            end: self.start + self.text.len(),
            problem,
        }
    }
}

/// Cuts any text into tokens; what they are worth is for the crate to say.
struct Tokens<'t> {
    rest: &'t str,
    start: usize,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Self {
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
fn lexeme(text: &str) -> Option<(Lexeme, usize)> {
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

fn quoted_length(text: &str, quote: char) -> usize {
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

/// Writes tokens as HuJSON.
#[derive(Default)]
struct Writer {
    out: String,
    /// For each open composite whether it is an object.
    open: Vec<bool>,
    /// Whether a bare word here is a name.
    name_next: bool,
}

impl Writer {
    fn write(&mut self, token: &Token<'_>) -> Result<(), Problem> {
        match token.kind {
            Lexeme::Space => self.out.push(' '),
            Lexeme::LineEnd => self.out.push('\n'),
            Lexeme::LineComment | Lexeme::BlockComment => self.out.push_str(token.text),
            Lexeme::Mark(mark) => self.mark(mark),
            Lexeme::Quoted => self.string(json5::from_str(token.text).ok())?,
            Lexeme::Word if self.name_next => self.string(name(token.text))?,
            Lexeme::Word => {
                let literal = literal(token.text).ok_or(Problem::Literal)?;
                self.out.push_str(&literal);
            }
        }
        Ok(())
    }

    fn mark(&mut self, mark: char) {
        self.out.push(mark);
        match mark {
            '{' | '[' => self.open.push(mark == '{'),
            '}' | ']' => drop(self.open.pop()),
            _ => {}
        }
        self.name_next = matches!(mark, '{' | ',') && self.open.last() == Some(&true);
    }

    fn string(&mut self, decoded: Option<String>) -> Result<(), Problem> {
        quote(&decoded.ok_or(Problem::Literal)?, &mut self.out);
        Ok(())
    }
}

/// The name that a bare word stands for.
fn name(word: &str) -> Option<String> {
    // Escapes in names are those of strings, and a name has no quotes.
    json5::from_str(&format!("\"{word}\"")).ok()
}

/// A keyword or number in JSON's spelling; nothing for what JSON cannot hold.
fn literal(word: &str) -> Option<String> {
    let unsigned = word.trim_start_matches(['+', '-']);
    let sign = if word.starts_with('-') { "-" } else { "" };
    match unsigned {
        "Infinity" | "NaN" => return None,
        "null" | "true" | "false" => return Some(word.to_owned()),
        _ => {}
    }
    if let Some(digits) = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X")) {
        return Some(format!("{sign}{}", u128::from_str_radix(digits, 16).ok()?));
    }
    let zero = if unsigned.starts_with('.') { "0" } else { "" };
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => unsigned.split_at_checked(at)?,
        None => (unsigned, ""),
    };
    let mantissa = mantissa.strip_suffix('.').unwrap_or(mantissa);
    Some(format!("{sign}{zero}{mantissa}{exponent}"))
}
