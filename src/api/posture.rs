//! The calls about posture integrations, through which the service learns about devices, and their bodies.
//! Must not live here: the attributes that devices get from there (`attributes`).
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::endpoint::{Done, Input, Plain, bare_calls, null_as_default};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{ItemId, Scope, TailnetName};

/// A connection to a provider that knows devices. Only `id` and `provider` are certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PostureIntegration {
    /// Its identifier; empty for one that is yet to be made.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The provider: `falcon`, `intune` and so on. It cannot change.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub provider: String,
    /// The provider's region or URL, in its own form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cloud_id: Option<String>,
    /// The client id at the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// The tenant id at the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// The client's secret: sent, but never in an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<String>,
    /// When any of this was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_updated: Option<String>,
    /// The state of the synchronization, and everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The answer to [`ListPostureIntegrations`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PostureIntegrations {
    /// The integrations, without secrets.
    #[serde(default, deserialize_with = "null_as_default")]
    pub integrations: Vec<PostureIntegration>,
}

bare_calls! {
    /// `GET`: the posture integrations of a tailnet.
    ListPostureIntegrations -> PostureIntegrations, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
    }
    /// `GET`: one posture integration.
    GetPostureIntegration -> PostureIntegration, 200 {
        /// The integration.
        id: ItemId = item,
    }
    /// `DELETE`: removes a posture integration.
    DeletePostureIntegration -> Done, 200 {
        /// The integration.
        id: ItemId = item,
    }
}

/// `POST`: makes a posture integration; each provider has at most one.
#[derive(Clone, PartialEq, Debug)]
pub struct CreatePostureIntegration {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The integration, without the fields that the service sets.
    pub integration: PostureIntegration,
}

impl Plain for CreatePostureIntegration {
    const OPERATION: Operation = Operation::CreatePostureIntegration;
    type Output = PostureIntegration;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        serde_json::to_value(&self.integration).ok()
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let integration = Input::read(request)?.into()?;
        let tailnet = scope.tailnet()?;
        Ok(CreatePostureIntegration {
            tailnet,
            integration,
        })
    }
}

/// `PATCH`: changes the named fields of a posture integration; a secret that is not named stays.
#[derive(Clone, PartialEq, Debug)]
pub struct UpdatePostureIntegration {
    /// The integration.
    pub id: ItemId,
    /// The new values.
    pub changes: PostureIntegration,
}

impl Plain for UpdatePostureIntegration {
    const OPERATION: Operation = Operation::UpdatePostureIntegration;
    type Output = PostureIntegration;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        serde_json::to_value(&self.changes).ok()
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let changes = Input::read(request)?.into()?;
        let id = scope.item()?;
        Ok(UpdatePostureIntegration { id, changes })
    }
}
