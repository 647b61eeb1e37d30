//! Who gains and who loses access between two documents.
//! Must not live here: the form of the answer (access_change.rs), how reach is computed (tailnet/reach.rs), how destinations are named (tailnet/naming.rs).
//!
//! Nothing is compared pair by pair. A rule opens the same in both documents if it leads from the same classes of
//! sources to the same classes of destinations; both documents are asked only where one alone opens something.

use std::rc::Rc;

use super::access_change::{AccessChange, AccessReach, AccessReaches};
use super::language::document::Policy;
use super::language::rule::{RuleId, RuleRef};
use super::language::selector::{Kind, Selector};
use super::tailnet::alike::Classes;
use super::tailnet::context::PolicyContext;
use super::tailnet::device_names::DeviceNames;
use super::tailnet::flow::Judge;
use super::tailnet::identity::Answer;
use super::tailnet::naming::Naming;
use super::tailnet::parties::{Parties, Stands};
use super::tailnet::party::Side;
use super::tailnet::reach::{Reach, Row};
use super::tailnet::sets::{PostureNames, Sets};
use super::tailnet::touched::Pair;
use crate::tables::index::Runs;
use crate::tables::sort;

/// Who gains and who loses what between two documents: by names if no devices are known, else by devices, which are
/// named by their users and tags if all of one change alike. Sources without a change are left out, and what holds for
/// `*` is not repeated for each destination.
#[inline(never)]
pub fn diff_access<'p>(
    before: &'p Policy<'p>,
    after: &'p Policy<'p>,
    context: &'p PolicyContext,
) -> Vec<AccessChange> {
    if before.document.text() == after.document.text() {
        return Vec::new();
    }
    let judges = [Judge::new(before, context), Judge::new(after, context)];
    diff_of([&judges[0], &judges[1]])
}

/// Like [`diff_access`], for two prepared policies.
pub(super) fn diff_of<'p>(judges: [&Judge<'p>; 2]) -> Vec<AccessChange> {
    let [sources, places] = [Side::Source, Side::Destination].map(|side| parties(judges, side));
    diff_between(judges, &sources, &places)
}

/// All sources and destinations that may change: by names if no devices are known, else by devices.
pub(super) fn parties<'p>(judges: [&Judge<'p>; 2], side: Side) -> Vec<Stands<'p>> {
    let [first, _] = judges;
    let context = first.network.context;
    match (context.devices.is_some(), side) {
        (true, Side::Source) => device_sources(judges, &DeviceNames::of(context)),
        (true, Side::Destination) => device_places(judges, &DeviceNames::of(context)),
        (false, side) => named(judges, side),
    }
}

/// What some sources gain and lose at some places.
pub(super) fn diff_between<'p>(
    judges: [&Judge<'p>; 2],
    sources: &[Stands<'p>],
    places: &[Stands<'p>],
) -> Vec<AccessChange> {
    let [before, after] = judges;
    let from = Classes::new(&judges, Side::Source, sources);
    let to = Classes::new(&judges, Side::Destination, places);
    let (mut sets, mut postures) = (Sets::default(), PostureNames::default());
    let reaches = [
        Reach::new(before, 0, (&from, &to), &mut sets, &mut postures),
        Reach::new(after, 1, (&from, &to), &mut sets, &mut postures),
    ];
    let mut difference = Difference {
        pair: Pair {
            judges,
            reaches: [&reaches[0], &reaches[1]],
            from: &from,
            to: &to,
        },
        places,
        rules: [before.rule_refs(), after.rule_refs()],
        naming: Naming::new(places),
        sets,
        postures: &postures,
        known: Runs::default(),
        changes: Vec::new(),
    };
    let changes = difference.by_group();
    changes_by_source(sources, &from, &changes, &difference.changes)
}

/// The users, tags and other selectors of both documents.
fn named<'p>(judges: [&Judge<'p>; 2], side: Side) -> Vec<Stands<'p>> {
    let mut parties = Parties::default();
    for judge in judges {
        parties.add_names(&judge.network, side);
    }
    parties.sorted()
}

