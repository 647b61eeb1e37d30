//! Who may log in where, and as whom, by the ssh rules of one document: the counterpart of `access` for ssh
//! (docs/policy-language.md#ssh-rules).
//! Must not live here: network rules, which a login needs too; what changed between two documents (diff_ssh.rs); the rules
//! as devices receive them (ssh.rs).

use std::borrow::Cow;

use super::language::document::{SshRule, Word};
use super::language::login::{Account, SshAction, parts_of_login};
use super::language::rule::{Lines, RuleRef, Section};
use super::language::selector::{Autogroup, Kind};
use super::tailnet::about::Named;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::identity::{Answer, Identity, is_of_users};
use super::tailnet::network::Network;
use super::tailnet::party::Side;
use crate::tables::sort;

/// Any account but root, as rules write it.
pub(super) const NONROOT: &str = "autogroup:nonroot";

/// The ssh rules of a document, by the selectors they name.
pub(super) struct SshAccess<'n, 'p> {
    network: &'n Network<'p>,
    /// The rules that allow a login, in the order of the text.
    pub doors: Vec<Door<'p>>,
    /// The distinct sources, and the indices of the doors that name each.
    pub sources: Named<'p>,
    /// The distinct destinations, and the indices of the doors that name each.
    pub targets: Named<'p>,
}

/// What one ssh rule opens.
pub(super) struct Door<'p> {
    /// Whether it needs a check of identity.
    pub action: SshAction,
    /// The postures, one of which the source must have; empty if none is needed.
    pub postures: &'p [Word<'p>],
    /// The rule.
    pub rule: RuleRef,
    accounts: Vec<Account<'p>>,
    /// Its sources, by their places; ascending.
    pub from: Vec<usize>,
    /// Its destinations, by their places; ascending.
    pub to: Vec<usize>,
}

/// Ends that may log in or be logged in to, each with the selectors that include it.
#[derive(Default)]
pub(super) struct Ends<'p> {
    /// The ends.
    pub list: Vec<Endpoint<'p>>,
    /// The selectors of each.
    pub takers: Vec<Vec<(usize, Answer)>>,
}

/// The fact that a door leads from one end to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Passage {
    /// The end that it leads to, by index.
    pub to: usize,
    /// The door, by index.
    pub door: usize,
    /// Whether it includes the source.
    pub source: Answer,
    /// Whether it includes the destination.
    pub target: Answer,
}

impl Passage {
    /// Whether it leads there at all.
    pub fn answer(self) -> Answer {
        self.source.min(self.target)
    }
}

