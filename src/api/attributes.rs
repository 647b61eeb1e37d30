//! What the calls about posture attributes of devices carry.
//! Must not live here: which values an attribute may have.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::bodies;
use super::payload::{given_as_json, null_as_default};
use super::shape::{MemberKind, Shape, member};

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

given_as_json! { DeviceAttributes: Shape::Object(&[member("attributes", MemberKind::Object)]), }

bodies! {
    /// A posture attribute of a device.
    NewAttribute {
        /// A text, a number or a flag.
        value: Value = "value",
        /// When it expires, RFC 3339.
        expiry: Option<String> = "expiry",
        /// The reason, for the audit log.
        comment: Option<String> = "comment",
    }
    /// Posture attributes of many devices; those that are not named stay.
    AttributeBatch {
        /// By device and key: `{value, expiry?}`, or `null` to remove the attribute.
        nodes: Map<String, Value> = "nodes",
        /// The reason, for the audit log.
        comment: Option<String> = "comment",
    }
}
