//! Whether the network rules open port 22 between machines, by class and not pair by pair.
//! Must not live here: ssh rules, and who may log in by them (matrix.rs).

use super::atoms::{self, Atoms};
use super::classes::{Class, Classes};
use super::condition::Conditions;
use super::ids::{AtomId, ClassId, Id, IdTable, TermId};
use super::line::{ClassByAtom, Line, class_of};
use super::places::PartyPlaces;
use super::reach::{Reach, Shared};
use super::reading::Reading;
use super::region::{Opened, opened};
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Runs;
use crate::tables::sort;

/// The network of one reading, for questions about port 22.
pub struct SshPort<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    shared: Shared<'p>,
    sides: [(&'r PartyPlaces<'r, 'p>, &'r ClassByAtom, &'r Atoms<'p>); 2],
    port: PortSet,
    /// The distinct lines of machines.
    lines: Vec<Line>,
    known: Runs,
    /// The classes that each class of sources reaches, once it was asked for.
    rows: IdTable<ClassId, Option<Vec<(ClassId, PortTerms)>>>,
    /// The answers for pairs of lines.
    answers: Vec<PortTerms>,
    known_pairs: Runs,
}

/// On which terms port 22 is open.
#[derive(Clone, Default, Debug)]
struct PortTerms {
    /// One of these opens it for certain.
    terms: Vec<TermId>,
    /// Whether others may, or what is not decided.
    is_possible: bool,
}

/// What a login depends on: a term with the conditions of its own comparison; none if on nothing.
pub type LoginTerm<'c, 'p> = Option<(TermId, &'c Conditions<'p>)>;

/// Machines that are alike as senders or as receivers, by the index of their line.
pub type MachineKind = usize;

/// Prepares the networks of two readings for the machines that the ssh rules of both name.
pub fn with_both<'p>(
    ssh: [&Reading<'p>; 2],
    then: &mut dyn FnMut(&mut SshPort<'_, '_, 'p>, &mut SshPort<'_, '_, 'p>),
) {
    let [before, after] = ssh;
    with(before.judge, &ssh, &mut |old| {
        with(after.judge, &ssh, &mut |new| then(old, new));
    });
}

