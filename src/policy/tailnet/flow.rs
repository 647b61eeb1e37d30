//! Whether rules let traffic pass from some ends to others, as far as text and context tell, for what is said of logins beside them.
//! Must not live here: packet filters, ssh, words.
//!
//! A source is allowed if every end of it reaches some end of the destination. Evaluated rule by rule and end by end, that
//! takes rules times members squared; so it is done the other way round. First each rule gets one answer: whether what it
//! opens includes the destination, and the traffic with it. Then each distinct source selector gets the best answer of
//! the rules that name it, and each end the best of the selectors that include it. Every name is evaluated once.
//! Only `autogroup:self` depends on both ends, and has an answer of its own besides the general one.

use crate::cidr::Address;

use super::about::About;
use super::context::{DeviceIndex, PolicyContext};
use super::endpoint::Endpoint;
use super::identity::Answer;
use super::network::Network;
use super::owners::Owners;
use super::party::Side;
use super::way::{Given, Way};
use crate::policy::language::document::Policy;
use crate::policy::language::ports::{PortRange, Ports, Protocol};
use crate::policy::language::rule::{Opening, Rule};

/// The traffic of a question.
#[derive(Clone, Copy, Debug)]
pub struct Traffic<'a> {
    /// One of these is enough.
    pub protocols: &'a [Protocol],
    /// The port; ignored for ICMP.
    pub port: u16,
    /// The assumed posture of the source device.
    pub given: Given<'a>,
}

impl Traffic<'_> {
    /// A device answers pings of any source that may reach it at all (docs/policy-language.md#pings).
    fn is_ping(&self) -> bool {
        let mut protocols = self.protocols.iter();
        protocols.all(|protocol| protocol.is_ping())
    }

    /// Whether ports of a protocol, or of the default protocols, let it pass.
    pub fn passes(&self, protocol: Option<Protocol>, ports: &Ports) -> bool {
        if self.is_ping() {
            return true;
        }
        let own = protocol.as_ref().map(std::slice::from_ref);
        let own = own.unwrap_or(&Protocol::DEFAULT);
        let mut wanted = self.protocols.iter();
        wanted.any(|wanted| own.contains(wanted)) && ports.contains(self.port)
    }
}

/// Judges flows under one policy in one context.
pub struct Judge<'p> {
    /// The policy with its context.
    pub network: Network<'p>,
    /// The rules by what they name.
    pub about: About<'p>,
    /// Whether some rule has `via`.
    pub has_via: bool,
}

/// One side of a question: its ends, and which selectors include each of them.
pub struct Ends<'a> {
    /// The ends.
    pub list: Vec<Endpoint<'a>>,
    takers: Vec<Vec<(usize, Answer)>>,
    /// The best answer of any end for each selector, by its index.
    best: Vec<Answer>,
}

impl Ends<'_> {
    /// The best answer of a selector, by its index, for any of the ends.
    pub fn best(&self, selector: usize) -> Answer {
        self.best.get(selector).copied().unwrap_or_default()
    }
}

/// Sources whose packets take the same way, and whose devices have the same postures.
struct Senders {
    way: Way,
    /// One of the devices, if postures of devices count.
    device: Option<DeviceIndex>,
    /// Whether it has each posture of the policy.
    postures: Vec<Answer>,
    /// Their indices.
    places: Vec<usize>,
}

impl Senders {
    fn traffic<'a>(&self, traffic: Traffic<'a>) -> Traffic<'a> {
        let given = Given {
            device: self.device,
            ..traffic.given
        };
        Traffic { given, ..traffic }
    }
}

/// What each rule opens at a destination, by the index of the rule.
struct Opened {
    /// For every source.
    general: Vec<Answer>,
    /// For sources that share a user with the destination.
    own: Vec<Answer>,
}

