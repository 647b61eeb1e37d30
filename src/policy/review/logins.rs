//! Logins that the ssh rules allow before and after, and that the network lets through in one of the two alone: a login needs both
//! (docs/policy-language.md#ssh-rules). Must not live here: logins that the ssh rules give or take (diff_ssh.rs).

use serde::Serialize;

use crate::policy::access_change::{AccessChange, AccessReach, Part};
use crate::policy::language::opening::{Opening, ProtocolName};
use crate::policy::language::port_set::PortSet;
use crate::policy::relation::atoms::Atom;
use crate::policy::relation::classes::Class;
use crate::policy::relation::comparison::Compared;
use crate::policy::relation::cuts::{V4, V6};
use crate::policy::relation::ids::{AtomId, ClassId, NameId};
use crate::policy::relation::part_of::PartOf;
use crate::policy::relation::ssh_network::network;
use crate::policy::relation::ssh_port::{self, SshPort};
use crate::policy::tailnet::parties::Party;
use crate::policy::tailnet::prospect::Prospect;
use crate::tables::sort;

/// Logins that only the network gives or takes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NetworkLogin {
    /// A login, tag or selector, as in the list of access.
    pub source: String,
    /// The same of the destination.
    pub destination: String,
    /// The accounts that the ssh rules of both documents allow.
    pub users: Vec<String>,
    /// Whether the network lets them through now; else it no longer does. What may become of them, where that is undecided.
    pub is_open: bool,
    /// The same of what is undecided; absent where it is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<Prospect>,
    /// Who of the source is excepted, where somebody is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// What becomes of some logins by the network, for certain or perhaps.
#[derive(Clone, Copy)]
struct NetworkTurn {
    is_open: bool,
    is_certain: bool,
}

const OPENED: NetworkTurn = NetworkTurn {
    is_open: true,
    is_certain: true,
};
const CLOSED: NetworkTurn = NetworkTurn {
    is_open: false,
    is_certain: true,
};

impl NetworkTurn {
    fn perhaps(self) -> NetworkTurn {
        NetworkTurn {
            is_certain: false,
            ..self
        }
    }

    fn prospect(self) -> Option<Prospect> {
        match self {
            NetworkTurn {
                is_certain: true, ..
            } => None,
            NetworkTurn { is_open: true, .. } => Some(Prospect::Gained),
            _ => Some(Prospect::Lost),
        }
    }

    /// Whether it is so of logins for which port 22 was open before and is after, as far as that is known.
    fn is_of(self, known: [Option<bool>; 2]) -> bool {
        let (shut, open) = (Some(!self.is_open), Some(self.is_open));
        match self.is_certain {
            true => known == [shut, open],
            false => known == [shut, None] || known == [None, open],
        }
    }
}

/// Those of some changes of access.
pub fn network_logins(access: &[AccessChange], logins: &mut Compared<'_, '_>) -> Vec<NetworkLogin> {
    let mut found = Vec::new();
    if !logins
        .reaches
        .iter()
        .all(|reach| !reach.rows.rules.is_empty())
    {
        return found;
    }
    let both = logins.reaches.map(|reach| reach.reading);
    ssh_port::with_both(both, &mut |old, new| {
        add_logins(access, logins, (old, new), &mut found);
    });
    found
}

