//! Rules made superfluous by another rule.
//! Must not live here: refusals; which selector includes which (`takers`).
//!
//! One rule covers another if it has, for each source of the other, a source that includes it, and the same for each opening.
//! A rule that covers another therefore names something that includes any one source, and something that includes any one
//! destination. Rules are indexed by the sources and by the destinations that they name; for the rule in question the source
//! or destination is chosen that the fewest rules name, and those rules are compared with it. The number of comparisons grows
//! with the size of the rule only: in unusual documents a covered rule may be missed, but none is reported wrongly.

use std::ops::Range;

use crate::hujson::Span;
use crate::tables::grouped::Grouped;
use crate::tables::sort;

use super::Faults;
use super::takers::{Inclusions, SelectorNames};
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, ours};
use crate::policy::findings::words::joined;
use crate::policy::language::document::{Policy, Word};
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::language::rule::{Lines, Rule};
use crate::policy::tailnet::party::Side;

/// How many steps the search for a covering rule takes, and how many more for each of its sources and openings.
const STEPS: usize = 256;
const STEPS_EACH: usize = 64;

/// Among how many sources and destinations of a rule the one is chosen that the fewest rules name.
const KEYS: usize = 8;

/// One destination, by its index, with its ports.
#[derive(Clone, Copy)]
struct CoverOpening<'p> {
    to: usize,
    protocol: Option<Protocol>,
    ports: &'p Ports,
}

/// A rule prepared for comparison: the indices of its sources and openings among all. Both ascend by index.
struct CoverRule<'p> {
    span: Span,
    /// One of these is needed, if there are any.
    postures: &'p [Word<'p>],
    sources: Range<usize>,
    openings: Range<usize>,
    /// Whether all its destinations are readable, so that it is known what must be covered.
    is_whole: bool,
}

/// How a rule is found that includes a source or a destination.
#[derive(Clone, Copy)]
struct Search {
    /// How many rules name one of those that include it.
    count: usize,
    /// A bit for each of those.
    bits: u64,
}

/// All rules that can be compared.
struct CoverIndex<'p> {
    entries: Vec<CoverRule<'p>>,
    sources: Vec<usize>,
    openings: Vec<CoverOpening<'p>>,
    takers: Inclusions,
    /// The sources of each rule, and its destinations, a bit for each.
    bits: [Vec<u64>; 2],
    /// What must be compared for each source and each destination, by its index.
    searches: [Vec<Search>; 2],
    /// The rules that name each source or destination, by its index, ascending.
    by_source: Grouped,
    by_target: Grouped,
}

impl Policy<'_> {
    /// A warning for each rule that opens nothing another one does not. Of two equal rules the later is named.
    pub(super) fn covered(&self, faults: &Faults) -> Vec<Finding> {
        let compared = CoverIndex::of(self, faults);
        let mut covered = Vec::new();
        for (at, entry) in compared.entries.iter().enumerate() {
            let by = compared.cover(at, entry);
            if let Some(by) = by.and_then(|by| compared.entries.get(by)) {
                let is_void = !entry.postures.is_empty() && by.postures.is_empty();
                covered.push((entry.span, by.span.start, is_void));
            }
        }
        self.covered_by(covered)
    }

    /// A warning for each covered rule, passed on with the place of the rule that covers it, and whether that one needs no posture
    /// where this one does.
    fn covered_by(&self, mut covered: Vec<(Span, usize, bool)>) -> Vec<Finding> {
        // By those places, so that the lines of all are counted in one pass.
        sort::sort_by(&mut covered, |a, b| a.1.cmp(&b.1));
        let mut lines = Lines::new(self.document.text());
        let mut found = Vec::new();
        for (span, by, is_void) in covered {
            let rule = joined(&["the rule at line ", &lines.line_of(by).to_string()]);
            let (code, what, hint) = match is_void {
                false => (
                    "covered_rule",
                    " already allows all of this",
                    Hint::remove(&["remove this one"]),
                ),
                true => (
                    "void_posture",
                    " allows all of this without a posture",
                    Hint::remove(&[&joined(&[
                        "remove ",
                        &rule,
                        " if the posture is meant, else this one",
                    ])]),
                ),
            };
            let finding = Finding::warning(code, span, ours(&[&rule, what]));
            found.push(Finding {
                by: Some(by),
                hint: Some(hint),
                ..finding
            });
        }
        sort::sort_by(&mut found, |a, b| a.span.start.cmp(&b.span.start));
        found
    }
}

