//! What another document leaves of a power: all of it, a part, or for some of those that a name means.
//! Must not live here: which entries are compared (difference.rs).

use std::cell::{OnceCell, RefCell};
use std::mem;

use super::extent::Extent;
use super::holders::{Included, SelectorList, Who, is_part, is_place, users_of};
use super::power::PowerKind;
use super::rows;
use super::statements::{Combination, Statement};
use super::users::{becomes_admin, has_left};
use crate::cidr::AddressSet;
use crate::policy::findings::words::joined;
use crate::policy::language::known::returned;
use crate::policy::language::posture::REDEFINED;
use crate::policy::language::selector::Kind;
use crate::policy::tailnet::context::{Device, DeviceIndex};
use crate::policy::tailnet::net::Net;
use crate::policy::tailnet::network::Network;
use crate::policy::tailnet::party::Side;
use crate::tables::index::Index;

/// What is left of a power where another document has none of it, and of what that is not known, and why.
#[derive(Clone, PartialEq, Default)]
pub struct Rest {
    certain: Extent,
    undecided: Extent,
    /// The terms on which the other document has it.
    terms: Option<String>,
    unknown: Option<String>,
    /// Those of the party who have it there all the same.
    but: Vec<String>,
}

impl Rest {
    /// Whether another party is left as much.
    fn is_like(&self, other: &Rest) -> bool {
        (&self.certain, &self.undecided) == (&other.certain, &other.undecided)
    }

    /// The same, of which nothing is certain.
    fn in_doubt(mut self, why: String) -> Rest {
        self.undecided = self.undecided.union(&mem::take(&mut self.certain));
        self.unknown = self.unknown.or(Some(why));
        self
    }

    /// What is certain and what is undecided, each with a remark.
    pub fn parts(self, who: &Who<'_>, [terms, kept]: [&str; 2]) -> [(Extent, Option<String>); 2] {
        let but = (!self.but.is_empty()).then(|| joined(&["all but ", &self.but.join(", ")]));
        let terms = self.terms.map(|words| joined(&[terms, &words])).or(but);
        let unknown = self.unknown.unwrap_or_default();
        let unknown = joined(&[
            "whether ",
            &who.party().name,
            " ",
            kept,
            " is undecided: ",
            &unknown,
        ]);
        [(self.certain, terms), (self.undecided, Some(unknown))]
    }
}

/// What is left of a power to one party, and where.
pub struct Left<'p> {
    pub who: Who<'p>,
    /// The destination of the statement, or a part of it.
    pub on: Option<Who<'p>>,
    pub rest: Rest,
}

/// What the other document leaves of a power. A party of addresses falls into parts where only some of them have it, and one of known
/// users into those; so does a destination of addresses.
pub fn rests<'p>(
    networks: [&Network<'p>; 2],
    rivals: &[&Statement<'p>],
    case: Combination<'_, 'p>,
) -> Vec<Left<'p>> {
    let of = |on: Option<&Who<'p>>| {
        let found = rests_of_holder(networks, rivals, Combination { on, ..case });
        (!found.is_empty()).then_some(found)
    };
    let places = match case.on.filter(|_| case.from.is_none()) {
        Some(on) => rests_at(networks, rivals, (case.who, on), &|on| of(Some(on))),
        None => of(case.on)
            .map(|found| (case.on.cloned(), found))
            .into_iter()
            .collect(),
    };
    let mut left = Vec::new();
    for (on, found) in places {
        left.extend(found.into_iter().map(|(who, rest)| Left {
            who,
            on: on.clone(),
            rest,
        }));
    }
    left
}

type Holders<'p> = Vec<(Who<'p>, Rest)>;

