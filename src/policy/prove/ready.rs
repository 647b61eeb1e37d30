//! A policy in a network, ready for many questions about two endpoints: what passes between them for a sender with some postures,
//! by each device that may receive. Of logins the accounts that are let in, with a check or without.
//! Must not live here: what is open about an endpoint (settled.rs), what is claimed of it (judge.rs).

use std::cell::RefCell;
use std::rc::Rc;

use crate::policy::language::login::SshAction;
use crate::policy::language::port_set::PortSet;
use crate::policy::relation::classes::{Class, Classes};
use crate::policy::relation::condition::Conditions;
use crate::policy::relation::cuts::{V4, V6};
use crate::policy::relation::hit::Hit;
use crate::policy::relation::ids::{ClassId, FactId, Id};
use crate::policy::relation::pairs::holds;
use crate::policy::relation::reach::{Reach, Shared};
use crate::policy::relation::reading::Reading;
use crate::policy::relation::rows::{Rows, SshRules, protocol_of};
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::next_hop::{Given, NextHop};
use crate::policy::tailnet::party::Side;

/// A policy in a network.
pub struct Ready<'p> {
    pub reading: &'p Reading<'p>,
    rows: Rc<Rows<'p>>,
    shared: RefCell<Shared<'p>>,
}

/// What passes between two endpoints for one sender.
pub struct Passing {
    next_hop: Option<NextHop>,
    /// One set for each router that may be the receiver; otherwise one in all.
    sets: Vec<PortSet>,
    /// The rules that let something pass.
    pub rules: Vec<(usize, PortSet)>,
}

/// The ssh rules of some policies, if the questions are about logins.
pub fn ssh_rules<'p>(judges: &[&'p Judge<'p>], is_ssh: bool) -> Vec<SshRules<'p>> {
    let judges = judges.iter().filter(|_| is_ssh);
    judges.map(|judge| SshRules::new(&judge.network)).collect()
}

