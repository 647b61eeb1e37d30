//! The calls about posture attributes of devices, and what they carry.
//! Must not live here: which values an attribute may have.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::endpoint::{Done, Input, Plain, bare_calls, null_as_default};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{DeviceId, ItemId, Scope, TailnetName};

/// The posture attributes of a device.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct DeviceAttributes {
    /// Texts, numbers and flags by key.
    #[serde(default, deserialize_with = "null_as_default")]
    pub attributes: Map<String, Value>,
    /// When an attribute expires, by key, for those that do.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub expiries: Map<String, Value>,
}

bare_calls! {
    /// `GET`: the posture attributes of a device.
    GetDeviceAttributes -> DeviceAttributes, 200 {
        /// The device.
        id: DeviceId = device,
    }
    /// `DELETE`: removes one posture attribute of a device.
    DeleteDeviceAttribute -> Done, 200 {
        /// The device.
        id: DeviceId = device,
        /// The attribute, `custom:…`.
        key: ItemId = item,
    }
}

/// `POST`: sets one posture attribute of a device.
#[derive(Clone, PartialEq, Debug)]
pub struct SetDeviceAttribute {
    /// The device.
    pub id: DeviceId,
    /// The attribute, `custom:…`.
    pub key: ItemId,
    /// A text, a number or a flag.
    pub value: Value,
    /// When it expires, RFC 3339.
    pub expiry: Option<String>,
    /// The reason, for the audit log.
    pub comment: Option<String>,
}

impl Plain for SetDeviceAttribute {
    const OPERATION: Operation = Operation::SetDeviceAttribute;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone()).and(self.key.clone())
    }

    fn body(&self) -> Option<Value> {
        let mut body = json!({"value": self.value});
        for (name, text) in [("expiry", &self.expiry), ("comment", &self.comment)] {
            if let (Some(text), Value::Object(members)) = (text, &mut body) {
                members.insert(name.to_owned(), text.clone().into());
            }
        }
        Some(body)
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let input = Input::read(request)?;
        Ok(SetDeviceAttribute {
            id: scope.device()?,
            key: scope.item()?,
            value: input.value("value").clone(),
            expiry: input.optional_text("expiry")?,
            comment: input.optional_text("comment")?,
        })
    }
}

/// `PATCH`: sets and removes posture attributes of many devices; attributes that are not named stay.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchDeviceAttributes {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// By device and key: `{value, expiry?}`, or `null` to remove the attribute.
    pub nodes: Value,
    /// The reason, for the audit log.
    pub comment: Option<String>,
}

impl Plain for BatchDeviceAttributes {
    const OPERATION: Operation = Operation::BatchDeviceAttributes;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(match &self.comment {
            Some(comment) => json!({"nodes": self.nodes, "comment": comment}),
            None => json!({"nodes": self.nodes}),
        })
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let input = Input::read(request)?;
        Ok(BatchDeviceAttributes {
            tailnet: scope.tailnet()?,
            nodes: input.value("nodes").clone(),
            comment: input.optional_text("comment")?,
        })
    }
}
