//! What the calls carry about invites to share a device. Must not live here: devices.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::{bodies, sent_as_items};
use super::payload::{given_as_items, given_as_json};
use super::shape::{MemberKind, Shape, member};

/// An invite to make.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub struct NewDeviceInvite {
    /// Whether more than one may accept it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub multi_use: bool,
    /// Whether who accepts it may use the device as exit node.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_exit_node: bool,
    /// Whom it is mailed to; nobody by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

/// An invite to share a device. Only `id` is certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// When it was last mailed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_email_sent_at: Option<String>,
    /// The address under which it is accepted: a secret.
    pub invite_url: String,
    /// Whether it was accepted.
    pub accepted: bool,
    /// Who accepted it, and everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
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
