//! What classes of ends reach at each other, under one document. Ends that the same selectors include are one class, and
//! are evaluated once; the time is proportional to the size of the answer.
//! Must not live here: names and the form of the answer (access.rs, diff_access.rs), the verdict on one flow (flow.rs).

use super::alike::Classes;
use super::endpoint::{Endpoint, Place};
use super::flow::Judge;
use super::identity::Answer;
use super::sets::{PostureNames, Sets};
use super::way::Way;
use crate::policy::language::port_set::{Opens, PortSet};
use crate::policy::language::ports::{PortRange, Ports};
use crate::policy::language::rule::RuleId;
use crate::tables::index::Numbers;
use crate::tables::sort;

/// The classes that each selector includes under a document, by its index.
fn taken(classes: &Classes<'_>, document: usize, selectors: usize) -> Vec<Vec<(usize, Answer)>> {
    let mut taken = vec![Vec::new(); selectors];
    for (class, takers) in classes
        .takers
        .get(document)
        .into_iter()
        .flatten()
        .enumerate()
    {
        for &(selector, answer) in takers {
            if let Some(taken) = taken.get_mut(selector) {
                taken.push((class, answer));
            }
        }
    }
    taken
}

/// What one rule opens for a class of sources at a class of destinations.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The class of the destination.
    pub to: usize,
    /// Which of those that may receive there is meant; 0 if only the rules decide.
    pub receiver: usize,
    /// Whether it is certain.
    pub answer: Answer,
    /// What is open, by its index in [`Sets`].
    pub set: usize,
    /// The rule; none if a document without rules allows everything.
    pub rule: Option<RuleId>,
    /// The selectors of source and destination that include them, by index.
    pub by: Option<(usize, usize)>,
}

/// The ways from one source to classes of destinations, each found once.
#[derive(Default)]
struct Ways {
    places: Numbers,
    list: Vec<Option<Way>>,
}

/// What is reached under one document.
pub struct Reach<'j, 'p> {
    judge: &'j Judge<'p>,
    /// The index of the document among those of the classes.
    document: usize,
    sources: &'j Classes<'p>,
    destinations: &'j Classes<'p>,
    /// The classes that each destination selector includes, by its index.
    taken: Vec<Vec<(usize, Answer)>>,
    /// What each opening opens, and the index of its destination, by the index of the opening.
    openings: Vec<(usize, usize)>,
    /// Where the openings of each rule begin.
    starts: Vec<usize>,
    everything: usize,
    /// The posture that determines the way of sources; other postures they need are listed with what they reach.
    pub posture: Option<&'p str>,
    /// Answers below this one are ignored.
    pub least: Answer,
    /// If only some openings are wanted: whether a set is, by its index.
    pub asked: Option<Vec<bool>>,
}

impl<'j, 'p> Reach<'j, 'p> {
    /// Prepares one document.
    #[inline(never)]
    pub fn new(
        judge: &'j Judge<'p>,
        document: usize,
        (sources, destinations): (&'j Classes<'p>, &'j Classes<'p>),
        sets: &mut Sets,
        postures: &mut PostureNames<'p>,
    ) -> Reach<'j, 'p> {
        let about = &judge.about;
        let taken = taken(destinations, document, about.destinations.selectors.len());
        let (mut openings, mut starts) = (Vec::new(), Vec::new());
        for (id, opening) in &about.openings {
            while starts.len() <= id.0 {
                starts.push(openings.len());
            }
            let wanted = about.rule(*id).map_or(&[][..], |rule| rule.postures);
            let mut numbers: Vec<usize> = Vec::with_capacity(wanted.len());
            for word in wanted {
                numbers.push(postures.place(judge.policy(), word.name()));
            }
            let set = Opens::of(PortSet::of(opening.protocol, opening.ports), &numbers);
            let to = about.destinations.place(opening.to.name());
            openings.push((sets.place(set), to.unwrap_or_default()));
        }
        while starts.len() <= about.rules.len() {
            starts.push(openings.len());
        }
        let all = PortSet::of(None, &Ports::One(PortRange::ALL));
        let everything = sets.place(Opens::of(all, &[]));
        Reach {
            judge,
            document,
            sources,
            destinations,
            taken,
            openings,
            starts,
            everything,
            posture: None,
            least: Answer::No,
            asked: None,
        }
    }

    /// The openings of a rule, as indices.
    pub fn openings_of(&self, rule: RuleId) -> std::ops::Range<usize> {
        let at = |rule: usize| {
            self.starts
                .get(rule)
                .copied()
                .unwrap_or(self.openings.len())
        };
        at(rule.0)..at(rule.0 + 1)
    }

