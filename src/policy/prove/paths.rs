//! Flows over devices between: whoever reaches any port of a device may go on as that device.
//! Must not live here: claims about single hops (flows.rs).

use super::called::{Port, flow};
use super::counterexample::explained;
use super::flows::Asked;
use super::guard::Verb;
use super::proof::{Counterexample, NamedFlow};
use super::reached::Reached;
use super::settled::Field;
use crate::policy::findings::words::joined;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::language::rule::RuleRef;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::reach::Row;
use crate::policy::tailnet::sets::{PostureNames, Sets};
use crate::policy::verdict::Error;
use crate::tables::index::{Index, Numbers};
use crate::tables::sort;

/// Who reaches whom over devices.
pub struct Paths<'f, 'j, 'a> {
    field: &'f Field<'j, 'a>,
    /// What the policy opens, once somebody asks.
    known: Option<Known<'j, 'a>>,
    /// The ports by which one gets onto a device: those of every protocol that has some.
    any: PortSet,
}

/// What is reached, and who may go on from there.
struct Known<'j, 'a> {
    reached: Reached<'j, 'a>,
    sets: Sets,
    groups: Vec<Vec<usize>>,
    /// By class of destinations, as whom one goes on from there: each class of sources once.
    onward: Vec<Vec<Onward>>,
    /// By class of sources, the classes of destinations from where one goes on as one of them.
    by_source: Vec<Vec<usize>>,
}

/// As whom one goes on.
#[derive(Clone, Copy)]
struct Onward {
    /// A class of sources.
    class: usize,
    /// Where one gets there, a place of destinations, and the same as a place of sources.
    place: usize,
    from: usize,
}

/// The classes of sources that are reached.
struct Seen {
    seen: Vec<bool>,
    /// By class of destinations, how many others one may go on as from there.
    left: Vec<usize>,
}

impl Seen {
    fn new(known: &Known<'_, '_>, classes: usize) -> Seen {
        Seen {
            seen: vec![false; classes],
            left: known.onward.iter().map(Vec::len).collect(),
        }
    }

    fn has(&self, class: usize) -> bool {
        self.seen.get(class) == Some(&true)
    }

    fn add(&mut self, class: usize, known: &Known<'_, '_>) {
        if let Some(seen) = self.seen.get_mut(class)
            && !std::mem::replace(seen, true)
        {
            for &to in known.by_source.get(class).into_iter().flatten() {
                if let Some(left) = self.left.get_mut(to) {
                    *left -= 1;
                }
            }
        }
    }
}

/// Which sets have some ports, each asked once.
struct Meets<'p> {
    wanted: &'p PortSet,
    least: Answer,
    known: Vec<Option<Option<Port>>>,
}

