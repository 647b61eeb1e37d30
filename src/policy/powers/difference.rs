//! Who gains and who loses which powers between two documents.
//! Must not live here: how the text is read (statements.rs), the form of one entry (rows.rs).
//!
//! A power of the one document is compared with all entries of the other that are about the same: what they leave of it is gained or
//! lost. So entries may be split and joined, and names of groups, aliases, sets and postures do not count.

use serde::Serialize;

use super::holders::{Included, Who};
use super::movers::Movers;
use super::power::{Power, PowerKind, distinct};
use super::recorded;
use super::rest::{Left, rests};
use super::rows;
use super::statements::{self, Combination, Statement};
use super::tags;
use super::users::{has_left, leave_admins, takes_all};
use crate::policy::language::document::Policy;
use crate::policy::language::json::PlainJson;
use crate::policy::tailnet::context::{DeviceIndex, PolicyContext};
use crate::policy::tailnet::device_names::DeviceNames;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::parties::Party;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::prospect::Prospect;
use crate::tables::index::Index;
use crate::tables::sort;

/// The powers that one party gains and loses.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct PowerChange {
    /// A login, tag or other selector.
    pub who: String,
    /// The same with its kind.
    pub party: Party,
    /// What it may do only under the later document.
    pub gained: Vec<Power>,
    /// What it might do only under the earlier document.
    pub lost: Vec<Power>,
    /// What text and context do not decide, each with `why`.
    pub undecided: Vec<Power>,
}

/// Who gains and who loses which powers, each document in its own context.
///
/// Routes are compared as sets of addresses, capabilities by their values. A power that only changes its condition is gained or lost,
/// and `why` says which condition remains.
#[inline(never)]
pub fn diff_powers<'p>(
    before: &'p Policy<'p>,
    after: &'p Policy<'p>,
    contexts: [&'p PolicyContext; 2],
) -> Vec<PowerChange> {
    let [old, new] = contexts;
    let is_same_context = std::ptr::eq(old, new);
    if is_same_context && before.document.text() == after.document.text() {
        return Vec::new();
    }
    let (old, new) = (Network::new(before, old), Network::new(after, new));
    diff_powers_between([&old, &new])
}

