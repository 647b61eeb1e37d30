//! Who may log in to what by SSH as which account, exhaustively.
//! Must not live here: which rows and columns are asked for (access_options.rs), the rules of each device (ssh.rs), what changed
//! between two documents (diff_ssh.rs), how reach is computed (relation/).

use serde::Serialize;

use super::access::{parties_of, why_of};
use super::access_change::Part;
use super::access_options::{AccessOptions, By};
use super::language::document::Policy;
use super::language::login::SshAction;
use super::language::rule::RuleRef;
use super::login_cells::{LoginChange, login_changes};
use super::relation::contents::{Layer, RuleUse};
use super::relation::matrix::{self, Matrix, MatrixEntry};
use super::relation::reading::Reading;
use super::relation::region::Region;
use super::relation::reported::names_of;
use super::relation::rows::{SshRules, protocol_of};
use super::relation::ssh_port;
use super::resolve::Names;
use super::tailnet::context::PolicyContext;
use super::tailnet::flow::Judge;
use super::tailnet::parties::Party;
use super::tailnet::party::Side;
use super::verdict::Error;
use crate::tables::sort;

/// Sources against destinations, with accounts in place of ports. Pairs without a login have no cell.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct LoginMatrix {
    /// What the rows and columns are.
    pub by: By,
    /// The names of those who log in, each once.
    pub sources: Vec<String>,
    /// The names of where they do.
    pub destinations: Vec<String>,
    /// What both are.
    pub parties: LoginParties,
    /// Ascending by source, then by destination; several where only a part of either is meant, or where actions or conditions differ.
    pub cells: Vec<LoginCell>,
    /// What text and context leave undecided, besides the cells.
    pub unknown: Vec<LoginCell>,
    /// What differs from the document that it is compared with, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<LoginChange>>,
}

/// What the rows and columns are, by their places.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct LoginParties {
    /// The rows.
    pub sources: Vec<Party>,
    /// The columns.
    pub destinations: Vec<Party>,
}

/// Logins from one source to one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct LoginCell {
    /// The place of the source.
    pub source: usize,
    /// The place of the destination.
    pub destination: usize,
    /// The accounts: names, `autogroup:nonroot`, and `localpart:*@domain` for a source whose login is not known.
    pub users: Vec<String>,
    /// Whether the login needs a check of identity.
    pub action: SshAction,
    /// One of these postures is needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
    /// Whether the network rules open port 22 for it; `None` if that is undecided.
    pub network: Option<bool>,
    /// The rules that allow it.
    pub because: Vec<RuleRef>,
    /// Which part of source and destination is meant, where not all of it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Why it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl<'p> Policy<'p> {
    /// Who may log in to what.
    ///
    /// # Errors
    /// [`Error::Argument`] for rows by device without devices, and for a name that no row or column has.
    pub fn logins(
        &'p self,
        context: &'p PolicyContext,
        options: impl Into<AccessOptions>,
    ) -> Result<LoginMatrix, Error> {
        Judge::new(self, context).logins(&options.into())
    }
}

impl Judge<'_> {
    /// Like [`Policy::logins`].
    ///
    /// # Errors
    /// The same.
    #[inline(never)]
    pub fn logins(&self, options: &AccessOptions) -> Result<LoginMatrix, Error> {
        self.logins_since(None, options)
    }

    /// The same; compared with another document in the same network, with its names and what differs from it in each cell.
    ///
    /// # Errors
    /// The same.
    #[inline(never)]
    pub fn logins_since(
        &self,
        base: Option<&Judge<'_>>,
        options: &AccessOptions,
    ) -> Result<LoginMatrix, Error> {
        let judges: Vec<&Judge<'_>> = [self].into_iter().chain(base).collect();
        logins_of(&judges, options)
    }
}

fn logins_of(judges: &[&Judge<'_>], options: &AccessOptions) -> Result<LoginMatrix, Error> {
    let mut logins = LoginMatrix::default();
    let rules = judges.iter().map(|judge| SshRules::new(&judge.network));
    let rules: Vec<SshRules<'_>> = rules.collect();
    let readings = judges.iter().zip(&rules);
    let readings = readings.map(|(judge, rules)| Reading::of_ssh(judge, rules).exhaustive());
    let readings: Vec<Reading<'_>> = readings.collect();
    let (Some(judge), Some(rules)) = (judges.first(), rules.first()) else {
        return Ok(logins);
    };
    let names = Names::of(judge.policy(), judge.network.context);
    let sources = options.lines(judges, Side::Source, &names, true)?;
    let destinations = options.lines(judges, Side::Destination, &names, true)?;
    let lines = (sources.as_slice(), destinations.as_slice());
    logins.by = options.by;
    logins.parties = LoginParties {
        sources: parties_of(&sources),
        destinations: parties_of(&destinations),
    };
    let names = |parties: &[Party]| parties.iter().map(|party| party.name.clone()).collect();
    logins.sources = names(&logins.parties.sources);
    logins.destinations = names(&logins.parties.destinations);
    let all: Vec<&Reading<'_>> = readings.iter().collect();
    ssh_port::with(judge, &all, &mut |port| {
        matrix::with(&readings, lines, Some(port), &mut |it| {
            for source in 0..sources.len() {
                for entry in it.row(source) {
                    logins.add(source, &entry, rules, it);
                }
            }
        });
    });
    if let [text, base] = all.as_slice() {
        logins.changes = Some(login_changes([base, text], lines));
    }
    Ok(logins)
}

impl LoginMatrix {
    /// The cells of one entry: one for each action, for each list of conditions, and for whether the network lets them pass.
    fn add(
        &mut self,
        source: usize,
        entry: &MatrixEntry,
        rules: &SshRules<'_>,
        matrix: &Matrix<'_, '_, '_>,
    ) {
        let regions = matrix.contents.regions(entry.open);
        let by = matrix
            .contents
            .rules
            .get(entry.rules)
            .map_or(&[][..], Vec::as_slice);
        for region in regions {
            for action in [SshAction::Accept, SshAction::Check] {
                let own = Region {
                    set: region.set.part_of(protocol_of(action)),
                    ..region.clone()
                };
                if own.set.is_empty() {
                    continue;
                }
                let mut postures = Vec::new();
                for &term in &own.terms {
                    postures.extend(names_of(term, 0, &matrix.shared).0);
                }
                sort::sort(&mut postures);
                let cell = LoginCell {
                    source,
                    destination: entry.to,
                    users: matrix.shared.accounts.texts(&own.set),
                    action,
                    postures,
                    network: own.mark.known(),
                    because: because(by, &own, rules, matrix),
                    part: entry.part.and_then(|part| {
                        let [from, to] = matrix.parts.list.get(part)?.clone();
                        Part::of(from, to)
                    }),
                    why: why_of(std::slice::from_ref(&own)),
                };
                match entry.layer {
                    Layer::Certain => self.cells.push(cell),
                    Layer::Undecided => self.unknown.push(cell),
                }
            }
        }
    }
}

/// The rules that open some of a region.
fn because(
    by: &[RuleUse],
    region: &Region,
    rules: &SshRules<'_>,
    matrix: &Matrix<'_, '_, '_>,
) -> Vec<RuleRef> {
    let mut because: Vec<usize> = Vec::new();
    for &(rule, _, set) in by.iter().flatten() {
        let set = matrix.shared.sets.get(set);
        if set.is_some_and(|set| set.meets(&region.set)) {
            because.push(rule);
        }
    }
    sort::sort(&mut because);
    because.dedup();
    let rules = because.iter().filter_map(|rule| rules.rules.get(*rule));
    rules.map(|(reference, ..)| *reference).collect()
}