impl<'p> Meets<'p> {
    fn new(wanted: &'p PortSet, least: Answer) -> Meets<'p> {
        Meets {
            wanted,
            least,
            known: Vec::new(),
        }
    }

    /// A port of what is open in a row, as certainly as is wanted.
    fn port(&mut self, row: &Row, sets: &Sets) -> Option<Port> {
        let is_sure = self.least == Answer::Yes;
        let set = if is_sure { row.certain } else { row.possible };
        if self.known.len() <= set {
            self.known.resize(set + 1, None);
        }
        let (wanted, known) = (self.wanted, self.known.get_mut(set)?);
        *known.get_or_insert_with(|| match is_sure {
            true => sets.get(set).plain.intersect(wanted).first(),
            false => sets.get(set).whole().intersect(wanted).first(),
        })
    }
}

/// A class of sources that is reached: how one gets there.
#[derive(Clone, Copy)]
struct Step {
    class: usize,
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

impl<'f, 'j, 'a> Paths<'f, 'j, 'a> {
    /// Those of a field.
    pub fn new(field: &'f Field<'j, 'a>) -> Paths<'f, 'j, 'a> {
        let with_ports = (1..=u8::MAX).map(Protocol).filter(|own| own.has_ports());
        let all: Vec<Protocol> = with_ports.collect();
        Paths {
            field,
            known: None,
            any: PortSet::just(&all, &Ports::One(PortRange::ALL)),
        }
    }

    /// Judges a claim that no single hop is against: whether a path is, if it asks for paths; else notes that there is one.
    pub fn judge(&mut self, asked: &mut Asked<'a>) -> Result<(), Error> {
        let holds = asked.finding.holds();
        let is_asked = holds == Some(true) || holds.is_none() && asked.over_devices;
        if asked.verb != Verb::Never || !is_asked {
            return Ok(());
        }
        if let Some((hops, because)) = self.confirmed(asked)? {
            let over_devices = asked.over_devices;
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
        } else if asked.over_devices && asked.finding.why.is_none() {
            let path = self.first(asked, Answer::Unknown);
            asked.finding.why = path.map(|path| {
                let why = "text and context do not say whether each hop is allowed: ";
                joined(&[why, &self.by_own_names(&path)])
            });
        }
        Ok(())
    }

    /// The hops of a path that is certainly against a claim, as `explain` confirms them, and the rules that allow them.
    fn confirmed(&mut self, asked: &Asked<'a>) -> Result<Option<Hops>, Error> {
        let Some(path) = self.first(asked, Answer::Yes) else {
            return Ok(None);
        };
        let network = &self.field.judge.network;
        let Some((own, end)) = self.field.from.at(path.first) else {
            return Ok(None);
        };
        let called = self.field.called;
        let claimed = |end: &Endpoint<'_>| asked.ends.sends(network, end) == Answer::Yes;
        for from in called.of(Side::Source, own, end, &claimed) {
            let mut found = (Vec::new(), Vec::new());
            if self.confirm(asked, &from, &path, 0, &mut found)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether the hops of a path from this one are allowed, by some names of their ends.
    fn confirm(
        &self,
        asked: &Asked<'a>,
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
        let network = &self.field.judge.network;
        let is_claimed =
            |end: &Endpoint<'_>| onward.is_some() || asked.ends.speak_of(network, first, end);
        for to in self
            .field
            .called
            .of(Side::Destination, own, end, &is_claimed)
        {
            let hop = flow(from, &to, port);
            let explained = explained(self.field.judge, &hop)?;
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
    fn first(&mut self, asked: &Asked<'a>, least: Answer) -> Option<Path> {
        let mut starts = Vec::new();
        for (class, sources) in asked.sources.iter().enumerate() {
            let mut sources = sources.iter().filter(|(answer, _)| *answer >= least);
            let own = |&(_, from): &(Answer, usize)| Step {
                class,
                from,
                by: None,
            };
            match asked.ends.has_own {
                true => starts.extend(sources.map(|source| vec![own(source)])),
                false => starts.extend(sources.next().map(|source| vec![own(source)])),
            }
        }
        // The own devices of a source are not those of another.
        if !asked.ends.has_own {
            starts = vec![starts.concat()];
        }
        starts
            .into_iter()
            .find_map(|steps| self.search(asked, steps, least))
    }

    /// The same from some sources, nearest first.
    fn search(&mut self, asked: &Asked<'a>, mut steps: Vec<Step>, least: Answer) -> Option<Path> {
        let field = self.field;
        let known = self.known.get_or_insert_with(|| Known::new(field));
        let (_, first) = field.from.at(steps.first()?.from)?;
        let mut targets = vec![None; known.onward.len()];
        for (class, answer, at) in asked.targets_of(first, field.to) {
            if let Some(target) = targets.get_mut(class).filter(|_| answer >= least) {
                *target = Some(at);
            }
        }
        let (mut last, mut on) = (
            Meets::new(&asked.wanted, least),
            Meets::new(&self.any, least),
        );
        let mut seen = Seen::new(known, field.from.by_class().len());
        for step in &steps {
            seen.add(step.class, known);
        }
        let mut at = 0;
        while let Some(&step) = steps.get(at) {
            let is_asked = |class: usize| {
                seen.left.get(class).is_some_and(|left| *left > 0)
                    || step.by.is_some() && targets.get(class).is_some_and(Option::is_some)
            };
            let rows = known
                .reached
                .rows(step.class, &known.groups, &is_asked, &mut known.sets);
            for row in &rows {
                let target = targets.get(row.group).copied().flatten();
                if let Some(target) = target.filter(|_| step.by.is_some())
                    && let Some(port) = last.port(row, &known.sets)
                {
                    return Some(path_to(&steps, at, (target, port)));
                }
                let onward = known.onward.get(row.group).map_or(&[][..], Vec::as_slice);
                let unseen = onward.iter().filter(|next| !seen.has(next.class));
                let unseen: Vec<Onward> = unseen.copied().collect();
                let Some(port) = on.port(row, &known.sets).filter(|_| !unseen.is_empty()) else {
                    continue;
                };
                for Onward { class, place, from } in unseen {
                    if !seen.has(class) {
                        seen.add(class, known);
                        let by = Some((at, place, port));
                        steps.push(Step { class, from, by });
                    }
                }
            }
            at += 1;
        }
        None
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

impl<'j, 'a> Known<'j, 'a> {
    fn new(field: &Field<'j, 'a>) -> Known<'j, 'a> {
        let (from, to) = (field.from, field.to);
        let (mut sets, mut postures) = (Sets::default(), PostureNames::default());
        let classes = (&from.classes, &to.classes);
        let reached = Reached::new(field.judge, 0, classes, &mut sets, &mut postures);
        let mut by_source = vec![Vec::new(); from.by_class().len()];
        let places = onward(field);
        let [_, strange] = &field.strange;
        let mut all = Vec::with_capacity(to.by_class().len());
        for (to, members) in to.by_class().iter().enumerate() {
            let mut members = members.clone();
            // Those first that say most.
            sort::sort_by(&mut members, |one, other| {
                strange.get(*one).cmp(&strange.get(*other))
            });
            let mut onward: Vec<Onward> = Vec::new();
            for place in members {
                for &next in places.get(place).into_iter().flatten() {
                    let Some(&class) = from.classes.of_party.get(next) else {
                        continue;
                    };
                    let own: Option<&mut Vec<usize>> = by_source.get_mut(class);
                    if let Some(own) = own.filter(|own| own.last() != Some(&to)) {
                        own.push(to);
                        let from = next;
                        onward.push(Onward { class, place, from });
                    }
                }
            }
            all.push(onward);
        }
        Known {
            groups: to.classes.groups_of(),
            onward: all,
            by_source,
            reached,
            sets,
        }
    }
}

/// By place of destinations, the places of sources as which one goes on from there: all of the same device.
fn onward(field: &Field<'_, '_>) -> Vec<Vec<usize>> {
    let (mut by_name, mut by_device) = (Index::default(), Numbers::default());
    let mut of_device: Vec<Vec<usize>> = Vec::new();
    for (at, stands) in field.from.stands.iter().enumerate() {
        by_name.set(stands.party.name.as_str().into(), at);
        if let Some(device) = stands.ends.first().and_then(|end| end.device) {
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
    let each = field.to.stands.iter().map(|stands| {
        let end = stands.ends.first();
        match end.map(|end| (end.device, end.identity)) {
            // Nobody logs in to a service to go on from there.
            None | Some((_, Identity::Service(_))) => Vec::new(),
            Some((Some(device), _)) => {
                let place = by_device.place(device.0 as u64, next);
                of_device.get(place).cloned().unwrap_or_default()
            }
            Some((None, _)) => by_name.find(&stands.party.name).into_iter().collect(),
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
