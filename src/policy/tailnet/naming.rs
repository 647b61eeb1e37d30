//! Devices by the names of their users and tags, if all devices of one are meant; else by their own names.
//! Must not live here: what is said about them.

use super::endpoint::Place;
use super::identity::Identity;
use super::parties::{Party, PartyKind, Stands};
use crate::cidr::AddressSet;
use crate::tables::index::{Index, Lists};

/// The parties of one list by the users and tags of their devices.
pub struct Naming<'a> {
    parties: &'a [Stands<'a>],
    by_user: Lists<'a>,
    by_tag: Lists<'a>,
    /// The party that is `*`.
    pub everywhere: Option<usize>,
}

impl<'a> Naming<'a> {
    /// Those of a list.
    pub fn new(parties: &'a [Stands<'a>]) -> Naming<'a> {
        let mut naming = Naming {
            parties,
            by_user: Lists::default(),
            by_tag: Lists::default(),
            everywhere: None,
        };
        for (at, stands) in parties.iter().enumerate() {
            if stands.party.kind == PartyKind::Any {
                naming.everywhere = Some(at);
            }
            if stands.party.kind != PartyKind::Device {
                continue;
            }
            match stands.ends.first().map(|end| end.identity) {
                Some(Identity::User(login)) => naming.by_user.add(login, at),
                Some(Identity::Tags(tags)) => {
                    for tag in tags {
                        naming.by_tag.add(tag.trim(), at);
                    }
                }
                _ => {}
            }
        }
        naming
    }

    /// Whether a party is one device, by its own name or by that of its user or tag.
    pub fn is_one_device(&self, party: &Party) -> bool {
        let one = |list: &[usize]| list.len() == 1;
        match party.kind {
            PartyKind::Device => true,
            PartyKind::User => one(self.by_user.get(&party.name)),
            PartyKind::Tag => one(self.by_tag.get(&party.name)),
            _ => false,
        }
    }

    /// Some parties, ascending, by as few names as cover exactly them; with its index for one that goes by its own name.
    #[inline(never)]
    pub fn named(&self, places: &[usize]) -> Vec<(Party, Option<usize>)> {
        let mut named = Vec::new();
        let mut is_told = vec![false; places.len()];
        let mut asked = Index::default();
        for &place in places {
            let Some(stands) = self.parties.get(place) else {
                continue;
            };
            let identity = stands.ends.first().map(|end| end.identity);
            if stands.party.kind != PartyKind::Device {
                continue;
            }
            let (kind, lists, names): (_, _, Vec<&str>) = match identity {
                Some(Identity::User(login)) => (PartyKind::User, &self.by_user, vec![login]),
                Some(Identity::Tags(tags)) => {
                    let tags = tags.iter().map(|tag| tag.trim());
                    (PartyKind::Tag, &self.by_tag, tags.collect())
                }
                _ => continue,
            };
            for name in names {
                // Each name is tried once.
                if !asked.set(name.into(), 0) {
                    continue;
                }
                if mark_all(lists.get(name), places, &mut is_told) {
                    let party = Party {
                        kind,
                        name: name.to_owned(),
                        id: None,
                    };
                    named.push((party, None));
                }
            }
        }
        for (&place, is_told) in places.iter().zip(is_told) {
            if let (false, Some(stands)) = (is_told, self.parties.get(place)) {
                named.push((stands.party.clone(), Some(place)));
            }
        }
        named
    }
}

/// Marks the indices of a name if all of them are among those given, and one is not marked yet. Returns whether it did.
fn mark_all(wanted: &[usize], places: &[usize], is_told: &mut [bool]) -> bool {
    let mut found = Vec::with_capacity(wanted.len());
    for place in wanted {
        match places.binary_search(place) {
            Ok(at) => found.push(at),
            Err(_) => return false,
        }
    }
    if found.iter().all(|&at| is_told.get(at) == Some(&true)) {
        return false;
    }
    for at in found {
        if let Some(is_told) = is_told.get_mut(at) {
            *is_told = true;
        }
    }
    true
}

impl Stands<'_> {
    /// The addresses of a party that is a set of them.
    pub fn set(&self) -> Option<&AddressSet> {
        match self.ends.first().map(|end| &end.place) {
            Some(Place::All(set)) => Some(set),
            _ => None,
        }
    }
}
