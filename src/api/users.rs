//! What the calls about users carry. Must not live here: what a role may do.
use serde_json::{Map, Value};

use super::input::bodies;
use super::payload::{Done, given_as_json};
use super::query::queries;
use super::shape::{MemberKind, Shape, list, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// A user. Only `id` is certain.
    #[non_exhaustive]
    pub struct User {
        /// The identifier; not the login name.
        pub id: String,
        /// The login name.
        pub login_name: String,
        /// `owner`, `admin`, `member` and so on; `None` where the role is not known.
        pub role: Option<String>,
        /// `active`, `suspended`, `needs-approval` and so on.
        pub status: Option<String>,
        /// `member`, or `shared` for a user of another tailnet.
        #[serde(rename = "type")]
        pub kind: Option<String>,
        /// Everything else.
        pub other: Map<String, Value>,
    }

    /// The answer to [`ListUsers`].
    #[non_exhaustive]
    pub struct Users {
        /// The users.
        pub users: Vec<User>,
    }
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

operations! {
    /// The users of a tailnet; without a type, its members only.
    ListUsers(tailnet: TailnetName) "users.list", Get "/api/v2/tailnet/:tailnet/users", Read;
        sends wanted: UsersWanted; gives Users; needs Area("users");
        typed "(params?: { /** Members, users of other tailnets, or both. */ type?: 'member' | 'shared' | 'all'; /** Only users with this role. */ role?: UserRole | 'all' }): User[]";
        example "const admins = await client.users.list({ role: 'admin' })";
        heads "users" "The users of the tailnet.";
    /// One user.
    GetUser(id: ItemId) "users.get", Get "/api/v2/users/:userID", Read;
        gives User; needs Area("users"); refuses "`not_found`";
        example "const [{ id }] = await client.users.list()
            const { loginName } = await client.users.get(id)";
    /// Lets a waiting user in.
    ApproveUser(id: ItemId) "users.approve", Post "/api/v2/users/:userID/approve", Replace;
        gives Done; needs Area("users"); logs part(User, "status", "USER_STATUS"); refuses "`not_found`";
        example "const [{ id }] = await client.users.list({ role: 'member' })
            await client.users.approve(id)";
    /// Suspends a user: connections, tokens and keys end until the user is restored.
    SuspendUser(id: ItemId) "users.suspend", Post "/api/v2/users/:userID/suspend", Replace;
        gives Done; needs Area("users"); logs part(User, "status", "USER_STATUS"); refuses "`not_found`";
        example "const [{ id }] = await client.users.list({ role: 'member' })
            await client.users.suspend(id)";
    /// Gives a suspended user access again.
    RestoreUser(id: ItemId) "users.restore", Post "/api/v2/users/:userID/restore", Replace;
        gives Done; needs Area("users"); logs part(User, "status", "USER_STATUS"); refuses "`not_found`";
        example "const [{ id }] = await client.users.list({ role: 'member' })
            await client.users.restore(id)";
    /// Removes a user with their devices, keys and tokens. The owner must transfer ownership first.
    DeleteUser(id: ItemId) "users.delete", Post "/api/v2/users/:userID/delete", Once;
        gives Done; needs Area("users"); logs whole(User); refuses "`not_found`, `bad_request` (the owner)";
        example "const [{ id }] = await client.users.list({ role: 'member' })
            await client.users.delete(id)";
    /// Changes the role of a user. Setting the role that a user already has fails at some services: read it first.
    SetUserRole(id: ItemId) "users.setRole", Post "/api/v2/users/:userID/role", Replace;
        sends body: UserRole; gives Done; needs Area("users"); logs part(User, "role", "USER_ROLE");
        refuses "`not_found`, `bad_request`";
        typed "(id: string, role: UserRole): void";
        example "const [{ id }] = await client.users.list({ role: 'member' })
            await client.users.setRole(id, 'auditor')";
}
