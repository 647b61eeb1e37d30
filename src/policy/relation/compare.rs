//! What differs between two readings: for each class of sources, what only one of them opens, and where. Two documents over
//! one network, one document over two networks, or both, are one question.
//! Must not live here: names (naming.rs), words (diff_access.rs, diff_ssh.rs).
//!
//! Nothing is compared pair by pair. A row that includes the same classes in both readings changes nothing by itself; both
//! readings are asked only where a row of one alone leads.

use super::classes::Classes;
use super::condition::Why;
use super::ids::{ClassId, Id, ItemId, SetId, Table, TermId};
use super::reach::{Hit, Reach, Shared};
use super::rows::{Opens, protocol_of};
use crate::policy::language::login::SshAction;
use crate::policy::language::port_set::PortSet;
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Runs;
use crate::tables::sort;

/// What happens to some access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Turn {
    /// Only the later reading has it.
    Gained,
    /// Only the earlier reading has it.
    Lost,
    /// A login that now needs a check, or one more often, or passes on less.
    Tighter,
    /// A login that no longer needs a check, or needs one less often, or passes on more.
    Looser,
    /// Text and context do not decide whether both have it.
    Undecided,
}

/// One difference between two cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What happens.
    pub turn: Turn,
    /// To what.
    pub set: SetId,
    /// Where what holds.
    pub term: TermId,
    /// Where one of these holds, nothing changes.
    pub unless: Vec<TermId>,
    /// Why it is undecided.
    pub why: Vec<(Why, String)>,
    /// The rules, by their indices: of the later reading for what is gained, of the earlier one for what is lost; of both, the earlier
    /// first, for what is undecided.
    pub rules: [Vec<usize>; 2],
    /// Whether nobody receives it today.
    pub is_vacant: bool,
    /// The device that forwards, by its id, where only some of those that may do so change.
    pub through: Option<String>,
}

/// Where something changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum To {
    /// The source's own devices.
    Own,
    /// A class of destinations.
    Class(ClassId),
}

/// What changes for one class of sources: each item with a place, ascending.
pub type Change = Vec<(ItemId, To)>;

/// What differs between two readings.
#[derive(Default)]
pub struct Differences {
    /// The distinct items.
    pub items: Table<ItemId, Item>,
    /// The distinct changes.
    pub changes: Vec<Change>,
    /// The change of each class of sources, by its index in `changes`.
    pub of: Vec<Option<usize>>,
    runs: Runs,
    change_runs: Runs,
}

/// Two readings, ready to be compared.
pub struct Pair<'a, 'p> {
    /// What is reached under each.
    pub reaches: [&'a Reach<'a, 'p>; 2],
    /// The sources.
    pub from: &'a Classes<'p>,
    /// The destinations.
    pub to: &'a Classes<'p>,
}

impl<'p> Pair<'_, 'p> {
    /// What differs.
    #[inline(never)]
    pub fn differences(&self, shared: &mut Shared<'p>) -> Differences {
        let touched = self.touched(shared);
        let mut found = Differences::default();
        let mut wanted = Table::filled(self.to.list.len(), false);
        for (class, lists) in touched.of.iter() {
            if lists.is_empty() {
                found.of.push(None);
                continue;
            }
            let listed = || {
                lists
                    .iter()
                    .filter_map(|list| touched.lists.get(*list))
                    .flatten()
            };
            mark(&mut wanted, listed(), true);
            let change = self.change(class, &wanted, shared, &mut found);
            mark(&mut wanted, listed(), false);
            found.of.push(change);
        }
        found
    }

    fn change(
        &self,
        source: ClassId,
        wanted: &Table<ClassId, bool>,
        shared: &mut Shared<'p>,
        found: &mut Differences,
    ) -> Option<usize> {
        let is_wanted = |class: ClassId| wanted.get(class) == Some(&true);
        let [before_reading, after_reading] = self.reaches;
        let before = before_reading.hits(source, &is_wanted, shared);
        let after = after_reading.hits(source, &is_wanted, shared);
        let (mut before, mut after) = (before.as_slice(), after.as_slice());
        let mut change = Change::new();
        while let Some(to) = before.iter().chain(after).map(|hit| hit.to).min() {
            let hits = [take(&mut before, to), take(&mut after, to)];
            if !same(hits) {
                self.compare_cell(hits, shared, found, &mut change);
            } else if before_reading.reading.is_ssh {
                self.compare_treatments(hits, shared, found, &mut change);
            }
        }
        if change.is_empty() {
            return None;
        }
        sort::sort(&mut change);
        change.dedup();
        let mut run = Vec::with_capacity(change.len() * 2);
        for (item, to) in &change {
            run.push(item.place() as u64);
            run.push(match to {
                To::Own => 0,
                To::Class(class) => 1 + class.place() as u64,
            });
        }
        let place = found.change_runs.place(&run);
        if place == found.changes.len() {
            found.changes.push(change);
        }
        Some(place)
    }

