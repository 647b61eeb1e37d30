//! What one class of sources reaches, under one reading: the hits of its rules on classes of destinations. Built for one class
//! when it is asked for; the time is proportional to the answer.
//! Must not live here: what differs between two readings (compare.rs), names.

use std::borrow::Cow;
use std::rc::Rc;

use super::accounts::opened;
use super::classes::Classes;
use super::condition::Why;
use super::hit::{Hit, among, is_routed, is_through};
use super::ids::{ClassId, FactId, Id, RowId, SetId, TermId};
use super::postures::{decided, supposed};
use super::reading::Reading;
use super::rows::{Opens, Row, Rows, Treatment};
pub use super::shared::Shared;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports};
use crate::policy::language::rule::{Rule, RuleOpening};
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::next_hop::{Given, NextHop};
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

/// What is reached under one reading.
pub struct Reach<'a, 'p> {
    /// The reading.
    pub reading: &'a Reading<'p>,
    /// Which of the two it is.
    at: usize,
    /// The rows of its rules.
    pub rows: Rc<Rows<'p>>,
    from: &'a Classes<'p>,
    to: &'a Classes<'p>,
    /// The classes that each destination includes, by its index.
    pub taken: Vec<Vec<(ClassId, Answer)>>,
    /// Those that somebody's own devices include, by the user; without one under an empty name.
    own: Vec<(&'p str, ClassId, Answer)>,
    /// The posture of the source in a question, where what nobody knows is what the source lacks; what the question does not give is that of
    /// the source's device. Outside of questions what nobody knows is undecided.
    pub given: Option<Given<'a>>,
    /// Whether a rule without `via` counts whichever device receives: the document's tests judge the policy as a whole
    /// (docs/policy-language.md#tests).
    pub as_a_whole: bool,
    everything: SetId,
}

impl<'a, 'p> Reach<'a, 'p> {
    /// Prepares one of two readings.
    #[inline(never)]
    pub fn new(
        reading: &'a Reading<'p>,
        at: usize,
        classes: (&'a Classes<'p>, &'a Classes<'p>),
        shared: &mut Shared<'p>,
    ) -> Reach<'a, 'p> {
        let rows = Rc::new(shared.rows(reading, at));
        Reach::by((reading, at), rows, classes, shared)
    }

    /// The same by rows that are ready.
    pub fn by(
        (reading, at): (&'a Reading<'p>, usize),
        rows: Rc<Rows<'p>>,
        (from, to): (&'a Classes<'p>, &'a Classes<'p>),
        shared: &mut Shared<'p>,
    ) -> Reach<'a, 'p> {
        let all = PortSet::of(None, &Ports::One(PortRange::ALL));
        let named = reading.named(Side::Destination);
        let taken = to.taken(at, named.selectors.len());
        let is_own = taken.iter().enumerate().filter(|(at, _)| named.is_own(*at));
        let own = to.by_user(at, is_own.flat_map(|(_, classes)| classes));
        Reach {
            reading,
            at,
            rows,
            from,
            to,
            taken,
            own,
            given: None,
            as_a_whole: false,
            everything: shared.sets.id(all),
        }
    }

    /// How a rule treats the logins that it allows.
    pub fn treatment(&self, rule: usize) -> Option<Treatment> {
        let (_, row) = self.rows.of(rule).next()?;
        match &row.opens {
            Opens::Accounts(_, _, treatment) => Some(treatment.clone()),
            Opens::Set(_) => None,
        }
    }

    /// The rules about a class of sources, each with the selectors that include it; ascending.
    pub fn rules_about(&self, source: ClassId) -> Vec<(usize, usize, Answer)> {
        let class = self.from.list.get(source);
        let takers = class.and_then(|class| class.takers.get(self.at));
        let named = self.reading.named(Side::Source);
        let mut found = Vec::new();
        for &(selector, answer) in takers.into_iter().flatten() {
            for &rule in named.uses(selector) {
                found.push((rule, selector, answer));
            }
        }
        sort::sort(&mut found);
        found
    }

