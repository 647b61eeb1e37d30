//! Whether claims about flows hold: each source against each destination that it is claimed of.
//! Must not live here: who there is (world.rs), logins, the access of another policy.
//!
//! Selectors, each asked for itself, say what is certain and what may be. Whether what they leave open is so in any network
//! is asked of the two ends alone (settled.rs); where neither the claim nor a rule is certain of an end it is not asked: each
//! of those it may be stands there itself.

use super::called::Port;
use super::claims::{Ends, is_meant};
use super::counterexample::why_open;
use super::guard::Verb;
use super::passage::Passage;
use super::proof::Finding;
use super::reached::Reached;
use super::settled::Field;
use super::world::Places;
use crate::policy::language::port_set::{Opens, PortSet};
use crate::policy::language::rule::RuleRef;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::reach::Row;
use crate::policy::tailnet::sets::{PostureNames, Sets};
use crate::policy::verdict::Error;
use crate::tables::index::Numbers;
use crate::tables::sort;

/// What is allowed at a pair of ends, as far as a claim asks: a flow that is certainly not as claimed, and one that may not be.
#[derive(Clone, Copy, Default)]
pub struct Said {
    pub sure: Option<Port>,
    pub open: Option<Port>,
}

/// One claim while it is judged.
pub struct Asked<'a> {
    pub verb: Verb,
    /// Whether it is also about flows over devices between.
    pub over_devices: bool,
    pub ends: Ends<'a>,
    pub wanted: PortSet,
    /// By class of sources, those that it speaks of.
    pub sources: Vec<Vec<(Answer, usize)>>,
    /// Destinations by class, one of each.
    targets: Vec<(usize, Answer, usize)>,
    /// The places of the flows known, by the sets that are certainly and possibly open.
    known: Numbers,
    said: Vec<Said>,
    /// By the place of a set, whether it has a flow of the claim.
    meets: Vec<Option<bool>>,
    /// Which rules open what is always open.
    opening: Vec<bool>,
    pub finding: Finding,
    /// How little the counterexample says to people.
    pub strange: u8,
}

