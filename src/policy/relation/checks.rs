//! Logins that both readings allow and treat otherwise: a check that is new, gone, more often or less often, and what is passed on.
//! Must not live here: logins that one reading alone allows (cell.rs).

use super::cell::Cell;
use super::hit::Hit;
use super::ids::TermId;
use super::item::{Besides, Differences, Item, PlacedItem, Turn};
use super::pair::Pair;
use super::reach::Shared;
use super::rows::protocol_of;
use crate::policy::language::login::SshAction;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::Protocol;
use crate::policy::tailnet::prospect::Prospect;

impl Cell {
    /// A device tries rules with a check first: what one opens, no rule without a check opens where the same holds.
    pub fn check_before_accept(&mut self, shared: &Shared<'_>) {
        for opened in &mut self.opened {
            let checks = opened.clone();
            for (term, set) in opened.iter_mut() {
                for (other, checked) in &checks {
                    if shared.conditions.implied(*other, *term) {
                        *set = set.minus(&accepted(checked));
                    }
                }
            }
            opened.retain(|(_, set)| !set.is_empty());
        }
    }
}

/// The logins of rules with a check as those of rules without.
fn accepted(set: &PortSet) -> PortSet {
    let [accept, check] = actions();
    set.moved(check, accept)
}

/// The protocols of both actions.
fn actions() -> [Protocol; 2] {
    [SshAction::Accept, SshAction::Check].map(protocol_of)
}

/// Logins that one reading allows with a check and the other without.
struct Opposed {
    /// As the one has them.
    own: PortSet,
    /// As the other has them.
    other: PortSet,
    /// Whether the one has the check.
    is_checked: bool,
}

/// Takes those out of some logins that others are but for the check.
fn take_opposed(rest: &mut PortSet, others: &PortSet) -> Vec<Opposed> {
    let [accept, check] = actions();
    let mut found = Vec::new();
    for (action, opposite) in [(accept, check), (check, accept)] {
        let own = rest.intersect(&others.moved(opposite, action));
        if !own.is_empty() {
            *rest = rest.minus(&own);
            found.push(Opposed {
                other: own.moved(action, opposite),
                own,
                is_checked: action == check,
            });
        }
    }
    found
}

impl Cell {
    /// A login that both readings allow, one of them with a check, is neither gained nor lost: it needs a check now, or no longer does.
    pub fn join_checks(&self, items: &mut Vec<Item>, shared: &mut Shared<'_>) {
        let mut joined = Vec::new();
        for item in std::mem::take(items) {
            let other = match (item.turn, item.may) {
                (Turn::Gained, _) => 0,
                (Turn::Lost, _) => 1,
                (Turn::Undecided, Some(may)) => {
                    self.turn_round(item, may, shared, items, &mut joined);
                    continue;
                }
                _ => {
                    items.push(item);
                    continue;
                }
            };
            // What the other reading allows for certain decides before what a text presumes it to allow.
            let is_sure = |it: &&(TermId, PortSet)| shared.conditions.implied(it.0, item.term);
            let opened = self.opened.get(other).into_iter().flatten();
            let (sure, presumed): (Vec<_>, Vec<_>) = opened.partition(is_sure);
            let mut left = vec![item];
            // What is open without a check is not where a check is needed besides.
            for (term, set) in self.opened.get(1 - other).into_iter().flatten() {
                for item in std::mem::take(&mut left) {
                    except(item, *term, &accepted(set), shared, &mut left);
                }
            }
            for (term, set) in sure.into_iter().chain(presumed) {
                for item in std::mem::take(&mut left) {
                    self.treat(item, other, (*term, set), shared, &mut left, &mut joined);
                }
            }
            items.append(&mut left);
        }
        items.retain(|item| shared.sets.get(item.set).is_some_and(|set| !set.is_empty()));
        items.append(&mut joined);
    }

