//! Who gains and who loses logins between two documents.
//! Must not live here: who may log in under one of them (ssh_access.rs), network access (diff_access.rs).
//!
//! As for access, nothing is compared pair by pair: a rule that leads from the same to the same in both documents changes
//! nothing by itself; both documents are asked only where a rule of one alone leads.

use std::borrow::Cow;
use std::rc::Rc;

use serde::Serialize;

use super::language::document::Policy;
use super::language::login::SshAction;
use super::language::rule::RuleRef;
use super::ssh_access::{NONROOT, Passage, SshAccess, is_wide};
use super::ssh_classes::{Classes, parties};
use super::ssh_ways::{Only, Opened, Special, only};
use super::tailnet::context::PolicyContext;
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::naming::Naming;
use super::tailnet::network::Network;
use super::tailnet::parties::{Party, Stands};
use super::tailnet::party::Side;
use super::tailnet::sets::PostureNames;
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// What changes for one source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SshChange {
    /// A login, tag or selector as written; a device by its name if the devices of its user or tag do not all change alike.
    pub source: String,
    /// The same with its kind.
    pub party: Party,
    /// The logins that only the later document allows.
    pub gained: Vec<SshReach>,
    /// The logins that only the earlier document allowed.
    pub lost: Vec<SshReach>,
}

/// The logins at one destination.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SshReach {
    /// A login, tag or selector; a device by its name.
    pub destination: String,
    /// The same with its kind.
    pub party: Party,
    /// The accounts: names, `autogroup:nonroot`, and `localpart:*@domain` for a source whose login is not known.
    pub users: Vec<String>,
    /// Whether the login needs a check of identity.
    pub action: SshAction,
    /// The rules of the document that gives the login.
    pub because: Vec<RuleRef>,
    /// Whether a part of the destination already had it (for a gain), or keeps it (for a loss).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
}

/// Who gains and who loses which logins between two documents, by their ssh rules only: by names if no devices are
/// known, else by devices, which are named by their users and tags if all of one change alike. A login with a check
/// differs from the same login without; one that needs a posture is less than the same without.
#[inline(never)]
pub fn diff_ssh<'p>(
    before: &'p Policy<'p>,
    after: &'p Policy<'p>,
    context: &'p PolicyContext,
) -> Vec<SshChange> {
    let networks = [before, after].map(|policy| Network::new(policy, context));
    let [before, after] = &networks;
    diff_of([before, after])
}

/// Like [`diff_ssh`], for two prepared policies.
pub(super) fn diff_of<'p>(networks: [&Network<'p>; 2]) -> Vec<SshChange> {
    let sources = parties(networks, Side::Source);
    let targets = parties(networks, Side::Destination);
    let access = networks.map(SshAccess::new);
    let from = Classes::new(&access, Side::Source, &sources);
    let to = Classes::new(&access, Side::Destination, &targets);
    let mut difference = Difference {
        access: &access,
        taken: [0, 1].map(|at| to.taken(&access, at, Side::Destination)),
        from: &from,
        to: &to,
        accounts: Index::default(),
        names: Vec::new(),
        postures: postures(networks, &access),
        naming: Naming::new(&targets),
        known: Runs::default(),
        changes: Vec::new(),
    };
    let by_class = difference.by_class();
    changes_by_source(&sources, &from, &by_class, &difference.changes)
}

/// The numbers of the postures of each door, by document.
fn postures<'p>(
    networks: [&Network<'p>; 2],
    access: &[SshAccess<'_, 'p>; 2],
) -> [Vec<Vec<Option<usize>>>; 2] {
    let mut names = PostureNames::default();
    let mut by_document = [Vec::new(), Vec::new()];
    for ((network, access), all) in networks.iter().zip(access).zip(&mut by_document) {
        for door in &access.doors {
            let mut own: Vec<Option<usize>> = Vec::with_capacity(1);
            for word in door.postures {
                own.push(Some(names.place(network.policy, word.name())));
            }
            if own.is_empty() {
                own.push(None);
            }
            all.push(own);
        }
    }
    by_document
}

/// Logins at one class of destinations that only one document allows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Part {
    action: SshAction,
    accounts: Vec<usize>,
    doors: Vec<usize>,
    partly: bool,
    to: usize,
}

