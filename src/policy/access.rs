//! Who reaches what, exhaustively: every source against every destination that the document names.
//! Must not live here: which rows and columns are asked for (access_options.rs), what changed between two documents (diff_access.rs), how
//! reach is computed (relation/), the form of the answer (access_matrix.rs).
//!
//! A cell holds a port and a protocol if `explain` allows it from a part of the source to a part of the destination; it says which part
//! where that is not all of both.

use std::borrow::Cow;

use super::access_cells::cell_changes;
use super::access_change::Part;
use super::access_matrix::{AccessCell, AccessMatrix, Open};
use super::access_options::{AccessOptions, By};
use super::language::document::Policy;
use super::language::opening::Terms;
use super::language::port_set::PortSet;
use super::language::rule::{Lines, RuleRef};
use super::relation::contents::{Layer, RuleUse};
use super::relation::ids::TermId;
use super::relation::matrix::{self, Matrix};
use super::relation::reach::Shared;
use super::relation::reading::Reading;
use super::relation::region::Region;
use super::relation::reported::{names_of, reasons};
use super::resolve::Names;
use super::tailnet::context::PolicyContext;
use super::tailnet::flow::Judge;
use super::tailnet::identity::Identity;
use super::tailnet::parties::{Listed, Means, Party, PartyId, PartyKind};
use super::tailnet::party::Side;
use super::verdict::Error;
use crate::tables::index::Index;
use crate::tables::sort;

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
        self.access_since(None, options)
    }

    /// The same; compared with another document in the same network, with its names and what differs from it in each cell.
    ///
    /// # Errors
    /// The same.
    #[inline(never)]
    pub fn access_since(
        &self,
        base: Option<&Judge<'_>>,
        options: &AccessOptions,
    ) -> Result<AccessMatrix, Error> {
        let judges: Vec<&Judge<'_>> = [self].into_iter().chain(base).collect();
        let names = Names::of(self.network.policy, self.network.context);
        let sources = options.lines(&judges, Side::Source, &names, false)?;
        let destinations = options.lines(&judges, Side::Destination, &names, false)?;
        let mut matrix = self.matrix(options.by, &judges, (&sources, &destinations));
        if let [text, base] = judges[..] {
            let lines = (sources.as_slice(), destinations.as_slice());
            matrix.changes = Some(cell_changes([base, text], lines));
        }
        Ok(matrix)
    }

    /// The rows of some sources and the columns of some destinations, which a document and one that it is compared with have.
    pub(super) fn matrix(
        &self,
        by: By,
        judges: &[&'p Judge<'p>],
        (sources, destinations): (&[Listed<'p>], &[Listed<'p>]),
    ) -> AccessMatrix {
        let readings = judges.iter();
        let readings: Vec<Reading<'p>> = readings
            .map(|judge| Reading::of_network(judge).exhaustive())
            .collect();
        let mut making = Making {
            judge: self,
            sources,
            destinations,
            open: Vec::new(),
            named: vec![None; destinations.len()],
            selectors: Vec::new(),
            whys: Index::default(),
            wider: Index::default(),
            matrix: AccessMatrix {
                by,
                sources: parties_of(sources),
                destinations: parties_of(destinations),
                cells: Vec::new(),
                unknown: Vec::new(),
                changes: None,
                open: Vec::new(),
                rules: self.rule_refs(),
                because: Vec::new(),
                wider: Vec::new(),
                parts: Vec::new(),
                why: Vec::new(),
            },
        };
        matrix::with(&readings, (sources, destinations), None, &mut |it| {
            for at in 0..sources.len() {
                making.add_row(PartyId(at), it);
            }
            let parts = std::mem::take(&mut it.parts.list).into_iter();
            making.matrix.parts = parts.filter_map(|[from, to]| Part::of(from, to)).collect();
        });
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

/// The parties of some rows or columns.
pub(super) fn parties_of(listed: &[Listed<'_>]) -> Vec<Party> {
    listed.iter().map(|listed| listed.party.clone()).collect()
}

/// The matrix under construction.
struct Making<'a, 'p> {
    judge: &'a Judge<'p>,
    sources: &'a [Listed<'p>],
    destinations: &'a [Listed<'p>],
    /// The opening of each distinct list of regions, and the reason why it is undecided, once they were asked for.
    open: Vec<Option<(usize, Option<usize>)>>,
    /// The destination selectors that may mean each column, as indices, ascending; once they were asked for.
    named: Vec<Option<Vec<usize>>>,
    /// The selector by which each rule includes the source of the row; ascending by rule.
    selectors: Vec<(usize, usize)>,
    whys: Index<'a>,
    wider: Index<'a>,
    matrix: AccessMatrix,
}