    /// What may be lost with a check is not lost where the other reading allows it without one for certain: it may be gained without a
    /// check. The same the other way round.
    fn turn_round(
        &self,
        item: Item,
        may: Prospect,
        shared: &mut Shared<'_>,
        items: &mut Vec<Item>,
        joined: &mut Vec<Item>,
    ) {
        let (other, turned) = match may {
            Prospect::Gained => (0, Prospect::Lost),
            Prospect::Lost => (1, Prospect::Gained),
        };
        let mut rest = shared.sets.get(item.set).cloned().unwrap_or_default();
        for (term, set) in self.opened.get(other).into_iter().flatten() {
            if !shared.conditions.is_certain(*term) || !shared.conditions.implied(*term, item.term)
            {
                continue;
            }
            for opposed in take_opposed(&mut rest, set) {
                let part = Item {
                    may: Some(turned),
                    rules: self.rules_of_both((item.term, *term), &opposed, other, shared),
                    set: shared.sets.id(opposed.other),
                    ..item.clone()
                };
                if !joined.contains(&part) {
                    joined.push(part);
                }
            }
        }
        items.push(Item {
            set: shared.sets.id(rest),
            ..item
        });
    }

    /// The rules of what one reading alone allows and of what the `other` one has for it.
    fn rules_of_both(
        &self,
        (own, term): (TermId, TermId),
        opposed: &Opposed,
        other: usize,
        shared: &Shared<'_>,
    ) -> [Vec<usize>; 2] {
        let mut allowed = [(own, &opposed.own), (term, &opposed.other)];
        if other == 0 {
            allowed.reverse();
        }
        let [(old, before), (new, after)] = allowed;
        [
            self.rules_on(0, old, before, shared),
            self.rules_on(1, new, after, shared),
        ]
    }

    /// Takes apart what one reading alone allows by what the other allows on a term: what is the same but for the check, what is so where
    /// that term holds, and the rest.
    fn treat(
        &self,
        item: Item,
        other: usize,
        (term, set): (TermId, &PortSet),
        shared: &mut Shared<'_>,
        left: &mut Vec<Item>,
        joined: &mut Vec<Item>,
    ) {
        let part = shared.conditions.certain_part(term);
        let mut why = shared.conditions.presumptions(part, item.term);
        if why.is_empty() && !shared.conditions.implied(part, item.term) {
            let [accept, check] = actions();
            let opposed = accepted(set).union(&set.moved(accept, check));
            return except(item, term, &opposed, shared, left);
        }
        why.append(&mut shared.conditions.reasons(term));
        let mut rest = shared.sets.get(item.set).cloned().unwrap_or_default();
        for opposed in take_opposed(&mut rest, set) {
            let mut part = item.clone();
            part.rules = self.rules_of_both((item.term, term), &opposed, other, shared);
            if !why.is_empty() {
                part.doubt(part.may);
                part.why = why.clone();
                part.set = shared.sets.id(opposed.own);
            } else {
                let is_later = other == 0;
                part.turn = if opposed.is_checked == is_later {
                    Turn::Tighter
                } else {
                    Turn::Looser
                };
                part.may = None;
                part.set = shared
                    .sets
                    .id(if is_later { opposed.own } else { opposed.other });
            }
            if !joined.contains(&part) {
                joined.push(part);
            }
        }
        left.push(Item {
            set: shared.sets.id(rest),
            ..item
        });
    }
}

/// Leaves a part of an item out where a term holds that asks for more than its own.
fn except(item: Item, term: TermId, part: &PortSet, shared: &mut Shared<'_>, left: &mut Vec<Item>) {
    let own = shared.sets.get(item.set).cloned().unwrap_or_default();
    let both = own.intersect(part);
    let conditions = &shared.conditions;
    let is_known = item.unless.iter().any(|it| conditions.implied(*it, term));
    let is_more = term != item.term && conditions.implied(item.term, term);
    if both.is_empty() || is_known || !is_more || !conditions.is_certain(term) {
        return left.push(item);
    }
    let mut unless = item.unless.clone();
    unless.push(term);
    crate::tables::sort::sort(&mut unless);
    for (set, unless) in [(own.minus(&both), item.unless.clone()), (both, unless)] {
        left.push(Item {
            set: shared.sets.id(set),
            unless,
            ..item.clone()
        });
    }
}

