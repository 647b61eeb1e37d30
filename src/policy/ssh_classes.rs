//! The ends that may log in or be logged in to, and which of them the ssh rules of two documents treat alike.
//! Must not live here: what changes for them.

use super::ssh_access::{Ends, SshAccess};
use super::tailnet::device_names::DeviceNames;
use super::tailnet::endpoint::by_identity;
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::network::Network;
use super::tailnet::parties::{Parties, Stands};
use super::tailnet::party::Side;
use crate::tables::index::{Index, Runs};

/// The ends that may log in, or be logged in to, under either document, one end each.
pub fn parties<'p>(networks: [&Network<'p>; 2], side: Side) -> Vec<Stands<'p>> {
    let mut parties = Parties::default();
    let [first, _] = networks;
    let by_device = first.context.devices.is_some();
    if by_device {
        parties.add_devices(first, &DeviceNames::of(first.context));
    }
    for network in networks {
        match (by_device, side) {
            (false, side) => parties.add_ssh_names(network, side),
            (true, Side::Source) => {
                let mut names = Parties::default();
                names.add_ssh_names(network, side);
                parties.add_without_devices(names);
            }
            (true, Side::Destination) => {}
        }
    }
    let mut listed = match by_device {
        true => parties.in_order(),
        false => parties.sorted(),
    };
    for stands in &mut listed {
        stands.ends = by_identity(std::mem::take(&mut stands.ends));
    }
    listed
}

/// Parties that the rules of both documents treat alike.
pub struct Classes<'p> {
    /// One end of each class, with its selectors in either document.
    pub ends: [Ends<'p>; 2],
    /// The parties of each class.
    pub members: Vec<Vec<usize>>,
}

impl<'p> Classes<'p> {
    /// Classes that hold under both documents.
    #[inline(never)]
    pub fn new(access: &[SshAccess<'_, 'p>; 2], side: Side, parties: &[Stands<'p>]) -> Classes<'p> {
        let by_user = access
            .iter()
            .any(|access| access.has_own() || side == Side::Source && access.has_own_names());
        let mut classes = Classes {
            ends: Default::default(),
            members: Vec::new(),
        };
        let (mut known, mut users) = (Runs::default(), Index::default());
        for (at, stands) in parties.iter().enumerate() {
            let Some(end) = stands.ends.first() else {
                continue;
            };
            let next = users.len();
            let mut run = vec![match end.identity {
                Identity::User(login) if by_user => 3 + users.place(login, next) as u64,
                Identity::OWN => 2,
                Identity::Some(..) | Identity::Unknown => 1,
                _ => 0,
            }];
            let takers = [0, 1].map(|at| {
                let access = access.get(at);
                access.map_or(Vec::new(), |access| access.takers(side, end))
            });
            for takers in &takers {
                run.push(u64::MAX);
                for &(selector, answer) in takers {
                    run.push((selector as u64) << 1 | u64::from(answer == Answer::Yes));
                }
            }
            let class = known.place(&run);
            if class == classes.members.len() {
                classes.members.push(Vec::new());
                for (ends, takers) in classes.ends.iter_mut().zip(takers) {
                    ends.list.push(end.clone());
                    ends.takers.push(takers);
                }
            }
            if let Some(members) = classes.members.get_mut(class) {
                members.push(at);
            }
        }
        classes
    }

    /// The classes that each selector of a document includes, by its index.
    pub fn taken(
        &self,
        access: &[SshAccess<'_, '_>; 2],
        document: usize,
        side: Side,
    ) -> Vec<Vec<(usize, Answer)>> {
        match (access.get(document), self.ends.get(document)) {
            (Some(access), Some(ends)) => access.taken(side, ends),
            _ => Vec::new(),
        }
    }
}
