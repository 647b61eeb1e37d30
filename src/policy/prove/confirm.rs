//! Counterexamples: which of those found says most to people, by names that mean nothing else; of flows those that `explain` confirms.
//! Must not live here: how they are found (judge.rs), what endpoints are called (called.rs).

use super::called::{Port, are_same, flow, login};
use super::counterexample::{explained, why_denied, why_no_login};
use super::guard::Verb;
use super::judge::{BothPossible, JudgedClaim, PlacePair};
use super::outcome::AgainstClaim;
use super::proof::{Counterexample, NamedFlow};
use crate::policy::explanation::{Explanation, Verdict};
use crate::policy::language::port_set::PortSet;
use crate::policy::language::rule::RuleRef;
use crate::policy::relation::reach::Shared;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::policy::verdict::Error;

/// Why the access is not the same where it is missing.
const ONLY_THE_OTHER: &str = "only the other policy allows it";

impl<'w> JudgedClaim<'_, 'w, '_> {
    /// Notes a counterexample, by the names that say most, if there is one.
    pub fn confirm(
        &mut self,
        places: PlacePair,
        outcome: &AgainstClaim,
        (possible, shared): (&BothPossible<'_>, &Shared<'w>),
    ) -> Result<bool, Error> {
        let must = outcome.must();
        if must.is_empty() {
            return Ok(false);
        }
        if self.field.is_ssh {
            self.confirm_login(places, outcome, (possible, shared));
            return Ok(true);
        }
        // What selectors leave undecided `explain` does, too.
        let mut likely = match self.question.verb {
            Verb::Always => must.clone(),
            _ => PortSet::default(),
        };
        for opening in possible.iter().copied().flatten() {
            let set = shared.sets.get(opening.set).cloned().unwrap_or_default();
            likely = match self.question.verb {
                Verb::Always => likely.minus(&set),
                _ if opening.is_certain => likely.union(&must.intersect(&set)),
                _ => likely,
            };
        }
        match likely.first().or(must.first()) {
            Some(port) => self.confirm_flow(places, port),
            None => Ok(false),
        }
    }

