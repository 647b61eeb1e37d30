//! The exchange of another issuer's token for one of this service. The signature cannot be checked here, as the
//! sandbox reaches no network: the claims of the token are compared with the federated identity. Must not live here: other tokens.

use serde_json::{Map, Value};

use super::Sandbox;
use super::choices::{Outcome, Refusal};
use crate::api::payload::from_json;
use crate::api::{Key, Request, Response, uri};
use crate::tables::base64;

impl Sandbox {
    /// Form-encoded: `client_id`, the id of a federated identity, and `jwt`.
    pub(super) fn exchange_token(&mut self, request: &Request, now: i64) -> Outcome<Response> {
        let form = String::from_utf8_lossy(&request.body).into_owned();
        let field = |name: &str| uri::query_value(&form, name).unwrap_or_default();
        let (id, claims) = (field("client_id"), claims(&field("jwt")));
        let claims = claims.ok_or(Refusal::Unauthorized)?;
        let found = self.state.tailnets.iter().find_map(|(name, tailnet)| {
            let mut keys = tailnet.keys.iter().map(|stored| &stored.key);
            let key = keys.find(|key| {
                key.id == id
                    && key.key_type.as_deref() == Some("federated")
                    && key.revoked.is_none()
            });
            key.map(|key| (name.to_owned(), key.clone()))
        });
        let (home, key) = found.ok_or(Refusal::Unauthorized)?;
        if !vouched_for(&key, &claims, now) {
            return Err(Refusal::Unauthorized);
        }
        let granted = (key.scopes.unwrap_or_default(), key.tags.unwrap_or_default());
        Ok(self.hand_out(&home, key.id, granted, now))
    }
}

/// The claims of a JSON Web Token (RFC 7519); None if it is not one.
fn claims(token: &str) -> Option<Map<String, Value>> {
    let mut parts = token.split('.');
    let (_, payload, _) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let bytes = base64::decode_url(payload)?;
    from_json(&bytes).ok()
}

/// Whether a token with these claims fits the identity and has not expired.
fn vouched_for(key: &Key, claims: &Map<String, Value>, now: i64) -> bool {
    let wanted = |name: &str| key.other.get(name).and_then(Value::as_str);
    let claimed = |name: &str| claims.get(name).and_then(Value::as_str).unwrap_or_default();
    let end = claims.get("exp").and_then(Value::as_f64);
    let audience = match claims.get("aud") {
        Some(Value::Array(several)) => several.clone(),
        one => one.cloned().into_iter().collect(),
    };
    let rules = key.other.get("customClaimRules").and_then(Value::as_object);
    let mut rules = rules.into_iter().flatten();
    end.is_some_and(|end| end * 1000.0 > now as f64)
        && wanted("issuer") == Some(claimed("iss"))
        && wanted("subject").is_some_and(|pattern| fits(pattern, claimed("sub")))
        && wanted("audience").is_some_and(|wanted| audience.iter().any(|one| one == wanted))
        && rules.all(|(name, pattern)| {
            let pattern = pattern.as_str();
            pattern.is_some_and(|pattern| fits(pattern, claimed(name)))
        })
}

/// Whether a text matches a pattern, in which `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut left) = text.strip_prefix(start) else {
        return false;
    };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        match left.split_once(part) {
            Some((_, behind)) => left = behind,
            None => return false,
        }
    }
    left.ends_with(end)
}