    /// Compares what two readings open at one place: for each device that may forward by itself.
    fn compare_cell(
        &self,
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
        found: &mut Differences,
        change: &mut Change,
    ) {
        let Some(to) = hits.iter().copied().flatten().map(|hit| hit.to).next() else {
            return;
        };
        let mut forwarders: Vec<Option<String>> = Vec::new();
        for (reading, hits) in [0, 1].into_iter().zip(hits) {
            for hit in hits {
                forwarders.push(self.id_of(reading, hit.through));
            }
        }
        sort::sort(&mut forwarders);
        forwarders.dedup();
        let mut by_forwarder: Vec<Vec<Item>> = Vec::new();
        for forwarder in &forwarders {
            let own = |reading: usize| -> Vec<Hit> {
                let hits = hits.get(reading).copied().unwrap_or_default().iter();
                let own = hits.filter(|hit| self.id_of(reading, hit.through) == *forwarder);
                own.copied().collect()
            };
            let (before, after) = (own(0), own(1));
            let mut cell = Cell::new([&before, &after], shared);
            let is_ssh = self.reaches.iter().any(|reach| reach.reading.is_ssh);
            if is_ssh {
                cell.check_before_accept();
            }
            let mut items = cell.items(shared);
            if is_ssh {
                join_checks(&mut items, shared);
            }
            by_forwarder.push(items);
        }
        let routed = forwarders
            .iter()
            .zip(&by_forwarder)
            .filter(|(id, _)| id.is_some());
        let routed: Vec<&Vec<Item>> = routed.map(|(_, items)| items).collect();
        let is_same = routed.windows(2).all(|pair| pair.first() == pair.get(1));
        let is_own = hits.iter().copied().flatten().any(|hit| hit.is_own);
        let place = match is_own {
            true => To::Own,
            false => To::Class(to),
        };
        for (forwarder, items) in forwarders.into_iter().zip(by_forwarder) {
            for mut item in items {
                if !is_same {
                    item.through = forwarder.clone();
                }
                change.push((found.item(item), place));
            }
        }
    }

    fn id_of(&self, reading: usize, device: Option<DeviceIndex>) -> Option<String> {
        let reach = self.reaches.get(reading)?;
        let device = device?.of(reach.reading.network.devices)?;
        Some(device.id.clone())
    }
}

impl Differences {
    fn item(&mut self, item: Item) -> ItemId {
        let turn = item.turn as u64 | u64::from(item.is_vacant) << 8;
        let mut run = vec![turn, item.set.place() as u64, item.term.place() as u64];
        let mut list = |numbers: &mut dyn Iterator<Item = u64>| {
            run.push(u64::MAX);
            run.extend(numbers);
        };
        list(&mut item.unless.iter().map(|term| term.place() as u64));
        for rules in &item.rules {
            list(&mut rules.iter().map(|rule| *rule as u64));
        }
        for (why, key) in &item.why {
            list(&mut std::iter::once(*why as u64).chain(key.bytes().map(u64::from)));
        }
        if let Some(through) = &item.through {
            list(&mut std::iter::once(u64::MAX - 1).chain(through.bytes().map(u64::from)));
        }
        let place = self.runs.place(&run);
        if place == self.items.len() {
            self.items.push(item);
        }
        ItemId::at(place)
    }
}

fn mark<'c>(
    wanted: &mut Table<ClassId, bool>,
    classes: impl Iterator<Item = &'c ClassId>,
    mark: bool,
) {
    for &class in classes {
        if let Some(wanted) = wanted.get_mut(class) {
            *wanted = mark;
        }
    }
}

/// Takes the hits at one place off the front.
fn take<'h>(hits: &mut &'h [Hit], to: ClassId) -> &'h [Hit] {
    let count = hits.iter().take_while(|hit| hit.to == to).count();
    let (own, rest) = hits.split_at(count);
    *hits = rest;
    own
}

