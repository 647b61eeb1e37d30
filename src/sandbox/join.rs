//! What a machine does when it signs in, by a key or as a user, and tokens without the token endpoint.
//! Must not live here: changes by calls, wire shapes (`api`).

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::addresses::first_free;
use super::device_changes::{domain_of, label};
use super::devices::judge_routes;
use super::events::{node, user};
use super::options::Error;
use super::state::{Person, StoredKey, Tailnet, Token};
use super::users::{id_of, login_of};
use super::{Device, Sandbox, clock, owners};
use crate::api::Key;
use crate::api::input::object;

/// How many days a device may stay signed in by default.
const KEY_DAYS: i64 = 180;

/// A machine that signs in, by a key or as a user.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub struct Machine {
    /// The secret of an auth key.
    pub key: Option<String>,
    /// The login name of a user.
    pub user: Option<String>,
    /// The tailnet of the user; the key's own if absent.
    pub tailnet: Option<String>,
    /// The host name that the machine reports.
    pub hostname: String,
    /// Its operating system.
    pub os: Option<String>,
    /// Tags that it asks for, besides those of the key.
    pub tags: Vec<String>,
    /// Routes that it advertises.
    pub advertised_routes: Vec<String>,
}

/// A token to issue.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct TokenGrant {
    /// What it may do.
    pub scopes: Vec<String>,
    /// The tags for which it acts.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Its tailnet; the key's own if absent.
    #[serde(default)]
    pub tailnet: Option<String>,
    /// Its user, by login name; if absent it belongs to the tailnet.
    #[serde(default)]
    pub user: Option<String>,
    /// Its lifetime in seconds; an hour if absent.
    #[serde(default)]
    pub expires_in: Option<u32>,
}

/// What depends on the way of signing in.
#[derive(Default)]
struct Entry {
    tailnet: String,
    user: String,
    /// Whether this user is new.
    is_new: bool,
    tags: Vec<String>,
    ephemeral: bool,
    preauthorized: bool,
    /// The single-use key that is used up.
    spent: Option<String>,
}

impl Sandbox {
    /// Signs a machine in at time `now`; returns its device as the API shows it, with all fields.
    ///
    /// # Errors
    /// [`Error`], code `invalid_argument`, for a key that no longer works, a user who may not, tags without an owner, a route that is
    /// no prefix.
    pub fn join(&mut self, machine: &Machine, now: i64) -> Result<Value, Error> {
        let entry = match (&machine.key, &machine.user) {
            (Some(key), None) => self.by_key(key, now)?,
            (None, Some(user)) => self.by_user(user, machine.tailnet.as_deref())?,
            _ => return Err(Error::new("a machine joins by a `key` or as a `user`")),
        };
        let seed = self.fresh("node", now);
        let mut tags = entry.tags.clone();
        tags.extend(
            machine
                .tags
                .iter()
                .filter(|tag| !entry.tags.contains(tag))
                .cloned(),
        );
        let gone = || Error::new("there is no such tailnet");
        let tailnet = self
            .state
            .tailnets
            .get_mut(&entry.tailnet)
            .ok_or_else(gone)?;
        owners::permit(&tailnet.acl, &tags, None)
            .and_then(|()| judge_routes(&machine.advertised_routes))
            .map_err(|refusal| Error::new(&refusal.message()))?;
        let device = device(tailnet, &entry, machine, (&seed, &tags), now)?;
        let shown = serde_json::to_value(device.answer(true)).unwrap_or_default();
        let (thing, waits) = (device.thing(&entry.tailnet, ""), !device.flag("authorized"));
        tailnet.devices.push(device);
        let spent = tailnet
            .keys
            .iter_mut()
            .find(|stored| Some(&stored.key.id) == entry.spent.as_ref());
        if let Some(stored) = spent {
            stored.key.invalid = Some(true);
        }
        self.revision += 1;
        self.welcome(&entry, now);
        let waiting = waits.then_some("nodeNeedsApproval");
        for kind in ["nodeCreated"].into_iter().chain(waiting) {
            let told = node(kind, &thing);
            self.arrive(&entry, kind, told, now);
        }
        Ok(shown)
    }

