//! The calls about invites to share a device. Nothing is mailed, and an invite that is accepted puts the device into no other tailnet.
//! Must not live here: devices (`devices`).

use serde_json::{Value, json};

use super::choices::{Outcome, Refusal, refused};
use super::listed::Listed;
use super::perform::serves;
use super::state::Tailnet;
use super::user_invites::{mail_again, mailed, number};
use super::{Sandbox, clock};
use crate::api::input::object;
use crate::api::{
    AcceptDeviceInvite, AcceptedInvite, CreateDeviceInvites, DeleteDeviceInvite, DeviceInvite,
    Done, GetDeviceInvite, ItemId, ListDeviceInvites, ResendDeviceInvite,
};

serves! {
    ListDeviceInvites: plain list_device_invites,
    CreateDeviceInvites: timed create_device_invites,
    GetDeviceInvite: plain get_device_invite,
    DeleteDeviceInvite: plain delete_device_invite,
    ResendDeviceInvite: timed resend_device_invite,
    AcceptDeviceInvite: plain accept_device_invite,
}

impl Sandbox {
    fn list_device_invites(&mut self, call: ListDeviceInvites) -> Outcome<Vec<DeviceInvite>> {
        let device = number(self.device(&call.id)?.id());
        let (_, tailnet) = self.home_of(&call.id)?;
        let all = tailnet.device_invites.iter();
        Ok(all
            .filter(|invite| invite.device_id == device)
            .cloned()
            .collect())
    }

    fn create_device_invites(
        &mut self,
        call: CreateDeviceInvites,
        now: i64,
    ) -> Outcome<Vec<DeviceInvite>> {
        let device = number(self.device(&call.id)?.id());
        let home = self.home_of(&call.id)?.0;
        let sharer = self.actor(&home).id;
        let mut made = Vec::new();
        for wanted in call.invites {
            let email = mailed(wanted.email)?;
            let code = self.fresh("device invite", now);
            made.push(DeviceInvite {
                id: number(&code).to_string(),
                created: clock::utc(now),
                tailnet_id: number(&home),
                device_id: device,
                sharer_id: number(&sharer),
                multi_use: wanted.multi_use,
                allow_exit_node: wanted.allow_exit_node,
                last_email_sent_at: email.as_ref().map(|_| clock::utc(now)),
                email,
                invite_url: format!("https://login.example/admin/invite/{code}"),
                ..DeviceInvite::default()
            });
        }
        let (_, tailnet) = self.home_of(&call.id)?;
        tailnet.device_invites.extend(made.iter().cloned());
        Ok(made)
    }

    fn get_device_invite(&mut self, call: GetDeviceInvite) -> Outcome<DeviceInvite> {
        Ok(self.listed::<DeviceInvite>(&call.id)?.1.clone())
    }

    fn delete_device_invite(&mut self, call: DeleteDeviceInvite) -> Outcome<Done> {
        self.unlist::<DeviceInvite>(&call.id)
    }

    fn resend_device_invite(&mut self, call: ResendDeviceInvite, now: i64) -> Outcome<Done> {
        let (_, invite) = self.listed_mut::<DeviceInvite>(&call.id)?;
        mail_again(invite.email.as_deref(), &mut invite.last_email_sent_at, now)
    }

    /// By its address or the code at the end of that.
    fn accept_device_invite(&mut self, call: AcceptDeviceInvite) -> Outcome<AcceptedInvite> {
        let asked = call.body.invite;
        let code = asked.rsplit('/').next().unwrap_or_default().to_owned();
        let is = |invite: &&DeviceInvite| invite.invite_url.rsplit('/').next() == Some(&code);
        let found = self
            .open()
            .find_map(|(_, home)| home.device_invites.iter().find(is));
        let found = found.and_then(|invite| ItemId::new(invite.id.clone()).ok());
        let unknown = || {
            let named = ItemId::new(code.clone()).map_or(asked, |_| code.clone());
            Refusal::Unknown(DeviceInvite::WHAT, named)
        };
        let id = found.ok_or_else(unknown)?;
        let home = self.listed::<DeviceInvite>(&id)?.0.to_owned();
        let by = self.actor(&home);
        let by = json!({"id": by.id, "loginName": by.login_name, "displayName": by.display_name});
        let (_, invite) = self.listed_mut::<DeviceInvite>(&id)?;
        if invite.accepted && !invite.multi_use {
            return refused!("the invite has been accepted already");
        }
        invite.accepted = true;
        invite.other.insert("acceptedBy".to_owned(), by.clone());
        let (device, allow_exit_node) = (invite.device_id, invite.allow_exit_node);
        let shared = self.state.tailnets.get(&home);
        let shared = shared.and_then(|tailnet| shown(tailnet, device, allow_exit_node));
        let answer = [("device", shared.unwrap_or_default()), ("acceptedBy", by)];
        Ok(AcceptedInvite(object(answer)))
    }
}

/// What who accepts an invite sees of the device.
fn shown(tailnet: &Tailnet, number_of: u64, include_exit_node: bool) -> Option<Value> {
    let mut all = tailnet.devices.iter();
    let device = all.find(|device| number(device.id()) == number_of)?;
    let name = device.text("name");
    let addresses = device.list("addresses");
    let short = name.split('.').next();
    Some(
        json!({"id": device.id(), "os": device.text("os"), "name": short, "fqdn": name, "ipv4": addresses.first(),
        "includeExitNode": include_exit_node}),
    )
}
