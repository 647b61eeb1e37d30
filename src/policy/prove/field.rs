//! Both sides of all flows or logins under one policy or two: their classes, and what rules may open between them.
//! Must not live here: what is certain (settled.rs, ready.rs), what is claimed of it (judge.rs).

use super::called::{Called, pair_strangeness};
use super::ready::{Ready, whatever_action};
use super::settled::Settling;
use super::world::Places;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::ports::{PortRange, Ports};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::relation::accounts::{every_account, may_open, opened_accounts, own_by_mail};
use crate::policy::relation::classes::Classes;
use crate::policy::relation::condition::Fact;
use crate::policy::relation::endpoints::Endpoints;
use crate::policy::relation::ids::{AtomId, ClassId, Id, IdTable, SetId, TermId};
use crate::policy::relation::line::{ClassByAtom, class_of};
use crate::policy::relation::reach::{Reach, Shared};
use crate::policy::relation::reading::Reading;
use crate::policy::relation::rows::{Opens, Row};
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;

/// One side with its classes.
pub struct Sided<'w> {
    pub places: &'w Places<'w>,
    pub classes: Classes<'w>,
    of: ClassByAtom,
    /// How little each place says to people.
    pub strange: Vec<u8>,
}

/// Both sides.
pub struct Field<'f, 'w> {
    pub from: &'f Sided<'w>,
    pub to: &'f Sided<'w>,
    /// The policies as the context has it.
    pub stated: &'f [Ready<'w>],
    /// What may be open for classes.
    pub reaches: &'f [Reach<'f, 'w>],
    /// What is open about ends.
    pub settling: &'f Settling<'f, 'w>,
    /// What they are called.
    pub called: &'f Called<'w>,
    /// The domains whose members ssh rules let in under their own name.
    pub own_domains: &'f [&'f str],
    pub is_ssh: bool,
}

/// What one row of the rules may open at one class of destinations.
#[derive(Clone)]
pub struct Possible {
    /// The rule; none if a policy without rules allows everything.
    pub rule: Option<usize>,
    pub set: SetId,
    /// One of these must hold.
    pub terms: Vec<TermId>,
    /// Whether the row is certainly about both endpoints.
    pub is_certain: bool,
    /// Whether the rule is about the source, and the row about the destination, for what they are: not for whom an endpoint may belong to, as
    /// each of those is an endpoint too.
    pub is_meant: [bool; 2],
}

/// What may be open at each class of destinations.
pub type ByClass = IdTable<ClassId, Vec<Possible>>;

/// Whether a claim is about something of a set.
pub type Meets<'m> = dyn FnMut(SetId, &PortSet) -> bool + 'm;

impl<'w> Sided<'w> {
    /// The classes of one side. For logins an address does not matter, but whose it is.
    pub fn new(
        readings: &[Reading<'w>],
        side: Side,
        places: &'w Places<'w>,
        called: &Called<'w>,
    ) -> Sided<'w> {
        let is_ssh = readings.iter().any(|reading| reading.is_ssh);
        let mut endpoints = Endpoints::default();
        for (_, end) in &places.list {
            match is_ssh {
                true => endpoints.push(end),
                false => endpoints.push_alone(end),
            };
        }
        let classes = Classes::new(readings, side, &endpoints.atoms);
        let strange = places.list.iter().map(|(_, end)| called.strangeness(end));
        Sided {
            places,
            of: class_of(&classes, places.list.len()),
            strange: strange.collect(),
            classes,
        }
    }

    /// The name and the end at a place.
    pub fn at(&self, place: usize) -> Option<(&'w str, &'w Endpoint<'w>)> {
        let (name, end) = self.places.list.get(place)?;
        Some((name, end))
    }

    /// The class of a place.
    pub fn class(&self, place: usize) -> Option<ClassId> {
        self.of.get(AtomId::at(place)).copied().flatten()
    }

    /// The places of a class, ascending.
    pub fn members(&self, class: ClassId) -> impl Iterator<Item = usize> {
        let class = self.classes.list.get(class);
        let atoms = class.map_or(&[][..], |class| &class.atoms);
        atoms.iter().map(|atom| atom.place())
    }
}

