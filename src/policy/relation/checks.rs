//! Logins that both readings allow and treat otherwise: a check that is new, gone, more often or less often, and what is passed on.
//! Must not live here: logins that one reading alone allows (cell.rs).

use super::cell::Cell;
use super::hit::Hit;
use super::ids::{Id, TermId};
use super::item::{Change, Differences, Item, To, Turn};
use super::pair::Pair;
use super::reach::Shared;
use super::rows::protocol_of;
use crate::policy::language::login::SshAction;
use crate::policy::language::port_set::PortSet;

impl Cell {
    /// A device tries rules with a check first: what one opens on no condition, no rule without a check opens.
    pub fn check_before_accept(&mut self) {
        let (accept, check) = (
            protocol_of(SshAction::Accept),
            protocol_of(SshAction::Check),
        );
        for opened in &mut self.opened {
            let checked = opened.iter().filter(|(term, _)| *term == TermId::at(0));
            let checked = checked.fold(PortSet::default(), |all, (_, set)| all.union(set));
            let checked = checked.moved(check, accept);
            for (_, set) in opened.iter_mut() {
                *set = set.minus(&checked);
            }
            opened.retain(|(_, set)| !set.is_empty());
        }
    }
}

/// A login that is lost without a check and gained with one only needs a check now, and the reverse.
pub fn join_checks(items: &mut Vec<Item>, shared: &mut Shared<'_>) {
    let (accept, check) = (
        protocol_of(SshAction::Accept),
        protocol_of(SshAction::Check),
    );
    let mut joined = Vec::new();
    for (turn, with_check, without) in [
        (Turn::Tighter, Turn::Gained, Turn::Lost),
        (Turn::Looser, Turn::Lost, Turn::Gained),
    ] {
        for at in 0..items.len() {
            for place in 0..items.len() {
                let (Some(one), Some(other)) = (items.get(at), items.get(place)) else {
                    continue;
                };
                let is_pair = (one.turn, other.turn, one.term) == (with_check, without, other.term);
                let sets = shared.sets.get(one.set).zip(shared.sets.get(other.set));
                let (true, Some((checked, free))) = (is_pair, sets) else {
                    continue;
                };
                let both = checked.intersect(&free.moved(accept, check));
                if both.is_empty() {
                    continue;
                }
                let rest = checked.minus(&both);
                let rest_free = free.minus(&both.moved(check, accept));
                let shown = match turn {
                    Turn::Tighter => both,
                    _ => both.moved(check, accept),
                };
                let mut rules = one.rules.clone();
                for (rules, others) in rules.iter_mut().zip(&other.rules) {
                    rules.extend_from_slice(others);
                }
                let set = shared.sets.id(shown);
                joined.push(Item {
                    turn,
                    set,
                    rules,
                    ..one.clone()
                });
                for (at, rest) in [(at, rest), (place, rest_free)] {
                    let rest = shared.sets.id(rest);
                    if let Some(item) = items.get_mut(at) {
                        item.set = rest;
                    }
                }
            }
        }
    }
    items.retain(|item| shared.sets.get(item.set).is_some_and(|set| !set.is_empty()));
    items.append(&mut joined);
}

/// What a rule decides at one place: which accounts, on which terms.
struct Decided {
    term: TermId,
    set: PortSet,
    rule: Option<usize>,
    is_own: bool,
}

/// What each rule decides: the first that opens a login does, and one with a check before the others.
fn decided(hits: &[Hit], shared: &Shared<'_>) -> Vec<Decided> {
    let (accept, check) = (
        protocol_of(SshAction::Accept),
        protocol_of(SshAction::Check),
    );
    let mut hits = hits.to_vec();
    crate::tables::sort::sort_by(&mut hits, |a, b| a.rule.cmp(&b.rule));
    let always = hits.iter().filter(|hit| hit.term == TermId::at(0));
    let checked = always.filter_map(|hit| shared.sets.get(hit.set));
    let checked = checked.fold(PortSet::default(), |all, set| all.union(set));
    let checked = checked.moved(check, accept);
    let mut found: Vec<Decided> = Vec::new();
    for hit in hits {
        let Some(set) = shared.sets.get(hit.set) else {
            continue;
        };
        let earlier = found.iter().filter(|known| known.term == hit.term);
        let set = earlier.fold(set.minus(&checked), |rest, known| rest.minus(&known.set));
        if !set.is_empty() {
            found.push(Decided {
                term: hit.term,
                set,
                rule: hit.rule,
                is_own: hit.is_own,
            });
        }
    }
    found
}

impl<'p> Pair<'_, 'p> {
    /// Compares how logins are treated that both readings allow: how long a check counts, and what is passed on.
    pub fn compare_treatments(
        &self,
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
        found: &mut Differences,
        change: &mut Change,
    ) {
        let Some(to) = hits.iter().copied().flatten().map(|hit| hit.to).next() else {
            return;
        };
        let [before, after] = hits.map(|hits| decided(hits, shared));
        let treatment = |reading: usize, decided: &Decided| {
            let reach = self.reaches.get(reading)?;
            reach.treatment(decided.rule?)
        };
        for old in &before {
            for new in after.iter().filter(|new| new.term == old.term) {
                let both = old.set.intersect(&new.set);
                let (Some(was), Some(is)) = (treatment(0, old), treatment(1, new)) else {
                    continue;
                };
                let Some(turn) = is.against(&was).filter(|_| !both.is_empty()) else {
                    continue;
                };
                let item = Item {
                    turn,
                    set: shared.sets.id(both),
                    term: old.term,
                    unless: Vec::new(),
                    why: shared.conditions.reasons(old.term),
                    rules: [
                        old.rule.into_iter().collect(),
                        new.rule.into_iter().collect(),
                    ],
                    is_vacant: false,
                    through: None,
                };
                let place = match old.is_own {
                    true => To::Own,
                    false => To::Class(to),
                };
                change.push((found.item(item), place, true));
            }
        }
    }
}