impl<'a, 'p> Making<'a, 'p> {
    /// The cells of one source.
    fn add_row(&mut self, source: PartyId, matrix: &mut Matrix<'_, '_, 'p>) {
        let Some(from) = self.sources.get(source.0) else {
            return;
        };
        let named = self.rules_naming(from);
        self.selectors = matrix.selectors_of(source.0);
        for entry in matrix.row(source.0) {
            let (open, why) = self.open_place(entry.open, matrix);
            let start = self.matrix.because.len();
            let rules = matrix.contents.rules.get(entry.rules);
            let rules = rules.map_or(&[][..], Vec::as_slice);
            for (rule, ..) in rules.iter().flatten() {
                if self.matrix.because.get(start..).and_then(<[usize]>::last) != Some(rule) {
                    self.matrix.because.push(*rule);
                }
            }
            let cell = AccessCell {
                source,
                destination: PartyId(entry.to),
                open,
                because: (start, self.matrix.because.len()),
                wider: self.wider((from, entry.to), rules, &named),
                part: entry.part,
                why,
            };
            match entry.layer {
                Layer::Certain => self.matrix.cells.push(cell),
                Layer::Undecided => self.matrix.unknown.push(cell),
            }
        }
    }

    /// The index of some regions among the distinct openings, and of the reason why they are undecided.
    fn open_place(&mut self, at: usize, matrix: &Matrix<'_, '_, 'p>) -> (usize, Option<usize>) {
        if let Some(Some(known)) = self.open.get(at) {
            return *known;
        }
        let regions = matrix.contents.regions(at);
        let open = Open::of(regions, &matrix.shared);
        let place = self.matrix.open.len();
        self.matrix.open.push(open);
        let why = why_of(regions).map(|why| {
            let next = self.matrix.why.len();
            let place = self.whys.find(&why).unwrap_or(next);
            if place == next {
                self.whys.set(why.clone().into(), next);
                self.matrix.why.push(why);
            }
            place
        });
        if self.open.len() <= at {
            self.open.resize(at + 1, None);
        }
        if let Some(known) = self.open.get_mut(at) {
            *known = Some((place, why));
        }
        (place, why)
    }

