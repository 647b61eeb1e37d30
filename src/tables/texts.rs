//! The distinct short texts of a document: a large one repeats a few names and ports on every line, and each is
//! examined once. Must not live here: what the texts mean.

use super::index::{Index, Slots};

/// How many bytes are read and compared without a loop of unpredictable length.
const BLOCK: usize = 32;

/// A text shorter than a block as words: zeros after its end, and its length in the last byte.
type Words = [u64; BLOCK / 8];

/// Ones for a text of each length, read from the place where as many of them are left.
const MASK: [u8; 2 * BLOCK] = {
    let mut mask = [0; 2 * BLOCK];
    let mut at = 0;
    while at < BLOCK {
        mask[at] = u8::MAX;
        at += 1;
    }
    mask
};

/// Numbers of texts, from zero on: equal texts have equal numbers.
#[derive(Debug)]
pub(crate) struct Texts<'t> {
    /// The text that most of them are parts of: the bytes after such a part can be read with it.
    whole: &'t str,
    slots: Slots,
    /// Each text by its number; for one that is longer than a block, nothing.
    short: Vec<Words>,
    long: Index<'t>,
}

impl<'t> Texts<'t> {
    /// Empty; most texts will be parts of this one.
    pub fn of(whole: &'t str) -> Texts<'t> {
        Texts {
            whole,
            slots: Slots::default(),
            short: Vec::new(),
            long: Index::default(),
        }
    }

    /// The number of a text; the next one if it is new.
    #[inline(never)]
    pub fn number(&mut self, text: &'t str) -> usize {
        let next = self.short.len();
        let Some(words) = self.part(text).or_else(|| copied(text)) else {
            let number = self.long.place(text, next);
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

    /// The words of a short part of the whole, unless that ends within a block.
    #[inline(always)]
    fn part(&self, text: &str) -> Option<Words> {
        let start = (text.as_ptr() as usize).wrapping_sub(self.whole.as_ptr() as usize);
        let block = self.whole.as_bytes().get(start..)?.first_chunk()?;
        words(block, text.len())
    }
}

/// The words of a short text from anywhere.
#[inline(never)]
fn copied(text: &str) -> Option<Words> {
    let mut block = [0; BLOCK];
    block
        .get_mut(..text.len())?
        .copy_from_slice(text.as_bytes());
    words(&block, text.len())
}

/// The words of as many bytes of a block.
#[inline(always)]
fn words(block: &[u8; BLOCK], length: usize) -> Option<Words> {
    let mask = MASK.get(BLOCK.checked_sub(length + 1)? + 1..)?;
    let mask = mask.first_chunk::<BLOCK>()?;
    let ([a, b, c, d], [e, f, g, h]) = (block.as_chunks().0, mask.as_chunks().0) else {
        return None;
    };
    let word =
        |bytes: &[u8; 8], mask: &[u8; 8]| u64::from_le_bytes(*bytes) & u64::from_le_bytes(*mask);
    let last = word(d, h) | (length as u64) << 56;
    Some([word(a, e), word(b, f), word(c, g), last])
}

/// Compared one by one: together they would be compared by a loop over bytes.
#[inline(always)]
fn is_same([a, b, c, d]: Words, [e, f, g, h]: Words) -> bool {
    (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
}

/// The high half of a sum of products, each by an odd number of its own, with its highest bits below: they alone depend on every byte, and slots
/// are chosen by the lowest.
#[inline(always)]
fn hash([a, b, c, d]: Words) -> u32 {
    let sum = a
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(b.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
        .wrapping_add(c.wrapping_mul(0x1656_67B1_9E37_79F9))
        .wrapping_add(d.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    ((sum >> 32) as u32).rotate_left(12)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    use super::Texts;

    proptest! {
        #[test]
        fn the_same_number_is_the_same_text(
            whole in "[ab:é]{0,120}",
            ends in prop::collection::vec((0..120_usize, 0..50_usize), 0..60),
        ) {
            let part = |&(start, length): &(usize, usize)| whole.get(start..start + length);
            let mut parts: Vec<&str> = ends.iter().filter_map(part).collect();
            let foreign: Vec<String> = parts.iter().map(|part| part.to_string()).collect();
            parts.extend(foreign.iter().map(String::as_str));
            let mut texts = Texts::of(&whole);
            let numbers: Vec<usize> = parts.iter().map(|part| texts.number(part)).collect();
            let mut next = 0;
            for (at, part) in parts.iter().enumerate() {
                let known = parts.iter().position(|other| other == part);
                let known = known.filter(|known| *known < at);
                match known.and_then(|known| numbers.get(known)) {
                    Some(known) => prop_assert_eq!(numbers[at], *known),
                    None => {
                        prop_assert_eq!(numbers[at], next);
                        next += 1;
                    }
                }
            }
        }
    }
}