fn add_logins<'p>(
    access: &[AccessChange],
    logins: &mut Compared<'_, 'p>,
    (old, new): (&mut SshPort<'_, '_, 'p>, &mut SshPort<'_, '_, 'p>),
    found: &mut Vec<NetworkLogin>,
) {
    for change in access {
        let source = logins.sources.named(&change.party);
        let is_one = source.is_some_and(|source| logins.naming.0.is_one_machine(source));
        for (list, turn) in [
            (&change.gained, OPENED),
            (&change.lost, CLOSED),
            (&change.gained, OPENED.perhaps()),
            (&change.lost, CLOSED.perhaps()),
            (&change.undecided, OPENED.perhaps()),
            (&change.undecided, CLOSED.perhaps()),
        ] {
            let mut reaches: Vec<&AccessReach> =
                list.iter().filter(|it| opens_ssh(it, turn)).collect();
            let is_open = turn.is_open;
            // What a name says is not said again of all that a wider one leads to.
            let is_wide = |reach: &AccessReach| logins.places.named(&reach.party).is_none();
            sort::sort_by(&mut reaches, |a, b| is_wide(a).cmp(&is_wide(b)));
            let mut said = Vec::new();
            for reach in reaches {
                let parties = (&change.party, &reach.party);
                let from = match &reach.part {
                    Some(part) if matches!(part.from, PartOf::AllBut(_)) => part.from.clone(),
                    _ => PartOf::All,
                };
                let found_there = at(logins, (&mut *old, &mut *new), parties, turn, &mut said);
                for (destination, users) in found_there {
                    // One's own devices are said once, and a device is not a destination of its own.
                    let own = |it: &NetworkLogin| {
                        (&*it.source, &*it.destination, it.is_open, it.may)
                            == (&change.source, "autogroup:self", is_open, turn.prospect())
                    };
                    let is_said = || is_one || found.iter().any(own);
                    if destination == change.source && is_said() {
                        continue;
                    }
                    let login = NetworkLogin {
                        source: change.source.clone(),
                        destination,
                        users,
                        is_open,
                        may: turn.prospect(),
                        part: Part::of(from.clone(), PartOf::All),
                    };
                    if !login.users.is_empty() && !found.contains(&login) {
                        found.push(login);
                    }
                }
            }
        }
    }
}

/// Whether it is about port 22, for certain on no condition; perhaps, where a posture is needed.
fn opens_ssh(reach: &AccessReach, turn: NetworkTurn) -> bool {
    let is_ssh = |opening: &Opening| {
        let is_met = opening.postures.is_empty() || !turn.is_certain;
        let is_free = opening.unless.is_empty() && is_met;
        let is_tcp = matches!(opening.proto, ProtocolName::Named("tcp"));
        let mut ranges = opening.ports.split(',').map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (first.parse::<u16>(), last.parse::<u16>())
        });
        let has_port = opening.ports == "*"
            || ranges
                .any(|range| matches!(range, (Ok(first), Ok(last)) if first <= 22 && 22 <= last));
        is_free && is_tcp && has_port
    };
    reach.today.is_none() && reach.opens.iter().any(is_ssh)
}

/// The accounts that both documents allow from one party to another, where the network lets them through in one alone; of a party that no
/// login is about, by the destinations of logins of which port 22 changes, but for those that are `said`.
fn at<'p>(
    logins: &mut Compared<'_, 'p>,
    (old, new): (&mut SshPort<'_, '_, 'p>, &mut SshPort<'_, '_, 'p>),
    (from, to): (&Party, &Party),
    turn: NetworkTurn,
    said: &mut Vec<AtomId>,
) -> Vec<(String, Vec<String>)> {
    let Some(source) = logins.sources.named(from) else {
        return Vec::new();
    };
    let changes = |logins: &Compared<'_, 'p>,
                   old: &mut SshPort<'_, '_, 'p>,
                   new: &mut SshPort<'_, '_, 'p>,
                   to: Option<&[AtomId]>| {
        let was = network(logins, 0, old, (source, to));
        let is = network(logins, 1, new, (source, to));
        turn.is_of([was, is])
    };
    let knows_devices = logins.reaches.iter().all(|it| it.reading.knows_devices());
    let is_own = to.name == "autogroup:self" && knows_devices;
    let place = logins.places.named(to).filter(|_| !is_own);
    let named = place.and_then(|place| logins.places.names.get(place));
    let mut atoms = named.map_or_else(Vec::new, |name| name.atoms.clone());
    if is_own || place.is_some() {
        let asked = (!is_own).then_some(atoms.as_slice());
        if !changes(logins, old, new, asked) {
            return Vec::new();
        }
        if is_own {
            return vec![(to.name.clone(), users(logins, source, None))];
        }
    } else {
        let [before, after] = [0, 1].map(|at| allowed(logins, (at, source), None));
        for (class, _) in before {
            if after.iter().any(|(other, _)| *other == class) {
                let class = logins.to.list.get(class);
                atoms.extend_from_slice(class.map_or(&[], |class| &class.atoms));
            }
        }
        sort::sort(&mut atoms);
        atoms.dedup();
        atoms.retain(|atom| !said.contains(atom) && changes(logins, old, new, Some(&[*atom])));
    }
    said.extend_from_slice(&atoms);
    by_accounts(logins, source, (place, &atoms))
}

