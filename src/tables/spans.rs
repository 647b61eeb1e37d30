//! Which of many ranges contain a point or overlap another range, in time logarithmic in their number plus the size of
//! the answer. A scan over all for each question took 40 times as long with 4,000 routes.
//! Must not live here: the meaning of the ranges.

use super::sort;

/// Ranges with a number each, both ends included. They may overlap and repeat.
#[derive(Clone, Debug)]
pub(crate) struct Spans<T> {
    /// Ascending by the first end.
    items: Vec<(T, T, usize)>,
    /// The highest end among the items of the half whose middle each one is.
    highest: Vec<T>,
}

impl<T: Copy + Ord> Spans<T> {
    /// Makes the table once; nothing can be added to it.
    #[inline(never)]
    pub fn new(mut items: Vec<(T, T, usize)>) -> Spans<T> {
        sort::sort(&mut items);
        let highest = items.iter().map(|&(_, last, _)| last).collect();
        let mut spans = Spans { items, highest };
        spans.note_highest(0, spans.items.len());
        spans
    }

    /// Stores the highest end of a half, and returns it.
    fn note_highest(&mut self, start: usize, end: usize) -> Option<T> {
        if start >= end {
            return None;
        }
        let middle = start + (end - start) / 2;
        let left = self.note_highest(start, middle);
        let right = self.note_highest(middle + 1, end);
        let own = self.highest.get_mut(middle)?;
        for side in [left, right].into_iter().flatten() {
            *own = side.max(*own);
        }
        Some(*own)
    }

    /// Passes on the number of each range that overlaps the one from `first` to `last`, by first ends.
    #[inline(never)]
    pub fn overlapping(&self, first: T, last: T, take: &mut dyn FnMut(usize)) {
        self.visit((0, self.items.len()), first, last, take);
    }

    /// The numbers of the ranges that contain a point.
    pub fn at(&self, point: T) -> Vec<usize> {
        let mut found = Vec::new();
        self.overlapping(point, point, &mut |number| found.push(number));
        found
    }

    fn visit(&self, (start, end): (usize, usize), first: T, last: T, take: &mut dyn FnMut(usize)) {
        let middle = start + (end - start) / 2;
        let (Some(&(own, until, number)), Some(highest)) =
            (self.items.get(middle), self.highest.get(middle))
        else {
            return;
        };
        if start >= end || *highest < first {
            return;
        }
        self.visit((start, middle), first, last, take);
        if own > last {
            return;
        }
        if until >= first {
            take(number);
        }
        self.visit((middle + 1, end), first, last, take);
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    use super::Spans;

    proptest! {
        #[test]
        fn agrees_with_a_scan(
            ranges in prop::collection::vec((0..60_u8, 0..20_u8), 0..40),
            (from, length) in (0..70_u8, 0..20_u8),
        ) {
            let items: Vec<_> = ranges.iter().enumerate().map(|(at, &(a, b))| (a, a + b, at)).collect();
            let until = from + length;
            let mut wanted: Vec<usize> = items.iter().filter(|(a, b, _)| *a <= until && *b >= from).map(|i| i.2).collect();
            let mut found = Vec::new();
            Spans::new(items).overlapping(from, until, &mut |number| found.push(number));
            found.sort_unstable();
            wanted.sort_unstable();
            prop_assert_eq!(found, wanted);
        }
    }
}