    /// What the rules open for a class of sources at the classes that are wanted, by destination.
    #[inline(never)]
    pub fn hits(
        &self,
        source: ClassId,
        wanted: &dyn Fn(ClassId) -> bool,
        shared: &mut Shared<'p>,
    ) -> Vec<Hit> {
        let mut hits = Vec::new();
        let Some(class) = self.from.list.get(source) else {
            return hits;
        };
        let Some(end) = class.endpoints.get(self.at).and_then(Option::as_ref) else {
            return hits;
        };
        let mut asked = ReachQuery {
            reach: self,
            from: end,
            is_moved: class.is_moved(),
            given: self.given_of(end),
            family: class.family,
            next_hops: Vec::new(),
            decided: Vec::new(),
        };
        if self.reading.allows_all() {
            asked.everyone(wanted, shared, &mut hits);
        }
        let rules = self.rules_about(source);
        for about in rules.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(rule, ..)) = about.first() else {
                continue;
            };
            let source_terms = self.source_terms((end, class.is_moved()), about, shared);
            for (id, row) in self.rows.of(rule) {
                for &(to, answer) in self.taken_for(end, row.to).iter() {
                    if wanted(to) {
                        asked.add((id, rule), &source_terms, (to, answer), shared, &mut hits);
                    }
                }
            }
        }
        sort::sort(&mut hits);
        hits.dedup();
        hits
    }

    /// The classes that a destination includes, ascending; of `autogroup:self` without the devices of users other than the source's.
    fn taken_for(&self, from: &Endpoint<'p>, to: usize) -> Cow<'_, [(ClassId, Answer)]> {
        let all = self.taken.get(to).map_or(&[][..], Vec::as_slice);
        let user = from.identity.user();
        let Some(user) = user.filter(|_| self.reading.named(Side::Destination).is_own(to)) else {
            return all.into();
        };
        let mut own = [self.own_of(user), self.own_of("")].concat();
        sort::sort(&mut own);
        own.dedup();
        own.into()
    }

    /// The classes of the devices of a user; of those without one under an empty name.
    pub fn own_of(&self, user: &str) -> Vec<(ClassId, Answer)> {
        let start = self.own.partition_point(|own| own.0 < user);
        let own = self.own.get(start..).unwrap_or_default().iter();
        let own = own.take_while(|own| own.0 == user);
        own.map(|own| (own.1, own.2)).collect()
    }

    /// The terms under which a rule is about a source, of which one must hold.
    fn source_terms(
        &self,
        from: (&Endpoint<'p>, bool),
        about: &[(usize, usize, Answer)],
        shared: &mut Shared<'p>,
    ) -> Vec<TermId> {
        if about.iter().any(|(.., answer)| *answer == Answer::Yes) {
            return vec![shared.conditions.always()];
        }
        let mut terms = Vec::with_capacity(about.len());
        for &(_, selector, _) in about {
            for fact in self.undecided(Side::Source, selector, from, shared) {
                terms.push(shared.conditions.term(vec![fact]));
            }
        }
        terms
    }
}

/// One source that is asked about, with the next hops of its packets.
struct ReachQuery<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    from: &'r Endpoint<'p>,
    /// Whether its user is another in the later reading.
    is_moved: bool,
    /// Its posture, as far as it is known.
    given: Given<'r>,
    family: u8,
    /// The next hop to each class that no device is, once it was looked up.
    next_hops: Vec<(ClassId, Option<NextHop>)>,
    /// What is left of each term of a rule, once it was decided.
    decided: Vec<(TermId, Option<TermId>)>,
}

