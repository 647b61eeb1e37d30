//! Who reaches what, as a matrix of the names that the document uses.
//! Must not live here: what changed between two documents, packet filters.

use serde::{Serialize, Serializer};

use crate::tables::sort;

use super::language::document::Policy;
use super::language::port_set::{Opening, PortSet};
use super::language::ports::{PortRange, Ports, Protocol};
use super::language::rule::{Lines, Rule, RuleRef};
use super::language::selector::{Kind, Selector};
use crate::tables::index::{Index, Numbers, Runs};

/// Sources against destinations; only pairs that some rule opens have a cell.
///
/// Many cells open the same ports, hence one list of each, which [`AccessMatrix::ports`] hands out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessMatrix<'p> {
    /// Users, the members of groups among them; tags and other selectors as written. In the order of the document.
    pub sources: Vec<&'p str>,
    /// Destinations as written, without ports. In the order of the document.
    pub destinations: Vec<&'p str>,
    /// In the order in which rules open them.
    pub cells: Vec<Cell>,
    ports: Vec<Vec<String>>,
    rules: Vec<RuleRef>,
    /// The rules of all cells one after the other, as places in `rules`.
    because: Vec<usize>,
}

/// What one source reaches at one destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Place of the source in its list.
    pub source: usize,
    /// Place of the destination in its list.
    pub destination: usize,
    ports: usize,
    /// Where its rules start and end.
    because: (usize, usize),
}

impl AccessMatrix<'_> {
    /// The union of the ports of a cell: `22`, `80-90`, `*`, or `udp:53` where not every usual protocol has it.
    pub fn ports(&self, cell: &Cell) -> &[String] {
        self.ports.get(cell.ports).map_or(&[], Vec::as_slice)
    }

    /// The rules that open a cell.
    pub fn because(&self, cell: &Cell) -> impl Iterator<Item = RuleRef> {
        let rules = self.places(cell).iter();
        rules.filter_map(|&rule| self.rules.get(rule).copied())
    }

    fn places(&self, cell: &Cell) -> &[usize] {
        let (start, end) = cell.because;
        self.because.get(start..end).unwrap_or_default()
    }

    /// The matrix with each list of ports and each rule told once, a quarter of the text that it is in full.
    /// A cell is a run of numbers: source, destination, place of its ports, how many rules, the place of each.
    pub fn packed(&self) -> impl Serialize {
        let mut cells = Vec::with_capacity(self.cells.len().saturating_mul(5));
        for cell in &self.cells {
            let rules = self.places(cell);
            cells.extend([cell.source, cell.destination, cell.ports, rules.len()]);
            cells.extend(rules);
        }
        Packed {
            sources: &self.sources,
            destinations: &self.destinations,
            ports: &self.ports,
            rules: &self.rules,
            cells,
        }
    }
}

#[derive(Serialize)]
struct Packed<'a> {
    sources: &'a [&'a str],
    destinations: &'a [&'a str],
    ports: &'a [Vec<String>],
    rules: &'a [RuleRef],
    cells: Vec<usize>,
}

/// In full, as the contract has it.
impl Serialize for AccessMatrix<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Full<'a> {
            sources: &'a [&'a str],
            destinations: &'a [&'a str],
            cells: Vec<FullCell<'a>>,
        }
        #[derive(Serialize)]
        struct FullCell<'a> {
            source: usize,
            destination: usize,
            ports: &'a [String],
            because: Vec<RuleRef>,
        }
        let cell = |cell: &Cell| FullCell {
            source: cell.source,
            destination: cell.destination,
            ports: self.ports(cell),
            because: self.because(cell).collect(),
        };
        let full = Full {
            sources: &self.sources,
            destinations: &self.destinations,
            cells: self.cells.iter().map(cell).collect(),
        };
        full.serialize(serializer)
    }
}

impl<'p> Policy<'p> {
    /// Who reaches what. A policy with neither `acls` nor `grants` lets everyone reach everything, because of no rule.
    /// A rule with a posture counts as if the posture held.
    ///
    /// Takes time in the openings of rules: each name and each list of ports is worked out once.
    pub fn access(&'p self) -> AccessMatrix<'p> {
        let mut matrix = Making::default();
        if self.allows_all() {
            let (from, to) = (matrix.sources.place("*"), matrix.destinations.place("*"));
            let ports = matrix.openings.place(vec![(None, PortRange::ALL)]);
            matrix.open(&[from], &[(to, ports)], None);
        }
        let mut lines = Lines::new(self.document.text());
        for rule in self.rules() {
            matrix.add(self, rule, &mut lines);
        }
        matrix.finish()
    }
}

/// What a rule opens at each of its destinations; a grant of capabilities alone opens nothing.
pub(super) fn openings<'p>(rule: Rule<'p>) -> Vec<(&'p Selector<'p>, Vec<Opening>)> {
    let mut opened: Vec<(&Selector<'_>, Vec<Opening>)> = Vec::new();
    for opening in rule.openings() {
        match opened.last_mut() {
            Some((to, all)) if to.span == opening.to.span => {
                add_ranges(opening.protocol, opening.ports, all);
            }
            _ => {
                let mut all = Vec::new();
                add_ranges(opening.protocol, opening.ports, &mut all);
                opened.push((opening.to, all));
            }
        }
    }
    opened
}

fn add_ranges(protocol: Option<Protocol>, ports: &Ports, all: &mut Vec<Opening>) {
    for &range in ports.ranges() {
        all.push((protocol, range));
    }
}

/// The matrix in the making.
#[derive(Default)]
struct Making<'p> {
    sources: Names<'p>,
    destinations: Names<'p>,
    openings: Openings,
    rules: Vec<RuleRef>,
    /// The places of the sources and destinations of cells, and the cell of each pair.
    pairs: Vec<(usize, usize)>,
    by_pair: Numbers,
    opened: Vec<Opened>,
}

