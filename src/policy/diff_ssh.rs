//! Who gains and who loses logins between two readings: two documents, two networks, or both.
//! Must not live here: the form of the answer (ssh_change.rs), how differences are found (relation/), network access (diff_access.rs).

use super::access_change::Part;
use super::language::document::Policy;
use super::language::login::SshAction;
use super::language::opening::Unless;
use super::language::port_set::PortSet;
use super::relation::comparison::{self, Compared};
use super::relation::cuts::{V4, V6};
use super::relation::ids::{AtomId, NameId, TermId};
use super::relation::item::{Item, Turn};
use super::relation::meant::devices_of;
use super::relation::part_of::PartOf;
use super::relation::reading::Reading;
use super::relation::reported::{Reported, lone, names_of, part_of, party_of, reasons, vacancy};
use super::relation::rows::{Opens, SshRules, Treatment, protocol_of};
use super::relation::ssh_network::{self, ByNetwork, KnownNetwork, by_network, receivers_alike};
use super::relation::ssh_port::{self, SshPort};
use super::ssh_change::{SshChange, SshReach, Treated};
use super::tailnet::context::PolicyContext;
use super::tailnet::flow::Judge;
use super::unusable;

/// Who gains and who loses which logins between two documents in one network: see [`diff_ssh_between`].
#[inline(never)]
pub fn diff_ssh<'p>(
    before: &'p Policy<'p>,
    after: &'p Policy<'p>,
    context: &'p PolicyContext,
) -> Vec<SshChange> {
    diff_ssh_between([&Judge::new(before, context), &Judge::new(after, context)])
}

/// Who gains and who loses which logins by ssh rules between two documents, two networks, or both: by names if no devices are
/// known, else by devices, which are named by their users and tags if all of one change alike. Nothing at all only where no network
/// that text and context allow differs.
#[inline(never)]
pub fn diff_ssh_between<'p>(judges: [&'p Judge<'p>; 2]) -> Vec<SshChange> {
    unusable::logins(judges, usable(judges), &usable)
}

/// The same of what can be used in these networks.
pub(super) fn usable(judges: [&Judge<'_>; 2]) -> Vec<SshChange> {
    let rules = judges.map(|judge| SshRules::new(&judge.network));
    comparison::answer(&readings(judges, rules.each_ref()), |it| changes(it))
}

/// Two documents for questions about logins.
pub(super) fn readings<'p>(
    [before, after]: [&'p Judge<'p>; 2],
    [old, new]: [&'p SshRules<'p>; 2],
) -> [Reading<'p>; 2] {
    [Reading::of_ssh(before, old), Reading::of_ssh(after, new)]
}

/// The changes of a comparison.
pub(super) fn changes(comparison: &Compared<'_, '_>) -> Vec<SshChange> {
    changes_in(comparison, None)
}

/// The same; what the networks of the comparison do not decide, those of these judges do.
pub(super) fn changes_in<'p>(
    comparison: &Compared<'_, 'p>,
    known: Option<[&'p Judge<'p>; 2]>,
) -> Vec<SshChange> {
    let mut found = Vec::new();
    if comparison.reported.sources.is_empty() {
        return found;
    }
    let both = comparison.reaches.map(|reach| reach.reading);
    ssh_port::with_both(both, &mut |old, new| {
        ssh_network::with_known(known, &both, &mut |known| {
            found = reported(LoginReporter {
                comparison,
                old,
                new,
                known,
            });
        });
    });
    found
}

