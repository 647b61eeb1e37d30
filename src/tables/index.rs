//! The maps of the policy engine: indices by name, by number, by a run of numbers. One small table serves every verb: the
//! standard library's maps are some KiB of the wasm file for each type of key, and slower there with short names.
//! Must not live here: what is stored at an index.

use std::borrow::Cow;

/// The index of each of some keys, by hashes that do not depend on a seed. The caller keeps the keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// The number of a key, from one on, below the high bits of its hash; zero in free slots, which are at least half of
    /// all. Their count is a power of two.
    slots: Vec<u32>,
    /// The hash and the number of each key, for when more slots are needed.
    keys: Vec<(u32, u32)>,
}

/// The bits of a slot that hold the number. More keys than they can number do not fit into memory; and the smaller the
/// table, the faster it is read.
const NUMBER: u32 = u32::MAX >> 4;

impl Slots {
    /// The index of a key with this hash; `is_same` compares the key at an index.
    #[inline(always)]
    pub fn find(&self, hash: u32, is_same: impl Fn(usize) -> bool) -> Option<usize> {
        let last = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & last;
        // Some slots are free, so that this ends.
        while let Some(&slot @ 1..) = self.slots.get(at) {
            let place = (slot & NUMBER) as usize - 1;
            if (slot ^ hash) & !NUMBER == 0 && is_same(place) {
                return Some(place);
            }
            at = (at + 1) & last;
        }
        None
    }

    /// Adds the index of a key that has no slot yet.
    #[inline(never)]
    pub fn add(&mut self, hash: u32, place: usize) {
        let number = (place as u32 + 1) & NUMBER;
        self.keys.push((hash, number));
        if self.keys.len() * 2 <= self.slots.len() {
            return self.put(hash, number);
        }
        self.slots = vec![0; (self.keys.len() * 4).next_power_of_two().max(16)];
        for at in 0..self.keys.len() {
            if let Some(&(hash, number)) = self.keys.get(at) {
                self.put(hash, number);
            }
        }
    }

    fn put(&mut self, hash: u32, number: u32) {
        let last = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & last;
        while let Some(1..) = self.slots.get(at) {
            at = (at + 1) & last;
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = number | hash & !NUMBER;
        }
    }
}

/// Mixes one more number into a hash.
#[inline(always)]
fn mixed(hash: u64, number: u64) -> u64 {
    let product = (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}

/// The part of a hash that differs most.
#[inline(always)]
fn folded(hash: u64) -> u32 {
    (hash ^ hash >> 29) as u32
}

fn hash_of_name(name: &str) -> u32 {
    let (words, rest) = name.as_bytes().as_chunks();
    let mut hash = name.len() as u64;
    for word in words {
        hash = mixed(hash, u64::from_le_bytes(*word));
    }
    let mut last = 0;
    for byte in rest {
        last = last << 8 | u64::from(*byte);
    }
    folded(mixed(hash, last))
}

fn hash_of_run(run: &[u64]) -> u32 {
    let mut hash = run.len() as u64;
    for &number in run {
        hash = mixed(hash, number);
    }
    folded(hash)
}

/// Indices by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index<'a> {
    slots: Slots,
    names: Vec<(Cow<'a, str>, usize)>,
}

impl<'a> Index<'a> {
    #[inline(always)]
    fn slot(&self, name: &str, hash: u32) -> Option<usize> {
        let is_same = |at| {
            let known: Option<&(Cow<'_, str>, _)> = self.names.get(at);
            known.is_some_and(|(known, _)| known == name)
        };
        self.slots.find(hash, is_same)
    }

    fn add(&mut self, name: Cow<'a, str>, hash: u32, place: usize) {
        self.slots.add(hash, self.names.len());
        self.names.push((name, place));
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The index of a name.
    #[inline(never)]
    pub fn find(&self, name: &str) -> Option<usize> {
        let at = self.slot(name, hash_of_name(name))?;
        self.names.get(at).map(|(_, place)| *place)
    }

    /// Gives a name an index. Returns whether it had none.
    #[inline(never)]
    pub fn set(&mut self, name: Cow<'a, str>, place: usize) -> bool {
        let hash = hash_of_name(&name);
        let known = self.slot(&name, hash);
        match known.and_then(|at| self.names.get_mut(at)) {
            Some((_, known)) => *known = place,
            None => self.add(name, hash, place),
        }
        known.is_none()
    }

    /// The index of a name, `next` if it had none.
    #[inline(never)]
    pub fn place(&mut self, name: &'a str, next: usize) -> usize {
        let hash = hash_of_name(name);
        let known = self.slot(name, hash);
        if let Some((_, place)) = known.and_then(|at| self.names.get(at)) {
            return *place;
        }
        self.add(Cow::Borrowed(name), hash, next);
        next
    }
}

/// Numbers by name, those of one name in the order in which they were added.
#[derive(Clone, Debug)]
pub(crate) struct Lists<'a, N = usize> {
    index: Index<'a>,
    lists: Vec<Vec<N>>,
}

impl<N> Default for Lists<'_, N> {
    fn default() -> Self {
        Lists {
            index: Index::default(),
            lists: Vec::new(),
        }
    }
}

impl<'a, N: Copy + PartialEq> Lists<'a, N> {
    /// Adds a number; the same number again directly after is ignored.
    #[inline(never)]
    pub fn add(&mut self, name: &'a str, number: N) {
        let at = self.index.place(name, self.lists.len());
        match self.lists.get_mut(at) {
            Some(list) if list.last() == Some(&number) => {}
            Some(list) => list.push(number),
            None => self.lists.push(vec![number]),
        }
    }

    /// The numbers of a name.
    #[inline(never)]
    pub fn get(&self, name: &str) -> &[N] {
        let list = self.index.find(name).and_then(|at| self.lists.get(at));
        list.map_or(&[], Vec::as_slice)
    }

    /// The numbers of each name, names in the order in which they were added.
    pub fn all(&self) -> &[Vec<N>] {
        &self.lists
    }
}

/// Indices by number.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    slots: Slots,
    numbers: Vec<(u64, usize)>,
}

