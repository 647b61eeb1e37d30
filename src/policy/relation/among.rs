//! Those of an autogroup, a domain, a group of unknown members or a set of addresses who have names of their own: what differs for
//! whoever is in it may not differ for them.
//! Must not live here: what differs (compare.rs), names of endpoints (naming.rs).

use super::comparison::Compared;
use super::ids::{AtomId, ItemId, NameId};
use super::item::Turn;
use super::name::Name;
use super::part_of::PartOf;
use super::reported::Reported;
use super::rows::{Opens, Row};
use crate::hujson::Span;
use crate::policy::language::port_set::PortSet;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::tailnet::endpoint::{Endpoint, Place};
use crate::policy::tailnet::identity::{Answer, Identity};
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::policy::tailnet::party::Side;
use crate::tables::sort;

/// Somebody who is in it, or may be, with each difference for him: what, and where; nowhere is at his own devices.
pub struct Member {
    /// His name.
    pub name: NameId,
    /// Whether he certainly is.
    is_certain: bool,
    changes: Vec<(ItemId, Option<NameId>)>,
}

impl Compared<'_, '_> {
    /// The users and tags that an autogroup, domain or group of unknown members includes or may include. Where devices are known, those
    /// who certainly are in it are reported by themselves. Of a set of addresses, its devices.
    pub fn members(&self, source: NameId) -> Vec<Member> {
        let Some(own) = self.sources.names.get(source) else {
            return Vec::new();
        };
        let devices = self.naming.0.devices_among(own);
        if !devices.is_empty() {
            let member = |(name, atom)| Member {
                name,
                is_certain: true,
                changes: self.changes_of(&self.naming.0.names_of(atom)),
            };
            return devices.into_iter().map(member).collect();
        }
        let is_many = matches!(
            own.party.kind,
            PartyKind::Any | PartyKind::Autogroup | PartyKind::Domain | PartyKind::Group
        );
        let [_, after] = self.reaches;
        let knows_devices = self.reaches.iter().any(|it| it.reading.knows_devices());
        let selector = Selector::new(&own.party.name, Span { start: 0, end: 0 });
        let mut members = Vec::new();
        for (name, other) in self.sources.names.iter().filter(|_| is_many) {
            let identity = match other.party.kind {
                PartyKind::User => Identity::User(&other.party.name),
                PartyKind::Tag => Identity::Tag(&other.party.name),
                // Owners are admins, and admins are members.
                PartyKind::Autogroup if name != source => {
                    Identity::Some(Kind::of(&other.party.name), &other.party.name)
                }
                _ => continue,
            };
            let end = Endpoint::supposed(identity);
            let answer = after
                .reading
                .network
                .takes_in(&selector, Side::Source, &end);
            let is_compared = match other.party.kind {
                PartyKind::Autogroup => answer != Answer::Yes,
                _ => answer == Answer::Yes && knows_devices,
            };
            if answer != Answer::No && !is_compared {
                members.push(Member {
                    name,
                    is_certain: answer == Answer::Yes,
                    changes: self.changes_of(&[name]),
                });
            }
        }
        members
    }

    /// The same by what they are.
    pub fn parties_among(&self, party: &Party) -> Vec<Party> {
        let members = self.sources.named(party).map(|name| self.members(name));
        let members = members.into_iter().flatten();
        let parties = members.filter_map(|member| self.naming.0.party(member.name).cloned());
        parties.collect()
    }

    fn changes_of(&self, sources: &[NameId]) -> Vec<(ItemId, Option<NameId>)> {
        let all = self.reported.sources.iter();
        let lists = all
            .filter(|it| sources.contains(&it.name))
            .flat_map(|it| &it.lists);
        let reported = lists.filter_map(|(list, _)| self.reported.lists.get(*list));
        reported
            .flatten()
            .map(|reported| (reported.item, reported.to))
            .collect()
    }

    /// The part of a destination that is reported, without the devices of a set of addresses to which what changes there does not change. Who
    /// gains what the set loses does not lose it. A cell is of its own name alone, and says so itself.
    pub fn without_places(&self, part: &PartOf, list: &[Reported], own: &Reported) -> PartOf {
        let to = own.meant.as_ref().map(|meant| meant.name);
        let to = to.and_then(|to| self.places.names.get(to));
        let devices = to.map_or_else(Vec::new, |to| self.naming.1.devices_among(to));
        let kept = devices.into_iter().filter(|(_, atom)| {
            let names = self.naming.1.names_of(*atom);
            let is_there = |other: &&Reported| other.to.is_some_and(|to| names.contains(&to));
            let others = list.iter().filter(is_there).map(|other| other.item);
            let others = others.filter(|other| !self.are_opposite([*other, own.item]));
            self.leaves_ports(own.item, others)
        });
        let parties = kept.filter_map(|(name, _)| self.naming.1.party(name));
        without(part, parties.collect())
    }

