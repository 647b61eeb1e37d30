//! Calls about the keys with which machines sign in, and about those of the API. Must not live here: who may call.

use serde_json::json;

use super::HeadscaleSandbox;
use super::asked::Asked;
use super::nodes::tag_fault;
use super::refusal::Refusal;
use super::store::{HeldKey, Things, masked};
use super::users::unknown_user;
use crate::api::Response;
use crate::api::headscale::{ApiKey, PreAuthKey, Release};
use crate::sandbox::clock;

type Answer = Result<Response, Refusal>;

fn done() -> Answer {
    Ok(Response::json(200, &json!({})))
}

impl HeadscaleSandbox {
    pub(super) fn list_pre_auth_keys(&mut self, _: &Asked<'_>) -> Answer {
        let keys = self.store.pre_auth_keys.iter();
        let shown = |key: &PreAuthKey| PreAuthKey {
            key: masked(&key.key),
            ..key.clone()
        };
        let keys: Vec<PreAuthKey> = keys.map(shown).collect();
        Ok(Response::json(200, &json!({"preAuthKeys": keys})))
    }

    /// For a user, or for machines with tags. The whole key is in this answer alone.
    pub(super) fn create_pre_auth_key(&mut self, asked: &Asked<'_>) -> Answer {
        let body = asked.body(&["user", "reusable", "ephemeral", "expiration", "aclTags"])?;
        let user = body
            .text("user")?
            .filter(|id| !matches!(id.as_str(), "" | "0"));
        let tags = body.texts("aclTags")?.unwrap_or_default();
        let (reusable, ephemeral) = (body.flag("reusable")?, body.flag("ephemeral")?);
        let expiration = body.time("expiration")?;
        if let Some(reason) = tags.iter().find_map(|tag| tag_fault(tag)) {
            return Err(Refusal::bad(reason));
        }
        if user.is_none() && tags.is_empty() {
            return Err(Refusal::bad("a key needs a user, or tags"));
        }
        let user = match user {
            None => None,
            Some(id) => Some(self.store.user(&id).ok_or_else(unknown_user)?.clone()),
        };
        let (prefix, secret) = self.store.digits(asked.now);
        let key = PreAuthKey {
            user,
            id: self.store.next_id(Things::PreAuthKeys),
            key: format!("hskey-auth-{prefix}-{secret}"),
            reusable,
            ephemeral,
            used: false,
            expiration,
            created_at: clock::utc(asked.now),
            acl_tags: tags,
        };
        let answer = Response::json(200, &json!({"preAuthKey": key}));
        self.store.pre_auth_keys.push(key);
        Ok(answer)
    }

    pub(super) fn expire_pre_auth_key(&mut self, asked: &Asked<'_>) -> Answer {
        let id = asked.body(&["id"])?.required("id")?;
        let mut keys = self.store.pre_auth_keys.iter_mut();
        match keys.find(|key| key.id == id) {
            Some(key) => key.expiration = Some(clock::utc(asked.now)),
            None => no_pre_auth_key(asked)?,
        }
        done()
    }

    pub(super) fn delete_pre_auth_key(&mut self, asked: &Asked<'_>) -> Answer {
        let id = asked.query("id").unwrap_or_default();
        let keys = &mut self.store.pre_auth_keys;
        let count = keys.len();
        keys.retain(|key| key.id != id);
        if keys.len() == count {
            no_pre_auth_key(asked)?;
        }
        done()
    }

    pub(super) fn list_api_keys(&mut self, _: &Asked<'_>) -> Answer {
        let keys: Vec<&ApiKey> = self.store.api_keys.iter().map(|held| &held.key).collect();
        Ok(Response::json(200, &json!({"apiKeys": keys})))
    }

    /// The key is in this answer alone.
    pub(super) fn create_api_key(&mut self, asked: &Asked<'_>) -> Answer {
        let expiration = asked.body(&["expiration"])?.time("expiration")?;
        let (prefix, secret) = self.store.digits(asked.now);
        let key = format!("hskey-api-{prefix}-{secret}");
        self.store.hold(&key, expiration, asked.now);
        Ok(Response::json(200, &json!({"apiKey": key})))
    }

    pub(super) fn expire_api_key(&mut self, asked: &Asked<'_>) -> Answer {
        let body = asked.body(&["prefix", "id"])?;
        let given = |name| Ok::<_, Refusal>(body.text(name)?.filter(|text| !text.is_empty()));
        let (prefix, id) = (given("prefix")?, given("id")?);
        let fits: &dyn Fn(&HeldKey) -> bool = match (&prefix, &id) {
            (Some(prefix), None) => &move |held| has_prefix(held, prefix),
            (None, Some(id)) => &move |held| held.key.id == *id,
            _ => return Err(Refusal::bad("provide either `prefix` or `id`")),
        };
        let mut keys = self.store.api_keys.iter_mut();
        let held = keys.find(|held| fits(held)).ok_or_else(no_api_key)?;
        held.key.expiration = Some(clock::utc(asked.now));
        done()
    }

    pub(super) fn delete_api_key(&mut self, asked: &Asked<'_>) -> Answer {
        if asked.query("id").is_some() {
            return Err(Refusal::bad("provide either `prefix` or `id`"));
        }
        let keys = &mut self.store.api_keys;
        let place = keys.iter().position(|held| has_prefix(held, asked.first()));
        keys.remove(place.ok_or_else(no_api_key)?);
        done()
    }
}

/// Releases before 0.30 say nothing about a key that is not there.
fn no_pre_auth_key(asked: &Asked<'_>) -> Result<(), Refusal> {
    match asked.release {
        Release::V30 => Err(Refusal::not_found("pre-auth key not found")),
        Release::V28 | Release::V29 => Ok(()),
    }
}

fn no_api_key() -> Refusal {
    Refusal::not_found("api key not found")
}

/// Whether a key has this prefix, alone or as lists show it.
fn has_prefix(held: &HeldKey, prefix: &str) -> bool {
    let bare = |shown: &str| {
        let shown = shown.strip_prefix("hskey-api-").unwrap_or(shown);
        shown.trim_end_matches('*').trim_end_matches('-').to_owned()
    };
    bare(&held.key.prefix) == bare(prefix)
}
