//! One question to what is reached under one reading: whether the endpoints of one name reach those of another with some traffic, all of
//! them or which part, and by which rules.
//! Must not live here: what the names mean, words.

use super::classes::{Class, Classes};
use super::condition::Fact;
use super::endpoints::Endpoints;
use super::hit::Hit;
use super::ids::{AtomId, ClassId, Id};
use super::reach::{Reach, Shared};
use super::reading::Reading;
use crate::policy::language::port_set::PortSet;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::next_hop::{Given, NextHop};
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

/// The sides of a question with their classes.
#[derive(Clone, Copy)]
pub struct Sides<'a, 'p> {
    /// Those that send.
    pub from: &'a Endpoints<'p>,
    /// Those that receive.
    pub to: &'a Endpoints<'p>,
    /// The classes of those that send.
    pub senders: &'a Classes<'p>,
    /// The classes of those that receive.
    pub receivers: &'a Classes<'p>,
    /// Whether each sender is asked about the devices of its own user alone.
    pub is_own: bool,
}

/// What one class of senders reaches.
#[derive(Clone, Debug)]
pub struct PairRow {
    /// The senders.
    pub from: ClassId,
    /// Those that it is asked about, ascending.
    pub asked: Vec<ClassId>,
    /// Those of them that it reaches for certain, ascending.
    pub yes: Vec<ClassId>,
    /// Those that it may reach, ascending.
    pub open: Vec<ClassId>,
}

/// Everything that is reached.
#[derive(Clone, Debug, Default)]
pub struct PairAnswers {
    /// By class of senders.
    pub rows: Vec<PairRow>,
    /// The best answer by each rule.
    pub by_rule: Vec<Answer>,
}

/// Which part of the senders reaches which part of the receivers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Partial {
    /// The senders, ascending.
    pub from: Vec<AtomId>,
    /// The receivers, ascending.
    pub to: Vec<AtomId>,
}

/// One of several answers for many pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Every sender reaches every receiver.
    All,
    /// Some do.
    Some,
    /// None does for certain; some may.
    Undecided,
    /// None does.
    None,
}

/// The classes of both sides of a question to one reading.
pub struct PairQuestion<'q, 'p> {
    reading: &'q Reading<'p>,
    endpoints: [&'q Endpoints<'p>; 2],
    classes: [Classes<'p>; 2],
}

impl<'q, 'p> PairQuestion<'q, 'p> {
    /// Forms the classes of those that send and of those that receive.
    pub fn new(
        reading: &'q Reading<'p>,
        [from, to]: [&'q Endpoints<'p>; 2],
    ) -> PairQuestion<'q, 'p> {
        let one = std::slice::from_ref(reading);
        PairQuestion {
            reading,
            endpoints: [from, to],
            classes: [
                Classes::new(one, Side::Source, &from.atoms),
                Classes::new(one, Side::Destination, &to.atoms),
            ],
        }
    }

    /// Both sides; by choice each sender is asked about the devices of its own user alone.
    pub fn sides(&self, is_own: bool) -> Sides<'_, 'p> {
        let ([from, to], [senders, receivers]) = (self.endpoints, &self.classes);
        Sides {
            from,
            to,
            senders,
            receivers,
            is_own,
        }
    }

    /// What the rules of the reading open between the classes, for senders with these postures.
    pub fn reach<'a>(&'a self, given: Given<'a>, shared: &mut Shared<'p>) -> Reach<'a, 'p> {
        let [senders, receivers] = &self.classes;
        let mut reach = Reach::new(self.reading, 0, (senders, receivers), shared);
        reach.given = Some(given);
        reach
    }
}

impl<'a, 'p> Sides<'a, 'p> {
    /// Asks whether the senders reach the receivers with some of this traffic.
    #[inline(never)]
    pub fn ask(
        &self,
        reach: &Reach<'a, 'p>,
        wanted: &PortSet,
        shared: &mut Shared<'p>,
    ) -> PairAnswers {
        let mut pairs = PairAnswers {
            rows: Vec::with_capacity(self.senders.list.len()),
            by_rule: vec![Answer::No; reach.rows.rules.len()],
        };
        for (id, class) in self.senders.list.iter() {
            let asked = (id, self.asked_about(class));
            let row = self.row(reach, asked, wanted, shared, &mut pairs.by_rule);
            pairs.rows.push(row);
        }
        pairs
    }

