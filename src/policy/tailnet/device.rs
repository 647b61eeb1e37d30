//! A device of the context, with what matters for access, as the service sends it.
//! Must not live here: users, domains (context.rs), who a device is for a selector (identity.rs).

use crate::cidr::{Address, Prefix};
use crate::hujson::Value;
use crate::tables::sort;

use super::members::{flag, members, text, texts};
use crate::policy::findings::words::joined;

/// The index of a device in the context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DeviceIndex(pub usize);

impl DeviceIndex {
    /// The items of a list with one for each device, with their devices.
    pub(crate) fn each<T>(list: &[T]) -> impl Iterator<Item = (DeviceIndex, &T)> {
        let items = list.iter().enumerate();
        items.map(|(at, item)| (DeviceIndex(at), item))
    }

    /// Its item in a list with one for each device.
    pub(crate) fn of<T>(self, list: &[T]) -> Option<&T> {
        list.get(self.0)
    }

    /// The same, mutable.
    pub(crate) fn of_mut<T>(self, list: &mut [T]) -> Option<&mut T> {
        list.get_mut(self.0)
    }
}

/// A device, with what matters for access.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its id, by which answers refer to it.
    pub id: String,
    /// The full name, if known; people use its first label.
    pub name: Option<String>,
    /// The host name that the machine reports.
    pub hostname: Option<String>,
    /// The other id, which newer clients use.
    pub node_id: Option<String>,
    /// Its user or tags.
    pub owner: Owner,
    /// Its own addresses.
    pub addresses: Vec<Address>,
    /// The routes that it advertises, host bits cleared.
    pub advertised: Vec<Prefix>,
    /// The routes that count: advertised and enabled.
    pub routes: Vec<Prefix>,
    /// The operating system, if known.
    pub os: Option<String>,
    /// The version of the client, if known.
    pub client_version: Option<String>,
    /// Whether it may take part yet, if known.
    pub is_authorized: Option<bool>,
    /// When its key expires, as the service writes the time; `None` if never or not known.
    pub key_expires: Option<String>,
    /// Whether it is known that its key never expires.
    pub is_key_endless: bool,
    /// Shields up: it takes in no connection.
    pub blocks_incoming: bool,
}

/// The fields of a device as text, under the names of the service.
#[derive(Clone, Debug, Default)]
pub struct DeviceFields {
    /// `id`.
    pub id: Option<String>,
    /// `name`.
    pub name: Option<String>,
    /// `hostname`.
    pub hostname: Option<String>,
    /// `nodeId`.
    pub node_id: Option<String>,
    /// `user`.
    pub user: Option<String>,
    /// `tags`.
    pub tags: Vec<String>,
    /// `addresses`.
    pub addresses: Vec<String>,
    /// `advertisedRoutes`.
    pub advertised_routes: Vec<String>,
    /// `enabledRoutes`.
    pub enabled_routes: Vec<String>,
    /// `isExternal`.
    pub is_external: bool,
    /// `os`.
    pub os: Option<String>,
    /// `clientVersion`.
    pub client_version: Option<String>,
    /// `authorized`.
    pub authorized: Option<bool>,
    /// `expires`.
    pub expires: Option<String>,
    /// `keyExpiryDisabled`.
    pub key_expiry_disabled: bool,
    /// `blocksIncomingConnections`.
    pub blocks_incoming_connections: bool,
}

/// A device either has a user or tags (docs/policy-language.md#tags); one with neither matches by address only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The login name of its user.
    User(String),
    /// Its tags, with the `tag:` in front; not empty.
    Tags(Vec<String>),
    /// Whose it is in another tailnet does not matter: it is shared in from there.
    External,
    /// A user that is not known, where a device without tags is a member all the same.
    Unowned,
    /// Not known.
    Nobody,
}

impl Device {
    /// The login of its user; none for a tagged device.
    pub fn user(&self) -> Option<&str> {
        match &self.owner {
            Owner::User(login) => Some(login),
            Owner::Tags(_) | Owner::External | Owner::Unowned | Owner::Nobody => None,
        }
    }

