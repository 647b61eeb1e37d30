//! The calls about users, and their effect on the users' devices.
//! Must not live here: what a role means in a policy (`policy`), wire shapes (`api`).

use serde_json::Value;

use super::choices::{NO_TIME, Outcome, Refusal, refused};
use super::example::hash;
use super::keys::is_credential;
use super::perform::serves;
use super::state::{Person, StoredKey, Tailnet};
use super::{Device, Sandbox, choices};
use crate::api::{
    ApproveUser, DeleteUser, Done, GetUser, ItemId, ListUsers, RestoreUser, SetUserRole,
    SuspendUser, User, Users,
};
use crate::tables::index::{Index, Lists};

pub(super) const ROLES: [&str; 7] = [
    "owner",
    "admin",
    "it-admin",
    "network-admin",
    "billing-admin",
    "auditor",
    "member",
];

serves! {
    ListUsers: plain list_users,
    GetUser: plain get_user,
    ApproveUser: plain approve_user,
    SuspendUser: timed suspend_user,
    RestoreUser: plain restore_user,
    DeleteUser: plain delete_user,
    SetUserRole: plain set_user_role,
}

impl Sandbox {
    /// Members by default; users who share devices only on request.
    fn list_users(&self, call: ListUsers) -> Outcome<Users> {
        let name = self.name_of(&call.tailnet)?;
        let kind = call.wanted.kind.unwrap_or_else(|| "member".to_owned());
        let role = call.wanted.role.unwrap_or_else(|| "all".to_owned());
        let mut users = people(&name, self.tailnet(&call.tailnet)?);
        users.retain(|user| kind == "all" || user.kind.as_ref() == Some(&kind));
        users.retain(|user| role == "all" || user.role.as_ref() == Some(&role));
        Ok(Users { users })
    }

    fn get_user(&self, call: GetUser) -> Outcome<User> {
        let mut all = self
            .open()
            .flat_map(|(name, tailnet)| people(name, tailnet));
        all.find(|user| user.id == call.id.as_str())
            .ok_or_else(|| unknown(&call.id))
    }

    fn approve_user(&mut self, call: ApproveUser) -> Outcome<Done> {
        self.not_oneself(&call.id)?;
        let (_, person) = self.person(&call.id)?;
        if status(person) == "needs-approval" {
            person.other.insert("status".to_owned(), "active".into());
        }
        Ok(Done)
    }

    /// Devices are kept, but are disconnected.
    fn suspend_user(&mut self, call: SuspendUser, now: i64) -> Outcome<Done> {
        self.not_oneself(&call.id)?;
        let (devices, person) = self.person(&call.id)?;
        person.other.insert("status".to_owned(), "suspended".into());
        let login = person.login_name.clone();
        let own = devices
            .iter_mut()
            .filter(|device| device.text("user") == login);
        own.for_each(|device| device.disconnect(now));
        Ok(Done)
    }

    fn restore_user(&mut self, call: RestoreUser) -> Outcome<Done> {
        let (_, person) = self.person(&call.id)?;
        if status(person) == "suspended" {
            person.other.insert("status".to_owned(), "active".into());
        }
        Ok(Done)
    }

    /// Tagged devices stay, as they have no user. The owner of the tailnet must transfer ownership first.
    fn delete_user(&mut self, call: DeleteUser) -> Outcome<Done> {
        self.not_oneself(&call.id)?;
        let (_, person) = self.person(&call.id)?;
        if person.role.as_deref() == Some("owner") {
            return refused!("the owner of a tailnet cannot be deleted");
        }
        let (login, tailnet) = self.home_of_user(&call.id)?;
        tailnet.remove_devices(|device| {
            device.text("user") == login && device.list("tags").is_empty()
        });
        tailnet.forget(call.id.as_str(), &login);
        Ok(Done)
    }

    /// Setting the role that a user already has changes nothing.
    fn set_user_role(&mut self, call: SetUserRole) -> Outcome<Done> {
        self.not_oneself(&call.id)?;
        if !ROLES.contains(&call.body.role.as_str()) {
            return refused!("there is no role \"{}\"", call.body.role);
        }
        let (_, person) = self.person(&call.id)?;
        person.role = Some(call.body.role);
        Ok(Done)
    }

    /// Users cannot act on themselves, whatever their token may do.
    fn not_oneself(&mut self, id: &ItemId) -> Outcome<()> {
        let own = self.caller.user().map(str::to_owned);
        let (_, person) = self.person(id)?;
        match own.is_some_and(|own| own == person.login_name) {
            true => refused!("not allowed to change own role"),
            false => Ok(()),
        }
    }

    /// The login name of a user, and their tailnet, among those that the key opens.
    fn home_of_user(&mut self, id: &ItemId) -> Outcome<(String, &mut Tailnet)> {
        let home = |(name, tailnet): (&str, &Tailnet)| {
            let login = login_of(name, tailnet, id.as_str())?;
            Some((name.to_owned(), login))
        };
        let found = self.open().find_map(home);
        let found =
            found.and_then(|(name, login)| Some((login, self.state.tailnets.get_mut(&name)?)));
        found.ok_or_else(|| unknown(id))
    }

