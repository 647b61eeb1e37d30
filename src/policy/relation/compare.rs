//! What differs between two readings: for each class of sources, what only one of them opens, and where. Two documents over
//! one network, one document over two networks, or both, are one question.
//! Must not live here: what differs at one place (cell.rs, checks.rs), by one of several devices (forwarded.rs), names (naming.rs), words (diff_access.rs, diff_ssh.rs).
//!
//! Nothing is compared pair by pair. A row that includes the same classes in both readings changes nothing by itself; both
//! readings are asked only where a row of one alone leads.

use super::cell::{Cell, without_pings};
use super::condition::{Fact, Why};
use super::hit::Hit;
use super::ids::{ClassId, IdTable, ItemId};
use super::item::{Besides, Differences, Item, PlacedItem, SourceChange, To, Turn};
use super::pair::Pair;
use super::reach::Shared;
use super::region::needs_router;
use crate::cidr::Range;
use crate::policy::tailnet::context::DeviceIndex;
use crate::tables::sort;

impl<'p> Pair<'_, 'p> {
    /// What differs.
    #[inline(never)]
    pub fn differences(&self, shared: &mut Shared<'p>) -> Differences {
        let touched = self.touched(shared);
        let routes = self.named_routes();
        let mut found = Differences::default();
        let mut wanted = IdTable::filled(self.to.list.len(), false);
        for (class, lists) in touched.of.iter() {
            if lists.is_empty() {
                found.of.push(Vec::new());
                continue;
            }
            let listed = || {
                lists
                    .iter()
                    .filter_map(|list| touched.lists.get(*list))
                    .flatten()
            };
            mark(&mut wanted, listed(), true);
            let changes = self.changes((class, &routes), &wanted, shared, &mut found);
            mark(&mut wanted, listed(), false);
            found.of.push(changes);
        }
        found
    }

    fn changes(
        &self,
        (source, routes): (ClassId, &[Range]),
        wanted: &IdTable<ClassId, bool>,
        shared: &mut Shared<'p>,
        found: &mut Differences,
    ) -> Vec<usize> {
        let is_wanted = |class: ClassId| wanted.get(class) == Some(&true);
        let [before_reading, later_reading] = self.reaches;
        let [before, after] = [(0, before_reading), (1, later_reading)].map(|(at, reach)| {
            let mut hits = reach.hits(source, &is_wanted, shared);
            // Who may be the source itself is not asked of a name alone: its own devices have a name for that.
            hits.retain(|hit| self.is_asked || !hit.is_own || !is_of_some(hit, shared));
            self.leave_to_routes((at, source), routes, &mut hits, shared);
            hits
        });
        let (mut before, mut after) = (before.as_slice(), after.as_slice());
        let mut placed = Vec::new();
        while let Some(to) = before.iter().chain(after).map(|hit| hit.to).min() {
            let hits = [take(&mut before, to), take(&mut after, to)];
            if !same(hits) {
                self.compare_cell(source, hits, shared, found, &mut placed);
            }
            if before_reading.reading.is_ssh {
                self.compare_treatments(hits, shared, found, &mut placed);
            }
        }
        let change = self.named_own(source, placed, found);
        let mut parts = vec![change];
        if self.is_in_other_hands(source) {
            let change = parts.concat();
            let is_earlier = |it: &&(ItemId, To, Besides)| {
                let item = found.items.get(it.0);
                item.is_some_and(|item| item.reading() == 0)
            };
            let (mut earlier, rest): (SourceChange, _) = change.iter().partition(is_earlier);
            if self.has_no_device(source) {
                // What the device has on a condition is not its former user's.
                for (id, ..) in &mut earlier {
                    if let Some(mut item) = found.items.get(*id).cloned() {
                        (item.unless, item.is_perhaps) = (Vec::new(), false);
                        *id = found.item(item);
                    }
                }
            }
            parts = vec![earlier, rest];
        }
        parts.retain(|part| !part.is_empty());
        parts.into_iter().map(|part| found.add(part)).collect()
    }

    /// Whether a source that both readings have has another user or other tags in the later one.
    fn is_in_other_hands(&self, source: ClassId) -> bool {
        let class = self.from.list.get(source);
        let [before, after] = [0, 1].map(|at| class?.endpoints.get(at)?.as_ref());
        let both = before.zip(after);
        both.is_some_and(|(before, after)| before.identity != after.identity)
    }

    /// Whether the earlier user of a source has no device in the later reading.
    fn has_no_device(&self, source: ClassId) -> bool {
        let [_, after] = self.reaches;
        let class = self.from.list.get(source);
        let end = class.and_then(|class| class.endpoints.first()?.as_ref());
        let user = end.and_then(|end| end.identity.user());
        user.is_some_and(|user| after.reading.network.of_user(user).is_empty())
    }

    /// The places of a change: what all devices of the source's user have is reported of its own devices, all else by name.
    fn named_own(
        &self,
        source: ClassId,
        mut placed: Vec<PlacedItem>,
        found: &Differences,
    ) -> SourceChange {
        sort::sort_by(&mut placed, |a, b| a.item.cmp(&b.item));
        let mut change = SourceChange::with_capacity(placed.len());
        for alike in placed.chunk_by(|a, b| a.item == b.item) {
            let item = alike.first().and_then(|it| found.items.get(it.item));
            let at = item.map_or(1, Item::reading);
            let has_all = !self.is_asked
                && self.keeps_user(source, at)
                && self.own_classes(source, at).iter().all(|class| {
                    let mut own = alike.iter().filter(|it| it.is_own);
                    own.any(|it| it.to == *class)
                });
            change.extend(alike.iter().map(|it| {
                let place = match it.is_own && has_all {
                    true => To::Own,
                    false => To::Class(it.to),
                };
                (it.item, place, it.besides)
            }));
        }
        change
    }

    /// Whether a source that both readings have has the same user in both, or its user no other device: else `autogroup:self` would
    /// mean the devices of somebody else.
    fn keeps_user(&self, source: ClassId, at: usize) -> bool {
        let class = self.from.list.get(source);
        let [before, after] = [0, 1].map(|at| class?.endpoints.get(at)?.as_ref());
        let (Some(before), Some(after)) = (before, after) else {
            return true;
        };
        let own = [before, after].get(at).and_then(|end| end.identity.user());
        let network = self.reaches.get(at).map(|reach| reach.reading.network);
        let devices = network.zip(own).map(|(network, own)| network.of_user(own));
        let is_alone = devices.is_none_or(|devices| devices.len() < 2);
        is_alone || before.identity.user() == after.identity.user()
    }

    /// The classes of the devices of a source's user in one reading.
    fn own_classes(&self, source: ClassId, at: usize) -> Vec<ClassId> {
        let class = self.from.list.get(source);
        let end = class.and_then(|class| class.endpoints.get(at)?.as_ref());
        let own = self.reaches.get(at).zip(end).and_then(|(reach, end)| {
            let user = end.identity.user()?;
            Some(reach.own_of(user))
        });
        let mut classes: Vec<ClassId> = Vec::new();
        for (id, _) in own.unwrap_or_default() {
            let families = self.to.list.get(id).map(|to| to.family);
            let meets = families
                .zip(class)
                .is_some_and(|(to, class)| to & class.family != 0);
            if meets {
                classes.push(id);
            }
        }
        classes
    }

    /// Compares what two readings open at one place: for each device that may forward by itself.
    fn compare_cell(
        &self,
        source: ClassId,
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
        found: &mut Differences,
        placed: &mut Vec<PlacedItem>,
    ) {
        let Some(to) = hits.iter().copied().flatten().map(|hit| hit.to).next() else {
            return;
        };
        let forwarders = self.forwarders(hits);
        let mut by_forwarder: Vec<Vec<Item>> = Vec::new();
        for forwarder in &forwarders {
            by_forwarder.push(self.items_of(forwarder.as_deref(), hits, shared));
        }
        let routed = forwarders
            .iter()
            .zip(&by_forwarder)
            .filter(|(id, _)| id.is_some());
        let routed: Vec<&Vec<Item>> = routed.map(|(_, items)| items).collect();
        // Of several that may forward, those that let nothing pass count too.
        let among = hits.iter().copied().flatten().map(|hit| hit.among).max();
        let is_same = routed.windows(2).all(|pair| pair.first() == pair.get(1))
            && (routed.is_empty() || among <= Some(routed.len()));
        let is_open = hits.map(|hits| is_open(hits, shared));
        for (forwarder, items) in forwarders.iter().zip(&by_forwarder) {
            let items = match forwarder {
                Some(device) => self.items_among(device, (is_same, &routed, among), hits, shared),
                None => items.clone(),
            };
            for mut item in items {
                if let Some(source) = self.from.list.get(source)
                    && self.doubt(to, source, &mut item, shared)
                {
                    continue;
                }
                let other = usize::from(item.turn == Turn::Lost);
                let besides = match is_open.get(other) {
                    Some(true) if is_rerouted(&item, hits, shared) => Besides::Rerouted,
                    Some(true) => Besides::Others,
                    _ => Besides::Nothing,
                };
                let is_own = is_of_own(&item, hits);
                placed.push(PlacedItem {
                    item: found.item(item),
                    to,
                    is_own,
                    besides,
                });
            }
        }
    }

    /// The devices that may forward, by their ids; none for what needs none.
    fn forwarders(&self, hits: [&[Hit]; 2]) -> Vec<Option<String>> {
        let mut forwarders = Vec::new();
        for (reading, hits) in [0, 1].into_iter().zip(hits) {
            forwarders.extend(hits.iter().map(|hit| self.id_of(reading, hit.through)));
        }
        sort::sort(&mut forwarders);
        forwarders.dedup();
        forwarders
    }

    /// What differs in what goes through one device, or through none.
    pub(super) fn items_of(
        &self,
        forwarder: Option<&str>,
        hits: [&[Hit]; 2],
        shared: &mut Shared<'p>,
    ) -> Vec<Item> {
        let own = |reading: usize| -> Vec<Hit> {
            let hits = hits.get(reading).copied().unwrap_or_default().iter();
            let own = hits.filter(|hit| self.id_of(reading, hit.through).as_deref() == forwarder);
            own.copied().collect()
        };
        let (before, after) = (own(0), own(1));
        let mut cell = Cell::new([&before, &after], shared);
        let is_ssh = self.reaches.iter().any(|reach| reach.reading.is_ssh);
        if is_ssh {
            cell.check_before_accept(shared);
        }
        let mut items = cell.items(shared);
        match is_ssh {
            true => cell.join_checks(&mut items, shared),
            false => without_pings(&mut items, shared),
        }
        for item in &mut items {
            for term in item.unless.iter_mut().chain([&mut item.term]) {
                *term = shared.conditions.presumed(*term);
            }
        }
        items.retain(|item| !is_twice(item, hits, shared));
        items.retain_mut(|item| !is_open_besides(item, hits, shared));
        items
    }

    /// The id of a device, by which it is the same in both readings.
    pub(super) fn id_of(&self, reading: usize, device: Option<DeviceIndex>) -> Option<String> {
        let reach = self.reaches.get(reading)?;
        let id = device?.of(reach.reading.network.devices)?.id.as_str();
        let mut former = self.former_ids.iter().filter(|_| reading == 0);
        let renewed = former.find(|(former, _)| *former == id);
        Some(renewed.map_or(id, |(_, id)| id).to_owned())
    }
}

