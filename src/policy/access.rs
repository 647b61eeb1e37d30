//! Who reaches what, as a matrix of the names that the document uses.
//! Must not live here: what changed between two documents, packet filters.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;

use super::document::Policy;
use super::port_set::{Opening, PortSet};
use super::ports::{PortRange, Ports, Protocol};
use super::reference::{Lines, Rule, RuleRef};
use super::selector::{Destination, Kind, Selector};

/// Sources against destinations; only pairs that some rule opens have a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AccessMatrix<'p> {
    /// Users, the members of groups among them; tags and other selectors as written. In the order of the document.
    pub sources: Vec<Cow<'p, str>>,
    /// Destinations as written, without ports. In the order of the document.
    pub destinations: Vec<Cow<'p, str>>,
    /// In the order in which rules open them.
    pub cells: Vec<Cell>,
}

/// What one source reaches at one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cell {
    /// Place of the source in its list.
    pub source: usize,
    /// Place of the destination in its list.
    pub destination: usize,
    /// The union of the ports: `22`, `80-90`, `*`, or `udp:53` where not every usual protocol has it.
    pub ports: Vec<String>,
    /// The rules that open them.
    pub because: Vec<RuleRef>,
}

impl<'p> Policy<'p> {
    /// Who reaches what. A policy with neither `acls` nor `grants` lets everyone reach everything, because of no rule.
    /// A rule with a posture counts as if the posture held.
    pub fn access(&'p self) -> AccessMatrix<'p> {
        let mut matrix = Making::default();
        if self.allows_all() {
            matrix.open("*".into(), &[("*", vec![(None, PortRange::ALL)])], None);
        }
        let mut lines = Lines::new(self.document.text());
        for rule in self.rules() {
            let reference = rule.reference(lines.line_of(rule.span().start));
            let opened: Vec<_> = openings(rule)
                .into_iter()
                .map(|(to, o)| (to.name(), o))
                .collect();
            for source in self.apart(rule.sources()) {
                matrix.open(source, &opened, Some(reference));
            }
        }
        matrix.finish()
    }

    /// The names of sources, groups taken apart into their members.
    fn apart(&'p self, selectors: &'p [Selector<'p>]) -> impl Iterator<Item = Cow<'p, str>> {
        let names = move |selector: &'p Selector<'p>| -> Vec<&'p str> {
            match self.groups.get(selector.name()) {
                Some(members) if selector.kind == Kind::Group => {
                    members.iter().map(Selector::name).collect()
                }
                _ => vec![selector.name()],
            }
        };
        selectors.iter().flat_map(names).map(Cow::Borrowed)
    }
}

/// What a rule opens at each of its destinations; a grant of capabilities alone opens nothing.
pub(super) fn openings<'p>(rule: Rule<'p>) -> Vec<(&'p Selector<'p>, Vec<Opening>)> {
    let ranges = |protocol: Option<Protocol>, ports: &Ports| -> Vec<Opening> {
        ports
            .ranges()
            .iter()
            .map(|&range| (protocol, range))
            .collect()
    };
    match rule {
        Rule::Acl(_, rule) => {
            let protocol = rule
                .protocol
                .as_ref()
                .map(|p| p.protocol.as_ref().ok().copied());
            // A protocol that nobody knows opens nothing.
            let known = protocol.is_none_or(|protocol| protocol.is_some());
            let destinations = rule.destinations.iter().filter(|_| known);
            let opened = |to: &'p Destination<'p>| {
                let ports = to.ports.as_ref().ok()?;
                Some((&to.host, ranges(protocol.flatten(), ports)))
            };
            destinations.filter_map(opened).collect()
        }
        Rule::Grant(_, grant) => {
            let specs = grant.ip.iter().filter_map(|entry| entry.spec.as_ref().ok());
            let all: Vec<Opening> = specs.flat_map(|s| ranges(s.protocol, &s.ports)).collect();
            let destinations = grant.destinations.iter().filter(|_| !all.is_empty());
            destinations.map(|to| (to, all.clone())).collect()
        }
    }
}

/// The matrix in the making.
#[derive(Default)]
struct Making<'p> {
    sources: Names<'p>,
    destinations: Names<'p>,
    by_place: HashMap<(usize, usize), usize>,
    cells: Vec<(usize, usize, Vec<Opening>, Vec<RuleRef>)>,
}

#[derive(Default)]
struct Names<'p> {
    list: Vec<Cow<'p, str>>,
    places: HashMap<Cow<'p, str>, usize>,
}

impl<'p> Names<'p> {
    fn place(&mut self, name: Cow<'p, str>) -> usize {
        let next = self.list.len();
        let place = *self.places.entry(name.clone()).or_insert(next);
        if place == next {
            self.list.push(name);
        }
        place
    }
}

impl<'p> Making<'p> {
    fn open(
        &mut self,
        source: Cow<'p, str>,
        opened: &[(&'p str, Vec<Opening>)],
        because: Option<RuleRef>,
    ) {
        if opened.is_empty() {
            return;
        }
        let source = self.sources.place(source);
        for (destination, openings) in opened {
            let destination = self.destinations.place((*destination).into());
            let next = self.cells.len();
            let at = *self.by_place.entry((source, destination)).or_insert(next);
            if at == next {
                self.cells
                    .push((source, destination, Vec::new(), Vec::new()));
            }
            if let Some((_, _, ports, rules)) = self.cells.get_mut(at) {
                ports.extend(openings);
                if rules.last() != because.as_ref() {
                    rules.extend(because);
                }
            }
        }
    }

    fn finish(self) -> AccessMatrix<'p> {
        let cell = |(source, destination, openings, because)| Cell {
            source,
            destination,
            ports: Vec::into_iter(openings).collect::<PortSet>().texts(),
            because,
        };
        AccessMatrix {
            sources: self.sources.list,
            destinations: self.destinations.list,
            cells: self.cells.into_iter().map(cell).collect(),
        }
    }
}
