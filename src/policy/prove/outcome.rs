//! What is against a claim at two endpoints, in every way in which what is open about them may turn out.
//! Must not live here: which endpoints are asked (judge.rs), what passes where nothing is open (ready.rs).

use super::guard::Verb;
use super::judge::{BothPossible, JudgedClaim, PlacePair};
use super::ready::{Passing, Ready, senders};
use crate::policy::language::port_set::PortSet;
use crate::policy::relation::ids::TermId;
use crate::policy::relation::reach::Shared;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::verdict::Error;

/// What is against a claim at two endpoints.
#[derive(Default)]
pub struct AgainstClaim {
    /// In every way in which what is open may turn out, for a sender without postures; nothing before any was looked at.
    must: Option<PortSet>,
    /// In some way, for some sender.
    pub may: PortSet,
    /// The rules that let something pass for a sender without postures.
    pub rules: Vec<(usize, PortSet)>,
}

impl AgainstClaim {
    /// What is certainly against it.
    pub fn must(&self) -> PortSet {
        self.must.clone().unwrap_or_default()
    }

    /// Whether nothing more can be learnt.
    fn is_known(&self, needs_may: bool) -> bool {
        let is_open = !needs_may || !self.may.is_empty();
        is_open && self.must.as_ref().is_some_and(PortSet::is_empty)
    }

    fn add(&mut self, (must, may): (PortSet, PortSet)) {
        self.may = self.may.union(&may);
        self.must = Some(match &self.must {
            Some(known) => known.intersect(&must),
            None => must,
        });
    }
}