/// Every device, what is behind the routers, and names without a device.
fn device_sources<'p>(judges: [&Judge<'p>; 2], names: &DeviceNames<'_>) -> Vec<Stands<'p>> {
    let mut parties = Parties::default();
    let [first, _] = judges;
    parties.add_devices(&first.network, names);
    parties.add_subnets(&first.network);
    for judge in judges {
        let mut names = Parties::default();
        names.add_names(&judge.network, Side::Source);
        parties.add_without_devices(names);
    }
    parties.in_order()
}

/// Every device, and what is behind the routers if a document or a route names it: no ends that nobody reaches.
fn device_places<'p>(judges: [&Judge<'p>; 2], names: &DeviceNames<'_>) -> Vec<Stands<'p>> {
    let mut parties = Parties::default();
    let [first, _] = judges;
    parties.add_devices(&first.network, names);
    parties.add_subnets(&first.network);
    for judge in judges {
        parties.add_told_nets(&judge.network, &judge.about.destinations.selectors);
    }
    parties.add_internet(&first.network);
    let everywhere = |judge: &&Judge<'_>| {
        let mut named = judge.about.destinations.selectors.iter();
        judge.policy().allows_all() || named.any(|to| to.kind == Kind::Any)
    };
    if judges.iter().any(everywhere) {
        parties.add_everywhere();
    }
    parties.in_order()
}

/// What changes for a group of sources.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Change {
    gained: Rc<[AccessReach]>,
    lost: Rc<[AccessReach]>,
}

/// What is open at a group of destinations under only one document.
struct Part {
    group: usize,
    set: usize,
    rules: Vec<RuleId>,
    /// The destinations on a part of which the other document opens some of it, ascending.
    partly: Vec<usize>,
}

impl Part {
    /// What parts have in common that are named together.
    fn likeness(&self) -> (usize, &[RuleId]) {
        (self.set, &self.rules)
    }

    fn number(&self, run: &mut Vec<u64>) {
        run.extend([self.group as u64, self.set as u64]);
        run.push(self.rules.len() as u64);
        run.extend(self.rules.iter().map(|id| id.0 as u64));
        run.push(self.partly.len() as u64);
        run.extend(self.partly.iter().map(|&place| place as u64));
    }
}

struct Difference<'a, 'p> {
    pair: Pair<'a, 'p>,
    places: &'a [Stands<'p>],
    rules: [Vec<RuleRef>; 2],
    naming: Naming<'a>,
    sets: Sets,
    postures: &'a PostureNames<'p>,
    known: Runs,
    /// The distinct changes.
    changes: Vec<Change>,
}