/// Prepares a network for the machines that the ssh rules of some readings name.
pub fn with<'p>(
    judge: &'p Judge<'p>,
    ssh: &[&Reading<'p>],
    then: &mut dyn FnMut(&mut SshPort<'_, '_, 'p>),
) {
    let reading = Reading {
        beside: ssh.iter().copied().cloned().collect(),
        ..Reading::of_network(judge).exhaustive()
    };
    let readings = std::slice::from_ref(&reading);
    let [from_atoms, to_atoms] = [Side::Source, Side::Destination].map(|side| Atoms {
        is_asked: true,
        ..atoms::atoms(readings, side)
    });
    let from = Classes::new(readings, Side::Source, &from_atoms);
    let to = Classes::new(readings, Side::Destination, &to_atoms);
    let mut shared = Shared::default();
    let reach = Reach::new(&reading, 0, (&from, &to), &mut shared);
    let sending = PartyPlaces::new(&reading, Side::Source, &from_atoms);
    let receiving = PartyPlaces::new(&reading, Side::Destination, &to_atoms);
    let of_source = class_of(&from, from_atoms.list.len());
    let of_destination = class_of(&to, to_atoms.list.len());
    let only = PortRange {
        first: 22,
        last: 22,
    };
    then(&mut SshPort {
        reach: &reach,
        shared,
        sides: [
            (&sending, &of_source, &from_atoms),
            (&receiving, &of_destination, &to_atoms),
        ],
        port: PortSet::just(&[Protocol::TCP], &Ports::One(only)),
        lines: Vec::new(),
        known: Runs::default(),
        rows: IdTable::filled(from.list.len(), None),
        answers: Vec::new(),
        known_pairs: Runs::default(),
    });
}

impl<'p> SshPort<'_, '_, 'p> {
    /// The machine at an endpoint of another reading of the same network, by what it is alike with.
    pub fn machine(&mut self, side: Side, end: &Endpoint<'p>) -> MachineKind {
        let [sending, receiving] = &self.sides;
        let (places, of, atoms) = match side {
            Side::Source => sending,
            Side::Destination => receiving,
        };
        let line = Line::new(places.of_machine(end), of, atoms, true);
        let mut run = line.run();
        run.push(side as u64);
        let place = self.known.place(&run);
        if place == self.lines.len() {
            self.lines.push(line);
        }
        place
    }

    /// Whether port 22 is open between two machines, over some family, to those who have the postures that a login needs.
    pub fn is_open(
        &mut self,
        from: MachineKind,
        to: MachineKind,
        login: LoginTerm<'_, 'p>,
    ) -> Answer {
        let place = self.known_pairs.place(&[from as u64, to as u64]);
        if place == self.answers.len() {
            let opening = self.opening(from, to);
            self.answers.push(opening);
        }
        let Some(opening) = self.answers.get(place) else {
            return Answer::No;
        };
        let conditions = &mut self.shared.conditions;
        let given = match login {
            Some((term, of)) if !opening.terms.is_empty() => conditions.adopted(term, of),
            _ => conditions.always(),
        };
        let mut terms = opening.terms.iter();
        match terms.any(|term| conditions.implied(*term, given)) {
            true => Answer::Yes,
            false if opening.is_possible => Answer::Unknown,
            false => Answer::No,
        }
    }

    /// Whether it is open from each of some machines to one of those that it is asked about.
    pub fn is_open_to_each(
        &mut self,
        senders: &[Endpoint<'p>],
        receivers: &dyn Fn(&Endpoint<'p>) -> Vec<Endpoint<'p>>,
        login: LoginTerm<'_, 'p>,
    ) -> Answer {
        let mut all: Option<Answer> = None;
        for sender in senders {
            let from = self.machine(Side::Source, sender);
            let mut best = Answer::No;
            for receiver in receivers(sender) {
                let to = self.machine(Side::Destination, &receiver);
                best = best.max(self.is_open(from, to, login));
            }
            all = Some(all.map_or(best, |all| all.min(best)));
        }
        all.unwrap_or_default()
    }

    fn opening(&mut self, from: MachineKind, to: MachineKind) -> PortTerms {
        let mut found = PortTerms::default();
        let (Some(from), Some(to)) = (self.lines.get(from).cloned(), self.lines.get(to).cloned())
        else {
            return found;
        };
        for source in &from.classes {
            for (class, opening) in self.row(source.class) {
                let own = to.of(class);
                if own.is_some_and(|own| own.family & source.family != 0) {
                    found.terms.extend(opening.terms);
                    found.is_possible |= opening.is_possible;
                }
            }
        }
        sort::sort(&mut found.terms);
        found.terms.dedup();
        found
    }

    /// The classes at which port 22 is open, or may be.
    fn row(&mut self, source: ClassId) -> Vec<(ClassId, PortTerms)> {
        if let Some(Some(row)) = self.rows.get(source) {
            return row.clone();
        }
        let mut hits = self.reach.hits(source, &|_| true, &mut self.shared);
        hits.retain(|hit| {
            let set = self.shared.sets.get(hit.set);
            set.is_some_and(|set| set.meets(&self.port))
        });
        let mut row = Vec::new();
        for alike in hits.chunk_by(|a, b| a.to == b.to) {
            let Some(first) = alike.first() else {
                continue;
            };
            let Opened { certain, undecided } = opened(alike, self.reach.reading, &mut self.shared);
            let mut opening = PortTerms::default();
            for region in certain.iter().filter(|it| it.set.meets(&self.port)) {
                opening.terms.extend_from_slice(&region.terms);
            }
            let mut undecided = undecided.iter();
            let may_be = undecided.any(|region| region.set.meets(&self.port));
            opening.is_possible = may_be || !opening.terms.is_empty();
            if opening.is_possible {
                row.push((first.to, opening));
            }
        }
        if let Some(known) = self.rows.get_mut(source) {
            *known = Some(row.clone());
        }
        row
    }

    /// The same classes, divided by what their machines are alike with; and that of each.
    pub fn divided(
        &mut self,
        side: Side,
        classes: Classes<'p>,
        atoms: &Atoms<'p>,
    ) -> (Classes<'p>, IdTable<ClassId, MachineKind>) {
        let mut divided = Classes::default();
        let mut of_class = IdTable::default();
        let mut known = Runs::default();
        for (id, class) in classes.list.iter() {
            for &atom in &class.atoms {
                let alike = self.of_atom(side, atom, atoms);
                let place = known.place(&[id.place() as u64, alike as u64]);
                if place == divided.list.len() {
                    let endpoints = atoms.list.get(atom).map(|atom| atom.endpoints.clone());
                    divided.list.push(Class {
                        endpoints: endpoints.unwrap_or_default(),
                        atoms: Vec::new(),
                        ..class.clone()
                    });
                    of_class.push(alike);
                }
                if let Some(class) = divided.list.get_mut(ClassId::at(place)) {
                    class.atoms.push(atom);
                }
            }
        }
        (divided, of_class)
    }

    fn of_atom(&mut self, side: Side, atom: AtomId, atoms: &Atoms<'p>) -> MachineKind {
        let end = atoms.list.get(atom).and_then(|atom| {
            let [first, second] = &atom.endpoints;
            first.as_ref().or(second.as_ref())
        });
        end.map_or(usize::MAX, |end| self.machine(side, end))
    }
}
