//! Ends that the same selectors include, evaluated once; and parties by the classes of their ends.
//! Must not live here: what they reach (reach.rs).

use super::endpoint::{Endpoint, Place};
use super::flow::Judge;
use super::identity::{Answer, Identity};
use super::net::Net;
use super::parties::Party;
use super::party::Side;
use crate::tables::index::{Index, Runs};
use crate::tables::sort;

/// A party and the ends that it stands for: for a source all of them count, for a destination one is enough.
#[derive(Clone, Debug)]
pub struct Stands<'p> {
    /// Who or what.
    pub party: Party,
    /// The machines or addresses.
    pub ends: Vec<Endpoint<'p>>,
}

/// Ends in classes, and parties by the classes of their ends.
pub struct Classes<'p> {
    /// One end of each class.
    pub ends: Vec<Endpoint<'p>>,
    /// The selectors that include the ends of each class, for each document.
    pub takers: Vec<Vec<Vec<(usize, Answer)>>>,
    /// The classes of the ends of each group of parties, ascending.
    pub groups: Vec<Vec<usize>>,
    /// The parties of each group.
    pub members: Vec<Vec<usize>>,
    /// The group of each party.
    pub of_party: Vec<usize>,
}

impl<'p> Classes<'p> {
    /// Classes that hold under each of some documents.
    #[inline(never)]
    pub fn new(judges: &[&Judge<'p>], side: Side, parties: &[Stands<'p>]) -> Classes<'p> {
        let owned = judges.iter().any(|judge| judge.about.has_own());
        let mut classes = Classes {
            ends: Vec::new(),
            takers: vec![Vec::new(); judges.len()],
            groups: Vec::new(),
            members: Vec::new(),
            of_party: Vec::with_capacity(parties.len()),
        };
        let (mut known, mut known_groups, mut owners) =
            (Runs::default(), Runs::default(), Index::default());
        for (at, stands) in parties.iter().enumerate() {
            let mut group = Vec::with_capacity(stands.ends.len());
            for end in &stands.ends {
                let mut run = own_marks(end, side, owned, &mut owners);
                let mut takers = Vec::with_capacity(judges.len());
                for judge in judges {
                    if side == Side::Source && judge.policy().allows_all() {
                        // If everything is allowed to everyone in the tailnet, no selector tells who is in it.
                        run.push(judge.network.is_in_tailnet(end) as u64);
                    }
                    let found = match side {
                        Side::Source => judge.about.sources.takers(&judge.network, end),
                        Side::Destination => judge.about.destinations.takers(&judge.network, end),
                    };
                    add_takers(&found, &mut run);
                    if side == Side::Source && judge.has_via {
                        // The way also depends on the other addresses of the device.
                        add_takers(&judge.about.takers_of_sender(&judge.network, end), &mut run);
                    }
                    takers.push(found);
                }
                let class = known.place(&run);
                if class == classes.ends.len() {
                    classes.ends.push(end.clone());
                    for (all, found) in classes.takers.iter_mut().zip(takers) {
                        all.push(found);
                    }
                }
                group.push(class);
            }
            sort::sort(&mut group);
            group.dedup();
            let place = known_groups.place_of(&group);
            if place == classes.groups.len() {
                classes.groups.push(group);
                classes.members.push(Vec::new());
            }
            if let Some(members) = classes.members.get_mut(place) {
                members.push(at);
            }
            classes.of_party.push(place);
        }
        classes
    }

    /// The groups of parties that contain each class.
    pub fn groups_of(&self) -> Vec<Vec<usize>> {
        let mut groups_of = vec![Vec::new(); self.ends.len()];
        for (group, own) in self.groups.iter().enumerate() {
            for &class in own {
                if let Some(groups) = groups_of.get_mut(class) {
                    groups.push(group);
                }
            }
        }
        groups_of
    }
}

fn add_takers(takers: &[(usize, Answer)], run: &mut Vec<u64>) {
    run.push(u64::MAX);
    for (selector, answer) in takers {
        run.push((*selector as u64) << 1 | u64::from(*answer == Answer::Yes));
    }
}

/// What distinguishes ends besides the selectors that include them: their user, if a rule depends on it; and for a
/// destination its address, if routes decide who receives.
fn own_marks<'p>(end: &Endpoint<'p>, side: Side, owned: bool, owners: &mut Index<'p>) -> Vec<u64> {
    let mut run = Vec::new();
    match end.identity.role_aside() {
        Identity::User(login) if owned => {
            let next = owners.len();
            run.push(1 + owners.place(login, next) as u64);
        }
        Identity::OWN => run.push(u64::MAX - 1),
        // An end that may belong to any user may share one with any other.
        Identity::Unknown | Identity::Some(..) if owned => run.push(u64::MAX - 2),
        _ => {}
    }
    match (side, &end.place, end.device) {
        (Side::Destination, Place::At(address), None) => Net::from(*address).number(&mut run),
        // Routes lead to some sets as a whole, and to others in part.
        (Side::Destination, Place::All(set), None) => {
            for range in set.ranges() {
                Net::Range(range).number(&mut run);
            }
        }
        _ => {}
    }
    run
}
