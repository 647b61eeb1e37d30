//! The token endpoints: what a source of access tokens sends, and what it is answered (RFC 6749, sections 4.4 and 5.1).
//! Must not live here: how long a token is kept (`client::token`), what it may do (`sandbox`).

use super::credentials::ApiKey;
use super::error::Error;
use super::given::whole;
use super::headers;
use super::message::{Method, Request};
use super::operation::{TOKEN_EXCHANGE_PATH, TOKEN_PATH};
use super::uri;
use crate::hujson::{self, Value};

/// What proves who asks. It appears in no `Debug` output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The secret of an OAuth client.
    Secret(ApiKey),
    /// A token of an identity provider that the service trusts (RFC 7519).
    Identity(ApiKey),
}

/// A request for an access token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenRequest {
    /// The OAuth client or the federated identity; the secret of a client holds it too.
    pub client_id: Option<String>,
    /// What proves it.
    pub proof: Proof,
    /// The scopes that are wanted; none for all that the client has.
    pub scopes: Vec<String>,
    /// The tags that are wanted; none for all that the client has.
    pub tags: Vec<String>,
}

impl TokenRequest {
    /// The request, without a base URL.
    pub fn to_request(&self) -> Request {
        let mut form = String::new();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                uri::push_query(&mut form, name, value);
            }
        };
        add("client_id", self.client_id.as_deref().unwrap_or_default());
        let path = match &self.proof {
            Proof::Secret(secret) => {
                add("client_secret", secret.reveal());
                add("grant_type", "client_credentials");
                TOKEN_PATH
            }
            Proof::Identity(token) => {
                add("jwt", token.reveal());
                TOKEN_EXCHANGE_PATH
            }
        };
        add("scope", &spaced(&self.scopes));
        add("tags", &spaced(&self.tags));
        let body = form.bytes().skip(1).collect();
        let mut request = Request::new(Method::Post, path).with_body(headers::FORM, body);
        request.headers.set(headers::ACCEPT, headers::JSON);
        request
    }
}

fn spaced(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// An access token as it was granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The token, which is used as a key is.
    pub access_token: ApiKey,
    /// How long it lives, in seconds.
    pub expires_in: u64,
    /// Its scopes, where the answer names them.
    pub scopes: Option<Vec<String>>,
    /// Its tags, where the answer names them.
    pub tags: Option<Vec<String>>,
}

/// How long a token lives where the answer does not say, in seconds: as long as those of the service.
const LIFE: u64 = 3600;

impl Token {
    /// Reads the answer.
    ///
    /// # Errors
    /// [`Error::Malformed`], which repeats nothing of the answer.
    pub fn read(body: &str) -> Result<Token, Error> {
        let document = hujson::document(body);
        let document = document.ok_or_else(|| Error::malformed("", "is not JSON"))?;
        let root = document.root();
        let text = root.get("access_token").and_then(Value::as_str);
        let token = text.and_then(|text| ApiKey::new(text).ok());
        let words = |name| {
            let text: &str = root.get(name).and_then(Value::as_str)?;
            Some(text.split_ascii_whitespace().map(str::to_owned).collect())
        };
        Ok(Token {
            access_token: token
                .ok_or_else(|| Error::malformed("access_token", "is not a token"))?,
            expires_in: root.get("expires_in").and_then(whole).unwrap_or(LIFE),
            scopes: words("scope"),
            tags: words("tags"),
        })
    }
}
