//! The calls about keys: which may be created, by whom, and when one stops working.
//! Must not live here: access tokens (`tokens`), wire shapes (`api`).

use serde_json::{Map, Value};

use super::caller::{Need, is_scope};
use super::choices::{Outcome, Refusal, refused};
use super::perform::serves;
use super::state::StoredKey;
use super::{Sandbox, clock, owners};
use crate::api::{CreateKey, DeleteKey, Done, GetKey, Key, Keys, ListKeys, SetKey, TailnetName};

/// The longest lifetime of an auth key, and the default, in seconds: 90 days.
const LONGEST_LIFE: u64 = 7_776_000;
/// The longest description.
const LONGEST_DESCRIPTION: usize = 50;

serves! {
    ListKeys: timed list_keys,
    CreateKey: timed create_key,
    GetKey: timed get_key,
    SetKey: timed set_key,
    DeleteKey: timed delete_key,
}

impl Sandbox {
    fn list_keys(&self, call: ListKeys, now: i64) -> Outcome<Keys> {
        let stored = &self.tailnet(&call.tailnet)?.keys;
        let asked = stored.iter().map(|stored| &stored.key);
        let asked = asked.filter(|key| key.revoked.is_none());
        let asked = asked.filter(|key| call.wanted.all || self.is_own(key, stored));
        let readable = asked.filter(|key| self.caller.may(Need::read(area(key))));
        let keys = readable.map(|key| shown(key, now)).collect();
        Ok(Keys { keys })
    }

    /// Whether a list shows this key to a caller who does not ask for all.
    fn is_own(&self, key: &Key, stored: &[StoredKey]) -> bool {
        let Some(grant) = &self.caller.token else {
            return key.user_id.is_none() || is_credential(key);
        };
        let mut callers = stored.iter().map(|stored| &stored.key);
        let callers = callers.find(|own| grant.key_id.as_deref() == Some(own.id.as_str()));
        callers.is_some_and(|own| match grant.user {
            Some(_) => own.user_id == key.user_id,
            None => kind(own) == kind(key),
        })
    }

    fn get_key(&self, call: GetKey, now: i64) -> Outcome<Key> {
        let stored = &self.tailnet(&call.tailnet)?.keys;
        let found = stored
            .iter()
            .find(|stored| stored.key.id == call.id.as_str());
        let found = found.filter(|stored| self.caller.may(Need::read(area(&stored.key))));
        found
            .map(|stored| shown(&stored.key, now))
            .ok_or(Refusal::UnknownKey)
    }

    /// The secret is in this answer and in no other.
    fn create_key(&mut self, call: CreateKey, now: i64) -> Outcome<Key> {
        let mut key = call.key;
        let kind = key
            .key_type
            .get_or_insert_with(|| "auth".to_owned())
            .clone();
        self.caller.need(Need::write(area(&key)))?;
        described(&key)?;
        of_its_kind(&key)?;
        key.id = format!("k{}CNTRL", self.fresh("key", now));
        match kind.as_str() {
            "auth" => self.complete_auth(&call.tailnet, &mut key, now)?,
            "client" | "federated" => self.complete_client(&call.tailnet, &mut key)?,
            _ => {
                return refused!("keys of type \"{kind}\" cannot be created");
            }
        }
        key.created = Some(clock::utc(now));
        (key.key, key.updated, key.revoked, key.invalid) = (None, None, None, None);
        let home = self.name_of(&call.tailnet)?;
        let actor = self.actor(&home);
        // The sandbox's own key makes auth keys of the tailnet, which no user takes along; a credential names who made it.
        let named = self.caller.user().is_some() || is_credential(&key);
        key.user_id = Some(actor.id).filter(|_| named && actor.kind == "USER");
        let secret = (kind != "federated")
            .then(|| format!("tskey-{kind}-{}-{}", key.id, self.fresh("secret", now)));
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        tailnet.keys.push(StoredKey {
            secret: secret.clone(),
            key: key.clone(),
        });
        key.key = secret;
        Ok(key)
    }