/// What a rule decides at one place: which accounts, on which terms.
struct Decided {
    term: TermId,
    set: PortSet,
    rule: Option<usize>,
    is_own: bool,
}

/// What each rule decides: the first that opens a login does, and one with a check before the others.
fn decided(mut hits: Vec<Hit>, shared: &Shared<'_>) -> Vec<Decided> {
    crate::tables::sort::sort_by(&mut hits, |a, b| a.rule.cmp(&b.rule));
    let mut found: Vec<Decided> = Vec::new();
    for hit in &hits {
        let Some(set) = shared.sets.get(hit.set) else {
            continue;
        };
        let holds_too = |term| shared.conditions.implied(term, hit.term);
        let mut left = set.clone();
        for other in hits.iter().filter(|other| holds_too(other.term)) {
            if let Some(set) = shared.sets.get(other.set) {
                left = left.minus(&accepted(set));
            }
        }
        for known in found.iter().filter(|known| holds_too(known.term)) {
            left = left.minus(&known.set);
        }
        if !left.is_empty() {
            found.push(Decided {
                term: hit.term,
                set: left,
                rule: hit.rule,
                is_own: hit.is_own,
            });
        }
    }
    found
}

/// What a rule decides where a term holds, by which rules before it may decide more.
fn effective(all: &[Decided], own: &Decided, term: TermId, shared: &Shared<'_>) -> PortSet {
    let mut left = own.set.clone();
    let others = all.iter().filter(|it| !std::ptr::eq(*it, own));
    for other in others.filter(|it| shared.conditions.implied(it.term, term)) {
        left = left.minus(&accepted(&other.set));
        if other.rule < own.rule {
            left = left.minus(&other.set);
        }
    }
    left
}

impl<'p> Pair<'_, 'p> {
    /// Compares how logins are treated that both readings allow: how long a check counts, and what is passed on.
    pub fn compare_treatments(
        &self,
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
        found: &mut Differences,
        placed: &mut Vec<PlacedItem>,
    ) {
        let Some(to) = hits.iter().copied().flatten().map(|hit| hit.to).next() else {
            return;
        };
        let [before, after] = hits.map(|hits| {
            let mut hits = hits.to_vec();
            for hit in &mut hits {
                hit.term = shared.conditions.presumed(hit.term);
            }
            decided(hits, shared)
        });
        let treatment = |reading: usize, decided: &Decided| {
            let reach = self.reaches.get(reading)?;
            reach.treatment(decided.rule?)
        };
        for old in &before {
            for new in &after {
                let conditions = &shared.conditions;
                let term = match () {
                    () if conditions.implied(old.term, new.term) => new.term,
                    () if conditions.implied(new.term, old.term) => old.term,
                    () => continue,
                };
                let both = effective(&before, old, term, shared);
                let both = both.intersect(&effective(&after, new, term, shared));
                let (Some(was), Some(is)) = (treatment(0, old), treatment(1, new)) else {
                    continue;
                };
                let Some(turn) = is.against(&was).filter(|_| !both.is_empty()) else {
                    continue;
                };
                let item = Item {
                    turn,
                    may: None,
                    set: shared.sets.id(both),
                    term,
                    unless: Vec::new(),
                    is_perhaps: false,
                    why: shared.conditions.reasons(term),
                    rules: [old.rule, new.rule].map(|rule| rule.into_iter().collect()),
                    is_vacant: false,
                    through: None,
                };
                placed.push(PlacedItem {
                    item: found.item(item),
                    to,
                    is_own: old.is_own && new.is_own,
                    besides: Besides::Others,
                });
            }
        }
    }
}
