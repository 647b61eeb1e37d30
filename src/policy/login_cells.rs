//! What differs between two documents in each cell of a matrix of logins.
//! Must not live here: which places differ (relation/changed.rs), the matrix (logins.rs), the form of what differs (diff_ssh.rs).

use std::cell::RefCell;

use serde::Serialize;

use super::access_cells::Nobody;
use super::diff_ssh::{LoginReporter, diff_ssh_between};
use super::relation::atoms::Atoms;
use super::relation::changed::{self, CellDifferences, Changed};
use super::relation::classes::Classes;
use super::relation::comparison;
use super::relation::cuts::{V4, V6};
use super::relation::ids::{ClassId, IdTable, ItemId};
use super::relation::item::Besides;
use super::relation::reading::Reading;
use super::relation::reported::Reported;
use super::relation::ssh_port::{self, MachineKind, SshPort};
use super::ssh_change::{CheckedReach, SshChange, SshReach};
use super::tailnet::identity::Answer;
use super::tailnet::parties::Listed;
use super::tailnet::party::Side;

/// What changes between one source and one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct LoginChange {
    /// The place of the source.
    pub source: usize,
    /// The place of the destination.
    pub destination: usize,
    /// Logins that only the document allows.
    pub gained: Vec<SshReach>,
    /// Logins that only the other document allowed.
    pub lost: Vec<SshReach>,
    /// Logins that both allow, but treat otherwise.
    pub checked: Vec<CheckedReach>,
    /// What text and context do not decide in one of both.
    pub undecided: Vec<SshReach>,
}

impl LoginChange {
    /// Whether something changes for certain.
    fn is_sure(&self) -> bool {
        let lists = [&self.gained, &self.lost];
        lists.iter().any(|list| !list.is_empty()) || !self.checked.is_empty()
    }
}

/// What differs between two readings of one network, the earlier one first, at some rows and columns.
pub(super) fn login_changes<'p>(
    readings: [&Reading<'p>; 2],
    (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
) -> Vec<LoginChange> {
    let [before, after] = readings;
    if before.network.policy.document.text() == after.network.policy.document.text() {
        return Vec::new();
    }
    let found = differences(readings, (sources, destinations));
    // Two things that are undecided may be one in any network: as a whole, that is known.
    let judges = readings.map(|reading| reading.judge);
    match found.iter().any(LoginChange::is_sure) || !diff_ssh_between(judges).is_empty() {
        true => found,
        false => Vec::new(),
    }
}

fn differences<'p>(
    readings: [&Reading<'p>; 2],
    (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
) -> Vec<LoginChange> {
    let mut found = Vec::new();
    ssh_port::with_both(readings, &mut |old, new| {
        let (old, new) = (RefCell::new(old), RefCell::new(new));
        let divide = |side, classes, atoms: &Atoms<'p>| {
            let (classes, _) = old.borrow_mut().divided(side, classes, atoms);
            new.borrow_mut().divided(side, classes, atoms).0
        };
        comparison::at_each_place(&readings.map(Reading::clone), &divide, &mut |compared| {
            let (old, new) = (&mut **old.borrow_mut(), &mut **new.borrow_mut());
            let machines = CellMachines {
                before: CellMachines::of((compared.from, compared.to), 0, old),
                after: CellMachines::of((compared.from, compared.to), 1, new),
            };
            let lines = (sources, destinations);
            changed::with(compared, lines, &mut |it| {
                let comparison = it.compared;
                let mut reporter = LoginReporter {
                    comparison,
                    old,
                    new,
                    known: None,
                };
                found = changes(it, lines, &machines, &mut reporter);
            });
        });
    });
    found
}

/// The machines of each class of sources and of destinations, in each network.
struct CellMachines {
    before: [IdTable<ClassId, MachineKind>; 2],
    after: [IdTable<ClassId, MachineKind>; 2],
}

impl CellMachines {
    fn of<'p>(
        (from, to): (&Classes<'p>, &Classes<'p>),
        at: usize,
        port: &mut SshPort<'_, '_, 'p>,
    ) -> [IdTable<ClassId, MachineKind>; 2] {
        [(Side::Source, from), (Side::Destination, to)].map(|(side, classes)| {
            let mut kinds = IdTable::default();
            for (_, class) in classes.list.iter() {
                let end = class.endpoints.get(at).and_then(Option::as_ref);
                kinds.push(end.map_or(usize::MAX, |end| port.machine(side, end)));
            }
            kinds
        })
    }

    /// Whether the network of the reading that has a difference lets it pass between two classes.
    fn mark(
        &self,
        (from, to): (ClassId, ClassId),
        item: ItemId,
        reporter: &mut LoginReporter<'_, '_, '_, '_, '_, '_, '_>,
    ) -> Answer {
        let Some(item) = reporter.comparison.differences.items.get(item) else {
            return Answer::No;
        };
        let login = Some((item.term, &reporter.comparison.shared.conditions));
        let [senders, receivers] = match item.is_by_earlier() {
            true => &self.before,
            false => &self.after,
        };
        let (Some(&from), Some(&to)) = (senders.get(from), receivers.get(to)) else {
            return Answer::No;
        };
        match item.is_by_earlier() {
            true => reporter.old.is_open(from, to, login),
            false => reporter.new.is_open(from, to, login),
        }
    }
}

fn changes<'p>(
    changed: &mut Changed<'_, '_, 'p>,
    (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
    machines: &CellMachines,
    reporter: &mut LoginReporter<'_, '_, '_, '_, '_, '_, 'p>,
) -> Vec<LoginChange> {
    let mut changes = Vec::new();
    for (source, from) in sources.iter().enumerate() {
        let nobody = Nobody::of(&from.party, changed.compared);
        let cells = changed.row(source, &mut |pair, item| {
            machines.mark(pair, item, reporter)
        });
        for cell in cells {
            let Some(to) = destinations.get(cell.to) else {
                continue;
            };
            let mut change = SshChange::of(&from.party);
            add(
                &mut change,
                (&cell, to),
                nobody.at(&to.party),
                changed,
                reporter,
            );
            change.sort();
            changes.push(LoginChange {
                source,
                destination: cell.to,
                gained: change.gained,
                lost: change.lost,
                checked: change.checked,
                undecided: change.undecided,
            });
        }
    }
    changes
}

/// Adds what differs in a cell.
fn add<'p>(
    change: &mut SshChange,
    (cell, to): (&CellDifferences, &Listed<'p>),
    nobody: Option<&str>,
    changed: &Changed<'_, '_, 'p>,
    reporter: &LoginReporter<'_, '_, '_, '_, '_, '_, 'p>,
) {
    let comparison = changed.compared;
    for (part, items) in &cell.parts {
        let [from, at] = changed.parts.get(*part);
        for &(id, network) in items {
            let Some(item) = comparison.differences.items.get(id) else {
                continue;
            };
            let reported = Reported {
                item: id,
                to: comparison.places.named(&to.party),
                meant: None,
                part: at.clone(),
                families: V4 | V6,
                besides: Besides::default(),
            };
            for mut reach in reporter.reaches(&reported, item, network.known(), from) {
                reach.destination.clone_from(&to.party.name);
                reach.party.clone_from(&to.party);
                reach.today = reach.today.or_else(|| nobody.map(str::to_owned));
                change.add(item.turn, reach, reporter.was(item));
            }
        }
    }
}