impl Numbers {
    #[inline(always)]
    fn known(&self, number: u64, hash: u32) -> Option<usize> {
        let is_same = |at| {
            let known: Option<&(u64, _)> = self.numbers.get(at);
            known.is_some_and(|(known, _)| *known == number)
        };
        let at = self.slots.find(hash, is_same)?;
        self.numbers.get(at).map(|(_, place)| *place)
    }

    /// The index of a number, `next` if it had none.
    #[inline(never)]
    pub fn place(&mut self, number: u64, next: usize) -> usize {
        let hash = folded(mixed(0, number));
        self.known(number, hash).unwrap_or_else(|| {
            self.slots.add(hash, self.numbers.len());
            self.numbers.push((number, next));
            next
        })
    }
}

/// Runs of numbers without repeats, each at the index where it first came.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    slots: Slots,
    runs: Vec<Box<[u64]>>,
}

impl Runs {
    /// The index of a run; the next free one if it is new.
    #[inline(never)]
    pub fn place(&mut self, run: &[u64]) -> usize {
        let hash = hash_of_run(run);
        let is_same = |at| {
            let known: Option<&Box<[u64]>> = self.runs.get(at);
            known.is_some_and(|known| **known == *run)
        };
        self.slots.find(hash, is_same).unwrap_or_else(|| {
            self.slots.add(hash, self.runs.len());
            self.runs.push(run.into());
            self.runs.len() - 1
        })
    }

    /// The run at an index.
    pub fn run(&self, place: usize) -> &[u64] {
        self.runs.get(place).map_or(&[], |run| run)
    }

    /// The index of a run of indices.
    #[inline(never)]
    pub fn place_of(&mut self, places: &[usize]) -> usize {
        let mut run = Vec::with_capacity(places.len());
        for &place in places {
            run.push(place as u64);
        }
        self.place(&run)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::{Index, Numbers};

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(keys in prop::collection::vec(0..400_u64, 0..600)) {
            let (mut index, mut numbers) = (Index::default(), Numbers::default());
            let mut theirs: HashMap<u64, usize> = HashMap::new();
            for (place, key) in keys.into_iter().enumerate() {
                let name = "name ".repeat(key as usize % 3) + &key.to_string();
                prop_assert_eq!(index.find(&name), theirs.get(&key).copied());
                let is_new = !theirs.contains_key(&key);
                let known = *theirs.entry(key).or_insert(place);
                prop_assert_eq!(numbers.place(key, place), known);
                prop_assert_eq!(index.set(name.into(), known), is_new);
            }
        }
    }
}
