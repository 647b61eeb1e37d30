//! What two readings open for one class of sources at one place, and what only one of them opens there.
//! Must not live here: at which places readings are compared (compare.rs), checks of ssh logins (checks.rs).

use super::hit::Hit;
use super::ids::TermId;
use super::item::{Item, Turn};
use super::reach::Shared;
use crate::policy::language::port_set::PortSet;
use crate::policy::tailnet::prospect::Prospect;
use crate::tables::sort;

/// What each of two readings opens at one place, by terms.
pub struct Cell {
    /// What is open by its terms, in each reading.
    pub opened: [Vec<(TermId, PortSet)>; 2],
    hits: [Vec<Hit>; 2],
}

impl Cell {
    /// The hits of each reading at one place.
    pub fn new(hits: [&[Hit]; 2], shared: &Shared<'_>) -> Cell {
        let opened = hits.map(|hits| {
            let mut opened: Vec<(TermId, PortSet)> = Vec::new();
            for hit in hits {
                let Some(set) = shared.sets.get(hit.set) else {
                    continue;
                };
                match opened.iter_mut().find(|(term, _)| *term == hit.term) {
                    Some((_, all)) => *all = all.union(set),
                    None => opened.push((hit.term, set.clone())),
                }
            }
            sort::sort_by(&mut opened, |(a, _), (b, _)| a.cmp(b));
            opened
        });
        Cell {
            opened,
            hits: hits.map(<[Hit]>::to_vec),
        }
    }

    /// What differs. Ports on which the same terms depend in both readings are one region.
    pub fn items(&self, shared: &mut Shared<'_>) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for region in self.regions() {
            let [before, after] = &region.terms;
            let (before, after) = (least(before, shared), least(after, shared));
            let gained = only(&after, &before, shared);
            let lost = only(&before, &after, shared);
            for (turn, terms, other) in
                [(Turn::Gained, gained, &before), (Turn::Lost, lost, &after)]
            {
                for term in terms {
                    for item in self.items_on(turn, term, other, &region.set, shared) {
                        join(&mut items, item, shared);
                    }
                }
            }
        }
        either(&mut items);
        items
    }

    /// One difference: certain, unless it or what the other reading has instead is undecided. Where the other may have it on more
    /// conditions, it is undecided on these.
    fn items_on(
        &self,
        turn: Turn,
        term: TermId,
        other: &[TermId],
        set: &PortSet,
        shared: &mut Shared<'_>,
    ) -> Vec<Item> {
        let conditions = &mut shared.conditions;
        let own = conditions.certain_part(term);
        let mut why = conditions.reasons(term);
        let (mut unless, mut perhaps) = (Vec::new(), Vec::new());
        for &other in other {
            let part = conditions.certain_part(other);
            let mut reasons = conditions.presumptions(part, own);
            let is_implied = !reasons.is_empty() || conditions.implied(part, own);
            reasons.append(&mut conditions.reasons(other));
            match is_implied {
                _ if reasons.is_empty() => unless.push(other),
                true => why.append(&mut reasons),
                false => perhaps.push((part, reasons)),
            }
        }
        perhaps.retain(|(part, _)| !unless.iter().any(|it| conditions.implied(*it, *part)));
        let is_perhaps = unless.is_empty() && !perhaps.is_empty();
        unless.extend(perhaps.iter().map(|(part, _)| *part));
        // A posture that became another under its name is neither gained nor lost.
        let at = usize::from(turn == Turn::Gained);
        let mut others = unless.iter();
        let is_redefined = others.any(|other| conditions.is_redefined(term, at, *other));
        let is_certain = why.is_empty() && !is_redefined;
        let open = self.hits.get(at);
        let mut item = Item {
            turn,
            may: turn.prospect(),
            set: shared.sets.id(set.clone()),
            term: own,
            unless: distinct(unless),
            is_perhaps,
            why: distinct(why),
            rules: self.rules(turn, is_certain, term, set, shared),
            is_vacant: open.is_some_and(|hits| hits.iter().all(|hit| hit.is_vacant)),
            through: None,
        };
        if !is_certain {
            item.doubt(item.may);
        }
        let mut items = vec![item.clone()];
        for (part, why) in perhaps.into_iter().filter(|_| is_certain) {
            let mut part = Item {
                term: shared.conditions.both(own, part),
                why: distinct(why),
                rules: self.rules(turn, false, term, set, shared),
                ..item.clone()
            };
            part.doubt(part.may);
            items.push(part);
        }
        items
    }

    /// The rules of one reading that open some of a set on a term.
    pub fn rules_on(
        &self,
        at: usize,
        term: TermId,
        set: &PortSet,
        shared: &Shared<'_>,
    ) -> Vec<usize> {
        let hits = self.hits.get(at).into_iter().flatten();
        let own = hits.filter(|hit| {
            let is_part = shared.sets.get(hit.set).is_some_and(|own| own.meets(set));
            is_part && hit.term == term
        });
        let mut rules: Vec<usize> = own.filter_map(|hit| hit.rule).collect();
        sort::sort(&mut rules);
        rules.dedup();
        rules
    }

    fn rules(
        &self,
        turn: Turn,
        is_certain: bool,
        term: TermId,
        set: &PortSet,
        shared: &Shared<'_>,
    ) -> [Vec<usize>; 2] {
        let mut rules = [Vec::new(), Vec::new()];
        let own = usize::from(turn == Turn::Gained);
        for ((at, opened), rules) in self.opened.iter().enumerate().zip(&mut rules) {
            if is_certain && at != own {
                continue;
            }
            for (known, _) in opened.iter().filter(|(it, _)| !is_certain || *it == term) {
                rules.append(&mut self.rules_on(at, *known, set, shared));
            }
            sort::sort(rules);
            rules.dedup();
        }
        rules
    }

    /// The ports by the terms on which they depend in each reading.
    pub fn regions(&self) -> Vec<TermPorts> {
        let mut regions: Vec<TermPorts> = Vec::new();
        for (reading, opened) in self.opened.iter().enumerate() {
            for (term, set) in opened {
                let mut rest = set.clone();
                let mut cut = Vec::new();
                for region in &mut regions {
                    let shared = region.set.intersect(&rest);
                    if shared.is_empty() {
                        continue;
                    }
                    rest = rest.minus(&shared);
                    let outside = region.set.minus(&shared);
                    if !outside.is_empty() {
                        cut.push(TermPorts {
                            set: outside,
                            terms: region.terms.clone(),
                        });
                    }
                    region.set = shared;
                    if let Some(terms) = region.terms.get_mut(reading) {
                        terms.push(*term);
                    }
                }
                if !rest.is_empty() {
                    let mut terms = [Vec::new(), Vec::new()];
                    if let Some(terms) = terms.get_mut(reading) {
                        terms.push(*term);
                    }
                    cut.push(TermPorts { set: rest, terms });
                }
                regions.append(&mut cut);
            }
        }
        regions
    }
}

