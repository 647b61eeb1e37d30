//! What every row of a matrix reaches at every column: what all of the one reaches at all of the other, and what only a part of
//! either does. Lines whose endpoints are of the same classes are evaluated once.
//! Must not live here: who the rows and columns are (places.rs), the form of answers (access.rs, logins.rs).

use super::atoms::{self, Atoms};
use super::classes::Classes;
use super::columns::{Columns, OwnLine};
use super::condition::Conditions;
use super::contents::{Contents, Layer};
use super::ids::{ClassId, IdTable, TermId};
use super::line::{BothClasses, Line, class_of};
use super::parts::Parts;
use super::places::PartyPlaces;
use super::reach::{Reach, Shared};
use super::reading::Reading;
use super::rectangles::{Between, joined};
use super::ssh_port::SshPort;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::parties::Listed;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Runs;
use crate::tables::sort;

/// What is open between a row and a column.
#[derive(Clone, Debug)]
pub struct MatrixEntry {
    /// The column.
    pub to: usize,
    /// Whether it is certain.
    pub layer: Layer,
    /// What is open, by its index in `opened`.
    pub open: usize,
    /// The rules, by their index in `rules`.
    pub rules: usize,
    /// Which part of both it is about, by its index in `parts`; none for all of both.
    pub part: Option<usize>,
}

/// A matrix under construction.
pub struct Matrix<'r, 'a, 'p> {
    reach: &'r Reach<'a, 'p>,
    from: &'r Classes<'p>,
    /// The sets, terms and accounts.
    pub shared: Shared<'p>,
    /// The rows.
    lines: Vec<Line>,
    /// The columns.
    columns: Columns<'r>,
    /// What each class of sources reaches, once it was asked for.
    rows: IdTable<ClassId, Option<Vec<(ClassId, usize)>>>,
    /// What is open, and by which rules.
    pub contents: Contents,
    /// What each distinct row has between it and each list of columns.
    between: Vec<Vec<(usize, Between)>>,
    known_rows: Runs,
    /// The parts of rows and columns.
    pub parts: Parts<'r, 'p>,
    /// What else distinguishes what is open between two classes.
    mark: Mark<'r, 'p>,
}