impl<'a> Asked<'a> {
    /// Makes a claim ready.
    #[inline(never)]
    pub fn new(
        field: &Field<'_, 'a>,
        (verb, over_devices): (Verb, bool),
        ends: Ends<'a>,
        wanted: PortSet,
    ) -> Asked<'a> {
        let network = &field.judge.network;
        let best = |mut asked: Vec<(Answer, usize)>, places, strange: &[u8]| {
            // Those who say most to people stand for the others.
            sort::sort_by(&mut asked, |(_, one), (_, other)| {
                strange.get(*one).cmp(&strange.get(*other))
            });
            best_of(&asked, &|one, other| field.are_alike(places, one, other))
        };
        let [strange_sources, strange_targets] = &field.strange;
        let sends = |end: &Endpoint<'_>| ends.sends(network, end);
        let receives = |end: &Endpoint<'_>| ends.receives(network, end);
        let mut sources = Vec::new();
        for members in field.from.by_class() {
            let asked = claimed(field, field.from, members, &sends);
            sources.push(match ends.has_own {
                true => asked,
                false => best(asked, field.from, strange_sources),
            });
        }
        let mut targets = Vec::new();
        for (class, members) in field.to.by_class().iter().enumerate() {
            let asked = claimed(field, field.to, members, &receives);
            let best = best(asked, field.to, strange_targets);
            targets.extend(best.into_iter().map(|(answer, at)| (class, answer, at)));
        }
        let finding = Finding {
            why: ends.lost.clone(),
            ..Finding::default()
        };
        Asked {
            verb,
            over_devices,
            ends,
            wanted,
            sources,
            targets,
            known: Numbers::default(),
            said: Vec::new(),
            meets: Vec::new(),
            opening: vec![false; field.judge.about.rules.len()],
            finding,
            strange: u8::MAX,
        }
    }

    /// Whether nothing can be found that says more.
    fn is_decided(&self) -> bool {
        self.finding.counterexample.is_some() && self.strange == 0
    }

    /// The destinations of one source, each with its class: those that are claimed of all, and its own devices.
    pub fn targets_of(&self, end: &Endpoint<'_>, to: &Places<'_>) -> Vec<(usize, Answer, usize)> {
        let mut targets = self.targets.clone();
        for (at, stands) in to.stands.iter().enumerate().filter(|_| self.ends.has_own) {
            let other = stands.ends.first().map(|end| end.identity);
            let own = other.map_or(Answer::No, |other| end.identity.shares_user(other));
            if let (Some(&class), true) = (to.classes.of_party.get(at), own != Answer::No) {
                targets.push((class, own, at));
            }
        }
        targets
    }

    /// Marks the classes of destinations that are claimed of a class of sources.
    fn want(&self, class: usize, field: &Field<'_, 'a>, wanted: &mut [bool]) {
        let sources = self.sources.get(class).map_or(&[][..], Vec::as_slice);
        for (_, end) in sources.iter().filter_map(|&(_, at)| field.from.at(at)) {
            for (class, ..) in self.targets_of(end, field.to) {
                if let Some(wanted) = wanted.get_mut(class) {
                    *wanted = true;
                }
            }
        }
    }

    /// What is allowed of the claim where these sets are open.
    fn said(&mut self, certain: usize, possible: usize, sets: &Sets) -> Said {
        let place = self
            .known
            .place((certain as u64) << 32 | possible as u64, self.said.len());
        if let Some(&known) = self.said.get(place) {
            return known;
        }
        let (certain, possible) = (sets.get(certain), sets.get(possible));
        let said = match self.verb {
            Verb::Always => {
                let rest = self.wanted.minus(&certain.plain);
                Said {
                    sure: rest.minus(&possible.plain).first(),
                    open: rest.first(),
                }
            }
            _ => Said {
                sure: certain.plain.intersect(&self.wanted).first(),
                open: possible.whole().intersect(&self.wanted).first(),
            },
        };
        self.said.push(said);
        said
    }

    /// Whether a set has a flow of the claim.
    fn meets(&mut self, set: usize, sets: &Sets) -> bool {
        if self.meets.len() <= set {
            self.meets.resize(set + 1, None);
        }
        let wanted = &self.wanted;
        let known = self.meets.get_mut(set);
        known.is_some_and(|known| {
            *known.get_or_insert_with(|| !sets.get(set).whole().intersect(wanted).is_empty())
        })
    }

    /// Which of the rules that come together in a row have a flow of the claim.
    fn mark(&mut self, row: Option<&Row>, least: Answer, sets: &Sets) {
        for hit in row.map_or(&[][..], |row| &row.hits) {
            let Some(rule) = hit.rule.filter(|_| hit.answer >= least) else {
                continue;
            };
            if self.opening.get(rule.0) == Some(&false)
                && self.meets(hit.set, sets)
                && let Some(opening) = self.opening.get_mut(rule.0)
            {
                *opening = true;
            }
        }
    }
}