/// The same at a destination, or at those parts of it that differ.
fn rests_at<'p>(
    [own, other]: [&Network<'p>; 2],
    rivals: &[&Statement<'p>],
    (who, on): (&Who<'p>, &Who<'p>),
    of: &dyn Fn(&Who<'p>) -> Option<Holders<'p>>,
) -> Vec<(Option<Who<'p>>, Holders<'p>)> {
    let named = rivals.iter().filter_map(|rival| rival.on.as_ref());
    let found = match &on.set {
        Some(whole) => {
            let pieces = pieces(whole, named.map(SelectorList::addresses));
            alike(other, (on, whole), pieces, of)
        }
        None => {
            let Some(mut found) = of(on) else {
                return Vec::new();
            };
            let is_in = |part: &Who<'p>| is_place(own, on, part);
            let partly = RefCell::new(Vec::new());
            let keeps = |part: &Who<'p>| match of(part) {
                None => true,
                Some(left) if are_like(&left, &found) => false,
                Some(left) => {
                    partly.borrow_mut().push((part.clone(), left));
                    true
                }
            };
            let apart = apart([own, other], on, named, (&is_in, &keeps));
            let whole = apart.map(|apart| {
                for (_, rest) in found.iter_mut().filter(|_| !apart.is_empty()) {
                    let words = || joined(&["on ", &apart.join(", ")]);
                    rest.terms.get_or_insert_with(words);
                }
                (on.clone(), found)
            });
            // There some have it, and the others are as few names as say it.
            let partly = partly.into_inner().into_iter();
            let partly = partly.map(|(on, left)| (on, all_but_some(own, who, left)));
            whole.into_iter().chain(partly).collect()
        }
    };
    let found = found.into_iter();
    found.map(|(on, found)| (Some(on), found)).collect()
}

/// Whether the same is left, to the same parties.
fn are_like(some: &Holders<'_>, others: &Holders<'_>) -> bool {
    let mut pairs = some.iter().zip(others);
    some.len() == others.len()
        && pairs.all(|(one, other)| one.0 == other.0 && one.1.is_like(&other.1))
}

/// What is left to most of the known users that a party means, as what is left to the party but for the others.
fn all_but_some<'p>(own: &Network<'p>, who: &Who<'p>, left: Holders<'p>) -> Holders<'p> {
    let users = users_of(own, who).unwrap_or_default();
    let mut others: Vec<String> = Vec::new();
    for user in &users {
        if !left.iter().any(|(it, _)| it == user) {
            others.push(user.name().to_owned());
        }
    }
    match left.as_slice() {
        [(_, first), rest @ ..]
            if left.len() > others.len()
                && left.len() + others.len() == users.len()
                && rest.iter().all(|(_, rest)| rest.is_like(first)) =>
        {
            let rest = Rest {
                but: others,
                ..first.clone()
            };
            vec![(who.clone(), rest)]
        }
        _ => left,
    }
}

fn rests_of_holder<'p>(
    [own, other]: [&Network<'p>; 2],
    rivals: &[&Statement<'p>],
    case: Combination<'_, 'p>,
) -> Holders<'p> {
    let who = case.who;
    let Some(whole) = &who.set else {
        return rests_of_name([own, other], rivals, case);
    };
    let pieces = pieces(whole, rivals.iter().map(|rival| rival.holders.addresses()));
    alike(other, (who, whole), pieces, &|who| {
        rest([own, other], rivals, Combination { who, ..case })
    })
}

/// What is asked of a party.
type PartyQuestion<'q, 'p> = &'q dyn Fn(&Who<'p>) -> bool;

/// By which parties of some lists of the other document some of a name have it all the same; none if all its devices have. Those that come or
/// go with the network are reported by themselves.
fn apart<'s, 'p: 's>(
    [own, other]: [&Network<'p>; 2],
    who: &Who<'p>,
    lists: impl Iterator<Item = &'s SelectorList<'p>>,
    (is_in, keeps): (PartyQuestion<'_, 'p>, PartyQuestion<'_, 'p>),
) -> Option<Vec<String>> {
    let devices = devices_of([own, other], who);
    let (mut names, mut lacking) = (Vec::new(), Vec::new());
    let mut kept = AddressSet::new();
    for list in lists.filter(|list| !list.names(who)) {
        let of_devices = devices.iter().flat_map(|device| list.parties_of(device));
        for part in of_devices.chain(list.parties.iter().filter(|part| is_in(part))) {
            if names.contains(&part.name()) || lacking.contains(&part.name()) {
                continue;
            }
            if !keeps(part) {
                lacking.push(part.name());
                continue;
            }
            names.push(part.name());
            kept = part.set.iter().fold(kept, |all, set| all.union(set));
        }
    }
    let is_kept = |device: &&Device| {
        let mut tags = device.tags().iter();
        tags.any(|tag| names.contains(&tag.trim()))
            || device.addresses.iter().all(|own| kept.contains(*own))
    };
    let is_all = !devices.is_empty() && devices.iter().all(is_kept);
    (!is_all).then(|| names.into_iter().map(str::to_owned).collect())
}