    /// The part of a source that is reported, without those of its members who have what a difference is about before and after: of `*`
    /// without the members of the tailnet the tags besides.
    pub fn without_members(
        &self,
        from: &PartOf,
        (source, members): (NameId, &[Member]),
        item: ItemId,
        to: Option<NameId>,
    ) -> PartOf {
        let is_set = self.naming.0.party(source);
        let is_set = is_set.is_some_and(|party| party.kind.is_of_addresses());
        let mut kept = self.keepers((members, is_set), item, to);
        let is_but_members =
            |it: &PartOf| matches!(it, PartOf::AllBut(but) if but == &["autogroup:member"]);
        if is_but_members(from) {
            let is_tagged = |party: &Party| party.name == "autogroup:tagged";
            let has_tagged = kept.iter().any(|party| is_tagged(party));
            kept.retain(|party| is_tagged(party) || party.kind == PartyKind::Tag && !has_tagged);
        } else if !from.is_all() && !is_set {
            kept.clear();
        }
        without(from, kept)
    }

    /// Of a set of addresses, who gains what it loses has other addresses besides.
    fn keepers(
        &self,
        (members, is_set): (&[Member], bool),
        item: ItemId,
        to: Option<NameId>,
    ) -> Vec<&Party> {
        let kept = members.iter().filter(|member| {
            let there = member.changes.iter().filter(|it| self.meet(it.1, to));
            let there = there.map(|(own, _)| *own);
            let there = there.filter(|own| !is_set || !self.are_opposite([*own, item]));
            let differs = !self.leaves_ports(item, there);
            !differs && (member.is_certain || self.surely_keeps(member.name, item, to))
        });
        let parties = kept.filter_map(|member| self.naming.0.party(member.name));
        parties.collect()
    }

    /// Whether somebody has in the one reading what others have in the other alone, and depends on nothing for it.
    fn surely_keeps(&self, name: NameId, item: ItemId, to: Option<NameId>) -> bool {
        let [before, after] = self.reaches;
        let (Some(item), Some(to)) = (self.differences.items.get(item), to) else {
            return false;
        };
        let reach = match item.turn {
            Turn::Gained => before,
            Turn::Lost => after,
            _ => return false,
        };
        let Some(set) = self.shared.sets.get(item.set) else {
            return false;
        };
        let places = self.classes_of_place(to);
        let opens_all = |row: &Row<'_>| {
            let own = match &row.opens {
                Opens::Set(own) => self.shared.sets.get(*own),
                Opens::Accounts(..) => None,
            };
            let mut terms = row.terms.iter();
            let taken = reach.taken.get(row.to);
            let takes = |class| taken.is_some_and(|taken| taken.contains(&(class, Answer::Yes)));
            own.is_some_and(|own| set.minus(own).is_empty())
                && terms.any(|term| self.shared.conditions.facts(*term).next().is_none())
                && places.iter().all(|class| takes(*class))
        };
        let classes = self.classes_of(name);
        !classes.is_empty()
            && classes.into_iter().all(|class| {
                let mut rules = reach.rules_about(class).into_iter();
                rules.any(|(rule, _, answer)| {
                    let mut rows = reach.rows.of(rule);
                    answer == Answer::Yes && rows.any(|(_, row)| opens_all(row))
                })
            })
    }

    /// Whether some endpoints of `*` are members alone, who have a name of their own by now: what they gain or lose, `*` does not.
    pub fn are_members(&self, name: NameId, atoms: &[AtomId]) -> bool {
        let is_any = |name: &Name| name.party.kind == PartyKind::Any;
        let mut own = atoms.iter().filter_map(|atom| self.sources.list.get(*atom));
        self.sources.names.get(name).is_some_and(is_any)
            && self.sources.has_members()
            && own.all(|atom| atom.is_at(&Place::Supposed))
    }

    /// Whether a difference is about ports that none of some others is about; an account may have several names.
    fn leaves_ports(&self, item: ItemId, mut others: impl Iterator<Item = ItemId>) -> bool {
        let set = |item| {
            let item = self.differences.items.get(item)?;
            self.shared.sets.get(item.set)
        };
        if self.reaches.iter().any(|reach| reach.reading.is_ssh) {
            return others.next().is_none();
        }
        let own = set(item).cloned().unwrap_or_default();
        let (mut left, mut is_any) = (own.clone(), false);
        for other in others {
            is_any = true;
            left = set(other).map_or_else(PortSet::default, |other| left.minus(other));
        }
        // Pings come and go with any port.
        let is_only_ping = left.is_ping() && !own.is_ping();
        !is_any || !left.is_empty() && !is_only_ping
    }

    /// Whether of two differences one is gained and the other lost.
    fn are_opposite(&self, items: [ItemId; 2]) -> bool {
        let turns = items.map(|item| self.differences.items.get(item).map(|it| it.turn));
        turns.contains(&Some(Turn::Gained)) && turns.contains(&Some(Turn::Lost))
    }

    /// Whether two destinations may be the same; one's own devices may be any.
    fn meet(&self, one: Option<NameId>, other: Option<NameId>) -> bool {
        let atoms = |name: NameId| -> &[AtomId] {
            let name = self.places.names.get(name);
            name.map_or(&[], |name| &name.atoms)
        };
        let (Some(one), Some(other)) = (one, other) else {
            return true;
        };
        let other = atoms(other);
        let mut own = atoms(one).iter();
        own.any(|atom| other.binary_search(atom).is_ok())
    }
}

/// A part without some more, whichever document names these first.
fn without(part: &PartOf, parties: Vec<&Party>) -> PartOf {
    let mut names: Vec<String> = parties.iter().map(|party| party.name.clone()).collect();
    sort::sort(&mut names);
    part.clone().without(names)
}
