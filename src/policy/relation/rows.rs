//! What the rules of one document open, in one form for network rules and ssh rules: an account is a port, and an action is
//! a protocol.
//! Must not live here: who is included by a selector (tailnet/party.rs), which rows two documents share (touched.rs).

use serde::Serialize;

use super::condition::Conditions;
use super::ids::{Id, IdTable, RowId, SetId, TermId};
use super::item::Turn;
use crate::policy::language::document::{Policy, SshRule, Word};
use crate::policy::language::duration::{Duration, Period};
use crate::policy::language::login::{Account, SshAction};
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::Protocol;
use crate::policy::language::rule::{Lines, RuleRef, Section};
use crate::policy::language::selector::{Autogroup, Kind, Selector, trimmed};
use crate::policy::tailnet::about::NamedSelectors;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::receivers::{has_own_names, own_devices, own_place, without_own};
use crate::tables::index::Runs;
use crate::tables::sort;

/// Sets of ports or accounts, each once.
#[derive(Default)]
pub struct Sets {
    list: IdTable<SetId, PortSet>,
    known: Runs,
}

impl Sets {
    /// The id of a set.
    pub fn id(&mut self, set: PortSet) -> SetId {
        let place = self.known.place(&set.numbers());
        if place == self.list.len() {
            self.list.push(set);
        }
        SetId::at(place)
    }

    /// The set of an id.
    pub fn get(&self, id: SetId) -> Option<&PortSet> {
        self.list.get(id)
    }
}

/// The protocol that an action is.
pub fn protocol_of(action: SshAction) -> Protocol {
    match action {
        SshAction::Accept => Protocol(0),
        SshAction::Check => Protocol(1),
    }
}

/// What a row opens.
#[derive(Clone, Debug)]
pub enum Opens<'p> {
    /// The same to every source.
    Set(SetId),
    /// Accounts, some of which depend on the login of the source; and how a login is treated besides.
    Accounts(SshAction, Vec<Account<'p>>, Treatment),
}

/// How a login is treated once it is allowed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Treatment {
    /// How long a check counts, as it is written; none for the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_period: Option<String>,
    /// The environment variables that are passed on, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept_env: Vec<String>,
}

impl Treatment {
    /// Whether it is tighter or looser than another; none where they are the same. What is both is called looser.
    pub fn against(&self, before: &Treatment) -> Option<Turn> {
        let [own, other] = [self, before].map(|it| period(it.check_period.as_deref()));
        if self.accept_env == before.accept_env && own == other {
            return None;
        }
        let is_passed = |name: &String| before.accept_env.iter().any(|own| takes_in(own, name));
        let is_more = !self.accept_env.iter().all(is_passed);
        match is_more || own > other {
            true => Some(Turn::Looser),
            false => Some(Turn::Tighter),
        }
    }

    /// What rules pass on that decide together, and whether some of them alone do; a check counts as by the first.
    pub fn of_rules(mut all: impl Iterator<Item = Treatment>) -> (Treatment, bool) {
        let mut together = all.next().unwrap_or_default();
        let mut is_of_some = false;
        for other in all {
            is_of_some |= other.accept_env != together.accept_env;
            together.accept_env.extend(other.accept_env);
            settle(&mut together.accept_env);
        }
        (together, is_of_some)
    }

    fn of(rule: &SshRule<'_>, action: SshAction) -> Treatment {
        let period = rule.check_period.filter(|_| action == SshAction::Check);
        let mut accept_env: Vec<String> = Vec::with_capacity(rule.accept_env.len());
        accept_env.extend(rule.accept_env.iter().map(|name| name.text.to_owned()));
        settle(&mut accept_env);
        Treatment {
            check_period: period.map(|period| trimmed(period.text).to_owned()),
            accept_env,
        }
    }
}

/// Orders patterns of variables, and leaves out those that another takes in.
fn settle(patterns: &mut Vec<String>) {
    sort::sort(patterns);
    patterns.dedup();
    let mut wide = patterns.clone();
    wide.retain(|own| own.contains(['*', '?']));
    patterns.retain(|own| {
        !wide
            .iter()
            .any(|other| other != own && takes_in(other, own))
    });
}

/// Whether a pattern of variables takes in all that another does: `*` means any text, `?` one character.
fn takes_in(pattern: &str, other: &str) -> bool {
    let (mut pattern, mut other) = (pattern.as_bytes(), other.as_bytes());
    // What is left of both behind the last `*`, for which one character more is tried.
    let mut again = None;
    loop {
        match (pattern, other) {
            ([b'*', rest @ ..], _) => {
                again = Some((rest, other));
                pattern = rest;
            }
            ([], []) => return true,
            ([own, rest @ ..], [one, left @ ..])
                if own == one || (*own == b'?' && *one != b'*') =>
            {
                (pattern, other) = (rest, left);
            }
            _ => match again {
                Some((rest, [_, left @ ..])) => {
                    again = Some((rest, left));
                    (pattern, other) = (rest, left);
                }
                _ => return false,
            },
        }
    }
}

