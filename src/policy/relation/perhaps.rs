//! What text and context do not decide, and why: whom a selector includes; whether somebody who loses what a name had is meant by a wider
//! name that has it now, and the reverse. Must not live here: what is lost (cell.rs), whom a selector may mean (classes.rs).

use super::accounts::opened_accounts;
use super::cell::distinct;
use super::classes::{Class, Takers};
use super::condition::{Fact, Why, router};
use super::cuts::family_of;
use super::hit::among;
use super::ids::{ClassId, FactId, Id, SetId, TermId};
use super::item::{Item, Turn};
use super::pair::Pair;
use super::postures::fits;
use super::reach::{Reach, Shared};
use super::rows::{Opens, Row};
use crate::cidr::{Address, AddressSet};
use crate::policy::findings::words::{joined, shown};
use crate::policy::language::port_set::PortSet;
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::addresses::{internet, tailnet};
use crate::policy::tailnet::context::DeviceIndex;
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::next_hop::{Given, NextHop};
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

impl<'p> Reach<'_, 'p> {
    /// The facts of which one must hold for a selector to include an endpoint. A group includes whom one of its members is, so that it is
    /// the same as its members.
    pub fn undecided(
        &self,
        side: Side,
        selector: usize,
        (end, is_moved): (&Endpoint<'p>, bool),
        shared: &mut Shared<'p>,
    ) -> Vec<FactId> {
        let named = self.reading.named(side);
        let Some(selector) = named.selectors.get(selector) else {
            return vec![shared.conditions.undecided(Why::Address, "")];
        };
        let (network, name) = (self.reading.network, selector.name());
        let is_listed = selector.kind == Kind::Group && !network.groups.is_unknown(name);
        let users = match (selector.kind, end.identity) {
            (_, Identity::Unknown) => Vec::new(),
            (Kind::User, _) => vec![network.login(name)],
            (Kind::Group, _) if is_listed => network.groups.of(name),
            _ => Vec::new(),
        };
        let mark = match side {
            Side::Source => "from ",
            Side::Destination => "to ",
        };
        let people = people(end.identity);
        if !users.is_empty() {
            let fact = |user: &&str| {
                let (why, own) = people.unwrap_or((Why::Owner, user));
                let key = joined(&[mark, own, "\0", user]);
                shared.conditions.undecided(why, &key)
            };
            return users.iter().map(fact).collect();
        }
        if let (true, Some((why, own))) = (is_known(network, selector), people) {
            let key = joined(&[mark, own, "\0", name]);
            return vec![shared.conditions.undecided(why, &key)];
        }
        let why = match (selector.kind, end.identity) {
            (Kind::Any, _) => Why::Routes,
            (_, Identity::Unknown) => Why::Address,
            (Kind::Autogroup(Autogroup::Role(_)), _) => Why::Role,
            (Kind::Autogroup(Autogroup::Own), _) => Why::User,
            (Kind::Group, _) => Why::Members,
            _ => Why::Address,
        };
        let key = match network.set_of(selector) {
            // Equal sets are equal facts, whatever their names.
            Some(set) if selector.kind != Kind::Any => {
                let ranges = set.ranges().map(|range| Net::Range(range).to_string());
                ranges.collect::<Vec<_>>().join(",")
            }
            // Of two users in two networks, nothing is known of either.
            _ => match end.identity.user().filter(|_| is_moved) {
                Some(user) => joined(&[name, "\0", user]),
                None => name.to_owned(),
            },
        };
        vec![shared.conditions.undecided(why, &[mark, &key].concat())]
    }
}

