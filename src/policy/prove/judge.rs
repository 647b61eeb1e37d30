//! The one judge: whether what a claim says holds at each pair of endpoints that it is about, of flows and of logins, beside another policy
//! or alone.
//! Must not live here: who there is (world.rs), what a counterexample is called (confirm.rs), paths (paths.rs).
//!
//! What rules may open between classes says where something may be against a claim. Whether it is, is asked of two endpoints alone, in every
//! way in which what is open about them may turn out (settled.rs).

use super::claims::ClaimSides;
use super::counterexample::why_open;
use super::field::{ByClass, Field, Possible, Sided};
use super::guard::Verb;
use super::proof::ProofFinding;
use super::ready::Ready;
use super::traffic::Traffic;
use crate::policy::findings::words::joined;
use crate::policy::language::port_set::PortSet;
use crate::policy::relation::ids::{ClassId, Id, IdTable, SetId};
use crate::policy::relation::pair::Pair;
use crate::policy::relation::reach::Shared;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::policy::verdict::Error;
use crate::tables::sort;

/// What is claimed.
pub struct Question<'g> {
    pub verb: Verb,
    /// Of whom; of everybody, where two policies are compared.
    pub sides: Option<ClaimSides<'g>>,
    pub traffic: Traffic<'g>,
    /// Whether it is also about flows over devices between.
    pub over_devices: bool,
    /// Whether both policies may differ by who belongs to a group of which nobody says who does.
    pub groups_differ: bool,
}

/// One claim while it is judged.
pub struct JudgedClaim<'f, 'w, 'g> {
    pub field: &'f Field<'f, 'w>,
    pub question: &'f Question<'g>,
    /// By class of sources, those that it speaks of.
    pub sources: IdTable<ClassId, Vec<(Answer, usize)>>,
    /// Destinations by class, one of each kind.
    targets: Vec<(ClassId, Answer, usize)>,
    /// Whether each set has something of the claim.
    meets: Vec<Option<bool>>,
    /// Which rules open what is always open, or leave it undecided.
    pub because: Vec<bool>,
    pub finding: ProofFinding,
    /// Whether there are pairs, and some that have a family in common.
    pub meeting: Option<bool>,
    /// How little the counterexample says to people.
    pub strange: u8,
}

/// Two places; whether one device is at both.
#[derive(Clone, Copy)]
pub struct PlacePair {
    pub source: usize,
    pub target: usize,
    is_one: bool,
}

/// What rules may open at one pair of classes, under each policy.
pub type BothPossible<'o> = Vec<&'o [Possible]>;

