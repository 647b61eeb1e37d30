//! Who reaches what: the form in which it is reported, in full and without repetitions.
//! Must not live here: how it is found (access.rs).

use serde::{Serialize, Serializer};

use super::access_change::{AccessReach, Part};
use super::access_options::By;
use super::language::opening::Opening;
use super::language::rule::RuleRef;
use super::tailnet::parties::{Party, PartyId};

/// Sources against destinations. Pairs without access have no cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessMatrix {
    /// What the rows and columns are.
    pub by: By,
    /// Users, including the members of groups; tags and other selectors: by kind, then by name.
    pub sources: Vec<Party>,
    /// Destinations, without ports: by kind, then by name.
    pub destinations: Vec<Party>,
    /// Ascending by source, then by destination.
    pub cells: Vec<AccessCell>,
    /// What text and context leave undecided, besides the cells.
    pub unknown: Vec<AccessCell>,
    /// What differs from the document that it is compared with, if it is.
    pub changes: Option<CellChanges>,
    /// The distinct openings.
    pub(super) open: Vec<Open>,
    pub(super) rules: Vec<RuleRef>,
    /// The rules of all cells, one cell after the other, as indices into `rules`.
    pub(super) because: Vec<usize>,
    /// Selectors that cover pairs which no rule names.
    pub(super) wider: Vec<String>,
    pub(super) parts: Vec<Part>,
    pub(super) why: Vec<String>,
}

/// What changes in which cells, ascending by source, then by destination.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellChanges {
    /// The cells.
    pub cells: Vec<ChangedCell>,
    /// What changes in any, each once.
    pub(super) list: Vec<CellChange>,
}

/// A cell in which something changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedCell {
    /// The source.
    pub source: PartyId,
    /// The destination.
    pub destination: PartyId,
    pub(super) change: usize,
}

/// What changes in a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct CellChange {
    /// What is open in the document alone.
    pub gained: Vec<AccessReach>,
    /// What was open in the other document alone.
    pub lost: Vec<AccessReach>,
    /// What text and context do not decide in one of both.
    pub undecided: Vec<AccessReach>,
}

impl CellChanges {
    /// What changes in a cell.
    pub fn of(&self, cell: &ChangedCell) -> Option<&CellChange> {
        self.list.get(cell.change)
    }

    fn packed(&self) -> impl Serialize {
        let numbers = |cell: &ChangedCell| [cell.source.0, cell.destination.0, cell.change];
        let numbers: Vec<usize> = self.cells.iter().flat_map(numbers).collect();
        (&self.list, numbers)
    }
}

/// In full, as the declarations have it.
impl Serialize for CellChanges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct FullChange<'a> {
            source: usize,
            destination: usize,
            #[serde(flatten)]
            change: Option<&'a CellChange>,
        }
        serializer.collect_seq(self.cells.iter().map(|cell| FullChange {
            source: cell.source.0,
            destination: cell.destination.0,
            change: self.of(cell),
        }))
    }
}

/// The openings in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Open {
    pub ports: Vec<String>,
    pub opens: Vec<Opening>,
}

/// What one source reaches at one destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessCell {
    /// The source.
    pub source: PartyId,
    /// The destination.
    pub destination: PartyId,
    pub(super) open: usize,
    pub(super) because: (usize, usize),
    pub(super) wider: Option<usize>,
    pub(super) part: Option<usize>,
    pub(super) why: Option<usize>,
}

impl AccessCell {
    /// Whether it is about all of the source and all of the destination.
    pub fn is_whole(&self) -> bool {
        self.part.is_none()
    }
}

impl AccessMatrix {
    /// What is open in a cell, in short: `22`, `80-90`, `*`, or `udp:53` for what is not open for both TCP and UDP.
    pub fn ports(&self, cell: &AccessCell) -> &[String] {
        self.open.get(cell.open).map_or(&[], |open| &open.ports)
    }

    /// What is open in a cell, one entry per protocol.
    pub fn opens(&self, cell: &AccessCell) -> &[Opening] {
        self.open.get(cell.open).map_or(&[], |open| &open.opens)
    }

    /// The rules that open a cell.
    pub fn because(&self, cell: &AccessCell) -> impl Iterator<Item = RuleRef> {
        let rules = self.places(cell).iter();
        rules.filter_map(|&rule| self.rules.get(rule).copied())
    }

