//! Counterexamples to claims about flows: which of those found says most to people, by names that `explain` confirms.
//! Must not live here: how they are found (flows.rs), what ends are called (called.rs).

use super::called::{Port, are_same, flow};
use super::counterexample::{explained, why_denied};
use super::flows::Asked;
use super::guard::Verb;
use super::proof::Counterexample;
use super::settled::Field;
use crate::policy::explanation::Verdict;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::reach::Row;
use crate::policy::tailnet::sets::Sets;
use crate::policy::verdict::Error;

impl<'a> Asked<'a> {
    /// Notes a counterexample if `explain` says the same, by the names that say most; not if a better one is known.
    pub fn confirm(
        &mut self,
        field: &Field<'_, 'a>,
        (source, target): (usize, usize),
        port: Port,
        (row, sets): (Option<&Row>, &Sets),
    ) -> Result<(), Error> {
        let target = self.other_than(field, source, target);
        let strange = field.strangeness(source, target);
        if self.finding.counterexample.is_some() && strange >= self.strange {
            return Ok(());
        }
        let is_sure = !self.may_be(field, (source, target), false);
        let froms = self.names(field, Side::Source, (source, target));
        for from in froms.into_iter().filter(|_| is_sure) {
            for to in self.names(field, Side::Destination, (source, target)) {
                let flow = flow(&from, &to, port);
                let explained = explained(field.judge, &flow)?;
                if !self.is_against(explained.verdict) {
                    continue;
                }
                self.strange = strange;
                (self.finding.note, self.finding.because) = match self.verb {
                    Verb::Always => (Some(why_denied(&explained)), Vec::new()),
                    _ => (None, explained.because),
                };
                self.finding.counterexample = Some(Counterexample {
                    flow,
                    rule: self.finding.because.first().copied(),
                    path: Vec::new(),
                });
                return Ok(());
            }
        }
        self.leave_open(field, (source, target), port, (row, sets))
    }

    /// Whether an answer of `explain` is against the claim.
    fn is_against(&self, verdict: Verdict) -> bool {
        match self.verb {
            Verb::Always => matches!(verdict, Verdict::Denied | Verdict::Partly),
            _ => verdict.is_open(),
        }
    }

    /// A destination like another one, but not the source itself, if the claim is about one.
    fn other_than(&self, field: &Field<'_, 'a>, source: usize, target: usize) -> usize {
        let (Some((_, from)), Some((_, to))) = (field.from.at(source), field.to.at(target)) else {
            return target;
        };
        let class = field.to.classes.of_party.get(target);
        let members = class.and_then(|&class| field.to.by_class().get(class));
        let network = &field.judge.network;
        let others = members.into_iter().flatten().filter(|_| are_same(from, to));
        let others = others.filter(|&&at| {
            let end = field.to.at(at).map(|(_, end)| end);
            end.is_some_and(|end| !are_same(from, end) && self.ends.speak_of(network, from, end))
                && field.are_alike(field.to, target, at)
        });
        let [_, strange] = &field.strange;
        let best = others.min_by_key(|at| strange.get(**at));
        best.copied().unwrap_or(target)
    }

    /// What an end of a pair may be called.
    fn names(
        &self,
        field: &Field<'_, 'a>,
        side: Side,
        (source, target): (usize, usize),
    ) -> Vec<String> {
        let network = &field.judge.network;
        let (Some((sender, from)), Some((receiver, to))) =
            (field.from.at(source), field.to.at(target))
        else {
            return Vec::new();
        };
        match side {
            Side::Source => field.called.of(side, sender, from, &|end| {
                self.ends.sends(network, end) == Answer::Yes
            }),
            Side::Destination => field.called.of(side, receiver, to, &|end| {
                self.ends.speak_of(network, from, end)
            }),
        }
    }
}
