//! Sets of ports as numbers: each set once, and their unions and differences; postures by number.
//! Must not live here: who reaches what.

use crate::policy::language::document::Policy;
use crate::policy::language::port_set::Opens;
use crate::tables::index::{Index, Runs};
use crate::tables::unions::Unions;

/// The distinct sets.
#[derive(Default)]
pub struct Sets {
    list: Vec<Opens>,
    known: Runs,
    unions: Unions,
}

impl Sets {
    /// The index of a set.
    pub fn place(&mut self, set: Opens) -> usize {
        let place = self.known.place(&set.numbers());
        if place == self.list.len() {
            self.list.push(set);
        }
        place
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The set at an index.
    pub fn get(&self, place: usize) -> Opens {
        self.list.get(place).cloned().unwrap_or_default()
    }

    /// The index of the union of some sets.
    pub fn union(&mut self, places: Vec<usize>) -> usize {
        let mut unions = std::mem::take(&mut self.unions);
        let place = unions.place(places, &mut |places| {
            let mut sets: Vec<Opens> = places.iter().map(|&place| self.get(place)).collect();
            // By twos, as a set that grows by one at a time is copied for each.
            while sets.len() > 1 {
                let mut halves = Vec::with_capacity(sets.len().div_ceil(2));
                let mut rest = sets.into_iter();
                while let Some(one) = rest.next() {
                    halves.push(match rest.next() {
                        Some(other) => one.union(&other),
                        None => one,
                    });
                }
                sets = halves;
            }
            self.place(sets.pop().unwrap_or_default())
        });
        self.unions = unions;
        place
    }

    /// The index of the intersection of several sets.
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

    /// The index of what is in one set and not in another.
    pub fn difference(&mut self, from: usize, minus: usize) -> usize {
        if from == minus {
            return self.place(Opens::default());
        }
        let rest = self.get(from).minus(&self.get(minus));
        self.place(rest)
    }
}

/// The names of postures, as numbers. A posture whose conditions differ in two documents has two; one that the later
/// document renames has one.
#[derive(Default)]
pub struct PostureNames<'p> {
    /// The names by number.
    pub names: Vec<&'p str>,
    /// By name and conditions, and by conditions alone.
    places: Index<'static>,
}

impl<'p> PostureNames<'p> {
    /// The number of a posture of a document.
    pub fn place(&mut self, policy: &Policy<'p>, name: &'p str) -> usize {
        let mut conditions = String::new();
        for condition in policy.postures.get(name).into_iter().flatten() {
            conditions.push('\n');
            conditions.push_str(condition.name());
        }
        let key = name.to_owned() + &conditions;
        if let Some(known) = self.places.find(&key) {
            return known;
        }
        let alike = self.places.find(&conditions);
        let is_renamed = |at: &usize| {
            let name = self.names.get(*at);
            name.is_some_and(|name| !policy.postures.contains(name))
        };
        let place = alike.filter(is_renamed).unwrap_or(self.names.len());
        if place == self.names.len() {
            self.names.push(name);
        }
        self.places.set(key.into(), place);
        if !conditions.is_empty() {
            self.places.set(conditions.into(), place);
        }
        place
    }
}