impl<'p> Difference<'_, 'p> {
    /// What changes for each group of sources, as a place in `changes`; nothing for those that no difference touches.
    fn by_group(&mut self) -> Vec<Option<usize>> {
        let touched = self.pair.touched();
        let groups_of = self.pair.to.groups_of();
        let mut changes = Vec::with_capacity(self.pair.from.groups.len());
        for classes in &self.pair.from.groups {
            let (mut lists, mut everywhere) = (Vec::new(), false);
            for &class in classes {
                lists.extend_from_slice(touched.of.get(class).map_or(&[][..], Vec::as_slice));
                everywhere |= touched.everywhere.get(class) == Some(&true);
            }
            sort::sort(&mut lists);
            lists.dedup();
            if lists.is_empty() && !everywhere {
                changes.push(None);
                continue;
            }
            // What `*` gains or loses is not repeated for what only `*` includes.
            let mut others = Vec::new();
            if everywhere {
                others = self.pair.reached_by_name(classes);
                others.extend_from_slice(self.everywhere());
            }
            let wanted = touched.wanted(&lists, others, self.pair.to, &groups_of);
            changes.push(self.change(classes, &wanted, &groups_of));
        }
        changes
    }

    fn change(
        &mut self,
        classes: &[usize],
        wanted: &[bool],
        groups_of: &[Vec<usize>],
    ) -> Option<usize> {
        let is_wanted = |class: usize| wanted.get(class) == Some(&true);
        let [before, after] = self.pair.reaches;
        let before = before.row(classes, groups_of, &is_wanted, &mut self.sets);
        let after = after.row(classes, groups_of, &is_wanted, &mut self.sets);
        let mut gained = self.only_in(&after, &before);
        let mut lost = self.only_in(&before, &after);
        if gained.is_empty() && lost.is_empty() {
            return None;
        }
        let mut run = Vec::new();
        for (parts, other) in [(&mut gained, 0), (&mut lost, 1)] {
            run.push(u64::MAX);
            let mut rivals = None;
            for part in parts {
                // Parts often open the same.
                let (_, rivals) = match rivals.take() {
                    Some(known @ (set, _)) if set == part.set => rivals.insert(known),
                    _ => rivals.insert((part.set, self.rivals(part.set, other, classes))),
                };
                part.partly = self.partly(part, other, rivals);
                part.number(&mut run);
            }
        }
        let place = self.known.place(&run);
        if place == self.changes.len() {
            let change = Change {
                gained: self.reaches(gained, 1),
                lost: self.reaches(lost, 0),
            };
            self.changes.push(change);
        }
        Some(place)
    }

    /// What the first row has and the second does not, `*` first; what `*` covers is not repeated.
    fn only_in(&mut self, row: &[Row], other: &[Row]) -> Vec<Part> {
        let nothing = self.sets.place(Default::default());
        let everywhere = self
            .naming
            .everywhere
            .and_then(|at| self.pair.to.of_party.get(at).copied());
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = |sets: &mut Sets, row: &Row, but: usize| {
            let same = other
                .binary_search_by(|other| other.group.cmp(&row.group))
                .ok();
            let same = same
                .and_then(|at| other.get(at))
                .map_or(nothing, |row| row.certain);
            let rest = sets.difference(row.certain, same);
            let set = sets.difference(rest, but);
            if set != nothing {
                parts.push(Part {
                    group: row.group,
                    set,
                    rules: rules_of(row, set, sets),
                    partly: Vec::new(),
                });
            }
            rest
        };
        let mut but = nothing;
        if let Some(all) = row.iter().find(|row| Some(row.group) == everywhere) {
            but = rest(&mut self.sets, all, nothing);
        }
        for row in row.iter().filter(|row| Some(row.group) != everywhere) {
            rest(&mut self.sets, row, but);
        }
        parts
    }

    /// The parts by the names of their destinations.
    fn reaches(&mut self, mut parts: Vec<Part>, document: usize) -> Rc<[AccessReach]> {
        let mut reaches = Vec::new();
        sort::sort_by(&mut parts, |a, b| a.likeness().cmp(&b.likeness()));
        for alike in parts.chunk_by(|a, b| a.likeness() == b.likeness()) {
            let Some(first) = alike.first() else {
                continue;
            };
            let (mut places, mut partly) = (Vec::new(), Vec::new());
            for part in alike {
                partly.extend_from_slice(&part.partly);
                for place in self.members(part.group) {
                    if part.partly.binary_search(place).is_err() {
                        places.push(*place);
                    }
                }
            }
            sort::sort(&mut places);
            sort::sort(&mut partly);
            let set = self.sets.get(first.set);
            let (ports, opens) = (set.texts(), set.openings(&self.postures.names));
            let rules = self.rules.get(document).map_or(&[][..], Vec::as_slice);
            let because: Vec<RuleRef> = first
                .rules
                .iter()
                .filter_map(|id| rules.get(id.0).copied())
                .collect();
            for (places, partly) in [(places, false), (partly, true)] {
                for (party, _) in self.naming.named(&places) {
                    reaches.push(AccessReach {
                        destination: party.name.clone(),
                        party,
                        ports: ports.clone(),
                        opens: opens.clone(),
                        because: because.clone(),
                        partly,
                    });
                }
            }
        }
        sort::sort_by(&mut reaches, |a, b| {
            (a.party.kind, &a.party.name).cmp(&(b.party.kind, &b.party.name))
        });
        reaches.into()
    }

    /// The classes of the destination that is `*`.
    fn everywhere(&self) -> &[usize] {
        let place = self.naming.everywhere;
        let group = place.and_then(|place| self.pair.to.of_party.get(place));
        let classes = group.and_then(|&group| self.pair.to.groups.get(group));
        classes.map_or(&[], Vec::as_slice)
    }

    /// The destinations of a group, ascending: only `*` if it is among them, as it covers all others.
    fn members(&self, group: usize) -> &[usize] {
        let members = self.pair.to.members.get(group);
        let members = members.map_or(&[][..], Vec::as_slice);
        let everywhere = self.naming.everywhere;
        let everywhere = everywhere.and_then(|at| members.iter().find(|member| **member == at));
        everywhere.map_or(members, std::slice::from_ref)
    }

    /// Those destinations of a part that are sets of addresses on a part of which the other document opens some of the same.
    fn partly(&self, part: &Part, other: usize, rivals: &[Rival<'p>]) -> Vec<usize> {
        let Some(judge) = self.pair.judges.get(other) else {
            return Vec::new();
        };
        let touches = |whole, (via, to): &Rival<'p>| judge.network.touches(via, to, whole);
        let mut partly = Vec::new();
        for &place in self.members(part.group) {
            let whole = self.places.get(place).and_then(Stands::set);
            if whole.is_some_and(|whole| rivals.iter().any(|rival| touches(whole, rival))) {
                partly.push(place);
            }
        }
        partly
    }

    /// Where the other document opens some of a set to classes of sources.
    fn rivals(&self, set: usize, other: usize, classes: &[usize]) -> Vec<Rival<'p>> {
        let pair = &self.pair;
        let (Some(reach), Some(judge)) = (pair.reaches.get(other), pair.judges.get(other)) else {
            return Vec::new();
        };
        let about = &judge.about;
        let mut rivals = Vec::new();
        let rules = classes.iter().flat_map(|&class| reach.rules_about(class));
        for (id, ..) in rules.filter(|(_, answer, _)| *answer == Answer::Yes) {
            let via = about.rule(id).map_or(&[][..], |rule| rule.via);
            for (open, to) in reach.openings_of(id).filter_map(|at| reach.opening(at)) {
                if self.sets.meet(open, set) {
                    let to = about.destinations.selectors.get(to);
                    rivals.extend(to.map(|to| (via, *to)));
                }
            }
        }
        rivals
    }
}

