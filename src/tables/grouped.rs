//! Numbers in groups, such as the rules that name each selector: those of all groups in one list, as a list for each is copied again
//! and again while it grows. Must not live here: what the numbers mean.

/// The numbers of each group, in the order in which they were given.
#[derive(Debug, Default)]
pub(crate) struct Grouped {
    /// Where those of each group start and end.
    ends: Vec<(usize, usize)>,
    numbers: Vec<usize>,
}

impl Grouped {
    /// So many groups, of numbers each behind its group. The same number again directly after it is ignored.
    #[inline(never)]
    pub fn of(groups: usize, given: &[(usize, usize)]) -> Grouped {
        let mut ends = vec![(0, 0); groups];
        for (group, _) in given {
            if let Some((_, count)) = ends.get_mut(*group) {
                *count += 1;
            }
        }
        let mut next = 0;
        for (start, end) in &mut ends {
            next += std::mem::replace(end, next);
            *start = *end;
        }
        let mut numbers = vec![0; next];
        for (group, number) in given {
            if let Some((start, end)) = ends.get_mut(*group)
                && (start == end || numbers.get(*end - 1) != Some(number))
                && let Some(place) = numbers.get_mut(*end)
            {
                *place = *number;
                *end += 1;
            }
        }
        Grouped { ends, numbers }
    }

    /// The numbers of a group.
    pub fn get(&self, group: usize) -> &[usize] {
        let ends = self.ends.get(group);
        ends.map_or(&[], |&(start, end)| {
            self.numbers.get(start..end).unwrap_or_default()
        })
    }
}
