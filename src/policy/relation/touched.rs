//! Where two readings may differ: at the classes to which a row of one alone leads, or a way that may have changed.
//! Must not live here: whether they differ there (compare.rs).

use std::rc::Rc;

use super::classes::Classes;
use super::ids::{ClassId, Id, IdTable, TermId};
use super::pair::Pair;
use super::postures::decided;
use super::reach::Shared;
use super::rows::Opens;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::next_hop::Given;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Runs;
use crate::tables::sort;

/// Where two readings may differ: the classes of destinations for each class of sources.
pub struct Touched {
    /// For each class of sources, the indices of its lists.
    pub of: IdTable<ClassId, Vec<usize>>,
    /// Lists of classes of destinations.
    pub lists: Vec<Vec<ClassId>>,
}

/// A row of a reading.
struct Shape {
    /// What it opens, to whom and where: equal for rows of both readings that mean the same.
    key: usize,
    sources: Rc<[usize]>,
    to: usize,
    terms: Vec<TermId>,
}

impl<'p> Pair<'_, 'p> {
    /// Where the readings may differ.
    pub fn touched(&self, shared: &mut Shared<'p>) -> Touched {
        let mut touched = Touched {
            of: IdTable::filled(self.from.list.len(), Vec::new()),
            lists: Vec::new(),
        };
        let mut meanings = Meanings::default();
        let [mut before, mut after] = [0, 1].map(|at| self.shapes(at, &mut meanings, shared));
        for shape in self.differing(&before, &after) {
            let list = touched.lists.len();
            let to = meanings.classes.get(shape.to).cloned().unwrap_or_default();
            touched.lists.push(to);
            for source in shape.sources.iter() {
                for &class in meanings.classes.get(*source).into_iter().flatten() {
                    touched.of.add(class, list);
                }
            }
        }
        let (old, new) = {
            let [before, after] = self.reaches;
            (before.reading, after.reading)
        };
        let is_one = std::ptr::eq(old.network.context, new.network.context);
        if !is_one {
            for shapes in [&mut before, &mut after] {
                // Terms are numbered as they are met: in an order that does not depend on that of the rules.
                let run = |shape: &Shape| meanings.shapes.run(shape.key);
                sort::sort_by(shapes, |a, b| run(a).cmp(run(b)));
                self.touch_by_posture(shapes, &meanings, &mut touched, shared);
            }
            self.touch_moved(&mut touched);
        }
        // Without rules no row says who comes and goes.
        if old.allows_all() != new.allows_all() || old.allows_all() && !is_one {
            touched.add_to_all(self.to.list.ids().collect());
        } else if !old.is_ssh {
            // Where another way may be taken, everything may change that no device is.
            let has_via = old.judge.has_via || new.judge.has_via;
            if !is_one || has_via && !touched.lists.is_empty() {
                let unowned = self.to.list.iter().filter(|(_, class)| {
                    class
                        .endpoints
                        .iter()
                        .flatten()
                        .any(|end| end.device.is_none())
                });
                touched.add_to_all(unowned.map(|(id, _)| id).collect());
            }
        }
        for (id, _) in self.from.list.iter() {
            if let Some(lists) = touched.of.get_mut(id) {
                sort::sort(lists);
                lists.dedup();
            }
        }
        touched
    }

    /// The rows of one reading alone, and of logins those in another order.
    fn differing<'s>(&self, before: &'s [Shape], after: &'s [Shape]) -> Vec<&'s Shape> {
        let mut found = alone(before, after);
        found.append(&mut alone(after, before));
        if self.reaches.iter().any(|reach| reach.reading.is_ssh) {
            found.append(&mut moved(before, after));
        }
        found
    }

    /// Marks all places for those whose user is another, and for all sources the places that have another.
    fn touch_moved(&self, touched: &mut Touched) {
        let moved = |classes: &Classes<'p>| -> Vec<ClassId> {
            let moved = classes.list.iter().filter(|(_, class)| class.is_moved());
            moved.map(|(id, _)| id).collect()
        };
        let (sources, places) = (moved(self.from), moved(self.to));
        if !places.is_empty() {
            touched.add_to_all(places);
        }
        if !sources.is_empty() {
            let list = touched.lists.len();
            touched.lists.push(self.to.list.ids().collect());
            for source in sources {
                touched.of.add(source, list);
            }
        }
    }

    /// Marks where a row of both readings leads for those whose posture is answered differently.
    fn touch_by_posture(
        &self,
        shapes: &[Shape],
        meanings: &Meanings,
        touched: &mut Touched,
        shared: &mut Shared<'p>,
    ) {
        let mut known: Vec<(TermId, IdTable<ClassId, bool>)> = Vec::new();
        for shape in shapes {
            let mut list = None;
            for &term in &shape.terms {
                if shared.conditions.facts(term).next().is_none() {
                    continue;
                }
                let place = known.iter().position(|(own, _)| *own == term);
                let place = place.unwrap_or_else(|| {
                    known.push((term, self.answered_differently(term, shared)));
                    known.len() - 1
                });
                let Some((_, differs)) = known.get(place) else {
                    continue;
                };
                let classes = shape
                    .sources
                    .iter()
                    .filter_map(|it| meanings.classes.get(*it));
                for &class in classes.flatten() {
                    if differs.get(class) == Some(&true) {
                        let list = *list.get_or_insert_with(|| {
                            let to = meanings.classes.get(shape.to).cloned();
                            touched.lists.push(to.unwrap_or_default());
                            touched.lists.len() - 1
                        });
                        touched.of.add(class, list);
                    }
                }
            }
        }
    }

    /// The classes of sources for which something else is left of a term in each reading.
    fn answered_differently(
        &self,
        term: TermId,
        shared: &mut Shared<'p>,
    ) -> IdTable<ClassId, bool> {
        let mut differs = IdTable::default();
        for (_, class) in self.from.list.iter() {
            let mut left = Vec::with_capacity(2);
            for ((at, reach), end) in self.reaches.iter().enumerate().zip(&class.endpoints) {
                left.push(end.as_ref().map(|end| {
                    let given = Given {
                        device: end.device,
                        ..Given::default()
                    };
                    let network = reach.reading.network;
                    decided((network, at), end, given, term, &mut shared.conditions)
                }));
            }
            differs.push(left.first() != left.last());
        }
        differs
    }

    /// The rows of a reading as numbers.
    fn shapes(&self, at: usize, meanings: &mut Meanings, shared: &mut Shared<'p>) -> Vec<Shape> {
        let Some(reach) = self.reaches.get(at) else {
            return Vec::new();
        };
        let named = reach.reading.named(Side::Source);
        let taken = self.from.taken(at, named.selectors.len());
        let sources: Vec<usize> = taken.iter().map(|taken| meanings.place(taken)).collect();
        let places: Vec<usize> = reach
            .taken
            .iter()
            .map(|taken| meanings.place(taken))
            .collect();
        let places_named = reach.reading.named(Side::Destination);
        let mut shapes = Vec::with_capacity(reach.rows.list.len());
        let mut key = Vec::new();
        for (rule, from) in reach.rows.from.iter().enumerate() {
            let mut own: Vec<usize> = from
                .iter()
                .filter_map(|at| sources.get(*at).copied())
                .collect();
            sort::sort(&mut own);
            own.dedup();
            let own: Rc<[usize]> = own.into();
            for (_, row) in reach.rows.of(rule) {
                let Some(&to) = places.get(row.to) else {
                    continue;
                };
                key.clear();
                key.push(to as u64);
                key.push(u64::from(places_named.is_own(row.to)));
                match &row.opens {
                    Opens::Set(set) => key.push(set.place() as u64),
                    Opens::Accounts(action, entries, treatment) => {
                        key.push(1 << 40 | *action as u64);
                        let treatment = format!("{treatment:?}");
                        key.push(u64::from(shared.accounts.mark(&treatment)));
                        for entry in entries {
                            let name = format!("{entry:?}");
                            key.push(u64::from(shared.accounts.mark(&name)));
                        }
                    }
                }
                key.push(u64::MAX);
                key.extend(row.terms.iter().map(|term| term.place() as u64));
                key.push(u64::MAX);
                key.extend(own.iter().map(|at| *at as u64));
                shapes.push(Shape {
                    key: meanings.shapes.place(&key),
                    sources: Rc::clone(&own),
                    to,
                    terms: row.terms.clone(),
                });
            }
        }
        shapes
    }
}

