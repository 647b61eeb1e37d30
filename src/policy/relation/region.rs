//! What is open at one place under one reading: sets of ports or accounts, each with the conditions of which one must hold.
//! Must not live here: who reaches whom (matrix.rs), what differs between two readings (cell.rs).

use super::cell::{Cell, least};
use super::condition::{Fact, Why, router};
use super::hit::Hit;
use super::ids::{Id, TermId};
use super::reach::Shared;
use super::reading::Reading;
use crate::policy::language::port_set::PortSet;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::identity::Answer;
use crate::tables::sort;

/// Ports or accounts that are open on the same conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// What is open.
    pub set: PortSet,
    /// One of these must hold.
    pub terms: Vec<TermId>,
    /// Why it is undecided; empty where it is certain.
    pub why: Vec<(Why, String)>,
    /// For logins: whether the network lets them pass.
    pub mark: Answer,
}

/// What is open at one place: regions that do not overlap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    /// What is certain.
    pub certain: Vec<Region>,
    /// What is not.
    pub undecided: Vec<Region>,
}

impl Region {
    /// Numbers that are the same for equal regions only.
    pub fn number(&self, run: &mut Vec<u64>) {
        run.extend(self.set.numbers());
        run.push(u64::MAX);
        run.extend(self.terms.iter().map(|term| term.place() as u64));
        for (why, key) in &self.why {
            run.push(u64::MAX - 1 - *why as u64);
            run.extend(key.bytes().map(u64::from));
        }
        run.extend([u64::MAX, self.mark as u64]);
    }

    /// Whether it is open on the same conditions as another.
    pub fn has_same_conditions(&self, other: &Region) -> bool {
        self.terms == other.terms && self.why == other.why && self.mark == other.mark
    }
}

/// What the hits at one place add up to: it is unknown which of several routers forwards, so that all must let it pass.
pub fn opened(hits: &[Hit], reading: &Reading<'_>, shared: &mut Shared<'_>) -> Opened {
    let is_used = |hit: &&Hit| !hit.is_vacant || !needs_router(hit.term, shared);
    let mut hits: Vec<Hit> = hits.iter().filter(is_used).copied().collect();
    for hit in &mut hits {
        hit.term = shared.conditions.presumed(hit.term);
    }
    let among = hits.iter().map(|hit| hit.among).max().unwrap_or(1);
    if among <= 1 {
        return opened_by(&hits, reading, shared);
    }
    let mut routers: Vec<Option<DeviceIndex>> = hits.iter().map(|hit| hit.through).collect();
    sort::sort(&mut routers);
    routers.dedup();
    let mut by_router = Vec::with_capacity(routers.len());
    for router in &routers {
        let mut own = hits.clone();
        own.retain(|hit| hit.through == *router);
        by_router.push(opened_by(&own, reading, shared));
    }
    let mut all = by_router.iter();
    let mut certain = all.next().map_or(Vec::new(), |first| first.certain.clone());
    for other in all {
        certain = intersect(&certain, &other.certain, shared);
    }
    if routers.len() < among {
        certain.clear();
    }
    let mut undecided: Vec<Region> = Vec::new();
    for opened in by_router {
        for mut region in opened.certain.into_iter().chain(opened.undecided) {
            if region.why.is_empty() {
                region.why.push(router());
            }
            for known in &certain {
                if holds_wherever(known, &region, shared) {
                    region.set = region.set.minus(&known.set);
                }
            }
            match undecided
                .iter_mut()
                .find(|it| it.has_same_conditions(&region))
            {
                Some(known) => known.set = known.set.union(&region.set),
                None => undecided.push(region),
            }
        }
    }
    undecided.retain(|region| !region.set.is_empty());
    Opened { certain, undecided }
}