impl<'p> Reach<'_, 'p> {
    /// A term of what a device lets in, with what must hold for the source to send by it; and the latter by itself, where other devices may
    /// forward for certain.
    pub fn way(
        &self,
        from: (&Endpoint<'p>, bool, Given<'_>),
        (to, next_hop, device): (Address, &NextHop, DeviceIndex),
        term: TermId,
        shared: &mut Shared<'p>,
    ) -> (TermId, Option<TermId>) {
        let is_perhaps = next_hop.is_perhaps();
        if !is_perhaps && (among(Some(next_hop)) == 1 || !self.reading.judge.has_via) {
            return (term, None);
        }
        let way = self.undecided_way(from, (to, device), shared);
        match is_perhaps {
            true => (shared.conditions.both(term, way), None),
            false => (
                term,
                Some(way).filter(|way| !shared.conditions.is_certain(*way)),
            ),
        }
    }

    /// What a rule says of the routes to an address.
    fn decisions(
        &self,
        (at, rule): (usize, &Rule<'p>),
        to: Address,
        shared: &mut Shared<'p>,
    ) -> Vec<Decision> {
        let (network, about) = (self.reading.network, &self.reading.judge.about);
        let mut decisions = Vec::new();
        for (_, row) in self.rows.of(at) {
            let to = (about.destinations.selectors.get(row.to), to);
            for route in steered(network, rule, to) {
                for term in &row.terms {
                    let is_posture = |_, fact: &Fact<'_>| matches!(fact, Fact::Posture { .. });
                    let via = shared.conditions.without(*term, &is_posture);
                    decisions.push((route.clone(), via, *term));
                }
            }
        }
        decisions
    }

    /// What the rules that may be about a source say of the routes to an address: for certain; and what depends on who it is.
    fn decided_of(
        &self,
        (from, is_moved): (&Endpoint<'p>, bool),
        to: Address,
        fits: &dyn Fn(&Rule<'p>) -> Answer,
        shared: &mut Shared<'p>,
    ) -> (Vec<Decision>, Vec<OpenDecision>) {
        let (network, about) = (self.reading.network, &self.reading.judge.about);
        let mut senders = Vec::new();
        for (selector, answer) in about.takers_of_sender(network, from) {
            let own = about.sources.uses(selector).iter();
            senders.extend(own.map(|rule| (*rule, selector, answer)));
        }
        sort::sort(&mut senders);
        let (mut settled, mut open) = (Vec::new(), Vec::new());
        for own in senders.chunk_by(|a, b| a.0 == b.0) {
            let at = own.first().map_or(0, |own| own.0);
            let Some(rule) = about.rules.get(at) else {
                continue;
            };
            let answer = own.iter().map(|own| own.2).max().unwrap_or_default();
            match answer.min(fits(rule)) {
                Answer::No => continue,
                Answer::Yes => {
                    settled.append(&mut self.decisions((at, rule), to, shared));
                    continue;
                }
                Answer::Unknown => {}
            }
            let mut who = vec![by_posture()];
            if answer == Answer::Unknown {
                let mut facts = Vec::new();
                for (_, selector, _) in own {
                    let from = (from, is_moved);
                    facts.extend(self.undecided(Side::Source, *selector, from, shared));
                }
                let term = shared.conditions.term(facts);
                who = distinct(shared.conditions.reasons(term));
            }
            for decision in self.decisions((at, rule), to, shared) {
                open.extend(who.iter().map(|who| (decision.clone(), who.clone())));
            }
        }
        (settled, open)
    }

    /// Why it is undecided whether a source may send to an address by a device: other facts where other rules may lead it another way.
    fn undecided_way(
        &self,
        (from, is_moved, given): (&Endpoint<'p>, bool, Given<'_>),
        (to, device): (Address, DeviceIndex),
        shared: &mut Shared<'p>,
    ) -> TermId {
        let (network, about) = (self.reading.network, &self.reading.judge.about);
        let fits = |rule: &Rule<'p>| fits(network, from, given, rule);
        let steering = about.steering(network, from, &fits);
        if steering.leads(&network.routes, to, device) {
            return shared.conditions.always();
        }
        let (settled, open) = self.decided_of((from, is_moved), to, &fits, shared);
        let (mut reasons, mut rules) = (Vec::new(), Vec::new());
        for (decision, who) in &open {
            // What another rule decides for certain, or for whoever has the posture, does not depend on who it is.
            let is_settled = settled
                .iter()
                .any(|own| own.0 == decision.0 && own.1 == decision.1);
            let is_wide = |(own, by): &OpenDecision| own == decision && *by == by_posture();
            if !is_settled && (*who == by_posture() || !open.iter().any(is_wide)) {
                rules.push(key_of(decision, who));
                reasons.push(who.clone());
            }
        }
        if reasons.is_empty() {
            reasons.push(router());
        }
        let key = distinct(rules).join(" ");
        let mut facts = Vec::new();
        for (why, own) in distinct(reasons) {
            let own = own.split('\0').next().unwrap_or_default();
            let key = joined(&[own, "\0", &key]);
            facts.push(shared.conditions.undecided(why, &key));
        }
        shared.conditions.term(facts)
    }
}

/// What a rule says of one route: the route, the term of the routers by which it goes, and that with a posture.
type Decision = (String, TermId, TermId);

/// The same with that on which it depends.
type OpenDecision = (Decision, (Why, String));

/// That it is unknown whether a source has a posture.
fn by_posture() -> (Why, String) {
    (Why::Routes, "by posture".to_owned())
}

/// A decision and on what it depends, as a text. Written by `Debug` it brought more than a KiB (Brotli) to each file.
fn key_of((route, _, term): &Decision, (why, own): &(Why, String)) -> String {
    let (term, why) = (shown(&term.place()), shown(&(*why as usize)));
    joined(&[route, "\n", &term, "\n", &why, " ", own])
}

/// The routes to an address that a destination of a rule may decide about; the internet by its first address.
fn steered(
    network: &Network<'_>,
    rule: &Rule<'_>,
    (selector, to): (Option<&&Selector<'_>>, Address),
) -> Vec<String> {
    let Some(selector) = selector else {
        return Vec::new();
    };
    let set = network.set_of(selector).unwrap_or_default();
    let by_overlap = !rule.via.is_empty() || network.policy.dialect.steers_by_overlap();
    let mut found = Vec::new();
    for route in network.routes.leading_to(to) {
        let prefix = route.prefix;
        let is_about = match by_overlap {
            true => set.overlaps(&prefix.into()),
            false => set.covers_range(prefix),
        };
        if is_about || selector.kind == Kind::Any {
            found.push(prefix.to_string());
        }
    }
    let is_public = [Kind::Any, Kind::Autogroup(Autogroup::Internet)].contains(&selector.kind);
    if is_public && internet().contains(to) {
        found.push(String::new());
    }
    found
}

/// What is not known of an endpoint that means several people: who they are.
fn people(identity: Identity<'_>) -> Option<(Why, &str)> {
    match identity {
        Identity::Some(Kind::Group, own) => Some((Why::Members, own)),
        Identity::Some(Kind::Autogroup(Autogroup::Role(_)), own) => Some((Why::Role, own)),
        _ => None,
    }
}

/// Whether it is known of everybody whether a role, a domain or a group includes them.
fn is_known(network: &Network<'_>, selector: &Selector<'_>) -> bool {
    match selector.kind {
        Kind::Domain => true,
        Kind::Group => !network.groups.is_unknown(selector.name()),
        Kind::Autogroup(Autogroup::Role(_)) => network.context.users.is_some(),
        _ => false,
    }
}

impl<'p> Pair<'_, 'p> {
    /// Says of what one class of sources loses at another why it may still have that by a wider name; of what it gains, why it may have had
    /// that. Returns whether it certainly has or had it: by sets of addresses that are all of the tailnet together. Where devices are known,
    /// the latter alone is asked, of machines that there are not.
    pub fn doubt(
        &self,
        to: ClassId,
        source: &Class<'p>,
        item: &mut Item,
        shared: &mut Shared<'p>,
    ) -> bool {
        let at = match item.turn {
            Turn::Gained => 0,
            Turn::Lost => 1,
            _ => return false,
        };
        let (Some(to), Some(reach)) = (self.to.list.get(to), self.reaches.get(at)) else {
            return false;
        };
        let network = reach.reading.network;
        let knows_devices = reach.reading.knows_devices();
        let mut perhaps = [source, to].map(|class| class.perhaps.get(at)).into_iter();
        if knows_devices && perhaps.all(|own| own.is_none_or(Vec::is_empty)) {
            return false;
        }
        let end = source.endpoints.get(at).and_then(Option::as_ref);
        let family = source.family & to.family;
        let are_assumed = [source, to].map(|class| is_assumed(class, at));
        let identities = [source, to].map(|class| {
            let end = class.endpoints.get(at).and_then(Option::as_ref);
            end.map(|end| end.identity)
        });
        let (from, to) = (all(source, at), all(to, at));
        let mut opened = reach.perhaps((&from, &to), end, item.term, shared);
        let lost = shared.sets.get(item.set);
        opened.retain(|(.., set)| lost.is_some_and(|lost| lost.minus(set).is_empty()));
        opened.retain(|(_, perhaps, _)| has_family(network, perhaps, family));
        let mut why = Vec::new();
        let asked = (are_assumed, identities);
        let has_all = are_all(network, &opened, asked, family, &mut why);
        if item.why.is_empty() && !knows_devices {
            item.why = why;
        }
        has_all
    }
}

impl<'p> Reach<'_, 'p> {
    /// What is open wherever a term holds to somebody who may be meant, or at a destination that may be.
    fn perhaps<'s>(
        &'s self,
        (from, to): (&Takers, &Takers),
        end: Option<&Endpoint<'p>>,
        term: TermId,
        shared: &mut Shared<'p>,
    ) -> Vec<Perhaps<'s, 'p>> {
        let named = self.reading.named(Side::Source);
        let places = self.reading.named(Side::Destination);
        let mut opened: Vec<Perhaps<'_, 'p>> = Vec::new();
        for &(selector, is_source) in from {
            for &rule in named.uses(selector) {
                for (_, row) in self.rows.of(rule) {
                    let place = to.iter().find(|(taker, _)| *taker == row.to);
                    let Some(&(_, is_place)) = place else {
                        continue;
                    };
                    let is_perhaps = is_source.min(is_place) == Answer::Unknown;
                    if !is_perhaps || places.is_own(row.to) || !holds(row, term, shared) {
                        continue;
                    }
                    let Some(set) = opened_by(self.reading.network, &row.opens, end, shared) else {
                        continue;
                    };
                    let is_sender = is_source == Answer::Unknown;
                    let perhaps = match is_sender {
                        true => named.selectors.get(selector),
                        false => places.selectors.get(row.to),
                    };
                    let (Some(perhaps), Some(set)) = (perhaps, shared.sets.get(set)) else {
                        continue;
                    };
                    let is_one = is_source.max(is_place) == Answer::Yes;
                    let key = (is_sender, is_one, perhaps.name());
                    match opened.iter_mut().find(|(known, ..)| *known == key) {
                        Some((_, _, known)) => *known = known.union(set),
                        None => opened.push((key, perhaps, set.clone())),
                    }
                }
            }
        }
        opened
    }
}