/// Some destinations by the accounts that both documents allow there from a source; all of them by the name of their place.
fn by_accounts(
    logins: &mut Compared<'_, '_>,
    source: NameId,
    (place, atoms): (Option<NameId>, &[AtomId]),
) -> Vec<(String, Vec<String>)> {
    let mut classes = Vec::new();
    for (id, class) in logins.to.list.iter() {
        let mut own = class.atoms.clone();
        own.retain(|atom| atoms.contains(atom));
        if !own.is_empty() {
            classes.push((id, own));
        }
    }
    let mut alike: Vec<(Vec<String>, Vec<AtomId>)> = Vec::new();
    for (class, own) in classes {
        let users = users(logins, source, Some(&[class]));
        match alike.iter_mut().find(|(known, _)| *known == users) {
            Some((_, known)) => known.extend(own),
            None => alike.push((users, own)),
        }
    }
    let naming = &logins.naming.1;
    let mut found = Vec::new();
    for (users, mut own) in alike.into_iter().filter(|(users, _)| !users.is_empty()) {
        sort::sort(&mut own);
        let whole = place.filter(|_| own.len() == atoms.len());
        let names: Vec<NameId> = match whole {
            Some(place) => vec![place],
            None => {
                let named = naming.named(&own, V4 | V6).into_iter();
                named.map(|it| it.name).collect()
            }
        };
        for name in names {
            let name = naming.party(name).map(|party| party.name.clone());
            found.push((name.unwrap_or_default(), users.clone()));
        }
    }
    found
}

/// The accounts that both documents allow from a source: at some classes, or at its own devices.
fn users(logins: &mut Compared<'_, '_>, source: NameId, wanted: Option<&[ClassId]>) -> Vec<String> {
    let [before, after] = [0, 1].map(|at| {
        let sets = allowed(logins, (at, source), Some(wanted)).into_iter();
        sets.fold(PortSet::default(), |all, (_, set)| all.union(&set))
    });
    logins.shared.accounts.texts(&before.intersect(&after))
}

/// The classes at which a source may log in in one reading, each with the accounts: all of them, some, or those of its own devices.
fn allowed(
    logins: &mut Compared<'_, '_>,
    (at, source): (usize, NameId),
    wanted: Option<Option<&[ClassId]>>,
) -> Vec<(ClassId, PortSet)> {
    let mut found = Vec::new();
    for class in logins.classes_of(source) {
        let is_wanted = |class: ClassId| match wanted {
            Some(Some(wanted)) => wanted.contains(&class),
            _ => true,
        };
        let Some(reach) = logins.reaches.get(at) else {
            continue;
        };
        let mut hits = reach.hits(class, &is_wanted, logins.shared);
        if wanted == Some(None) {
            let own = own_classes(logins, (at, class));
            hits.retain(|hit| hit.is_own || own.contains(&hit.to));
        }
        for hit in hits {
            let set = logins.shared.sets.get(hit.set);
            found.extend(set.map(|set| (hit.to, set.clone())));
        }
    }
    found
}

/// The classes with own devices of some sources: a rule may name them by their user.
fn own_classes(logins: &Compared<'_, '_>, (at, source): (usize, ClassId)) -> Vec<ClassId> {
    let device = |atom: &Atom<'_>| atom.endpoints.get(at)?.as_ref()?.device;
    let judge = logins.reaches.get(at).map(|reach| reach.reading.judge);
    let sources = logins.from.list.get(source);
    let mut own = Vec::new();
    for atom in sources.map_or(&[][..], |class| &class.atoms) {
        let atom = logins.sources.list.get(*atom);
        let end = atom.and_then(|atom| atom.endpoints.get(at)?.as_ref());
        let ends = judge.zip(end).map(|(judge, end)| judge.own_endpoints(end));
        own.extend(ends.into_iter().flatten().filter_map(|end| end.device));
    }
    let is_own = |class: &Class<'_>| {
        let atoms = class.atoms.iter();
        let mut devices = atoms.filter_map(|atom| device(logins.places.list.get(*atom)?));
        devices.any(|device| own.contains(&device))
    };
    let classes = logins.to.list.iter();
    let classes = classes.filter(|(_, class)| is_own(class));
    classes.map(|(id, _)| id).collect()
}