/// Whether all rules that open an item open it to own devices.
fn is_of_own(item: &Item, hits: [&[Hit]; 2]) -> bool {
    let mut own = hits.iter().zip(&item.rules).flat_map(|(hits, rules)| {
        let hits = hits.iter();
        hits.filter(|hit| hit.rule.is_none_or(|rule| rules.contains(&rule)))
    });
    own.all(|hit| hit.is_own)
}

/// Whether something is open for certain, and received today.
fn is_open(hits: &[Hit], shared: &Shared<'_>) -> bool {
    let mut served = hits.iter().filter(|hit| !hit.is_vacant);
    served.any(|hit| shared.conditions.is_certain(hit.term))
}

/// Whether the other reading opens all of what goes through one router, too, through others, on no condition but these and the same.
fn is_rerouted(item: &Item, hits: [&[Hit]; 2], shared: &Shared<'_>) -> bool {
    let (Some(hits), Some(set), Some(_)) = (
        hits.get(1 - item.reading()),
        shared.sets.get(item.set),
        &item.through,
    ) else {
        return false;
    };
    let mut left = set.clone();
    for hit in hits.iter().filter(|hit| !hit.is_vacant) {
        let mut facts = shared.conditions.facts(hit.term);
        let own = || shared.conditions.facts(item.term);
        if facts.all(|fact| matches!(fact, Fact::Via(_)) || own().any(|own| own == fact))
            && let Some(set) = shared.sets.get(hit.set)
        {
            left = left.minus(set);
        }
    }
    left.is_empty()
}