/// The same of two networks that are ready.
#[inline(never)]
pub fn diff_powers_between(networks: [&Network<'_>; 2]) -> Vec<PowerChange> {
    let [old, new] = networks.map(|network| network.context);
    let is_same_context = std::ptr::eq(old, new);
    let named = recorded::named_accounts(&networks.map(|network| network.policy));
    let [old, new] = networks.map(|network| PowerReading::new(network, &named));
    let gained = only_in(
        &new,
        &old,
        is_same_context,
        ["before only ", "had it before"],
    );
    let lost = only_in(&old, &new, is_same_context, ["now only ", "keeps it"]);
    let mut changes = Changes::default();
    for (found, reading, is_gain) in [(gained, &new, true), (lost, &old, false)] {
        for (mut powers, is_certain) in found.into_iter().zip([true, false]) {
            tags::add_reach(reading.network.policy, reading.network.context, &mut powers);
            for power in distinct(powers) {
                changes.add(power, is_gain, is_certain);
            }
        }
    }
    changes.sorted()
}

/// A document whose entries are indexed by what they are about.
struct PowerReading<'n, 'p> {
    network: &'n Network<'p>,
    statements: Vec<Statement<'p>>,
    by_key: Index<'static>,
    lists: Vec<Vec<usize>>,
    /// Each entry in a form that does not depend on names and order.
    texts: Vec<String>,
    by_text: Index<'static>,
}

impl<'n, 'p> PowerReading<'n, 'p> {
    fn new(network: &'n Network<'p>, named: &[PlainJson]) -> PowerReading<'n, 'p> {
        let mut reading = PowerReading {
            statements: statements::of(network, named),
            network,
            by_key: Index::default(),
            lists: Vec::new(),
            texts: Vec::new(),
            by_text: Index::default(),
        };
        for (at, statement) in reading.statements.iter().enumerate() {
            let text = statement.canonical();
            reading.by_text.set(text.clone().into(), at);
            reading.texts.push(text);
            let key = statement.key();
            match reading.by_key.find(&key) {
                Some(place) => {
                    if let Some(list) = reading.lists.get_mut(place) {
                        list.push(at);
                    }
                }
                None => {
                    reading.by_key.set(key.into(), reading.lists.len());
                    reading.lists.push(vec![at]);
                }
            }
        }
        reading
    }

    /// The entries that are about the same as one of another document.
    fn rivals(&self, statement: &Statement<'_>) -> Vec<&Statement<'p>> {
        let place = self.by_key.find(&statement.key());
        let list = place.and_then(|place| self.lists.get(place));
        let places = list.into_iter().flatten();
        places.filter_map(|&at| self.statements.get(at)).collect()
    }
}

/// What the one document gives and the other does not. `words` begin a remark about the other: about its terms, about
/// what is not known of it.
fn only_in<'p>(
    own: &PowerReading<'_, 'p>,
    other: &PowerReading<'_, 'p>,
    is_same_context: bool,
    words: [&str; 2],
) -> [Vec<Power>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    let moved = (!is_same_context).then(|| {
        let crossed = Network::new(own.network.policy, other.network.context);
        (Movers::of(own.network, &crossed), crossed)
    });
    for (statement, text) in own.statements.iter().zip(&own.texts) {
        if is_same_context && other.by_text.find(text).is_some() {
            continue;
        }
        let rivals = other.rivals(statement);
        let parts = parts_of_sessions(own.network, statement, &rivals);
        let mut sessions = [Vec::new(), Vec::new()];
        let devices = judged_devices([own, other], &rivals, statement);
        let mut cases = cases_of(own, statement, devices.as_deref());
        if let Some((movers, crossed)) = &moved {
            cases.append(&mut moved_cases(statement, movers, [own.network, crossed]));
        }
        leave_admins(&mut cases, [own.network, other.network]);
        let [sources, places, both] = Combination::of_parts(statement, &parts);
        for cases in [cases, sources, places, both] {
            // What is so of the whole is not said of its parts.
            if sessions.iter().any(|list| !list.is_empty()) {
                break;
            }
            for case in cases {
                for Left { who, on, rest } in rests([own.network, other.network], &rivals, case) {
                    let parts = rest.parts(&who, words);
                    for (at, (extent, why)) in parts.into_iter().enumerate() {
                        let (Some(powers), Some(sessions)) =
                            (found.get_mut(at), sessions.get_mut(at))
                        else {
                            continue;
                        };
                        match case.from {
                            _ if extent.is_empty() => {}
                            Some(_) => sessions.push((case, extent, why)),
                            None => {
                                let (who, on) = (&who, on.as_ref());
                                let case = Combination { who, on, ..case };
                                rows::add(own.network, case, &extent, why.as_deref(), powers);
                            }
                        }
                    }
                }
            }
        }
        for (sessions, powers) in sessions.iter().zip(&mut found) {
            rows::add_sessions(own.network, sessions, powers);
        }
    }
    found
}

/// Of the sessions of a statement those that rules before it decide, in its own document or in the other.
fn parts_of_sessions<'p>(
    network: &Network<'p>,
    statement: &Statement<'p>,
    rivals: &[&Statement<'p>],
) -> [Vec<Who<'p>>; 2] {
    let (Some(from), Some(on)) = (&statement.from, &statement.on) else {
        return [Vec::new(), Vec::new()];
    };
    let mut earlier: Vec<_> = statement.earlier.iter().collect();
    earlier.extend(rivals.iter().flat_map(|rival| &rival.earlier));
    recorded::parts(network, [from, on], &earlier)
}

/// The combinations of a statement: by device those of whom some are given.
fn cases_of<'s, 'p>(
    own: &PowerReading<'_, 'p>,
    statement: &'s Statement<'p>,
    devices: Option<&'s [Who<'p>]>,
) -> Vec<Combination<'s, 'p>> {
    let mut cases = Combination::all(statement);
    if let Some(devices) = devices {
        let has_none = |who| !devices.iter().any(|it| it.is_of(own.network, who));
        cases.retain(|case| has_none(case.who));
        let meets = |who: &&Who<'p>| statement.allows(own.network, who) == Some(Included::Yes);
        cases.extend(Combination::with(statement, devices.iter().filter(meets)));
    }
    cases
}

