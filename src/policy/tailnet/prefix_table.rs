//! Numbers by prefix, and which prefixes contain an address or meet a range, without looking at the others.
//! Must not live here: the meaning of the numbers.

use crate::cidr::{Address, Prefix, Range};
use crate::tables::sort;

/// Numbers by prefix.
///
/// Of two prefixes one covers the other or they share nothing. In ascending order the wider one comes first, so a
/// prefix that contains an address is the last one that begins at or before it, or is around that one.
#[derive(Debug, Default)]
pub(crate) struct PrefixTable {
    /// Ascending, each prefix once.
    entries: Vec<PrefixEntry>,
}

/// One prefix.
#[derive(Debug)]
pub(crate) struct PrefixEntry {
    /// Without host bits.
    pub prefix: Prefix,
    /// Ascending, each once.
    pub numbers: Vec<usize>,
    /// The index of the narrowest prefix around it.
    around: Option<usize>,
}

impl PrefixTable {
    /// The table of these pairs, in any order.
    #[inline(never)]
    pub fn new(mut pairs: Vec<(Prefix, usize)>) -> PrefixTable {
        for (prefix, _) in &mut pairs {
            *prefix = prefix.masked();
        }
        sort::sort(&mut pairs);
        pairs.dedup();
        let mut table = PrefixTable::default();
        for (prefix, number) in pairs {
            table.add(prefix, number);
        }
        table
    }

    /// Adds the next pair in ascending order.
    fn add(&mut self, prefix: Prefix, number: usize) {
        let last = self.entries.len().checked_sub(1);
        match self.entries.last_mut() {
            Some(entry) if entry.prefix == prefix => entry.numbers.push(number),
            _ => {
                let mut around = last;
                while let Some(entry) = self.at(around)
                    && !entry.prefix.covers(prefix)
                {
                    around = entry.around;
                }
                self.entries.push(PrefixEntry {
                    prefix,
                    numbers: vec![number],
                    around,
                });
            }
        }
    }

    fn at(&self, place: Option<usize>) -> Option<&PrefixEntry> {
        self.entries.get(place?)
    }

    /// The prefixes that contain an address, the narrowest first: at most one more than an address has bits.
    pub fn holding(&self, address: Address) -> impl Iterator<Item = &PrefixEntry> {
        let behind = self.behind(address);
        let mut next = behind.checked_sub(1);
        let wider = std::iter::from_fn(move || {
            let entry = self.at(next)?;
            next = entry.around;
            Some(entry)
        });
        wider.filter(move |entry| entry.prefix.contains(address))
    }

    /// The prefixes that share an address with a range.
    pub fn meeting(&self, range: Range) -> impl Iterator<Item = &PrefixEntry> {
        let inside = self.entries.get(self.behind(range.first())..);
        let inside = inside.unwrap_or_default().iter();
        let begun = inside.take_while(move |entry| entry.prefix.first() <= range.last());
        self.holding(range.first()).chain(begun)
    }

    /// The index after all prefixes that begin at or before an address.
    fn behind(&self, address: Address) -> usize {
        self.entries
            .partition_point(|entry| entry.prefix.first() <= address)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    use super::PrefixTable;
    use crate::cidr::{Address, Prefix, Range};

    fn prefix() -> impl Strategy<Value = Prefix> {
        (any::<bool>(), 0..256_u32, 0..=8_u8).prop_map(|(six, bits, length)| {
            let made = match six {
                true => Prefix::new(Address::V6(u128::from(bits) << 120), length),
                false => Prefix::new(Address::V4(bits << 24), length),
            };
            made.expect("short enough").masked()
        })
    }

    proptest! {
        #[test]
        fn finds_what_a_look_at_every_prefix_finds(
            pairs in prop::collection::vec((prefix(), 0..4_usize), 0..40),
            asked in prefix(), length in 0..0x0300_0000_u32,
        ) {
            let table = PrefixTable::new(pairs.clone());
            let first = asked.first();
            let last = match first {
                Address::V4(bits) => Address::V4(bits.saturating_add(length)),
                Address::V6(bits) => Address::V6(bits.saturating_add(u128::from(length) << 96)),
            };
            let range = Range::new(first, last).expect("a range");
            let all = |entries: Vec<&super::PrefixEntry>| {
                let each = |entry: &super::PrefixEntry| entry.numbers.iter().map(|n| (entry.prefix, *n)).collect::<Vec<_>>();
                let mut found: Vec<(Prefix, usize)> = entries.into_iter().flat_map(each).collect();
                found.sort();
                found
            };
            let wanted = |fits: &dyn Fn(Prefix) -> bool| {
                let mut wanted: Vec<_> = pairs.iter().copied().filter(|(prefix, _)| fits(*prefix)).collect();
                wanted.sort();
                wanted.dedup();
                wanted
            };
            prop_assert_eq!(all(table.holding(first).collect()), wanted(&|prefix| prefix.contains(first)));
            let meets = |prefix: Prefix| prefix.first() <= last && first <= prefix.last();
            prop_assert_eq!(all(table.meeting(range).collect()), wanted(&meets));
        }
    }
}