impl Part {
    /// What parts have in common that are named together.
    fn likeness(&self) -> (SshAction, &[usize], &[usize], bool) {
        (self.action, &self.accounts, &self.doors, self.partly)
    }

    fn number(&self, run: &mut Vec<u64>) {
        let marks = u64::from(self.action == SshAction::Check) << 1 | u64::from(self.partly);
        run.extend([self.to as u64, marks]);
        for list in [&self.accounts, &self.doors] {
            run.push(list.len() as u64);
            run.extend(list.iter().map(|&number| number as u64));
        }
    }
}

/// What is gained and lost.
type Change = (Rc<[SshReach]>, Rc<[SshReach]>);

struct Difference<'a, 'n, 'p> {
    access: &'a [SshAccess<'n, 'p>; 2],
    /// The classes that each destination includes, by document and destination.
    taken: [Vec<Vec<(usize, Answer)>>; 2],
    from: &'a Classes<'p>,
    to: &'a Classes<'p>,
    accounts: Index<'p>,
    /// The accounts by their numbers.
    names: Vec<Cow<'p, str>>,
    postures: [Vec<Vec<Option<usize>>>; 2],
    naming: Naming<'a>,
    known: Runs,
    /// The distinct changes.
    changes: Vec<Change>,
}

impl<'p> Difference<'_, '_, 'p> {
    /// What changes for each class of sources, as a place in `changes`.
    fn by_class(&mut self) -> Vec<Option<usize>> {
        let touched = self.touched();
        let mut changes = Vec::with_capacity(self.from.members.len());
        for (class, touched) in touched.iter().enumerate() {
            let mut wanted = vec![false; self.to.members.len()];
            for &(document, selector) in touched {
                let taken = self.taken.get(document);
                let taken = taken.and_then(|taken| taken.get(selector));
                for &(to, _) in taken.into_iter().flatten() {
                    if let Some(wanted) = wanted.get_mut(to) {
                        *wanted = true;
                    }
                }
            }
            changes.push(match touched.is_empty() {
                true => None,
                false => self.change(class, &wanted),
            });
        }
        changes
    }

    /// For each class of sources, the destinations, as document and selector, that a rule leads to which the other document
    /// does not have.
    fn touched(&mut self) -> Vec<Vec<(usize, usize)>> {
        let sources = [0, 1].map(|at| self.from.taken(self.access, at, Side::Source));
        let mut known = Runs::default();
        let mut shapes = [Vec::new(), Vec::new()];
        for (document, shapes) in shapes.iter_mut().enumerate() {
            *shapes = self.shapes(document, sources.get(document), &mut known);
        }
        let mut touched = vec![Vec::new(); self.from.members.len()];
        let [before, after] = &shapes;
        for (document, own, other) in [(0, before, after), (1, after, before)] {
            let mut others = other.clone();
            sort::sort(&mut others);
            let doors = self.access.get(document).map_or(&[][..], |a| &a.doors);
            let changed = doors.iter().zip(own);
            for (door, _) in changed.filter(|(_, shape)| others.binary_search(shape).is_err()) {
                for &selector in &door.from {
                    let taken = sources.get(document).and_then(|taken| taken.get(selector));
                    for &(class, _) in taken.into_iter().flatten() {
                        if let Some(touched) = touched.get_mut(class) {
                            touched.extend(door.to.iter().map(|&to| (document, to)));
                        }
                    }
                }
            }
        }
        for touched in &mut touched {
            sort::sort(touched);
            touched.dedup();
        }
        touched
    }

