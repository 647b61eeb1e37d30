//! What the calls carry about invites to share a device. Must not live here: devices.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::{bodies, sent_as_items};
use super::payload::{Done, given_as_items, given_as_json};
use super::shape::{MemberKind, Shape, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// An invite to make.
    #[derive(Eq)]
    #[serde(expecting = "an object")]
    pub struct NewDeviceInvite {
        /// Whether more than one may accept it.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub multi_use: bool,
        /// Whether who accepts it may use the device as exit node.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub allow_exit_node: bool,
        /// Whom it is mailed to; nobody by default.
        pub email: Option<String>,
    }

    /// An invite to share a device. Only `id` is certain.
    #[non_exhaustive]
    pub struct DeviceInvite {
        /// Its identifier: digits.
        pub id: String,
        /// When it was made, RFC 3339.
        pub created: String,
        /// The number of the tailnet.
        pub tailnet_id: u64,
        /// The number of the device.
        pub device_id: u64,
        /// The number of the user who made it.
        pub sharer_id: u64,
        /// Whether more than one may accept it.
        pub multi_use: bool,
        /// Whether who accepts it may use the device as exit node.
        pub allow_exit_node: bool,
        /// Whom it was mailed to.
        pub email: Option<String>,
        /// When it was last mailed.
        pub last_email_sent_at: Option<String>,
        /// The address under which it is accepted: a secret.
        pub invite_url: String,
        /// Whether it was accepted.
        pub accepted: bool,
        /// Who accepted it, and everything else.
        pub other: Map<String, Value>,
    }
}

/// What was accepted: `device`, `sharer` and `acceptedBy`, as far as the service says so.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AcceptedInvite(pub Map<String, Value>);

sent_as_items! { NewDeviceInvite, }

given_as_items! { DeviceInvite, }

given_as_json! {
    DeviceInvite: Shape::Object(&[member("id", MemberKind::Text)]),
    AcceptedInvite: Shape::Object(&[]),
}

bodies! {
    /// The invite that is accepted.
    InviteCode {
        /// Its address, or the code at the end of that.
        invite: String = "invite",
    }
}

const INVITES: &str = "/api/v2/device/:deviceID/device-invites";
const INVITE: &str = "/api/v2/device-invites/:inviteID";

operations! {
    /// The invites to share a device.
    ListDeviceInvites(id: DeviceId) "deviceInvites.list", Get INVITES, Read;
        gives Vec<DeviceInvite>; needs Area("device_invites"); refuses "`not_found`";
        example "const invites = await client.deviceInvites.list(device.id)";
        heads "deviceInvites" "Invites to share a device with users of other tailnets. `create`, `resend` and `accept` need the token of a user.";
    /// Makes invites to share a device, and mails those that have an address.
    CreateDeviceInvites(id: DeviceId) "deviceInvites.create", Post INVITES, Once;
        sends invites: Vec<NewDeviceInvite>; gives Vec<DeviceInvite>; needs Person("device_invites"); refuses "`not_found`, `bad_request` (address)";
        example "const [{ inviteUrl }] = await client.deviceInvites.create(device.id, [{ email: 'eve@example.org', allowExitNode: true }])";
    /// One invite to share a device.
    GetDeviceInvite(id: ItemId) "deviceInvites.get", Get INVITE, Read;
        gives DeviceInvite; needs Area("device_invites"); refuses "`not_found`";
        example "const [{ id }] = await client.deviceInvites.create(device.id, [{}])
            const { accepted } = await client.deviceInvites.get(id)";
    /// Takes an invite to share a device back.
    DeleteDeviceInvite(id: ItemId) "deviceInvites.delete", Delete INVITE, Once;
        gives Done; needs Area("device_invites"); refuses "`not_found`";
        example "const [{ id }] = await client.deviceInvites.create(device.id, [{}])
            await client.deviceInvites.delete(id)";
    /// Mails an invite to share a device again, at most once a minute.
    ResendDeviceInvite(id: ItemId) "deviceInvites.resend", Post "/api/v2/device-invites/:inviteID/resend", Once;
        gives Done; needs Person("device_invites"); refuses "`not_found`, `bad_request` (no address), `rate_limit` (once a minute)";
        example "const [{ id }] = await client.deviceInvites.create(device.id, [{ email: 'eve@example.org' }])
            sandbox.advance(60_000)
            await client.deviceInvites.resend(id)";
    /// Accepts an invite to share a device, by its URL or the code at the end of that.
    AcceptDeviceInvite() "deviceInvites.accept", Post "/api/v2/device-invites/-/accept", Once;
        sends body: InviteCode; gives AcceptedInvite; needs Person("device_invites"); refuses "`not_found`, `bad_request` (used up)";
        typed "(invite: string): AcceptedInvite";
        example "const [{ inviteUrl = '' }] = await client.deviceInvites.create(device.id, [{}])
            const { device: shared } = await client.deviceInvites.accept(inviteUrl)";
}
