//! Several texts in the buffer of `text`, one behind the other. Must not live here: what becomes of them.

use simdutf8::basic::from_utf8;

use crate::text::with_bytes;

/// Lends out the first bytes as texts of these lengths, as `with_text` does with one.
pub(crate) fn with_texts<R, const N: usize>(
    lengths: [usize; N],
    read: impl FnOnce([&str; N]) -> R,
) -> R {
    let all = lengths.iter().copied().fold(0, usize::saturating_add);
    with_bytes(all, |bytes| {
        let mut rest = &*bytes;
        let texts = lengths.map(|length| {
            let (text, behind) = rest.split_at_checked(length).unwrap_or_default();
            rest = behind;
            from_utf8(text).unwrap_or_default()
        });
        read(texts)
    })
}
