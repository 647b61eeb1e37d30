//! Users, nodes and keys as Headscale's API lists them, for Rust programs and for a server. Must not live here: which members differ between releases
//! (`shape`).

use serde::{Deserialize, Deserializer, Serialize};

/// A user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct User {
    /// The id, a number in digits.
    pub id: String,
    /// The name, by which policies may name the user.
    pub name: String,
    /// When the user was made.
    pub created_at: String,
    /// The name for people.
    pub display_name: String,
    /// The mail address.
    pub email: String,
    /// The id that the identity provider has for the user.
    pub provider_id: String,
    /// `oidc`, or empty for a user made by hand.
    pub provider: String,
    /// Where a picture of the user lies.
    pub profile_pic_url: String,
}

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Node {
    /// The id, a number in digits.
    pub id: String,
    /// The key of the machine.
    pub machine_key: String,
    /// The key of the session.
    pub node_key: String,
    /// The key by which others find a way to it.
    pub disco_key: String,
    /// Its addresses.
    #[serde(deserialize_with = "or_empty")]
    pub ip_addresses: Vec<String>,
    /// What the machine calls itself.
    pub name: String,
    /// Whose it is; of a node with tags a user that stands for all such.
    pub user: Option<User>,
    /// When it was last connected.
    pub last_seen: Option<String>,
    /// When its key ends.
    pub expiry: Option<String>,
    /// The key with which it signed in.
    pub pre_auth_key: Option<PreAuthKey>,
    /// When it signed in first.
    pub created_at: String,
    /// How it signed in: `REGISTER_METHOD_AUTH_KEY` …
    pub register_method: String,
    /// Its name in the network.
    pub given_name: String,
    /// Whether it is connected now.
    pub online: bool,
    /// The routes that it may serve.
    #[serde(deserialize_with = "or_empty")]
    pub approved_routes: Vec<String>,
    /// The routes that it announces.
    #[serde(deserialize_with = "or_empty")]
    pub available_routes: Vec<String>,
    /// The routes that it serves now.
    #[serde(deserialize_with = "or_empty")]
    pub subnet_routes: Vec<String>,
    /// Its tags, with the `tag:` in front.
    #[serde(deserialize_with = "or_empty")]
    pub tags: Vec<String>,
}

/// A key with which machines sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct PreAuthKey {
    /// Whose the machines become; nobody's where they get tags.
    pub user: Option<User>,
    /// The id, a number in digits.
    pub id: String,
    /// The key, whole where it is made, else with `***` for its secret.
    pub key: String,
    /// Whether it may be used more than once.
    pub reusable: bool,
    /// Whether its machines are removed once they are gone.
    pub ephemeral: bool,
    /// Whether it has been used.
    pub used: bool,
    /// When it ends.
    pub expiration: Option<String>,
    /// When it was made.
    pub created_at: String,
    /// The tags of its machines.
    #[serde(deserialize_with = "or_empty")]
    pub acl_tags: Vec<String>,
}

/// A key of the API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ApiKey {
    /// The id, a number in digits.
    pub id: String,
    /// The part that is no secret.
    pub prefix: String,
    /// When it ends.
    pub expiration: Option<String>,
    /// When it was made.
    pub created_at: String,
    /// When it was last used.
    pub last_seen: Option<String>,
}

fn or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