fn reported(mut reporter: LoginReporter<'_, '_, '_, '_, '_, '_, '_>) -> Vec<SshChange> {
    let comparison = reporter.comparison;
    let (mut changes, mut to_itself) = (Vec::new(), Vec::new());
    for source in &comparison.reported.sources {
        let Some(party) = comparison.naming.0.party(source.name) else {
            continue;
        };
        let is_one = comparison.naming.0.is_one_machine(source.name);
        let lone = lone(party).filter(|_| is_one);
        let today = vacancy(Some(source.name), comparison.sources);
        let members = comparison.members(source.name);
        let [mut change, mut itself] = [SshChange::of(party), SshChange::of(party)];
        for (list, atoms) in &source.lists {
            let part = part_of(source.name, atoms.clone(), &comparison.naming.0, V4 | V6);
            for reported in comparison.reported.lists.get(*list).into_iter().flatten() {
                let Some(item) = comparison.differences.items.get(reported.item) else {
                    continue;
                };
                let whole = || {
                    let own = (source.name, members.as_slice());
                    comparison.without_members(&part, own, reported.item, reported.to)
                };
                let endpoints = (source.name, atoms.as_slice());
                let nobody = comparison.lacks_second(atoms, (item, reported.to));
                for mut reach in reporter.reaches_of(endpoints, reported, item, &whole) {
                    // A device is not a destination of its own.
                    let is_itself = is_one && reach.is_at(party);
                    let nobody = if is_itself { &lone } else { &nobody };
                    let whys = [reach.today.take(), today.clone(), nobody.clone()];
                    reach.today = whys.into_iter().flatten().next();
                    let was = reporter.was(item);
                    if !is_itself {
                        change.add(item.turn, reach, was);
                    } else if lone.is_some() {
                        itself.add(item.turn, reach, was);
                    }
                }
            }
        }
        for (mut change, changes) in [(change, &mut changes), (itself, &mut to_itself)] {
            change.sort();
            if !change.is_empty() {
                changes.push(change);
            }
        }
    }
    // Where nothing else is reported, what a second device would have is.
    if changes.is_empty() {
        return to_itself;
    }
    changes
}

/// Puts differences into the form of the answer.
pub(super) struct LoginReporter<'c, 'a, 'o, 'm, 'n, 'k, 'p> {
    pub comparison: &'c Compared<'a, 'p>,
    /// The network before.
    pub old: &'c mut SshPort<'o, 'm, 'p>,
    /// The network after.
    pub new: &'c mut SshPort<'n, 'k, 'p>,
    /// The networks with what these do not know, if there are such.
    pub known: Option<KnownNetwork<'c, 'p>>,
}

impl<'p> LoginReporter<'_, '_, '_, '_, '_, '_, 'p> {
    /// The logins of one difference for some endpoints of a source, which are called `whole` where the network treats all of them alike.
    fn reaches_of(
        &mut self,
        (source, atoms): (NameId, &[AtomId]),
        reported: &Reported,
        item: &Item,
        whole: &dyn Fn() -> PartOf,
    ) -> Vec<SshReach> {
        let at = usize::from(!item.is_by_earlier());
        let mut reaches = Vec::new();
        for (part, by_network) in self.by_receiver(at, atoms, (reported, item.term)) {
            let own = Reported {
                part,
                ..reported.clone()
            };
            for (network, atoms) in &by_network {
                let from = match by_network.len() {
                    1 => whole(),
                    _ => devices_of(source, atoms, &self.comparison.naming.0),
                };
                reaches.append(&mut self.reaches(&own, item, *network, &from));
            }
        }
        reaches
    }

    /// The parts of a destination that the network treats otherwise than the rest, each with some endpoints of a source by whether it lets
    /// them through there.
    fn by_receiver(
        &mut self,
        at: usize,
        atoms: &[AtomId],
        (reported, term): (&Reported, TermId),
    ) -> Vec<(PartOf, ByNetwork)> {
        let name = reported
            .to
            .and_then(|to| self.comparison.places.names.get(to));
        let (Some(to), Some(name), true) = (reported.to, name, reported.part.is_all()) else {
            let to = name.map(|name| name.atoms.as_slice());
            return vec![(
                reported.part.clone(),
                self.by_network(at, (atoms, to), term),
            )];
        };
        let alike = match at {
            0 => receivers_alike(self.comparison, at, self.old, &name.atoms),
            _ => receivers_alike(self.comparison, at, self.new, &name.atoms),
        };
        let mut parts: Vec<(Vec<AtomId>, ByNetwork)> = Vec::with_capacity(alike.len());
        for receivers in alike {
            let by_network = self.by_network(at, (atoms, Some(&receivers)), term);
            match parts.iter_mut().find(|(_, known)| *known == by_network) {
                Some((known, _)) => known.extend(receivers),
                None => parts.push((receivers, by_network)),
            }
        }
        let is_one = parts.len() == 1;
        let named = parts.into_iter().map(|(receivers, by_network)| {
            let part = match is_one {
                true => PartOf::All,
                false => devices_of(to, &receivers, &self.comparison.naming.1),
            };
            (part, by_network)
        });
        named.collect()
    }