/// Whether two readings open the same at one place, whichever rules do.
fn same(hits: [&[Hit]; 2]) -> bool {
    let [before, after] = hits.map(|hits| {
        let mut opened: Vec<_> = hits
            .iter()
            .map(|hit| (hit.through, hit.term, hit.set))
            .collect();
        sort::sort(&mut opened);
        opened.dedup();
        opened
    });
    // Devices have other places in other networks: what goes through one is compared by its id.
    before == after && before.iter().all(|(through, ..)| through.is_none())
}

/// What each of two readings opens at one place, by terms.
struct Cell {
    opened: [Vec<(TermId, PortSet)>; 2],
    hits: [Vec<Hit>; 2],
}

impl Cell {
    fn new(hits: [&[Hit]; 2], shared: &Shared<'_>) -> Cell {
        let opened = hits.map(|hits| {
            let mut opened: Vec<(TermId, PortSet)> = Vec::new();
            for hit in hits {
                let Some(set) = shared.sets.get(hit.set) else {
                    continue;
                };
                match opened.iter_mut().find(|(term, _)| *term == hit.term) {
                    Some((_, all)) => *all = all.union(set),
                    None => opened.push((hit.term, set.clone())),
                }
            }
            sort::sort_by(&mut opened, |(a, _), (b, _)| a.cmp(b));
            opened
        });
        Cell {
            opened,
            hits: hits.map(<[Hit]>::to_vec),
        }
    }

    /// What differs. Ports on which the same terms depend in both readings are one region.
    fn items(&self, shared: &mut Shared<'_>) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for region in self.regions() {
            let [before, after] = &region.terms;
            let (before, after) = (least(before, shared), least(after, shared));
            let gained = only(&after, &before, shared);
            let lost = only(&before, &after, shared);
            for (turn, terms, other) in
                [(Turn::Gained, gained, &before), (Turn::Lost, lost, &after)]
            {
                for term in terms {
                    let item = self.item(turn, term, other, &region.set, shared);
                    join(&mut items, item, shared);
                }
            }
        }
        without_pings(&mut items, shared);
        items
    }

    /// One difference: certain, unless it or what the other reading has instead is undecided.
    fn item(
        &self,
        turn: Turn,
        term: TermId,
        other: &[TermId],
        set: &PortSet,
        shared: &mut Shared<'_>,
    ) -> Item {
        let conditions = &mut shared.conditions;
        let mut why = conditions.reasons(term);
        let mut unless = Vec::new();
        for &other in other {
            match conditions.is_certain(other) {
                true => unless.push(other),
                false => {
                    let part = conditions.certain_part(other);
                    let own = conditions.certain_part(term);
                    if conditions.implied(part, own) {
                        why.extend(conditions.reasons(other));
                    }
                }
            }
        }
        sort::sort(&mut why);
        why.dedup();
        // A posture that became another under its name is neither gained nor lost.
        let is_redefined = unless
            .iter()
            .any(|other| conditions.is_redefined(term, *other));
        let is_certain = why.is_empty() && !is_redefined;
        let rules = self.rules(turn, is_certain, term, set, shared);
        let own = self.hits.get(usize::from(turn == Turn::Gained));
        let is_vacant = own.is_some_and(|hits| hits.iter().all(|hit| hit.is_vacant));
        let conditions = &mut shared.conditions;
        Item {
            turn: if is_certain { turn } else { Turn::Undecided },
            set: shared.sets.id(set.clone()),
            term: conditions.certain_part(term),
            unless: if is_certain { unless } else { Vec::new() },
            why,
            rules,
            is_vacant,
            through: None,
        }
    }

    fn rules(
        &self,
        turn: Turn,
        is_certain: bool,
        term: TermId,
        set: &PortSet,
        shared: &Shared<'_>,
    ) -> [Vec<usize>; 2] {
        let mut rules = [Vec::new(), Vec::new()];
        let own = usize::from(turn == Turn::Gained);
        for ((at, hits), rules) in self.hits.iter().enumerate().zip(&mut rules) {
            if is_certain && at != own {
                continue;
            }
            let opens = |hit: &&Hit| {
                let is_part = shared.sets.get(hit.set).is_some_and(|own| own.meets(set));
                is_part && (!is_certain || hit.term == term)
            };
            rules.extend(hits.iter().filter(opens).filter_map(|hit| hit.rule));
            sort::sort(rules);
            rules.dedup();
        }
        rules
    }

    /// The ports by the terms on which they depend in each reading.
    fn regions(&self) -> Vec<Region> {
        let mut regions: Vec<Region> = Vec::new();
        for (reading, opened) in self.opened.iter().enumerate() {
            for (term, set) in opened {
                let mut rest = set.clone();
                let mut cut = Vec::new();
                for region in &mut regions {
                    let shared = region.set.intersect(&rest);
                    if shared.is_empty() {
                        continue;
                    }
                    rest = rest.minus(&shared);
                    let outside = region.set.minus(&shared);
                    if !outside.is_empty() {
                        cut.push(Region {
                            set: outside,
                            terms: region.terms.clone(),
                        });
                    }
                    region.set = shared;
                    if let Some(terms) = region.terms.get_mut(reading) {
                        terms.push(*term);
                    }
                }
                if !rest.is_empty() {
                    let mut terms = [Vec::new(), Vec::new()];
                    if let Some(terms) = terms.get_mut(reading) {
                        terms.push(*term);
                    }
                    cut.push(Region { set: rest, terms });
                }
                regions.append(&mut cut);
            }
        }
        regions
    }
}