    /// Asks whether one class of senders reaches some classes of receivers, ascending; notes the best answer by each rule.
    pub fn row(
        &self,
        reach: &Reach<'a, 'p>,
        (from, asked): (ClassId, Vec<ClassId>),
        wanted: &PortSet,
        shared: &mut Shared<'p>,
        by_rule: &mut [Answer],
    ) -> PairRow {
        let mut row = PairRow {
            from,
            asked,
            yes: Vec::new(),
            open: Vec::new(),
        };
        let Some(class) = self.senders.list.get(from) else {
            return row;
        };
        let is_asked = |to: ClassId| row.asked.binary_search(&to).is_ok();
        let hits = reach.hits(from, &is_asked, shared);
        for same in hits.chunk_by(|a, b| a.to == b.to) {
            if let Some(hit) = same.first() {
                let answer = self.answer(reach, (class, same), wanted, shared, by_rule);
                row.improve(hit.to, answer);
            }
        }
        row
    }

    /// The receivers that a class of senders is asked about: of a family that both have.
    pub fn asked_about(&self, class: &Class<'p>) -> Vec<ClassId> {
        let mut asked = Vec::new();
        for (id, to) in self.receivers.list.iter() {
            if class.family & to.family != 0 && (!self.is_own || self.share_user(class, to)) {
                asked.push(id);
            }
        }
        asked
    }

    fn share_user(&self, from: &Class<'p>, to: &Class<'p>) -> bool {
        let endpoints = (end_of(from), end_of(to));
        matches!(endpoints, (Some(from), Some(to))
            if from.identity.shares_user(to.identity) == Answer::Yes)
    }

    /// The devices that may forward to a class of receivers that no device is; none if it is one, or no devices are known.
    pub fn through(
        &self,
        reach: &Reach<'a, 'p>,
        from: ClassId,
        to: ClassId,
    ) -> Option<Vec<DeviceIndex>> {
        let next_hop = self.next_hop(reach, self.senders.list.get(from)?, to)?;
        Some(next_hop.devices().to_vec())
    }

    /// One of a class of receivers.
    pub fn receiver(&self, to: ClassId) -> Option<&Endpoint<'p>> {
        end_of(self.receivers.list.get(to)?)
    }

    /// The next hop to a class of receivers that no device is.
    fn next_hop(&self, reach: &Reach<'a, 'p>, from: &Class<'p>, to: ClassId) -> Option<NextHop> {
        let to = end_of(self.receivers.list.get(to)?)?;
        match to.device.is_none() && reach.reading.knows_devices() && !reach.reading.is_ssh {
            true => reach.next_hop(end_of(from)?, to),
            false => None,
        }
    }

    /// The answer for one pair of classes by the hits on it; notes the best of each rule.
    fn answer(
        &self,
        reach: &Reach<'a, 'p>,
        (from, hits): (&Class<'p>, &[Hit]),
        wanted: &PortSet,
        shared: &mut Shared<'p>,
        by_rule: &mut [Answer],
    ) -> Answer {
        let mut judged = Vec::new();
        for hit in hits {
            let opens = shared.sets.get(hit.set);
            if !opens.is_some_and(|set| set.meets(wanted)) {
                continue;
            }
            let answer = holds(reach, (end_of(from), hit), shared);
            let best = hit.rule.and_then(|rule| by_rule.get_mut(rule));
            if let Some(best) = best {
                *best = answer.max(*best);
            }
            judged.push((hit.through, answer));
        }
        let best = |through: Option<DeviceIndex>| {
            let own = judged
                .iter()
                .filter(|(own, _)| own.is_none() || through.is_none() || *own == through);
            own.map(|(_, answer)| *answer).max().unwrap_or_default()
        };
        let to = hits.first().map(|hit| hit.to);
        let next_hop = to.and_then(|to| self.next_hop(reach, from, to));
        match next_hop.filter(|next_hop| !next_hop.devices().is_empty()) {
            Some(next_hop) => {
                next_hop.answer(next_hop.devices().iter().map(|device| best(Some(*device))))
            }
            None => best(None),
        }
    }
}

