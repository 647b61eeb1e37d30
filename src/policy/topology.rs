//! What the text of a policy cannot say: users, devices, domains of the tailnet.
//! Whatever is missing stays unknown. Must not live here: rules, what follows from them.

use serde::Deserialize;

use crate::cidr::{Address, Prefix};

use super::selector::Role;

/// The tailnet around a policy. `None` means not known, an empty list means that there are none.
///
/// Reads the `PolicyContext` of the JavaScript surface; fields it does not need are passed over.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Topology {
    /// Every device of the tailnet.
    pub devices: Option<Vec<Device>>,
    /// Every user of the tailnet.
    pub users: Option<Vec<User>>,
    /// The mail domains of the tailnet.
    pub domains: Option<Vec<String>>,
}

/// A member of the tailnet.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The full login name.
    pub login_name: String,
    /// `owner`, `admin`, `member` …; `None` when not known.
    #[serde(default)]
    pub role: Option<String>,
}

/// A device, with what matters for access.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "WireDevice")]
pub struct Device {
    /// The key of everything said about it.
    pub id: String,
    /// Who it belongs to.
    pub owner: Owner,
    /// Its own addresses.
    pub addresses: Vec<Address>,
    /// The routes that count: advertised and enabled.
    pub routes: Vec<Prefix>,
}

/// A device is either a user's or tagged (policy-language.md 3); one with neither selects by address only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The login name of its user.
    User(String),
    /// Its tags, with the `tag:` in front; not empty.
    Tags(Vec<String>),
    /// Nobody known.
    Nobody,
}

impl Device {
    /// The login of its user; none for a tagged device.
    pub fn user(&self) -> Option<&str> {
        match &self.owner {
            Owner::User(login) => Some(login),
            Owner::Tags(_) | Owner::Nobody => None,
        }
    }

    /// Its tags; none for a device of a user.
    pub fn tags(&self) -> &[String] {
        match &self.owner {
            Owner::Tags(tags) => tags,
            Owner::User(_) | Owner::Nobody => &[],
        }
    }
}

impl Topology {
    /// The device that has this address.
    pub fn device_at(&self, address: Address) -> Option<&Device> {
        let mut devices = self.devices.iter().flatten();
        devices.find(|device| device.addresses.contains(&address))
    }

    /// The untagged devices of a user.
    pub fn devices_of(&self, login: &str) -> impl Iterator<Item = &Device> {
        let devices = self.devices.iter().flatten();
        devices.filter(move |device| device.user() == Some(login))
    }

    /// The user of this login, if the users are known.
    pub fn user(&self, login: &str) -> Option<&User> {
        let mut users = self.users.iter().flatten();
        users.find(|user| user.login_name.trim() == login)
    }

    /// Whether a user holds a role; `None` when that is not known.
    pub fn has_role(&self, login: &str, role: Role) -> Option<bool> {
        match self.user(login) {
            Some(user) => user
                .role
                .as_deref()
                .map(|name| Role::parse(name) == Some(role)),
            None => self.users.is_some().then_some(false),
        }
    }
}

/// A device as the service sends it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireDevice {
    id: String,
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    tags: Option<Vec<String>>,
    #[serde(default)]
    addresses: Option<Vec<String>>,
    #[serde(default)]
    advertised_routes: Option<Vec<String>>,
    #[serde(default)]
    enabled_routes: Option<Vec<String>>,
}

impl TryFrom<WireDevice> for Device {
    type Error = String;

    fn try_from(wire: WireDevice) -> Result<Device, String> {
        let tags = wire.tags.unwrap_or_default();
        let user = wire.user.filter(|user| !user.is_empty());
        let owner = match user {
            _ if !tags.is_empty() => Owner::Tags(tags),
            Some(user) => Owner::User(user.trim().to_owned()),
            None => Owner::Nobody,
        };
        let addresses = wire.addresses.unwrap_or_default();
        let advertised = prefixes(&wire.advertised_routes.unwrap_or_default())?;
        let mut routes = prefixes(&wire.enabled_routes.unwrap_or_default())?;
        routes.retain(|route| advertised.contains(route));
        Ok(Device {
            id: wire.id,
            owner,
            addresses: read(&addresses, |text| Address::parse(text).ok())?,
            routes,
        })
    }
}

fn prefixes(texts: &[String]) -> Result<Vec<Prefix>, String> {
    read(texts, |text| Prefix::parse(text).ok().map(Prefix::masked))
}

fn read<T>(texts: &[String], parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    let one = |text: &String| {
        let fault = || format!("`{text}` is not what a device may have here");
        parse(text).ok_or_else(fault)
    };
    texts.iter().map(one).collect()
}
