//! What the calls about keys of all four kinds carry.
//! Must not live here: tokens (`token`), who may make which key.
use serde_json::{Map, Value};

use super::input::sent_as_json;
use super::payload::{Done, given_as_json, null_as_default};
use super::query::queries;
use super::shape::{MemberKind, Shape, list, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// A key with which devices join, an access token, an OAuth client or a federated identity. Only `id` is certain.
    #[non_exhaustive]
    pub struct Key {
        /// Its identifier; empty for one that is yet to be made.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub id: String,
        /// `auth`, `api`, `client` or `federated`.
        pub key_type: Option<String>,
        /// The secret: only in the answer to the creation.
        pub key: Option<String>,
        /// A description for people.
        pub description: Option<String>,
        /// Its owner; none where it belongs to the tailnet.
        pub user_id: Option<String>,
        /// When it was made.
        pub created: Option<String>,
        /// When it was last replaced.
        pub updated: Option<String>,
        /// When it expires.
        pub expires: Option<String>,
        /// Its whole lifetime in seconds, not the time that is left.
        pub expiry_seconds: Option<u64>,
        /// When it was revoked.
        pub revoked: Option<String>,
        /// Whether it no longer works: expired, revoked or used up.
        pub invalid: Option<bool>,
        /// What an auth key lets a device do.
        pub capabilities: Option<KeyCapabilities>,
        /// What the tokens of a client may do.
        pub scopes: Option<Vec<String>>,
        /// The tags of a client.
        pub tags: Option<Vec<String>>,
        /// Everything else.
        pub other: Map<String, Value>,
    }

    /// What an auth key lets a device do.
    #[derive(Eq)]
    pub struct KeyCapabilities {
        /// What it allows for devices.
        #[serde(deserialize_with = "null_as_default")]
        pub devices: DeviceCapabilities,
    }

    /// What an auth key allows for devices.
    #[derive(Eq)]
    pub struct DeviceCapabilities {
        /// Joining the tailnet.
        #[serde(deserialize_with = "null_as_default")]
        pub create: DeviceCreation,
    }

    /// How a device joins with the key.
    #[derive(Eq)]
    pub struct DeviceCreation {
        /// Whether the key is good for more than one device.
        #[serde(deserialize_with = "null_as_default")]
        pub reusable: bool,
        /// Whether the devices are removed once they stay offline.
        #[serde(deserialize_with = "null_as_default")]
        pub ephemeral: bool,
        /// Whether they need no approval.
        #[serde(deserialize_with = "null_as_default")]
        pub preauthorized: bool,
        /// The tags they get.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tags: Vec<String>,
    }

    /// The answer to [`ListKeys`].
    #[non_exhaustive]
    pub struct Keys {
        /// The keys, without secrets.
        pub keys: Vec<Key>,
    }
}

sent_as_json! { Key: &[], }

given_as_json! {
    Key: Shape::Object(&[member("id", MemberKind::Text)]),
    Keys: list("keys"),
}

queries! {
    /// Which keys are listed.
    KeysWanted {
        /// Whether all keys that the caller may see; otherwise only the caller's own.
        all: bool = "all",
    }
}

const KEYS: &str = "/api/v2/tailnet/:tailnet/keys";
const KEY: &str = "/api/v2/tailnet/:tailnet/keys/:keyID";

operations! {
    /// All keys that the caller may see, whoever created them.
    ListKeys(tailnet: TailnetName) "keys.list", Get KEYS, Read;
        sends wanted: KeysWanted; gives Keys; needs OfCall;
        typed "(): Key[]";
        example "const alive = (await client.keys.list()).filter(({ invalid }) => !invalid)";
        heads "keys" "Keys that devices join with, access tokens, OAuth clients, federated identities.";
    /// Makes a key, an OAuth client or a federated identity. Only this answer contains the secret: if it is lost, list the keys, delete it and make another.
    CreateKey(tailnet: TailnetName) "keys.create", Post KEYS, Once;
        sends key: Key; gives Key; needs OfCall; logs whole(Key); refuses "`bad_request` (tags without an owner, expiry too long)";
        typed "(key: NewAuthKey | NewOAuthClient): Key & { /** The secret. */ key: string }";
        typed "/** A federated identity, which has no secret. */ (key: NewFederatedIdentity): Key";
        example "const { id, key } = await client.keys.create({ capabilities: { devices: { create: { tags: ['tag:web'] } } }, expirySeconds: 600 })";
    /// One key. A key that no longer works is `invalid`, or not found.
    GetKey(tailnet: TailnetName, id: ItemId) "keys.get", Get KEY, Read;
        gives Key; needs OfCall; refuses "`not_found`";
        example "const { id } = await client.keys.create({ capabilities: { devices: {} } })
            const { expires } = await client.keys.get(id)";
    /// Replaces an OAuth client or a federated identity: what is left out is cleared.
    SetKey(tailnet: TailnetName, id: ItemId) "keys.set", Put KEY, Replace;
        sends key: Key; gives Key; needs OfCall; logs whole(Key); refuses "`not_found`, `bad_request`";
        typed "(id: string, key: NewOAuthClient | NewFederatedIdentity): Key";
        example "const { id } = await client.keys.create({ keyType: 'client', scopes: ['dns'] })
            await client.keys.set(id, { keyType: 'client', scopes: ['dns:read'] })";
    /// Ends a key. Devices that joined with it stay; all tokens of a client end.
    DeleteKey(tailnet: TailnetName, id: ItemId) "keys.delete", Delete KEY, Once;
        gives Done; needs OfCall; logs whole(Key); refuses "`not_found`";
        example "const { id } = await client.keys.create({ capabilities: { devices: {} } })
            await client.keys.delete(id)";
}