    /// Its tags; none for a device of a user.
    pub fn tags(&self) -> &[String] {
        match &self.owner {
            Owner::Tags(tags) => tags,
            Owner::User(_) | Owner::External | Owner::Unowned | Owner::Nobody => &[],
        }
    }

    /// Whether it is shared in from another tailnet (docs/policy-language.md#external-devices).
    pub fn is_external(&self) -> bool {
        self.owner == Owner::External
    }
}

/// A device as the service sends it.
pub(super) fn read(value: Value<'_>) -> Result<Device, String> {
    let mut fields = DeviceFields::default();
    for (name, value) in members(value, "a device")? {
        match name {
            "id" => fields.id = Some(text(value)?),
            "name" => fields.name = Some(text(value)?),
            "hostname" => fields.hostname = Some(text(value)?),
            "nodeId" => fields.node_id = Some(text(value)?),
            "user" => fields.user = Some(text(value)?),
            "tags" => fields.tags = texts(value)?,
            "addresses" => fields.addresses = texts(value)?,
            "advertisedRoutes" => fields.advertised_routes = texts(value)?,
            "enabledRoutes" => fields.enabled_routes = texts(value)?,
            "isExternal" => fields.is_external = flag(value)?,
            "os" => fields.os = Some(text(value)?),
            "clientVersion" => fields.client_version = Some(text(value)?),
            "authorized" => fields.authorized = Some(flag(value)?),
            "expires" => fields.expires = Some(text(value)?),
            "keyExpiryDisabled" => fields.key_expiry_disabled = flag(value)?,
            "blocksIncomingConnections" => fields.blocks_incoming_connections = flag(value)?,
            _ => {}
        }
    }
    Device::try_from(fields)
}

/// Fails if there is no `id`, or if an address or a route is malformed.
impl TryFrom<DeviceFields> for Device {
    type Error = String;

    fn try_from(fields: DeviceFields) -> Result<Device, String> {
        let owner = match fields.user {
            _ if fields.is_external => Owner::External,
            _ if !fields.tags.is_empty() => Owner::Tags(fields.tags),
            Some(user) if !user.is_empty() => Owner::User(user.trim().to_owned()),
            _ => Owner::Nobody,
        };
        let advertised = prefixes(&fields.advertised_routes)?;
        // The stored time stays while expiry is disabled; the year 1 means none.
        let expires = known(fields.expires);
        let is_endless = fields.key_expiry_disabled
            || expires
                .as_ref()
                .is_some_and(|time| time.starts_with("0001-"));
        Ok(Device {
            id: fields.id.ok_or("a device has no `id`")?,
            name: fields.name,
            hostname: fields.hostname,
            node_id: fields.node_id,
            owner,
            addresses: addresses(&fields.addresses)?,
            routes: in_both(prefixes(&fields.enabled_routes)?, &advertised),
            advertised,
            os: known(fields.os),
            client_version: known(fields.client_version),
            is_authorized: fields.authorized,
            key_expires: expires.filter(|_| !is_endless),
            is_key_endless: is_endless,
            blocks_incoming: fields.blocks_incoming_connections,
        })
    }
}

/// A text that says something: the service sends an empty one for what it does not know.
fn known(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// The routes of one list that are also in the other, in the order of the first.
#[inline(never)]
fn in_both(mut routes: Vec<Prefix>, others: &[Prefix]) -> Vec<Prefix> {
    let mut others = others.to_vec();
    sort::sort(&mut others);
    routes.retain(|route| others.binary_search(route).is_ok());
    routes
}

#[inline(never)]
fn addresses(texts: &[String]) -> Result<Vec<Address>, String> {
    let mut addresses = Vec::with_capacity(texts.len());
    for text in texts {
        addresses.push(Address::parse(text).map_err(|_| unfit(text))?);
    }
    Ok(addresses)
}

#[inline(never)]
fn prefixes(texts: &[String]) -> Result<Vec<Prefix>, String> {
    let mut prefixes = Vec::with_capacity(texts.len());
    for text in texts {
        let prefix = Prefix::parse(text).map_err(|_| unfit(text))?;
        prefixes.push(prefix.masked());
    }
    Ok(prefixes)
}

#[inline(never)]
fn unfit(text: &str) -> String {
    joined(&["`", text, "` is not a valid address or route of a device"])
}
