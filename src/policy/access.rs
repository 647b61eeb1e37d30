//! Who reaches what, exhaustively: every source against every destination that the document names.
//! Must not live here: which rows and columns are asked for (access_options.rs), what changed between two documents (diff_access.rs), how reach is computed (tailnet/reach.rs).
//!
//! A cell holds a port and a protocol exactly if `explain` calls the flow allowed: every end of the source reaches some
//! end of the destination. Parties whose ends are of the same classes have the same cells, which are computed once.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::access_options::{AccessOptions, By};
use super::language::document::Policy;
use super::language::opening::Opening;
use super::language::rule::{Lines, RuleRef};
use super::resolve::Names;
use super::tailnet::alike::Classes;
use super::tailnet::context::PolicyContext;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::flow::Judge;
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::parties::{Party, PartyId, PartyKind, Stands};
use super::tailnet::party::Side;
use super::tailnet::reach::{Hit, Reach, Row};
use super::tailnet::sets::{PostureNames, Sets};
use super::verdict::Error;
use crate::tables::index::{Index, Numbers};
use crate::tables::sort;

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
    pub cells: Vec<Cell>,
    /// What text and context leave undecided, besides the cells.
    pub unknown: Vec<Cell>,
    /// The distinct openings.
    open: Vec<Open>,
    rules: Vec<RuleRef>,
    /// The rules of all cells, one cell after the other, as indices into `rules`.
    because: Vec<usize>,
    /// Selectors that cover pairs which no rule names.
    wider: Vec<String>,
}

/// The openings in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Open {
    pub ports: Vec<String>,
    pub opens: Vec<Opening>,
}

/// What one source reaches at one destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The source.
    pub source: PartyId,
    /// The destination.
    pub destination: PartyId,
    open: usize,
    because: (usize, usize),
    wider: Option<usize>,
}

impl AccessMatrix {
    /// What is open in a cell, in short: `22`, `80-90`, `*`, or `udp:53` for what is not open for both TCP and UDP.
    pub fn ports(&self, cell: &Cell) -> &[String] {
        self.open.get(cell.open).map_or(&[], |open| &open.ports)
    }

    /// What is open in a cell, one entry per protocol.
    pub fn opens(&self, cell: &Cell) -> &[Opening] {
        self.open.get(cell.open).map_or(&[], |open| &open.opens)
    }

    /// The rules that open a cell.
    pub fn because(&self, cell: &Cell) -> impl Iterator<Item = RuleRef> {
        let rules = self.places(cell).iter();
        rules.filter_map(|&rule| self.rules.get(rule).copied())
    }

    /// The selector that covers a pair which no rule names; none if one does.
    pub fn wider(&self, cell: &Cell) -> Option<&str> {
        let at = cell.wider?;
        self.wider.get(at).map(String::as_str)
    }

    fn places(&self, cell: &Cell) -> &[usize] {
        let (start, end) = cell.because;
        self.because.get(start..end).unwrap_or_default()
    }

    /// The matrix without repetitions, a quarter of the full text. A cell is a run of numbers: source, destination, index
    /// of the opening, index of the wider selector from 1 or 0, number of rules, the index of each.
    pub fn packed(&self) -> impl Serialize {
        Packed {
            by: self.by,
            parties: [&self.sources, &self.destinations],
            open: &self.open,
            rules: &self.rules,
            wider: &self.wider,
            cells: self.numbers(&self.cells),
            unknown: self.numbers(&self.unknown),
        }
    }

    fn numbers(&self, cells: &[Cell]) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(cells.len().saturating_mul(6));
        for cell in cells {
            let rules = self.places(cell);
            let wider = cell.wider.map_or(0, |wider| wider + 1);
            numbers.extend([
                cell.source.0,
                cell.destination.0,
                cell.open,
                wider,
                rules.len(),
            ]);
            numbers.extend(rules);
        }
        numbers
    }
}

#[derive(Serialize)]
struct Packed<'a> {
    by: By,
    parties: [&'a [Party]; 2],
    open: &'a [Open],
    rules: &'a [RuleRef],
    wider: &'a [String],
    cells: Vec<usize>,
    unknown: Vec<usize>,
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
        }
        let cell = |cell: &Cell| FullCell {
            source: cell.source.0,
            destination: cell.destination.0,
            ports: self.ports(cell),
            opens: self.opens(cell),
            because: self.because(cell).collect(),
            wider: self.wider(cell),
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
        };
        full.serialize(serializer)
    }
}

impl<'p> Policy<'p> {
    /// Who reaches what. A policy with neither `acls` nor `grants` lets everyone reach everything, by no rule.
    ///
    /// # Errors
    /// [`Error::Argument`] for rows by device without devices, and for a name that no row or column has.
    pub fn access(
        &'p self,
        context: &'p PolicyContext,
        options: impl Into<AccessOptions>,
    ) -> Result<AccessMatrix, Error> {
        Judge::new(self, context).access(&options.into())
    }
}