/// Ports on which the same terms depend.
pub struct TermPorts {
    /// The ports.
    pub set: PortSet,
    /// The terms in each reading.
    pub terms: [Vec<TermId>; 2],
}

/// The terms from which no other follows: those that matter.
pub fn least(terms: &[TermId], shared: &Shared<'_>) -> Vec<TermId> {
    let conditions = &shared.conditions;
    let mut kept = Vec::with_capacity(terms.len());
    for (at, &term) in terms.iter().enumerate() {
        let is_needless = terms.iter().enumerate().any(|(place, &other)| {
            let is_other = place != at && conditions.implied(other, term);
            // Of two that mean the same, the first stays.
            is_other && (place < at || !conditions.implied(term, other))
        });
        if !is_needless {
            kept.push(term);
        }
    }
    kept
}

/// Those terms of one reading under which the other reading does not open the same.
fn only(own: &[TermId], other: &[TermId], shared: &Shared<'_>) -> Vec<TermId> {
    let covered = |term: &TermId| {
        other
            .iter()
            .any(|other| shared.conditions.implied(*other, *term))
    };
    own.iter().copied().filter(|term| !covered(term)).collect()
}

/// Adds a difference, to one of other ports that is the same otherwise if there is one.
fn join(items: &mut Vec<Item>, item: Item, shared: &mut Shared<'_>) {
    let alike = |known: &&mut Item| {
        (known.turn, known.may, known.term) == (item.turn, item.may, item.term)
            && known.unless == item.unless
            && known.why == item.why
            && known.rules == item.rules
    };
    match items.iter_mut().find(alike) {
        Some(known) => {
            let sets = (shared.sets.get(known.set), shared.sets.get(item.set));
            if let (Some(one), Some(other)) = sets {
                let all = one.union(other);
                known.set = shared.sets.id(all);
            }
        }
        None => items.push(item),
    }
}

/// Makes one of what may be gained and the same that may be lost.
fn either(items: &mut Vec<Item>) {
    let mut all: Vec<Item> = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        let is_same = |known: &&mut Item| {
            let may = item.may;
            known.turn == Turn::Undecided
                && Item {
                    may,
                    ..(*known).clone()
                } == item
        };
        match all.iter_mut().find(is_same) {
            Some(known) => known.may = Prospect::of_both(known.may, item.may),
            None => all.push(item),
        }
    }
    *items = all;
}

/// A list in order, each item once.
pub fn distinct<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    sort::sort(&mut list);
    list.dedup();
    list
}

/// Leaves out a ping by itself where the same is reported of ports on no other condition, which bring one along.
pub fn without_pings(items: &mut Vec<Item>, shared: &Shared<'_>) {
    let is_ping = |item: &Item| shared.sets.get(item.set).is_some_and(PortSet::is_ping);
    let ports = items.iter().filter(|item| !is_ping(item));
    let ports: Vec<Item> = ports.cloned().collect();
    // What is sure to come or go with the ports need not be called undecided by itself.
    let is_sure = |other: &Item, ping: &Item| {
        let own = other.turn.prospect();
        ping.turn == Turn::Undecided && own.is_some() && own == ping.may
    };
    let brings = |other: &Item, ping: &Item| {
        let mut unless = other.unless.iter();
        (other.turn == ping.turn || is_sure(other, ping))
            && shared.conditions.implied(other.term, ping.term)
            && unless.all(|it| ping.unless.contains(it))
    };
    items.retain(|item| !is_ping(item) || !ports.iter().any(|other| brings(other, item)));
}