/// Whether an item is about what nobody receives in one reading and somebody in the other: that is gained or lost, and not both. Hits of
/// several rules may open it together, on its terms, for certain or perhaps as it is.
fn is_twice(item: &Item, hits: [&[Hit]; 2], shared: &mut Shared<'_>) -> bool {
    let (other, own) = (hits.get(1 - item.reading()), shared.sets.get(item.set));
    let (Some(other), Some(mut left), true) = (other, own.cloned(), item.is_vacant) else {
        return false;
    };
    for hit in other.iter().filter(|hit| !hit.is_vacant) {
        let is_alike = match item.turn {
            Turn::Undecided => shared.conditions.reasons(hit.term) == item.why,
            _ => true,
        };
        let term = shared.conditions.certain_part(hit.term);
        if is_alike && shared.conditions.presumed(term) == item.term {
            left = shared
                .sets
                .get(hit.set)
                .map_or(left.clone(), |set| left.minus(set));
        }
    }
    left.is_empty()
}

/// Takes out of an item that waits for a router with a tag what both readings open through any router; whether that is all of it.
fn is_open_besides(item: &mut Item, hits: [&[Hit]; 2], shared: &mut Shared<'_>) -> bool {
    if !item.is_vacant || !needs_router(item.term, shared) {
        return false;
    }
    let own = shared.sets.get(item.set).cloned().unwrap_or_default();
    let [before, after] = hits.map(|hits| {
        let mut left = own.clone();
        for hit in hits.iter().filter(|hit| !needs_router(hit.term, shared)) {
            let open = shared.sets.get(hit.set);
            let open = open.filter(|_| shared.conditions.implied(hit.term, item.term));
            left = open.map_or(left.clone(), |open| left.minus(open));
        }
        left
    });
    let left = before.union(&after);
    item.set = shared.sets.id(left.clone());
    left.is_empty()
}

fn mark<'c>(
    wanted: &mut IdTable<ClassId, bool>,
    classes: impl Iterator<Item = &'c ClassId>,
    mark: bool,
) {
    for &class in classes {
        if let Some(wanted) = wanted.get_mut(class) {
            *wanted = mark;
        }
    }
}

/// Whether a hit is about one's own devices only if the destination is one of them, which is not known.
fn is_of_some(hit: &Hit, shared: &Shared<'_>) -> bool {
    let mut facts = shared.conditions.facts(hit.term);
    facts.any(|fact| matches!(fact, Fact::Undecided(Why::User, _)))
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
