//! Flows over devices between: whoever reaches any port of a device may go on as that device.
//! Must not live here: claims about single hops (judge.rs).

use super::called::{Port, flow};
use super::counterexample::explained;
use super::field::Field;
use super::guard::Verb;
use super::judge::JudgedClaim;
use super::proof::{Counterexample, NamedFlow};
use super::ready::senders;
use super::traffic::Traffic;
use crate::policy::findings::words::joined;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::language::rule::RuleRef;
use crate::policy::relation::classes::Classes;
use crate::policy::relation::ids::{ClassId, Id, IdTable, SetId};
use crate::policy::relation::reach::Shared;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::party::Side;
use crate::policy::verdict::Error;
use crate::tables::index::{Numbers, Runs};
use crate::tables::sort;

/// Who reaches whom over devices.
pub struct Paths<'f, 'w> {
    field: &'f Field<'f, 'w>,
    /// By class of destinations, as whom one goes on from there: each class of sources once. Once somebody asks.
    onward: Option<IdTable<ClassId, Vec<Onward>>>,
    /// What each class of sources reaches for certain, and perhaps.
    rows: [IdTable<ClassId, Option<Vec<ReachedClass>>>; 2],
    /// The classes of both sides by what certainly includes them, once somebody asks.
    certain: Option<[Classes<'w>; 2]>,
    /// The ports by which one gets onto a device: those of every protocol that has some.
    any: PortSet,
}

/// A class of destinations that is reached.
#[derive(Clone)]
struct ReachedClass {
    class: ClassId,
    set: PortSet,
    /// A port by which one gets onto a device.
    onto: Option<Port>,
}

/// As whom one goes on.
#[derive(Clone, Copy)]
struct Onward {
    /// A class of sources.
    class: ClassId,
    /// Where one gets there, a place of destinations, and the same as a place of sources.
    place: usize,
    from: usize,
}

/// A class of sources that is reached: how one gets there.
#[derive(Clone, Copy)]
struct Step {
    class: ClassId,
    /// Who goes on, a place of sources.
    from: usize,
    /// The step before, and the place of destinations with the port by which one gets here from there; none for a source of
    /// the claim.
    by: Option<(usize, usize, Port)>,
}

/// A path: its first place of sources, then each place of destinations with its port and the place of sources to go on as.
struct Path {
    first: usize,
    hops: Vec<(usize, Port, Option<usize>)>,
}

/// The hops of a path as flows, and the rules that allow them.
type Hops = (Vec<NamedFlow>, Vec<RuleRef>);

impl<'f, 'w> Paths<'f, 'w> {
    /// Those of a field.
    pub fn new(field: &'f Field<'f, 'w>) -> Paths<'f, 'w> {
        let with_ports = (1..=u8::MAX).map(Protocol).filter(|own| own.has_ports());
        let all: Vec<Protocol> = with_ports.collect();
        let rows = IdTable::filled(field.from.classes.list.len(), None);
        Paths {
            field,
            onward: None,
            rows: [rows.clone(), rows],
            certain: None,
            any: PortSet::just(&all, &Ports::One(PortRange::ALL)),
        }
    }

    /// Judges a claim that no single hop is against: whether a path is, if it asks for paths; else notes that there is one.
    pub fn judge(
        &mut self,
        asked: &mut JudgedClaim<'_, 'w, '_>,
        shared: &mut Shared<'w>,
    ) -> Result<(), Error> {
        let holds = asked.finding.holds();
        let over_devices = asked.question.over_devices;
        let is_asked = holds == Some(true) || holds.is_none() && over_devices;
        if asked.question.verb != Verb::Never || !is_asked {
            return Ok(());
        }
        if let Some((hops, because)) = self.confirmed(asked, shared)? {
            match hops.last() {
                Some(last) if over_devices => {
                    asked.finding.counterexample = Some(Counterexample {
                        flow: last.clone(),
                        rule: because.last().copied(),
                        path: hops,
                    });
                    asked.finding.because = because;
                }
                _ => {
                    let note = [
                        "only single hops were asked, not `paths`: ",
                        &in_words(&hops),
                    ];
                    asked.finding.note = Some(joined(&note));
                }
            }
        } else if over_devices && asked.finding.why.is_none() {
            let path = self.first(asked, Answer::Unknown, shared);
            asked.finding.why = path.map(|path| {
                let why = "text and context do not say whether each hop is allowed: ";
                joined(&[why, &self.by_own_names(&path)])
            });
        }
        Ok(())
    }

