//! The distinct short texts of a document: a large one repeats a few names and ports on every line, and each is looked
//! at once. Must not live here: what the texts mean.

use super::names::{Index, Slots};

/// How many bytes are compared without a loop, whose length nobody could foresee.
const SHORT: usize = 32;

/// A text of up to [`SHORT`] bytes as words, zero behind its end.
type Words = [u64; SHORT / 8];

/// Ones for a text of each length, read from the place where as many of them are left.
const MASK: [u8; 2 * SHORT] = {
    let mut mask = [0; 2 * SHORT];
    let mut at = 0;
    while at < SHORT {
        mask[at] = u8::MAX;
        at += 1;
    }
    mask
};

/// Numbers of texts, from nought on: the same for the same text.
#[derive(Debug)]
pub(super) struct Texts<'t> {
    /// All that short texts are cut from.
    whole: &'t str,
    slots: Slots,
    /// Each text by its number; of one that is longer, or no part of the whole, nothing.
    short: Vec<Words>,
    other: Index<'t>,
}

impl<'t> Texts<'t> {
    /// None so far; most will be parts of this one, without controls.
    pub fn of(whole: &'t str) -> Texts<'t> {
        Texts {
            whole,
            slots: Slots::default(),
            short: Vec::new(),
            other: Index::default(),
        }
    }

    /// The number of a text; the next one if it is new.
    #[inline(never)]
    pub fn number(&mut self, text: &'t str) -> usize {
        let next = self.short.len();
        let Some(words) = self.words(text) else {
            let number = self.other.place(text, next);
            if number == next {
                self.short.push(Words::default());
            }
            return number;
        };
        let hash = hash(words);
        let is_known = |at| {
            let known: Option<&Words> = self.short.get(at);
            known.is_some_and(|known| is_same(*known, words))
        };
        self.slots.find(hash, is_known).unwrap_or_else(|| {
            self.slots.add(hash, next);
            self.short.push(words);
            next
        })
    }

    /// The words of a short part of the whole. They are read with what stands behind it, hence the place.
    #[inline(always)]
    fn words(&self, text: &str) -> Option<Words> {
        let start = (text.as_ptr() as usize).wrapping_sub(self.whole.as_ptr() as usize);
        let bytes = self.whole.as_bytes().get(start..)?.first_chunk::<SHORT>()?;
        let mask = MASK.get(SHORT.checked_sub(text.len())?..)?;
        let mask = mask.first_chunk::<SHORT>()?;
        match (bytes.as_chunks().0, mask.as_chunks().0) {
            ([a, b, c, d], [e, f, g, h]) => {
                let word = |bytes: &[u8; 8], mask: &[u8; 8]| {
                    u64::from_le_bytes(*bytes) & u64::from_le_bytes(*mask)
                };
                Some([word(a, e), word(b, f), word(c, g), word(d, h)])
            }
            _ => None,
        }
    }
}

/// Compared one by one: taken together they would be compared by a loop over bytes.
#[inline(always)]
fn is_same([a, b, c, d]: Words, [e, f, g, h]: Words) -> bool {
    (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
}

/// The high half of a sum of products, each by an odd number of its own.
#[inline(always)]
fn hash([a, b, c, d]: Words) -> u32 {
    let sum = a
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(b.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
        .wrapping_add(c.wrapping_mul(0x1656_67B1_9E37_79F9))
        .wrapping_add(d.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    (sum >> 32) as u32
}