/// The `via` tags of a rule, and one of its destinations.
type Rival<'p> = (&'p [Selector<'p>], &'p Selector<'p>);

/// The rules of a row that open some of a set, ascending.
fn rules_of(row: &Row, set: usize, sets: &Sets) -> Vec<RuleId> {
    let mut rules = Vec::new();
    for hit in &row.hits {
        if hit.answer == Answer::Yes && sets.meet(hit.set, set) {
            rules.extend(hit.rule);
        }
    }
    sort::sort(&mut rules);
    rules.dedup();
    rules
}

/// The changes by the names of their sources: logins and tags if all their devices change alike, else devices.
fn changes_by_source(
    sources: &[Stands<'_>],
    from: &Classes<'_>,
    by_group: &[Option<usize>],
    changes: &[Change],
) -> Vec<AccessChange> {
    let naming = Naming::new(sources);
    let mut alike = vec![Vec::new(); changes.len()];
    for (at, &group) in from.of_party.iter().enumerate() {
        let change = by_group.get(group).copied().flatten();
        if let Some(places) = change.and_then(|change| alike.get_mut(change)) {
            places.push(at);
        }
    }
    let mut named = Vec::new();
    for (change, places) in changes.iter().zip(alike) {
        for (party, _) in naming.named(&places) {
            let own = Some(&party).filter(|party| naming.is_one_device(party));
            let gained = AccessReaches::of(&change.gained, own);
            let lost = AccessReaches::of(&change.lost, own);
            if !gained.is_empty() || !lost.is_empty() {
                named.push(AccessChange {
                    source: party.name.clone(),
                    party,
                    gained,
                    lost,
                });
            }
        }
    }
    sort::sort_by(&mut named, |a, b| {
        (a.party.kind, &a.party.name).cmp(&(b.party.kind, &b.party.name))
    });
    named
}
