//! Search for short texts in texts. The search of the standard library is made for long ones, and includes tables for the display
//! of any character.
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

/// The text before and after the part.
#[inline(never)]
pub(crate) fn split_once<'t>(text: &'t str, part: &str) -> Option<(&'t str, &'t str)> {
    let at = find(text.as_bytes(), part.as_bytes())?;
    text.get(..at).zip(text.get(at + part.len()..))
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
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_what_the_standard_library_does(text in "[abé]{0,200}", part in "[abé]{1,3}") {
            prop_assert_eq!(super::find(text.as_bytes(), part.as_bytes()), text.find(&part));
            prop_assert_eq!(super::find(text.as_bytes(), b""), text.find(""));
            prop_assert_eq!(super::split_once(&text, &part), text.split_once(&part));
            prop_assert_eq!(super::replace(&text, &part, "-"), text.replace(&part, "-"));
        }
    }
}
