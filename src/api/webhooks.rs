//! The calls about webhooks, and what they carry. Must not live here: events, deliveries, signatures.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::endpoint::{Done, Input, Plain, bare_calls, null_as_default};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{ItemId, Scope, TailnetName};

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

const URL: &str = "endpointUrl";
const PROVIDER: &str = "providerType";
const SUBSCRIPTIONS: &str = "subscriptions";

/// `POST`: makes a webhook; its secret is in this answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CreateWebhook {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The address that gets the events.
    pub url: String,
    /// The events that it gets.
    pub subscriptions: Vec<String>,
    /// The provider in whose form they are sent, where not as events in JSON.
    pub provider: Option<String>,
}

impl Plain for CreateWebhook {
    const OPERATION: Operation = Operation::CreateWebhook;
    type Output = Webhook;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        let mut body = json!({URL: self.url, SUBSCRIPTIONS: self.subscriptions});
        if let (Some(provider), Value::Object(members)) = (&self.provider, &mut body) {
            members.insert(PROVIDER.to_owned(), provider.clone().into());
        }
        Some(body)
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let input = Input::read(request)?;
        Ok(CreateWebhook {
            tailnet: scope.tailnet()?,
            url: input.text(URL)?.to_owned(),
            subscriptions: input.texts(SUBSCRIPTIONS)?,
            provider: input.optional_text(PROVIDER)?,
        })
    }
}

/// `PATCH`: changes which events a webhook gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateWebhook {
    /// The webhook.
    pub id: ItemId,
    /// All the events that it gets from now on.
    pub subscriptions: Vec<String>,
}

impl Plain for UpdateWebhook {
    const OPERATION: Operation = Operation::UpdateWebhook;
    type Output = Webhook;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({SUBSCRIPTIONS: self.subscriptions}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let subscriptions = Input::read(request)?.texts(SUBSCRIPTIONS)?;
        let id = scope.item()?;
        Ok(UpdateWebhook { id, subscriptions })
    }
}

bare_calls! {
    /// `GET`: the webhooks of a tailnet.
    ListWebhooks -> Webhooks, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
    }
    /// `GET`: one webhook.
    GetWebhook -> Webhook, 200 {
        /// The webhook.
        id: ItemId = item,
    }
    /// `DELETE`: removes a webhook.
    DeleteWebhook -> Done, 200 {
        /// The webhook.
        id: ItemId = item,
    }
    /// `POST`: has the service send a `test` event to a webhook; the answer comes before it is sent.
    TestWebhook -> Done, 202 {
        /// The webhook.
        id: ItemId = item,
    }
    /// `POST`: gives a webhook another secret, which is in this answer.
    RotateWebhookSecret -> Webhook, 200 {
        /// The webhook.
        id: ItemId = item,
    }
}