impl<'p> Judge<'p> {
    /// Like [`Policy::access`].
    ///
    /// # Errors
    /// The same.
    #[inline(never)]
    pub fn access(&self, options: &AccessOptions) -> Result<AccessMatrix, Error> {
        let names = Names::of(self.network.policy, self.network.context);
        let sources = options.rows(self, &names)?;
        let (destinations, columns) = options.columns(self, &names)?;
        Ok(self.matrix(options.by, &sources, (&destinations, &columns)))
    }

    /// The rows of some sources and the columns of some destinations.
    pub(super) fn matrix<'a>(
        &'a self,
        by: By,
        sources: &'a [Stands<'p>],
        (destinations, columns): (&'a [Stands<'p>], &'a [Option<PartyId>]),
    ) -> AccessMatrix {
        let from = Classes::new(&[self], Side::Source, sources);
        let to = Classes::new(&[self], Side::Destination, destinations);
        let (mut sets, mut postures) = (Sets::default(), PostureNames::default());
        let reach = Reach::new(self, 0, (&from, &to), &mut sets, &mut postures);
        let groups = to.groups_of();
        let mut making = Making {
            judge: self,
            sources,
            destinations,
            to: &to,
            sets,
            postures: &postures,
            open: Numbers::default(),
            called: destinations.iter().map(|to| self.names_of(to)).collect(),
            columns,
            wider: Index::default(),
            matrix: AccessMatrix {
                by,
                sources: parties_of(sources.iter()),
                destinations: parties_of(with_columns(destinations, columns)),
                cells: Vec::new(),
                unknown: Vec::new(),
                open: Vec::new(),
                rules: self.rule_refs(),
                because: Vec::new(),
                wider: Vec::new(),
            },
        };
        let mut rows: Vec<Option<Vec<Row>>> = vec![None; from.groups.len()];
        for (at, &group) in from.of_party.iter().enumerate() {
            let Some(row) = rows.get_mut(group) else {
                continue;
            };
            let classes = from.groups.get(group).map_or(&[][..], Vec::as_slice);
            let row =
                row.get_or_insert_with(|| reach.row(classes, &groups, &|_| true, &mut making.sets));
            making.add_row(PartyId(at), row);
        }
        making.matrix
    }

    /// The references to all rules, by their places.
    pub(super) fn rule_refs(&self) -> Vec<RuleRef> {
        let mut lines = Lines::new(self.policy().document.text());
        let rules = self.about.rules.iter();
        let reference =
            |rule: &super::language::rule::Rule<'_>| rule.reference(lines.line_of(rule.span.start));
        rules.map(reference).collect()
    }
}

fn parties_of<'a, 'p: 'a>(parties: impl Iterator<Item = &'a Stands<'p>>) -> Vec<Party> {
    parties.map(|stands| stands.party.clone()).collect()
}

/// The destinations that have a column.
fn with_columns<'a, 'p>(
    parties: &'a [Stands<'p>],
    columns: &'a [Option<PartyId>],
) -> impl Iterator<Item = &'a Stands<'p>> {
    let all = parties.iter().zip(columns);
    all.filter_map(|(stands, column)| column.and(Some(stands)))
}

/// The matrix under construction.
struct Making<'a, 'p> {
    judge: &'a Judge<'p>,
    sources: &'a [Stands<'p>],
    destinations: &'a [Stands<'p>],
    to: &'a Classes<'p>,
    sets: Sets,
    postures: &'a PostureNames<'p>,
    open: Numbers,
    /// The rule selectors that may stand for each destination.
    called: Vec<Vec<Cow<'a, str>>>,
    /// The column of each destination; none for one that only another is read from.
    columns: &'a [Option<PartyId>],
    wider: Index<'a>,
    matrix: AccessMatrix,
}

impl<'a, 'p> Making<'a, 'p> {
    /// The cells of one source.
    fn add_row(&mut self, source: PartyId, row: &[Row]) {
        let Some(from) = self.sources.get(source.0) else {
            return;
        };
        let named = self.rules_naming(from);
        let mut cells = Vec::new();
        for row in row {
            for &to in self.to.members.get(row.group).into_iter().flatten() {
                // What `autogroup:self` is for a user, the user's own devices say.
                if !(from.party.kind == PartyKind::User && self.is_own(to)) {
                    cells.push((to, row));
                }
                if from.party.kind == PartyKind::User && self.is_called(to, &from.party.name) {
                    cells.extend(self.own_column().map(|own| (own, row)));
                }
            }
        }
        sort::sort_by(&mut cells, |(a, _), (b, _)| a.cmp(b));
        for (to, row) in cells {
            if let Some(Some(column)) = self.columns.get(to) {
                self.add_cell(source, (to, *column), row, &named);
            }
        }
    }

    fn is_own(&self, to: usize) -> bool {
        self.is_called(to, "autogroup:self")
    }

    fn is_called(&self, to: usize, name: &str) -> bool {
        let party = self.destinations.get(to).map(|to| &to.party);
        party.is_some_and(|party| party.name == name && party.kind != PartyKind::Device)
    }

