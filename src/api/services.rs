//! The calls about services, which are names with addresses that several devices serve, and their bodies.
//! Must not live here: who may answer for one.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::endpoint::{Done, Input, Plain, bare_calls, null_as_default};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{DeviceId, ItemId, Scope, TailnetName};
use super::retry::Rule;

/// A service. Only `name` is certain.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VipService {
    /// Its name, `svc:…`.
    pub name: String,
    /// An IPv4 and an IPv6 address.
    #[serde(deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub addrs: Vec<String>,
    /// A comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The name to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// `tcp:443` and so on; `do-not-validate` for any port.
    #[serde(deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<String>,
    /// Its tags.
    #[serde(deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Annotations for programs.
    #[serde(deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub annotations: Map<String, Value>,
    /// Everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The answer to [`ListServices`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VipServices {
    /// The services.
    #[serde(default, deserialize_with = "null_as_default")]
    pub vip_services: Vec<VipService>,
}

/// A device that answers for a service, or could.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceHost {
    /// The device.
    #[serde(rename = "stableNodeID")]
    pub stable_node_id: String,
    /// `not-approved`, `approved:auto` or `approved:manual`.
    pub approval_level: String,
    /// How far it is configured; `ready` at the end.
    pub configured: String,
    /// Everything else.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The answer to [`ListServiceHosts`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ServiceHosts {
    /// The devices.
    #[serde(default, deserialize_with = "null_as_default")]
    pub hosts: Vec<ServiceHost>,
}

/// Whether a device may answer for a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceApproval {
    /// Whether it may.
    pub approved: bool,
    /// Whether the policy approves it.
    pub auto_approved: bool,
}

bare_calls! {
    /// `GET`: the services of a tailnet.
    ListServices -> VipServices, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
    }
    /// `GET`: one service.
    GetService -> VipService, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
        /// The service.
        name: ItemId = item,
    }
    /// `DELETE`: removes a service.
    DeleteService -> Done, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
        /// The service.
        name: ItemId = item,
    }
    /// `GET`: the devices that answer for a service, or could.
    ListServiceHosts -> ServiceHosts, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
        /// The service.
        name: ItemId = item,
    }
    /// `GET`: whether a device may answer for a service.
    GetServiceApproval -> ServiceApproval, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
        /// The service.
        name: ItemId = item,
        /// The device.
        device: DeviceId = device,
    }
}

/// `PUT`: makes a service or replaces one. Another name in the body renames it.
#[derive(Clone, PartialEq, Debug)]
pub struct SetService {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The service.
    pub name: ItemId,
    /// The new value; an empty name leaves the name as it is.
    pub service: VipService,
}

impl Plain for SetService {
    const OPERATION: Operation = Operation::SetService;
    type Output = VipService;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone()).and(self.name.clone())
    }

    fn rule(&self) -> Rule {
        let given = Some(self.service.name.as_str()).filter(|name| !name.is_empty());
        Rule::of_service(self.name.as_str(), given)
    }

    fn body(&self) -> Option<Value> {
        let mut body = serde_json::to_value(&self.service).ok()?;
        let unnamed = self.service.name.is_empty();
        if let Some(members) = body.as_object_mut().filter(|_| unnamed) {
            members.remove("name");
        }
        Some(body)
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetService {
            tailnet: scope.tailnet()?,
            name: scope.item()?,
            service: Input::read(request)?.into()?,
        })
    }
}

/// `POST`: sets whether a device may answer for a service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetServiceApproval {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The service.
    pub name: ItemId,
    /// The device.
    pub device: DeviceId,
    /// Whether it may.
    pub approved: bool,
}

impl Plain for SetServiceApproval {
    const OPERATION: Operation = Operation::SetServiceApproval;
    type Output = ServiceApproval;

    fn scope(&self) -> Scope {
        let scope = Scope::from(self.tailnet.clone()).and(self.name.clone());
        scope.and(self.device.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"approved": self.approved}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetServiceApproval {
            tailnet: scope.tailnet()?,
            name: scope.item()?,
            device: scope.device()?,
            approved: Input::read(request)?.flag("approved")?,
        })
    }
}