impl<'w> JudgedClaim<'_, 'w, '_> {
    /// What is against the claim at two endpoints, in every way in which what is open about them may turn out. `needs_may` says whether it
    /// matters what may be.
    pub fn settle(
        &self,
        (from, to): (&Endpoint<'w>, &Endpoint<'w>),
        is_one: bool,
        needs_may: bool,
        (possible, shared): (&BothPossible<'_>, &Shared<'w>),
    ) -> AgainstClaim {
        let field = self.field;
        let mut outcome = AgainstClaim::default();
        let marks = |side, end: &Endpoint<'_>, run: &mut Vec<u64>| {
            run.extend(end.address().map(|address| address.version() as u64));
            for stated in field.stated {
                for (at, answer) in stated.takers(side, end) {
                    run.push((at as u64) << 2 | answer as u64);
                }
                run.push(u64::MAX);
                if let Some(sides) = &self.question.sides {
                    sides.mark(stated.reading.network, side, end, run);
                }
            }
            self.question.traffic.mark(end, field.own_domains, run);
        };
        let looked = field
            .settling
            .each((from, to, is_one), &marks, &mut |policies, pairs| {
                for (from, to) in pairs.iter().filter(|(from, to)| field.can_meet(from, to)) {
                    let is_claimed = policies
                        .first()
                        .is_some_and(|own| self.speaks_of_both(from, to, own));
                    let against = match is_claimed {
                        true => self.against(policies, (from, to), needs_may, &mut outcome.rules),
                        false => Default::default(),
                    };
                    outcome.add(against);
                    if outcome.is_known(needs_may) {
                        return true;
                    }
                }
                false
            });
        if looked.is_none() {
            outcome.must = None;
            outcome.may = field
                .stated
                .first()
                .map_or_else(PortSet::default, |stated| {
                    self.question.traffic.wanted(from, stated)
                });
        }
        let mut networks = field.stated.iter().map(|stated| stated.reading.network);
        let hangs_on_mail = field.is_ssh && networks.any(|network| !network.knows_mail());
        if hangs_on_mail || field.settling.hangs_on_groups(from, to) {
            self.doubt(from, possible, shared, &mut outcome);
        }
        outcome
    }

    /// The rules that open all that is always to be open at a machine, whoever has it and wherever it is; none if they do not.
    pub fn always_open(
        &self,
        (from, to): (&Endpoint<'w>, &Endpoint<'w>),
        possible: &BothPossible<'_>,
        shared: &Shared<'w>,
    ) -> Option<Vec<usize>> {
        let is_machine = to.device.is_some() || to.place == Place::Supposed;
        let stated = self.field.stated.first()?;
        if self.question.verb != Verb::Always || self.field.is_ssh || !is_machine {
            return None;
        }
        let mut rest = self.question.traffic.wanted(from, stated);
        let mut rules = Vec::new();
        for own in possible.iter().copied().flatten() {
            let is_free = |term: &TermId| shared.conditions.facts(*term).next().is_none();
            let set = shared.sets.get(own.set);
            if let (true, Some(set)) = (own.is_certain && own.terms.iter().any(is_free), set) {
                rest = rest.minus(set);
                rules.extend(own.rule);
            }
        }
        rest.is_empty().then_some(rules)
    }

    /// Notes why the claim is undecided at a pair and by which rules, or the rules by which what is always to be open is so.
    pub fn note_rules(
        &mut self,
        places: PlacePair,
        outcome: &AgainstClaim,
        possible: &BothPossible<'_>,
        is_claimed: bool,
    ) -> Result<(), Error> {
        if outcome.may.is_empty() {
            let is_kept = self.question.verb == Verb::Always && is_claimed;
            let rules = outcome.rules.iter().filter(|_| is_kept);
            rules.for_each(|(rule, _)| self.mark(*rule));
            return Ok(());
        }
        self.because.fill(false);
        let rules = possible.first().copied().into_iter().flatten();
        rules
            .filter_map(|own| own.rule)
            .for_each(|rule| self.mark(rule));
        self.leave_open(places, &outcome.may)
    }

    /// Who belongs to a group of which nobody says who does is not tried, nor which mail address somebody may have.
    fn doubt(
        &self,
        from: &Endpoint<'w>,
        possible: &BothPossible<'_>,
        shared: &Shared<'w>,
        outcome: &mut AgainstClaim,
    ) {
        let mut perhaps = PortSet::default();
        for opening in possible
            .iter()
            .copied()
            .flatten()
            .filter(|own| !own.is_certain)
        {
            if let Some(set) = shared.sets.get(opening.set) {
                perhaps = perhaps.union(set);
            }
        }
        let stated = self.field.stated.first();
        let wanted = stated.map(|stated| self.question.traffic.wanted(from, stated));
        let perhaps = wanted.map_or_else(PortSet::default, |wanted| wanted.intersect(&perhaps));
        let is_alone = matches!(self.question.verb, Verb::Never | Verb::Only);
        if is_alone || self.question.groups_differ {
            outcome.may = outcome.may.union(&perhaps);
        }
        if !is_alone {
            outcome.must = outcome.must.as_ref().map(|must| must.minus(&perhaps));
        }
    }

    /// What is against the claim at two endpoints about which nothing is open: for a sender without postures whoever receives, and for some
    /// sender with some receiver.
    fn against<'l>(
        &self,
        policies: &[Ready<'l>],
        (from, to): (&Endpoint<'l>, &Endpoint<'l>),
        needs_may: bool,
        rules: &mut Vec<(usize, PortSet)>,
    ) -> (PortSet, PortSet) {
        let Some(first) = policies.first() else {
            return Default::default();
        };
        let wanted = self.question.traffic.wanted(from, first);
        let plain = vec![vec![Vec::new(); policies.len()]];
        let (all, are_too_many) = match needs_may.then(|| senders(policies, from)) {
            Some(Some(all)) => (all, false),
            Some(None) => (plain, true),
            None => (plain, false),
        };
        let (mut must, mut may) = (None, PortSet::default());
        if are_too_many {
            may = wanted.clone();
        }
        for postures in all {
            let each = policies.iter().zip(&postures);
            let passing: Vec<Passing> = each
                .map(|(own, postures)| own.between(from, to, postures))
                .collect();
            let (sure, some) = self.question.verb.against(&passing, &wanted);
            may = may.union(&some);
            if must.is_none() {
                must = Some(sure);
                for (rule, set) in passing.first().map_or(&[][..], |own| &own.rules) {
                    if set.meets(&wanted) && !rules.iter().any(|known| known.0 == *rule) {
                        rules.push((*rule, set.clone()));
                    }
                }
            }
        }
        (must.unwrap_or_default(), may)
    }
}

impl Verb {
    /// What is against a claim at two endpoints, where these pass under each policy: whoever receives, and with some receivers.
    fn against(self, passing: &[Passing], wanted: &PortSet) -> (PortSet, PortSet) {
        let [own, others @ ..] = passing else {
            return Default::default();
        };
        let in_both =
            |(least, most): (PortSet, PortSet)| (wanted.intersect(&least), wanted.intersect(&most));
        match (self, others.first()) {
            (Verb::Always, _) => (wanted.minus(&own.most()), wanted.minus(&own.least())),
            (Verb::NoMore, Some(base)) => in_both(own.more_than(base, false)),
            (Verb::Same, Some(base)) => in_both(own.more_than(base, true)),
            _ => in_both((own.least(), own.most())),
        }
    }
}
