//! What is open, as numbers: each set of ports once, and what they come to together; postures by number.
//! Must not live here: who reaches what.

use super::flow::Judge;
use crate::policy::language::port_set::Opens;
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// What is open, each set once.
#[derive(Default)]
pub struct Sets {
    list: Vec<Opens>,
    known: Runs,
    /// Unions that were asked for, by the sets they are of.
    unions: Runs,
    of_union: Vec<usize>,
}

impl Sets {
    /// The place of a set.
    pub fn place(&mut self, set: Opens) -> usize {
        let place = self.known.place(&set.numbers());
        if place == self.list.len() {
            self.list.push(set);
        }
        place
    }

    /// The set at a place.
    pub fn get(&self, place: usize) -> Opens {
        self.list.get(place).cloned().unwrap_or_default()
    }

    /// The place of the union of some sets.
    pub fn union(&mut self, mut places: Vec<usize>) -> usize {
        sort::sort(&mut places);
        places.dedup();
        if let [only] = places[..] {
            return only;
        }
        let run: Vec<u64> = places.iter().map(|&place| place as u64).collect();
        let at = self.unions.place(&run);
        if let Some(known) = self.of_union.get(at) {
            return *known;
        }
        let mut all = Opens::default();
        for place in places {
            all = all.union(&self.get(place));
        }
        let place = self.place(all);
        self.of_union.push(place);
        place
    }

    /// The place of what several sets have in common.
    pub fn intersection(&mut self, places: &[usize]) -> usize {
        let mut rest = places.iter();
        let Some(&first) = rest.next() else {
            return self.place(Opens::default());
        };
        if places.iter().all(|place| *place == first) {
            return first;
        }
        let mut all = self.get(first);
        for &place in rest {
            all = all.intersect(&self.get(place));
        }
        self.place(all)
    }

    /// The place of what is in one set and not in another.
    pub fn difference(&mut self, from: usize, minus: usize) -> usize {
        if from == minus {
            return self.place(Opens::default());
        }
        let rest = self.get(from).minus(&self.get(minus));
        self.place(rest)
    }
}

/// The names of postures, as numbers. One whose conditions differ in two documents is two.
#[derive(Default)]
pub struct PostureNames<'p> {
    /// The names by number.
    pub names: Vec<&'p str>,
    places: Index<'static>,
}

impl<'p> PostureNames<'p> {
    /// The number of a posture of a document.
    pub fn place(&mut self, judge: &Judge<'p>, name: &'p str) -> usize {
        let mut key = name.to_owned();
        for condition in judge.policy().postures.get(name).into_iter().flatten() {
            key.push('\n');
            key.push_str(condition.name());
        }
        let next = self.names.len();
        match self.places.find(&key) {
            Some(known) => known,
            None => {
                self.places.set(key.into(), next);
                self.names.push(name);
                next
            }
        }
    }
}