/// One destination of a rule with what is open there.
#[derive(Clone, Debug)]
pub struct Row<'p> {
    /// The destination, by its index among the distinct ones.
    pub to: usize,
    /// What is open.
    pub opens: Opens<'p>,
    /// One of these must hold.
    pub terms: Vec<TermId>,
}

/// The rows of one document.
pub struct Rows<'p> {
    /// The references of the rules.
    pub rules: Vec<RuleRef>,
    /// The sources of each rule, by their indices among the distinct ones.
    pub from: Vec<Vec<usize>>,
    /// Where the rows of each rule begin.
    starts: Vec<usize>,
    /// The rows, rule by rule.
    pub list: IdTable<RowId, Row<'p>>,
}

impl<'p> Rows<'p> {
    /// The rows of a rule.
    pub fn of(&self, rule: usize) -> impl Iterator<Item = (RowId, &Row<'p>)> {
        let at = |rule: usize| self.starts.get(rule).copied().unwrap_or(self.list.len());
        let ids = at(rule)..at(rule + 1);
        ids.filter_map(|place| {
            let id = RowId::at(place);
            Some((id, self.list.get(id)?))
        })
    }

    /// Those of the network rules of a document.
    #[inline(never)]
    pub fn of_network(
        judge: &Judge<'p>,
        at: usize,
        sets: &mut Sets,
        conditions: &mut Conditions<'p>,
    ) -> Rows<'p> {
        let about = &judge.about;
        let mut rows = Rows {
            rules: judge.rule_refs(),
            from: Vec::with_capacity(about.rules.len()),
            starts: Vec::with_capacity(about.rules.len()),
            list: IdTable::default(),
        };
        for rule in &about.rules {
            rows.from.push(places(&about.sources, rule.sources));
        }
        let (mut known, mut terms) = (None, Vec::new());
        let knows_devices = judge.network.context.devices.is_some();
        for (id, opening) in &about.openings {
            while rows.starts.len() <= id.0 {
                rows.starts.push(rows.list.len());
            }
            let Some(rule) = about.rule(*id) else {
                continue;
            };
            let is_exit = !knows_devices && is_internet(opening.to);
            if known != Some((*id, is_exit)) {
                let via = (rule.via, is_exit);
                terms = terms_of((judge.policy(), at), rule.postures, via, conditions);
                known = Some((*id, is_exit));
            }
            rows.list.push(Row {
                to: about
                    .destinations
                    .place(opening.to.name())
                    .unwrap_or(usize::MAX),
                opens: Opens::Set(sets.id(PortSet::of(opening.protocol, opening.ports))),
                terms: terms.clone(),
            });
        }
        while rows.starts.len() < about.rules.len() {
            rows.starts.push(rows.list.len());
        }
        rows
    }
}

fn is_internet(to: &Selector<'_>) -> bool {
    to.kind == Kind::Autogroup(Autogroup::Internet)
}

