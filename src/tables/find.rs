//! Search for short texts in texts. The search of the standard library is made for long ones, and includes tables for the display
//! of any character. Splitting at a byte and asking for one without it saves 2.7 KiB (Brotli) of the client's wasm.
//! Must not live here: what is looked for.

use memchr::memchr_iter;

/// The first position of the part.
#[inline(never)]
pub(crate) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let is_part = |at: &usize| text.get(*at..).is_some_and(|rest| rest.starts_with(part));
    match part.first() {
        Some(first) => memchr_iter(*first, text).find(is_part),
        None => Some(0),
    }
}

/// Whether the text has the part.
pub(crate) fn contains(text: &str, part: &str) -> bool {
    find(text.as_bytes(), part.as_bytes()).is_some()
}

/// The text before and after the part.
#[inline(never)]
pub(crate) fn split_once<'t>(text: &'t str, part: &str) -> Option<(&'t str, &'t str)> {
    let at = find(text.as_bytes(), part.as_bytes())?;
    text.get(..at).zip(text.get(at + part.len()..))
}

/// The same at the last occurrence of a byte.
#[inline(never)]
pub(crate) fn rsplit_once(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|each| each == byte)?;
    text.get(..at).zip(text.get(at + 1..))
}

/// Whether a byte stands in the text.
#[inline(never)]
pub(crate) fn has(text: &str, byte: u8) -> bool {
    text.bytes().any(|each| each == byte)
}

/// The pieces between the occurrences of a byte.
pub(crate) fn split(text: &str, byte: u8) -> Pieces<'_> {
    Pieces {
        rest: Some(text),
        byte,
    }
}

/// What [`split`] gives.
#[derive(Clone)]
pub(crate) struct Pieces<'t> {
    rest: Option<&'t str>,
    byte: u8,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    #[inline(never)]
    fn next(&mut self) -> Option<&'t str> {
        let rest = self.rest?;
        let end = rest.bytes().position(|each| each == self.byte);
        let piece = rest.get(..end.unwrap_or(rest.len()));
        self.rest = end.and_then(|end| rest.get(end + 1..));
        piece
    }
}

/// The text with each occurrence of this part replaced.
#[inline(never)]
pub(crate) fn replace(text: &str, part: &str, other: &str) -> String {
    let (mut replaced, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = split_once(rest, part) {
        replaced.push_str(before);
        replaced.push_str(other);
        rest = behind;
    }
    replaced + rest
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_what_the_standard_library_does(text in "[abé]{0,200}", part in "[abé]{1,3}") {
            prop_assert_eq!(super::find(text.as_bytes(), part.as_bytes()), text.find(&part));
            prop_assert_eq!(super::find(text.as_bytes(), b""), text.find(""));
            prop_assert_eq!(super::split_once(&text, &part), text.split_once(&part));
            prop_assert_eq!(super::replace(&text, &part, "-"), text.replace(&part, "-"));
            prop_assert_eq!(super::rsplit_once(&text, b'a'), text.rsplit_once('a'));
            prop_assert_eq!(super::has(&text, b'a'), text.contains('a'));
            prop_assert!(super::split(&text, b'a').eq(text.split('a')));
        }
    }
}