impl<'p> CoverIndex<'p> {
    #[inline(never)]
    fn of(policy: &'p Policy<'p>, faults: &Faults) -> CoverIndex<'p> {
        let mut names = SelectorNames::default();
        let (mut entries, mut sources, mut openings) = (Vec::new(), Vec::new(), Vec::new());
        // A grant can open millions of ports with a few lines: no more are compared than the text has bytes.
        let most = policy.document.text().len();
        for rule in policy.rules() {
            if !is_plain(&rule) || faults.are_in(rule.span) {
                continue;
            }
            let left = most.saturating_sub(openings.len());
            let (first_source, first_opening) = (sources.len(), openings.len());
            for opening in rule.openings().take(left) {
                openings.push(CoverOpening {
                    to: names.place(opening.to),
                    protocol: opening.protocol,
                    ports: opening.ports,
                });
            }
            sources.extend(rule.sources.iter().map(|source| names.place(source)));
            let count = openings.len() - first_opening;
            entries.push(CoverRule {
                span: rule.span,
                postures: rule.postures,
                sources: first_source..sources.len(),
                openings: first_opening..openings.len(),
                is_whole: 0 < count && count < left && rule.destinations().count() <= count,
            });
        }
        let takers = Inclusions::of(policy, &names);
        let mut compared = CoverIndex {
            entries,
            sources,
            openings,
            takers,
            bits: Default::default(),
            searches: Default::default(),
            by_source: Grouped::default(),
            by_target: Grouped::default(),
        };
        compared.arrange();
        compared.searches = [Side::Source, Side::Destination].map(|side| {
            let places = 0..compared.takers.count();
            places.map(|place| compared.search(side, place)).collect()
        });
        compared
    }

    /// Sorts the sources and openings of each rule in their places, and notes the rule under them.
    fn arrange(&mut self) {
        let (mut by_source, mut by_target) = (Vec::new(), Vec::new());
        for (at, entry) in self.entries.iter_mut().enumerate() {
            let from = self.sources.get_mut(entry.sources.clone());
            let from = from.unwrap_or_default();
            for place in from.iter_mut() {
                *place = self.takers.same(*place);
            }
            sort::sort(from);
            let count = distinct(from);
            let from = from.get(..count).unwrap_or_default();
            entry.sources.end = entry.sources.start + count;
            by_source.extend(from.iter().map(|place| (*place, at)));
            let to = self.openings.get_mut(entry.openings.clone());
            let to = to.unwrap_or_default();
            for opened in to.iter_mut() {
                opened.to = self.takers.same(opened.to);
            }
            sort::sort_by(to, |a, b| a.to.cmp(&b.to));
            by_target.extend(to.iter().map(|opened| (opened.to, at)));
            let [sources, targets] = &mut self.bits;
            sources.push(bits(from));
            targets.push(bits(to.iter().map(|opened| &opened.to)));
        }
        self.by_source = Grouped::of(self.takers.count(), &by_source);
        self.by_target = Grouped::of(self.takers.count(), &by_target);
    }

    fn sources(&self, entry: &CoverRule<'_>) -> &[usize] {
        self.sources.get(entry.sources.clone()).unwrap_or_default()
    }

    fn openings(&self, entry: &CoverRule<'_>) -> &[CoverOpening<'p>] {
        self.openings
            .get(entry.openings.clone())
            .unwrap_or_default()
    }

    /// The rules that name the source or destination at an index.
    fn named(&self, side: Side, place: usize) -> &[usize] {
        match side {
            Side::Source => self.by_source.get(place),
            Side::Destination => self.by_target.get(place),
        }
    }

    /// A rule that covers the one at an index, and precedes it if both cover each other.
    fn cover(&self, at: usize, entry: &CoverRule<'_>) -> Option<usize> {
        if !entry.is_whole {
            return None;
        }
        let (side, key) = self.key(entry)?;
        let mut needed = [(0, 0); 2 * KEYS];
        let needed = self.needed(entry, &mut needed);
        // All that are compared name something that includes the key: what says more comes first.
        if side == Side::Source {
            needed.reverse();
        }
        let (first, rest) = needed.split_first()?;
        let firsts = self.bits.get(first.0)?;
        let is_there = |rule: usize, (side, bits): &(usize, u64)| {
            let own = self.bits.get(*side).and_then(|own| own.get(rule));
            own.is_some_and(|own| own & bits != 0)
        };
        let size = entry.sources.len() + entry.openings.len();
        let mut steps = STEPS + STEPS_EACH * size;
        for &taker in self.takers.get(side, key) {
            for &other in self.named(side, taker) {
                steps = steps.checked_sub(1)?;
                let own = firsts.get(other).copied().unwrap_or_default();
                if own & first.1 == 0 || other == at || !rest.iter().all(|it| is_there(other, it)) {
                    continue;
                }
                let Some(by) = self.entries.get(other) else {
                    continue;
                };
                if !self.covers(by, entry, &mut steps) {
                    continue;
                }
                let mut back = STEPS_EACH * (by.sources.len() + by.openings.len());
                if other < at || !self.covers(entry, by, &mut back) {
                    return Some(other);
                }
            }
        }
        None
    }

    /// What a rule that covers this one must name, as bits of its sources or of its destinations: one of those that include the
    /// first source, one of those that include the first destination, and so on.
    fn needed<'n>(
        &self,
        entry: &CoverRule<'_>,
        needed: &'n mut [(usize, u64); 2 * KEYS],
    ) -> &'n mut [(usize, u64)] {
        let mut count = 0;
        for ((side, place), needed) in self.keys(entry).zip(needed.iter_mut()) {
            *needed = (
                usize::from(side == Side::Destination),
                self.found(side, place).bits,
            );
            count += 1;
        }
        needed.get_mut(..count).unwrap_or_default()
    }

    /// The source or destination of a rule with the least to compare.
    fn key(&self, entry: &CoverRule<'_>) -> Option<(Side, usize)> {
        self.keys(entry)
            .min_by_key(|&(side, place)| self.found(side, place).count)
    }

    /// The first few sources and destinations of a rule.
    fn keys(&self, entry: &CoverRule<'_>) -> impl Iterator<Item = (Side, usize)> {
        let sources = self.sources(entry).iter().take(KEYS);
        let sources = sources.map(|place| (Side::Source, *place));
        let targets = self.openings(entry).iter().take(KEYS);
        sources.chain(targets.map(|opened| (Side::Destination, opened.to)))
    }

    fn search(&self, side: Side, place: usize) -> Search {
        let takers = self.takers.get(side, place);
        let counts = takers.iter().map(|taker| self.named(side, *taker).len());
        Search {
            count: counts.sum(),
            bits: bits(takers),
        }
    }

    /// What [`CoverIndex::search`] gives, made once for each.
    fn found(&self, side: Side, place: usize) -> Search {
        let [sources, targets] = &self.searches;
        let own = if side == Side::Source {
            sources
        } else {
            targets
        };
        own.get(place)
            .copied()
            .unwrap_or(Search { count: 0, bits: 0 })
    }

    /// Whether one rule opens all that another one does. False if that takes more steps than are left.
    fn covers(&self, outer: &CoverRule<'_>, inner: &CoverRule<'_>, steps: &mut usize) -> bool {
        let compared = outer.postures.len() * inner.postures.len();
        if !spend(steps, compared) || !takes_postures(outer.postures, inner.postures) {
            return false;
        }
        let has_source = |place: &usize| self.sources(outer).binary_search(place).is_ok();
        let from = |place: &usize| {
            let takers = self.takers.get(Side::Source, *place);
            spend(steps, takers.len()) && takers.iter().any(has_source)
        };
        if !self.sources(inner).iter().all(from) {
            return false;
        }
        let openings = self.openings(outer);
        let mut opens = |wanted: &CoverOpening<'_>| {
            let takers = self.takers.get(Side::Destination, wanted.to);
            takers.iter().any(|taker| {
                let first = openings.partition_point(|opened| opened.to < *taker);
                let own = openings.get(first..).unwrap_or_default().iter();
                let mut own = own.take_while(|opened| opened.to == *taker);
                spend(steps, 1) && own.any(|opened| opened.opens(wanted, steps))
            })
        };
        self.openings(inner).iter().all(&mut opens)
    }
}

