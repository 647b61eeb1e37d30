//! Literals: what JSON's numbers and strings look like, and what a string stands for.
//!
//! Must not live here: anything about what surrounds a literal.

use std::borrow::Cow;

use crate::tables::find;

/// Whether the bytes are one number of RFC 8259, section 6.
#[inline(always)]
pub(super) fn is_number(bytes: &[u8]) -> bool {
    let unsigned = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let rest = match unsigned.split_first() {
        Some((b'0', rest)) => rest,
        Some((b'1'..=b'9', rest)) => after_digits(rest),
        _ => return false,
    };
    let rest = match rest.strip_prefix(b".") {
        Some([b'0'..=b'9', digits @ ..]) => after_digits(digits),
        Some(_) => return false,
        None => rest,
    };
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => {
            !exponent.is_empty() && after_digits(exponent).is_empty()
        }
        _ => false,
    }
}

#[inline(always)]
fn after_digits(mut bytes: &[u8]) -> &[u8] {
    while let [b'0'..=b'9', rest @ ..] = bytes {
        bytes = rest;
    }
    bytes
}

/// How many bytes are before the first quote, backslash or control character; reads eight at a time.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks();
    let mut length = 0;
    for word in words {
        let found = special(u64::from_le_bytes(*word));
        if found != 0 {
            return length + found.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    for byte in rest {
        if matches!(byte, b'"' | b'\\' | ..=0x1F) {
            return length;
        }
        length += 1;
    }
    length
}

/// The top bit of each byte that is a quote, a backslash or a control character. Above the lowest one,
/// which is the only one to use, a borrow may set more.
#[inline(always)]
fn special(word: u64) -> u64 {
    const EACH: u64 = u64::MAX / 0xFF;
    let below = |limit: u64, word: u64| word.wrapping_sub(EACH * limit) & !word;
    let equal = |byte: u8, word: u64| below(1, word ^ (EACH * u64::from(byte)));
    (below(0x20, word) | equal(b'"', word) | equal(b'\\', word)) & (EACH * 0x80)
}

/// Where the string that is read up to `at` ends, and whether its escapes could be shorter;
/// the inner value is nothing for what is not a string of RFC 8259, section 7, the outer one if no
/// quote ends it.
pub(super) fn string_end(bytes: &[u8], mut at: usize) -> Option<(usize, Option<bool>)> {
    let (mut valid, mut long) = (true, false);
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        at += plain_length(rest);
        at += match bytes.get(at..)? {
            [] => return None,
            [b'"', ..] => return Some((at, valid.then_some(long))),
            [b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'\\', b'/', ..] => {
                long = true;
                2
            }
            [b'\\', b'u', a, b, c, d, ..]
                if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) =>
            {
                long = true;
                6
            }
            [b'\\', ..] => {
                valid = false;
                2
            }
            _ => {
                valid = false;
                1
            }
        };
    }
}

/// What a valid string, with its quotes, stands for. Half of a surrogate pair becomes U+FFFD.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    let inside = raw
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(raw);
    // A valid string holds no bare quote or control: what is not plain is a backslash. Quicker than a search for it.
    if plain_length(inside.as_bytes()) == inside.len() {
        return Cow::Borrowed(inside);
    }
    let mut out = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((plain, escaped)) = find::split_once(rest, "\\") {
        out.push_str(plain);
        let (character, behind) = unescape_one(escaped);
        out.push(character);
        rest = behind;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The position inside a string at which byte `at` of what it stands for is written.
pub(super) fn escaped_offset(inside: &str, at: usize) -> usize {
    let (mut seen, mut rest) = (0, inside);
    while seen < at {
        let (character, behind) = match rest.strip_prefix('\\') {
            Some(escaped) => unescape_one(escaped),
            None => {
                let mut characters = rest.chars();
                match characters.next() {
                    Some(itself) => (itself, characters.as_str()),
                    None => break,
                }
            }
        };
        seen += character.len_utf8();
        rest = behind;
    }
    inside.len() - rest.len()
}

/// The character of the escape whose backslash stood before `escaped`, and what follows it.
fn unescape_one(escaped: &str) -> (char, &str) {
    let mut characters = escaped.chars();
    let character = match characters.next() {
        Some('b') => '\u{8}',
        Some('f') => '\u{C}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unescape_unit(characters.as_str()),
        Some(itself) => itself,
        None => char::REPLACEMENT_CHARACTER,
    };
    (character, characters.as_str())
}

/// The character of a `\u` escape, or of two of them that make a pair; `rest` starts at the four digits.
fn unescape_unit(rest: &str) -> (char, &str) {
    let Some((unit, behind)) = hex_unit(rest) else {
        return (char::REPLACEMENT_CHARACTER, rest);
    };
    if let 0xD800..=0xDBFF = unit
        && let Some((low @ 0xDC00..=0xDFFF, behind)) = behind.strip_prefix("\\u").and_then(hex_unit)
    {
        let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        return (replaced(code), behind);
    }
    (replaced(unit), behind)
}

fn replaced(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hex_unit(text: &str) -> Option<(u32, &str)> {
    let (digits, behind) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, behind))
}

/// The text as a JSON string.
pub(crate) fn string_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(text, &mut out);
    out
}

/// The same without its quotes.
pub(crate) fn inside_of(text: &str) -> String {
    let mut out = string_of(text);
    out.pop();
    out.split_off(1)
}

/// Writes the text as a JSON string with the shortest escapes: `\b \t \n \f \r \" \\`, other
/// controls as `\u00xx` in lower case, everything else as itself.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(text.get(plain..at).unwrap_or_default());
        plain = at + 1;
        match byte {
            0x08 => out.push_str("\\b"),
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            0x0C => out.push_str("\\f"),
            b'\r' => out.push_str("\\r"),
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            control => {
                out.push_str("\\u00");
                let digits = [control >> 4, control & 15];
                out.extend(digits.map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0')));
            }
        }
    }
    out.push_str(text.get(plain..).unwrap_or_default());
    out.push('"');
}
