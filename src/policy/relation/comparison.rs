//! One comparison of two readings, made once and handed to all who ask about it: who gains and loses, who has nothing left.
//! Must not live here: what nobody reaches any more (orphaned.rs), the form of answers.

use std::rc::Rc;

use super::atoms::{self, Atoms};
use super::classes::Classes;
use super::ids::{AtomId, ClassId, IdTable, NameId};
use super::item::Differences;
use super::naming::{Naming, is_others};
use super::pair::Pair;
use super::reach::{Reach, Shared};
use super::reading::Reading;
use super::reported::{ReportedDifferences, reported};
use super::rows::Rows;
use crate::policy::tailnet::parties::Party;
use crate::policy::tailnet::party::Side;

/// Two readings with all that differs between them.
pub struct Compared<'a, 'p> {
    /// The readings, the earlier one first.
    pub readings: &'a [Reading<'p>; 2],
    /// The endpoints that send.
    pub sources: &'a Atoms<'p>,
    /// The endpoints that receive.
    pub places: &'a Atoms<'p>,
    /// The classes of those that send.
    pub from: &'a Classes<'p>,
    /// The classes of those that receive.
    pub to: &'a Classes<'p>,
    /// What is reached in each reading.
    pub reaches: [&'a Reach<'a, 'p>; 2],
    /// The sets, terms and accounts.
    pub shared: &'a mut Shared<'p>,
    /// What differs.
    pub differences: Differences,
    /// The names of those that send, and of those that receive.
    pub naming: (Naming<'a, 'p>, Naming<'a, 'p>),
    /// What differs, by names.
    pub reported: ReportedDifferences,
    /// The classes of destinations that each class of sources reaches in the later reading, and that somebody receives, once asked.
    served: IdTable<ClassId, Option<Rc<[ClassId]>>>,
}

/// Compares two readings.
pub fn with<'p>(readings: &[Reading<'p>; 2], then: &mut dyn FnMut(&mut Compared<'_, 'p>)) {
    // Logins come of ssh rules alone: where neither document has one, nobody need be asked about.
    let are_none = readings.iter().all(Reading::has_no_logins);
    let [sources, places] = [Side::Source, Side::Destination].map(|side| match are_none {
        true => Atoms::default(),
        false => atoms::atoms(readings, side),
    });
    let from = Classes::new(readings, Side::Source, &sources);
    let to = Classes::new(readings, Side::Destination, &places);
    let mut shared = Shared::default();
    let rows = rows_of(readings, &mut shared);
    let endpoints = ((&sources, &from), (&places, &to));
    compared(readings, endpoints, rows, &mut shared, then);
}

/// What a question to a comparison is answered.
pub fn answer<'p, R: Default>(
    readings: &[Reading<'p>; 2],
    ask: impl Fn(&mut Compared<'_, 'p>) -> R,
) -> R {
    let mut answer = R::default();
    with(readings, &mut |it| answer = ask(it));
    answer
}

/// Compares two readings that are asked about everything, at each place by itself, as the places of one matrix: nothing is reported by names.
/// Each side's classes may be divided further.
pub fn at_each_place<'p>(
    readings: &[Reading<'p>; 2],
    divide: &dyn Fn(Side, Classes<'p>, &Atoms<'p>) -> Classes<'p>,
    then: &mut dyn FnMut(&mut Compared<'_, 'p>),
) {
    let sides = [Side::Source, Side::Destination].map(|side| {
        let atoms = Atoms {
            is_asked: true,
            ..atoms::atoms(readings, side)
        };
        let classes = Classes::new(readings, side, &atoms);
        let classes = divide(side, classes, &atoms);
        (atoms, classes)
    });
    let mut shared = Shared::default();
    let rows = rows_of(readings, &mut shared);
    let [(sources, from), (places, to)] = &sides;
    let endpoints = ((sources, from), (places, to));
    compared(readings, endpoints, rows, &mut shared, then);
}

fn rows_of<'p>([before, after]: &[Reading<'p>; 2], shared: &mut Shared<'p>) -> [Rc<Rows<'p>>; 2] {
    [shared.rows(before, 0), shared.rows(after, 1)].map(Rc::new)
}

/// The endpoints of one side with their classes.
type SideOf<'a, 'p> = (&'a Atoms<'p>, &'a Classes<'p>);

/// Compares what the sources reach at the places, by rows that are ready.
fn compared<'p>(
    readings: &[Reading<'p>; 2],
    ((sources, from), (places, to)): (SideOf<'_, 'p>, SideOf<'_, 'p>),
    [earlier, later]: [Rc<Rows<'p>>; 2],
    shared: &mut Shared<'p>,
    then: &mut dyn FnMut(&mut Compared<'_, 'p>),
) {
    let [before, after] = readings;
    let reaches = [
        Reach::by((before, 0), earlier, (from, to), shared),
        Reach::by((after, 1), later, (from, to), shared),
    ];
    let pair = Pair {
        reaches: reaches.each_ref(),
        from,
        to,
        former_ids: &places.former_ids,
        is_asked: sources.is_asked,
    };
    let differences = pair.differences(shared);
    let naming = (Naming::new(sources), Naming::new(places));
    let reported = match sources.is_asked {
        true => ReportedDifferences::default(),
        false => reported(&differences, (from, to), (&naming.0, &naming.1)),
    };
    then(&mut Compared {
        readings,
        sources,
        places,
        from,
        to,
        reaches: reaches.each_ref(),
        shared,
        differences,
        naming,
        reported,
        served: IdTable::filled(from.list.len(), None),
    });
}

impl<'p> Compared<'_, 'p> {
    /// The same comparison for some other sources.
    pub fn for_sources(
        &mut self,
        sources: &Atoms<'p>,
        then: &mut dyn FnMut(&mut Compared<'_, 'p>),
    ) {
        let rows = self.reaches.map(|reach| Rc::clone(&reach.rows));
        let from = Classes::new(self.readings, Side::Source, sources);
        let endpoints = ((sources, &from), (self.places, self.to));
        compared(self.readings, endpoints, rows, self.shared, then);
    }
}

