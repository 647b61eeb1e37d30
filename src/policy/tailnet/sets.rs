//! What is open, as numbers: each set of ports once, and what they come to together; postures by number.
//! Must not live here: who reaches what.

use crate::policy::language::document::Policy;
use crate::policy::language::port_set::Opens;
use crate::tables::index::{Index, Runs};
use crate::tables::unions::Unions;

/// What is open, each set once.
#[derive(Default)]
pub struct Sets {
    list: Vec<Opens>,
    known: Runs,
    unions: Unions,
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
    pub fn union(&mut self, places: Vec<usize>) -> usize {
        let mut unions = std::mem::take(&mut self.unions);
        let place = unions.place(places, &mut |places| {
            let mut all = Opens::default();
            for &place in places {
                all = all.union(&self.get(place));
            }
            self.place(all)
        });
        self.unions = unions;
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
    pub fn place(&mut self, policy: &Policy<'p>, name: &'p str) -> usize {
        let mut key = name.to_owned();
        for condition in policy.postures.get(name).into_iter().flatten() {
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
