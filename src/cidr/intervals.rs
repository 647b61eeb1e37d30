//! Sets of numbers as sorted, disjoint, non-adjacent intervals: one family's half of an address set, or ports.
//! Must not live here: text, families.

/// An unsigned number that is an address of one family.
use crate::tables::sort;
pub(crate) trait Bits: Copy + Ord {
    /// The number after this one, if the family has it.
    fn next(self) -> Option<Self>;
    /// The number before this one, if the family has it.
    fn previous(self) -> Option<Self>;
    /// The last number of the largest aligned block that starts here and ends no later than
    /// `limit`, and how many leading bits all numbers of that block share.
    fn block(self, limit: Self) -> (Self, u8);
}

macro_rules! bits {
    ($number:ty) => {
        impl Bits for $number {
            fn next(self) -> Option<Self> {
                self.checked_add(1)
            }

            fn previous(self) -> Option<Self> {
                self.checked_sub(1)
            }

            fn block(self, limit: Self) -> (Self, u8) {
                // The block has 2^free numbers: bounded by where it starts and by how many remain.
                let remaining = match limit.wrapping_sub(self).checked_add(1) {
                    Some(count) => count.ilog2(),
                    None => Self::BITS,
                };
                let free = self.trailing_zeros().min(remaining);
                let span = !Self::MAX.checked_shl(free).unwrap_or(0);
                (self | span, (Self::BITS - free) as u8)
            }
        }
    };
}

bits!(u32);
bits!(u128);

/// Intervals with both ends included. INVARIANT: ascending, and between any two a gap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Intervals<T>(Vec<(T, T)>);

impl<T> Default for Intervals<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Bits> Intervals<T> {
    /// The union of intervals in any order, each with its first end not above its last.
    pub(crate) fn from_any(mut intervals: Vec<(T, T)>) -> Self {
        sort::sort(&mut intervals);
        Self::join(intervals.into_iter())
    }

    /// The union of intervals that ascend by their first end.
    fn join(ascending: impl Iterator<Item = (T, T)>) -> Self {
        let mut joined: Vec<(T, T)> = Vec::with_capacity(ascending.size_hint().0);
        for (first, last) in ascending {
            match joined.last_mut() {
                Some((_, end)) if end.next().is_none_or(|next| first <= next) => {
                    *end = last.max(*end);
                }
                _ => joined.push((first, last)),
            }
        }
        Self(joined)
    }

    pub(crate) fn as_slice(&self) -> &[(T, T)] {
        &self.0
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        Self::join(core::iter::from_fn(move || {
            match (left.peek(), right.peek()) {
                (Some(a), Some(b)) if b < a => right.next(),
                (Some(_), _) => left.next(),
                (None, _) => right.next(),
            }
            .copied()
        }))
    }

    pub(crate) fn intersect(&self, other: &Self) -> Self {
        Self(self.shared(other).collect())
    }

    /// The pieces that both sets hold, ascending.
    fn shared<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = (T, T)> + 's {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        core::iter::from_fn(move || {
            loop {
                let (&&(a, b), &&(c, d)) = (left.peek()?, right.peek()?);
                if b <= d {
                    left.next();
                } else {
                    right.next();
                }
                if a.max(c) <= b.min(d) {
                    return Some((a.max(c), b.min(d)));
                }
            }
        })
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        let mut rest = Vec::with_capacity(self.0.len());
        let mut holes = other.0.iter().peekable();
        for &(first, last) in &self.0 {
            let mut from = Some(first);
            while let (Some(start), Some(&&(hole, end))) = (from, holes.peek()) {
                if hole > last {
                    break;
                }
                if let Some(before) = hole.previous().filter(|before| start <= *before) {
                    rest.push((start, before));
                }
                from = end.next().map(|after| after.max(start));
                if from.is_none_or(|from| from > last) {
                    // The hole may reach into the next interval: keep it.
                    from = None;
                } else {
                    holes.next();
                }
            }
            if let Some(start) = from {
                rest.push((start, last));
            }
        }
        Self(rest)
    }

    pub(crate) fn contains(&self, value: T) -> bool {
        self.covers_interval(value, value)
    }

    /// Whether every number from `first` to `last` is in the set.
    pub(crate) fn covers_interval(&self, first: T, last: T) -> bool {
        let after = self.0.partition_point(|&(start, _)| start <= first);
        after
            .checked_sub(1)
            .and_then(|index| self.0.get(index))
            .is_some_and(|&(_, end)| last <= end)
    }

    pub(crate) fn covers(&self, other: &Self) -> bool {
        other
            .0
            .iter()
            .all(|&(first, last)| self.covers_interval(first, last))
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.shared(other).next().is_some()
    }

    /// The fewest aligned blocks that make up the set, ascending: first number and shared bits.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (T, u8)> + '_ {
        self.0.iter().flat_map(|&(first, last)| {
            let mut from = Some(first);
            core::iter::from_fn(move || {
                let start = from.filter(|start| *start <= last)?;
                let (end, length) = start.block(last);
                from = end.next();
                Some((start, length))
            })
        })
    }
}
