//! What the calls about webhooks carry. Must not live here: events, deliveries, signatures.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::bodies;
use super::payload::{given_as_json, null_as_default};
use super::shape::{MemberKind, Shape, list, member};

/// An address to which events of a tailnet are sent. Only `endpointId` is certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Webhook {
    /// Its identifier.
    pub endpoint_id: String,
    /// The address that gets the events.
    pub endpoint_url: String,
    /// The provider in whose form they are sent: empty for events in JSON, else `slack` and so on.
    pub provider_type: String,
    /// Who made it; empty where a token of the tailnet did.
    pub creator_login_name: String,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// When it was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// The events that it gets.
    #[serde(deserialize_with = "null_as_default")]
    pub subscriptions: Vec<String>,
    /// The secret that signs the deliveries: only in the answers to creation and rotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The answer to [`ListWebhooks`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Webhooks {
    /// The webhooks, without secrets.
    #[serde(default, deserialize_with = "null_as_default")]
    pub webhooks: Vec<Webhook>,
}

/// What is checked of an answer with a new secret.
pub(super) const WITH_SECRET: Shape = Shape::Object(&[
    member("endpointId", MemberKind::Text),
    member("secret", MemberKind::Text),
]);

given_as_json! {
    Webhook: Shape::Object(&[member("endpointId", MemberKind::Text)]),
    Webhooks: list("webhooks"),
}

bodies! {
    /// A webhook to make.
    NewWebhook {
        /// The address that gets the events.
        endpoint_url: String = "endpointUrl",
        /// The events that it gets.
        subscriptions: Vec<String> = "subscriptions",
        /// The provider in whose form they are sent, where not as events in JSON.
        provider_type: Option<String> = "providerType",
    }
    /// What of a webhook can change.
    WebhookChange {
        /// All the events that it gets from now on.
        subscriptions: Vec<String> = "subscriptions",
    }
}