    /// What an opening opens, and the index of its destination.
    pub fn opening(&self, at: usize) -> Option<(usize, usize)> {
        self.openings.get(at).copied()
    }

    /// The classes that a destination includes, by the index of its selector.
    pub fn taken_by(&self, selector: usize) -> &[(usize, Answer)] {
        self.taken.get(selector).map_or(&[], Vec::as_slice)
    }

    /// The classes that each source selector includes, by its index.
    pub fn taken_by_sources(&self) -> Vec<Vec<(usize, Answer)>> {
        taken(
            self.sources,
            self.document,
            self.judge.about.sources.selectors.len(),
        )
    }

    /// The rules about a class of sources: each with the best answer, and the source that gives it.
    pub fn rules_about(&self, source: usize) -> Vec<(RuleId, Answer, usize)> {
        let takers = self.sources.takers.get(self.document);
        let takers = takers.and_then(|takers| takers.get(source));
        let mut found: Vec<(RuleId, Answer, usize)> = Vec::new();
        for &(selector, answer) in takers.into_iter().flatten() {
            for &rule in self.judge.about.sources.uses(selector) {
                found.push((RuleId(rule), answer, selector));
            }
        }
        sort::sort_by(&mut found, |a, b| (a.0, b.1, a.2).cmp(&(b.0, a.1, b.2)));
        found.dedup_by(|later, first| later.0 == first.0);
        found
    }

    /// Everything that rules open for a class of sources, by destination.
    #[inline(never)]
    pub fn hits(&self, source: usize, wanted: &dyn Fn(usize) -> bool) -> Vec<Hit> {
        let mut hits = Vec::new();
        let Some(from) = self.sources.ends.get(source) else {
            return hits;
        };
        if self.judge.policy().allows_all() {
            self.everyone(from, wanted, &mut hits);
            return hits;
        }
        let mut ways = Ways::default();
        for (rule, answer, by) in self.rules_about(source) {
            for at in self.openings_of(rule) {
                let Some((set, to)) = self.opening(at) else {
                    continue;
                };
                let asked = self.asked.as_ref();
                if asked.is_some_and(|asked| asked.get(set) != Some(&true)) {
                    continue;
                }
                for &(class, taken) in self.taken_by(to) {
                    if answer.min(taken) >= self.least && wanted(class) {
                        let hit = Hit {
                            to: class,
                            receiver: 0,
                            answer: answer.min(taken),
                            set,
                            rule: Some(rule),
                            by: Some((by, to)),
                        };
                        self.add(from, at, hit, &mut ways, &mut hits);
                    }
                }
            }
        }
        sort::sort_by(&mut hits, |a, b| a.to.cmp(&b.to));
        hits
    }

    /// Adds a hit for each device that may receive.
    fn add(&self, from: &Endpoint<'p>, at: usize, hit: Hit, ways: &mut Ways, hits: &mut Vec<Hit>) {
        let about = &self.judge.about;
        let (Some(to), Some((id, opening))) =
            (self.destinations.ends.get(hit.to), about.openings.get(at))
        else {
            return;
        };
        let own = match about.destinations.is_own(hit.by.map_or(0, |(_, to)| to)) {
            true => from.identity.shares_user(to.identity),
            false => Answer::Yes,
        };
        let Some(rule) = about.rule(*id) else {
            return;
        };
        let is_routed = to.device.is_none() && to.place != Place::Supposed;
        if rule.via.is_empty() && !is_routed {
            let answer = hit.answer.min(own);
            if answer != Answer::No {
                hits.push(Hit { answer, ..hit });
            }
            return;
        }
        let place = ways.places.place(hit.to as u64, ways.list.len());
        if place == ways.list.len() {
            ways.list
                .push(self.judge.way_to(from, to, self.posture.as_slice()));
        }
        let way = ways.list.get(place).and_then(Option::as_ref);
        for (receiver, admits) in self
            .judge
            .admits(rule, opening, to, way)
            .into_iter()
            .enumerate()
        {
            let answer = hit.answer.min(own).min(admits);
            if answer != Answer::No {
                // Of several exit nodes the source takes the one it likes.
                let receiver = receiver.min(way.map_or(1, Way::open) - 1);
                hits.push(Hit {
                    receiver,
                    answer,
                    ..hit
                });
            }
        }
    }

    /// How many devices may receive what a source sends to a destination; one if only the rules decide.
    pub fn receivers(&self, source: usize, destination: usize) -> usize {
        let (from, to) = (
            self.sources.ends.get(source),
            self.destinations.ends.get(destination),
        );
        let way = from
            .zip(to)
            .and_then(|(from, to)| self.judge.way_to(from, to, self.posture.as_slice()));
        way.map_or(1, |way| way.open())
    }

