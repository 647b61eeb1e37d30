//! Whether the network lets logins through that differ between two readings: port 22 from each machine of a source.
//! Must not live here: the logins (diff_ssh.rs), what is reached on port 22 (ssh_port.rs).

use super::atoms::Atoms;
use super::comparison::Compared;
use super::ids::{AtomId, NameId, TermId};
use super::reading::Reading;
use super::ssh_port::{self, LoginTerm, MachineKind, SshPort};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;

/// Whether the network rules of a reading open port 22: from each machine of a source to some machine of some endpoints, or to the
/// source's own devices.
pub fn network<'p>(
    comparison: &Compared<'_, 'p>,
    at: usize,
    port: &mut SshPort<'_, '_, 'p>,
    (source, to): (NameId, Option<&[AtomId]>),
) -> Option<bool> {
    let source = comparison.sources.names.get(source);
    let atoms = source.map_or(&[][..], |name| &name.atoms);
    let answers = open_to(comparison, at, port, (atoms, to), None);
    let least = answers.into_iter().map(|(_, answer)| answer).min();
    least.unwrap_or_default().known()
}

/// The same of each machine of some endpoints, where the postures hold that a login needs. Nobody logs in from a machine to itself: where
/// that is all there is for one of several, it is as the best of the others.
pub fn open_to<'p>(
    comparison: &Compared<'_, 'p>,
    at: usize,
    port: &mut SshPort<'_, '_, 'p>,
    (atoms, to): (&[AtomId], Option<&[AtomId]>),
    login: LoginTerm<'_, 'p>,
) -> Vec<(usize, Answer)> {
    let Some(reach) = comparison.reaches.get(at) else {
        return Vec::new();
    };
    let judge = reach.reading.judge;
    let receivers = to.map(|to| endpoints(machines(at, comparison.places, to)));
    let reached = |from: &Endpoint<'p>| match &receivers {
        Some(receivers) => receivers.clone(),
        None => judge.own_endpoints(from),
    };
    let is_itself = |from: &Endpoint<'p>| {
        let mut receivers = receivers.iter().flatten().peekable();
        let has_device = from.device.is_some() && receivers.peek().is_some();
        has_device && receivers.all(|to| to.device == from.device)
    };
    let machines = machines(at, comparison.sources, atoms).into_iter();
    let (own, others): (Vec<_>, Vec<_>) = machines.partition(|(_, end)| is_itself(end));
    let mut ask = |(id, end)| (id, port.is_open_to_each(&[end], &reached, login));
    let mut answers: Vec<(usize, Answer)> = others.into_iter().map(&mut ask).collect();
    let best = answers.iter().map(|(_, answer)| *answer).max();
    answers.extend(own.into_iter().map(|own| match best {
        Some(best) => (own.0, best),
        None => ask(own),
    }));
    answers
}

/// Some endpoints of a destination in parts: of each part the machines are alike to the network.
pub fn receivers_alike<'p>(
    comparison: &Compared<'_, 'p>,
    at: usize,
    port: &mut SshPort<'_, '_, 'p>,
    atoms: &[AtomId],
) -> Vec<Vec<AtomId>> {
    let mut parts: Vec<(Option<MachineKind>, Vec<AtomId>)> = Vec::new();
    for &atom in atoms {
        let end = comparison.places.list.get(atom);
        let end = end.and_then(|atom| atom.endpoints.get(at)?.as_ref());
        let kind = end.map(|end| port.machine(Side::Destination, end));
        match parts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, part)) => part.push(atom),
            None => parts.push((kind, vec![atom])),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The machines of some endpoints, each with its number.
fn machines<'p>(at: usize, table: &Atoms<'p>, atoms: &[AtomId]) -> Vec<(usize, Endpoint<'p>)> {
    let mut machines: Vec<(usize, Endpoint<'p>)> = Vec::new();
    let mut known = Vec::new();
    for atom in atoms.iter().filter_map(|atom| table.list.get(*atom)) {
        if let Some(Some(end)) = atom.endpoints.get(at)
            && !known.contains(&atom.machine)
        {
            known.push(atom.machine);
            machines.push((atom.machine, end.clone()));
        }
    }
    machines
}

fn endpoints<'p>(machines: Vec<(usize, Endpoint<'p>)>) -> Vec<Endpoint<'p>> {
    machines.into_iter().map(|(_, end)| end).collect()
}

/// Whether other networks open port 22 in one of two readings, as in [`open_to`].
pub type KnownNetwork<'c, 'p> = Box<
    dyn FnMut(&Compared<'_, 'p>, usize, (&[AtomId], Option<&[AtomId]>)) -> Vec<(usize, Answer)>
        + 'c,
>;

/// Prepares the networks of other judges for the machines of two readings, if there are such.
pub fn with_known<'p>(
    judges: Option<[&'p Judge<'p>; 2]>,
    readings: &[&Reading<'p>; 2],
    then: &mut dyn FnMut(Option<KnownNetwork<'_, 'p>>),
) {
    let Some([before, after]) = judges else {
        return then(None);
    };
    ssh_port::with(before, readings, &mut |old| {
        ssh_port::with(after, readings, &mut |new| {
            then(Some(Box::new(|comparison, at, endpoints| match at {
                0 => open_to(comparison, at, old, endpoints, None),
                _ => open_to(comparison, at, new, endpoints, None),
            })));
        });
    });
}

/// Some endpoints of a source by whether the network lets them through.
pub type ByNetwork = Vec<(Option<bool>, Vec<AtomId>)>;

/// Some endpoints of a source by whether the network rules open port 22 to their machines: one device of somebody may get through alone.
pub fn by_network<'p>(
    comparison: &Compared<'_, 'p>,
    at: usize,
    (port, known): (&mut SshPort<'_, '_, 'p>, &mut Option<KnownNetwork<'_, 'p>>),
    endpoints: (&[AtomId], Option<&[AtomId]>),
    term: TermId,
) -> ByNetwork {
    let login = Some((term, &comparison.shared.conditions));
    let mut answers = open_to(comparison, at, port, endpoints, login);
    let mut undecided = answers.iter().filter(|(_, it)| *it == Answer::Unknown);
    if let (Some(known), Some(_)) = (known, undecided.next()) {
        for (id, known) in known(comparison, at, endpoints) {
            let mut answers = answers.iter_mut().filter(|(own, _)| *own == id);
            if let Some((_, answer)) = answers.find(|(_, it)| *it == Answer::Unknown) {
                *answer = known;
            }
        }
    }
    let mut groups = Vec::new();
    for own in [Answer::Yes, Answer::Unknown, Answer::No] {
        // A machine that this reading does not have reaches nothing.
        let is_own = |atom: &AtomId| {
            let atom = comparison.sources.list.get(*atom);
            let mut known = answers.iter();
            let answer = known.find(|(id, _)| atom.is_some_and(|atom| atom.machine == *id));
            answer.map_or(Answer::No, |(_, answer)| *answer) == own
        };
        let group: Vec<AtomId> = endpoints.0.iter().copied().filter(is_own).collect();
        if !group.is_empty() {
            groups.push((own.known(), group));
        }
    }
    groups
}