    /// A user to change, and the devices of their tailnet. A user who is known only by devices is recorded now.
    fn person(&mut self, id: &ItemId) -> Outcome<(&mut Vec<Device>, &mut Person)> {
        let (login, tailnet) = self.home_of_user(id)?;
        let known = tailnet.users.get_or_insert_default();
        if !known.iter().any(|person| person.login_name == login) {
            known.push(Person {
                login_name: login.clone(),
                ..Person::default()
            });
        }
        let person = known.iter_mut().find(|person| person.login_name == login);
        Ok((&mut tailnet.devices, person.ok_or_else(|| unknown(id))?))
    }
}

impl Tailnet {
    fn forget(&mut self, id: &str, login: &str) {
        if let Some(users) = &mut self.users {
            users.retain(|person| person.login_name != login);
        }
        let own = |stored: &StoredKey| {
            stored.key.user_id.as_deref() == Some(id) && !is_credential(&stored.key)
        };
        let gone: Vec<String> = self
            .keys
            .iter()
            .filter(|key| own(key))
            .map(|key| key.key.id.clone())
            .collect();
        self.keys.retain(|stored| !own(stored));
        let of_own = |key: &String| gone.contains(key);
        self.tokens
            .retain(|token| !token.key_id.as_ref().is_some_and(of_own));
    }

    /// Whether the user with this id is suspended; `name` is that of the tailnet.
    pub(super) fn is_suspended(&self, name: &str, id: &str) -> bool {
        let is = |person: &&Person| status(person) == "suspended" && own_id(name, person) == id;
        self.users.iter().flatten().any(|person| is(&person))
    }
}

/// The login name of a user.
pub(super) fn login_of(name: &str, tailnet: &Tailnet, id: &str) -> Option<String> {
    let mut people = people(name, tailnet).into_iter();
    let user = people.find(|user| user.id == id)?;
    Some(user.login_name)
}

/// The id of a user.
pub(super) fn id_of(name: &str, tailnet: &Tailnet, login: &str) -> Option<String> {
    let mut people = people(name, tailnet).into_iter();
    let user = people.find(|user| user.login_name == login)?;
    Some(user.id)
}

fn unknown(id: &ItemId) -> Refusal {
    Refusal::Unknown("user", id.as_str().to_owned())
}

fn status(person: &Person) -> &str {
    person
        .other
        .get("status")
        .and_then(Value::as_str)
        .unwrap_or("active")
}

/// The id of a user: a given one, or one made from the names of the tailnet and the login, as the same login is another user in
/// another tailnet.
fn own_id(tailnet: &str, person: &Person) -> String {
    let given = person.other.get("id").and_then(Value::as_str);
    let both = || format!("{tailnet} {}", person.login_name);
    let made = || format!("u{:010x}CNTRL", hash(both().as_bytes()) as u32);
    given.map_or_else(made, str::to_owned)
}

/// The recorded users, then those known only by devices. Who registered a tagged device is not its owner.
pub(super) fn people(name: &str, tailnet: &Tailnet) -> Vec<User> {
    let mut places = Lists::default();
    for (place, device) in tailnet.devices.iter().enumerate() {
        places.add(device.text("user"), place);
    }
    let owned = |login: &str| -> Vec<&Device> {
        let places = places.get(login).iter();
        places
            .filter_map(|place| tailnet.devices.get(*place))
            .collect()
    };
    let mut known = Index::default();
    known.set("".into(), 0);
    let mut all: Vec<User> = Vec::new();
    for person in tailnet.users.iter().flatten() {
        known.set(person.login_name.as_str().into(), 0);
        all.push(user_of(name, &owned(&person.login_name), person));
    }
    for device in &tailnet.devices {
        let login = device.text("user");
        if !device.list("tags").is_empty() || !known.set(login.into(), 0) {
            continue;
        }
        let person = Person {
            login_name: login.to_owned(),
            ..Person::default()
        };
        let mut owner = user_of(name, &owned(login), &person);
        if device.is_external() {
            owner.kind = Some("shared".to_owned());
        }
        all.push(owner);
    }
    all
}

/// A user of these devices, with everything that an answer has.
pub(super) fn user_of(tailnet: &str, own: &[&Device], person: &Person) -> User {
    let mut other = person.other.clone();
    let mut taken = |name: &str| {
        other
            .remove(name)
            .and_then(|value| value.as_str().map(str::to_owned))
    };
    let login = person.login_name.clone();
    let id = own_id(tailnet, person);
    taken("id");
    let status = taken("status").unwrap_or_else(|| "active".to_owned());
    let kind = taken("type").unwrap_or_else(|| "member".to_owned());
    let first = login.split('@').next().unwrap_or_default().to_owned();
    // A tagged device belongs to its tags, whoever added it.
    let own: Vec<&&Device> = own
        .iter()
        .filter(|device| device.list("tags").is_empty())
        .collect();
    let connected = own.iter().any(|device| device.flag("connectedToControl"));
    let seen = own.iter().map(|device| device.text("lastSeen")).max();
    let seen = seen
        .filter(|time| !time.is_empty())
        .unwrap_or(choices::NO_TIME);
    for (name, value) in [
        ("displayName", Value::from(first)),
        ("profilePicUrl", "".into()),
        ("tailnetId", tailnet.into()),
        ("created", NO_TIME.into()),
        ("lastSeen", seen.into()),
    ] {
        other.entry(name).or_insert(value);
    }
    other.insert("deviceCount".to_owned(), own.len().into());
    other.insert("currentlyConnected".to_owned(), connected.into());
    User {
        id,
        login_name: login,
        role: Some(person.role.clone().unwrap_or_else(|| "member".to_owned())),
        status: Some(status),
        kind: Some(kind),
        other,
    }
}
