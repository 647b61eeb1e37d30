//! Sorting with little code: one routine over positions serves every type, where the standard library writes a
//! routine for each, 173 KiB of them in the wasm file. Stable. Must not live here: what is sorted, and why.

use std::cmp::Ordering;

/// Sorts by the order of the items themselves.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Up to how many items are moved one by one: without lists of positions, of which small ones cost more than the moves.
const FEW: usize = 8;

/// Sorts by a comparison; items that compare equal keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.len() <= FEW {
        return insert_by(items, compare);
    }
    let later = |a: usize, b: usize| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b) == Ordering::Greater,
        _ => false,
    };
    if (1..items.len()).all(|at| !later(at - 1, at)) {
        return;
    }
    let positions = positions(items.len(), &later);
    arrange(positions, &mut |a, b| items.swap(a, b));
}

/// Sorts a few items: each moves before those that belong after it.
fn insert_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for end in 2..=items.len() {
        let mut sorted = items.get_mut(..end).unwrap_or_default();
        while let Some([before, last]) = sorted.last_chunk_mut()
            && compare(before, last) == Ordering::Greater
        {
            std::mem::swap(before, last);
            let shorter = sorted.len() - 1;
            sorted = sorted.get_mut(..shorter).unwrap_or_default();
        }
    }
}

/// Moves each item to its position, cycle by cycle: in a cycle each place takes the item of the next
/// one, and a place that already has its own item is its own position.
fn arrange(mut positions: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..positions.len() {
        let mut place = start;
        while let Some(position) = positions.get_mut(place) {
            let from = std::mem::replace(position, place);
            if from == start {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

/// The positions 0 to `length` in order: a merge sort from the bottom up, of a few that are sorted one by one. `later(a, b)` tells whether
/// the item at `a` belongs after the one at `b`.
pub(crate) fn positions(length: usize, later: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut from: Vec<usize> = (0..length).collect();
    let mut to = Vec::with_capacity(length);
    let mut width = FEW;
    for few in from.chunks_mut(width) {
        insert_by(few, |a, b| later(*a, *b).cmp(&false));
    }
    while width < length {
        for pair in from.chunks(width.saturating_mul(2)) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, later, &mut to);
        }
        std::mem::swap(&mut from, &mut to);
        to.clear();
        width = width.saturating_mul(2);
    }
    from
}

fn merge(
    mut left: &[usize],
    mut right: &[usize],
    later: &dyn Fn(usize, usize) -> bool,
    to: &mut Vec<usize>,
) {
    // What is in order already is taken whole.
    let is_apart = match (left.last(), right.first()) {
        (Some(a), Some(b)) => !later(*a, *b),
        _ => true,
    };
    while !is_apart && let ([a, after_a @ ..], [b, after_b @ ..]) = (left, right) {
        if later(*a, *b) {
            to.push(*b);
            right = after_b;
        } else {
            to.push(*a);
            left = after_a;
        }
    }
    to.extend_from_slice(left);
    to.extend_from_slice(right);
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(items: Vec<(u8, u16)>) {
            let (mut ours, mut theirs) = (items.clone(), items);
            super::sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(&ours, &theirs);
            super::sort(&mut ours);
            theirs.sort();
            prop_assert_eq!(ours, theirs);
        }
    }
}