impl<'n, 'p> SshAccess<'n, 'p> {
    /// Sorts the ssh rules of a policy.
    #[inline(never)]
    pub fn new(network: &'n Network<'p>) -> SshAccess<'n, 'p> {
        let policy = network.policy;
        let mut lines = Lines::new(policy.document.text());
        let (mut doors, mut sources, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for (index, rule) in policy.ssh.iter().enumerate() {
            let Some(action) = rule.action.and_then(|word| SshAction::parse(word.text)) else {
                continue;
            };
            let at = doors.len();
            sources.extend(rule.sources.iter().map(|source| (source, at)));
            targets.extend(rule.destinations.iter().map(|target| (target, at)));
            doors.push(Door {
                action,
                postures: policy.postures_of(rule.postures.as_deref()),
                rule: RuleRef {
                    section: Section::Ssh,
                    index,
                    line: lines.line_of(rule.span.start),
                },
                accounts: accounts_of(rule),
                from: Vec::new(),
                to: Vec::new(),
            });
        }
        let sources = Named::new(network, Side::Source, sources);
        let targets = Named::new(network, Side::Destination, targets);
        for (named, is_from) in [(&sources, true), (&targets, false)] {
            for place in 0..named.selectors.len() {
                for door in named.uses(place) {
                    match doors.get_mut(*door) {
                        Some(door) if is_from => door.from.push(place),
                        Some(door) => door.to.push(place),
                        None => {}
                    }
                }
            }
        }
        SshAccess {
            network,
            doors,
            sources,
            targets,
        }
    }

    /// Whether a rule depends on the users of the two ends, as `autogroup:self` does.
    pub fn has_own(&self) -> bool {
        (0..self.targets.selectors.len()).any(|at| self.targets.is_own(at))
    }

    /// Whether a rule opens a different account to each user.
    pub fn has_own_names(&self) -> bool {
        self.doors.iter().any(Door::has_own_names)
    }

    /// The selectors that include an end.
    pub fn takers(&self, side: Side, end: &Endpoint<'_>) -> Vec<(usize, Answer)> {
        match side {
            Side::Source => self.sources.takers(self.network, end),
            Side::Destination => self.targets.takers(self.network, end),
        }
    }

    /// The ends that each selector of one side includes, by its index.
    pub fn taken(&self, side: Side, ends: &Ends<'_>) -> Vec<Vec<(usize, Answer)>> {
        let named = match side {
            Side::Source => &self.sources,
            Side::Destination => &self.targets,
        };
        let mut taken = vec![Vec::new(); named.selectors.len()];
        for (end, takers) in ends.takers.iter().enumerate() {
            for &(selector, answer) in takers {
                if let Some(taken) = taken.get_mut(selector) {
                    taken.push((end, answer));
                }
            }
        }
        taken
    }

    /// The doors that lead from an end, included by these selectors, to the wanted ones of other ends; `taken` has, by
    /// destination of the document, the ends that it includes. Sorted by destination, then in order; each once, with its best answers.
    #[inline(never)]
    pub fn passages(
        &self,
        (from, takers): (&Endpoint<'p>, &[(usize, Answer)]),
        targets: &Ends<'p>,
        taken: &[Vec<(usize, Answer)>],
        wanted: &dyn Fn(usize) -> bool,
    ) -> Vec<Passage> {
        let mut found = Vec::new();
        for &(selector, source) in takers {
            for &door in self.sources.uses(selector) {
                for &to in self.doors.get(door).into_iter().flat_map(|door| &door.to) {
                    let own = self.targets.is_own(to);
                    for &(end, target) in taken.get(to).into_iter().flatten() {
                        if !wanted(end) {
                            continue;
                        }
                        let shared = match (own, targets.list.get(end)) {
                            (true, Some(end)) => from.identity.shares_user(end.identity),
                            _ => Answer::Yes,
                        };
                        let target = target.min(shared);
                        if target != Answer::No {
                            found.push(Passage {
                                to: end,
                                door,
                                source,
                                target,
                            });
                        }
                    }
                }
            }
        }
        sort::sort_by(&mut found, |a, b| {
            let best = |p: &Passage| (p.answer(), p.source);
            (a.to, a.door, best(b)).cmp(&(b.to, b.door, best(a)))
        });
        found.dedup_by(|later, first| (later.to, later.door) == (first.to, first.door));
        found
    }
}

impl<'p> Door<'p> {
    /// The accounts that it opens to a source, as in rules: for `localpart:*@domain` the local part of the login of a user of
    /// the domain, and the entry itself for a source whose login is unknown.
    pub fn accounts(&self, identity: Identity<'p>) -> Vec<Cow<'p, str>> {
        let mut accounts = Vec::with_capacity(self.accounts.len());
        for account in &self.accounts {
            accounts.push(match (*account, identity) {
                (Account::NonRoot, _) => NONROOT.into(),
                (Account::Named(name), _) => name.into(),
                (Account::OwnName(domain), Identity::User(login)) => match parts_of_login(login) {
                    Some((name, own)) if own == domain => name.into(),
                    _ => continue,
                },
                (Account::OwnName(domain), Identity::Some(kind, _)) if is_of_users(kind) => {
                    ["localpart:*@", domain].concat().into()
                }
                _ => continue,
            });
        }
        accounts
    }

    fn has_own_names(&self) -> bool {
        let mut accounts = self.accounts.iter();
        accounts.any(|account| matches!(account, Account::OwnName(_)))
    }
}

fn accounts_of<'p>(rule: &'p SshRule<'p>) -> Vec<Account<'p>> {
    let accounts = rule.users.iter();
    accounts
        .filter_map(|user| Account::parse(user.text))
        .collect()
}

/// Whether an end is known only by a wider name: a narrower selector then includes a part of it.
pub(super) fn is_wide(end: &Endpoint<'_>) -> bool {
    match end.identity {
        Identity::Some(kind, _) => kind != Kind::Autogroup(Autogroup::Own),
        _ => false,
    }
}