impl<'p> ReachQuery<'_, '_, 'p> {
    /// Adds what a row opens at a class.
    fn add(
        &mut self,
        (id, rule): (RowId, usize),
        source: &[TermId],
        (to, answer): (ClassId, Answer),
        shared: &mut Shared<'p>,
        hits: &mut Vec<Hit>,
    ) {
        let reach = self.reach;
        let (Some(row), Some(class)) = (reach.rows.list.get(id), reach.to.list.get(to)) else {
            return;
        };
        let Some(end) = class.endpoints.get(reach.at).and_then(Option::as_ref) else {
            return;
        };
        if class.family & self.family == 0 {
            return;
        }
        let is_own = reach.reading.named(Side::Destination).is_own(row.to);
        if self.is_nobodys(end) {
            return;
        }
        let shares = match is_own {
            true => self.from.identity.shares_user(end.identity),
            false => Answer::Yes,
        };
        if shares == Answer::No {
            return;
        }
        let mut depends = vec![None];
        if answer == Answer::Unknown {
            let facts = reach.undecided(Side::Destination, row.to, (end, class.is_moved()), shared);
            depends = facts.into_iter().map(Some).collect();
        } else if shares == Answer::Unknown {
            depends = vec![Some(shared.conditions.undecided(Why::User, "same user"))];
        }
        let network = reach.reading.network;
        let own = (network, self.from.identity, reach.given.is_some());
        let ids = (
            &mut shared.sets,
            &mut shared.conditions,
            &mut shared.accounts,
        );
        for (set, whose) in opened(own, &row.opens, ids) {
            for fact in &depends {
                let facts: Vec<FactId> = fact.iter().copied().chain(whose).collect();
                let term = shared.conditions.term(facts);
                let hit = Hit {
                    is_own,
                    rule: Some(rule),
                    by: row.to,
                    ..Hit::of(to, term, set)
                };
                self.add_hit(hit, (id, row), source, end, shared, hits);
            }
        }
    }

