//! What the calls about users carry. Must not live here: what a role may do.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::bodies;
use super::payload::{given_as_json, null_as_default};
use super::query::queries;
use super::shape::{MemberKind, Shape, list, member};

/// A user. Only `id` is certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct User {
    /// The identifier; not the login name.
    pub id: String,
    /// The login name.
    pub login_name: String,
    /// `owner`, `admin`, `member` and so on; `None` where the role is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// `active`, `suspended`, `needs-approval` and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `member`, or `shared` for a user of another tailnet.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The answer to [`ListUsers`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Users {
    /// The users.
    #[serde(default, deserialize_with = "null_as_default")]
    pub users: Vec<User>,
}

given_as_json! {
    User: Shape::Object(&[member("id", MemberKind::Text)]),
    Users: list("users"),
}

queries! {
    /// Which users are listed; without a kind, the members.
    UsersWanted {
        /// `member`, `shared` or `all`.
        kind: Option<String> = "type",
        /// A role or `all`.
        role: Option<String> = "role",
    }
}

bodies! {
    /// The role of a user.
    UserRole {
        /// The new role.
        role: String = "role",
    }
}