    fn own_column(&self) -> Option<usize> {
        (0..self.destinations.len()).find(|to| self.is_own(*to))
    }

    fn add_cell(
        &mut self,
        source: PartyId,
        (to, destination): (usize, PartyId),
        row: &Row,
        named: &[bool],
    ) {
        let nothing = self.sets.place(Default::default());
        let open = self.sets.difference(row.possible, row.certain);
        for (set, least) in [(row.certain, Answer::Yes), (open, Answer::Unknown)] {
            if set == nothing {
                continue;
            }
            let mut hits: Vec<&Hit> = Vec::with_capacity(row.hits.len());
            for hit in &row.hits {
                if hit.answer >= least && self.sets.meet(hit.set, set) {
                    hits.push(hit);
                }
            }
            let start = self.matrix.because.len();
            let mut rules: Vec<usize> = hits
                .iter()
                .filter_map(|hit| hit.rule)
                .map(|id| id.0)
                .collect();
            sort::sort(&mut rules);
            rules.dedup();
            self.matrix.because.extend(rules);
            let cell = Cell {
                source,
                destination,
                open: self.open_place(set),
                because: (start, self.matrix.because.len()),
                wider: self.wider((source, to), &hits, named),
            };
            match least {
                Answer::Yes => self.matrix.cells.push(cell),
                _ => self.matrix.unknown.push(cell),
            }
        }
    }

    /// The index of a set among the distinct openings.
    fn open_place(&mut self, set: usize) -> usize {
        let next = self.matrix.open.len();
        let place = self.open.place(set as u64, next);
        if place == next {
            let set = self.sets.get(set);
            self.matrix.open.push(Open {
                ports: set.texts(),
                opens: set.openings(&self.postures.names),
            });
        }
        place
    }

    /// The rules that name a source, by index.
    fn rules_naming(&self, from: &Stands<'p>) -> Vec<bool> {
        let about = &self.judge.about;
        let mut named = vec![false; about.rules.len()];
        for name in self.judge.names_of(from) {
            let uses = about.sources.place(&name).map(|at| about.sources.uses(at));
            for &rule in uses.unwrap_or_default() {
                if let Some(named) = named.get_mut(rule) {
                    *named = true;
                }
            }
        }
        named
    }

    /// The selector that covers a pair which no rule names, in the first rule that does: that of the destination, if it is
    /// the wider one, else that of the source.
    fn wider(
        &mut self,
        (source, to): (PartyId, usize),
        hits: &[&Hit],
        named: &[bool],
    ) -> Option<usize> {
        let is_any = |stands: Option<&Stands<'_>>| {
            stands.is_some_and(|stands| stands.party.kind == PartyKind::Any)
        };
        let is_any = is_any(self.sources.get(source.0)) && is_any(self.destinations.get(to));
        let about = &self.judge.about;
        let mut wider = None;
        for hit in hits {
            // Without rules it is as if `*` were named on either side.
            let (Some(rule), Some((from, by))) = (hit.rule, hit.by) else {
                wider = (!is_any).then_some(((0, 0, 0), "*"));
                continue;
            };
            let source_named = named.get(rule.0) == Some(&true);
            let destination = about.destinations.selectors.get(by)?;
            let mut called = self.called.get(to).into_iter().flatten();
            let destination_named = called.any(|name| name == destination.name());
            let name = match (destination_named, source_named) {
                (true, true) => return None,
                (false, _) => destination.name(),
                (true, false) => about.sources.selectors.get(from)?.name(),
            };
            let found = ((rule.0, from, by), name);
            wider = Some(wider.map_or(found, |first| found.min(first)));
        }
        let (_, name) = wider?;
        let next = self.matrix.wider.len();
        let place = self.wider.place(name, next);
        if place == next {
            self.matrix.wider.push(name.to_owned());
        }
        Some(place)
    }
}

impl<'p> Judge<'p> {
    /// The selectors that may stand for a party: its name, for a member its groups, for a device its user, tags and addresses.
    pub(super) fn names_of<'a>(&'a self, stands: &'a Stands<'p>) -> Vec<Cow<'a, str>> {
        let mut names = Vec::new();
        let add_user = |login: &'a str, names: &mut Vec<Cow<'a, str>>| {
            names.push(login.into());
            names.extend(self.network.groups_of(login).map(Cow::Borrowed));
        };
        match (stands.party.kind, stands.ends.first()) {
            (PartyKind::User, _) => add_user(&stands.party.name, &mut names),
            (PartyKind::Device, Some(end)) => match end.identity {
                Identity::User(login) => add_user(login, &mut names),
                Identity::Tags(tags) => names.extend(tags.iter().map(|tag| tag.trim().into())),
                _ => {}
            },
            (_, _) => names.push(stands.party.name.as_str().into()),
        }
        if stands.party.kind == PartyKind::Device {
            let addresses = stands.ends.iter().filter_map(Endpoint::address);
            names.extend(addresses.map(|address| Cow::Owned(address.to_string())));
        }
        names
    }
}