/// Moves each of some indices, which ascend, to the front once; how many those are.
fn distinct(places: &mut [usize]) -> usize {
    let mut count = 0;
    for at in 0..places.len() {
        if count == 0 || places.get(at) != places.get(count - 1) {
            places.swap(at, count);
            count += 1;
        }
    }
    count
}

/// A bit for each of some indices. Two sets without a common bit have nothing in common.
fn bits<'p>(places: impl IntoIterator<Item = &'p usize>) -> u64 {
    let bits = places.into_iter().map(|place| 1 << (place % 64));
    bits.fold(0, |all, bit: u64| all | bit)
}

/// Takes steps from those left, if there are enough.
fn spend(left: &mut usize, steps: usize) -> bool {
    let rest = left.checked_sub(steps);
    *left = rest.unwrap_or_default();
    rest.is_some()
}

/// Whether the rule is about ports only: capabilities and `via` make rules hard to compare.
fn is_plain(rule: &Rule<'_>) -> bool {
    rule.app.is_empty() && rule.via.is_empty() && !rule.sources.is_empty()
}

/// Whether a source with one of the inner postures, or without any if none is needed, is let through by the outer ones.
pub(super) fn takes_postures(outer: &[Word<'_>], inner: &[Word<'_>]) -> bool {
    let has = |word: &Word<'_>| outer.iter().any(|outer| outer.name() == word.name());
    outer.is_empty() || !inner.is_empty() && inner.iter().all(has)
}

impl CoverOpening<'_> {
    /// Whether it opens all ports of another one.
    fn opens(&self, wanted: &CoverOpening<'_>, steps: &mut usize) -> bool {
        let protocol = match (self.protocol, wanted.protocol) {
            (None, None) => true,
            (None, Some(protocol)) => Protocol::DEFAULT.contains(&protocol),
            (own, wanted) => own == wanted,
        };
        let (own, wanted) = (self.ports.ranges(), wanted.ports.ranges());
        let holds = |wanted: &PortRange| own.iter().any(|own| own.covers(*wanted));
        protocol && spend(steps, own.len() * wanted.len()) && wanted.iter().all(holds)
    }
}