/// The combinations of a statement with those who are about it in the first network and were not in the second, and at the devices at which
/// it counts there alone.
fn moved_cases<'s, 'p>(
    statement: &'s Statement<'p>,
    movers: &'s Movers<'p>,
    [own, other]: [&Network<'p>; 2],
) -> Vec<Combination<'s, 'p>> {
    let is_holder = |network, who| match takes_all(network, statement.kind, who) {
        true => Included::Yes,
        false => statement.holders.includes(network, Side::Source, who),
    };
    let meets = |network, who| statement.allows(network, who).unwrap_or(Included::Yes);
    let has = |network, who| match &statement.from {
        Some(_) => Included::Yes,
        None => meets(network, who),
    };
    let holders = movers.all(statement.kind).filter(|who| {
        let is_now = is_holder(own, who) == Included::Yes;
        let was = is_holder(other, who).and(|| has(other, who));
        is_now && (has_left(who, statement.kind, [own, other]) || was.is_less(&has(own, who)))
    });
    let mut cases = Combination::with(statement, holders);
    // At which devices a capability counts in this network, and did not in the other.
    if let (Some(on), PowerKind::Capability) = (&statement.on, statement.kind) {
        let is_there = |network, who| on.includes(network, Side::Destination, who);
        let places = movers.devices.iter().filter(|who| {
            let is_now = is_there(own, who) == Included::Yes;
            is_now && is_there(other, who) == Included::No
        });
        cases.append(&mut Combination::at_places(statement, places));
        // Of one's own devices those that came or go.
        let owned = movers.own.iter().filter(|_| on.names_own());
        let owned = owned.filter(|(owner, _)| is_holder(own, owner) == Included::Yes);
        cases.extend(owned.map(|(who, device)| Combination {
            statement,
            who,
            on: Some(device),
            from: None,
        }));
    }
    // Whose sessions count in this network, and by their posture did not in the other.
    if let Some(from) = &statement.from {
        let sources = movers.all(statement.kind).filter(|who| {
            let are_named = [own, other].map(|it| from.includes(it, Side::Source, who));
            are_named == [Included::Yes, Included::Yes]
                && meets(other, who).is_less(&meets(own, who))
        });
        cases.append(&mut Combination::of_sources(statement, sources));
    }
    cases
}

/// The devices that have a power, where its posture became another under its name and every device is known to meet it or not, before
/// and after: each by itself has it or not.
fn judged_devices<'p>(
    [own, other]: [&PowerReading<'_, 'p>; 2],
    rivals: &[&Statement<'p>],
    statement: &Statement<'p>,
) -> Option<Vec<Who<'p>>> {
    if statement.from.is_some() {
        return None;
    }
    let mut rivals = rivals.iter();
    let rival = rivals.find(|rival| rival.terms.are_redefined(&statement.terms))?;
    let names = DeviceNames::of(own.network.context);
    let mut devices = Vec::new();
    for (at, device) in DeviceIndex::each(own.network.devices) {
        let who = Who::of_device(own.network, device, names.shown(at));
        match statement.holders.includes(own.network, Side::Source, &who) {
            Included::No => continue,
            Included::Unknown(_) => return None,
            Included::Yes => {}
        }
        let is_known = |answer| !matches!(answer, None | Some(Included::Unknown(_)));
        // A device of one network alone is reported as one that comes or goes.
        let is_judged =
            who.device_in(other.network).is_none() || is_known(rival.allows(other.network, &who));
        if !is_known(statement.allows(own.network, &who)) || !is_judged {
            return None;
        }
        devices.push(who);
    }
    Some(devices)
}

/// Changes while they are collected, by party.
#[derive(Default)]
struct Changes {
    list: Vec<PowerChange>,
    places: Index<'static>,
}

impl Changes {
    fn add(&mut self, mut power: Power, is_gain: bool, is_certain: bool) {
        let at = match self.places.find(&power.who) {
            Some(at) => at,
            None => {
                self.places.set(power.who.clone().into(), self.list.len());
                self.list.push(PowerChange {
                    who: power.who.clone(),
                    party: power.party.clone(),
                    gained: Vec::new(),
                    lost: Vec::new(),
                    undecided: Vec::new(),
                });
                self.list.len() - 1
            }
        };
        if let Some(change) = self.list.get_mut(at) {
            match (is_certain, is_gain) {
                (false, _) => {
                    power.may = Some(match is_gain {
                        true => Prospect::Gained,
                        false => Prospect::Lost,
                    });
                    let mut known = change.undecided.iter_mut();
                    match known.find(|it| is_same(it, &power)) {
                        Some(known) => known.may = Prospect::of_both(known.may, power.may),
                        None => change.undecided.push(power),
                    }
                }
                (true, true) => change.gained.push(power),
                (true, false) => change.lost.push(power),
            }
        }
    }

    fn sorted(mut self) -> Vec<PowerChange> {
        sort::sort_by(&mut self.list, |one, other| {
            (one.party.kind, &one.who).cmp(&(other.party.kind, &other.who))
        });
        self.list
    }
}

/// Whether two powers differ in nothing but the remark and the place in the text.
fn is_same(one: &Power, other: &Power) -> bool {
    let (may, why) = (one.may, one.why.clone());
    let pointer = one.pointer.clone();
    *one == Power {
        may,
        why,
        pointer,
        ..other.clone()
    }
}