    /// Adds a hit under each of the terms of its row and its source.
    fn add_hit(
        &mut self,
        hit: Hit,
        (id, row): (RowId, &Row<'p>),
        source: &[TermId],
        end: &Endpoint<'p>,
        shared: &mut Shared<'p>,
        hits: &mut Vec<Hit>,
    ) {
        for &condition in &row.terms {
            let Some(condition) = self.decided(condition, shared) else {
                continue;
            };
            for &own in source {
                let term = shared.conditions.both(own, condition);
                let term = shared.conditions.both(term, hit.term);
                self.deliver(Hit { term, ..hit }, id, end, shared, hits);
            }
        }
    }

    /// Whether a destination means own devices where the source has none, or they have the name of its user.
    fn is_nobodys(&self, to: &Endpoint<'p>) -> bool {
        let from = self.from.identity;
        let has_none = from.shares_user(Identity::OWN) == Answer::No;
        to.identity == Identity::OWN && (has_none || from.user().is_some())
    }

    /// What is left of a term of a rule where the posture of the source is known; none where it does not hold.
    fn decided(&mut self, term: TermId, shared: &mut Shared<'p>) -> Option<TermId> {
        if let Some((_, decided)) = self.decided.iter().find(|(known, _)| *known == term) {
            return *decided;
        }
        let network = self.reach.reading.network;
        let own = (network, self.reach.at);
        let decided = decided(own, self.from, self.given, term, &mut shared.conditions);
        self.decided.push((term, decided));
        decided
    }

    /// Adds a hit for each device that may receive it.
    fn deliver(
        &mut self,
        hit: Hit,
        row: RowId,
        end: &Endpoint<'p>,
        shared: &mut Shared<'p>,
        hits: &mut Vec<Hit>,
    ) {
        let reading = self.reach.reading;
        let about = &reading.judge.about;
        let is_machine = end.device.is_some() || end.place == Place::Supposed;
        if reading.is_ssh {
            return hits.push(hit);
        }
        let rule = hit.rule.and_then(|rule| about.rules.get(rule));
        let has_via = rule.is_some_and(|rule| !rule.via.is_empty());
        if is_machine {
            // What a device has for itself is never reached by way of another.
            if !has_via {
                hits.push(hit);
            }
            return;
        }
        if !reading.knows_devices() {
            if end.identity != Identity::Unknown || !has_via {
                hits.push(hit);
            }
            return;
        }
        // Each opening of a network rule is one row.
        let opening = about.openings.get(row.place());
        let (Some(rule), Some((_, opening))) = (rule, opening) else {
            return;
        };
        self.forward(hit, (rule, opening), end, shared, hits);
    }

    /// Adds a hit for each device that may forward it to an address that no device has.
    fn forward(
        &mut self,
        hit: Hit,
        (rule, opening): (&Rule<'p>, &RuleOpening<'p>),
        end: &Endpoint<'p>,
        shared: &mut Shared<'p>,
        hits: &mut Vec<Hit>,
    ) {
        let reading = self.reach.reading;
        let has_via = !rule.via.is_empty();
        if self.reach.as_a_whole && !has_via {
            return hits.push(hit);
        }
        let own = supposed(&shared.conditions, hit.term, self.reach.at);
        let postures = &[self.given.postures, &own].concat();
        let given = Given {
            postures,
            ..self.given
        };
        let vacant = Hit {
            is_vacant: true,
            ..hit
        };
        let next_hop = self.next_hop_given(hit.to, end, given);
        let among = among(next_hop.as_ref());
        let Some((next_hop, address)) = next_hop
            .filter(|next_hop| !next_hop.devices().is_empty())
            .zip(end.address())
        else {
            // The rules as a whole decide where nobody receives.
            return hits.push(vacant);
        };
        let count = hits.len();
        for &device in next_hop.devices() {
            if !is_through(reading.network, device, hit.term, &shared.conditions) {
                continue;
            }
            let judge = &reading.judge;
            if !judge.admits((rule, opening), (&next_hop, address), device) {
                continue;
            }
            let from = (self.from, self.is_moved, given);
            let to = (address, &next_hop, device);
            let (term, way) = self.reach.way(from, to, hit.term, shared);
            hits.push(Hit {
                through: Some(device),
                term,
                among,
                way,
                ..hit
            });
        }
        // A rule for devices with a tag that none of them has; of several tags each by itself.
        let via = (rule.via, opening.to);
        let is_routed = || is_routed(reading.network, via, hit.term, &shared.conditions);
        if has_via && hits.len() == count && !is_routed() {
            hits.push(vacant);
        }
    }

    /// The next hop for a source that has the postures of a rule, where which device forwards depends on postures.
    fn next_hop_given(
        &mut self,
        to: ClassId,
        end: &Endpoint<'p>,
        given: Given<'_>,
    ) -> Option<NextHop> {
        let next_hop = self.next_hop(to, end)?;
        let has_more = given.postures.len() > self.given.postures.len();
        match self.reach.given.is_none() && has_more && next_hop.is_one_of() {
            true => self.reach.next_hop_given(self.from, end, given),
            false => Some(next_hop),
        }
    }

    /// The next hop to an address that no device has.
    fn next_hop(&mut self, to: ClassId, end: &Endpoint<'p>) -> Option<NextHop> {
        if let Some((_, next_hop)) = self.next_hops.iter().find(|(known, _)| *known == to) {
            return next_hop.clone();
        }
        let next_hop = self.reach.next_hop(self.from, end);
        self.next_hops.push((to, next_hop.clone()));
        next_hop
    }

    /// As if one rule opened everything to everyone in the tailnet (docs/policy-language.md#no-rules-at-all).
    fn everyone(
        &mut self,
        wanted: &dyn Fn(ClassId) -> bool,
        shared: &mut Shared<'p>,
        hits: &mut Vec<Hit>,
    ) {
        let term = match self.reach.reading.network.is_in_tailnet(self.from) {
            Answer::No => return,
            Answer::Yes => shared.conditions.always(),
            Answer::Unknown => {
                let fact = shared.conditions.undecided(Why::Routes, "from *");
                shared.conditions.term(vec![fact])
            }
        };
        for (to, class) in self.reach.to.list.iter() {
            let Some(end) = class.endpoints.get(self.reach.at).and_then(Option::as_ref) else {
                continue;
            };
            if !wanted(to) || class.family & self.family == 0 || self.is_nobodys(end) {
                continue;
            }
            let hit = Hit::of(to, term, self.reach.everything);
            let is_machine = end.device.is_some() || end.place == Place::Supposed;
            let next_hop = match is_machine || !self.reach.reading.knows_devices() {
                true => None,
                false => self.next_hop(to, end),
            };
            let devices = next_hop.as_ref().map_or(&[][..], NextHop::devices);
            if devices.is_empty() {
                hits.push(Hit {
                    is_vacant: !is_machine && self.reach.reading.knows_devices(),
                    ..hit
                });
            }
            for &device in devices {
                hits.push(Hit {
                    through: Some(device),
                    among: among(next_hop.as_ref()),
                    ..hit
                });
            }
        }
    }
}