    /// The logins of one difference, those with a check apart from those without.
    pub(super) fn reaches(
        &self,
        reported: &Reported,
        item: &Item,
        network: Option<bool>,
        from: &PartOf,
    ) -> Vec<SshReach> {
        let shared = &self.comparison.shared;
        let set = shared.sets.get(item.set).cloned().unwrap_or_default();
        let mut reaches = Vec::with_capacity(1);
        for action in [SshAction::Check, SshAction::Accept] {
            let own = set.part_of(protocol_of(action));
            if !own.is_empty() {
                reaches.push(self.reach(reported, (item, network), (action, own), from));
            }
        }
        reaches
    }

    fn reach(
        &self,
        reported: &Reported,
        (item, network): (&Item, Option<bool>),
        (action, set): (SshAction, PortSet),
        from: &PartOf,
    ) -> SshReach {
        let shared = &self.comparison.shared;
        let party = party_of(reported.to, &self.comparison.naming.1);
        let at = usize::from(!item.is_by_earlier());
        let named = item.reading();
        let (postures, _) = names_of(item.term, named, shared);
        let others = item.unless.iter();
        let mut unless = Unless::any(others.map(|term| names_of(*term, 1 - named, shared)));
        unless.is_perhaps = item.is_perhaps;
        let own = item.rules.get(at).map_or(&[][..], Vec::as_slice);
        let reach = self.comparison.reaches.get(at);
        let rules = reach.map_or(&[][..], |reach| &reach.rows.rules);
        let treatments = own.iter().filter_map(|rule| reach?.treatment(*rule));
        let (treatment, is_env_of_some) = Treatment::of_rules(treatments);
        let (why, needs) = match item.turn {
            Turn::Undecided => reasons(&item.why),
            Turn::Gained | Turn::Lost if !item.why.is_empty() => reasons(&item.why),
            _ => (None, Vec::new()),
        };
        SshReach {
            destination: party.name.clone(),
            party,
            users: shared.accounts.texts(&set),
            action,
            network,
            postures,
            unless,
            check_period: treatment.check_period,
            accept_env: treatment.accept_env,
            because: own
                .iter()
                .filter_map(|rule| rules.get(*rule).copied())
                .collect(),
            part: Part::of(from.clone(), reported.part.clone()),
            may: item.may.filter(|_| item.turn == Turn::Undecided),
            why,
            needs,
            today: vacancy(reported.to, self.comparison.places),
            is_earlier: item.is_by_earlier(),
            is_env_of_some,
        }
    }

    /// How the earlier reading treats a login.
    pub(super) fn was(&self, item: &Item) -> Treated {
        let ([reach, _], [rules, _]) = (&self.comparison.reaches, &item.rules);
        let row = rules
            .first()
            .and_then(|rule| Some(reach.rows.of(*rule).next()?.1));
        match row.map(|row| &row.opens) {
            Some(Opens::Accounts(action, _, treatment)) => Treated {
                action: *action,
                treatment: treatment.clone(),
            },
            _ => Treated {
                action: SshAction::Accept,
                treatment: Treatment::default(),
            },
        }
    }

    /// Some endpoints of a source by whether the network rules open port 22 to their machines: one device of somebody may get through alone.
    fn by_network(
        &mut self,
        at: usize,
        (atoms, to): (&[AtomId], Option<&[AtomId]>),
        term: TermId,
    ) -> ByNetwork {
        let (comparison, known) = (self.comparison, &mut self.known);
        match at {
            0 => by_network(comparison, at, (self.old, known), (atoms, to), term),
            _ => by_network(comparison, at, (self.new, known), (atoms, to), term),
        }
    }
}
