//! What differs in what goes through one of several devices, where it is not known which of them forwards, or whether the source may use it.
//! Must not live here: what goes through one device, whichever others there are (compare.rs).

use super::cell::distinct;
use super::condition::{Fact, router};
use super::hit::Hit;
use super::ids::TermId;
use super::item::{Item, Turn};
use super::pair::Pair;
use super::reach::Shared;
use crate::policy::language::port_set::PortSet;
use crate::policy::tailnet::context::DeviceIndex;

impl<'p> Pair<'_, 'p> {
    /// What differs in what goes through one of several devices: by what differs in what goes through each, whether that is the same, and of
    /// how many one forwards.
    pub(super) fn items_among(
        &self,
        forwarder: &str,
        (is_same, routed, among): (bool, &[&Vec<Item>], Option<usize>),
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
    ) -> Vec<Item> {
        let common = common(routed, among);
        let mut items = match is_same {
            true => common,
            false => self.items_by_way(forwarder, &common, hits, shared),
        };
        for item in items.iter_mut().filter(|_| !is_same) {
            item.through = Some(forwarder.to_owned());
        }
        let mut reported = items.clone();
        reported.extend(routed.iter().copied().flatten().cloned());
        items.append(&mut self.items_by_others(forwarder, &reported, hits, shared));
        items
    }

    /// What differs in what goes through one of several devices: that the source may use it is a condition where it is not decided. What
    /// all that may forward have in common does not depend on it.
    fn items_by_way(
        &self,
        forwarder: &str,
        common: &[Item],
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
    ) -> Vec<Item> {
        let [before, after] = hits.map(|hits| {
            let by_way = hits.iter().map(|hit| Hit {
                term: match hit.way {
                    Some(way) => shared.conditions.both(hit.term, way),
                    None => hit.term,
                },
                ..*hit
            });
            by_way.collect::<Vec<_>>()
        });
        let mut items = self.items_of(Some(forwarder), [&before, &after], shared);
        items.retain_mut(|item| {
            let mut left = shared.sets.get(item.set).cloned().unwrap_or_default();
            let is_same = |it: &&Item| it.term == item.term && it.turn.prospect() == item.may;
            for known in common.iter().filter(is_same) {
                left = shared
                    .sets
                    .get(known.set)
                    .map_or(left.clone(), |set| left.minus(set));
            }
            let other = 1 - item.reading();
            let others = hits.get(other).copied().unwrap_or_default();
            let is_left = |hit: &&Hit| {
                hit.way.is_some() && self.id_of(other, hit.through).as_deref() == Some(forwarder)
            };
            if item.may.is_some() && others.iter().any(|hit| is_left(&hit)) {
                left = left.minus(&open_by_all(others, item.term, shared));
            }
            item.set = shared.sets.id(left.clone());
            !left.is_empty()
        });
        items.extend(common.iter().cloned());
        items
    }

    /// What goes through a device under both readings, and under one of them for certain alone: another may forward under the other, and lets
    /// nothing of it pass. What differs by that one is reported of it.
    fn items_by_others(
        &self,
        forwarder: &str,
        reported: &[Item],
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
    ) -> Vec<Item> {
        let own = [0, 1].map(|at| {
            let hits = hits.get(at).copied().unwrap_or_default().iter();
            let own = hits.filter(|hit| self.id_of(at, hit.through).as_deref() == Some(forwarder));
            own.copied().collect::<Vec<Hit>>()
        });
        let mut items = Vec::new();
        for term in distinct(own.iter().flatten().map(|hit| hit.term).collect()) {
            let [before, after] = own.each_ref().map(|own| open_on(own, term, shared));
            let both = before.intersect(&after);
            let [before, after] = hits.map(|hits| open_by_all(hits, term, &mut *shared));
            for (turn, here, there) in [
                (Turn::Gained, &after, &before),
                (Turn::Lost, &before, &after),
            ] {
                let mut left = both.intersect(here).minus(there);
                for reported in reported
                    .iter()
                    .filter(|reported| reported.may == turn.prospect())
                {
                    left = shared
                        .sets
                        .get(reported.set)
                        .map_or(left.clone(), |set| left.minus(set));
                }
                if left.is_empty() {
                    continue;
                }
                let rules = own.each_ref().map(|own| {
                    let own = own.iter().filter(|hit| {
                        let set = shared.sets.get(hit.set);
                        hit.term == term && set.is_some_and(|set| set.meets(&left))
                    });
                    distinct(own.filter_map(|hit| hit.rule).collect())
                });
                let mut why = shared.conditions.reasons(term);
                why.push(router());
                let certain = shared.conditions.certain_part(term);
                items.push(Item {
                    turn: Turn::Undecided,
                    may: turn.prospect(),
                    set: shared.sets.id(left),
                    term: shared.conditions.presumed(certain),
                    unless: Vec::new(),
                    is_perhaps: false,
                    why: distinct(why),
                    rules,
                    is_vacant: false,
                    through: Some(forwarder.to_owned()),
                });
            }
        }
        items
    }
}

/// What all devices that may forward let pass, so that it does not depend on which of them may.
fn common(routed: &[&Vec<Item>], among: Option<usize>) -> Vec<Item> {
    let mut common = routed.first().map_or(Vec::new(), |items| items.to_vec());
    common.retain(|item| {
        among <= Some(routed.len()) && routed.iter().all(|items| items.contains(item))
    });
    common
}

/// What some hits open on a term.
fn open_on(hits: &[Hit], term: TermId, shared: &Shared<'_>) -> PortSet {
    let own = hits.iter().filter(|hit| hit.term == term && !hit.is_vacant);
    let sets = own.filter_map(|hit| shared.sets.get(hit.set));
    sets.fold(PortSet::default(), |all, set| all.union(set))
}

/// What is open where a term holds, whichever device forwards; of exit nodes the source chooses one.
fn open_by_all(hits: &[Hit], term: TermId, shared: &mut Shared<'_>) -> PortSet {
    let mut by_device: Vec<(Option<DeviceIndex>, PortSet)> = Vec::new();
    for hit in hits {
        // What goes through a device goes through one with a tag of the rule.
        let is_via = |_, fact: &Fact<'_>| matches!(fact, Fact::Via(_));
        let own = shared.conditions.without(hit.term, &is_via);
        if hit.is_vacant || !shared.conditions.implied(own, term) {
            continue;
        }
        let set = shared.sets.get(hit.set).cloned().unwrap_or_default();
        match by_device
            .iter_mut()
            .find(|(known, _)| *known == hit.through)
        {
            Some((_, known)) => *known = known.union(&set),
            None => by_device.push((hit.through, set)),
        }
    }
    let among = hits.iter().map(|hit| hit.among).max().unwrap_or(1);
    let mut sets = by_device.iter().map(|(_, set)| set);
    let first = sets.next().filter(|_| among <= by_device.len());
    let first = first.cloned().unwrap_or_default();
    sets.fold(first, |all, set| match among {
        1 => all.union(set),
        _ => all.intersect(set),
    })
}
