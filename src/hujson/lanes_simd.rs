//! The marks among 64 bytes, found by WebAssembly's vector instructions.
//!
//! The portable twin is `lanes.rs`. Must not live here: what the marks mean.

use core::arch::wasm32::{u8x16, u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, v128, v128_or};

use super::scan::Marks;

/// Finds the marks of a block.
#[target_feature(enable = "simd128")]
pub(super) fn marks(block: &[u8; 64]) -> Marks {
    let (parts, _) = block.as_chunks::<16>();
    let load = |part: usize| {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] =
            parts.get(part).copied().unwrap_or_default();
        u8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    };
    let lanes = [load(0), load(1), load(2), load(3)];
    let (case, blank) = (u8x16_splat(b' '), u8x16_splat(b' '));
    let equal = |byte: u8| each(lanes, |part| u8x16_eq(part, u8x16_splat(byte)));
    let either_case = |byte: u8| {
        each(lanes, |part| {
            u8x16_eq(v128_or(part, case), u8x16_splat(byte))
        })
    };
    Marks {
        quotes: equal(b'"'),
        slashes: equal(b'/'),
        backslashes: equal(b'\\'),
        commas: equal(b','),
        openers: either_case(b'{'),
        closers: either_case(b'}'),
        blanks: each(lanes, |part| u8x16_le(part, blank)),
    }
}

/// Gathers the lanes that `test` sets.
#[inline]
#[target_feature(enable = "simd128")]
fn each(lanes: [v128; 4], test: impl Fn(v128) -> v128) -> u64 {
    let [a, b, c, d] = lanes.map(|part| u64::from(u8x16_bitmask(test(part))));
    a | b << 16 | c << 32 | d << 48
}