    /// The hops of a path that is certainly against a claim, as `explain` confirms them, and the rules that allow them.
    fn confirmed(
        &mut self,
        asked: &JudgedClaim<'_, 'w, '_>,
        shared: &mut Shared<'w>,
    ) -> Result<Option<Hops>, Error> {
        let Some(path) = self.first(asked, Answer::Yes, shared) else {
            return Ok(None);
        };
        let Some((own, end)) = self.field.from.at(path.first) else {
            return Ok(None);
        };
        let called = self.field.called;
        let claimed = |end: &Endpoint<'w>| asked.speaks_of(Side::Source, end) == Answer::Yes;
        for from in called.of(Side::Source, own, end, &claimed) {
            let mut found = (Vec::new(), Vec::new());
            if self.confirm(asked, &from, &path, 0, &mut found)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether the hops of a path from this one are allowed, by some names of their endpoints.
    fn confirm(
        &self,
        asked: &JudgedClaim<'_, 'w, '_>,
        from: &str,
        path: &Path,
        at: usize,
        found: &mut Hops,
    ) -> Result<bool, Error> {
        let Some(&(place, port, onward)) = path.hops.get(at) else {
            return Ok(true);
        };
        let (Some((own, end)), Some((_, first))) =
            (self.field.to.at(place), self.field.from.at(path.first))
        else {
            return Ok(false);
        };
        let Some(judge) = self.judge_of() else {
            return Ok(false);
        };
        let is_claimed = |end: &Endpoint<'w>| onward.is_some() || asked.is_about(first, end);
        for to in self
            .field
            .called
            .of(Side::Destination, own, end, &is_claimed)
        {
            let hop = flow(from, &to, port);
            let explained = explained(judge, &hop)?;
            if !explained.verdict.is_open() {
                continue;
            }
            let before = (found.0.len(), found.1.len());
            found.0.push(hop);
            found.1.extend(explained.because.first());
            // It may go on from another address than the one that is reached.
            let other = onward.and_then(|onward| self.field.from.at(onward));
            for next in std::iter::once(to.as_str()).chain(other.map(|(name, _)| name)) {
                if self.confirm(asked, next, path, at + 1, found)? {
                    return Ok(true);
                }
            }
            found.0.truncate(before.0);
            found.1.truncate(before.1);
        }
        Ok(false)
    }

    /// A path against a claim, of the fewest hops, of which each is at least so certain.
    fn first(
        &mut self,
        asked: &JudgedClaim<'_, 'w, '_>,
        least: Answer,
        shared: &mut Shared<'w>,
    ) -> Option<Path> {
        let mut starts = Vec::new();
        let has_own = asked
            .question
            .sides
            .as_ref()
            .is_some_and(|sides| sides.has_own);
        for (class, sources) in asked.sources.iter() {
            let mut sources = sources.iter().filter(|(answer, _)| *answer >= least);
            let own = |&(_, from): &(Answer, usize)| Step {
                class,
                from,
                by: None,
            };
            match has_own {
                true => starts.extend(sources.map(|source| vec![own(source)])),
                false => starts.extend(sources.next().map(|source| vec![own(source)])),
            }
        }
        // The own devices of a source are not those of another.
        if !has_own {
            starts = vec![starts.concat()];
        }
        starts
            .into_iter()
            .find_map(|steps| self.search(asked, steps, least, shared))
    }

    /// The same from some sources, nearest first.
    fn search(
        &mut self,
        asked: &JudgedClaim<'_, 'w, '_>,
        mut steps: Vec<Step>,
        least: Answer,
        shared: &mut Shared<'w>,
    ) -> Option<Path> {
        let field = self.field;
        let onward = self.onward.get_or_insert_with(|| onward(field)).clone();
        let first = steps.first()?.from;
        let (_, end) = field.from.at(first)?;
        let wanted = match &asked.question.traffic {
            Traffic::Flows(wanted) => wanted,
            Traffic::Logins(_) => return None,
        };
        let mut targets = IdTable::filled(field.to.classes.list.len(), None);
        for (class, answer, at) in asked.targets_of(end) {
            if let Some(target) = targets.get_mut(class).filter(|_| answer >= least) {
                *target = Some(at);
            }
        }
        let mut seen = IdTable::filled(field.from.classes.list.len(), false);
        for step in &steps {
            mark(&mut seen, step.class);
        }
        let mut at = 0;
        while let Some(&step) = steps.get(at) {
            for reached in self.row(step.class, least, shared) {
                let target = targets.get(reached.class).copied().flatten();
                let port = reached.set.intersect(wanted).first();
                if let (Some(target), Some(port), Some(_)) = (target, port, step.by) {
                    return Some(path_to(&steps, at, (target, port)));
                }
                for &Onward { class, place, from } in onward.of(reached.class) {
                    if let (Some(port), true) = (reached.onto, mark(&mut seen, class)) {
                        let by = Some((at, place, port));
                        steps.push(Step { class, from, by });
                    }
                }
            }
            at += 1;
        }
        None
    }

    /// What a class of sources reaches, each class of destinations once: for certain, or perhaps and with some postures.
    fn row(
        &mut self,
        source: ClassId,
        least: Answer,
        shared: &mut Shared<'w>,
    ) -> Vec<ReachedClass> {
        let [sure, perhaps] = &mut self.rows;
        let rows = if least == Answer::Yes { sure } else { perhaps };
        let Some(row) = rows.get_mut(source) else {
            return Vec::new();
        };
        let (field, any) = (self.field, &self.any);
        let classes = [&field.from.classes, &field.to.classes];
        let certain = &mut self.certain;
        let new = || {
            let [from, to] = match least {
                // What is certain is so by selectors that certainly include both endpoints.
                Answer::Yes => certain
                    .get_or_insert_with(|| classes.map(Classes::certain))
                    .each_ref(),
                _ => classes,
            };
            reached(field, (from, to), (source, least), (any, shared))
        };
        row.get_or_insert_with(new).clone()
    }

    fn judge_of(&self) -> Option<&'w Judge<'w>> {
        self.field.stated.first().map(|stated| stated.reading.judge)
    }

    /// A path in words, by the own names of its places.
    fn by_own_names(&self, path: &Path) -> String {
        let mut hops = Vec::new();
        let mut from = self.field.from.at(path.first).map(|(name, _)| name);
        for (place, port, _) in &path.hops {
            let to = self.field.to.at(*place).map(|(name, _)| name);
            if let (Some(from), Some(to)) = (from, to) {
                hops.push(flow(from, to, *port));
            }
            from = to;
        }
        in_words(&hops)
    }
}

/// Notes a class. Returns whether it is new.
fn mark(seen: &mut IdTable<ClassId, bool>, class: ClassId) -> bool {
    seen.get_mut(class)
        .is_some_and(|seen| !std::mem::replace(seen, true))
}

/// What a class of sources reaches.
fn reached<'w>(
    field: &Field<'_, 'w>,
    classes: (&Classes<'w>, &Classes<'w>),
    (source, least): (ClassId, Answer),
    (any, shared): (&PortSet, &mut Shared<'w>),
) -> Vec<ReachedClass> {
    let class = classes.0.list.get(source);
    let end = class.and_then(|class| class.endpoints.first()?.as_ref());
    let (Some(stated), Some(end)) = (field.stated.first(), end) else {
        return Vec::new();
    };
    let mut sets = IdTable::filled(classes.1.list.len(), PortSet::default());
    let mut add = |to, set: &PortSet| {
        if let Some(known) = sets.get_mut(to) {
            *known = known.union(set);
        }
    };
    if least == Answer::Yes {
        for (to, passing) in stated.passing(classes, source, &[], least) {
            add(to, &passing.least());
        }
    } else if stated.reading.knows_devices() {
        let all = senders(field.stated, end).unwrap_or_else(|| vec![vec![Vec::new()]]);
        for own in all.iter().filter_map(|postures| postures.first()) {
            for (to, passing) in stated.passing(classes, source, own, least) {
                add(to, &passing.most());
            }
        }
    } else {
        // Whoever it may be, with whatever posture.
        let (mut known, mut unions) = (Runs::default(), Vec::new());
        let all = field.openings(0, source, &|_| true, (&mut |_, _| true, shared));
        for (to, possible) in all.iter() {
            let mut ids: Vec<SetId> = possible.iter().map(|own| own.set).collect();
            sort::sort(&mut ids);
            ids.dedup();
            let numbers: Vec<u64> = ids.iter().map(|id| id.place() as u64).collect();
            let place = known.place(&numbers);
            if place == unions.len() {
                let own = ids.iter().filter_map(|id| shared.sets.get(*id));
                unions.push(own.fold(PortSet::default(), |all, set| all.union(set)));
            }
            unions.get(place).into_iter().for_each(|set| add(to, set));
        }
    }
    let each = sets.iter().filter(|(_, set)| !set.is_empty());
    let each = each.map(|(class, set)| ReachedClass {
        class,
        set: set.clone(),
        onto: set.intersect(any).first(),
    });
    each.collect()
}

/// By class of destinations, as whom one goes on from there: those first that say most.
fn onward(field: &Field<'_, '_>) -> IdTable<ClassId, Vec<Onward>> {
    let places = going_on(field);
    let mut all = IdTable::default();
    for to in field.to.classes.list.ids() {
        let mut members: Vec<usize> = field.to.members(to).collect();
        sort::sort_by(&mut members, |one, other| {
            let strange = &field.to.strange;
            strange.get(*one).cmp(&strange.get(*other))
        });
        let mut onward: Vec<Onward> = Vec::new();
        for place in members {
            for &from in places.get(place).into_iter().flatten() {
                let class = field.from.class(from);
                let class = class.filter(|own| onward.iter().all(|known| known.class != *own));
                onward.extend(class.map(|class| Onward { class, place, from }));
            }
        }
        all.push(onward);
    }
    all
}

/// By place of destinations, the places of sources as which one goes on from there: all of the same device.
fn going_on(field: &Field<'_, '_>) -> Vec<Vec<usize>> {
    let mut by_device = Numbers::default();
    let mut of_device: Vec<Vec<usize>> = Vec::new();
    for (at, (_, end)) in field.from.places.list.iter().enumerate() {
        if let Some(device) = end.device {
            let place = by_device.place(device.0 as u64, of_device.len());
            if place == of_device.len() {
                of_device.push(Vec::new());
            }
            if let Some(own) = of_device.get_mut(place) {
                own.push(at);
            }
        }
    }
    let next = of_device.len();
    let each = field.to.places.list.iter().map(|(name, end)| {
        match (end.device, end.identity) {
            // Nobody logs in to a service to go on from there.
            (_, Identity::Service(_)) => Vec::new(),
            (Some(device), _) => {
                let place = by_device.place(device.0 as u64, next);
                of_device.get(place).cloned().unwrap_or_default()
            }
            (None, _) => field.from.places.find(name).into_iter().collect(),
        }
    });
    each.collect()
}

/// The path that ends with a flow from a step.
fn path_to(steps: &[Step], mut at: usize, (target, port): (usize, Port)) -> Path {
    let mut path = Path {
        first: 0,
        hops: vec![(target, port, None)],
    };
    while let Some(step) = steps.get(at) {
        match step.by {
            Some((before, place, port)) => {
                path.hops.push((place, port, Some(step.from)));
                at = before;
            }
            None => {
                path.first = step.from;
                break;
            }
        }
    }
    path.hops.reverse();
    path
}

/// Hops in words.
fn in_words(hops: &[NamedFlow]) -> String {
    let mut words = String::new();
    for hop in hops {
        if !words.is_empty() {
            words.push_str(", then ");
        }
        words.push_str(&hop.words());
    }
    words
}