/// Prepares the matrix of some rows and columns under the first of some readings; for logins, with the network that they need. A name that
/// only the second one has means what it means there.
pub fn with<'p>(
    readings: &[Reading<'p>],
    (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
    port: Option<&mut SshPort<'_, '_, 'p>>,
    then: &mut dyn FnMut(&mut Matrix<'_, '_, 'p>),
) {
    let Some(reading) = readings.first() else {
        return;
    };
    let [from_atoms, to_atoms] = [Side::Source, Side::Destination].map(|side| Atoms {
        is_asked: true,
        ..atoms::atoms(readings, side)
    });
    let from = Classes::new(readings, Side::Source, &from_atoms);
    let to = Classes::new(readings, Side::Destination, &to_atoms);
    let (from, to, mark) = marked(port, (from, to), (&from_atoms, &to_atoms));
    let mut shared = Shared::default();
    let reach = Reach::new(reading, 0, (&from, &to), &mut shared);
    let sending = PartyPlaces::of_each(readings, Side::Source, &from_atoms);
    let receiving = PartyPlaces::of_each(readings, Side::Destination, &to_atoms);
    let of_source = class_of(&from, from_atoms.list.len());
    let of_destination = class_of(&to, to_atoms.list.len());
    let line = |listed: &Listed<'p>, side: Side| {
        let (places, classes, atoms) = match side {
            Side::Source => (&sending, &of_source, &from_atoms),
            Side::Destination => (&receiving, &of_destination, &to_atoms),
        };
        let [is_own, _] = listed.texts;
        let places = places.get(usize::from(!is_own));
        let own = places.map_or(Vec::new(), |places| places.of(listed));
        Line::of_listed((listed, side), own, classes, atoms)
    };
    let own = |name: &str| {
        let places = receiving.first();
        let own = places.map_or(Vec::new(), |places| places.named(name));
        Line::new(own, &of_destination, &to_atoms, true)
    };
    let rows = sources.iter().map(|it| line(it, Side::Source)).collect();
    let columns = destinations
        .iter()
        .map(|it| line(it, Side::Destination))
        .collect();
    let parts = Parts::new(&from_atoms, &to_atoms);
    let mut matrix = Matrix::new(
        &reach,
        (&from, &to),
        shared,
        (rows, columns),
        (Box::new(own), parts),
    );
    matrix.mark = mark;
    then(&mut matrix);
}

/// What else distinguishes what is open between two classes on a term: whether the network lets logins pass.
type Mark<'r, 'p> = Box<dyn FnMut((ClassId, ClassId), (TermId, &Conditions<'p>)) -> Answer + 'r>;

/// The classes, divided where the network distinguishes their machines.
fn marked<'r, 'p>(
    port: Option<&'r mut SshPort<'_, '_, 'p>>,
    (from, to): (Classes<'p>, Classes<'p>),
    (sources, destinations): (&Atoms<'p>, &Atoms<'p>),
) -> (Classes<'p>, Classes<'p>, Mark<'r, 'p>) {
    let Some(port) = port else {
        return (from, to, Box::new(|_, _| Answer::Yes));
    };
    let (from, senders) = port.divided(Side::Source, from, sources);
    let (to, receivers) = port.divided(Side::Destination, to, destinations);
    let mark = move |(from, to), login: (TermId, &Conditions<'p>)| match (
        senders.get(from),
        receivers.get(to),
    ) {
        (Some(from), Some(to)) => port.is_open(*from, *to, Some(login)),
        _ => Answer::No,
    };
    (from, to, Box::new(mark))
}

impl<'r, 'a, 'p> Matrix<'r, 'a, 'p> {
    fn new(
        reach: &'r Reach<'a, 'p>,
        (from, to): BothClasses<'r, 'p>,
        shared: Shared<'p>,
        (lines, columns): (Vec<Line>, Vec<Line>),
        (own, parts): (OwnLine<'r>, Parts<'r, 'p>),
    ) -> Matrix<'r, 'a, 'p> {
        Matrix {
            lines,
            reach,
            from,
            shared,
            rows: IdTable::filled(from.list.len(), None),
            contents: Contents::new(reach.reading),
            between: Vec::new(),
            known_rows: Runs::default(),
            columns: Columns::new(columns, to.list.len(), own),
            parts,
            mark: Box::new(|_, _| Answer::Yes),
        }
    }

    /// What is open between a row and all columns, by column; what is open for all of both before what is for a part.
    #[inline(never)]
    pub fn row(&mut self, at: usize) -> Vec<MatrixEntry> {
        let row = self.lines.get(at).cloned().unwrap_or_default();
        let row = &row;
        let group = self.known_rows.place(&row.run());
        if group == self.between.len() {
            let between = self.between_of(row);
            self.between.push(between);
        }
        let mut entries = Vec::new();
        let own_line = self.columns.own_of_row(row, self.from);
        let between = self.between.get_mut(group).map(std::mem::take);
        let between = between.unwrap_or_default();
        for (columns, between) in &between {
            for to in self.columns.group(*columns).to_vec() {
                self.add_entries((row, &own_line), to, between, &mut entries);
            }
        }
        if let Some(known) = self.between.get_mut(group) {
            *known = between;
        }
        sort::sort_by(&mut entries, |a, b| {
            (a.to, a.layer, a.part.is_some()).cmp(&(b.to, b.layer, b.part.is_some()))
        });
        entries
    }

    fn add_entries(
        &mut self,
        (row, own): (&Line, &Line),
        to: usize,
        between: &Between,
        entries: &mut Vec<MatrixEntry>,
    ) {
        match between {
            Between::Same(content) => {
                for (layer, open, rules) in self.contents.reported(*content, &self.shared) {
                    let part = None;
                    entries.push(MatrixEntry {
                        to,
                        layer,
                        open,
                        rules,
                        part,
                    });
                }
            }
            Between::Parts(rectangles) => {
                let start = entries.len();
                for it in rectangles {
                    let Some(column) = self.columns.lines.get(to) else {
                        continue;
                    };
                    let column = if column.is_own { own } else { column };
                    let from = row.part(&it.from, &column.narrowed(&it.to));
                    let at = column.part(&it.to, row);
                    let part = self.parts.of((row, from), (column, at));
                    let (layer, open, rules) = (it.layer, it.open, it.rules);
                    // Parts that differ in what nobody has are called the same.
                    let mut alike = entries.iter_mut().skip(start);
                    let alike = alike.find(|known| (known.part, known.layer) == (part, layer));
                    if let Some(known) = alike
                        && let Some(both) =
                            self.contents.both((known.open, known.rules), (open, rules))
                    {
                        (known.open, known.rules) = both;
                        continue;
                    }
                    entries.push(MatrixEntry {
                        to,
                        layer,
                        open,
                        rules,
                        part,
                    });
                }
            }
        }
    }

    /// The first selector by which each rule includes a row, with those that do so for certain first; ascending by rule.
    pub fn selectors_of(&self, row: usize) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        let row = self.lines.get(row);
        for source in row.iter().flat_map(|row| &row.classes) {
            for (rule, selector, answer) in self.reach.rules_about(source.class) {
                all.push((rule, answer.negated(), selector));
            }
        }
        sort::sort(&mut all);
        all.dedup_by(|later, first| later.0 == first.0);
        all.into_iter()
            .map(|(rule, _, selector)| (rule, selector))
            .collect()
    }

    /// What is open between a row and each list of columns.
    fn between_of(&mut self, row: &Line) -> Vec<(usize, Between)> {
        let mut found: Vec<(usize, ClassId, ClassId, usize)> = Vec::new();
        for source in &row.classes {
            for (to, content) in self.row_of(source.class) {
                for &(group, family) in self.columns.of(to) {
                    if family & source.family != 0 {
                        found.push((group, source.class, to, content));
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
            let pairs: Vec<_> = alike
                .iter()
                .map(|&(_, a, b, content)| (a, b, content))
                .collect();
            let column = self.columns.group(group).first();
            let column = column.and_then(|column| self.columns.lines.get(*column));
            let count = column.map_or(usize::MAX, |column| count(row, column));
            between.push((group, self.joined(pairs, count)));
        }
        if !self.columns.own.is_empty() {
            let (pairs, count) = self.own_pairs(row);
            if !pairs.is_empty() {
                between.push((usize::MAX, self.joined(pairs, count)));
            }
        }
        between
    }

    /// The pairs of a row with its own devices, and how many there would be if all were open.
    fn own_pairs(&mut self, row: &Line) -> (Vec<(ClassId, ClassId, usize)>, usize) {
        let (mut pairs, mut count) = (Vec::new(), 0);
        for source in &row.classes {
            let devices = self.columns.own_of(source.class, self.from);
            count += devices.meeting(source.family).max(1);
            for (to, content) in self.row_of(source.class) {
                let own = devices.of(to);
                if own.is_some_and(|own| own.family & source.family != 0) {
                    pairs.push((source.class, to, content));
                }
            }
        }
        (pairs, count)
    }

    /// What a class of sources reaches.
    fn row_of(&mut self, source: ClassId) -> Vec<(ClassId, usize)> {
        if let Some(Some(row)) = self.rows.get(source) {
            return row.clone();
        }
        let hits = self.reach.hits(source, &|_| true, &mut self.shared);
        let mut row = Vec::new();
        for alike in hits.chunk_by(|a, b| a.to == b.to) {
            let Some(first) = alike.first() else {
                continue;
            };
            let pair = (source, first.to);
            let mut mark = |term, of: &Conditions<'p>| (self.mark)(pair, (term, of));
            let asking = (self.reach.reading, &mut self.shared);
            let content = self.contents.content(alike, &mut mark, asking);
            if self.contents.is_open(content) {
                row.push((first.to, content));
            }
        }
        if let Some(known) = self.rows.get_mut(source) {
            *known = Some(row.clone());
        }
        row
    }

    fn joined(&mut self, pairs: Vec<(ClassId, ClassId, usize)>, count: usize) -> Between {
        joined(pairs, count, &mut self.contents, &self.shared)
    }
}

/// How many pairs of classes have a family in common; more than there are where a machine has none with the other line.
fn count(row: &Line, column: &Line) -> usize {
    if !row.meets_all(column) {
        return usize::MAX;
    }
    let sources = row.classes.iter();
    sources.map(|own| column.meeting(own.family)).sum()
}