impl Cell {
    /// A device tries rules with a check first: what one opens on no condition, no rule without a check opens.
    fn check_before_accept(&mut self) {
        let (accept, check) = (
            protocol_of(SshAction::Accept),
            protocol_of(SshAction::Check),
        );
        for opened in &mut self.opened {
            let checked = opened.iter().filter(|(term, _)| *term == TermId::at(0));
            let checked = checked.fold(PortSet::default(), |all, (_, set)| all.union(set));
            let checked = checked.moved(check, accept);
            for (_, set) in opened.iter_mut() {
                *set = set.minus(&checked);
            }
            opened.retain(|(_, set)| !set.is_empty());
        }
    }
}

/// A login that is lost without a check and gained with one only needs a check now, and the reverse.
fn join_checks(items: &mut Vec<Item>, shared: &mut Shared<'_>) {
    let (accept, check) = (
        protocol_of(SshAction::Accept),
        protocol_of(SshAction::Check),
    );
    let mut joined = Vec::new();
    for (turn, with_check, without) in [
        (Turn::Tighter, Turn::Gained, Turn::Lost),
        (Turn::Looser, Turn::Lost, Turn::Gained),
    ] {
        for at in 0..items.len() {
            for place in 0..items.len() {
                let (Some(one), Some(other)) = (items.get(at), items.get(place)) else {
                    continue;
                };
                let is_pair = (one.turn, other.turn, one.term) == (with_check, without, other.term);
                let sets = shared.sets.get(one.set).zip(shared.sets.get(other.set));
                let (true, Some((checked, free))) = (is_pair, sets) else {
                    continue;
                };
                let both = checked.intersect(&free.moved(accept, check));
                if both.is_empty() {
                    continue;
                }
                let rest = checked.minus(&both);
                let rest_free = free.minus(&both.moved(check, accept));
                let shown = match turn {
                    Turn::Tighter => both,
                    _ => both.moved(check, accept),
                };
                let mut rules = one.rules.clone();
                for (rules, others) in rules.iter_mut().zip(&other.rules) {
                    rules.extend_from_slice(others);
                }
                let set = shared.sets.id(shown);
                joined.push(Item {
                    turn,
                    set,
                    rules,
                    ..one.clone()
                });
                for (at, rest) in [(at, rest), (place, rest_free)] {
                    let rest = shared.sets.id(rest);
                    if let Some(item) = items.get_mut(at) {
                        item.set = rest;
                    }
                }
            }
        }
    }
    items.retain(|item| shared.sets.get(item.set).is_some_and(|set| !set.is_empty()));
    items.append(&mut joined);
}