    /// The selector that covers a pair which no rule names; none if one does.
    pub fn wider(&self, cell: &AccessCell) -> Option<&str> {
        let at = cell.wider?;
        self.wider.get(at).map(String::as_str)
    }

    /// Which part of source and destination a cell is about; none for all of both.
    pub fn part(&self, cell: &AccessCell) -> Option<&Part> {
        self.parts.get(cell.part?)
    }

    /// Why a cell is undecided.
    pub fn why(&self, cell: &AccessCell) -> Option<&str> {
        self.why.get(cell.why?).map(String::as_str)
    }

    fn places(&self, cell: &AccessCell) -> &[usize] {
        let (start, end) = cell.because;
        self.because.get(start..end).unwrap_or_default()
    }

    /// The matrix without repetitions, a quarter of the full text. A cell is a run of numbers: source, destination, index
    /// of the opening, indices from 1 of the wider selector, the part and the reason or 0, number of rules, the index of each.
    pub(super) fn packed(&self) -> impl Serialize {
        PackedMatrix {
            by: self.by,
            parties: [&self.sources, &self.destinations],
            open: &self.open,
            rules: &self.rules,
            wider: &self.wider,
            parts: &self.parts,
            why: &self.why,
            cells: self.numbers(&self.cells),
            unknown: self.numbers(&self.unknown),
            changes: self.changes.as_ref().map(CellChanges::packed),
        }
    }

    fn numbers(&self, cells: &[AccessCell]) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(cells.len().saturating_mul(8));
        for cell in cells {
            let rules = self.places(cell);
            let from_one = |place: Option<usize>| place.map_or(0, |place| place + 1);
            numbers.extend([
                cell.source.0,
                cell.destination.0,
                cell.open,
                from_one(cell.wider),
                from_one(cell.part),
                from_one(cell.why),
                rules.len(),
            ]);
            numbers.extend(rules);
        }
        numbers
    }
}

#[derive(Serialize)]
struct PackedMatrix<'a, C> {
    by: By,
    parties: [&'a [Party]; 2],
    open: &'a [Open],
    rules: &'a [RuleRef],
    wider: &'a [String],
    parts: &'a [Part],
    why: &'a [String],
    cells: Vec<usize>,
    unknown: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<C>,
}

/// In full, as the declarations have it.
impl Serialize for AccessMatrix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Full<'a> {
            by: By,
            sources: Vec<&'a str>,
            destinations: Vec<&'a str>,
            parties: Both<'a>,
            cells: Vec<FullCell<'a>>,
            unknown: Vec<FullCell<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            changes: Option<&'a CellChanges>,
        }
        #[derive(Serialize)]
        struct Both<'a> {
            sources: &'a [Party],
            destinations: &'a [Party],
        }
        #[derive(Serialize)]
        struct FullCell<'a> {
            source: usize,
            destination: usize,
            ports: &'a [String],
            opens: &'a [Opening],
            because: Vec<RuleRef>,
            #[serde(skip_serializing_if = "Option::is_none")]
            wider: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            part: Option<&'a Part>,
            #[serde(skip_serializing_if = "Option::is_none")]
            why: Option<&'a str>,
        }
        let cell = |cell: &AccessCell| FullCell {
            source: cell.source.0,
            destination: cell.destination.0,
            ports: self.ports(cell),
            opens: self.opens(cell),
            because: self.because(cell).collect(),
            wider: self.wider(cell),
            part: self.part(cell),
            why: self.why(cell),
        };
        let names = |parties: &'_ [Party]| -> Vec<String> {
            parties.iter().map(|party| party.name.clone()).collect()
        };
        let (sources, destinations) = (names(&self.sources), names(&self.destinations));
        let full = Full {
            by: self.by,
            sources: sources.iter().map(String::as_str).collect(),
            destinations: destinations.iter().map(String::as_str).collect(),
            parties: Both {
                sources: &self.sources,
                destinations: &self.destinations,
            },
            cells: self.cells.iter().map(cell).collect(),
            unknown: self.unknown.iter().map(cell).collect(),
            changes: self.changes.as_ref(),
        };
        full.serialize(serializer)
    }
}
