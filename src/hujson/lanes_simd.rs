//! The marks among 64 bytes, found by WebAssembly's vector instructions.
//!
//! The portable twin is `lanes.rs`. Must not live here: what the marks mean.

use core::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, u64x2, v128, v128_or};

use super::marks::Marks;

/// Finds the marks of a block. All inline, whatever the level of optimisation: a call for each
/// mark would take ten times as long as finding it.
#[inline(always)]
pub(super) fn marks(block: &[u8; 64]) -> Marks {
    let lanes = load(block);
    let case = u8x16_splat(0x20);
    let [a, b, c, d] = lanes;
    let lower = [
        v128_or(a, case),
        v128_or(b, case),
        v128_or(c, case),
        v128_or(d, case),
    ];
    Marks {
        quotes: equal(lanes, b'"'),
        slashes: equal(lanes, b'/'),
        backslashes: equal(lanes, b'\\'),
        commas: equal(lanes, b','),
        openers: equal(lower, b'{'),
        closers: equal(lower, b'}'),
        blanks: up_to_blank(lanes),
    }
}

#[inline(always)]
fn load(block: &[u8; 64]) -> [v128; 4] {
    let (words, _) = block.as_chunks();
    let mut lanes = [u8x16_splat(0); 4];
    for (lane, pair) in lanes.iter_mut().zip(words.as_chunks().0) {
        let [low, high]: [[u8; 8]; 2] = *pair;
        *lane = u64x2(u64::from_le_bytes(low), u64::from_le_bytes(high));
    }
    lanes
}

#[inline(always)]
fn equal([a, b, c, d]: [v128; 4], byte: u8) -> u64 {
    let wanted = u8x16_splat(byte);
    gather([
        u8x16_eq(a, wanted),
        u8x16_eq(b, wanted),
        u8x16_eq(c, wanted),
        u8x16_eq(d, wanted),
    ])
}

#[inline(always)]
fn up_to_blank([a, b, c, d]: [v128; 4]) -> u64 {
    let most = u8x16_splat(b' ');
    gather([
        u8x16_le(a, most),
        u8x16_le(b, most),
        u8x16_le(c, most),
        u8x16_le(d, most),
    ])
}

/// One bit for each lane that is set.
#[inline(always)]
fn gather([a, b, c, d]: [v128; 4]) -> u64 {
    let low = u64::from(u8x16_bitmask(a)) | u64::from(u8x16_bitmask(b)) << 16;
    let high = u64::from(u8x16_bitmask(c)) | u64::from(u8x16_bitmask(d)) << 16;
    low | high << 32
}
