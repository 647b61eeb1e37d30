//! What the calls about posture attributes of devices carry.
//! Must not live here: which values an attribute may have.
use serde_json::{Map, Value};

use super::input::bodies;
use super::payload::{Done, given_as_json};
use super::shape::{MemberKind, Shape, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// The posture attributes of a device.
    #[non_exhaustive]
    pub struct DeviceAttributes {
        /// Texts, numbers and flags by key.
        pub attributes: Map<String, Value>,
        /// When an attribute expires, by key, for those that do.
        #[serde(skip_serializing_if = "Map::is_empty")]
        pub expiries: Map<String, Value>,
    }
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

const ATTRIBUTE: &str = "/api/v2/device/:deviceID/attributes/:key";

operations! {
    /// All posture attributes of a device, including those of the service.
    GetDeviceAttributes(id: DeviceId) "devices.attributes.get", Get "/api/v2/device/:deviceID/attributes", Read;
        gives DeviceAttributes; needs Area("devices:posture_attributes"); refuses "`not_found`";
        example "const { attributes } = await client.devices.attributes.get(device.id)
            attributes['node:os'] // → 'macOS'";
        heads "devices.attributes" "The posture attributes of devices.";
    /// Sets one posture attribute of a device.
    SetDeviceAttribute(id: DeviceId, key: ItemId) "devices.attributes.set", Post ATTRIBUTE, Replace;
        sends body: NewAttribute; gives Done; needs Area("devices:posture_attributes"); logs part(Attributes, "", "ATTRIBUTES");
        refuses "`not_found`, `bad_request`";
        typed "(id: string, key: AttributeKey, attribute: { /** The first value fixes the type of the key in the tailnet. */ value: AttributeValue; /** When it expires; never if absent. */ expiry?: string | Date; /** Why, for the audit log. */ comment?: string }): void";
        example "await client.devices.attributes.set(device.id, 'custom:tier', { value: 2, comment: 'rented' })";
    /// Removes one posture attribute of a device.
    DeleteDeviceAttribute(id: DeviceId, key: ItemId) "devices.attributes.delete", Delete ATTRIBUTE, Once;
        gives Done; needs Area("devices:posture_attributes"); logs part(Attributes, "", "ATTRIBUTES");
        refuses "`not_found`, `bad_request`";
        typed "(id: string, key: AttributeKey): void";
        example "await client.devices.attributes.delete(device.id, 'custom:tier')";
    /// Sets and removes posture attributes of many devices at once: null removes, what is not named stays.
    BatchDeviceAttributes(tailnet: TailnetName) "devices.attributes.batch", Patch "/api/v2/tailnet/:tailnet/device-attributes", Replace;
        sends changes: AttributeBatch; gives Done; needs Area("devices:posture_attributes"); logs part(ManyAttributes, "", "ATTRIBUTES");
        refuses "`not_found`, `bad_request`";
        example "await client.devices.attributes.batch({ nodes: { [device.id]: { 'custom:tier': { value: 3 }, 'custom:old': null } } })";
}