/// One destination of a rule, for one source: the cell, the place of what it opens, the place of the rule.
struct Opened {
    cell: usize,
    ports: usize,
    rule: Option<usize>,
}

/// Names without repeats.
#[derive(Default)]
struct Names<'p> {
    list: Vec<&'p str>,
    index: Index<'p>,
}

impl<'p> Names<'p> {
    fn place(&mut self, name: &'p str) -> usize {
        let place = self.index.place(name, self.list.len());
        if place == self.list.len() {
            self.list.push(name);
        }
        place
    }
}

/// Lists of openings without repeats.
#[derive(Default)]
pub(super) struct Openings {
    list: Vec<Vec<Opening>>,
    runs: Runs,
}

impl Openings {
    pub fn place(&mut self, openings: Vec<Opening>) -> usize {
        let mut run = Vec::with_capacity(openings.len());
        for (protocol, range) in &openings {
            let protocol = protocol.map_or(u64::MAX >> 32, |protocol| u64::from(protocol.0));
            let range = u64::from(range.first) << 16 | u64::from(range.last);
            run.push(protocol << 32 | range);
        }
        let place = self.runs.place(&run);
        if place == self.list.len() {
            self.list.push(openings);
        }
        place
    }

    pub fn get(&self, place: usize) -> &[Opening] {
        self.list.get(place).map_or(&[], Vec::as_slice)
    }
}

impl<'p> Making<'p> {
    fn add(&mut self, policy: &'p Policy<'p>, rule: Rule<'p>, lines: &mut Lines<'_>) {
        let mut to = Vec::new();
        for (destination, openings) in openings(rule) {
            let destination = self.destinations.place(destination.name());
            to.push((destination, self.openings.place(openings)));
        }
        if to.is_empty() {
            return;
        }
        let mut from = Vec::new();
        for source in rule.sources {
            match policy.groups.get(source.name()) {
                Some(members) if source.kind == Kind::Group => {
                    for member in members {
                        from.push(self.sources.place(member.name()));
                    }
                }
                _ => from.push(self.sources.place(source.name())),
            }
        }
        let line = lines.line_of(rule.span.start);
        self.rules.push(rule.reference(line));
        let because = self.rules.len() - 1;
        self.open(&from, &to, Some(because));
    }

    fn open(&mut self, from: &[usize], to: &[(usize, usize)], rule: Option<usize>) {
        for &source in from {
            for &(destination, ports) in to {
                let next = self.pairs.len();
                let pair = (source as u64) << 32 | destination as u64;
                let cell = self.by_pair.place(pair, next);
                if cell == next {
                    self.pairs.push((source, destination));
                }
                self.opened.push(Opened { cell, ports, rule });
            }
        }
    }

    fn finish(mut self) -> AccessMatrix<'p> {
        let pairs = std::mem::take(&mut self.pairs);
        let opened = by_cell(std::mem::take(&mut self.opened), pairs.len());
        let mut opened = opened.iter().peekable();
        let mut texts = Texts::default();
        let mut because: Vec<usize> = Vec::with_capacity(opened.len());
        let mut cells = Vec::with_capacity(pairs.len());
        let mut all: Vec<usize> = Vec::new();
        for (cell, &(source, destination)) in pairs.iter().enumerate() {
            let start = because.len();
            all.clear();
            while let Some(next) = opened.next_if(|next| next.cell == cell) {
                all.push(next.ports);
                let own = because.get(start..).unwrap_or_default();
                if own.last() != next.rule.as_ref() {
                    because.extend(next.rule);
                }
            }
            let union = self.union(&mut all);
            let ports = texts.place(union, &self.openings);
            cells.push(Cell {
                source,
                destination,
                ports,
                because: (start, because.len()),
            });
        }
        AccessMatrix {
            sources: self.sources.list,
            destinations: self.destinations.list,
            cells,
            ports: texts.list,
            rules: self.rules,
            because,
        }
    }

    /// The place of what several lists open together.
    fn union(&mut self, lists: &mut Vec<usize>) -> usize {
        sort::sort(lists);
        lists.dedup();
        if let [one] = lists[..] {
            return one;
        }
        let mut all = Vec::new();
        for &list in lists.iter() {
            all.extend_from_slice(self.openings.get(list));
        }
        self.openings.place(all)
    }
}

/// The texts of lists of openings, each written once.
#[derive(Default)]
struct Texts {
    list: Vec<Vec<String>>,
    index: Numbers,
}

impl Texts {
    fn place(&mut self, openings: usize, lists: &Openings) -> usize {
        let place = self.index.place(openings as u64, self.list.len());
        if place == self.list.len() {
            self.list.push(PortSet::of(lists.get(openings)).texts());
        }
        place
    }
}

/// Sorts by cell, of which there are so many; what belongs to one keeps its order.
fn by_cell(opened: Vec<Opened>, cells: usize) -> Vec<Opened> {
    let mut starts = vec![0_usize; cells.saturating_add(1)];
    for one in &opened {
        if let Some(next) = starts.get_mut(one.cell + 1) {
            *next += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut places = vec![0_usize; opened.len()];
    for (at, one) in opened.iter().enumerate() {
        if let Some(start) = starts.get_mut(one.cell) {
            if let Some(place) = places.get_mut(*start) {
                *place = at;
            }
            *start += 1;
        }
    }
    let mut sorted = Vec::with_capacity(opened.len());
    for place in places {
        if let Some(&Opened { cell, ports, rule }) = opened.get(place) {
            sorted.push(Opened { cell, ports, rule });
        }
    }
    sorted
}
