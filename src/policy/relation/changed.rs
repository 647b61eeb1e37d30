//! What differs between two readings at every place of a matrix, and for which part of its row and its column. Rows whose endpoints are of the
//! same classes are evaluated once.
//! Must not live here: what differs between two classes (compare.rs), the form of answers (access_cells.rs, login_cells.rs).

use super::columns::Columns;
use super::comparison::Compared;
use super::ids::{AtomId, ClassId, ItemId};
use super::item::To;
use super::line::{Line, class_of};
use super::parts::Parts;
use super::places::PartyPlaces;
use super::rectangles::covering;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::parties::Listed;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Runs;
use crate::tables::sort;

/// What differs between a row and a column.
pub struct CellDifferences {
    /// The column.
    pub to: usize,
    /// The differences of each part of both.
    pub parts: Vec<ChangedPart>,
}

/// The index of a part in `parts`, none for all of both; and its differences.
pub type ChangedPart = (Option<usize>, Vec<MarkedItem>);

/// A difference; of logins, whether the network of the reading that has it lets them pass.
pub type MarkedItem = (ItemId, Answer);

/// What else distinguishes what differs between two classes.
pub type MarkItem<'m> = &'m mut dyn FnMut((ClassId, ClassId), ItemId) -> Answer;

/// One difference, the classes that have it, and where.
type ItemPlaces = (MarkedItem, Vec<ClassId>, Vec<ClassId>);

/// A difference between two classes, in a list of columns.
type ItemPlace = (usize, MarkedItem, ClassId, ClassId);

/// The changed places of a matrix.
pub struct Changed<'c, 'a, 'p> {
    /// What differs.
    pub compared: &'c Compared<'a, 'p>,
    /// The rows.
    pub rows: Vec<Line>,
    /// The columns.
    pub columns: Columns<'c>,
    /// The parts of rows and columns.
    pub parts: Parts<'c, 'p>,
    /// What differs between each distinct row and each list of columns.
    between: Vec<Vec<(usize, Vec<ItemPlaces>)>>,
    known: Runs,
}

/// Prepares the places of some rows and columns. A name that both texts have means whomever it means in either.
pub fn with<'p>(
    compared: &Compared<'_, 'p>,
    (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
    then: &mut dyn FnMut(&mut Changed<'_, '_, 'p>),
) {
    let (from_atoms, to_atoms) = (compared.sources, compared.places);
    let sending = PartyPlaces::of_each(compared.readings, Side::Source, from_atoms);
    let receiving = PartyPlaces::of_each(compared.readings, Side::Destination, to_atoms);
    let of_source = class_of(compared.from, from_atoms.list.len());
    let of_destination = class_of(compared.to, to_atoms.list.len());
    let meant = |listed: &Listed<'p>, places: &[PartyPlaces<'_, 'p>]| {
        // Of a listed name the later text comes first.
        let own = places.iter().rev().zip(listed.texts);
        let own = own.filter(|(_, has_it)| *has_it);
        let mut atoms: Vec<AtomId> = own.flat_map(|(places, _)| places.of(listed)).collect();
        sort::sort(&mut atoms);
        atoms.dedup();
        atoms
    };
    let row = |listed| {
        let own = meant(listed, &sending);
        Line::of_listed((listed, Side::Source), own, &of_source, from_atoms)
    };
    let column = |listed| {
        let own = meant(listed, &receiving);
        Line::of_listed((listed, Side::Destination), own, &of_destination, to_atoms)
    };
    let own = |name: &str| {
        let places = receiving.first();
        let own = places.map_or(Vec::new(), |places| places.named(name));
        Line::new(own, &of_destination, to_atoms, true)
    };
    let columns = destinations.iter().map(column).collect();
    then(&mut Changed {
        compared,
        rows: sources.iter().map(row).collect(),
        columns: Columns::new(columns, compared.to.list.len(), Box::new(own)),
        parts: Parts::new(from_atoms, to_atoms),
        between: Vec::new(),
        known: Runs::default(),
    });
}

impl Changed<'_, '_, '_> {
    /// What differs between a row and all columns, by column.
    #[inline(never)]
    pub fn row(&mut self, at: usize, mark: MarkItem<'_>) -> Vec<CellDifferences> {
        let row = self.rows.get(at).cloned().unwrap_or_default();
        let known = self.known.place(&row.run());
        if known == self.between.len() {
            let between = self.between_of(&row, mark);
            self.between.push(between);
        }
        let between = self.between.get(known).map_or(&[][..], Vec::as_slice);
        if between.is_empty() {
            return Vec::new();
        }
        let own_line = self.columns.own_of_row(&row, self.compared.from);
        let mut cells = Vec::new();
        for (columns, places) in between {
            for &to in self.columns.group(*columns) {
                let Some(column) = self.columns.lines.get(to) else {
                    continue;
                };
                let column = if column.is_own { &own_line } else { column };
                let mut parts: Vec<ChangedPart> = Vec::new();
                for (item, from, at) in places {
                    let from = row.part(from, &column.narrowed(at));
                    let at = column.part(at, &row);
                    let part = self.parts.of((&row, from), (column, at));
                    match parts.iter_mut().find(|(known, _)| *known == part) {
                        Some((_, items)) => items.push(*item),
                        None => parts.push((part, vec![*item])),
                    }
                }
                cells.push(CellDifferences { to, parts });
            }
        }
        sort::sort_by(&mut cells, |a, b| a.to.cmp(&b.to));
        cells
    }

    /// What differs between a row and each list of columns.
    fn between_of(&self, row: &Line, mark: MarkItem<'_>) -> Vec<(usize, Vec<ItemPlaces>)> {
        let differences = &self.compared.differences;
        let mut found: Vec<ItemPlace> = Vec::new();
        for source in &row.classes {
            let devices = match self.columns.own.is_empty() {
                true => Line::default(),
                false => self.columns.own_of(source.class, self.compared.from),
            };
            let changes = differences.of_class(source.class);
            for &(item, place, _) in changes {
                let To::Class(to) = place else {
                    continue;
                };
                let own = devices.of(to).map(|own| (usize::MAX, own.family));
                for &(group, family) in self.columns.of(to).iter().chain(&own) {
                    if family & source.family != 0 {
                        let mark = mark((source.class, to), item);
                        found.push((group, (item, mark), source.class, to));
                    }
                }
            }
        }
        sort::sort(&mut found);
        let mut between = Vec::new();
        for alike in found.chunk_by(|a, b| a.0 == b.0) {
            let Some(&(group, ..)) = alike.first() else {
                continue;
            };
            let mut places = Vec::new();
            for of_item in alike.chunk_by(|a, b| a.1 == b.1) {
                let pairs: Vec<_> = of_item.iter().map(|&(.., from, to)| (from, to)).collect();
                let item = of_item.first().map(|it| it.1);
                let covering = covering(&pairs).into_iter();
                places.extend(covering.filter_map(|(from, to)| Some((item?, from, to))));
            }
            between.push((group, places));
        }
        between
    }
}