impl<'p> Pair<'_, 'p> {
    /// Compares how logins are treated that both readings allow: how long a check counts, and what is passed on.
    fn compare_treatments(
        &self,
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
        found: &mut Differences,
        change: &mut Change,
    ) {
        let [before, after] = hits;
        for old in before {
            // The first rule that opens a login decides how it is treated.
            let alike = |hit: &&Hit| (hit.term, hit.set) == (old.term, old.set);
            let (Some(first), Some(new)) = (before.iter().find(alike), after.iter().find(alike))
            else {
                continue;
            };
            if first != old {
                continue;
            }
            let treatment = |reading: usize, hit: &Hit| {
                let reach = self.reaches.get(reading)?;
                reach.treatment(hit.rule?)
            };
            let (Some(was), Some(is)) = (treatment(0, old), treatment(1, new)) else {
                continue;
            };
            let Some(turn) = is.against(&was) else {
                continue;
            };
            let rules = [
                old.rule.into_iter().collect(),
                new.rule.into_iter().collect(),
            ];
            let place = match old.is_own {
                true => To::Own,
                false => To::Class(old.to),
            };
            let item = Item {
                turn,
                set: old.set,
                term: old.term,
                unless: Vec::new(),
                why: shared.conditions.reasons(old.term),
                rules,
                is_vacant: false,
                through: None,
            };
            change.push((found.item(item), place));
        }
    }
}

/// Ports on which the same terms depend.
struct Region {
    set: PortSet,
    terms: [Vec<TermId>; 2],
}

/// The terms from which no other follows: those that matter.
fn least(terms: &[TermId], shared: &Shared<'_>) -> Vec<TermId> {
    let conditions = &shared.conditions;
    let mut kept = Vec::with_capacity(terms.len());
    for (at, &term) in terms.iter().enumerate() {
        let is_needless = terms.iter().enumerate().any(|(place, &other)| {
            let is_other = place != at && conditions.implied(other, term);
            // Of two that mean the same, the first stays.
            is_other && (place < at || !conditions.implied(term, other))
        });
        if !is_needless {
            kept.push(term);
        }
    }
    kept
}

/// Those terms of one reading under which the other reading does not open the same.
fn only(own: &[TermId], other: &[TermId], shared: &Shared<'_>) -> Vec<TermId> {
    let covered = |term: &TermId| {
        other
            .iter()
            .any(|other| shared.conditions.implied(*other, *term))
    };
    own.iter().copied().filter(|term| !covered(term)).collect()
}

/// Adds a difference, to one of other ports that is the same otherwise if there is one.
fn join(items: &mut Vec<Item>, item: Item, shared: &mut Shared<'_>) {
    let alike = |known: &&mut Item| {
        (known.turn, known.term) == (item.turn, item.term)
            && known.unless == item.unless
            && known.why == item.why
            && known.rules == item.rules
    };
    match items.iter_mut().find(alike) {
        Some(known) => {
            let sets = (shared.sets.get(known.set), shared.sets.get(item.set));
            if let (Some(one), Some(other)) = sets {
                let all = one.union(other);
                known.set = shared.sets.id(all);
            }
        }
        None => items.push(item),
    }
}

/// Leaves out a ping by itself where the same is told of ports, which bring one along.
fn without_pings(items: &mut Vec<Item>, shared: &Shared<'_>) {
    let is_ping = |item: &Item| shared.sets.get(item.set).is_some_and(PortSet::is_ping);
    let turns: Vec<Turn> = items
        .iter()
        .filter(|item| !is_ping(item))
        .map(|it| it.turn)
        .collect();
    items.retain(|item| !is_ping(item) || !turns.contains(&item.turn));
}

/// Where two readings may differ: the classes of destinations for each class of sources.
struct Touched {
    of: Table<ClassId, Vec<usize>>,
    lists: Vec<Vec<ClassId>>,
}

/// What a row opens, as numbers that mean the same in both readings.
struct Shape {
    key: Vec<u64>,
    sources: Vec<usize>,
    to: usize,
}

