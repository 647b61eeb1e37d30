//! What the calls carry about invites to become a user. Must not live here: users.
use serde_json::{Map, Value};

use super::input::sent_as_items;
use super::payload::{Done, given_as_items, given_as_json};
use super::shape::{MemberKind, Shape, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// An invite to make.
    #[derive(Eq)]
    #[serde(expecting = "an object")]
    pub struct NewUserInvite {
        /// The role that the user will have; `member` by default.
        pub role: Option<String>,
        /// Whom it is mailed to; nobody by default.
        pub email: Option<String>,
    }

    /// An invite to become a user. Only `id` is certain.
    #[non_exhaustive]
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
        pub email: Option<String>,
        /// When it was last mailed, RFC 3339.
        pub last_email_sent_at: Option<String>,
        /// The address under which it is accepted: a secret.
        pub invite_url: String,
        /// Everything else.
        pub other: Map<String, Value>,
    }
}

sent_as_items! { NewUserInvite, }

given_as_items! { UserInvite, }

given_as_json! { UserInvite: Shape::Object(&[member("id", MemberKind::Text)]), }

const INVITES: &str = "/api/v2/tailnet/:tailnet/user-invites";
const INVITE: &str = "/api/v2/user-invites/:inviteID";

operations! {
    /// The open invites to become a user.
    ListUserInvites(tailnet: TailnetName) "userInvites.list", Get INVITES, Read;
        gives Vec<UserInvite>; needs Area("users");
        example "const open = await client.userInvites.list()";
        heads "userInvites" "Invites to become a user. Writes need the token of a user: to that of an OAuth client they are a PermissionDeniedError.";
    /// Makes invites to become a user, and mails those that have an address.
    CreateUserInvites(tailnet: TailnetName) "userInvites.create", Post INVITES, Once;
        sends invites: Vec<NewUserInvite>; gives Vec<UserInvite>; needs Person("users"); refuses "`bad_request` (role, address)";
        example "const [{ inviteUrl }] = await client.userInvites.create([{ role: 'admin', email: 'eve@example.com' }])";
    /// One invite to become a user.
    GetUserInvite(id: ItemId) "userInvites.get", Get INVITE, Read;
        gives UserInvite; needs Area("users"); refuses "`not_found`";
        example "const [{ id }] = await client.userInvites.create([{}])
            const invite = await client.userInvites.get(id)
            invite.role // → 'member'";
    /// Takes an invite to become a user back.
    DeleteUserInvite(id: ItemId) "userInvites.delete", Delete INVITE, Once;
        gives Done; needs Person("users"); refuses "`not_found`";
        example "const [{ id }] = await client.userInvites.create([{}])
            await client.userInvites.delete(id)";
    /// Mails an invite to become a user again, at most once a minute.
    ResendUserInvite(id: ItemId) "userInvites.resend", Post "/api/v2/user-invites/:inviteID/resend", Once;
        gives Done; needs Person("users"); refuses "`not_found`, `bad_request` (no address), `rate_limit` (once a minute)";
        example "const [{ id }] = await client.userInvites.create([{ email: 'eve@example.com' }])
            sandbox.advance(60_000)
            await client.userInvites.resend(id)";
}