/// Policies for questions about the network, or about logins.
pub fn readings<'p>(judges: &[&'p Judge<'p>], ssh: &'p [SshRules<'p>]) -> Vec<Reading<'p>> {
    let each = judges.iter().enumerate();
    let each = each.map(|(at, judge)| match ssh.get(at) {
        Some(ssh) => Reading::of_ssh(judge, ssh),
        None => Reading::of_network(judge),
    });
    each.collect()
}

/// The same, ready.
pub fn all<'p>(readings: &'p [Reading<'p>], accounts: &[String]) -> Vec<Ready<'p>> {
    let each = readings.iter().map(|own| Ready::new(own, accounts));
    each.collect()
}

/// A set of accounts, with a check or without.
pub fn whatever_action(set: &PortSet) -> PortSet {
    let (accept, check) = (
        protocol_of(SshAction::Accept),
        protocol_of(SshAction::Check),
    );
    set.part_of(accept).union(&set.moved(check, accept))
}

impl<'p> Ready<'p> {
    /// Makes a policy ready. Accounts get their numbers in this order, the same in every network.
    pub fn new(reading: &'p Reading<'p>, accounts: &[String]) -> Ready<'p> {
        let mut shared = Shared::default();
        for account in accounts {
            shared.accounts.number(account);
        }
        Ready {
            reading,
            rows: Rc::new(shared.rows(reading, 0)),
            shared: RefCell::new(shared),
        }
    }

    /// The number of an account.
    pub fn number(&self, account: &str) -> u32 {
        self.shared.borrow_mut().accounts.number(account)
    }

    /// What passes between two endpoints about which nothing is open, for a sender who has these postures besides those of the device.
    pub fn between(&self, from: &Endpoint<'p>, to: &Endpoint<'p>, postures: &[&'p str]) -> Passing {
        let classes = (
            self.one(Side::Source, from),
            self.one(Side::Destination, to),
        );
        // Mostly no rule is about both.
        if !self.reading.allows_all() && !self.are_named_together(&classes.0, &classes.1) {
            return Passing::of(None, &[], self.reading.is_ssh);
        }
        let (sources, targets) = (&classes.0, &classes.1);
        let passing = self.passing((sources, targets), ClassId::at(0), postures, Answer::Yes);
        let passing = passing.into_iter().next().map(|(_, passing)| passing);
        passing.unwrap_or_else(|| Passing::of(None, &[], self.reading.is_ssh))
    }

    /// Whether some rule is about both of two endpoints.
    fn are_named_together(&self, from: &Classes<'p>, to: &Classes<'p>) -> bool {
        let takers = |classes: &Classes<'p>| {
            let class = classes.list.get(ClassId::at(0));
            let takers = class.and_then(|class| class.takers.first());
            takers.cloned().unwrap_or_default()
        };
        let (named, targets) = (self.reading.named(Side::Source), takers(to));
        takers(from).iter().any(|(selector, _)| {
            let rules = named.uses(*selector).iter();
            let mut rows = rules.flat_map(|rule| self.rows.of(*rule));
            rows.any(|(_, row)| targets.iter().any(|(to, _)| *to == row.to))
        })
    }

    /// What passes from one class of endpoints to each other, at least so certainly; nothing where it is left out.
    pub fn passing(
        &self,
        classes: (&Classes<'p>, &Classes<'p>),
        source: ClassId,
        postures: &[&'p str],
        least: Answer,
    ) -> Vec<(ClassId, Passing)> {
        let mut shared = self.shared.borrow_mut();
        let given = Given {
            postures,
            ..Given::default()
        };
        let mut reach = Reach::by((self.reading, 0), self.rows.clone(), classes, &mut shared);
        reach.given = Some(given);
        let end = |classes: &Classes<'p>, id| classes.list.get(id)?.endpoints.first()?.clone();
        let Some(from) = end(classes.0, source) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let hits = reach.hits(source, &|_| true, &mut shared);
        for same in hits.chunk_by(|a, b| a.to == b.to) {
            let mut passing: Vec<(Hit, PortSet)> = Vec::with_capacity(same.len());
            for hit in same {
                if holds(&reach, (Some(&from), hit), &mut shared) >= least {
                    passing.extend(shared.sets.get(hit.set).map(|set| (*hit, set.clone())));
                }
            }
            let to = same.first().map(|hit| hit.to);
            if let Some((id, to)) = to.and_then(|to| Some((to, end(classes.1, to)?))) {
                let next_hop = self.next_hop((&from, &to), postures);
                found.push((id, Passing::of(next_hop, &passing, self.reading.is_ssh)));
            }
        }
        found
    }

    /// An endpoint as a class, with the selectors that certainly include it.
    fn one(&self, side: Side, end: &Endpoint<'p>) -> Classes<'p> {
        let mut takers = self.takers(side, end);
        takers.retain(|(_, answer)| *answer == Answer::Yes);
        let mut classes = Classes::default();
        classes.list.push(Class {
            endpoints: [Some(end.clone()), None],
            takers: [takers, Vec::new()],
            perhaps: Default::default(),
            family: V4 | V6,
            atoms: Vec::new(),
        });
        classes
    }

    /// The selectors of one side that include an endpoint, or may do so.
    pub fn takers(&self, side: Side, end: &Endpoint<'_>) -> Vec<(usize, Answer)> {
        self.reading.named(side).takers(self.reading.network, end)
    }

    /// Who may receive, where no device is the destination.
    fn next_hop(
        &self,
        (from, to): (&Endpoint<'p>, &Endpoint<'p>),
        postures: &[&str],
    ) -> Option<NextHop> {
        let reading = self.reading;
        let is_routed = to.device.is_none() && reading.knows_devices() && !reading.is_ssh;
        let given = Given {
            postures,
            device: from.device,
            ..Given::default()
        };
        let about = &reading.judge.about;
        let address = to.address().filter(|_| is_routed);
        address.map(|address| about.next_hop(reading.network, from, address, given))
    }

    /// The postures that rules about a sender need and that the sender may have or not.
    fn postures(&self, from: &Endpoint<'p>) -> Vec<&'p str> {
        let (reading, shared) = (self.reading, self.shared.borrow());
        // The way of packets depends on the other addresses of the device, too.
        let takers = match self.is_steered() {
            true => reading.judge.about.takers_of_sender(reading.network, from),
            false => self.takers(Side::Source, from),
        };
        let mut found: Vec<&'p str> = Vec::new();
        for (selector, _) in takers.into_iter().filter(|(_, it)| *it == Answer::Yes) {
            for &rule in reading.named(Side::Source).uses(selector) {
                let row = self.rows.of(rule).next();
                for term in row.map_or(&[][..], |(_, row)| &row.terms) {
                    for fact in shared.conditions.facts(*term) {
                        found.extend(fact.name(0).filter(|name| !found.contains(name)));
                    }
                }
            }
        }
        let attributes = &reading.network.attributes;
        let is_open = |name: &&str| {
            from.device
                .is_none_or(|device| attributes.posture_of(device, name) == Answer::Unknown)
        };
        found.retain(is_open);
        found
    }

    /// Whether postures may lead packets another way.
    pub fn is_steered(&self) -> bool {
        self.reading.judge.has_via && !self.reading.is_ssh
    }
}

/// The postures of one sender, under each of some policies.
pub type Senders<'p> = Vec<Vec<&'p str>>;

/// The senders that may matter, the one without postures first; none where there are too many. Where no posture leads another way, each
/// posture matters by itself.
pub fn senders<'p>(policies: &[Ready<'p>], from: &Endpoint<'p>) -> Option<Vec<Senders<'p>>> {
    let mut conditions = Conditions::default();
    // Postures with equal conditions are one, whatever their names.
    let mut all: Vec<(FactId, Vec<Option<&'p str>>)> = Vec::new();
    for (at, ready) in policies.iter().enumerate() {
        for name in ready.postures(from) {
            let fact = conditions.posture(ready.reading.network.policy, name, 0);
            let place = all.iter().position(|(known, _)| *known == fact);
            let place = place.unwrap_or_else(|| {
                all.push((fact, vec![None; policies.len()]));
                all.len() - 1
            });
            let names = all.get_mut(place).and_then(|(_, names)| names.get_mut(at));
            if let Some(own) = names {
                *own = Some(name);
            }
        }
    }
    let places: Vec<usize> = (0..all.len()).collect();
    let sets = subsets(&places, policies.iter().any(Ready::is_steered))?;
    let of_policy = |set: &Vec<usize>, at: usize| {
        let names = set.iter().filter_map(|place| all.get(*place));
        names.filter_map(|(_, names)| *names.get(at)?).collect()
    };
    let each = sets
        .iter()
        .map(|set| (0..policies.len()).map(|at| of_policy(set, at)).collect());
    Some(each.collect())
}

/// The empty set and each single one; all subsets where they matter together, unless there are too many.
fn subsets(all: &[usize], together: bool) -> Option<Vec<Vec<usize>>> {
    const MOST: usize = 6;
    let mut sets = vec![Vec::new()];
    if !together {
        sets.extend(all.iter().map(|one| vec![*one]));
        return Some(sets);
    }
    if all.len() > MOST {
        return None;
    }
    for one in all {
        for at in 0..sets.len() {
            let with = sets.get(at).map(|set| [&set[..], &[*one]].concat());
            sets.extend(with);
        }
    }
    Some(sets)
}

impl Passing {
    /// What some hits on one destination add up to.
    fn of(next_hop: Option<NextHop>, hits: &[(Hit, PortSet)], is_ssh: bool) -> Passing {
        let set = |set: &PortSet| match is_ssh {
            true => whatever_action(set),
            false => set.clone(),
        };
        let join = |all: PortSet, (_, own): &(Hit, PortSet)| all.union(&set(own));
        // Of several exit nodes the source chooses one.
        let sets = match &next_hop {
            Some(
                NextHop::Routers(_, devices)
                | NextHop::PerhapsRouters(_, devices)
                | NextHop::PerhapsExits(devices),
            ) => {
                let each = devices.iter().map(|device| {
                    let own = |(hit, _): &&(Hit, PortSet)| hit.through == Some(*device);
                    hits.iter().filter(own).fold(PortSet::default(), join)
                });
                each.collect()
            }
            _ => vec![hits.iter().fold(PortSet::default(), join)],
        };
        let rules = hits
            .iter()
            .filter_map(|(hit, own)| Some((hit.rule?, set(own))));
        Passing {
            next_hop,
            sets,
            rules: rules.collect(),
        }
    }

    /// What passes whoever receives.
    pub fn least(&self) -> PortSet {
        let mut sets = self.sets.iter();
        let first = sets.next().cloned().unwrap_or_default();
        sets.fold(first, |least, set| least.intersect(set))
    }

    /// What passes with some receiver.
    pub fn most(&self) -> PortSet {
        let nothing = PortSet::default();
        self.sets.iter().fold(nothing, |most, set| most.union(set))
    }

    /// What passes and does not by another policy, or also the reverse: whoever receives, and with some receivers. Where both leave the
    /// same choice, the same router receives.
    pub fn more_than(&self, other: &Passing, or_less: bool) -> (PortSet, PortSet) {
        let is_same = self.next_hop == other.next_hop;
        let (mut least, mut most) = (None, PortSet::default());
        for (at, set) in self.sets.iter().enumerate() {
            for (place, other) in other.sets.iter().enumerate() {
                if is_same && at != place {
                    continue;
                }
                let mut more = set.minus(other);
                if or_less {
                    more = more.union(&other.minus(set));
                }
                most = most.union(&more);
                least = Some(least.map_or(more.clone(), |least: PortSet| least.intersect(&more)));
            }
        }
        (least.unwrap_or_default(), most)
    }
}
