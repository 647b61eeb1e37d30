//! The calls about keys of all four kinds, and what they carry.
//! Must not live here: tokens (`token`), who may make which key.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::endpoint::{Done, Input, Plain, bare_calls, null_as_default};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{ItemId, Scope, TailnetName};
use super::uri;

/// A key with which devices join, an access token, an OAuth client or a federated identity. Only `id` is certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Key {
    /// Its identifier.
    pub id: String,
    /// `auth`, `api`, `client` or `federated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_type: Option<String>,
    /// The secret: only in the answer to the creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// A description for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its owner; none where it belongs to the tailnet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// When it was last replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
    /// When it expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// Its whole lifetime in seconds, not the time that is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry_seconds: Option<u64>,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked: Option<String>,
    /// Whether it no longer works: expired, revoked or used up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<bool>,
    /// What an auth key lets a device do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<KeyCapabilities>,
    /// What the tokens of a client may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// The tags of a client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What an auth key lets a device do.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct KeyCapabilities {
    /// What it allows for devices.
    #[serde(default, deserialize_with = "null_as_default")]
    pub devices: DeviceCapabilities,
}

/// What an auth key allows for devices.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DeviceCapabilities {
    /// Joining the tailnet.
    #[serde(default, deserialize_with = "null_as_default")]
    pub create: DeviceCreation,
}

/// How a device joins with the key.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
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
    #[serde(deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// The answer to [`ListKeys`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Keys {
    /// The keys, without secrets.
    #[serde(default, deserialize_with = "null_as_default")]
    pub keys: Vec<Key>,
}

/// The parameter for a list of all keys that the caller may see.
const ALL: &str = "all";

/// `GET`: the keys of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListKeys {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// Whether to list all keys that the caller may see; otherwise only the caller's own.
    pub all: bool,
}

impl Plain for ListKeys {
    const OPERATION: Operation = Operation::ListKeys;
    type Output = Keys;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn query(&self, target: &mut String) {
        if self.all {
            uri::push_query(target, ALL, "true");
        }
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let tailnet = scope.tailnet()?;
        let all = uri::query_value(request.query(), ALL).is_some_and(|value| value == "true");
        Ok(ListKeys { tailnet, all })
    }
}

/// `POST`: makes a key; its secret is in this answer and nowhere else.
#[derive(Clone, PartialEq, Debug)]
pub struct CreateKey {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new key: its kind, capabilities or scopes, description.
    pub key: Key,
}

impl Plain for CreateKey {
    const OPERATION: Operation = Operation::CreateKey;
    type Output = Key;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        sent(&self.key)
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let key = Input::read(request)?.into()?;
        let tailnet = scope.tailnet()?;
        Ok(CreateKey { tailnet, key })
    }
}

bare_calls! {
    /// `GET`: one key. One that no longer works is invalid, or is not found.
    GetKey -> Key, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
        /// Its identifier.
        id: ItemId = item,
    }
    /// `DELETE`: ends a key; devices that joined with it stay.
    DeleteKey -> Done, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
        /// Its identifier.
        id: ItemId = item,
    }
}

/// `PUT`: replaces an OAuth client or a federated identity: a field that is left out is removed.
#[derive(Clone, PartialEq, Debug)]
pub struct SetKey {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// Its identifier.
    pub id: ItemId,
    /// The new value.
    pub key: Key,
}

impl Plain for SetKey {
    const OPERATION: Operation = Operation::SetKey;
    type Output = Key;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone()).and(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        sent(&self.key)
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetKey {
            tailnet: scope.tailnet()?,
            id: scope.item()?,
            key: Input::read(request)?.into()?,
        })
    }
}

/// The key as a body: without the id if it is empty, as the service gives it to a new key.
fn sent(key: &Key) -> Option<Value> {
    let mut value = serde_json::to_value(key).ok()?;
    if let Some(members) = value.as_object_mut().filter(|_| key.id.is_empty()) {
        members.remove("id");
    }
    Some(value)
}
