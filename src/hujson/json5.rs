//! What people paste: JSON5 (bare names, single quotes, hex, line continuations) to HuJSON.
//!
//! The text is judged first (`judge`), and the json5 crate decodes its strings and names; this file copies each token, so
//! that comments, the order of members and the digits of numbers are kept.
//! Must not live here: writing JSON5, the layout. None of it is used on the way to the service.

mod judge;
mod tokens;

use std::borrow::Cow;

use super::error::{Fault, Part, Place, Problem};
use super::{Error, MAX_DEPTH, byte_offset, quote};
use judge::{Refusal, judge};
use tokens::{Lexeme, Token, Tokens};

/// HuJSON in canonical layout with the content of the JSON5 text; HuJSON itself is only formatted,
/// unless JSON5 would end one of its comments earlier.
///
/// # Errors
/// The first thing that is not JSON5; a number that JSON cannot hold (`NaN`, `Infinity`); nesting
/// deeper than [`MAX_DEPTH`].
pub fn from_json5(text: &str) -> Result<String, Error> {
    match json5_as_hujson(text)? {
        Some(hujson) => super::format(&hujson),
        None => super::format(text),
    }
}

/// The first half of [`from_json5`] for callers that have the layout elsewhere: HuJSON without layout, or nothing for HuJSON that
/// can be formatted as it is.
///
/// # Errors
/// Those of [`from_json5`].
pub fn json5_as_hujson(text: &str) -> Result<Option<String>, Error> {
    let is_hujson = super::document(text).is_some();
    if is_hujson && ends_comments_alike(text) {
        return Ok(None);
    }
    limit_depth(text)?;
    match judge(text) {
        Err(_) if is_hujson => return Ok(None),
        Err(refusal) => return Err(refused(text, &refusal)),
        Ok(()) => {}
    }
    let mut writer = Writer::default();
    for token in Tokens::new(text) {
        writer
            .write(&token)
            .map_err(|problem| Error::new(text, token.fault(problem)))?;
    }
    // For a line comment that ends with the text.
    writer.out.push('\n');
    Ok(Some(writer.out))
}

/// The error of a JSON5 text that was not valid Unicode: a stray surrogate was at the UTF-16 `offset`,
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
    // All other ends of a line begin with one of these bytes.
    if !text.bytes().any(|byte| matches!(byte, b'\r' | 0xE2)) {
        return true;
    }
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        let at_feed = tokens.rest.starts_with('\n') || tokens.rest.starts_with("\r\n");
        if matches!(token.kind, Lexeme::LineComment) && !at_feed {
            return false;
        }
    }
    true
}

/// The judge recurses, so this is checked first.
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

fn refused(text: &str, refusal: &Refusal) -> Error {
    let reason = match refusal.code {
        Some(code) => code.to_string(),
        None => "invalid number".to_owned(),
    };
    Error::of_dialect(text, refusal.at, reason)
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
            Lexeme::Quoted => self.string(judge::string(token.text).ok())?,
            Lexeme::Word if self.name_next => self.string(judge::name(token.text).ok())?,
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

    fn string(&mut self, decoded: Option<Cow<'_, str>>) -> Result<(), Problem> {
        quote(&decoded.ok_or(Problem::Literal)?, &mut self.out);
        Ok(())
    }
}

/// A keyword or number in JSON's spelling; nothing if JSON cannot hold it.
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
