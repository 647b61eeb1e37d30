//! What passes between two ends about which nothing is open: for a sender with some postures, through each possible receiver.
//! Must not live here: what is open about an end (settled.rs), claims.

use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports};
use crate::policy::language::rule::RuleId;
use crate::policy::tailnet::addresses::tailnet;
use crate::policy::tailnet::endpoint::Endpoint;
use crate::policy::tailnet::flow::Judge;
use crate::policy::tailnet::identity::Answer;
use crate::policy::tailnet::party::Side;
use crate::policy::tailnet::way::{Given, Way};

/// The rules of one policy about two ends.
pub struct Passage<'j, 'a, 'e> {
    judge: &'j Judge<'a>,
    from: &'e Endpoint<'e>,
    to: &'e Endpoint<'e>,
    /// The openings at the destination for the source, by index.
    openings: Vec<usize>,
    /// The postures that rules about the source require.
    pub postures: Vec<&'a str>,
}

/// The access of a sender with some postures.
#[derive(PartialEq)]
pub struct Passing {
    way: Option<Way>,
    /// One set for each router that may be the receiver; otherwise one in all.
    sets: Vec<PortSet>,
}

impl<'j, 'a, 'e> Passage<'j, 'a, 'e> {
    /// Looks up the ends and the rules about them.
    pub fn new(
        judge: &'j Judge<'a>,
        from: &'e Endpoint<'e>,
        to: &'e Endpoint<'e>,
    ) -> Passage<'j, 'a, 'e> {
        let about = &judge.about;
        let (mut is_about, mut postures) = (vec![false; about.rules.len()], Vec::new());
        // The route of a via grant may depend on another address of the device.
        let way = match judge.has_via {
            true => about.takers_of_sender(&judge.network, from),
            false => Vec::new(),
        };
        let own = about.sources.takers(&judge.network, from);
        for (at, &(selector, answer)) in own.iter().chain(&way).enumerate() {
            for &rule in about.sources.uses(selector) {
                let Some(found) = about.rule(RuleId(rule)).filter(|_| answer == Answer::Yes) else {
                    continue;
                };
                if let Some(is_about) = is_about.get_mut(rule) {
                    *is_about |= at < own.len();
                }
                for word in found.postures {
                    if !postures.contains(&word.name()) {
                        postures.push(word.name());
                    }
                }
            }
        }
        let shares_user = from.identity.shares_user(to.identity) == Answer::Yes;
        let mut openings = Vec::new();
        for (selector, answer) in about.destinations.takers(&judge.network, to) {
            let is_meant =
                answer == Answer::Yes && (shares_user || !about.destinations.is_own(selector));
            let uses = about
                .destinations
                .uses(selector)
                .iter()
                .filter(|_| is_meant);
            openings.extend(uses.copied().filter(|&at| {
                let rule = about
                    .openings
                    .get(at)
                    .and_then(|(rule, _)| is_about.get(rule.0));
                rule == Some(&true)
            }));
        }
        Passage {
            judge,
            from,
            to,
            openings,
            postures,
        }
    }

    /// The sets of postures that may matter; nothing where there are too many. Without `via` each posture is a set alone.
    pub fn given(&self) -> Option<Vec<Vec<&'a str>>> {
        subsets(&self.postures, self.judge.has_via)
    }

    /// The access of a sender that meets exactly these postures.
    pub fn with(&self, postures: &[&str]) -> Passing {
        let (judge, about) = (self.judge, &self.judge.about);
        let way = judge.way_to(self.from, self.to, postures);
        let receivers = way.as_ref().map_or(1, Way::open).max(1);
        let mut sets = vec![PortSet::default(); receivers];
        if judge.policy().allows_all() {
            let inside = judge.network.is_in_tailnet(self.from) == Answer::Yes;
            if inside {
                sets.fill(PortSet::of(None, &Ports::One(PortRange::ALL)));
            }
            return Passing { way, sets };
        }
        let given = Given {
            postures,
            ..Given::default()
        };
        for (id, opening) in self
            .openings
            .iter()
            .filter_map(|&at| about.openings.get(at))
        {
            let rule = about
                .rule(*id)
                .filter(|rule| given.fits(&judge.network, rule) == Answer::Yes);
            let Some(rule) = rule else {
                continue;
            };
            let opened = PortSet::of(opening.protocol, opening.ports);
            let admits = judge.admits(rule, opening, self.to, way.as_ref());
            for (receiver, answer) in admits.into_iter().enumerate() {
                // Of several exit nodes the source chooses one.
                if let (Answer::Yes, Some(set)) =
                    (answer, sets.get_mut(receiver.min(receivers - 1)))
                {
                    *set = set.union(&opened);
                }
            }
        }
        Passing { way, sets }
    }
}

/// The empty set and each single one; all subsets where they matter together, unless there are too many.
pub fn subsets<P: Copy>(all: &[P], together: bool) -> Option<Vec<Vec<P>>> {
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

impl Judge<'_> {
    /// Whether packets to an end may go through another device than the rules were asked about: with a posture, or where exit
    /// nodes are not known.
    pub(super) fn may_be_led(&self, to: &Endpoint<'_>) -> bool {
        let by_posture = self.has_via
            && self
                .about
                .rules
                .iter()
                .any(|rule| !rule.postures.is_empty());
        let address = to.address().filter(|_| to.device.is_none());
        address.is_some_and(|address| match self.network.context.devices {
            Some(_) => by_posture,
            None => !tailnet().contains(address),
        })
    }

    /// Adds to `run` the answers that distinguish an end for the rules.
    pub(super) fn mark(&self, side: Side, end: &Endpoint<'_>, run: &mut Vec<u64>) {
        let named = match side {
            Side::Source => &self.about.sources,
            Side::Destination => &self.about.destinations,
        };
        for (at, answer) in named.takers(&self.network, end) {
            run.push((at as u64) << 2 | answer as u64);
        }
        run.push(u64::MAX);
    }
}

impl Passing {
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

    /// Whether it is more than `other` with some receivers. Where both leave the same choice, the same router receives.
    pub fn may_be_more(&self, other: &Passing) -> bool {
        let is_same = self.way == other.way;
        self.sets.iter().enumerate().any(|(at, set)| {
            let mut others = other.sets.iter().enumerate();
            others.any(|(place, other)| (!is_same || at == place) && !set.minus(other).is_empty())
        })
    }
}
