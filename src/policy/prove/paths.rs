//! Flows over devices between: whoever reaches any port of a device may go on as that device.
//! Must not live here: claims about single hops (flows.rs).

use super::called::{Port, flow};
use super::counterexample::explained;
use super::flows::Asked;
use super::guard::Verb;
use super::proof::{Counterexample, NamedFlow};
use super::reached::Reached;
use super::settled::Field;
use crate::policy::explain::Verdict;
use crate::policy::findings::words::joined;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::language::rule::RuleRef;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::sets::{PostureNames, Sets};
use crate::policy::verdict::Error;
use crate::tables::index::Index;
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
    /// By class of sources: each class of destinations, with what is certainly open and what may be.
    rows: Vec<Option<Vec<(usize, usize, usize)>>>,
    /// By place of destinations, the places of sources as which one goes on.
    onward: Vec<Vec<usize>>,
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
            if explained.verdict != Verdict::Allowed {
                continue;
            }
            let before = (found.0.len(), found.1.len());
            found.0.push(hop);
            found.1.extend(explained.because.first());
            if self.confirm(asked, &to, path, at + 1, found)? {
                return Ok(true);
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
        let (_, first) = field.from.at(steps.first()?.from)?;
        let targets = asked.targets_of(first, field.to);
        let mut seen = vec![false; field.from.by_class().len()];
        for step in &steps {
            *seen.get_mut(step.class)? = true;
        }
        let mut at = 0;
        while let Some(&step) = steps.get(at) {
            for (to, certain, possible) in self.row(step.class) {
                let open = self.open(certain, possible, least)?;
                let wanted = open.intersect(&asked.wanted).first();
                let mut targets = targets.iter();
                let target = targets.find(|(class, answer, _)| *class == to && *answer >= least);
                if let (Some(port), Some(&(_, _, target)), Some(_)) = (wanted, target, step.by) {
                    return Some(path_to(&steps, at, (target, port)));
                }
                let Some(port) = open.intersect(&self.any).first() else {
                    continue;
                };
                for (place, from) in self.onward(to) {
                    let class = *field.from.classes.of_party.get(from)?;
                    if !std::mem::replace(seen.get_mut(class)?, true) {
                        let by = Some((at, place, port));
                        steps.push(Step { class, from, by });
                    }
                }
            }
            at += 1;
        }
        None
    }

    /// What is open, as certainly as is wanted.
    fn open(&self, certain: usize, possible: usize, least: Answer) -> Option<PortSet> {
        let sets = &self.known.as_ref()?.sets;
        Some(match least {
            Answer::Yes => sets.get(certain).plain.clone(),
            _ => sets.get(possible).whole(),
        })
    }

    /// The places of a class of destinations, each with those as which one goes on from there; those first that say most.
    fn onward(&self, class: usize) -> Vec<(usize, usize)> {
        let [_, strange] = &self.field.strange;
        let members = self.field.to.by_class().get(class);
        let mut places: Vec<usize> = members.cloned().unwrap_or_default();
        sort::sort_by(&mut places, |one, other| {
            strange.get(*one).cmp(&strange.get(*other))
        });
        let known = self.known.as_ref();
        let mut found = Vec::new();
        for place in places {
            let onward = known.and_then(|known| known.onward.get(place));
            found.extend(onward.into_iter().flatten().map(|from| (place, *from)));
        }
        found
    }

    /// What a class of sources reaches.
    fn row(&mut self, class: usize) -> Vec<(usize, usize, usize)> {
        let field = self.field;
        let known = self.known.get_or_insert_with(|| Known::new(field));
        if let Some(Some(row)) = known.rows.get(class) {
            return row.clone();
        }
        let rows = known
            .reached
            .rows(class, &known.groups, &|_| true, &mut known.sets);
        let row: Vec<_> = rows
            .iter()
            .map(|row| (row.group, row.certain, row.possible))
            .collect();
        if let Some(place) = known.rows.get_mut(class) {
            *place = Some(row.clone());
        }
        row
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
        let (mut by_name, mut by_device) = (Index::default(), Vec::new());
        for (at, stands) in from.stands.iter().enumerate() {
            by_name.set(stands.party.name.as_str().into(), at);
            let device = stands.ends.first().and_then(|end| end.device);
            if let Some(device) = device {
                by_device.push((device, at));
            }
        }
        let onward = to.stands.iter().map(|stands| {
            let end = stands.ends.first();
            match end.map(|end| (end.device, end.identity)) {
                // Nobody logs in to a service to go on from there.
                None | Some((_, Identity::Service(_))) => Vec::new(),
                Some((Some(device), _)) => {
                    let own = by_device.iter().filter(|(own, _)| *own == device);
                    own.map(|(_, at)| *at).collect()
                }
                Some((None, _)) => by_name.find(&stands.party.name).into_iter().collect(),
            }
        });
        Known {
            groups: to.classes.groups_of(),
            rows: vec![None; from.by_class().len()],
            onward: onward.collect(),
            reached,
            sets,
        }
    }
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
