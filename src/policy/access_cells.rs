//! What differs between two documents in each cell of an access matrix.
//! Must not live here: which places differ (relation/changed.rs), the form of the answer (access_matrix.rs).

use super::access_change::{AccessReach, Part, merged};
use super::access_matrix::{CellChange, CellChanges, ChangedCell};
use super::diff_access::{AccessReporter, diff_access_between};
use super::relation::changed::{self, CellDifferences, Changed, MarkedItem};
use super::relation::comparison::{self, Compared};
use super::relation::cuts::{V4, V6};
use super::relation::ids::{Id, IdTable};
use super::relation::item::Besides;
use super::relation::parts::Parts;
use super::relation::reading::Reading;
use super::relation::reported::{Reported, lone, vacancy};
use super::tailnet::flow::Judge;
use super::tailnet::identity::Answer;
use super::tailnet::parties::{Listed, Party, PartyId};
use crate::tables::index::Runs;

/// What differs between two documents in one network, the earlier one first, at some rows and columns.
pub(super) fn cell_changes<'p>(
    judges: [&'p Judge<'p>; 2],
    (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
) -> CellChanges {
    let [before, after] = judges.map(|judge| judge.policy().document.text());
    if before == after {
        return CellChanges::default();
    }
    let readings = judges.map(|judge| Reading::of_network(judge).exhaustive());
    let mut found = CellChanges::default();
    comparison::at_each_place(&readings, &|_, classes, _| classes, &mut |compared| {
        changed::with(compared, (sources, destinations), &mut |it| {
            found = changes(it, (sources, destinations));
        });
    });
    // Two things that are undecided may be one in any network: as a whole, that is known.
    let is_sure = |change: &CellChange| !change.gained.is_empty() || !change.lost.is_empty();
    match found.list.iter().any(is_sure) || !diff_access_between(judges).is_empty() {
        true => found,
        false => CellChanges::default(),
    }
}

fn changes<'p>(
    changed: &mut Changed<'_, '_, 'p>,
    (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
) -> CellChanges {
    let comparison = changed.compared;
    let mut distinct = DistinctChanges {
        reporter: AccessReporter {
            comparison,
            popularity: IdTable::default(),
        },
        destinations,
        known: Runs::default(),
        list: Vec::new(),
    };
    let mut cells = Vec::new();
    for (source, from) in sources.iter().enumerate() {
        let nobody = Nobody::of(&from.party, comparison);
        for cell in changed.row(source, &mut |_, _| Answer::Yes) {
            let to = destinations.get(cell.to).map(|to| &to.party);
            let nobody = to.and_then(|to| nobody.at(to));
            cells.push(ChangedCell {
                source: PartyId(source),
                destination: PartyId(cell.to),
                change: distinct.place(nobody, &cell, &changed.parts),
            });
        }
    }
    let list = distinct.list;
    CellChanges { cells, list }
}

/// Why nobody could use what changes for a source.
pub(super) struct Nobody<'s> {
    source: &'s Party,
    /// At any destination.
    anywhere: Option<String>,
    /// At itself.
    itself: Option<String>,
}

impl<'s> Nobody<'s> {
    pub fn of(source: &'s Party, comparison: &Compared<'_, '_>) -> Nobody<'s> {
        let name = comparison.sources.named(source);
        let is_one = name.is_some_and(|name| comparison.naming.0.is_one_machine(name));
        Nobody {
            source,
            anywhere: vacancy(name, comparison.sources),
            itself: lone(source).filter(|_| is_one),
        }
    }

    /// The reason at a destination.
    pub fn at(&self, to: &Party) -> Option<&str> {
        let itself = self.itself.as_deref().filter(|_| to == self.source);
        self.anywhere.as_deref().or(itself)
    }
}

/// What changes in any cell, each once.
struct DistinctChanges<'c, 'a, 'p> {
    reporter: AccessReporter<'c, 'a, 'p>,
    destinations: &'c [Listed<'p>],
    known: Runs,
    list: Vec<CellChange>,
}

impl<'p> DistinctChanges<'_, '_, 'p> {
    /// The index of what changes in a cell, for a source that can use it, or cannot for a reason.
    fn place(
        &mut self,
        nobody: Option<&str>,
        cell: &CellDifferences,
        parts: &Parts<'_, 'p>,
    ) -> usize {
        let mut run = vec![cell.to as u64];
        run.extend(nobody.unwrap_or_default().bytes().map(u64::from));
        for (part, items) in &cell.parts {
            run.extend([u64::MAX, part.map_or(0, |part| part as u64 + 1)]);
            run.extend(items.iter().map(|(item, _)| item.place() as u64));
        }
        let place = self.known.place(&run);
        if place == self.list.len() {
            let change = self.change(nobody, cell, parts);
            self.list.push(change);
        }
        place
    }

    fn change(
        &self,
        nobody: Option<&str>,
        cell: &CellDifferences,
        parts: &Parts<'_, 'p>,
    ) -> CellChange {
        let mut lists = [Vec::new(), Vec::new(), Vec::new()];
        let party = self.destinations.get(cell.to).map(|to| &to.party);
        let to = party.and_then(|party| self.reporter.comparison.places.named(party));
        for (part, items) in &cell.parts {
            let [from, at] = parts.get(*part);
            let reported = |(item, _): &MarkedItem| Reported {
                item: *item,
                to,
                meant: None,
                part: at.clone(),
                families: V4 | V6,
                besides: Besides::default(),
            };
            let reported: Vec<Reported> = items.iter().map(reported).collect();
            for (list, found) in lists.iter_mut().zip(self.reporter.lists(&reported)) {
                list.extend(found.iter().cloned().map(|reach| {
                    let part = Part {
                        from: from.clone(),
                        ..reach.part.unwrap_or_default()
                    };
                    AccessReach {
                        destination: party.map(|it| it.name.clone()).unwrap_or_default(),
                        party: party.cloned().unwrap_or(reach.party),
                        part: part.unless_all(),
                        today: reach.today.or_else(|| nobody.map(str::to_owned)),
                        ..reach
                    }
                }));
            }
        }
        let [gained, lost, undecided] = lists;
        CellChange {
            gained,
            lost,
            undecided: merged(&undecided),
        }
    }
}
