//! Questions to 64 bytes at once, one bit an answer, in WebAssembly's vector instructions.
//!
//! The portable twin is `lanes.rs`; both have this interface. Must not live here: what the bytes
//! mean.

use core::arch::wasm32::{u8x16, u8x16_bitmask, u8x16_eq, u8x16_le, u8x16_splat, v128, v128_or};

/// 64 bytes of text.
pub(super) struct Lanes([v128; 4]);

impl Lanes {
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(super) fn new(bytes: &[u8; 64]) -> Self {
        let (parts, _) = bytes.as_chunks::<16>();
        let load = |part: usize| {
            let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] =
                parts.get(part).copied().unwrap_or_default();
            u8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
        };
        Self([load(0), load(1), load(2), load(3)])
    }

    /// Which bytes are this one.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(super) fn equal(&self, byte: u8) -> u64 {
        let wanted = u8x16_splat(byte);
        self.each(|part| u8x16_eq(part, wanted))
    }

    /// Which bytes are this one or differ from it only in the bit `0x20`, which `byte` must have.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(super) fn equal_either_case(&self, byte: u8) -> u64 {
        let (wanted, case) = (u8x16_splat(byte), u8x16_splat(0x20));
        self.each(|part| u8x16_eq(v128_or(part, case), wanted))
    }

    /// Which bytes are a blank or a control.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(super) fn blank(&self) -> u64 {
        let last = u8x16_splat(b' ');
        self.each(|part| u8x16_le(part, last))
    }

    /// Gathers the lanes that `test` sets.
    #[inline]
    #[target_feature(enable = "simd128")]
    fn each(&self, test: impl Fn(v128) -> v128) -> u64 {
        let [a, b, c, d] = self.0.map(|part| u64::from(u8x16_bitmask(test(part))));
        a | b << 16 | c << 32 | d << 48
    }
}
