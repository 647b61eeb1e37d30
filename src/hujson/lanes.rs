//! Questions to 64 bytes at once, one bit an answer, in portable code.
//!
//! The twin for WebAssembly's vector instructions is `lanes_simd.rs`; both have this interface.
//! Must not live here: what the bytes mean.

/// 64 bytes of text.
pub(super) struct Lanes<'b>(&'b [u8; 64]);

impl<'b> Lanes<'b> {
    pub(super) fn new(bytes: &'b [u8; 64]) -> Self {
        Self(bytes)
    }

    /// Which bytes are this one.
    pub(super) fn equal(&self, byte: u8) -> u64 {
        self.each(|word| zeros(word ^ (EACH * u64::from(byte))))
    }

    /// Which bytes are this one or differ from it only in the bit `0x20`, which `byte` must have.
    pub(super) fn equal_either_case(&self, byte: u8) -> u64 {
        self.each(|word| zeros((word | (EACH * 0x20)) ^ (EACH * u64::from(byte))))
    }

    /// Which bytes are a blank or a control.
    pub(super) fn blank(&self) -> u64 {
        self.each(|word| {
            let low = word & (EACH * 0x7F);
            !((low + EACH * (0x80 - 0x21)) | word) & TOPS
        })
    }

    /// Gathers the top bits that `top` leaves in each word of eight bytes.
    fn each(&self, top: impl Fn(u64) -> u64) -> u64 {
        let (words, _) = self.0.as_chunks();
        let bits = words.iter().map(|word| {
            let tops = top(u64::from_le_bytes(*word)) >> 7;
            tops.wrapping_mul(0x0102_0408_1020_4080) >> 56
        });
        bits.rev().fold(0, |mask, bits| mask << 8 | bits)
    }
}

const EACH: u64 = u64::MAX / 0xFF;
const TOPS: u64 = EACH * 0x80;

/// The top bit of each byte that is zero, exactly.
fn zeros(word: u64) -> u64 {
    let low = word & !TOPS;
    !((low + !TOPS) | word) & TOPS
}