/// The devices that a user or tag means in a network and another has alike. Most have the same place in both.
fn devices_of<'p>([own, other]: [&Network<'p>; 2], who: &Who<'p>) -> Vec<&'p Device> {
    if !who.has_devices() {
        return Vec::new();
    }
    let others = OnceCell::new();
    let index = || {
        let places = other.devices_of(&who.selector).into_iter();
        let devices = places.filter_map(|at| at.of(other.devices));
        let mut by_id = Index::default();
        let listed: Vec<&'p Device> = devices.collect();
        for (at, device) in listed.iter().enumerate() {
            by_id.set(device.id.as_str().into(), at);
        }
        (by_id, listed)
    };
    let former = |at: DeviceIndex, device: &Device| {
        let same = at.of(other.devices).filter(|it| it.id == device.id);
        same.or_else(|| {
            let (by_id, listed) = others.get_or_init(index);
            listed.get(by_id.find(&device.id)?).copied()
        })
    };
    let all = |it: &'p Device| (it.tags(), &it.addresses);
    let found = own.devices_of(&who.selector).into_iter();
    let alike = found.filter_map(|at| {
        let device = at.of(own.devices)?;
        (all(former(at, device)?) == all(device)).then_some(device)
    });
    alike.collect()
}

fn rests_of_name<'p>(
    [own, other]: [&Network<'p>; 2],
    rivals: &[&Statement<'p>],
    case: Combination<'_, 'p>,
) -> Vec<(Who<'p>, Rest)> {
    let who = case.who;
    let rest_of = |who: &Who<'p>| rest([own, other], rivals, Combination { who, ..case });
    let Some(mut whole) = rest_of(who) else {
        return Vec::new();
    };
    let Some(users) = users_of(own, who) else {
        // Tags and routes are given to whoever has the name.
        let kinds = [PowerKind::Attribute, PowerKind::Capability];
        let is_of_devices = kinds.contains(&case.statement.kind) || !who.has_devices();
        let lists = rivals.iter().map(|rival| &rival.holders);
        let lists = lists.filter(|_| is_of_devices);
        let is_in = |part: &Who<'p>| is_part(own, who, part);
        let keeps = |part: &Who<'p>| rest_of(part).is_none();
        let apart = apart([own, other], who, lists, (&is_in, &keeps));
        return apart.map_or(Vec::new(), |apart| {
            whole.but = apart;
            vec![(who.clone(), whole)]
        });
    };
    let mut parts = Vec::new();
    for user in users {
        let rest = rest_of(&user);
        parts.push((user, rest));
    }
    let is_whole = |rest: &Option<Rest>| rest.as_ref().is_some_and(|rest| rest.is_like(&whole));
    match parts.iter().all(|(_, rest)| is_whole(rest)) {
        true => vec![(who.clone(), whole)],
        false => {
            let left = parts.into_iter();
            left.filter_map(|(who, rest)| Some((who, rest?))).collect()
        }
    }
}

/// The parts of a set of addresses of which the same is so, and what. Names by themselves are not compared: an alias may mean other
/// addresses in the other document.
fn alike<'p, T: Clone + PartialEq>(
    other: &Network<'p>,
    (who, whole): (&Who<'p>, &AddressSet),
    pieces: Vec<AddressSet>,
    of: &dyn Fn(&Who<'p>) -> Option<T>,
) -> Vec<(Who<'p>, T)> {
    let mut alike: Vec<(AddressSet, T)> = Vec::new();
    for piece in pieces {
        let Some(found) = of(&who.part(&piece, None)) else {
            continue;
        };
        match alike.iter_mut().find(|(_, known)| *known == found) {
            Some((set, _)) => *set = set.union(&piece),
            None => alike.push((piece, found)),
        }
    }
    let mut parts = Vec::new();
    for (set, found) in alike {
        // A name that means other addresses in the other document names nothing by itself.
        if set == *whole && !is_redefined(other, who) {
            parts.push((who.clone(), found));
            continue;
        }
        for range in set.ranges() {
            let part = rows::part_of(Net::Range(range));
            parts.push((who.part(&range.into(), Some(part)), found.clone()));
        }
    }
    parts
}

/// A set cut wherever another has a part of it.
fn pieces<'s>(whole: &AddressSet, cuts: impl Iterator<Item = &'s AddressSet>) -> Vec<AddressSet> {
    let mut pieces = vec![whole.clone()];
    for other in cuts {
        let mut cut = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let inside = piece.intersect(other);
            let outside = piece.minus(&inside);
            cut.extend(
                [inside, outside]
                    .into_iter()
                    .filter(|part| !part.is_empty()),
            );
        }
        pieces = cut;
    }
    pieces
}

