//! The calls that change one thing about a device: its authorization, name, tags, key or address.
//! Must not live here: the side effects of a change.
use serde_json::{Value, json};

use super::endpoint::{Done, Input, Plain, bare_calls};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{DeviceId, Scope};
use crate::cidr::Address;

/// The range of the devices' IPv4 addresses: the shared address space of carriers (RFC 6598).
pub const TAILNET_RANGE: &str = "100.64.0.0/10";

/// Whether this is an address in that range.
pub fn is_tailnet_address(address: Address) -> bool {
    let first = u32::from_be_bytes([100, 64, 0, 0]);
    matches!(address, Address::V4(bits) if bits >> 22 == first >> 22)
}

/// `POST`: lets a waiting device in, or logs one out, which must then sign in again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuthorizeDevice {
    /// The device.
    pub id: DeviceId,
    /// Whether it may take part in the tailnet.
    pub authorized: bool,
}

impl Plain for AuthorizeDevice {
    const OPERATION: Operation = Operation::AuthorizeDevice;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"authorized": self.authorized}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(AuthorizeDevice {
            id: scope.device()?,
            authorized: Input::read(request)?.flag("authorized")?,
        })
    }
}

/// `POST`: renames a device; an empty name restores the host name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetDeviceName {
    /// The device.
    pub id: DeviceId,
    /// The whole name or its first label.
    pub name: String,
}

impl Plain for SetDeviceName {
    const OPERATION: Operation = Operation::SetDeviceName;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"name": self.name}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetDeviceName {
            id: scope.device()?,
            name: Input::read(request)?.text("name")?.to_owned(),
        })
    }
}

/// `POST`: replaces the tags of a device; the last tag cannot be removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetDeviceTags {
    /// The device.
    pub id: DeviceId,
    /// The new tags, `tag:…`.
    pub tags: Vec<String>,
}

impl Plain for SetDeviceTags {
    const OPERATION: Operation = Operation::SetDeviceTags;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"tags": self.tags}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetDeviceTags {
            id: scope.device()?,
            tags: Input::read(request)?.texts("tags")?,
        })
    }
}

/// `POST`: sets whether the key of a device expires; the time of expiry is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetDeviceKey {
    /// The device.
    pub id: DeviceId,
    /// True for a key that never expires.
    pub key_expiry_disabled: bool,
}

impl Plain for SetDeviceKey {
    const OPERATION: Operation = Operation::SetDeviceKey;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"keyExpiryDisabled": self.key_expiry_disabled}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetDeviceKey {
            id: scope.device()?,
            key_expiry_disabled: Input::read(request)?.flag("keyExpiryDisabled")?,
        })
    }
}

bare_calls! {
    /// `POST`: ends the key of a device now; it must sign in again.
    ExpireDeviceKey -> Done, 200 {
        /// The device.
        id: DeviceId = device,
    }
}

/// `POST`: changes the address of a device, which breaks its open connections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetDeviceIp {
    /// The device.
    pub id: DeviceId,
    /// A free address in 100.64.0.0/10.
    pub ipv4: String,
}

impl Plain for SetDeviceIp {
    const OPERATION: Operation = Operation::SetDeviceIp;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.id.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"ipv4": self.ipv4}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetDeviceIp {
            id: scope.device()?,
            ipv4: Input::read(request)?.text("ipv4")?.to_owned(),
        })
    }
}