/// Those at some places of whom a claim speaks, certainly or perhaps.
fn claimed(
    field: &Field<'_, '_>,
    places: &Places<'_>,
    members: &[usize],
    claims: &dyn Fn(&Endpoint<'_>) -> Answer,
) -> Vec<(Answer, usize)> {
    let each = members
        .iter()
        .filter_map(|&at| Some((at, places.at(at)?.1)));
    each.map(|(at, end)| (field.settling.speaks_of(end, claims), at))
        .filter(|(answer, _)| *answer != Answer::No)
        .collect()
}

/// One of each kind of ends, of whom the claim speaks as certainly as of any of them.
fn best_of(
    asked: &[(Answer, usize)],
    are_alike: &dyn Fn(usize, usize) -> bool,
) -> Vec<(Answer, usize)> {
    let mut found: Vec<(Answer, usize)> = Vec::new();
    for wanted in [Answer::Yes, Answer::Unknown] {
        for &(answer, at) in asked.iter().filter(|(answer, _)| *answer == wanted) {
            if !found.iter().any(|&(_, known)| are_alike(known, at)) {
                found.push((answer, at));
            }
        }
    }
    found
}

/// Judges claims, all in one go over the sources.
#[inline(never)]
pub fn judge<'a>(
    field: &Field<'_, 'a>,
    mut asked: Vec<Asked<'a>>,
) -> Result<Vec<Asked<'a>>, Error> {
    let (from, to) = (&field.from.classes, &field.to.classes);
    let (mut sets, mut postures) = (Sets::default(), PostureNames::default());
    let mut reached = Reached::new(field.judge, 0, (from, to), &mut sets, &mut postures);
    let groups = to.groups_of();
    for asked in &mut asked {
        let mut meets: Vec<bool> = (0..sets.len()).map(|set| asked.meets(set, &sets)).collect();
        let nothing = sets.place(Opens::default());
        for class in 0..from.ends.len() {
            let sources = asked.sources.get(class).cloned().unwrap_or_default();
            if sources.is_empty() || asked.is_decided() {
                continue;
            }
            // Once it is open, only what is certain matters.
            let least = match asked.verb != Verb::Always && asked.finding.why.is_some() {
                true => Answer::Yes,
                false => Answer::No,
            };
            let mut wanted = vec![false; to.ends.len()];
            asked.want(class, field, &mut wanted);
            let mut only = Some(std::mem::take(&mut meets));
            reached.ask(&mut only, least);
            let is_wanted = |class: usize| wanted.get(class) == Some(&true);
            let rows = reached.rows(class, &groups, &is_wanted, &mut sets);
            reached.ask(&mut only, Answer::No);
            meets = only.unwrap_or_default();
            for source in sources {
                asked.judge_source(field, source, (&rows, &sets, nothing))?;
            }
        }
    }
    Ok(asked)
}