/// The terms, one of which must hold: each posture with each tag, which may be that of an exit node.
fn terms_of<'p>(
    (policy, at): (&Policy<'p>, usize),
    postures: &[Word<'p>],
    (via, is_exit): (&[Selector<'p>], bool),
    conditions: &mut Conditions<'p>,
) -> Vec<TermId> {
    let mut terms = Vec::new();
    let always = conditions.always();
    for posture in postures {
        let fact = conditions.posture(policy, posture.name(), at);
        terms.push(conditions.term(vec![fact]));
    }
    if postures.is_empty() {
        terms.push(always);
    }
    if via.is_empty() {
        return terms;
    }
    let mut routed = Vec::new();
    for tag in via {
        let fact = match is_exit {
            true => conditions.exit(tag.name()),
            false => conditions.via(tag.name()),
        };
        let through = conditions.term(vec![fact]);
        for &term in &terms {
            routed.push(conditions.both(term, through));
        }
    }
    routed
}

/// The indices of selectors among the distinct ones, ascending.
fn places(named: &NamedSelectors<'_>, selectors: &[Selector<'_>]) -> Vec<usize> {
    let mut places = Vec::with_capacity(selectors.len());
    for selector in selectors {
        places.extend(named.place(selector.name()));
    }
    sort::sort(&mut places);
    places.dedup();
    places
}

/// The ssh rules of a document, by the selectors that they name.
pub struct SshRules<'p> {
    /// The rules that allow a login.
    pub rules: Vec<(RuleRef, SshAction, &'p SshRule<'p>)>,
    /// The distinct sources.
    pub sources: NamedSelectors<'p>,
    /// The distinct destinations.
    pub destinations: NamedSelectors<'p>,
    /// Whether it is presumed that destinations have devices: one's own receive a rule by name only where another does.
    presumes: bool,
}

impl<'p> SshRules<'p> {
    /// Sorts the ssh rules of a policy.
    #[inline(never)]
    pub fn new(network: &Network<'p>) -> SshRules<'p> {
        let mut lines = Lines::new(network.policy.document.text());
        let (mut rules, mut sources, mut destinations) = (Vec::new(), Vec::new(), Vec::new());
        let returns = network.policy.dialect.returns_own_names_from_nowhere();
        for (index, rule) in network.policy.ssh.iter().enumerate() {
            let Some(action) = rule.action.and_then(|word| SshAction::parse(word.text)) else {
                continue;
            };
            let at = rules.len();
            sources.extend(rule.sources.iter().map(|source| (source, at)));
            destinations.extend(rule.destinations.iter().map(|to| (to, at)));
            destinations.extend(own_place(network, rule).map(|own| (own, at)));
            let line = lines.line_of(rule.span.start);
            let reference = RuleRef {
                section: Section::Ssh,
                index,
                line,
            };
            rules.push((reference, action, rule));
        }
        SshRules {
            presumes: network.context.devices.is_none() && !returns,
            rules,
            sources: NamedSelectors::new(network, Side::Source, &mut sources.into_iter()),
            destinations: NamedSelectors::new(
                network,
                Side::Destination,
                &mut destinations.into_iter(),
            ),
        }
    }

    /// Whether a rule opens a different account to each user.
    pub fn has_own_names(&self) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|(.., rule)| has_own_names(rule))
    }

    /// Adds that a destination of a rule has a device, where that is not known.
    fn presume(&self, rule: &SshRule<'p>, terms: &mut [TermId], conditions: &mut Conditions<'p>) {
        let is_of_tags = |to: &Selector<'_>| match to.kind {
            Kind::Autogroup(own) => own == Autogroup::Tagged,
            kind => kind == Kind::Tag,
        };
        if !self.presumes || !rule.destinations.iter().all(is_of_tags) {
            return;
        }
        let mut names: Vec<&str> = rule.destinations.iter().map(Selector::name).collect();
        sort::sort(&mut names);
        names.dedup();
        let presence = conditions.presence(names.join(", "));
        let presence = conditions.term(vec![presence]);
        for term in terms {
            *term = conditions.both(*term, presence);
        }
    }

    /// Their rows.
    #[inline(never)]
    pub fn rows(
        &self,
        policy: &Policy<'p>,
        reading: usize,
        conditions: &mut Conditions<'p>,
    ) -> Rows<'p> {
        let mut rows = Rows {
            rules: Vec::with_capacity(self.rules.len()),
            from: Vec::with_capacity(self.rules.len()),
            starts: Vec::with_capacity(self.rules.len()),
            list: IdTable::default(),
        };
        for (reference, action, rule) in &self.rules {
            rows.rules.push(*reference);
            rows.from.push(places(&self.sources, &rule.sources));
            let postures = policy.postures_of(rule.postures.as_deref());
            let terms = terms_of((policy, reading), postures, (&[], false), conditions);
            let accounts = accounts_of(rule);
            let treatment = Treatment::of(rule, *action);
            let mut places = places(&self.destinations, &rule.destinations);
            let own = self.destinations.place(own_devices().name());
            let at = rows.starts.len();
            places.extend(own.filter(|own| self.destinations.uses(*own).contains(&at)));
            sort::sort(&mut places);
            places.dedup();
            rows.starts.push(rows.list.len());
            for to in places {
                let mut terms = terms.clone();
                if Some(to) == own && !without_own(&rule.destinations).1 {
                    self.presume(rule, &mut terms, conditions);
                }
                rows.list.push(Row {
                    to,
                    opens: Opens::Accounts(*action, accounts.clone(), treatment.clone()),
                    terms,
                });
            }
        }
        rows
    }
}

fn accounts_of<'p>(rule: &'p SshRule<'p>) -> Vec<Account<'p>> {
    let accounts = rule.users.iter();
    accounts
        .filter_map(|user| Account::parse(user.text))
        .collect()
}

/// How long a check counts: twelve hours if nothing is said; `always` asks each time.
fn period(text: Option<&str>) -> Duration {
    match text.map(Period::parse) {
        None => Duration::hours(12),
        Some(Ok(Period::Every(period))) => period,
        Some(_) => Duration::ZERO,
    }
}