    /// The secret and the owner stay, and what only the service sets; everything else is replaced.
    fn set_key(&mut self, call: SetKey, now: i64) -> Outcome<Key> {
        let tailnet = call.tailnet.clone();
        let id = call.id.clone();
        let before = self.get_key(GetKey { tailnet, id }, now)?;
        self.caller.need(Need::write(area(&before)))?;
        if before.revoked.is_some() {
            return Err(Refusal::UnknownKey);
        }
        let (had, wanted) = (kind(&before), kind(&call.key));
        if !is_credential(&before) {
            return refused!("keys of type \"{had}\" can not be updated");
        }
        if had != wanted {
            return refused!(
                "cannot modify key type, attempting to change from \"{had}\" to \"{wanted}\""
            );
        }
        let mut key = call.key;
        described(&key)?;
        key.id = before.id;
        self.complete_client(&call.tailnet, &mut key)?;
        (key.created, key.updated) = (before.created, Some(clock::utc(now)));
        (key.user_id, key.key, key.revoked, key.invalid) = (before.user_id, None, None, None);
        let stored = &mut self.tailnet_mut(&call.tailnet)?.keys;
        if let Some(stored) = stored.iter_mut().find(|stored| stored.key.id == key.id) {
            stored.key = key.clone();
        }
        Ok(key)
    }

    /// Devices that joined with it stay; the tokens of a client end. A client or an identity is still found, without its secret.
    fn delete_key(&mut self, call: DeleteKey, now: i64) -> Outcome<Done> {
        let (tailnet, id) = (call.tailnet.clone(), call.id.clone());
        let key = self.get_key(GetKey { tailnet, id }, now)?;
        self.caller.need(Need::write(area(&key)))?;
        if key.revoked.is_some() {
            return Err(Refusal::UnknownKey);
        }
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        if is_credential(&key) {
            let mut all = tailnet.keys.iter_mut();
            if let Some(stored) = all.find(|stored| stored.key.id == key.id) {
                stored.secret = None;
                stored.key.invalid = Some(true);
                stored.key.revoked = Some(clock::utc(now));
            }
        } else {
            tailnet.keys.retain(|stored| stored.key.id != key.id);
        }
        tailnet
            .tokens
            .retain(|token| token.key_id.as_deref() != Some(key.id.as_str()));
        Ok(Done)
    }

    fn complete_auth(&self, tailnet: &TailnetName, key: &mut Key, now: i64) -> Outcome<()> {
        let life = key
            .expiry_seconds
            .filter(|seconds| *seconds > 0)
            .unwrap_or(LONGEST_LIFE);
        if life > LONGEST_LIFE {
            return refused!("expirySeconds must be less than or equal to {LONGEST_LIFE}");
        }
        let Some(capabilities) = &mut key.capabilities else {
            return refused!("`capabilities` is missing from the body");
        };
        let tags = capabilities.devices.create.tags.clone();
        let is_tailnets = self.caller.token.is_some() && self.caller.user().is_none();
        if is_tailnets && tags.is_empty() {
            return refused!("tailnet-owned auth key must have tags set");
        }
        owners::permit(
            &self.tailnet(tailnet)?.acl,
            &tags,
            self.caller.token.as_ref(),
        )?;
        (key.scopes, key.tags) = (None, None);
        key.expiry_seconds = Some(life);
        let millis = i64::try_from(life).unwrap_or_default().saturating_mul(1000);
        key.expires = Some(clock::utc(now.saturating_add(millis)));
        Ok(())
    }

