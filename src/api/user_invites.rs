//! What the calls carry about invites to become a user. Must not live here: users.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::sent_as_items;
use super::payload::{given_as_items, given_as_json};
use super::shape::{MemberKind, Shape, member};

/// An invite to make.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
pub struct NewUserInvite {
    /// The role that the user will have; `member` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Whom it is mailed to; nobody by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

/// An invite to become a user. Only `id` is certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UserInvite {
    /// Its identifier: digits.
    pub id: String,
    /// The role that the user will have.
    pub role: String,
    /// The number of the tailnet.
    pub tailnet_id: u64,
    /// The number of the user who made it.
    pub inviter_id: u64,
    /// Whom it was mailed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// When it was last mailed, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_email_sent_at: Option<String>,
    /// The address under which it is accepted: a secret.
    pub invite_url: String,
    /// Everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

sent_as_items! { NewUserInvite, }

given_as_items! { UserInvite, }

given_as_json! { UserInvite: Shape::Object(&[member("id", MemberKind::Text)]), }
