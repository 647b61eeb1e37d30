//! The exchanges that change one thing about a device, and those about its attributes. Must not live here: the files.
use serde_json::json;
use tailnet_kit::api::{
    AuthorizeDevice, BatchDeviceAttributes, DeleteDeviceAttribute, DeviceAttributes, Done,
    ExpireDeviceKey, GetDeviceAttributes, ItemId, PathStyle, SetDeviceAttribute, SetDeviceIp,
    SetDeviceKey, SetDeviceName, SetDeviceTags,
};

use super::{device, example, exchange, some, texts};

fn tier() -> ItemId {
    ItemId::new("custom:tier").expect("a key")
}

#[test]
fn changes_of_a_device() {
    let (id, style) = (device(), PathStyle::Tailnet);
    exchange(
        AuthorizeDevice {
            id: id.clone(),
            authorized: true,
        },
        style,
        Done,
    );
    exchange(
        SetDeviceName {
            id: id.clone(),
            name: "web-02".to_owned(),
        },
        style,
        Done,
    );
    exchange(
        SetDeviceTags {
            id: id.clone(),
            tags: texts(&["tag:ci"]),
        },
        style,
        Done,
    );
    exchange(
        SetDeviceKey {
            id: id.clone(),
            key_expiry_disabled: true,
        },
        style,
        Done,
    );
    exchange(ExpireDeviceKey { id: id.clone() }, style, Done);
    exchange(
        SetDeviceIp {
            id,
            ipv4: "100.80.0.7".to_owned(),
        },
        style,
        Done,
    );
}

#[test]
fn attributes() {
    let (id, style) = (device(), PathStyle::Tailnet);
    let object = |value: serde_json::Value| value.as_object().cloned().expect("an object");
    let output = DeviceAttributes {
        attributes: object(json!({"node:os": "linux", "custom:tier": 2, "custom:ok": true})),
        expiries: object(json!({"custom:tier": "2026-12-01T00:00:00Z"})),
    };
    exchange(GetDeviceAttributes { id: id.clone() }, style, output);
    let set = SetDeviceAttribute {
        id: id.clone(),
        key: tier(),
        value: json!(2),
        expiry: some("2026-12-01T00:00:00Z"),
        comment: some("ticket 41"),
    };
    exchange(set, style, Done);
    exchange(DeleteDeviceAttribute { id, key: tier() }, style, Done);
    let batch = BatchDeviceAttributes {
        tailnet: example(),
        nodes: json!({"11055": {"custom:tier": null, "custom:jit": {"value": true}}}),
        comment: some("ticket 41"),
    };
    exchange(batch, style, Done);
}