/// Whether the term of a hit holds for a sender.
pub fn holds<'p>(
    reach: &Reach<'_, 'p>,
    (from, hit): (Option<&Endpoint<'p>>, &Hit),
    shared: &mut Shared<'p>,
) -> Answer {
    let network = reach.reading.network;
    let given = reach.given.unwrap_or_default();
    // Postures with equal conditions are one fact.
    let mut postures = Vec::with_capacity(given.postures.len());
    for &posture in given.postures {
        let own = network.policy.postures.place(posture);
        let own = own.and_then(|own| network.policy.postures.name(own));
        let fact = own.map(|own| shared.conditions.posture(network.policy, own, 0));
        let term = shared.conditions.term(fact.into_iter().collect());
        let mut facts = shared.conditions.facts(term);
        if let Some(name) = facts.next().and_then(|fact| fact.name(0)) {
            postures.push(name);
        }
    }
    let given = Given {
        device: from
            .and_then(|from| from.device)
            .filter(|_| !reach.as_a_whole),
        postures: &postures,
        ..given
    };
    let answers = shared.conditions.facts(hit.term).map(|fact| match fact {
        Fact::Undecided(..) => Answer::Unknown,
        Fact::Presence(_) => Answer::Yes,
        Fact::Posture { .. } => match fact.name(0) {
            Some(name) => given.has(network, name),
            None => Answer::No,
        },
        Fact::Via(_) | Fact::Exit(_) => match (hit.through, reach.reading.knows_devices()) {
            (Some(_), _) => Answer::Yes,
            // The packets go through no device with the tag.
            (None, true) => Answer::No,
            (None, false) => Answer::Unknown,
        },
    });
    answers.min().unwrap_or(Answer::Yes)
}

/// One of a class.
pub fn end_of<'c, 'p>(class: &'c Class<'p>) -> Option<&'c Endpoint<'p>> {
    let [end, _] = &class.endpoints;
    end.as_ref()
}

impl PairRow {
    /// The best answer for any receiver.
    pub fn best(&self) -> Answer {
        match (self.yes.is_empty(), self.open.is_empty()) {
            (false, _) => Answer::Yes,
            (true, false) => Answer::Unknown,
            (true, true) => Answer::No,
        }
    }

    /// Notes a better answer for a class of receivers.
    pub fn improve(&mut self, to: ClassId, answer: Answer) {
        if answer <= self.answer(to) {
            return;
        }
        self.open.retain(|own| *own != to);
        let list = match answer {
            Answer::Yes => &mut self.yes,
            _ => &mut self.open,
        };
        let place = list.partition_point(|own| *own < to);
        list.insert(place, to);
    }

    /// Whether it reaches a class of receivers.
    pub fn answer(&self, to: ClassId) -> Answer {
        match (self.yes.binary_search(&to), self.open.binary_search(&to)) {
            (Ok(_), _) => Answer::Yes,
            (_, Ok(_)) => Answer::Unknown,
            _ => Answer::No,
        }
    }
}