    /// As if one rule opened everything to everyone in the tailnet (docs/policy-language.md#no-rules-at-all).
    fn everyone(&self, from: &Endpoint<'p>, wanted: &dyn Fn(usize) -> bool, hits: &mut Vec<Hit>) {
        let answer = self.judge.network.is_in_tailnet(from);
        if answer == Answer::No {
            return;
        }
        for to in (0..self.destinations.ends.len()).filter(|to| wanted(*to)) {
            for receiver in 0..self.receivers_of(from, to) {
                hits.push(Hit {
                    to,
                    receiver,
                    answer,
                    set: self.everything,
                    rule: None,
                    by: None,
                });
            }
        }
    }

    fn receivers_of(&self, from: &Endpoint<'p>, destination: usize) -> usize {
        let to = self.destinations.ends.get(destination);
        let way = to.and_then(|to| self.judge.way_to(from, to, self.posture.as_slice()));
        way.map_or(1, |way| way.open())
    }
}

/// What some sources reach at one group of destinations.
#[derive(Clone, Debug)]
pub struct Row {
    /// The group, by its index.
    pub group: usize,
    /// What is certainly open, by its index in [`Sets`].
    pub certain: usize,
    /// The same including what may be open.
    pub possible: usize,
    /// The hits that make it up.
    pub hits: Vec<Hit>,
}

impl Reach<'_, '_> {
    /// What every one of some classes reaches at some class of each group, groups ascending. `groups` are those of each
    /// class of destinations; only wanted classes are evaluated.
    #[inline(never)]
    pub fn row(
        &self,
        classes: &[usize],
        groups: &[Vec<usize>],
        wanted: &dyn Fn(usize) -> bool,
        sets: &mut Sets,
    ) -> Vec<Row> {
        let mut rows: Option<Vec<Row>> = None;
        for &class in classes {
            let own = self.row_of_class(class, groups, wanted, sets);
            rows = Some(match rows {
                None => own,
                Some(rows) => in_both(rows, own, sets),
            });
        }
        rows.unwrap_or_default()
    }

    fn row_of_class(
        &self,
        class: usize,
        groups: &[Vec<usize>],
        wanted: &dyn Fn(usize) -> bool,
        sets: &mut Sets,
    ) -> Vec<Row> {
        let hits = self.hits(class, wanted);
        let mut rows: Vec<Row> = Vec::new();
        for run in hits.chunk_by(|a, b| a.to == b.to) {
            let Some(first) = run.first() else {
                continue;
            };
            let receivers = self.receivers(class, first.to);
            let (certain, possible) = joined_hits(run, receivers, sets);
            for &group in groups.get(first.to).into_iter().flatten() {
                rows.push(Row {
                    group,
                    certain,
                    possible,
                    hits: run.to_vec(),
                });
            }
        }
        sort::sort_by(&mut rows, |a, b| a.group.cmp(&b.group));
        let mut joined: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            match joined.last_mut() {
                Some(last) if last.group == row.group => {
                    last.certain = sets.union(vec![last.certain, row.certain]);
                    last.possible = sets.union(vec![last.possible, row.possible]);
                    last.hits.extend(row.hits);
                }
                _ => joined.push(row),
            }
        }
        joined
    }
}

/// What two classes have in common.
fn in_both(one: Vec<Row>, other: Vec<Row>, sets: &mut Sets) -> Vec<Row> {
    let mut other = other.into_iter().peekable();
    let mut rows = Vec::new();
    for mut row in one {
        while other.next_if(|next| next.group < row.group).is_some() {}
        if let Some(same) = other.next_if(|next| next.group == row.group) {
            row.certain = sets.intersection(&[row.certain, same.certain]);
            row.possible = sets.intersection(&[row.possible, same.possible]);
            row.hits.extend(same.hits);
            rows.push(row);
        }
    }
    rows
}

/// What the hits at one class of destinations add up to: what is certainly open, and what may be.
fn joined_hits(hits: &[Hit], receivers: usize, sets: &mut Sets) -> (usize, usize) {
    let mut at = |answer: Answer| {
        let mut by_receiver = Vec::with_capacity(receivers);
        for receiver in 0..receivers.max(1) {
            let mut places = Vec::new();
            for hit in hits {
                if hit.receiver == receiver && hit.answer >= answer {
                    places.push(hit.set);
                }
            }
            by_receiver.push(sets.union(places));
        }
        by_receiver
    };
    let (certain, possible) = (at(Answer::Yes), at(Answer::Unknown));
    // What only some of those have who may receive is not certain.
    (sets.intersection(&certain), sets.union(possible))
}