impl<'a> Asked<'a> {
    fn judge_source(
        &mut self,
        field: &Field<'_, 'a>,
        (sends, source): (Answer, usize),
        (rows, sets, nothing): (&[Row], &Sets, usize),
    ) -> Result<(), Error> {
        let Some((_, from)) = field.from.at(source) else {
            return Ok(());
        };
        for (class, receives, target) in self.targets_of(from, field.to) {
            if self.is_decided() {
                break;
            }
            let row = rows.binary_search_by(|row| row.group.cmp(&class)).ok();
            let row = row.and_then(|at| rows.get(at));
            if row.is_none() && self.verb != Verb::Always {
                continue;
            }
            let (certain, possible) =
                row.map_or((nothing, nothing), |row| (row.certain, row.possible));
            let said = self.said(certain, possible, sets);
            let is_claimed = sends.min(receives);
            if self.verb == Verb::Always && said.open.is_none() {
                self.always(field, (source, target), is_claimed, (row, sets))?;
                continue;
            }
            match (said.sure, said.open) {
                (Some(port), _) if is_claimed == Answer::Yes => {
                    self.confirm(field, (source, target), port, (row, sets))?;
                }
                (Some(port), _) => {
                    self.leave_open(field, (source, target), port, (row, sets))?;
                }
                (None, Some(port))
                    if self.is_apart((sends, receives), field, (source, target), (row, sets)) =>
                {
                    self.leave_open(field, (source, target), port, (row, sets))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Notes by which rules something is always allowed, unless a posture leads another way where it is not.
    fn always(
        &mut self,
        field: &Field<'_, 'a>,
        (source, target): (usize, usize),
        is_claimed: Answer,
        (row, sets): (Option<&Row>, &Sets),
    ) -> Result<(), Error> {
        let to = field.to.at(target);
        let is_led = to.is_some_and(|(_, to)| field.judge.may_be_led(to));
        if let Some(port) = self.wanted.first().filter(|_| is_led) {
            self.leave_open(field, (source, target), port, (row, sets))?;
        }
        if is_claimed == Answer::Yes && self.finding.why.is_none() {
            self.mark(row, Answer::Yes, sets);
        }
        Ok(())
    }

    /// Whether the rules are open at a pair that the claim is about: where it is not certain that it is about an end, by a
    /// rule that is about it for certain.
    fn is_apart(
        &mut self,
        (sends, receives): (Answer, Answer),
        field: &Field<'_, 'a>,
        (source, target): (usize, usize),
        (row, sets): (Option<&Row>, &Sets),
    ) -> bool {
        if sends.min(receives) == Answer::Yes {
            return true;
        }
        let (about, network) = (&field.judge.about, &field.judge.network);
        let (Some((_, from)), Some((_, to))) = (field.from.at(source), field.to.at(target)) else {
            return false;
        };
        let mut hits = row.map_or(&[][..], |row| &row.hits).iter();
        hits.any(|hit| {
            let rule = hit.rule.and_then(|rule| about.rule(rule));
            let opened = hit
                .by
                .and_then(|(_, to)| about.destinations.selectors.get(to));
            let (Some(rule), Some(opened)) = (rule, opened) else {
                // Where everything is allowed no name says to whom.
                return true;
            };
            (sends == Answer::Yes || is_meant(network, rule.sources, Side::Source, from))
                && (receives == Answer::Yes
                    || is_meant(
                        network,
                        std::slice::from_ref(*opened),
                        Side::Destination,
                        to,
                    ))
                && self.meets(hit.set, sets)
        })
    }

    /// Whether it may turn out that something at a pair of ends is claimed and not so, or that nothing is. Where nothing is
    /// open about the ends the rules have said all.
    pub fn may_be(
        &self,
        field: &Field<'_, 'a>,
        (source, target): (usize, usize),
        fails: bool,
    ) -> bool {
        let (Some((_, from)), Some((_, to))) = (field.from.at(source), field.to.at(target)) else {
            return true;
        };
        let is_led = self.verb == Verb::Always && field.judge.may_be_led(to);
        if fails && field.settling.hangs_on_groups(from, to) {
            return true;
        }
        if !field.settling.is_open(from) && !field.settling.is_open(to) && !is_led {
            return fails;
        }
        let marks = |side, end: &Endpoint<'_>, run: &mut Vec<u64>| {
            field.judge.mark(side, end, run);
            self.ends.mark(&field.judge.network, side, end, run);
        };
        let class = field.from.classes.of_party.get(source);
        let members = class.and_then(|&class| field.from.by_class().get(class));
        let is_alone = members.is_some_and(|members| members.len() == 1);
        let ends = (from, to, is_alone && field.settling.is_one(from, to));
        field.settling.any(ends, &marks, &mut |judges, pairs| {
            let judge = judges.first();
            judge.is_some_and(|judge| {
                pairs.iter().any(|(from, to)| {
                    let is_claimed = self.ends.speak_of(&judge.network, from, to);
                    (is_claimed && self.fails(&Passage::new(judge, from, to), fails)) == fails
                })
            })
        })
    }

    /// Whether something is not as claimed at two ends of which nothing is open: for a sender without postures, or for any.
    fn fails(&self, passage: &Passage<'_, '_, '_>, whatever_postures: bool) -> bool {
        let Some(given) = passage.given().filter(|_| whatever_postures) else {
            return whatever_postures || self.fails_with(passage, &[]);
        };
        given.iter().any(|given| self.fails_with(passage, given))
    }

    fn fails_with(&self, passage: &Passage<'_, '_, '_>, given: &[&str]) -> bool {
        let passing = passage.with(given);
        match self.verb {
            Verb::Always => !self.wanted.minus(&passing.least()).is_empty(),
            _ => !self.wanted.intersect(&passing.most()).is_empty(),
        }
    }

    /// Notes why the claim is open, for the first flow that leaves it so.
    pub fn leave_open(
        &mut self,
        field: &Field<'_, 'a>,
        (source, target): (usize, usize),
        port: Port,
        (row, sets): (Option<&Row>, &Sets),
    ) -> Result<(), Error> {
        let (Some((from, _)), Some((to, _))) = (field.from.at(source), field.to.at(target)) else {
            return Ok(());
        };
        if self.finding.why.is_none() && self.may_be(field, (source, target), true) {
            self.finding.why = Some(why_open(field.judge, from, to, port)?);
            self.opening.fill(false);
            self.mark(row, Answer::Unknown, sets);
        }
        Ok(())
    }

    /// What was found, with its rules.
    pub fn found(mut self, rules: &[RuleRef]) -> Finding {
        if self.finding.counterexample.is_none()
            && (self.verb == Verb::Always || self.finding.why.is_some())
        {
            let marked = rules
                .iter()
                .zip(&self.opening)
                .filter(|(_, marked)| **marked);
            self.finding.because = marked.map(|(rule, _)| *rule).collect();
        }
        self.finding
    }
}