    /// A number for each door of a document: equal numbers mean the same under both documents.
    fn shapes(
        &mut self,
        document: usize,
        sources: Option<&Vec<Vec<(usize, Answer)>>>,
        known: &mut Runs,
    ) -> Vec<usize> {
        let mut shape_of = |taken: Option<&Vec<Vec<(usize, Answer)>>>| {
            let mut shapes = Vec::new();
            for taken in taken.into_iter().flatten() {
                let mut run = vec![u64::MAX];
                for &(class, answer) in taken {
                    run.push((class as u64) << 1 | u64::from(answer == Answer::Yes));
                }
                shapes.push(known.place(&run) as u64);
            }
            shapes
        };
        let from = shape_of(sources);
        let to = shape_of(self.taken.get(document));
        let mut shapes = Vec::new();
        let access: &SshAccess<'_, 'p> = match self.access.get(document) {
            Some(access) => access,
            None => return shapes,
        };
        for (at, door) in access.doors.iter().enumerate() {
            let mut run = vec![u64::from(door.action == SshAction::Check)];
            let postures = self.postures.get(document).and_then(|all| all.get(at));
            let postures = postures.into_iter().flatten();
            run.extend(postures.map(|posture| posture.map_or(0, |posture| 1 + posture as u64)));
            let accounts = door.accounts(Identity::OWN);
            let accounts = accounts.into_iter().map(|name| self.number(name) as u64);
            add_set(&mut run, accounts.collect());
            let own = |at: &usize| access.targets.is_own(*at);
            run.push(door.to.iter().filter(|at| own(at)).count() as u64);
            for (places, shapes) in [(&door.from, &from), (&door.to, &to)] {
                let shapes = places.iter().filter_map(|&at| shapes.get(at).copied());
                add_set(&mut run, shapes.collect());
            }
            shapes.push(known.place(&run));
        }
        shapes
    }

    /// The number of an account.
    fn number(&mut self, name: Cow<'p, str>) -> usize {
        match self.accounts.find(&name) {
            Some(number) => number,
            None => {
                self.accounts.set(name.clone(), self.names.len());
                self.names.push(name);
                self.names.len() - 1
            }
        }
    }

    fn change(&mut self, class: usize, wanted: &[bool]) -> Option<usize> {
        let special = Special {
            root: self.number("root".into()),
            nonroot: self.number(NONROOT.into()),
        };
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        let [before, after] = [0, 1].map(|document| self.passages(document, class, wanted));
        let (mut before, mut after) = (before.as_slice(), after.as_slice());
        while let Some(to) = before.iter().chain(after).map(|p| p.to).min() {
            let before = self.opened(0, class, at_end(&mut before, to));
            let after = self.opened(1, class, at_end(&mut after, to));
            let parts = |only: Only| Part {
                action: only.action,
                accounts: only.accounts,
                doors: only.doors,
                partly: only.partly && self.is_wide(to),
                to,
            };
            gained.extend(only(&after, &before, special).into_iter().map(parts));
            lost.extend(only(&before, &after, special).into_iter().map(parts));
        }
        if gained.is_empty() && lost.is_empty() {
            return None;
        }
        let mut run = Vec::new();
        for part in &gained {
            part.number(&mut run);
        }
        run.push(u64::MAX);
        for part in &lost {
            part.number(&mut run);
        }
        let place = self.known.place(&run);
        if place == self.changes.len() {
            let change = (self.reaches(gained, 1), self.reaches(lost, 0));
            self.changes.push(change);
        }
        Some(place)
    }

    /// Whether a class of destinations is known only by a wider name.
    fn is_wide(&self, to: usize) -> bool {
        let end = self.to.ends.first().and_then(|ends| ends.list.get(to));
        end.is_some_and(is_wide)
    }

    /// What passages open.
    fn opened(&mut self, document: usize, class: usize, passages: &[Passage]) -> Vec<Opened> {
        let mut opened = Vec::new();
        let end = self.from.ends.first().and_then(|ends| ends.list.get(class));
        let Some(identity) = end.map(|end| end.identity) else {
            return opened;
        };
        for passage in passages {
            let access = self.access.get(document);
            let Some(door) = access.and_then(|access| access.doors.get(passage.door)) else {
                continue;
            };
            let mut accounts = door.accounts(identity);
            let accounts = accounts.drain(..).map(|name| self.number(name)).collect();
            let postures = self.postures.get(document);
            let postures = postures.and_then(|all| all.get(passage.door));
            opened.push(Opened {
                // What is open to a part of the source is not open to it.
                answer: match passage.source {
                    Answer::Yes => passage.target,
                    _ => Answer::No,
                },
                door: passage.door,
                action: door.action,
                postures: postures.cloned().unwrap_or_default(),
                accounts,
            });
        }
        opened
    }