    /// Adds a new user; if users must be approved, the user waits for that.
    fn welcome(&mut self, entry: &Entry, now: i64) {
        if !entry.is_new {
            return;
        }
        let Some(tailnet) = self.state.tailnets.get_mut(&entry.tailnet) else {
            return;
        };
        let waits = tailnet.settings.get("usersApprovalOn") == Some(&Value::Bool(true));
        let status = if waits { "needs-approval" } else { "active" };
        let known = [
            ("created", clock::utc(now).into()),
            ("status", status.into()),
        ];
        tailnet.users.get_or_insert_default().push(Person {
            login_name: entry.user.clone(),
            other: object(known),
            ..Person::default()
        });
        let waiting = waits.then_some("userNeedsApproval");
        for kind in ["userCreated"].into_iter().chain(waiting) {
            let told = user(kind, &entry.user);
            self.arrive(entry, kind, told, now);
        }
    }

    /// Sends webhooks an event about a new user or device.
    fn arrive(
        &mut self,
        entry: &Entry,
        kind: &str,
        (message, mut data): (String, Value),
        now: i64,
    ) {
        data["actor"] = entry.user.clone().into();
        self.happen(&entry.tailnet, kind, message, data, now);
    }

    /// Issues an access token at once.
    ///
    /// # Errors
    /// [`Error`], code `invalid_argument`, for a tailnet or a user that does not exist.
    pub fn token(&mut self, grant: TokenGrant, now: i64) -> Result<String, Error> {
        let unknown = || Error::new("there is no such tailnet");
        let name = grant.tailnet.or_else(|| self.own_tailnet());
        let name = name.ok_or_else(unknown)?;
        let home = self.state.tailnets.get(&name).ok_or_else(unknown)?;
        let owner = grant.user.map(|login| id_of(&name, home, &login));
        if owner == Some(None) {
            return Err(Error::new("there is no such user"));
        }
        let token = format!("tskey-api-{}", self.fresh("token", now));
        let life = i64::from(grant.expires_in.unwrap_or(3600)).saturating_mul(1000);
        let expires = clock::utc(now.saturating_add(life));
        // A person's own token is one of their keys; one of the tailnet is in no list.
        let key = owner.flatten().map(|owner| Key {
            id: format!("k{}CNTRL", self.fresh("key", now)),
            key_type: Some("api".to_owned()),
            user_id: Some(owner),
            created: Some(clock::utc(now)),
            expires: Some(expires.clone()),
            ..Key::default()
        });
        let home = self.state.tailnets.get_mut(&name).ok_or_else(unknown)?;
        home.tokens.push(Token {
            token: token.clone(),
            key_id: key.as_ref().map(|key| key.id.clone()),
            scopes: grant.scopes,
            tags: grant.tags,
            expires,
        });
        let secret = None;
        home.keys.extend(key.map(|key| StoredKey { secret, key }));
        self.revision += 1;
        Ok(token)
    }

    /// The first tailnet that the sandbox's own key opens.
    fn own_tailnet(&self) -> Option<String> {
        let named = self.opens.iter().flatten().next().cloned();
        named.or_else(|| {
            self.state
                .tailnets
                .iter()
                .next()
                .map(|(name, _)| name.to_owned())
        })
    }

    fn by_key(&self, secret: &str, now: i64) -> Result<Entry, Error> {
        let auth = |kind: &Option<String>| kind.as_deref().unwrap_or("auth") == "auth";
        for (name, tailnet) in self.state.tailnets.iter() {
            let mut keys = tailnet.keys.iter();
            let found = keys.find(|stored| {
                stored.secret.as_deref() == Some(secret) && auth(&stored.key.key_type)
            });
            let Some(key) = found.map(|stored| &stored.key) else {
                continue;
            };
            let end = key.expires.as_deref().and_then(clock::parse);
            let owner = tailnet.owner_of(&key.id);
            let suspended = owner
                .as_deref()
                .is_some_and(|id| tailnet.is_suspended(name, id));
            if key.invalid == Some(true) || suspended || end.is_some_and(|end| end <= now) {
                break;
            }
            let create = key.capabilities.clone().unwrap_or_default().devices.create;
            return Ok(Entry {
                tailnet: name.to_owned(),
                user: match create.tags.is_empty() {
                    true => owner.and_then(|id| login_of(name, tailnet, &id)),
                    false => None,
                }
                .unwrap_or_default(),
                is_new: false,
                tags: create.tags,
                ephemeral: create.ephemeral,
                preauthorized: create.preauthorized,
                spent: (!create.reusable).then(|| key.id.clone()),
            });
        }
        Err(Error::new(
            "the key is not valid: deleted, expired, used up or never made",
        ))
    }