/// Whether a region is open wherever another is, by whichever routers.
fn holds_wherever(known: &Region, region: &Region, shared: &mut Shared<'_>) -> bool {
    let mut bare = |terms: &[TermId]| -> Vec<TermId> {
        let is_via = |_, fact: &Fact<'_>| matches!(fact, Fact::Via(_));
        let terms = terms.iter();
        terms
            .map(|term| shared.conditions.without(*term, &is_via))
            .collect()
    };
    let (known, own) = (bare(&known.terms), bare(&region.terms));
    own.iter().all(|term| {
        let mut known = known.iter();
        known.any(|it| shared.conditions.implied(*it, *term))
    })
}

/// Whether a rule names the devices by which its packets go.
pub fn needs_router(term: TermId, shared: &Shared<'_>) -> bool {
    let mut facts = shared.conditions.facts(term);
    facts.any(|fact| matches!(fact, Fact::Via(_)))
}

/// The same where one device receives.
fn opened_by(hits: &[Hit], reading: &Reading<'_>, shared: &mut Shared<'_>) -> Opened {
    let mut cell = Cell::new([hits, &[]], shared);
    if reading.is_ssh {
        cell.check_before_accept(shared);
    }
    let mut opened = Opened::default();
    for region in cell.regions() {
        let [terms, _] = region.terms;
        let (mut certain, mut open) = (Vec::new(), Vec::new());
        for term in least(&terms, shared) {
            // Without devices it is not known whether one with the tag forwards.
            let is_routed = reading.knows_devices() || !needs_router(term, shared);
            match is_routed && shared.conditions.is_certain(term) {
                true => certain.push(term),
                false => open.push(term),
            }
        }
        let (mut terms, mut why) = (Vec::new(), Vec::new());
        for term in open {
            let part = shared.conditions.certain_part(term);
            let mut known = certain.iter();
            if !known.any(|known| shared.conditions.implied(*known, part)) {
                terms.push(part);
                why.extend(shared.conditions.reasons(term));
                if !reading.knows_devices() && needs_router(term, shared) {
                    why.push(router());
                }
            }
        }
        sort::sort(&mut why);
        why.dedup();
        let set = region.set;
        if !terms.is_empty() {
            let terms = least(&terms, shared);
            add(
                &mut opened.undecided,
                Region {
                    set: set.clone(),
                    terms,
                    why,
                    mark: Answer::Yes,
                },
            );
        }
        if !certain.is_empty() {
            add(
                &mut opened.certain,
                Region {
                    set,
                    terms: certain,
                    why: Vec::new(),
                    mark: Answer::Yes,
                },
            );
        }
    }
    opened
}

/// Adds a region, to one with the same conditions if there is one.
pub fn add(regions: &mut Vec<Region>, mut region: Region) {
    sort::sort(&mut region.terms);
    match regions
        .iter_mut()
        .find(|it| it.has_same_conditions(&region))
    {
        Some(known) => known.set = known.set.union(&region.set),
        None => regions.push(region),
    }
}

/// What is in both, on the stronger of two conditions.
pub fn intersect(one: &[Region], other: &[Region], shared: &Shared<'_>) -> Vec<Region> {
    let mut both = Vec::new();
    for own in one {
        for other in other
            .iter()
            .filter(|it| it.why == own.why && it.mark == own.mark)
        {
            let set = own.set.intersect(&other.set);
            if set.is_empty() {
                continue;
            }
            let mut terms = Vec::new();
            for &a in &own.terms {
                for &b in &other.terms {
                    if shared.conditions.implied(a, b) {
                        terms.push(b);
                    } else if shared.conditions.implied(b, a) {
                        terms.push(a);
                    }
                }
            }
            sort::sort(&mut terms);
            terms.dedup();
            let terms = least(&terms, shared);
            if !terms.is_empty() {
                add(
                    &mut both,
                    Region {
                        set,
                        terms,
                        why: own.why.clone(),
                        mark: own.mark,
                    },
                );
            }
        }
    }
    both
}

/// What is in one list and not in another on the same conditions.
pub fn minus(regions: &[Region], others: &[Region]) -> Vec<Region> {
    let mut left = regions.to_vec();
    for region in &mut left {
        for other in others {
            if other.has_same_conditions(region) {
                region.set = region.set.minus(&other.set);
            }
        }
    }
    left.retain(|region| !region.set.is_empty());
    left
}