    fn confirm_flow(&mut self, places: PlacePair, port: Port) -> Result<bool, Error> {
        let field = self.field;
        let is_claimed = |side, end: &Endpoint<'w>| match (side, field.from.at(places.source)) {
            (Side::Destination, Some((_, from))) => self.is_about(from, end),
            _ => self.speaks_of(Side::Source, end) == Answer::Yes,
        };
        let (froms, tos) = self.names(places, &is_claimed);
        for from in &froms {
            for to in &tos {
                let flow = flow(from, to, port);
                let judges = field.stated.iter().map(|stated| stated.reading.judge);
                let each: Result<Vec<Explanation>, Error> =
                    judges.map(|judge| explained(judge, &flow)).collect();
                let each = each?;
                if self.is_against([from, to], &each) {
                    let because = match (self.question.verb, each.first()) {
                        (Verb::Always, _) | (_, None) => Vec::new(),
                        (_, Some(own)) => own.because.clone(),
                    };
                    let is_own = each.first().is_some_and(|own| own.verdict.is_open());
                    let note = match (self.question.verb, each.first()) {
                        (Verb::Always, Some(own)) => Some(why_denied(own)),
                        (Verb::Same, _) if !is_own => Some(ONLY_THE_OTHER.to_owned()),
                        _ => None,
                    };
                    self.note((flow, note), because);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn note(&mut self, (flow, note): (NamedFlow, Option<String>), because: Vec<RuleRef>) {
        self.finding.note = note;
        self.finding.because = because;
        self.finding.counterexample = Some(Counterexample {
            flow,
            rule: self.finding.because.first().copied(),
            path: Vec::new(),
        });
    }

    /// Whether the answers of `explain` under each policy are against the claim.
    fn is_against(&self, endpoints: [&String; 2], each: &[Explanation]) -> bool {
        let lacks = |has: &Explanation, other: &Explanation| {
            // A tag that the other policy does not declare has no devices there.
            let is_less = has.verdict == Verdict::Allowed && other.verdict == Verdict::Partly;
            let is_denied = other.verdict == Verdict::Denied
                || is_less
                || other
                    .unresolved
                    .iter()
                    .any(|name| endpoints.contains(&name));
            has.verdict.is_open() && is_denied
        };
        match (self.question.verb, each) {
            (Verb::Always, [own, ..]) => matches!(own.verdict, Verdict::Denied | Verdict::Partly),
            (Verb::NoMore, [own, base]) => lacks(own, base),
            (Verb::Same, [own, base]) => lacks(own, base) || lacks(base, own),
            (_, [own, ..]) => own.verdict.is_open(),
            _ => false,
        }
    }

    fn confirm_login(
        &mut self,
        places: PlacePair,
        outcome: &AgainstClaim,
        settled: (&BothPossible<'_>, &Shared<'w>),
    ) {
        let field = self.field;
        let (Some((_, from)), Some((_, to)), Some(stated)) = (
            field.from.at(places.source),
            field.to.at(places.target),
            field.stated.first(),
        ) else {
            return;
        };
        let account = self
            .question
            .traffic
            .account_in(&outcome.must(), from, stated);
        let number = stated.number(account);
        let is_so = |from: &Endpoint<'w>, to: &Endpoint<'w>| {
            self.is_about(from, to)
                && self
                    .settle((from, to), false, false, settled)
                    .must()
                    .has_number(number)
        };
        let (froms, tos) = self.names(places, &|side, end| match side {
            Side::Source => is_so(end, to),
            Side::Destination => is_so(from, end),
        });
        let (Some(from), Some(to)) = (froms.first(), tos.first()) else {
            return;
        };
        let flow = login(from, to, account);
        let mut because = Vec::new();
        for (rule, set) in outcome
            .rules
            .iter()
            .filter(|_| self.question.verb != Verb::Always)
        {
            let reference = field
                .reaches
                .first()
                .and_then(|own| own.rows.rules.get(*rule));
            because.extend(reference.filter(|_| set.has_number(number)).copied());
        }
        let note = match self.question.verb {
            Verb::Always => Some(why_no_login(stated.reading.judge, &flow)),
            Verb::Same if because.is_empty() => Some(ONLY_THE_OTHER.to_owned()),
            _ => None,
        };
        self.note((flow, note), because);
    }

    /// Whether the claim is certainly about two endpoints.
    pub fn is_about(&self, from: &Endpoint<'w>, to: &Endpoint<'w>) -> bool {
        let stated = self.field.stated.first();
        stated.is_some_and(|stated| self.speaks_of_both(from, to, stated))
    }

    /// A destination like another one, but not the source itself, if the claim is about one.
    pub fn other_than(&self, source: usize, target: usize) -> usize {
        let field = self.field;
        let (Some((_, from)), Some((_, to))) = (field.from.at(source), field.to.at(target)) else {
            return target;
        };
        let Some(class) = field.to.class(target).filter(|_| are_same(from, to)) else {
            return target;
        };
        let others = field.to.members(class).filter(|at| {
            let end = field.to.at(*at).map(|(_, end)| end);
            end.is_some_and(|end| {
                !are_same(from, end) && field.can_meet(from, end) && self.is_about(from, end)
            }) && field.are_alike(field.to, target, *at)
        });
        let best = others.min_by_key(|at| field.to.strange.get(*at));
        best.unwrap_or(target)
    }

    /// What both endpoints of a pair may be called.
    pub fn names(
        &self,
        PlacePair { source, target, .. }: PlacePair,
        is_claimed: &dyn Fn(Side, &Endpoint<'w>) -> bool,
    ) -> (Vec<String>, Vec<String>) {
        let (from, to) = (self.field.from.at(source), self.field.to.at(target));
        let of = |side, named: Option<(&str, &Endpoint<'w>)>| {
            let named = named.map(|(own, end)| {
                let called = self.field.called;
                called.of(side, own, end, &|end| is_claimed(side, end))
            });
            named.unwrap_or_default()
        };
        (of(Side::Source, from), of(Side::Destination, to))
    }
}