/// Whether a row opens something wherever a term holds.
fn holds(row: &Row<'_>, term: TermId, shared: &mut Shared<'_>) -> bool {
    let conditions = &mut shared.conditions;
    let mut terms = row.terms.iter();
    terms.any(|own| {
        let own = conditions.presumed(*own);
        conditions.implied(own, term)
    })
}

/// What a row opens to an endpoint, if that exists.
fn opened_by(
    network: &Network<'_>,
    opens: &Opens<'_>,
    end: Option<&Endpoint<'_>>,
    shared: &mut Shared<'_>,
) -> Option<SetId> {
    match opens {
        Opens::Set(set) => Some(*set),
        Opens::Accounts(action, entries, _) => {
            let accounts = &mut shared.accounts;
            let own = opened_accounts(network, *action, entries, end?.identity, accounts);
            Some(shared.sets.id(own))
        }
    }
}

/// What is open to somebody who may be meant, or at a destination that may be: whether it is the source, whether the other is certain, and
/// by which name.
type Perhaps<'s, 'p> = ((bool, bool, &'p str), &'s Selector<'p>, PortSet);

/// Whether a selector may mean an endpoint of some families: it is no set of addresses of the other one.
fn has_family(network: &Network<'_>, selector: &Selector<'_>, families: u8) -> bool {
    let set = network.set_of(selector);
    set.is_none_or(|set| {
        let mut ranges = set.ranges();
        ranges.any(|range| family_of(range.first()) & families != 0)
    })
}

/// Says why each is not certain; and whether the sets of addresses among them are all of the tailnet together.
fn are_all(
    network: &Network<'_>,
    opened: &[Perhaps<'_, '_>],
    ([is_sender_assumed, is_receiver_assumed], [sender, receiver]): (
        [bool; 2],
        [Option<Identity<'_>>; 2],
    ),
    family: u8,
    reasons: &mut Vec<(Why, String)>,
) -> bool {
    let mut sets = [AddressSet::new(), AddressSet::new()];
    for ((is_sender, is_one, _), perhaps, _) in opened {
        let [senders, receivers] = &mut sets;
        let (is_assumed, set) = match is_sender {
            true => (is_sender_assumed, senders),
            false => (is_receiver_assumed, receivers),
        };
        if is_assumed && *is_one && perhaps.kind != Kind::Any {
            *set = set.union(&network.set_of(perhaps).unwrap_or_default());
        }
        if reasons.is_empty() {
            let identity = if *is_sender { sender } else { receiver };
            reasons.push(why(network, perhaps, identity));
        }
    }
    sets.iter().any(|set| is_all_of(family, set))
}

/// Whether a machine of a class is assumed, of which no address is known.
fn is_assumed(class: &Class<'_>, at: usize) -> bool {
    let end = class.endpoints.get(at).and_then(Option::as_ref);
    end.is_some_and(|end| end.place == Place::Supposed)
}

/// Whether a set holds all addresses of the tailnet of some families.
fn is_all_of(families: u8, set: &AddressSet) -> bool {
    let ranges = tailnet().ranges();
    let mut own = ranges.filter(|range| family_of(range.first()) & families != 0);
    families != 0 && own.all(|range| set.covers_range(range))
}

/// Why it is not known whom a selector means.
fn why(
    network: &Network<'_>,
    selector: &Selector<'_>,
    identity: Option<Identity<'_>>,
) -> (Why, String) {
    if let (true, Some((why, own))) = (is_known(network, selector), identity.and_then(people)) {
        return (why, joined(&["of ", own]));
    }
    let is_listed = !network.groups.is_unknown(selector.name());
    let why = match selector.kind {
        Kind::Any => return (Why::Routes, "from *".to_owned()),
        Kind::Group if is_listed => Why::Owner,
        Kind::Autogroup(Autogroup::Role(_)) => Why::Role,
        Kind::Autogroup(Autogroup::Own) => Why::User,
        Kind::Group => Why::Members,
        _ => Why::Address,
    };
    (why, joined(&["of ", selector.name()]))
}

/// The selectors of one reading that include a class, or may do so.
fn all(class: &Class<'_>, at: usize) -> Takers {
    let lists = [&class.takers, &class.perhaps].map(|list| list.get(at));
    lists.into_iter().flatten().flatten().copied().collect()
}
