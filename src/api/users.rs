//! The calls about users, and what they carry. Must not live here: what a role may do.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::endpoint::{Done, Input, Plain, bare_calls, null_as_default};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{ItemId, Scope, TailnetName};
use super::uri;

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

const TYPE: &str = "type";
const ROLE: &str = "role";

/// `GET`: the users of a tailnet; without a kind, its members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListUsers {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// `member`, `shared` or `all`.
    pub kind: Option<String>,
    /// A role or `all`.
    pub role: Option<String>,
}

impl Plain for ListUsers {
    const OPERATION: Operation = Operation::ListUsers;
    type Output = Users;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn query(&self, target: &mut String) {
        for (name, value) in [(TYPE, &self.kind), (ROLE, &self.role)] {
            if let Some(value) = value {
                uri::push_query(target, name, value);
            }
        }
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(ListUsers {
            tailnet: scope.tailnet()?,
            kind: uri::query_value(request.query(), TYPE),
            role: uri::query_value(request.query(), ROLE),
        })
    }
}

bare_calls! {
    /// `GET`: one user.
    GetUser -> User, 200 {
        /// The user.
        id: ItemId = item,
    }
    /// `POST`: lets a waiting user in.
    ApproveUser -> Done, 200 {
        /// The user.
        id: ItemId = item,
    }
    /// `POST`: ends a user's connections, tokens and keys until the user is restored.
    SuspendUser -> Done, 200 {
        /// The user.
        id: ItemId = item,
    }
    /// `POST`: undoes a suspension.
    RestoreUser -> Done, 200 {
        /// The user.
        id: ItemId = item,
    }
    /// `POST`: removes a user with their devices, keys and tokens.
    DeleteUser -> Done, 200 {
        /// The user.
        id: ItemId = item,
    }
}

/// `POST`: changes the role of a user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetUserRole {
    /// The user.
    pub id: ItemId,
    /// The new role.
    pub role: String,
}

impl Plain for SetUserRole {
    const OPERATION: Operation = Operation::SetUserRole;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"role": self.role}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetUserRole {
            id: scope.item()?,
            role: Input::read(request)?.text("role")?.to_owned(),
        })
    }
}
