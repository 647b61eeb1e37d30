//! The maps of the policy engine: places by name, by number, by a run of numbers. Few concrete types serve every
//! verb, since each further one is some KiB of the wasm file.
//! Must not live here: what is kept at a place.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// Places by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Index<'a>(FxHashMap<Cow<'a, str>, usize>);

impl<'a> Index<'a> {
    /// The place of a name.
    #[inline(never)]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// Gives a name a place. Returns whether it had none.
    #[inline(never)]
    pub fn set(&mut self, name: Cow<'a, str>, place: usize) -> bool {
        self.0.insert(name, place).is_none()
    }

    /// The place of a name, `next` if it had none.
    pub fn place(&mut self, name: &'a str, next: usize) -> usize {
        let known = self.find(name);
        known.unwrap_or_else(|| {
            self.set(Cow::Borrowed(name), next);
            next
        })
    }
}

/// Numbers by name, those of one name in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists<'a> {
    index: Index<'a>,
    lists: Vec<Vec<usize>>,
}

impl<'a> Lists<'a> {
    /// One more number; the same again right after is left out.
    #[inline(never)]
    pub fn add(&mut self, name: &'a str, number: usize) {
        let at = self.index.place(name, self.lists.len());
        match self.lists.get_mut(at) {
            Some(list) if list.last() == Some(&number) => {}
            Some(list) => list.push(number),
            None => self.lists.push(vec![number]),
        }
    }

    /// The numbers of a name.
    #[inline(never)]
    pub fn get(&self, name: &str) -> &[usize] {
        let list = self.index.find(name).and_then(|at| self.lists.get(at));
        list.map_or(&[], Vec::as_slice)
    }

    /// The numbers of each name, names in the order in which they came.
    pub fn all(&self) -> &[Vec<usize>] {
        &self.lists
    }
}

/// Places by number.
#[derive(Debug, Default)]
pub(super) struct Numbers(FxHashMap<u64, usize>);

impl Numbers {
    /// The place of a number.
    #[inline(never)]
    pub fn find(&self, number: u64) -> Option<usize> {
        self.0.get(&number).copied()
    }

    /// The place of a number, `next` if it had none.
    #[inline(never)]
    pub fn place(&mut self, number: u64, next: usize) -> usize {
        *self.0.entry(number).or_insert(next)
    }
}

/// Runs of numbers without repeats, each at the place where it came first.
#[derive(Debug, Default)]
pub(super) struct Runs(FxHashMap<Box<[u64]>, usize>);

impl Runs {
    /// The place of a run; the next free one if it is new.
    #[inline(never)]
    pub fn place(&mut self, run: &[u64]) -> usize {
        if let Some(&known) = self.0.get(run) {
            return known;
        }
        let next = self.0.len();
        self.0.insert(run.into(), next);
        next
    }
}
