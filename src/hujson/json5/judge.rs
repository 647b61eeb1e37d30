//! Whether a text is JSON5, with the messages and positions of the json5 crate. The crate itself reads strings and names. It would
//! read the numbers as floats, which takes 14 KiB (Brotli) of tables and code, so numbers are judged here.
//! Must not live here: what becomes of the text, the depth limit.

use std::borrow::Cow;
use std::fmt;

use json5::ErrorCode;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::tokens::{Lexeme, ends_line, lexeme, quoted_length};

/// Why a text is not JSON5, and the byte at which that shows.
pub struct Refusal {
    pub at: usize,
    /// None if a number is malformed.
    pub code: Option<ErrorCode>,
}

impl Refusal {
    fn of_number(at: usize) -> Self {
        Refusal { at, code: None }
    }
}

type Verdict = Result<(), Refusal>;

/// Judges a text (<https://spec.json5.org>) that is nested no deeper than the stack allows.
pub fn judge(text: &str) -> Verdict {
    let mut judge = Judge { text, at: 0 };
    judge.value()?;
    judge.skip_extra()?;
    match judge.peek() {
        None => Ok(()),
        Some(_) => Err(judge.refuse(ErrorCode::TrailingCharacters)),
    }
}

/// The string that quoted text stands for.
pub fn string(quoted: &str) -> Result<Cow<'_, str>, json5::Error> {
    let is_special = |byte| matches!(byte, b'\\' | b'\r' | b'\n');
    let mut inside = quoted.chars();
    if inside.next().is_some()
        && inside.next_back() == quoted.chars().next()
        && !quoted.bytes().any(is_special)
    {
        return Ok(inside.as_str().into());
    }
    json5::from_str(quoted).map(Cow::Owned)
}

/// The name that a bare word stands for.
pub fn name(word: &str) -> Result<Cow<'_, str>, json5::Error> {
    if is_plain_name(word) {
        return Ok(word.into());
    }
    first_name(&format!("{{{word}:null}}")).map(Cow::Owned)
}

fn is_plain_name(word: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    !word.starts_with(|first: char| first.is_ascii_digit()) && word.bytes().all(is_plain)
}

/// The crate knows bare names as those of members only.
fn first_name(object: &str) -> Result<String, json5::Error> {
    json5::from_str(object).map(|FirstName(name)| name)
}

struct FirstName(String);

impl<'de> Deserialize<'de> for FirstName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = FirstName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<FirstName, A::Error> {
        let first = members.next_entry::<String, ()>()?;
        let name = first.map(|(name, ())| FirstName(name));
        name.ok_or_else(|| A::Error::custom("no member"))
    }
}

