//! What the text of a policy does not say: users, devices, domains of the tailnet.
//! Whatever is missing is unknown. Must not live here: rules, what follows from them.

use serde::{Deserialize, Deserializer, de};

use crate::cidr::{Address, Prefix};
use crate::hujson::{self, Kind, Value};
use crate::tables::sort;

use crate::policy::findings::words::joined;
use crate::policy::language::selector::Role;

/// The tailnet around a policy. `None` means not known, an empty list means that there are none.
///
/// Reads the `PolicyContext` of the JavaScript API; unneeded fields of devices and users are ignored.
#[derive(Clone, Debug, Default)]
pub struct PolicyContext {
    /// Every device of the tailnet.
    pub devices: Option<Vec<Device>>,
    /// Every user of the tailnet.
    pub users: Option<Vec<User>>,
    /// The mail domains of the tailnet.
    pub domains: Option<Vec<String>>,
}

/// A member of the tailnet.
#[derive(Clone, Debug)]
pub struct User {
    /// The full login name.
    pub login_name: String,
    /// `owner`, `admin`, `member` …; `None` if not known.
    pub role: Option<String>,
}

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
}

/// A device either has a user or tags (docs/policy-language.md#tags); one with neither matches by address only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The login name of its user.
    User(String),
    /// Its tags, with the `tag:` in front; not empty.
    Tags(Vec<String>),
    /// Not known.
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

impl PolicyContext {
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

    /// Whether a user has a role; `None` if that is not known.
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

impl PolicyContext {
    /// Reads the JSON of a `PolicyContext`; `null` means that nothing is known. Reads the tree of the text and uses no derived
    /// code, which would be several times as large.
    ///
    /// # Errors
    /// What does not match the declarations.
    #[inline(never)]
    pub fn read(json: &str) -> Result<PolicyContext, String> {
        let document = hujson::parse(json).map_err(|error| error.to_string())?;
        let mut context = PolicyContext::default();
        for (name, value) in members(document.root(), "a context")? {
            match name {
                "devices" => context.devices = Some(list(value, "devices", device)?),
                "users" => context.users = Some(list(value, "users", user)?),
                "domains" => context.domains = Some(texts(value)?),
                // Left out in silence, it would make the answer that to another question.
                _ => {
                    return Err(joined(&[
                        "`",
                        name,
                        "` is not one of devices, users, domains",
                    ]));
                }
            }
        }
        Ok(context)
    }
}

impl<'de> Deserialize<'de> for PolicyContext {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PolicyContext, D::Error> {
        let json = serde_json::Value::deserialize(deserializer)?;
        PolicyContext::read(&json.to_string()).map_err(de::Error::custom)
    }
}

/// A device as the service sends it.
fn device(value: Value<'_>) -> Result<Device, String> {
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
            _ if !fields.tags.is_empty() => Owner::Tags(fields.tags),
            Some(user) if !user.is_empty() => Owner::User(user.trim().to_owned()),
            _ => Owner::Nobody,
        };
        let advertised = prefixes(&fields.advertised_routes)?;
        Ok(Device {
            id: fields.id.ok_or("a device has no `id`")?,
            name: fields.name,
            hostname: fields.hostname,
            node_id: fields.node_id,
            owner,
            addresses: addresses(&fields.addresses)?,
            routes: in_both(prefixes(&fields.enabled_routes)?, &advertised),
            advertised,
        })
    }
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

fn user(value: Value<'_>) -> Result<User, String> {
    let (mut login, mut role) = (None, None);
    for (name, value) in members(value, "a user")? {
        match name {
            "loginName" => login = Some(text(value)?),
            "role" => role = Some(text(value)?),
            _ => {}
        }
    }
    Ok(User {
        login_name: login.ok_or("a user has no `loginName`")?,
        role,
    })
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

/// The members of an object except those that are `null`; none for `null` itself.
#[inline(never)]
fn members<'t>(value: Value<'t>, what: &str) -> Result<Vec<(&'t str, Value<'t>)>, String> {
    let mut members = Vec::new();
    match value.kind() {
        Kind::Object | Kind::Null => {}
        _ => return Err(joined(&[what, " must be an object"])),
    }
    for member in value.members() {
        if member.value.kind() != Kind::Null {
            members.push((member.name.as_str().unwrap_or_default(), member.value));
        }
    }
    Ok(members)
}

fn list<T>(
    value: Value<'_>,
    what: &str,
    read: fn(Value<'_>) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    if value.kind() != Kind::Array {
        return Err(joined(&["`", what, "` must be a list"]));
    }
    let mut items = Vec::new();
    for element in value.elements() {
        items.push(read(element)?);
    }
    Ok(items)
}

#[inline(never)]
fn texts(value: Value<'_>) -> Result<Vec<String>, String> {
    list(value, value.raw(), text)
}

#[inline(never)]
fn text(value: Value<'_>) -> Result<String, String> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(joined(&["`", value.raw(), "` must be a string"])),
    }
}