    fn passages(&self, document: usize, class: usize, wanted: &[bool]) -> Vec<Passage> {
        let (from, to) = (self.from.ends.get(document), self.to.ends.get(document));
        let access = self.access.get(document).zip(self.taken.get(document));
        let (Some((access, taken)), Some(from), Some(to)) = (access, from, to) else {
            return Vec::new();
        };
        match (from.list.get(class), from.takers.get(class)) {
            (Some(end), Some(takers)) => access.passages((end, takers), to, taken, &|to| {
                wanted.get(to) == Some(&true)
            }),
            _ => Vec::new(),
        }
    }

    /// The parts by the names of their destinations.
    fn reaches(&self, mut parts: Vec<Part>, document: usize) -> Rc<[SshReach]> {
        let mut reaches = Vec::new();
        sort::sort(&mut parts);
        for alike in parts.chunk_by(|a, b| a.likeness() == b.likeness()) {
            let Some(first) = alike.first() else {
                continue;
            };
            let mut places = Vec::new();
            for part in alike {
                places.extend_from_slice(self.to.members.get(part.to).map_or(&[], Vec::as_slice));
            }
            sort::sort(&mut places);
            let mut users: Vec<String> = Vec::new();
            for &account in &first.accounts {
                users.extend(self.names.get(account).map(|name| name.to_string()));
            }
            sort::sort(&mut users);
            let doors = self.access.get(document).map_or(&[][..], |a| &a.doors);
            let doors = first.doors.iter().filter_map(|&at| doors.get(at));
            let because: Vec<RuleRef> = doors.map(|door| door.rule).collect();
            for (party, _) in self.naming.named(&places) {
                reaches.push(SshReach {
                    destination: party.name.clone(),
                    party,
                    users: users.clone(),
                    action: first.action,
                    because: because.clone(),
                    partly: first.partly,
                });
            }
        }
        sort::sort_by(&mut reaches, |a, b| {
            let order = |reach: &SshReach| (reach.party.kind, reach.action);
            (order(a), &a.party.name, &a.users).cmp(&(order(b), &b.party.name, &b.users))
        });
        reaches.into()
    }
}

fn add_set(run: &mut Vec<u64>, mut numbers: Vec<u64>) {
    sort::sort(&mut numbers);
    numbers.dedup();
    run.push(u64::MAX);
    run.extend(numbers);
}

/// Takes the passages to one end off the front.
fn at_end<'a>(passages: &mut &'a [Passage], to: usize) -> &'a [Passage] {
    let count = passages
        .iter()
        .take_while(|passage| passage.to == to)
        .count();
    let (own, rest) = passages.split_at(count);
    *passages = rest;
    own
}

/// The changes by the names of their sources: logins and tags if all their devices change alike, else devices.
fn changes_by_source(
    sources: &[Stands<'_>],
    from: &Classes<'_>,
    by_class: &[Option<usize>],
    changes: &[Change],
) -> Vec<SshChange> {
    let naming = Naming::new(sources);
    let mut alike = vec![Vec::new(); changes.len()];
    for (change, members) in by_class.iter().zip(&from.members) {
        if let Some(places) = change.and_then(|change| alike.get_mut(change)) {
            places.extend_from_slice(members);
        }
    }
    let mut named = Vec::new();
    for ((gained, lost), mut places) in changes.iter().zip(alike) {
        sort::sort(&mut places);
        for (party, _) in naming.named(&places) {
            let is_one = naming.is_one_device(&party);
            // A device is not a destination of its own.
            let own = |list: &Rc<[SshReach]>| -> Vec<SshReach> {
                let others = list
                    .iter()
                    .filter(|reach| !(is_one && reach.party == party));
                others.cloned().collect()
            };
            let (gained, lost) = (own(gained), own(lost));
            if !gained.is_empty() || !lost.is_empty() {
                named.push(SshChange {
                    source: party.name.clone(),
                    party,
                    gained,
                    lost,
                });
            }
        }
    }
    sort::sort_by(&mut named, |a, b| {
        (a.party.kind, &a.party.name).cmp(&(b.party.kind, &b.party.name))
    });
    named
}