impl<'w> Field<'_, 'w> {
    /// How little a pair of places says to people.
    pub fn strangeness(&self, from: usize, to: usize) -> u8 {
        let endpoints = self.from.at(from).zip(self.to.at(to));
        match (
            endpoints,
            self.from.strange.get(from),
            self.to.strange.get(to),
        ) {
            (Some(((_, from), (_, to))), Some(one), Some(other)) => {
                pair_strangeness((from, *one), (to, *other))
            }
            _ => u8::MAX,
        }
    }

    /// Whether one of two places that rules take in alike may represent the other: the same is open about both.
    pub fn are_alike(&self, side: &Sided<'w>, one: usize, other: usize) -> bool {
        let (Some((_, one)), Some((_, other))) = (side.at(one), side.at(other)) else {
            return false;
        };
        let (settling, place) = (self.settling, std::mem::discriminant::<Place>);
        let is_same = place(&one.place) == place(&other.place)
            && match (one.identity, other.identity) {
                (Identity::Some(one, _), Identity::Some(other, _)) => one == other,
                (one, other) => std::mem::discriminant(&one) == std::mem::discriminant(&other),
            };
        // Routes lead to some addresses and not to others.
        let is_routed = !self.is_ssh && std::ptr::eq(side, self.to) && one.device.is_none();
        !(is_routed && one.address().is_some())
            && settling.is_open(one) == settling.is_open(other)
            && (is_same || !settling.is_open(one))
    }

    /// Whether both endpoints are of one family; of logins, devices.
    pub fn can_meet(&self, from: &Endpoint<'_>, to: &Endpoint<'_>) -> bool {
        let version = |end: &Endpoint<'_>| end.address().map(|address| address.version());
        match (self.is_ssh, version(from), version(to)) {
            (true, ..) => ![from, to]
                .iter()
                .any(|end| end.identity == Identity::Nobody),
            (false, Some(one), Some(other)) => one == other,
            _ => true,
        }
    }

    /// What the rules of a policy may open for a class of sources at each class of destinations that is wanted, as far as sets are.
    pub fn openings(
        &self,
        at: usize,
        source: ClassId,
        wanted: &dyn Fn(ClassId) -> bool,
        (meets, shared): (&mut Meets<'_>, &mut Shared<'w>),
    ) -> ByClass {
        let mut found = IdTable::filled(self.to.classes.list.len(), Vec::new());
        let class = self.from.classes.list.get(source);
        let from = class.and_then(|class| class.endpoints.get(at)?.as_ref());
        let (Some(reach), Some(from)) = (self.reaches.get(at), from) else {
            return found;
        };
        if reach.reading.allows_all() {
            let set = PortSet::of(None, &Ports::One(PortRange::ALL));
            let inside = reach.reading.network.is_in_tailnet(from);
            let possible = Possible {
                rule: None,
                set: shared.sets.id(set),
                terms: vec![shared.conditions.always()],
                is_certain: inside == Answer::Yes,
                is_meant: [true; 2],
            };
            let all = self.to.classes.list.ids();
            for to in all.filter(|to| wanted(*to) && inside != Answer::No) {
                found.add(to, possible.clone());
            }
            return found;
        }
        let named = reach.reading.named(Side::Source);
        let rules = reach.rules_about(source);
        for about in rules.chunk_by(|a, b| a.0 == b.0) {
            let rule = about.first().map_or(usize::MAX, |(rule, ..)| *rule);
            let is_sure = about.iter().any(|(.., answer)| *answer == Answer::Yes);
            let mut kinds = about
                .iter()
                .filter_map(|(_, at, _)| named.selectors.get(*at));
            let is_source = is_sure || kinds.any(|it| is_role_of(it.kind, from));
            for (_, row) in reach.rows.of(rule) {
                for (set, is_known) in opened(reach.reading.network, row, from, shared) {
                    let is_asked = shared.sets.get(set).is_some_and(|own| meets(set, own));
                    let places = reach.taken.get(row.to).into_iter().flatten();
                    for &(to, answer) in places.filter(|(to, _)| is_asked && wanted(*to)) {
                        let place = self.place((reach, at), (from, row.to), (to, answer));
                        if let Some((is_certain, is_place)) = place {
                            let possible = Possible {
                                rule: Some(rule),
                                set,
                                terms: row.terms.clone(),
                                is_certain: is_sure && is_certain && is_known,
                                is_meant: [is_source, is_place],
                            };
                            found.add(to, possible);
                        }
                    }
                }
            }
        }
        found
    }

    /// Whether a selector that may include a class of destinations certainly does so, and whether for what it is; none if both would have to
    /// be of one user and are not.
    fn place(
        &self,
        (reach, at): (&Reach<'_, 'w>, usize),
        (from, selector): (&Endpoint<'w>, usize),
        (to, answer): (ClassId, Answer),
    ) -> Option<(bool, bool)> {
        let end = self.to.classes.list.get(to)?.endpoints.get(at)?.as_ref()?;
        let named = reach.reading.named(Side::Destination);
        let own = match named.is_own(selector) {
            true => from.identity.shares_user(end.identity),
            false => Answer::Yes,
        };
        let kind = named.selectors.get(selector).map(|it| it.kind);
        let is_role = kind.is_some_and(|kind| is_role_of(kind, end));
        let answer = answer.min(own);
        let is_certain = answer == Answer::Yes;
        (answer != Answer::No).then_some((is_certain, is_certain || is_role))
    }

    /// Whether an opening is one for senders without postures, as far as the rules say.
    pub fn is_sure(&self, opening: &Possible, shared: &Shared<'w>) -> bool {
        let is_plain = |term: &TermId| {
            let mut facts = shared.conditions.facts(*term);
            !facts.any(|fact| matches!(fact, Fact::Posture { .. }))
        };
        let knows = self.stated.iter().any(|own| own.reading.knows_devices());
        opening.is_certain && (knows || opening.terms.iter().any(is_plain))
    }
}

/// What a row may open for a source: of logins with a check or without, and any account where the source may be anybody. Apart from that,
/// and not for certain, any account of a user whose mail address is not known.
fn opened<'w>(
    network: &Network<'_>,
    row: &Row<'w>,
    from: &Endpoint<'w>,
    shared: &mut Shared<'w>,
) -> Vec<(SetId, bool)> {
    let (set, action) = match &row.opens {
        Opens::Set(set) => return vec![(*set, true)],
        Opens::Accounts(action, entries, _) => {
            let accounts = &mut shared.accounts;
            let set = opened_accounts(network, *action, entries, from.identity, accounts);
            (set, *action)
        }
    };
    let more = may_open(&row.opens, from.identity).unwrap_or_default();
    let mut opened = vec![(shared.sets.id(whatever_action(&set.union(&more))), true)];
    if own_by_mail(network, &row.opens, from.identity, &mut shared.accounts).is_some() {
        let all = whatever_action(&every_account(action));
        opened.push((shared.sets.id(all), false));
    }
    opened
}

/// Whether a selector is a role that the user at an endpoint may hold.
fn is_role_of(kind: Kind, end: &Endpoint<'_>) -> bool {
    matches!(kind, Kind::Autogroup(Autogroup::Role(_))) && end.identity.user().is_some()
}