    /// The rules that name a source, by index.
    fn rules_naming(&self, from: &Listed<'p>) -> Vec<bool> {
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

    /// The destination selectors that may mean a column.
    fn selectors_naming(&mut self, to: usize) -> &[usize] {
        let judge = self.judge;
        let (Some(listed), Some(named)) = (self.destinations.get(to), self.named.get_mut(to))
        else {
            return &[];
        };
        named.get_or_insert_with(|| {
            let places = &judge.about.destinations;
            let names = judge.names_of(listed).into_iter();
            let mut named: Vec<usize> = names.filter_map(|name| places.place(&name)).collect();
            sort::sort(&mut named);
            named
        })
    }

    /// The selector that covers a pair which no rule names, in the first rule that does: that of the destination, if it is
    /// the wider one, else that of the source.
    fn wider(
        &mut self,
        (from, to): (&Listed<'p>, usize),
        rules: &[RuleUse],
        named: &[bool],
    ) -> Option<usize> {
        let is_any = |party: Option<&Party>| party.is_some_and(|it| it.kind == PartyKind::Any);
        let destination = self.destinations.get(to).map(|listed| &listed.party);
        let is_any = is_any(Some(&from.party)) && is_any(destination);
        let names_source = |rule: usize| named.get(rule) == Some(&true);
        let called = self.selectors_naming(to).to_vec();
        let names_destination = |by: &usize| called.binary_search(by).is_ok();
        let mut all = rules.iter().flatten();
        if all.any(|(rule, by, _)| names_source(*rule) && names_destination(by)) {
            return None;
        }
        let about = &self.judge.about;
        let name = match rules.first()? {
            // Without rules it is as if `*` were named on either side.
            None => (!is_any).then_some("*")?,
            Some((_, by, _)) if !names_destination(by) => {
                about.destinations.selectors.get(*by)?.name()
            }
            Some((rule, ..)) => {
                let at = self
                    .selectors
                    .binary_search_by(|(own, _)| own.cmp(rule))
                    .ok()?;
                let (_, selector) = self.selectors.get(at)?;
                about.sources.selectors.get(*selector)?.name()
            }
        };
        let next = self.matrix.wider.len();
        let place = self.wider.place(name, next);
        if place == next {
            self.matrix.wider.push(name.to_owned());
        }
        Some(place)
    }
}

/// Why some regions are undecided, in words.
pub(super) fn why_of(regions: &[Region]) -> Option<String> {
    let mut why: Vec<_> = regions
        .iter()
        .flat_map(|region| region.why.clone())
        .collect();
    sort::sort(&mut why);
    why.dedup();
    match why.is_empty() {
        true => None,
        false => reasons(&why).0,
    }
}

impl Open {
    /// Regions in words: one entry for each protocol, and for each list of conditions.
    fn of(regions: &[Region], shared: &Shared<'_>) -> Open {
        let mut all = PortSet::default();
        let mut groups: Vec<(Terms, PortSet)> = Vec::new();
        for region in regions {
            all = all.union(&region.set);
            for terms in alternatives(&region.terms, shared) {
                match groups.iter_mut().find(|(known, _)| *known == terms) {
                    Some((_, set)) => *set = set.union(&region.set),
                    None => groups.push((terms, region.set.clone())),
                }
            }
        }
        sort::sort_by(&mut groups, |(a, _), (b, _)| a.cmp(b));
        let mut opens = Vec::new();
        for (terms, set) in groups {
            set.openings(&terms, &mut opens);
        }
        Open {
            ports: all.texts(),
            opens,
        }
    }
}

/// Terms of which one must hold, by the names of postures and tags: postures with the same tags together, and the reverse.
fn alternatives(terms: &[TermId], shared: &Shared<'_>) -> Vec<Terms> {
    let mut by_tag: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for &term in terms {
        let (postures, via) = names_of(term, 0, shared);
        match by_tag.iter_mut().find(|(known, _)| *known == via) {
            Some((_, all)) => all.extend(postures),
            None => by_tag.push((via, postures)),
        }
    }
    let mut all: Vec<Terms> = Vec::new();
    for (via, mut postures) in by_tag {
        sort::sort(&mut postures);
        match all.iter_mut().find(|terms| terms.postures == postures) {
            Some(terms) if !via.is_empty() => terms.via.extend(via),
            _ => all.push(Terms {
                postures,
                via,
                ..Terms::default()
            }),
        }
    }
    for terms in &mut all {
        sort::sort(&mut terms.via);
    }
    all
}

impl<'p> Judge<'p> {
    /// The selectors that may mean a party: its name, for a member its groups, for a device its user, tags and addresses.
    pub(super) fn names_of<'a>(&'a self, listed: &'a Listed<'p>) -> Vec<Cow<'a, str>> {
        let mut names = Vec::new();
        let add_user = |login: &'a str, names: &mut Vec<Cow<'a, str>>| {
            names.push(login.into());
            names.extend(self.network.groups_of(login).map(Cow::Borrowed));
        };
        let Means::Device(at) = listed.means else {
            match listed.party.kind {
                PartyKind::User => add_user(&listed.party.name, &mut names),
                _ => names.push(listed.party.name.as_str().into()),
            }
            return names;
        };
        if let Some(device) = at.of(self.network.devices) {
            match Identity::from(device) {
                Identity::User(login) => add_user(login, &mut names),
                Identity::Tags(tags) => names.extend(tags.iter().map(|tag| tag.trim().into())),
                _ => {}
            }
        }
        let addresses = self.network.addresses(at).iter();
        names.extend(addresses.map(|address| Cow::Owned(address.to_string())));
        names
    }
}