impl<'p> Pair<'_, 'p> {
    fn touched(&self, shared: &mut Shared<'p>) -> Touched {
        let mut touched = Touched {
            of: Table::filled(self.from.list.len(), Vec::new()),
            lists: Vec::new(),
        };
        let mut meanings = Meanings::default();
        let [before, after] = [0, 1].map(|at| self.shapes(at, &mut meanings, shared));
        for shape in alone(&before, &after)
            .into_iter()
            .chain(alone(&after, &before))
        {
            let list = touched.lists.len();
            let to = meanings.classes.get(shape.to).cloned().unwrap_or_default();
            touched.lists.push(to);
            for source in &shape.sources {
                for &class in meanings.classes.get(*source).into_iter().flatten() {
                    touched.of.add(class, list);
                }
            }
        }
        let [before, after] = self.reaches;
        let (old, new) = (before.reading, after.reading);
        if old.allows_all() != new.allows_all() {
            touched.add_to_all(self.to.list.ids().collect());
        } else if !old.is_ssh {
            // Where another way may be taken, everything may change that no device is.
            let is_one = std::ptr::eq(old.network.context, new.network.context);
            let has_via = old.judge.has_via || new.judge.has_via;
            if !is_one || has_via && !touched.lists.is_empty() {
                let unowned = self.to.list.iter().filter(|(_, class)| {
                    class.ends.iter().flatten().any(|end| end.device.is_none())
                });
                touched.add_to_all(unowned.map(|(id, _)| id).collect());
            }
        }
        for (id, _) in self.from.list.iter() {
            if let Some(lists) = touched.of.get_mut(id) {
                sort::sort(lists);
                lists.dedup();
            }
        }
        touched
    }

    /// The rows of a reading as numbers.
    fn shapes(&self, at: usize, meanings: &mut Meanings, shared: &mut Shared<'p>) -> Vec<Shape> {
        let Some(reach) = self.reaches.get(at) else {
            return Vec::new();
        };
        let named = reach.reading.named(Side::Source);
        let taken = self.from.taken(at, named.selectors.len());
        let sources: Vec<usize> = taken.iter().map(|taken| meanings.place(taken)).collect();
        let places: Vec<usize> = reach
            .taken
            .iter()
            .map(|taken| meanings.place(taken))
            .collect();
        let mut shapes = Vec::with_capacity(reach.rows.list.len());
        for (rule, from) in reach.rows.from.iter().enumerate() {
            let mut own: Vec<usize> = from
                .iter()
                .filter_map(|at| sources.get(*at).copied())
                .collect();
            sort::sort(&mut own);
            own.dedup();
            for (_, row) in reach.rows.of(rule) {
                let Some(&to) = places.get(row.to) else {
                    continue;
                };
                let mut key = vec![to as u64];
                let named = reach.reading.named(Side::Destination);
                key.push(u64::from(named.is_own(row.to)));
                match &row.opens {
                    Opens::Set(set) => key.push(set.place() as u64),
                    Opens::Accounts(action, entries, treatment) => {
                        key.push(1 << 40 | *action as u64);
                        let treatment = format!("{treatment:?}");
                        key.push(u64::from(shared.accounts.mark(&treatment)));
                        for entry in entries {
                            let name = format!("{entry:?}");
                            key.push(u64::from(shared.accounts.mark(&name)));
                        }
                    }
                }
                key.push(u64::MAX);
                key.extend(row.terms.iter().map(|term| term.place() as u64));
                key.push(u64::MAX);
                key.extend(own.iter().map(|at| *at as u64));
                shapes.push(Shape {
                    key,
                    sources: own.clone(),
                    to,
                });
            }
        }
        sort::sort_by(&mut shapes, |a, b| a.key.cmp(&b.key));
        shapes
    }
}

/// Those of the first, sorted by key, that the second does not have.
fn alone<'s>(one: &'s [Shape], other: &[Shape]) -> Vec<&'s Shape> {
    let is_alone = |shape: &&Shape| other.binary_search_by(|it| it.key.cmp(&shape.key)).is_err();
    one.iter().filter(is_alone).collect()
}

impl Touched {
    fn add_to_all(&mut self, classes: Vec<ClassId>) {
        let list = self.lists.len();
        self.lists.push(classes);
        let ids: Vec<ClassId> = self.of.ids().collect();
        for id in ids {
            self.of.add(id, list);
        }
    }
}

/// The meanings of selectors in either reading: the classes that they include, each list once.
#[derive(Default)]
struct Meanings {
    known: Runs,
    classes: Vec<Vec<ClassId>>,
}

impl Meanings {
    fn place(&mut self, taken: &[(ClassId, Answer)]) -> usize {
        let number = |&(class, answer): &(ClassId, Answer)| {
            (class.place() as u64) << 1 | u64::from(answer == Answer::Yes)
        };
        let place = self
            .known
            .place(&taken.iter().map(number).collect::<Vec<_>>());
        if place == self.classes.len() {
            self.classes
                .push(taken.iter().map(|(class, _)| *class).collect());
        }
        place
    }
}