/// A text that is valid up to `at`.
struct Judge<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Judge<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn refuse(&self, code: ErrorCode) -> Refusal {
        Refusal {
            at: self.at,
            code: Some(code),
        }
    }

    fn take(&mut self, wanted: &str, at_end: ErrorCode, other: ErrorCode) -> Verdict {
        for character in wanted.chars() {
            match self.peek() {
                None => return Err(self.refuse(at_end)),
                Some(found) if found != character => return Err(self.refuse(other)),
                Some(_) => self.at += character.len_utf8(),
            }
        }
        Ok(())
    }

    fn skip_extra(&mut self) -> Verdict {
        while let Some((kind, length)) = lexeme(self.rest()) {
            match kind {
                Lexeme::Space | Lexeme::LineEnd | Lexeme::LineComment => {}
                Lexeme::BlockComment => {
                    let comment = self.rest().get(..length).unwrap_or_default();
                    if length < "/**/".len() || !comment.ends_with("*/") {
                        self.at = self.text.len();
                        return Err(self.refuse(ErrorCode::EofParsingComment));
                    }
                }
                Lexeme::Word if self.peek() == Some('/') => {
                    self.at += 1;
                    return Err(match self.peek() {
                        Some(_) => self.refuse(ErrorCode::ExpectedComment),
                        None => self.refuse(ErrorCode::EofParsingComment),
                    });
                }
                _ => break,
            }
            self.at += length;
        }
        Ok(())
    }

    fn value(&mut self) -> Verdict {
        use ErrorCode::{
            EofParsingArray, EofParsingBool, EofParsingNull, EofParsingObject, EofParsingValue,
            ExpectedBool, ExpectedNull, ExpectedValue,
        };
        self.skip_extra()?;
        let Some(first) = self.peek() else {
            return Err(self.refuse(EofParsingValue));
        };
        match first {
            'n' => self.take("null", EofParsingNull, ExpectedNull),
            't' => self.take("true", EofParsingBool, ExpectedBool),
            'f' => self.take("false", EofParsingBool, ExpectedBool),
            '"' | '\'' => self.string(first),
            '+' | '-' | '.' | 'I' | 'N' | '0'..='9' => self.number(),
            '[' => self.slots(']', EofParsingArray, Self::value),
            '{' => self.slots('}', EofParsingObject, Self::member),
            _ => Err(self.refuse(ExpectedValue)),
        }
    }

    /// The elements or members between brackets, with or without a comma after the last.
    fn slots(&mut self, close: char, at_end: ErrorCode, slot: fn(&mut Self) -> Verdict) -> Verdict {
        self.at += 1;
        let mut is_first = true;
        loop {
            self.skip_extra()?;
            if !is_first && self.peek() != Some(close) {
                self.take(",", at_end, ErrorCode::ExpectedComma)?;
                self.skip_extra()?;
            }
            if self.peek() == Some(close) {
                self.at += 1;
                return Ok(());
            }
            slot(self)?;
            is_first = false;
        }
    }

    fn member(&mut self) -> Verdict {
        use ErrorCode::{EofParsingObject, ExpectedColon};
        match self.peek() {
            None => return Err(self.refuse(EofParsingObject)),
            Some(quote @ ('"' | '\'')) => self.string(quote)?,
            Some(_) => self.name()?,
        }
        self.skip_extra()?;
        self.take(":", EofParsingObject, ExpectedColon)?;
        self.value()
    }

    fn string(&mut self, quote: char) -> Verdict {
        let rest = self.rest();
        let quoted = rest.get(..quoted_length(rest, quote)).unwrap_or_default();
        string(quoted).map_err(|error| refused(quoted, &error, self.at))?;
        self.at += quoted.len();
        Ok(())
    }

    fn name(&mut self) -> Verdict {
        let rest = self.rest();
        let Some((Lexeme::Word, length)) = lexeme(rest) else {
            return Err(self.refuse(ErrorCode::ExpectedIdentifier));
        };
        let word = rest.get(..length).unwrap_or_default();
        let is_cut = length == rest.len();
        if is_cut || !is_plain_name(word) {
            // One that the text ends in may be cut short in the midst of an escape.
            let behind = if is_cut { "" } else { ":null}" };
            let object = format!("{{{word}{behind}");
            first_name(&object).map_err(|error| refused(&object, &error, self.at - 1))?;
        }
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Verdict {
        use ErrorCode::{EofParsingNumber, ExpectedNumber};
        let start = self.at;
        let is_negative = self.peek() == Some('-');
        self.skip_if(|c| matches!(c, '+' | '-'));
        let Some(first) = self.peek() else {
            return Err(self.refuse(EofParsingNumber));
        };
        let second = self.rest().chars().nth(1);
        match (first, second) {
            ('I', _) => self.take("Infinity", EofParsingNumber, ExpectedNumber),
            ('N', _) => self.take("NaN", EofParsingNumber, ExpectedNumber),
            ('0', Some('x' | 'X')) => self.hexadecimal(start, is_negative),
            ('0', Some('0'..='9')) => {
                self.at = start;
                Err(self.refuse(ErrorCode::LeadingZero))
            }
            ('0', Some('.' | 'e' | 'E')) | ('.' | '1'..='9', _) => self.decimal(start),
            ('0', _) => {
                self.at += 1;
                Ok(())
            }
            _ => Err(self.refuse(ExpectedNumber)),
        }
    }

    /// As long as 128 bits hold it.
    fn hexadecimal(&mut self, start: usize, is_negative: bool) -> Verdict {
        use ErrorCode::{EofParsingNumber, ExpectedNumber, OverflowParsingNumber};
        self.at += "0x".len();
        let mut value: u128 = 0;
        let mut is_empty = true;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) {
            if value.leading_zeros() < 4 {
                return Err(self.refuse(OverflowParsingNumber));
            }
            value = (value << 4) | u128::from(digit);
            is_empty = false;
            self.at += 1;
        }
        if is_empty {
            let code = match self.peek() {
                Some(_) => ExpectedNumber,
                None => EofParsingNumber,
            };
            return Err(self.refuse(code));
        }
        match is_negative && value > 1 << 127 {
            true => Err(Refusal::of_number(start)),
            false => Ok(()),
        }
    }

    /// Digits on one side of the point at least, and an exponent or none.
    fn decimal(&mut self, start: usize) -> Verdict {
        let digits = self.digits();
        self.skip_if(|c| c == '.');
        if digits + self.digits() == 0 {
            return Err(Refusal::of_number(start));
        }
        if self.skip_if(|c| matches!(c, 'e' | 'E')) {
            self.skip_if(|c| matches!(c, '+' | '-'));
            if self.digits() == 0 {
                return Err(Refusal::of_number(start));
            }
        }
        // The crate takes all of these for a part of the number.
        let goes_on = matches!(self.peek(), Some('+' | '-' | '.' | 'e' | 'E'));
        match goes_on {
            true => Err(Refusal::of_number(start)),
            false => Ok(()),
        }
    }

    /// Skips digits; returns how many.
    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.skip_if(|c| c.is_ascii_digit()) {}
        self.at - start
    }

    /// Skips one ASCII character of a kind; returns whether it was there.
    fn skip_if(&mut self, is_wanted: impl Fn(char) -> bool) -> bool {
        let is_there = self.peek().is_some_and(is_wanted);
        self.at += usize::from(is_there);
        is_there
    }
}

/// The crate's error in a piece of the text that begins at `start`.
fn refused(piece: &str, error: &json5::Error, start: usize) -> Refusal {
    let code = error.code();
    let at = match error.position() {
        Some(place) if !is_end(code) => byte_of(piece, place),
        _ => piece.len(),
    };
    Refusal {
        at: start + at,
        code,
    }
}

/// Whether the error is that the text ends; the crate gives some of these the place of the bracket around.
fn is_end(code: Option<ErrorCode>) -> bool {
    code.is_some_and(|code| code.to_string().starts_with("EOF"))
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