fn is_redefined(other: &Network<'_>, who: &Who<'_>) -> bool {
    let is_name = matches!(who.selector.kind, Kind::Host | Kind::IpSet);
    let own = is_name.then(|| other.set_of(&who.selector)).flatten();
    own.is_some_and(|own| Some(&own) != who.set.as_ref())
}

/// What the other document leaves of a power; nothing if it has all of it.
fn rest(
    [own, other]: [&Network<'_>; 2],
    rivals: &[&Statement<'_>],
    case: Combination<'_, '_>,
) -> Option<Rest> {
    let mut rest = Rest {
        certain: case.statement.extent_at(own, &case),
        ..Rest::default()
    };
    if rest.certain.is_empty() || !rivals.is_empty() && becomes_admin([own, other], &case) {
        return None;
    }
    let mut open = Vec::new();
    for rival in rivals {
        let subject = case.subject();
        let allowed = subject.and_then(|who| rival.allows(other, who));
        let is_judged = allowed.is_some();
        let included = includes(other, rival, &case).and(|| allowed.unwrap_or(Included::Yes));
        if included == Included::No || has_left(case.who, rival.kind, [own, other]) {
            continue;
        }
        let (extent, doubt) = rival.extents_at(other, &case, case.statement);
        let whole = doubt.as_ref().map_or(&extent, |(whole, _)| whole);
        if !is_judged && !rival.terms.cover(&case.statement.terms) {
            let shared = rest.certain.intersect(whole);
            if rival.terms.are_redefined(&case.statement.terms) {
                open.push((whole.clone(), REDEFINED.to_owned()));
            } else if included == Included::Yes && !shared.is_empty() {
                rest.terms = rest
                    .terms
                    .or_else(|| Some(rival.terms.beside(&case.statement.terms)));
            }
            continue;
        }
        match included {
            Included::Unknown(why) => open.push((whole.clone(), why)),
            _ => {
                rest.certain = rest.certain.minus(&extent);
                open.extend(doubt);
            }
        }
        if rest.certain.is_empty() {
            return None;
        }
    }
    for (extent, why) in open {
        let shared = rest.certain.intersect(&extent);
        if !shared.is_empty() {
            rest.certain = rest.certain.minus(&shared);
            rest.undecided = rest.undecided.union(&shared);
            rest.unknown = rest.unknown.or(Some(why));
        }
    }
    Some(match doubt_of_source(own, &case) {
        Some(why) => rest.in_doubt(why),
        None => rest,
    })
}

/// Why it is not known whether a part of a statement's sources is one.
fn doubt_of_source(own: &Network<'_>, case: &Combination<'_, '_>) -> Option<String> {
    let named = case.statement.from.as_ref()?;
    match named.includes(own, Side::Source, case.from?) {
        Included::Unknown(why) => Some(why),
        _ => None,
    }
}

/// Whether an entry of the other document is about this party, there.
fn includes(other: &Network<'_>, rival: &Statement<'_>, case: &Combination<'_, '_>) -> Included {
    let holders = match rival.kind == PowerKind::Tag && case.who.is_untagged(other) {
        // People put tags on devices, and devices with a tag that owns it.
        true => Included::No,
        false => rival.holders.includes(other, Side::Source, case.who),
    };
    let sides = [
        (&rival.on, case.on, Side::Destination),
        (&rival.from, case.from, Side::Source),
    ];
    let mut included = holders;
    // What these are answered with counts at them.
    if rival.kind == PowerKind::Capability && returned(&rival.what).is_some() {
        included = included.and(|| rival.holders.includes(other, Side::Destination, case.who));
    }
    for (named, who, side) in sides {
        included = included.and(|| match (named, who) {
            (Some(named), Some(who)) if side == Side::Destination => {
                named.includes_for(other, case.who, who)
            }
            (Some(named), Some(who)) => named.includes(other, side, who),
            (None, None) => Included::Yes,
            // A device's own capability (nodeAttrs) is another than one at a destination (grants).
            (None, Some(_)) | (Some(_), None) => Included::No,
        });
    }
    included
}