/// Those of the first that the second does not have.
fn alone<'s>(one: &'s [Shape], other: &[Shape]) -> Vec<&'s Shape> {
    let has = keys(other);
    let is_alone = |shape: &&Shape| has.get(shape.key) != Some(&true);
    one.iter().filter(is_alone).collect()
}

/// Those that both have and that come in another order there: the first rule that allows a login decides how it is treated.
fn moved<'s>(one: &'s [Shape], other: &'s [Shape]) -> Vec<&'s Shape> {
    let [own, others] = [(one, other), (other, one)].map(|(own, other)| {
        let mut left = keys(other);
        let is_first = |shape: &&Shape| left.get_mut(shape.key).is_some_and(std::mem::take);
        own.iter().filter(is_first).collect::<Vec<_>>()
    });
    let pairs = own.into_iter().zip(others);
    let moved = pairs.filter(|(one, other)| one.key != other.key);
    moved.map(|(one, _)| one).collect()
}

/// Which keys some have.
fn keys(shapes: &[Shape]) -> Vec<bool> {
    let count = shapes.iter().map(|shape| shape.key + 1).max();
    let mut has = vec![false; count.unwrap_or_default()];
    for shape in shapes {
        if let Some(has) = has.get_mut(shape.key) {
            *has = true;
        }
    }
    has
}

impl Touched {
    fn add_to_all(&mut self, classes: Vec<ClassId>) {
        let list = self.lists.len();
        self.lists.push(classes);
        let ids: Vec<ClassId> = self.of.ids().collect();
        for id in ids {
            self.of.add(id, list);
        }
    }
}

/// The meanings of selectors in either reading: the classes that they include, each list once.
#[derive(Default)]
struct Meanings {
    known: Runs,
    classes: Vec<Vec<ClassId>>,
    shapes: Runs,
}

impl Meanings {
    fn place(&mut self, taken: &[(ClassId, Answer)]) -> usize {
        let number = |&(class, answer): &(ClassId, Answer)| {
            (class.place() as u64) << 1 | u64::from(answer == Answer::Yes)
        };
        let place = self
            .known
            .place(&taken.iter().map(number).collect::<Vec<_>>());
        if place == self.classes.len() {
            self.classes
                .push(taken.iter().map(|(class, _)| *class).collect());
        }
        place
    }
}
