//! Access tokens: how an OAuth client gets one, and what a key in a request stands for.
//! Must not live here: what a token may do (`caller`), keys (`keys`).

use serde::Serialize;

use super::caller::{Caller, Grant};
use super::choices::{Outcome, Refusal, refused};
use super::example::hash;
use super::keys::is_credential;
use super::state::{StoredKey, Tailnet, Token};
use super::users::login_of;
use super::{Sandbox, clock};
use crate::api::{ApiKey, Headers, Request, Response, headers, uri};
use crate::tables::base64;

/// The lifetime of a token, in seconds.
const LIFE: i64 = 3600;

/// The answer of the token endpoint (RFC 6749, section 5.1).
#[derive(Serialize)]
struct Issued<'t> {
    access_token: &'t str,
    token_type: &'static str,
    expires_in: i64,
    scope: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    tags: String,
}

impl Sandbox {
    /// The caller who sends these header fields.
    pub(super) fn authenticate(&self, headers: &Headers, now: i64) -> Outcome<Caller> {
        let key = ApiKey::read(headers).map_err(Refusal::BadCredentials)?;
        if key.reveal() == self.key {
            return Ok(Caller::default());
        }
        let alive = |token: &&Token| {
            let end = clock::parse(&token.expires);
            token.token == key.reveal() && end.is_some_and(|end| end > now)
        };
        for (name, tailnet) in self.state.tailnets.iter() {
            if let Some(token) = tailnet.tokens.iter().find(alive) {
                let owner = tailnet.owner_of(token.key_id.as_deref().unwrap_or_default());
                if owner
                    .as_deref()
                    .is_some_and(|owner| tailnet.is_suspended(name, owner))
                {
                    return Err(Refusal::WrongKey);
                }
                let grant = Grant {
                    tailnet: name.to_owned(),
                    scopes: token.scopes.clone(),
                    tags: token.tags.clone(),
                    user: owner.and_then(|id| login_of(name, tailnet, &id)),
                    key_id: token.key_id.clone(),
                };
                return Ok(Caller { token: Some(grant) });
            }
            // The secret of a client is not a token: it is known, but allows nothing.
            if tailnet.client(key.reveal()).is_some() {
                return Err(Refusal::Forbidden);
            }
        }
        Err(Refusal::WrongKey)
    }

    /// The token endpoint: form-encoded, the secret in the body or as Basic credentials.
    pub(super) fn issue_token(&mut self, request: &Request, now: i64) -> Outcome<Response> {
        let form = String::from_utf8_lossy(&request.body).into_owned();
        let field = |name: &str| uri::query_value(&form, name).filter(|value| !value.is_empty());
        let secret = field("client_secret").or_else(|| basic_password(&request.headers));
        let secret = secret.ok_or(Refusal::BadToken)?;
        if field("grant_type").is_some_and(|kind| kind != "client_credentials") {
            return refused!("grant_type must be client_credentials");
        }
        let found = self.state.tailnets.iter().find_map(|(name, tailnet)| {
            let client = tailnet.client(&secret)?.clone();
            Some((name.to_owned(), tailnet, client.key))
        });
        let (home, tailnet, key) = found.ok_or(Refusal::BadToken)?;
        let grant = Grant {
            scopes: key.scopes.clone().unwrap_or_default(),
            tags: key.tags.clone().unwrap_or_default(),
            ..Grant::default()
        };
        let scopes = field("scope").map_or_else(|| grant.scopes.clone(), words);
        let tags = field("tags").map_or_else(|| grant.tags.clone(), words);
        let lacking = grant.lacking(&scopes);
        if !lacking.is_empty() {
            return Err(Refusal::UngrantedScopes(lacking.join(" ")));
        }
        super::owners::permit(&tailnet.acl, &tags, Some(&grant))?;
        Ok(self.hand_out(&home, key.id, (scopes, tags), now))
    }

    /// Makes a token for a client or an identity of this tailnet.
    pub(super) fn hand_out(
        &mut self,
        home: &str,
        key: String,
        (scopes, tags): (Vec<String>, Vec<String>),
        now: i64,
    ) -> Response {
        let token = format!("tskey-api-{}", self.fresh("token", now));
        let answer = Issued {
            access_token: &token,
            token_type: "Bearer",
            expires_in: LIFE,
            scope: scopes.join(" "),
            tags: tags.join(" "),
        };
        let response = Response::json(200, &answer);
        if let Some(tailnet) = self.state.tailnets.get_mut(home) {
            let alive = |token: &Token| clock::parse(&token.expires).is_some_and(|end| end > now);
            tailnet.tokens.retain(alive);
            tailnet.tokens.push(Token {
                token,
                key_id: Some(key),
                scopes,
                tags,
                expires: clock::utc(now.saturating_add(LIFE * 1000)),
            });
        }
        self.revision += 1;
        response
    }

    /// Digits that were not used before. They follow from the state and the time alone, so that repeating the same changes,
    /// as a journal does, gives the same digits.
    pub(super) fn fresh(&mut self, what: &str, now: i64) -> String {
        self.state.minted += 1;
        let seed = format!("{what} {now} {}", self.state.minted);
        format!("{:016x}", hash(seed.as_bytes()) as u64)
    }
}

impl Grant {
    /// The scopes that it may not grant, in their order.
    pub fn lacking<'s>(&self, scopes: &'s [String]) -> Vec<&'s str> {
        let scopes = scopes.iter().map(String::as_str);
        scopes.filter(|scope| !self.covers(scope)).collect()
    }

    /// Whether its scopes include this one.
    fn covers(&self, scope: &str) -> bool {
        let (area, reads) = match scope.strip_suffix(":read") {
            Some(area) => (area, true),
            None => (scope, false),
        };
        let has = |word: &str| self.scopes.iter().any(|own| own == word);
        has(area) || has("all") || (reads && (has(scope) || has("all:read")))
    }
}

impl Tailnet {
    /// The user who owns a key, by id; None for a key or a credential of the tailnet.
    pub(super) fn owner_of(&self, key: &str) -> Option<String> {
        let stored = self.keys.iter().find(|stored| stored.key.id == key)?;
        let owner = stored.key.user_id.as_ref().filter(|id| !id.is_empty());
        owner.filter(|_| !is_credential(&stored.key)).cloned()
    }

    /// The OAuth client with this secret.
    fn client(&self, secret: &str) -> Option<&StoredKey> {
        let is = |stored: &&StoredKey| {
            stored.secret.as_deref() == Some(secret)
                && stored.key.key_type.as_deref() == Some("client")
        };
        self.keys.iter().find(is)
    }
}

/// The words of a list separated by blanks.
fn words(text: String) -> Vec<String> {
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

/// The password of Basic credentials (RFC 7617).
fn basic_password(headers: &Headers) -> Option<String> {
    let value = headers.get(headers::AUTHORIZATION)?;
    let (scheme, encoded) = value.split_once(' ')?;
    let decoded = scheme
        .eq_ignore_ascii_case("basic")
        .then(|| base64::decode(encoded.trim()))??;
    let text = String::from_utf8(decoded).ok()?;
    text.split_once(':')
        .map(|(_, password)| password.to_owned())
}