    fn by_user(&self, login: &str, tailnet: Option<&str>) -> Result<Entry, Error> {
        let unknown = || Error::new("there is no such tailnet");
        let name = tailnet
            .map(str::to_owned)
            .or_else(|| self.own_tailnet())
            .ok_or_else(unknown)?;
        let tailnet = self.state.tailnets.get(&name).ok_or_else(unknown)?;
        let mut users = tailnet.users.iter().flatten();
        let user: Option<&Person> = users.find(|person| person.login_name == login);
        let status = user
            .and_then(|user| user.other.get("status"))
            .and_then(Value::as_str);
        if status == Some("suspended") {
            return Err(Error::new("the user is suspended"));
        }
        let mut devices = tailnet.devices.iter();
        let is_new = user.is_none() && !devices.any(|device| device.text("user") == login);
        Ok(Entry {
            tailnet: name,
            user: login.to_owned(),
            is_new,
            ..Entry::default()
        })
    }
}

/// The device of a machine: with a free name and address, and a key that expires as the settings say.
fn device(
    tailnet: &Tailnet,
    entry: &Entry,
    machine: &Machine,
    (seed, tags): (&str, &[String]),
    now: i64,
) -> Result<Device, Error> {
    let first = label(&machine.hostname);
    if first.is_empty() {
        return Err(Error::new("`hostname` must be a name"));
    }
    let name = free_name(tailnet, &first, &domain_of(&entry.tailnet));
    let addresses = tailnet.free_addresses();
    let addresses = addresses.ok_or_else(|| Error::new("no address is free"))?;
    let days = tailnet
        .settings
        .get("devicesKeyDurationDays")
        .and_then(Value::as_i64);
    let approval = tailnet.settings.get("devicesApprovalOn") == Some(&Value::Bool(true));
    let ends = now.saturating_add(days.unwrap_or(KEY_DAYS) * clock::DAY);
    // As many bits as JavaScript's numbers hold. The low ones: those differ most between one seed and the next.
    let digits = u64::from_str_radix(seed, 16).unwrap_or_default() & (u64::MAX >> 11);
    let fields = json!({
        "id": digits.to_string(),
        "nodeId": format!("n{seed}CNTRL"),
        "addresses": addresses,
        "user": entry.user,
        "name": name,
        "hostname": machine.hostname,
        "os": machine.os.as_deref().unwrap_or("linux"),
        "created": clock::utc(now),
        "keyExpiryDisabled": !tags.is_empty(),
        "expires": clock::utc(ends),
        "authorized": entry.preauthorized || !approval,
        "isExternal": false,
        "isEphemeral": entry.ephemeral,
        "connectedToControl": true,
        "machineKey": format!("mkey:{seed}"),
        "nodeKey": format!("nodekey:{seed}"),
        "advertisedRoutes": machine.advertised_routes,
        "enabledRoutes": [],
    });
    let mut fields: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
    if !tags.is_empty() {
        fields.insert("tags".to_owned(), tags.into());
    }
    Device::try_from(fields).map_err(|reason| Error::new(&reason))
}

/// The first free name with this label, with a number appended if needed.
fn free_name(tailnet: &Tailnet, first: &str, domain: &str) -> String {
    let names = tailnet.devices.iter().map(|device| device.text("name"));
    let taken = names.filter_map(|name| {
        let rest = name.strip_prefix(first)?.strip_suffix(domain)?;
        match rest.strip_suffix('.')? {
            "" => Some(0),
            numbered => {
                let digits = numbered.strip_prefix('-')?;
                let number = digits.parse::<usize>().ok()?;
                (number > 0 && number.to_string() == digits).then_some(number)
            }
        }
    });
    match first_free(taken) {
        0 => format!("{first}.{domain}"),
        number => format!("{first}-{number}.{domain}"),
    }
}