    fn complete_client(&self, tailnet: &TailnetName, key: &mut Key) -> Outcome<()> {
        let scopes = key.scopes.clone().unwrap_or_default();
        if scopes.is_empty() {
            return refused!(
                "scopes cannot be empty, at least one scope is required for OAuth clients"
            );
        }
        let unknown: Vec<&str> = scopes
            .iter()
            .map(String::as_str)
            .filter(|scope| !is_scope(scope))
            .collect();
        if !unknown.is_empty() {
            return refused!("unknown scopes: [{}]", unknown.join(" "));
        }
        if let Some(grant) = &self.caller.token {
            let lacking = grant.lacking(&scopes);
            if !lacking.is_empty() {
                return refused!("actor cannot set scopes: [{}]", lacking.join(" "));
            }
        }
        let tags = key.tags.clone().unwrap_or_default();
        let tagged = |scope: &String| matches!(scope.as_str(), "devices:core" | "auth_keys");
        if tags.is_empty() && scopes.iter().any(tagged) {
            return refused!("tags are required with the scopes devices:core and auth_keys");
        }
        owners::permit(
            &self.tailnet(tailnet)?.acl,
            &tags,
            self.caller.token.as_ref(),
        )?;
        if kind(key) == "federated" {
            complete_federated(key)?;
        }
        (key.capabilities, key.expiry_seconds, key.expires) = (None, None, None);
        Ok(())
    }
}

/// The issuer is not asked, as the sandbox reaches no network.
fn complete_federated(key: &mut Key) -> Outcome<()> {
    let text = |name: &str| {
        key.other
            .get(name)
            .and_then(|value| value.as_str())
            .unwrap_or_default()
    };
    if !text("issuer").starts_with("https://") || text("subject").is_empty() {
        return refused!("a federated identity needs an https issuer and a subject");
    }
    if text("audience").is_empty() {
        let audience = format!("api.sandbox.invalid/{}", key.id);
        key.other.insert("audience".to_owned(), audience.into());
    }
    match key.other.get_mut("customClaimRules") {
        Some(Value::Object(rules)) if rules.values().all(Value::is_string) => Ok(()),
        None => Ok(()),
        Some(rules @ Value::Null) => {
            *rules = Value::Object(Map::new());
            Ok(())
        }
        Some(_) => refused!("`customClaimRules` must be an object of texts"),
    }
}

/// Refuses fields of the other kinds, unless they are as good as absent.
fn of_its_kind(key: &Key) -> Outcome<()> {
    let kind = kind(key);
    let (is_auth, is_federated) = (kind == "auth", kind == "federated");
    let lists = |list: &Option<Vec<String>>| list.as_ref().is_some_and(|list| !list.is_empty());
    let strange = [
        ("capabilities", !is_auth && key.capabilities.is_some()),
        ("expirySeconds", !is_auth && key.expiry_seconds > Some(0)),
        ("scopes", is_auth && lists(&key.scopes)),
        ("tags", is_auth && lists(&key.tags)),
    ];
    let of_identities = ["issuer", "subject", "audience", "customClaimRules"].map(|name| {
        let value = key.other.get(name).unwrap_or(&Value::Null);
        let is_empty = match value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => false,
        };
        (name, !is_federated && !is_empty)
    });
    let mut all = strange.into_iter().chain(of_identities);
    match all.find(|(_, is_strange)| *is_strange) {
        None => Ok(()),
        Some((name, _)) => refused!("`{name}` is not for keys of type \"{kind}\""),
    }
}

fn described(key: &Key) -> Outcome<()> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | ' ');
    let text = key.description.as_deref().unwrap_or_default();
    match text.chars().all(plain) && text.chars().count() <= LONGEST_DESCRIPTION {
        true => Ok(()),
        false => refused!("keys: description had invalid characters"),
    }
}

fn kind(key: &Key) -> &str {
    key.key_type.as_deref().unwrap_or("auth")
}

/// Whether it is one of the tailnet's credentials: whoever made it, it outlives them, and its tokens are not theirs.
pub(super) fn is_credential(key: &Key) -> bool {
    matches!(kind(key), "client" | "federated")
}

/// The area of rights that a key belongs to.
fn area(key: &Key) -> &'static str {
    match kind(key) {
        "client" => "oauth_keys",
        "federated" => "federated_keys",
        "api" => "api_access_tokens",
        _ => "auth_keys",
    }
}

/// A key as it is returned: without its secret, and invalid once it has expired.
fn shown(key: &Key, now: i64) -> Key {
    let end = key.expires.as_deref().and_then(clock::parse);
    let mut key = key.clone();
    key.key = None;
    if end.is_some_and(|end| end <= now) {
        key.invalid = Some(true);
    }
    key
}
