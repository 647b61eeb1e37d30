//! What the calls carry that change one thing about a device: its authorization, name, tags, key or address.
//! Must not live here: the side effects of a change.
use super::input::bodies;
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
