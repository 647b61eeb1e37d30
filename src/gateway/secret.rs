//! Whether an answer repeats the key, in any encoding: plain, in Base64 of any alignment and alphabet, in hexadecimal
//! digits; each of them escaped as JSON, URLs or HTML do, or in UTF-16 or UTF-32. Must not live here: what becomes of the answer.

use crate::api::ApiKey;
use crate::tables::base64;

/// What to look for, as [`plain`] leaves it.
pub(super) struct Spellings(Vec<Vec<u8>>);

/// The shortest encoding that is no coincidence, except the key itself.
const SHORTEST: usize = 8;
/// The most bytes that a spelling may take where it lies across two pieces of an answer.
const LONGEST: usize = 1 << 14;

impl Spellings {
    pub(super) fn of(key: &ApiKey) -> Self {
        let key = key.reveal().as_bytes();
        let upper: String = key.iter().map(|byte| format!("{byte:02X}")).collect();
        let lower = upper.to_ascii_lowercase();
        let mut spellings = vec![upper.into_bytes(), lower.into_bytes()];
        spellings.extend((0..3).map(|before| in_base64(key, before)));
        spellings.retain(|spelling| spelling.len() >= SHORTEST);
        spellings.push(key.to_vec());
        Spellings(spellings.iter().map(|spelling| plain(spelling)).collect())
    }

    /// Whether any of them is in these bytes.
    pub(super) fn are_in(&self, bytes: &[u8]) -> bool {
        let text = plain(bytes);
        let starts = |byte: &u8| self.0.iter().any(|spelling| spelling.first() == Some(byte));
        let mut rest = text.as_slice();
        while let Some(at) = rest.iter().position(starts) {
            rest = rest.get(at..).unwrap_or_default();
            if self.0.iter().any(|spelling| rest.starts_with(spelling)) {
                return true;
            }
            rest = rest.get(1..).unwrap_or_default();
        }
        false
    }

    /// How many bytes are not the beginning of a spelling that what follows may complete; `None` where a whole one is there.
    pub(super) fn free(&self, bytes: &[u8]) -> Option<usize> {
        if self.are_in(bytes) {
            return None;
        }
        let open = open_escape(bytes).unwrap_or(bytes.len());
        let characters = bytes.iter().copied().enumerate().take(open);
        let end = characters.skip(open.saturating_sub(LONGEST));
        let (places, text): (Vec<usize>, Vec<u8>) =
            end.filter(|(_, byte)| !is_between(byte)).unzip();
        let plain: Vec<(u8, usize)> = letters(&text).collect();
        let begins = |at: &usize| {
            let rest = plain.get(*at..).unwrap_or_default();
            let rest = || rest.iter().map(|(letter, _)| letter);
            self.0.iter().any(|spelling| {
                rest().count() <= spelling.len() && rest().zip(spelling).all(|(a, b)| a == b)
            })
        };
        let held = (0..plain.len()).find(begins);
        let held = held.and_then(|at| places.get(plain.get(at)?.1));
        Some(held.copied().unwrap_or(open))
    }
}

/// Where the last escape begins, if nothing after it says that it is complete.
fn open_escape(bytes: &[u8]) -> Option<usize> {
    let in_escape =
        |byte: &u8| byte.is_ascii_alphanumeric() || is_between(byte) || b"#;".contains(byte);
    let at = bytes.iter().rposition(|byte| !in_escape(byte))?;
    let is_near = bytes.len() - at < LONGEST;
    (is_near && matches!(bytes.get(at), Some(b'\\' | b'%' | b'&'))).then_some(at)
}

/// What encodings put between characters. A key contains none of it.
fn is_between(byte: &u8) -> bool {
    *byte == 0 || byte.is_ascii_whitespace()
}

/// The part of a longer Base64 text that depends on the key alone, if this many bytes of a group of three precede it.
fn in_base64(key: &[u8], before: usize) -> Vec<u8> {
    let bytes = [&[0; 2][..before.min(2)], key].concat();
    let text = base64::encode(&bytes).into_bytes();
    let (first, end) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
    text.get(first..end).unwrap_or_default().to_vec()
}

/// The text without what an encoding puts between its characters, and without escapes; Base64 in the usual one of its two
/// alphabets.
fn plain(bytes: &[u8]) -> Vec<u8> {
    let text: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| !is_between(byte))
        .collect();
    let mut plain = Vec::with_capacity(text.len());
    plain.extend(letters(&text).map(|(letter, _)| letter));
    plain
}

/// What the characters of a text stand for, each with the place of its first character.
fn letters(text: &[u8]) -> impl Iterator<Item = (u8, usize)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let place = text.len() - rest.len();
            let (byte, behind) = rest.split_first()?;
            let (letter, behind) = match byte {
                b'\\' => unescaped(behind),
                b'%' => match hexadecimal(behind, 2) {
                    Some(code) => (Some(code), behind.get(2..).unwrap_or_default()),
                    None => (Some(b'%'), behind),
                },
                b'&' => reference(behind)
                    .map_or((Some(b'&'), behind), |(code, rest)| (Some(code), rest)),
                other => (Some(*other), behind),
            };
            rest = behind;
            if let Some(letter) = letter {
                return Some((usual(letter), place));
            }
        }
    })
}

/// What a backslash and the next characters stand for; before any other character it stands for nothing.
fn unescaped(behind: &[u8]) -> (Option<u8>, &[u8]) {
    let code = behind
        .strip_prefix(b"u")
        .and_then(|digits| hexadecimal(digits, 4));
    match code {
        Some(code) => (Some(code), behind.get(5..).unwrap_or_default()),
        None => (None, behind),
    }
}

/// The byte that a numeric character reference stands for (HTML standard, 13.5), without its ampersand, and what follows. The
/// semicolon may be missing, as browsers have it, and the ampersand may be escaped itself.
fn reference(behind: &[u8]) -> Option<(u8, &[u8])> {
    let behind = behind.strip_prefix(b"amp;").unwrap_or(behind);
    let digits = behind.strip_prefix(b"#")?;
    let (radix, digits) = match digits.split_first() {
        Some((b'x' | b'X', rest)) => (16, rest),
        _ => (10, digits),
    };
    let count = digits
        .iter()
        .take_while(|byte| char::from(**byte).is_digit(radix))
        .count();
    let (digits, rest) = digits.split_at_checked(count)?;
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()?;
    let rest = rest.strip_prefix(b";").unwrap_or(rest);
    Some((u8::try_from(code).unwrap_or(0), rest))
}

/// The byte that these digits write; if they write more, one that no key contains.
fn hexadecimal(digits: &[u8], count: usize) -> Option<u8> {
    let mut code = 0;
    for at in 0..count {
        code = code << 4 | char::from(*digits.get(at)?).to_digit(16)?;
    }
    Some(u8::try_from(code).unwrap_or(0))
}

fn usual(byte: u8) -> u8 {
    match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    }
}
