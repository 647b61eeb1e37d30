//! Whether the network lets logins through that differ between two readings: port 22 from each machine of a source.
//! Must not live here: the logins (diff_ssh.rs), what is reached on port 22 (ssh_port.rs).

use super::atoms::Atoms;
use super::comparison::Compared;
use super::ids::{AtomId, NameId};
use super::ssh_port::{LoginTerm, MachineKind, SshPort};
use crate::policy::tailnet::endpoint::Endpoint;
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

/// The same of each machine of some endpoints, where the postures hold that a login needs.
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
    let machines = machines(at, comparison.sources, atoms).into_iter();
    let answered = machines.map(|(id, end)| (id, port.is_open_to_each(&[end], &reached, login)));
    answered.collect()
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
