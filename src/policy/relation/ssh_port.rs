//! Whether the network rules open port 22 between machines, by class and not pair by pair.
//! Must not live here: ssh rules, and who may log in by them (matrix.rs).

use super::atoms::{self, Atoms};
use super::classes::{Class, Classes};
use super::ids::{AtomId, ClassId, Id, IdTable};
use super::line::{ClassByAtom, Line, class_of};
use super::places::PartyPlaces;
use super::reach::{Reach, Shared};
use super::reading::Reading;
use super::region::{Opened, Region, opened};
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Runs;

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
    rows: IdTable<ClassId, Option<Vec<(ClassId, Answer)>>>,
    /// The answers for pairs of lines.
    answers: Vec<Answer>,
    known_pairs: Runs,
}

/// Machines that are alike as senders or as receivers, by the index of their line.
pub type MachineKind = usize;

/// Prepares a network for the machines that the ssh rules of some readings name.
#[inline(never)]
pub fn with<'p, R>(
    judge: &'p Judge<'p>,
    ssh: &[&Reading<'p>],
    then: impl FnOnce(&mut SshPort<'_, '_, 'p>) -> R,
) -> R {
    let reading = Reading {
        beside: ssh.iter().filter_map(|own| own.ssh).collect(),
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
    })
}

impl<'p> SshPort<'_, '_, 'p> {
    /// The machine at an endpoint of another reading of the same network, by what it is alike with.
    fn machine(&mut self, side: Side, end: &Endpoint<'p>) -> MachineKind {
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

    /// Whether port 22 is open between two machines, over some family.
    pub fn is_open(&mut self, from: MachineKind, to: MachineKind) -> Answer {
        let place = self.known_pairs.place(&[from as u64, to as u64]);
        if place == self.answers.len() {
            let answer = self.answer(from, to);
            self.answers.push(answer);
        }
        self.answers.get(place).copied().unwrap_or_default()
    }

    /// Whether it is open from each of some machines to one of those that it is asked about.
    pub fn is_open_to_each(
        &mut self,
        senders: &[Endpoint<'p>],
        receivers: &dyn Fn(&Endpoint<'p>) -> Vec<Endpoint<'p>>,
    ) -> Answer {
        let mut all: Option<Answer> = None;
        for sender in senders {
            let from = self.machine(Side::Source, sender);
            let mut best = Answer::No;
            for receiver in receivers(sender) {
                let to = self.machine(Side::Destination, &receiver);
                best = best.max(self.is_open(from, to));
            }
            all = Some(all.map_or(best, |all| all.min(best)));
        }
        all.unwrap_or_default()
    }

    fn answer(&mut self, from: MachineKind, to: MachineKind) -> Answer {
        let (Some(from), Some(to)) = (self.lines.get(from).cloned(), self.lines.get(to).cloned())
        else {
            return Answer::No;
        };
        let mut best = Answer::No;
        for source in &from.classes {
            for (class, answer) in self.row(source.class) {
                let own = to.of(class);
                if own.is_some_and(|own| own.family & source.family != 0) {
                    best = best.max(answer);
                }
            }
        }
        best
    }

    /// The classes at which port 22 is open, or may be.
    fn row(&mut self, source: ClassId) -> Vec<(ClassId, Answer)> {
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
            let always = self.shared.conditions.always();
            let is_free =
                |region: &Region| region.set.meets(&self.port) && region.terms.contains(&always);
            let mut all = certain.iter().chain(&undecided);
            if certain.iter().any(is_free) {
                row.push((first.to, Answer::Yes));
            } else if all.any(|region| region.set.meets(&self.port)) {
                row.push((first.to, Answer::Unknown));
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