impl<'p> Judge<'p> {
    /// Sorts the rules of a policy.
    #[inline(never)]
    pub fn new(policy: &'p Policy<'p>, context: &'p PolicyContext) -> Judge<'p> {
        let network = Network::new(policy, context);
        let about = About::new(&network);
        let has_via = about.has_via();
        Judge {
            network,
            about,
            has_via,
        }
    }

    /// The policy that is judged.
    pub fn policy(&self) -> &'p Policy<'p> {
        self.network.policy
    }

    /// Prepares ends for questions.
    #[inline(never)]
    pub fn ends<'a>(&self, side: Side, list: Vec<Endpoint<'a>>) -> Ends<'a> {
        let named = match side {
            Side::Source => &self.about.sources,
            Side::Destination => &self.about.destinations,
        };
        let mut best = vec![Answer::No; named.selectors.len()];
        let mut takers = Vec::with_capacity(list.len());
        for end in &list {
            let found = named.takers(&self.network, end);
            for &(selector, answer) in &found {
                if let Some(best) = best.get_mut(selector) {
                    *best = answer.max(*best);
                }
            }
            takers.push(found);
        }
        Ends { list, takers, best }
    }

    /// Whether every source reaches some destination.
    #[inline(never)]
    pub fn reaches(&self, from: &Ends<'_>, to: &Ends<'_>, traffic: Traffic<'_>) -> Answer {
        if self.policy().allows_all() {
            return self.everyone_reaches(from, to, traffic);
        }
        let mut all: Option<Answer> = None;
        for senders in self.senders(from, to, traffic) {
            let (way, traffic) = (&senders.way, senders.traffic(traffic));
            let mut by_device = Vec::new();
            for opened in self.opened_by_way(way, to, traffic) {
                by_device.push(self.each(from, to, &senders.places, &opened));
            }
            for at in 0..senders.places.len() {
                let here = by_device
                    .iter()
                    .filter_map(|answers| answers.get(at).copied());
                let answer = way.answer(here);
                all = Some(all.map_or(answer, |all| all.min(answer)));
            }
        }
        all.unwrap_or(Answer::No)
    }

    /// As if one rule said so, which without a protocol is about the default protocols (docs/policy-language.md#no-rules-at-all).
    fn everyone_reaches(&self, from: &Ends<'_>, to: &Ends<'_>, traffic: Traffic<'_>) -> Answer {
        if !traffic.passes(None, &Ports::One(PortRange::ALL)) || to.list.is_empty() {
            return Answer::No;
        }
        let inside = from.list.iter().map(|end| self.network.is_in_tailnet(end));
        inside.min().unwrap_or(Answer::No)
    }

    /// The sources by the way that their packets take, which does not matter if only the rules count, and by their postures.
    fn senders(&self, from: &Ends<'_>, to: &Ends<'_>, traffic: Traffic<'_>) -> Vec<Senders> {
        let mut all: Vec<Senders> = Vec::new();
        let address = unowned(to);
        let mut same = address.is_none().then_some(Way::Nobody);
        for (at, end) in from.list.iter().enumerate() {
            let (device, postures) = self.postures_of(end, traffic);
            let given = Given {
                device,
                ..traffic.given
            };
            let way = match (&same, address) {
                (None, Some(address)) => self.about.way(&self.network, end, address, given),
                (same, _) => same.clone().unwrap_or(Way::Nobody),
            };
            if !self.has_via {
                same = Some(way.clone());
            }
            let is_same = |known: &&mut Senders| known.way == way && known.postures == postures;
            match all.iter_mut().find(is_same) {
                Some(known) => known.places.push(at),
                None => all.push(Senders {
                    way,
                    device,
                    postures,
                    places: vec![at],
                }),
            }
        }
        all
    }

    /// The device of a source whose own attributes count, and whether it has each posture of the policy. They do not where others
    /// are given.
    fn postures_of(
        &self,
        end: &Endpoint<'_>,
        traffic: Traffic<'_>,
    ) -> (Option<DeviceIndex>, Vec<Answer>) {
        let is_given = traffic.given.attributes.is_some();
        let Some(device) = end.device.filter(|_| !is_given) else {
            return (None, Vec::new());
        };
        let names = self.policy().postures.names();
        let postures = names.map(|name| self.network.attributes.posture_of(device, name));
        (Some(device), postures.collect())
    }

    /// What rules open on one way: once for each device that may receive.
    fn opened_by_way(&self, way: &Way, to: &Ends<'_>, traffic: Traffic<'_>) -> Vec<Opened> {
        let [end] = &to.list[..] else {
            return vec![self.opened(to, traffic, &|rule, opening| {
                self.goes(rule, opening, &to.list)
            })];
        };
        let way = unowned(to).is_some().then_some(way);
        let receivers = way.map_or(1, |way| way.devices().len().max(1));
        let mut opened = Vec::with_capacity(receivers);
        for at in 0..receivers {
            opened.push(self.opened(to, traffic, &|rule, opening| {
                let admits = self.admits(rule, opening, end, way);
                admits.get(at).copied().unwrap_or_default()
            }));
        }
        opened
    }

    /// The answer of each rule at a destination. `admits` says of an opening that includes it whether that counts there.
    fn opened(
        &self,
        to: &Ends<'_>,
        traffic: Traffic<'_>,
        admits: &dyn Fn(&Rule<'p>, &Opening<'p>) -> Answer,
    ) -> Opened {
        let count = self.about.rules.len();
        let mut opened = Opened {
            general: vec![Answer::No; count],
            own: vec![Answer::No; count],
        };
        for (selector, &answer) in to.best.iter().enumerate() {
            if answer == Answer::No {
                continue;
            }
            let answers = match self.about.destinations.is_own(selector) {
                true => &mut opened.own,
                false => &mut opened.general,
            };
            for &at in self.about.destinations.uses(selector) {
                let Some((id, opening)) = self.about.openings.get(at) else {
                    continue;
                };
                let (Some(rule), Some(best)) = (self.about.rule(*id), answers.get_mut(id.0)) else {
                    continue;
                };
                if *best < answer && traffic.passes(opening.protocol, opening.ports) {
                    let answer = answer.min(traffic.given.fits(&self.network, rule));
                    if answer > *best {
                        *best = answer.min(admits(rule, opening)).max(*best);
                    }
                }
            }
        }
        opened
    }

    /// The answer of each of some sources, given as indices.
    fn each(
        &self,
        from: &Ends<'_>,
        to: &Ends<'_>,
        places: &[usize],
        opened: &Opened,
    ) -> Vec<Answer> {
        let owners = Owners::of(&to.list);
        let mut by_selector = vec![None; from.best.len()];
        let mut answers = Vec::with_capacity(places.len());
        for &at in places {
            let (Some(end), Some(takers)) = (from.list.get(at), from.takers.get(at)) else {
                continue;
            };
            let own = owners.share_user(end.identity);
            let mut best = Answer::No;
            for &(selector, answer) in takers {
                let Some(known) = by_selector.get_mut(selector) else {
                    continue;
                };
                let (general, for_own) =
                    *known.get_or_insert_with(|| self.best_of(selector, opened));
                best = best.max(answer.min(Answer::max(general, own.min(for_own))));
            }
            answers.push(best);
        }
        answers
    }

    /// The best answers of the rules that name a source selector.
    fn best_of(&self, selector: usize, opened: &Opened) -> (Answer, Answer) {
        let mut best = (Answer::No, Answer::No);
        for &rule in self.about.sources.uses(selector) {
            let (general, own) = opened.at(rule);
            best = (general.max(best.0), own.max(best.1));
        }
        best
    }
}

impl Opened {
    fn at(&self, rule: usize) -> (Answer, Answer) {
        let at = |answers: &[Answer]| answers.get(rule).copied().unwrap_or_default();
        (at(&self.general), at(&self.own))
    }
}

/// The one address of a destination, if devices are known and none has it: then routes decide who receives.
fn unowned(to: &Ends<'_>) -> Option<Address> {
    match &to.list[..] {
        [only] if only.device.is_none() => only.address(),
        _ => None,
    }
}
