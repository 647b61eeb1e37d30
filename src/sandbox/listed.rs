//! Things that a tailnet lists, each with an id of its own: how one is found among the tailnets that the key opens, and removed.
//! Must not live here: what else is done with it.

use super::Sandbox;
use super::choices::{Outcome, Refusal};
use super::state::Tailnet;
use crate::api::{DeviceInvite, Done, ItemId, PostureIntegration, UserInvite, Webhook};

/// Such a thing.
pub(super) trait Listed: Sized {
    /// What a refusal calls it.
    const WHAT: &str;

    fn id(&self) -> &str;

    fn all(tailnet: &Tailnet) -> &Vec<Self>;

    fn all_mut(tailnet: &mut Tailnet) -> &mut Vec<Self>;
}

/// `Type: what it is called, the list of a tailnet, the member that is its id;`
macro_rules! listed {
    ($($type:ty: $what:literal, $list:ident, $id:ident;)+) => {$(
        impl Listed for $type {
            const WHAT: &str = $what;

            fn id(&self) -> &str {
                &self.$id
            }

            fn all(tailnet: &Tailnet) -> &Vec<Self> {
                &tailnet.$list
            }

            fn all_mut(tailnet: &mut Tailnet) -> &mut Vec<Self> {
                &mut tailnet.$list
            }
        }
    )+};
}

listed! {
    DeviceInvite: "device invite", device_invites, id;
    PostureIntegration: "posture integration", posture_integrations, id;
    UserInvite: "user invite", user_invites, id;
    Webhook: "webhook", webhooks, endpoint_id;
}

impl Tailnet {
    /// The thing with that id.
    pub(super) fn listed<T: Listed>(&self, id: &str) -> Option<&T> {
        T::all(self).iter().find(|thing| thing.id() == id)
    }
}

impl Sandbox {
    /// The thing with that id, in a tailnet that the key opens, and the name of that.
    pub(super) fn listed<T: Listed>(&self, id: &ItemId) -> Outcome<(&str, &T)> {
        let mut open = self.open();
        let found = open.find_map(|(home, tailnet)| Some((home, tailnet.listed(id.as_str())?)));
        found.ok_or_else(|| unknown::<T>(id))
    }

    /// The same, to change it.
    pub(super) fn listed_mut<T: Listed>(&mut self, id: &ItemId) -> Outcome<(String, &mut T)> {
        let (home, all) = self.list_of::<T>(id)?;
        let found = all.iter_mut().find(|thing| thing.id() == id.as_str());
        found
            .map(|thing| (home, thing))
            .ok_or_else(|| unknown::<T>(id))
    }

    /// Removes it from its tailnet.
    pub(super) fn unlist<T: Listed>(&mut self, id: &ItemId) -> Outcome<Done> {
        let (_, all) = self.list_of::<T>(id)?;
        all.retain(|thing| thing.id() != id.as_str());
        Ok(Done)
    }

    /// The list that it is in, and the name of its tailnet.
    fn list_of<T: Listed>(&mut self, id: &ItemId) -> Outcome<(String, &mut Vec<T>)> {
        let found = self.home_where(&|tailnet| tailnet.listed::<T>(id.as_str()).is_some());
        let found = found.map(|(home, tailnet)| (home, T::all_mut(tailnet)));
        found.ok_or_else(|| unknown::<T>(id))
    }
}

fn unknown<T: Listed>(id: &ItemId) -> Refusal {
    Refusal::Unknown(T::WHAT, id.as_str().to_owned())
}
