//! The marks among 64 bytes, found eight bytes at a time in portable code.
//!
//! The twin for WebAssembly's vector instructions is `lanes_simd.rs`. Must not live here: what
//! the marks mean.

use super::marks::Marks;

const EACH: u64 = u64::MAX / 0xFF;
const TOPS: u64 = EACH * 0x80;

/// Finds the marks of a block.
pub(super) fn marks(block: &[u8; 64]) -> Marks {
    let equal = |byte: u8| each(block, |word| zeros(word ^ (EACH * u64::from(byte))));
    let either_case = |byte: u8| {
        let wanted = EACH * u64::from(byte);
        each(block, |word| zeros((word | (EACH * 0x20)) ^ wanted))
    };
    Marks {
        quotes: equal(b'"'),
        slashes: equal(b'/'),
        backslashes: equal(b'\\'),
        commas: equal(b','),
        openers: either_case(b'{'),
        closers: either_case(b'}'),
        blanks: each(block, up_to_blank),
    }
}

/// Gathers the top bits that `test` leaves in each word of eight bytes.
fn each(block: &[u8; 64], test: impl Fn(u64) -> u64) -> u64 {
    let (words, _) = block.as_chunks();
    let bits = words.iter().map(|word| {
        let tops = test(u64::from_le_bytes(*word)) >> 7;
        tops.wrapping_mul(0x0102_0408_1020_4080) >> 56
    });
    bits.rev().fold(0, |mask, bits| mask << 8 | bits)
}

/// The top bit of each byte that is zero, exactly.
fn zeros(word: u64) -> u64 {
    !(((word & !TOPS) + !TOPS) | word) & TOPS
}

/// The top bit of each byte up to `0x20`, exactly.
fn up_to_blank(word: u64) -> u64 {
    !(((word & !TOPS) + EACH * (0x7F - 0x20)) | word) & TOPS
}
