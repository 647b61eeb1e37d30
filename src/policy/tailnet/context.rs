//! What the text of a policy does not say: users, devices, domains of the tailnet, members of its groups, posture attributes.
//! Whatever is missing is unknown. Must not live here: rules, what follows from them, the fields of a device (device.rs).

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, de};

use crate::cidr::Address;
use crate::hujson::{self, Kind, Value};

pub use super::device::{Device, DeviceFields, DeviceIndex, Owner};
use super::members::{list, members, text, texts};
use crate::policy::findings::words::joined;
use crate::policy::language::dialect::Dialect;
use crate::policy::language::posture::Attribute;
use crate::policy::language::selector::Role;

impl User {
    /// How a policy writes the user: the login, or a token that names nobody else where users are named by these.
    pub fn written(&self) -> &str {
        match &self.token {
            Some(token) => token,
            None => self.login_name.trim(),
        }
    }

    /// Whether the user counts as a holder of a role; `None` if that is not known.
    pub fn has_role(&self, role: Role) -> Option<bool> {
        let own = Role::parse(self.role.as_deref()?);
        Some(own.is_some_and(|own| own.counts_as(role)))
    }
}

/// The members that a context may have, as a refusal lists them.
const MEMBERS: &str = "devices, users, domains, groups, attributes, dialect";

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
    /// The members of groups that the policy does not define, which an identity provider fills: the logins, by `group:name`.
    pub groups: Option<Vec<(String, Vec<String>)>>,
    /// The posture attributes of devices, by `id` or `nodeId`. A listed device has no others; those of an unlisted one are unknown.
    pub attributes: Option<Vec<(String, Vec<Attribute>)>>,
    /// Whose language the policy is in; without it the first line of the text decides.
    pub dialect: Option<Dialect>,
}

/// A member of the tailnet.
#[derive(Clone, Debug, Default)]
pub struct User {
    /// The full login name.
    pub login_name: String,
    /// `owner`, `admin`, `member` …; `None` if not known.
    pub role: Option<String>,
    /// The id of the user, if known.
    pub id: Option<String>,
    /// The mail address, if known.
    pub email: Option<String>,
    /// The id that the identity provider has for the user, if known.
    pub provider_id: Option<String>,
    /// A token that names the user alone, where users are named by these; reading a context fills it in.
    pub token: Option<String>,
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

    /// The names of its groups.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        let groups = self.groups.iter().flatten();
        groups.map(|(name, _)| name.as_str())
    }

    /// Whether a user has a role; `None` if that is not known.
    pub fn has_role(&self, login: &str, role: Role) -> Option<bool> {
        match self.user(login) {
            Some(user) => user.has_role(role),
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
                "devices" => context.devices = Some(list(value, "devices", super::device::read)?),
                "users" => context.users = Some(list(value, "users", user)?),
                "domains" => context.domains = Some(texts(value)?),
                "groups" => context.groups = Some(groups(value)?),
                "attributes" => context.attributes = Some(attributes(value)?),
                "dialect" => context.dialect = Some(dialect(value)?),
                // Left out in silence, it would make the answer that to another question.
                _ => {
                    return Err(joined(&["`", name, "` is not one of ", MEMBERS]));
                }
            }
        }
        if (context.dialect).is_some_and(Dialect::names_users_by_token) {
            context.settle_users();
        }
        Ok(context)
    }

    /// Whose language a text is in: the dialect of the context, else the one that the text itself names.
    pub fn dialect_of(&self, text: &str) -> Dialect {
        let given = self.dialect.or_else(|| Dialect::written(text));
        given.unwrap_or_default()
    }

    /// What is known, as a text that names its dialect needs it: its users by their tokens, where the context was read without a dialect.
    pub fn known_for(&self, text: &str) -> Cow<'_, PolicyContext> {
        if self.dialect.is_some() || !self.dialect_of(text).names_users_by_token() {
            return Cow::Borrowed(self);
        }
        let mut known = self.clone();
        known.settle_users();
        Cow::Owned(known)
    }
}

impl<'de> Deserialize<'de> for PolicyContext {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PolicyContext, D::Error> {
        let json = serde_json::Value::deserialize(deserializer)?;
        PolicyContext::read(&json.to_string()).map_err(de::Error::custom)
    }
}

fn user(value: Value<'_>) -> Result<User, String> {
    let (mut login, mut user) = (None, User::default());
    for (name, value) in members(value, "a user")? {
        match name {
            "loginName" => login = Some(text(value)?),
            "role" => user.role = Some(text(value)?),
            "id" => user.id = Some(text(value)?),
            "email" => user.email = Some(text(value)?),
            "providerId" => user.provider_id = Some(text(value)?),
            _ => {}
        }
    }
    user.login_name = login.ok_or("a user has no `loginName`")?;
    Ok(user)
}

/// A name without the prefix would be that of no group, and what it lists would count for nobody.
fn groups(value: Value<'_>) -> Result<Vec<(String, Vec<String>)>, String> {
    let mut groups = Vec::new();
    for (name, value) in members(value, "`groups`")? {
        if !name.starts_with("group:") {
            return Err(joined(&["`", name, "` does not begin with `group:`"]));
        }
        groups.push((name.to_owned(), texts(value)?));
    }
    Ok(groups)
}

fn attributes(value: Value<'_>) -> Result<Vec<(String, Vec<Attribute>)>, String> {
    let mut attributes = Vec::new();
    for (device, value) in members(value, "`attributes`")? {
        let mut own = Vec::new();
        for (name, value) in members(value, "the attributes of a device")? {
            if matches!(value.kind(), Kind::Object | Kind::Array) {
                let needed = "` must be a string, a number or a boolean";
                return Err(joined(&["`", name, needed]));
            }
            own.push(Attribute::read(name, value));
        }
        attributes.push((device.to_owned(), own));
    }
    Ok(attributes)
}

fn dialect(value: Value<'_>) -> Result<Dialect, String> {
    let name = text(value)?;
    let unknown = || joined(&["`", &name, "` is no dialect: ", Dialect::NAMES]);
    Dialect::parse(&name).ok_or_else(unknown)
}