impl<'f, 'w, 'g> JudgedClaim<'f, 'w, 'g> {
    /// Makes a claim ready.
    #[inline(never)]
    pub fn new(field: &'f Field<'f, 'w>, question: &'f Question<'g>) -> JudgedClaim<'f, 'w, 'g> {
        let sides = question.sides.as_ref();
        let mut asked = JudgedClaim {
            field,
            question,
            sources: IdTable::default(),
            targets: Vec::new(),
            meets: Vec::new(),
            because: Vec::new(),
            finding: ProofFinding {
                why: sides.and_then(|sides| sides.lost.clone()),
                empty: sides.and_then(|sides| sides.empty.clone()),
                ..ProofFinding::default()
            },
            meeting: None,
            strange: u8::MAX,
        };
        let rules = field.reaches.first().map_or(0, |own| own.rows.rules.len());
        asked.because.resize(rules, false);
        let has_own = sides.is_some_and(|sides| sides.has_own);
        for class in field.from.classes.list.ids() {
            let claimed = asked.claimed(Side::Source, class);
            asked
                .sources
                .push(match has_own || question.traffic.is_own() {
                    true => claimed,
                    false => best_of(field, field.from, claimed),
                });
        }
        for class in field.to.classes.list.ids() {
            let best = best_of(field, field.to, asked.claimed(Side::Destination, class));
            let each = best.into_iter().map(|(answer, at)| (class, answer, at));
            asked.targets.extend(each);
        }
        asked
    }

    /// Those of a class of whom the claim speaks, certainly or perhaps.
    fn claimed(&self, side: Side, class: ClassId) -> Vec<(Answer, usize)> {
        let sided = match side {
            Side::Source => self.field.from,
            Side::Destination => self.field.to,
        };
        let mut found = Vec::new();
        for place in sided.members(class) {
            let Some((_, end)) = sided.at(place) else {
                continue;
            };
            let answer = match self.field.can_meet(end, end) {
                true => self.speaks_of(side, end),
                false => Answer::No,
            };
            if answer != Answer::No {
                found.push((answer, place));
            }
        }
        found
    }

    /// Whether the claim is about an endpoint on one side.
    pub fn speaks_of(&self, side: Side, end: &Endpoint<'w>) -> Answer {
        let (Some(sides), Some(stated)) = (&self.question.sides, self.field.stated.first()) else {
            return Answer::Yes;
        };
        let network = stated.reading.network;
        self.field.settling.speaks_of(end, &|end| match side {
            Side::Source => sides.sends(network, end),
            Side::Destination => sides.receives(network, end),
        })
    }

    /// Whether the claim is certainly about two endpoints.
    pub fn speaks_of_both(
        &self,
        from: &Endpoint<'_>,
        to: &Endpoint<'_>,
        policy: &Ready<'_>,
    ) -> bool {
        let sides = self.question.sides.as_ref();
        sides.is_none_or(|sides| sides.speak_of(policy.reading.network, from, to))
    }

    /// Whether nothing can be found that says more.
    fn is_decided(&self) -> bool {
        self.finding.counterexample.is_some() && self.strange == 0
    }

    /// The destinations of one source, each with its class: those that are claimed of all, and its own devices.
    pub fn targets_of(&self, end: &Endpoint<'_>) -> Vec<(ClassId, Answer, usize)> {
        let mut targets = self.targets.clone();
        let sides = self.question.sides.as_ref();
        let has_own = sides.is_some_and(|sides| sides.has_own);
        let all = self.field.to.places.list.iter().enumerate();
        for (at, (_, other)) in all.filter(|_| has_own) {
            let own = end.identity.shares_user(other.identity);
            if let (Some(class), true) = (self.field.to.class(at), own != Answer::No) {
                targets.push((class, own, at));
            }
        }
        targets
    }

    /// Judges it.
    #[inline(never)]
    pub fn judge(&mut self, shared: &mut Shared<'w>) -> Result<(), Error> {
        let touched = self.touched(shared);
        for class in self.field.from.classes.list.ids() {
            let sources = self.sources.of(class).to_vec();
            // Once it is undecided only those matter of whom it certainly speaks.
            let is_known = self.finding.why.is_some() || self.finding.counterexample.is_some();
            let mut certain = sources.iter().filter(|(sends, _)| *sends == Answer::Yes);
            if sources.is_empty() || self.is_decided() || is_known && certain.next().is_none() {
                continue;
            }
            let mut wanted = IdTable::filled(self.field.to.classes.list.len(), false);
            for (_, source) in &sources {
                let end = self.field.from.at(*source).map(|(_, end)| end);
                for (class, ..) in end.map_or(Vec::new(), |end| self.targets_of(end)) {
                    if let Some(wanted) = wanted.get_mut(class) {
                        *wanted = true;
                    }
                }
            }
            let is_touched = |to| {
                touched
                    .as_ref()
                    .is_none_or(|own| own.of(class).binary_search(&to).is_ok())
            };
            let is_wanted = |to| wanted.get(to) == Some(&true) && is_touched(to);
            let mut possible = Vec::with_capacity(self.field.reaches.len());
            for at in 0..self.field.reaches.len() {
                possible.push(self.openings(at, class, &is_wanted, shared));
            }
            for source in sources {
                self.judge_source(source, (&possible, &is_wanted), shared)?;
            }
        }
        Ok(())
    }

    fn judge_source(
        &mut self,
        (sends, source): (Answer, usize),
        (possible, is_wanted): (&[ByClass], &dyn Fn(ClassId) -> bool),
        shared: &mut Shared<'w>,
    ) -> Result<(), Error> {
        let Some((name, end)) = self.field.from.at(source) else {
            return Ok(());
        };
        let at = |class| possible.iter().map(|own| own.of(class)).collect();
        let mut is_one = false;
        for (class, receives, target) in self.targets_of(end) {
            let places = PlacePair {
                source,
                target,
                is_one,
            };
            if is_wanted(class) && !self.is_decided() {
                let possible: BothPossible<'_> = at(class);
                self.judge_pair(places, (sends, receives), &possible, shared)?;
            }
        }
        // From an address to itself it is one device, whoever has it; the network is not asked.
        is_one = end.address().is_some() && end.device.is_none() && self.field.is_ssh;
        let target = self.field.to.places.find(name).filter(|_| is_one);
        let target = target.and_then(|at| Some((at, self.field.to.class(at)?)));
        let is_claimed = self.speaks_of(Side::Destination, end) == Answer::Yes;
        if let Some((target, class)) = target.filter(|_| is_claimed) {
            let places = PlacePair {
                source,
                target,
                is_one,
            };
            let possible: BothPossible<'_> = at(class);
            self.judge_pair(places, (sends, Answer::Yes), &possible, shared)?;
        }
        Ok(())
    }

    /// Where two policies may differ: the classes of destinations for each class of sources, ascending.
    fn touched(&self, shared: &mut Shared<'w>) -> Option<IdTable<ClassId, Vec<ClassId>>> {
        let [before, after] = self.field.reaches else {
            return None;
        };
        if self.question.groups_differ {
            return None;
        }
        let pair = Pair {
            reaches: [before, after],
            from: &self.field.from.classes,
            to: &self.field.to.classes,
            former_ids: &[],
            is_asked: false,
        };
        let touched = pair.touched(shared);
        let mut found = IdTable::default();
        for (_, lists) in touched.of.iter() {
            let lists = lists.iter().filter_map(|list| touched.lists.get(*list));
            let mut classes: Vec<ClassId> = lists.flatten().copied().collect();
            sort::sort(&mut classes);
            classes.dedup();
            found.push(classes);
        }
        Some(found)
    }

    fn openings(
        &mut self,
        at: usize,
        class: ClassId,
        wanted: &dyn Fn(ClassId) -> bool,
        shared: &mut Shared<'w>,
    ) -> ByClass {
        let field = self.field;
        let source = field.from.classes.list.get(class);
        let end = source.and_then(|class| class.endpoints.get(at)?.as_ref());
        let (Some(end), Some(stated)) = (end, field.stated.first()) else {
            return IdTable::default();
        };
        let widest = self.question.traffic.widest(end, stated);
        let known = &mut self.meets;
        if field.is_ssh {
            known.clear();
        }
        let mut meets = |id: SetId, set: &PortSet| {
            if known.len() <= id.place() {
                known.resize(id.place() + 1, None);
            }
            let known = known.get_mut(id.place());
            known.is_some_and(|known| *known.get_or_insert_with(|| set.meets(&widest)))
        };
        field.openings(at, class, wanted, (&mut meets, shared))
    }

    fn judge_pair(
        &mut self,
        mut places: PlacePair,
        (sends, receives): (Answer, Answer),
        possible: &BothPossible<'_>,
        shared: &mut Shared<'w>,
    ) -> Result<(), Error> {
        let field = self.field;
        let claimed = sends.min(receives);
        if !places.is_one {
            places.target = self.other_than(places.source, places.target);
        }
        let (Some((_, from)), Some((_, to))) =
            (field.from.at(places.source), field.to.at(places.target))
        else {
            return Ok(());
        };
        self.meeting = self.meeting.max(Some(field.can_meet(from, to)));
        let strange = field.strangeness(places.source, places.target);
        let is_open = field.settling.is_open(from) || field.settling.is_open(to);
        let may_be_sure = match self.question.verb {
            Verb::Never | Verb::Only => {
                let mut own = possible.iter().copied().flatten();
                field.is_ssh && is_open || own.any(|own| field.is_sure(own, shared))
            }
            _ => true,
        };
        let is_better = claimed == Answer::Yes
            && may_be_sure
            && (self.finding.counterexample.is_none() || strange < self.strange);
        let needs_why = self.finding.counterexample.is_none() && self.finding.why.is_none();
        if !is_better && !needs_why
            || !self.may_fail((from, to), (sends, receives), possible, shared)
        {
            return Ok(());
        }
        if let Some(rules) = self.always_open((from, to), possible, shared) {
            let own = rules.iter().filter(|_| needs_why && claimed == Answer::Yes);
            own.for_each(|rule| self.mark(*rule));
            return Ok(());
        }
        let outcome = self.settle(
            (from, to),
            places.is_one || self.is_one(places),
            needs_why,
            (possible, shared),
        );
        if is_better && self.confirm(places, &outcome, (possible, shared))? {
            self.strange = strange;
            return Ok(());
        }
        match needs_why {
            true => self.note_rules(places, &outcome, possible, claimed == Answer::Yes),
            false => Ok(()),
        }
    }

    /// Notes a rule.
    pub fn mark(&mut self, rule: usize) {
        if let Some(mark) = self.because.get_mut(rule) {
            *mark = true;
        }
    }

    /// Whether both places are the same one, which represents no other.
    fn is_one(&self, PlacePair { source, target, .. }: PlacePair) -> bool {
        let (Some((_, from)), Some((_, to))) =
            (self.field.from.at(source), self.field.to.at(target))
        else {
            return false;
        };
        let class = self.field.from.class(source);
        let members = class.map_or(0, |class| self.field.from.members(class).count());
        members == 1 && self.field.settling.is_one(from, to)
    }

    /// Whether, as far as sets are, something may be against the claim at a pair. Where the claim may or may not be about an endpoint, by a rule
    /// that is certainly about it: each endpoint that it may be is judged itself.
    fn may_fail(
        &self,
        (from, to): (&Endpoint<'w>, &Endpoint<'w>),
        (sends, receives): (Answer, Answer),
        possible: &BothPossible<'_>,
        shared: &Shared<'w>,
    ) -> bool {
        if !self.field.can_meet(from, to) {
            return false;
        }
        let is_less = |own: usize, other: usize| {
            let [own, other] = [own, other].map(|at| possible.get(at).copied().unwrap_or_default());
            let is_steered = self.field.stated.iter().any(Ready::is_steered);
            !own.is_empty() && (is_steered || !are_within(own, other, shared))
        };
        match self.question.verb {
            Verb::Always => true,
            Verb::Never | Verb::Only => possible.iter().copied().flatten().any(|own| {
                let [is_source, is_place] = own.is_meant;
                (sends == Answer::Yes || is_source) && (receives == Answer::Yes || is_place)
            }),
            Verb::NoMore => is_less(0, 1),
            Verb::Same => is_less(0, 1) || is_less(1, 0),
        }
    }

    /// Notes why the claim is undecided.
    pub fn leave_open(
        &mut self,
        PlacePair { source, target, .. }: PlacePair,
        may: &PortSet,
    ) -> Result<(), Error> {
        let field = self.field;
        let (Some((from, end)), Some((to, other)), Some(stated)) = (
            field.from.at(source),
            field.to.at(target),
            field.stated.first(),
        ) else {
            return Ok(());
        };
        let shown = [(from, end), (to, other)].map(|(own, end)| field.called.shown(own, end));
        self.finding.why = match (field.is_ssh, may.first()) {
            (true, _) => {
                let account = self.question.traffic.account_in(may, end, stated);
                let [from, to] = &shown;
                let flow = ["`", from, "` to `", to, "` as `", account, "`: "];
                let why = "text and context do not say whether that is allowed, or claimed";
                Some(joined(&[&joined(&flow), why]))
            }
            (false, Some(port)) => {
                let judges: Vec<_> = field
                    .stated
                    .iter()
                    .map(|stated| stated.reading.judge)
                    .collect();
                Some(why_open(&judges, [from, to], &shown, port)?)
            }
            (false, None) => None,
        };
        Ok(())
    }

    /// What was found, with its rules.
    pub fn found(mut self) -> ProofFinding {
        let is_alone = self.question.sides.is_some();
        let finding = &self.finding;
        let is_marked = self.question.verb == Verb::Always || finding.why.is_some();
        if let (true, true, None, Some(reach)) = (
            is_alone,
            is_marked,
            &finding.counterexample,
            self.field.reaches.first(),
        ) {
            let marked = reach.rows.rules.iter().zip(&self.because);
            let marked = marked.filter(|(_, marked)| **marked);
            self.finding.because = marked.map(|(rule, _)| *rule).collect();
        }
        self.finding
    }
}

/// Whether all that some openings open is open by others on the same terms.
fn are_within(own: &[Possible], others: &[Possible], shared: &Shared<'_>) -> bool {
    own.iter().all(|opening| {
        let same = others.iter().filter(|other| {
            let has = |term| other.terms.contains(term);
            other.is_certain == opening.is_certain && opening.terms.iter().all(has)
        });
        let sets = same.filter_map(|other| shared.sets.get(other.set));
        let rest = shared.sets.get(opening.set).cloned().unwrap_or_default();
        sets.fold(rest, |rest, set| rest.minus(set)).is_empty()
    })
}

/// One of each kind of places, of whom the claim speaks as certainly as of any of them: those who say most to people.
fn best_of<'w>(
    field: &Field<'_, 'w>,
    side: &Sided<'w>,
    mut asked: Vec<(Answer, usize)>,
) -> Vec<(Answer, usize)> {
    sort::sort_by(&mut asked, |(answer, at), (other, place)| {
        let (one, two) = (side.strange.get(*at), side.strange.get(*place));
        (other, one).cmp(&(answer, two))
    });
    let mut found: Vec<(Answer, usize)> = Vec::new();
    for (answer, at) in asked {
        if !found
            .iter()
            .any(|&(_, known)| field.are_alike(side, known, at))
        {
            found.push((answer, at));
        }
    }
    found
}
