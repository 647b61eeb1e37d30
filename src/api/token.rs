//! The token endpoints: the requests of a source of access tokens, and the answers (RFC 6749, sections 4.4 and 5.1).
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
    /// The proof that it is the one who asks.
    pub proof: Proof,
    /// The scopes that are wanted, with blanks between them (section 3.3); empty for all that the client has.
    pub scopes: String,
    /// The tags that are wanted, in the same form; empty for all that the client has.
    pub tags: String,
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
        add("scope", &self.scopes);
        add("tags", &self.tags);
        let body = form.bytes().skip(1).collect();
        let mut request = Request::new(Method::Post, path).with_body(headers::FORM, body);
        request.headers.set(headers::ACCEPT, headers::JSON);
        request
    }
}

/// An access token as it was granted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Token {
    /// The token, which is used like a key.
    pub access_token: ApiKey,
    /// How long it lives, in seconds.
    pub expires_in: u64,
    /// Its scopes with blanks between them, where the answer names them.
    pub scopes: Option<String>,
    /// Its tags, in the same form.
    pub tags: Option<String>,
}

/// How long a token lives where the answer does not say, in seconds: as long as the service's tokens do.
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
        let text = |name| root.get(name).and_then(Value::as_str);
        let token = text("access_token").and_then(|text| ApiKey::new(text).ok());
        Ok(Token {
            access_token: token
                .ok_or_else(|| Error::malformed("access_token", "is not a token"))?,
            expires_in: root.get("expires_in").and_then(whole).unwrap_or(LIFE),
            scopes: text("scope").map(str::to_owned),
            tags: text("tags").map(str::to_owned),
        })
    }
}
