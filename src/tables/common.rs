//! What two lists have in common, in order: the fewest items removed and inserted (Myers, "An O(ND) difference algorithm and its
//! variations", 1986). A library for it (`similar`) would add 11 KiB of Brotli to the wasm file. Must not live here: what
//! the items are.

use std::ops::Range;

/// With more differences than this the lists count as entirely different: time grows with their number times the length of the
/// lists, memory with the square of their number.
const MOST: usize = 2000;

/// A range that differs, as positions in both lists.
pub(crate) type Difference = (Range<usize>, Range<usize>);

/// The ranges that differ, in order.
pub(crate) fn differences<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Difference> {
    let same = |x: usize, y: usize| old.get(x).is_some_and(|item| new.get(y) == Some(item));
    between((old.len(), new.len()), &same)
}

fn between(end: (usize, usize), same: &dyn Fn(usize, usize) -> bool) -> Vec<Difference> {
    let Some(rows) = rows(end, same) else {
        return vec![(0..end.0, 0..end.1)];
    };
    let mut all: Vec<Difference> = Vec::new();
    let mut at = end;
    for row in rows.iter().rev() {
        let (from, step) = row.step_to(at.0 as isize - at.1 as isize);
        match all.last_mut() {
            // Nothing in common between this step and the next.
            Some((old, new)) if (old.start, new.start) == step && at == step => {
                (old.start, new.start) = from;
            }
            _ => all.push((from.0..step.0, from.1..step.1)),
        }
        at = from;
    }
    all.reverse();
    all
}

/// How far so many differences lead, on each diagonal: item of the first list less item of the second.
struct Row(Vec<usize>);

impl Row {
    fn furthest(&self, diagonal: isize) -> Option<usize> {
        let place = diagonal + self.0.len() as isize - 1;
        usize::try_from(place / 2)
            .ok()
            .filter(|_| place >= 0)
            .and_then(|place| self.0.get(place))
            .copied()
    }

    /// The step with one difference more that leads to a diagonal: from where, and to where.
    fn step_to(&self, diagonal: isize) -> ((usize, usize), (usize, usize)) {
        let (out, into) = (self.furthest(diagonal - 1), self.furthest(diagonal + 1));
        let second = |x: usize, diagonal: isize| (x as isize - diagonal) as usize;
        match (out, into) {
            (Some(x), into) if into.is_none_or(|into| x >= into) => {
                let y = second(x, diagonal - 1);
                ((x, y), (x + 1, y))
            }
            (_, into) => {
                let x = into.unwrap_or_default();
                let y = second(x, diagonal + 1);
                ((x, y), (x, y + 1))
            }
        }
    }
}

/// The rows for no, one, two differences and so on, up to the one before the end is reached; none if that takes too many.
fn rows(end: (usize, usize), same: &dyn Fn(usize, usize) -> bool) -> Option<Vec<Row>> {
    let along = |(mut x, mut y): (usize, usize)| {
        while same(x, y) {
            (x, y) = (x + 1, y + 1);
        }
        (x, y)
    };
    let first = along((0, 0));
    let mut rows = Vec::new();
    let mut row = Row(vec![first.0]);
    if first == end {
        return Some(rows);
    }
    for differences in 1..=MOST as isize {
        let mut next = Vec::with_capacity(row.0.len() + 1);
        for diagonal in (-differences..=differences).step_by(2) {
            let (_, step) = row.step_to(diagonal);
            let reached = along(step);
            next.push(reached.0);
            if reached == end {
                rows.push(row);
                return Some(rows);
            }
        }
        rows.push(std::mem::replace(&mut row, Row(next)));
    }
    None
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_left_is_common_and_as_long_as_can_be(old in prop::collection::vec(0..4_u8, 0..9), new in prop::collection::vec(0..4_u8, 0..9)) {
            let all = super::differences(&old, &new);
            let (mut x, mut y, mut common) = (0, 0, 0);
            for (gone, come) in all.iter().cloned().chain([(old.len()..old.len(), new.len()..new.len())]) {
                prop_assert_eq!(&old[x..gone.start], &new[y..come.start]);
                prop_assert!(gone.start > x || (x, y) == (0, 0) || gone.start == old.len());
                common += gone.start - x;
                (x, y) = (gone.end, come.end);
            }
            // The length of the longest common subsequence, by its definition.
            let mut longest = vec![vec![0; new.len() + 1]; old.len() + 1];
            for (i, a) in old.iter().enumerate() {
                for (j, b) in new.iter().enumerate() {
                    longest[i + 1][j + 1] = if a == b { longest[i][j] + 1 } else { longest[i][j + 1].max(longest[i + 1][j]) };
                }
            }
            prop_assert_eq!(common, longest[old.len()][new.len()]);
        }
    }
}