impl Compared<'_, '_> {
    /// The sources that lose something for certain.
    pub fn losers(&self) -> Vec<Party> {
        let mut losers = Vec::new();
        for source in &self.reported.sources {
            let party = self.naming.0.party(source.name);
            // A machine that no longer reaches itself loses nothing, and nobody what leads nowhere today.
            let own = party.filter(|_| self.naming.0.is_one_machine(source.name));
            let is_other = |to: Option<NameId>| match to {
                Some(to) => own.is_none() || self.naming.1.party(to) != own,
                None => own.is_none(),
            };
            let loses = source.lists.iter().any(|(list, _)| {
                let list = self.reported.lists.get(*list).into_iter().flatten();
                let mut others = list.filter(|reported| is_other(reported.to));
                others.any(|reported| {
                    let item = self.differences.items.get(reported.item);
                    item.is_some_and(|item| item.is_lost() && !item.is_vacant)
                })
            });
            if loses {
                losers.extend(party.cloned());
            }
        }
        losers
    }

    /// Whether a source reaches anything but itself in the later reading, certainly or perhaps.
    pub fn still_reaches(&mut self, party: &Party) -> bool {
        let Some(name) = self.sources.named(party) else {
            return false;
        };
        let is_vacant = self.sources.names.get(name).is_some_and(|it| it.is_vacant);
        if is_vacant && self.families_named(Side::Source) != 0 {
            return true;
        }
        let own = match self.naming.0.is_one_machine(name) {
            true => self.places_of(party),
            false => Vec::new(),
        };
        // What a device in other hands reaches, these reach.
        let mut later = self.sources.names.get(name).cloned();
        if let Some(later) = &mut later {
            let atoms = later.atoms.iter().copied();
            let left = atoms.filter(|atom| !is_others(party, *atom, self.sources, 1));
            later.atoms = left.collect();
        }
        self.from.of(later.as_ref()).into_iter().any(|class| {
            // A machine does not count for itself.
            self.served(class).iter().any(|to| {
                let class = self.to.list.get(*to);
                let atoms = class.map_or(&[][..], |class| &class.atoms);
                !atoms.iter().all(|atom| own.binary_search(atom).is_ok())
            })
        })
    }

    /// What a class of sources reaches in the later reading, without what nobody receives today. Kept: all members of a group are often
    /// one class, and each of them is asked about.
    fn served(&mut self, source: ClassId) -> Rc<[ClassId]> {
        if let Some(known) = self.served.get(source).and_then(Option::as_ref) {
            return Rc::clone(known);
        }
        let [_, after] = self.reaches;
        let hits = after.hits(source, &|_| true, self.shared);
        let served = hits.iter().filter(|hit| !hit.is_vacant).map(|hit| hit.to);
        // Hits stand by their destination.
        let mut served: Vec<ClassId> = served.collect();
        served.dedup();
        let served: Rc<[ClassId]> = served.into();
        if let Some(known) = self.served.get_mut(source) {
            *known = Some(Rc::clone(&served));
        }
        served
    }

    /// The endpoints that are a source as destinations.
    fn places_of(&self, party: &Party) -> Vec<AtomId> {
        let own = self.places.named(party);
        let own = own.and_then(|own| self.places.names.get(own));
        own.map_or(Vec::new(), |name| name.atoms.clone())
    }

    /// For how many endpoints the earlier rules are that are about each destination: what few reach is what a gain is read for.
    pub fn popularity(&self) -> IdTable<AtomId, usize> {
        let [before, _] = self.reaches;
        let mut of_rule: Vec<usize> = Vec::new();
        for (id, class) in self.from.list.iter() {
            let mut rules = before.rules_about(id);
            rules.dedup_by_key(|about| about.0);
            for (rule, ..) in rules {
                if rule >= of_rule.len() {
                    of_rule.resize(rule + 1, 0);
                }
                if let Some(count) = of_rule.get_mut(rule) {
                    *count += class.atoms.len();
                }
            }
        }
        let mut popularity = IdTable::filled(self.places.list.len(), 0);
        for (rule, count) in of_rule.into_iter().enumerate() {
            for (_, row) in before.rows.of(rule) {
                let classes = before.taken.get(row.to).into_iter().flatten();
                for class in classes.filter_map(|(class, _)| self.to.list.get(*class)) {
                    for atom in &class.atoms {
                        if let Some(known) = popularity.get_mut(*atom) {
                            *known += count;
                        }
                    }
                }
            }
        }
        popularity
    }

    /// The classes of a destination.
    pub fn classes_of_place(&self, name: NameId) -> Vec<ClassId> {
        self.to.of(self.places.names.get(name))
    }

    /// The classes of a source.
    pub fn classes_of(&self, name: NameId) -> Vec<ClassId> {
        self.from.of(self.sources.names.get(name))
    }
}
