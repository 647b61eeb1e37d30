//! The difference between a text and a later one, so that only this has to be sent to an editor
//! or across the wasm boundary. Must not live here: the meaning of the change (`patch`).

use std::ops::Range;

use super::position::utf16_units;

/// The one range in which two texts differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// How many UTF-16 units at the start are the same.
    pub before: usize,
    /// How many UTF-16 units at the end are the same, not counting those at the start again.
    pub behind: usize,
    /// The bytes of the later text between these.
    pub new: Range<usize>,
}

impl Change {
    /// Compares two texts from either end; whole characters only.
    pub fn between(old: &str, new: &str) -> Self {
        let (before, behind) = same_ends(old, new);
        let end = new.len() - behind;
        let units =
            |range: Range<usize>| utf16_units(new.as_bytes().get(range).unwrap_or_default());
        Self {
            before: units(0..before),
            behind: units(end..new.len()),
            new: before..end,
        }
    }
}

/// How many bytes at the start of two texts are the same, and how many at the end of the rest; whole characters only.
pub(super) fn same_ends(old: &str, new: &str) -> (usize, usize) {
    let room = old.len().min(new.len());
    let mut before = same_start(old.as_bytes(), new.as_bytes());
    while !(old.is_char_boundary(before) && new.is_char_boundary(before)) {
        before -= 1;
    }
    let mut behind = same_end(old.as_bytes(), new.as_bytes()).min(room - before);
    while !(old.is_char_boundary(old.len() - behind) && new.is_char_boundary(new.len() - behind)) {
        behind -= 1;
    }
    (before, behind)
}

/// How many bytes are compared at once.
const GROUP: usize = 64;

fn same_start(one: &[u8], other: &[u8]) -> usize {
    let (mut left, mut right) = (one, other);
    while let (Some((group, rest)), Some((twin, twin_rest))) =
        (left.split_first_chunk(), right.split_first_chunk())
        && same(group, twin)
    {
        (left, right) = (rest, twin_rest);
    }
    while let ([byte, rest @ ..], [twin, twin_rest @ ..]) = (left, right)
        && byte == twin
    {
        (left, right) = (rest, twin_rest);
    }
    one.len() - left.len()
}

fn same_end(one: &[u8], other: &[u8]) -> usize {
    let (mut left, mut right) = (one, other);
    while let (Some((rest, group)), Some((twin_rest, twin))) =
        (left.split_last_chunk(), right.split_last_chunk())
        && same(group, twin)
    {
        (left, right) = (rest, twin_rest);
    }
    while let ([rest @ .., byte], [twin_rest @ .., twin]) = (left, right)
        && byte == twin
    {
        (left, right) = (rest, twin_rest);
    }
    one.len() - left.len()
}

/// Written out, as plain comparison goes byte by byte without a C library.
#[inline(always)]
fn same(group: &[u8; GROUP], twin: &[u8; GROUP]) -> bool {
    let mut difference = 0;
    for (word, twin) in group.as_chunks().0.iter().zip(twin.as_chunks().0) {
        difference |= u64::from_le_bytes(*word) ^ u64::from_le_bytes(*twin);
    }
    difference == 0
}
