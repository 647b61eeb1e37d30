//! What the calls carry that change one thing about a device: its authorization, name, tags, key or address.
//! Must not live here: the side effects of a change.
use super::input::bodies;
use super::payload::Done;
use super::table::operations;
use crate::cidr::Address;

/// The range of the devices' IPv4 addresses: the shared address space of carriers (RFC 6598).
pub const TAILNET_RANGE: &str = "100.64.0.0/10";

/// Whether this is an address in that range.
pub fn is_tailnet_address(address: Address) -> bool {
    let first = u32::from_be_bytes([100, 64, 0, 0]);
    matches!(address, Address::V4(bits) if bits >> 22 == first >> 22)
}

bodies! {
    /// Whether a device is let in; one that is not must sign in again.
    Authorization {
        /// Whether it may take part in the tailnet.
        authorized: bool = "authorized",
    }
    /// The name of a device; an empty one restores the host name.
    DeviceName {
        /// The whole name or its first label.
        name: String = "name",
    }
    /// The tags of a device; the last tag cannot be removed.
    DeviceTags {
        /// The new tags, `tag:…`.
        tags: Vec<String> = "tags",
    }
    /// Whether the key of a device expires; the time of expiry is kept.
    DeviceKey {
        /// True for a key that never expires.
        key_expiry_disabled: bool = "keyExpiryDisabled",
    }
    /// The address of a device; a change breaks its open connections.
    DeviceIp {
        /// A free address in 100.64.0.0/10.
        ipv4: String = "ipv4",
    }
}

operations! {
    /// Lets a waiting device in. With `authorized: false` it logs a device out, which must sign in again; an ephemeral one is removed.
    AuthorizeDevice(id: DeviceId) "devices.authorize", Post "/api/v2/device/:deviceID/authorized", Replace;
        sends body: Authorization; gives Done; needs Area("devices:core"); logs part(Device, "authorized", "MACHINE_AUTH");
        refuses "`not_found`";
        typed "(id: string, params?: { /** Whether it is let in; true if absent. */ authorized?: boolean }): void";
        example "await client.devices.authorize(device.id)";
    /// Renames a device; an empty name restores the host name. The service normalizes the name: read it back.
    SetDeviceName(id: DeviceId) "devices.setName", Post "/api/v2/device/:deviceID/name", Replace;
        sends body: DeviceName; gives Done; needs Area("devices:core"); logs part(Device, "name", "MACHINE_NAME");
        refuses "`not_found`, `bad_request` (taken)";
        typed "(id: string, name: string): void";
        example "await client.devices.setName(device.id, 'desk')
            const { name } = await client.devices.get(device.id)
            name // → 'desk.example.com'";
    /// Replaces the tags of a device. The last tag cannot be removed.
    SetDeviceTags(id: DeviceId) "devices.setTags", Post "/api/v2/device/:deviceID/tags", Replace;
        sends body: DeviceTags; gives Done; needs Area("devices:core"); logs part(Device, "tags", "ACL_TAGS");
        refuses "`not_found`, `bad_request` (no owner, the last tag)";
        typed "(id: string, tags: string[]): void";
        example "await client.devices.setTags(device.id, ['tag:web'])";
    /// Sets whether the key of a device expires. The time of expiry is kept meanwhile.
    SetDeviceKey(id: DeviceId) "devices.setKey", Post "/api/v2/device/:deviceID/key", Replace;
        sends body: DeviceKey; gives Done; needs Area("devices:core"); logs part(Device, "keyExpiryDisabled", "KEY_EXPIRY_DISABLED");
        refuses "`not_found`";
        typed "(id: string, key: { /** True for a key that never expires. */ keyExpiryDisabled: boolean }): void";
        example "await client.devices.setKey(device.id, { keyExpiryDisabled: true })";
    /// Ends the key of a device now: it must sign in again.
    ExpireDeviceKey(id: DeviceId) "devices.expireKey", Post "/api/v2/device/:deviceID/expire", Replace;
        gives Done; needs Area("devices:core"); logs part(Device, "expires", "KEY_EXPIRY_TIME"); refuses "`not_found`";
        example "await client.devices.expireKey(device.id)";
    /// Changes the address of a device, which breaks open connections. A client checks first that it is in 100.64.0.0/10.
    SetDeviceIp(id: DeviceId) "devices.setIP", Post "/api/v2/device/:deviceID/ip", Replace;
        sends body: DeviceIp; gives Done; needs Area("devices:core"); logs part(Device, "addresses", "IP_ADDRESSES");
        refuses "`not_found`, `bad_request` (in use)";
        typed "(id: string, ipv4: string): void";
        example "await client.devices.setIP(device.id, '100.80.0.7')";
}