impl PairAnswers {
    /// The endpoints that reach something for certain, and those that are reached.
    pub fn reached<'p>(&self, sides: &Sides<'_, 'p>) -> (Vec<Endpoint<'p>>, Vec<Endpoint<'p>>) {
        let (from, to) = self.classes_of(|row| &row.yes);
        let endpoints = |asked: &Endpoints<'p>, classes, ids: &[ClassId]| {
            let end = |atom: AtomId| {
                let [end, _] = &asked.atoms.list.get(atom)?.endpoints;
                end.clone()
            };
            atoms_of(classes, ids).into_iter().filter_map(end).collect()
        };
        (
            endpoints(sides.from, sides.senders, &from),
            endpoints(sides.to, sides.receivers, &to),
        )
    }

    /// Whether a class of senders reaches a class of receivers.
    pub fn answer(&self, from: ClassId, to: ClassId) -> Answer {
        let row = self.rows.get(from.place());
        row.map_or(Answer::No, |row| row.answer(to))
    }

    /// How many of the pairs are reached.
    pub fn quantity(&self, sides: &Sides<'_, '_>) -> Quantity {
        let has_some = self.rows.iter().any(|row| !row.yes.is_empty());
        if has_some && self.is_everything(sides) {
            return Quantity::All;
        }
        match (has_some, self.rows.iter().any(|row| !row.open.is_empty())) {
            (true, _) => Quantity::Some,
            (false, true) => Quantity::Undecided,
            (false, false) => Quantity::None,
        }
    }

    /// Whether every sender reaches every receiver, over a family that both have; one that has none with the other side reaches nothing.
    fn is_everything(&self, sides: &Sides<'_, '_>) -> bool {
        let (senders, receivers) = self.met();
        let mut rows = self.rows.iter();
        rows.all(|row| row.yes.len() == row.asked.len())
            && unmet(sides.from, sides.senders, &senders).is_empty()
            && (sides.is_own || unmet(sides.to, sides.receivers, &receivers).is_empty())
    }

    /// The largest part of the senders that reaches all of a part of the receivers, and all senders and receivers that count: an address
    /// that has no family in common with the other side does, only where its device has no other.
    pub fn part(&self, sides: &Sides<'_, '_>) -> (Partial, Partial) {
        /// How many parts are tried: those of the first senders that differ.
        const TRIED: usize = 64;
        let mut tried: Vec<&[ClassId]> = Vec::new();
        let mut best = Partial::default();
        for row in &self.rows {
            if row.yes.is_empty() || tried.len() >= TRIED || tried.contains(&&row.yes[..]) {
                continue;
            }
            tried.push(&row.yes);
            let has = |other: &&PairRow| {
                let mut yes = row.yes.iter();
                yes.all(|to| other.yes.binary_search(to).is_ok())
            };
            let senders: Vec<ClassId> = self.rows.iter().filter(has).map(|it| it.from).collect();
            let part = Partial {
                from: atoms_of(sides.senders, &senders),
                to: atoms_of(sides.receivers, &row.yes),
            };
            if part.from.len() * part.to.len() > best.from.len() * best.to.len() {
                best = part;
            }
        }
        let (senders, receivers) = self.met();
        let counted = |asked, classes, met: &[ClassId]| {
            let mut all = atoms_of(classes, met);
            all.append(&mut unmet(asked, classes, met));
            sort::sort(&mut all);
            all
        };
        let all = Partial {
            from: counted(sides.from, sides.senders, &senders),
            to: counted(sides.to, sides.receivers, &receivers),
        };
        (best, all)
    }

    /// The classes of senders and receivers that have a family in common with the other side.
    fn met(&self) -> (Vec<ClassId>, Vec<ClassId>) {
        self.classes_of(|row| &row.asked)
    }

    /// The senders of which a list of receivers has any, and these receivers, ascending.
    fn classes_of(&self, list: fn(&PairRow) -> &[ClassId]) -> (Vec<ClassId>, Vec<ClassId>) {
        let (mut senders, mut receivers) = (Vec::new(), Vec::new());
        for row in self.rows.iter().filter(|row| !list(row).is_empty()) {
            senders.push(row.from);
            receivers.extend_from_slice(list(row));
        }
        sort::sort(&mut receivers);
        receivers.dedup();
        (senders, receivers)
    }
}

/// The endpoints of each device, machine or set that has none among some classes.
fn unmet(asked: &Endpoints<'_>, classes: &Classes<'_>, met: &[ClassId]) -> Vec<AtomId> {
    let mut units = Vec::new();
    for atom in atoms_of(classes, met) {
        units.extend(asked.units.get(atom));
    }
    sort::sort(&mut units);
    units.dedup();
    let others = asked.units.iter();
    let others = others.filter(|(_, unit)| units.binary_search(unit).is_err());
    others.map(|(atom, _)| atom).collect()
}

/// The endpoints of some classes, ascending.
pub fn atoms_of(classes: &Classes<'_>, ids: &[ClassId]) -> Vec<AtomId> {
    let mut atoms = Vec::new();
    for &id in ids {
        if let Some(class) = classes.list.get(id) {
            atoms.extend_from_slice(&class.atoms);
        }
    }
    sort::sort(&mut atoms);
    atoms.dedup();
    atoms
}
