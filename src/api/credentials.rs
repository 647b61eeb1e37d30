//! The API key and how it travels: HTTP Basic with the key as user name (RFC 7617), or a Bearer token
//! (RFC 6750), written and read side by side.
//! Must not live here: who may do what with which key.
use std::fmt;

use super::error::Error;
use super::headers::{self, AUTHORIZATION};
use super::message::Headers;
use crate::tables::{base64, find};

/// An API key. Its text appears in no `Debug` output and in no message.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key, without the blanks that copying leaves around it.
    ///
    /// # Errors
    /// [`Error::Argument`] for a key that is empty, has characters no header can carry, or has a colon, which ends a
    /// user name (RFC 7617, section 2).
    pub fn new(key: &str) -> Result<Self, Error> {
        let key = key.trim();
        if key.is_empty() {
            return Err(Error::argument("apiKey", "must not be empty"));
        }
        if key.chars().any(char::is_control) {
            let reason = "must not contain control characters";
            return Err(Error::argument("apiKey", reason));
        }
        if find::has(key, b':') {
            let reason = "must not contain a colon: pass the key alone, without the `:` that ends it as a user name";
            return Err(Error::argument("apiKey", reason));
        }
        Ok(ApiKey(key.to_owned()))
    }

    /// The text of the key, which no message may contain.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The value of `Authorization` with the key as user name and an empty password.
    pub fn to_basic(&self) -> String {
        let [_, encoded] = self.forms();
        format!("Basic {encoded}")
    }

    /// The value of `Authorization` with the key as token, which newer clients send.
    pub fn to_bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// `text` without the key, plain or as Basic credentials, in case a server repeats what it was sent.
    pub fn redact(&self, text: &str) -> String {
        let [plain, encoded] = self.forms();
        let text = find::replace(text, &plain, headers::REDACTED);
        find::replace(&text, &encoded, headers::REDACTED)
    }

    /// The spellings of the key that may occur in a text: plain, and as Basic credentials.
    pub fn forms(&self) -> [String; 2] {
        let pair = format!("{}:", self.0);
        [self.0.clone(), base64::encode(pair.as_bytes())]
    }

    /// The key that a request has.
    ///
    /// # Errors
    /// [`CredentialsFault`] says what is wrong with the credentials, or that there are none.
    pub fn read(headers: &Headers) -> Result<ApiKey, CredentialsFault> {
        let value = headers
            .get(AUTHORIZATION)
            .ok_or(CredentialsFault::Missing)?;
        ApiKey::of_authorization(value)
    }

    /// The key in a value of `Authorization`.
    ///
    /// # Errors
    /// [`CredentialsFault`] says what is wrong with it.
    pub fn of_authorization(value: &str) -> Result<ApiKey, CredentialsFault> {
        let (scheme, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
        if scheme.eq_ignore_ascii_case("bearer") {
            return tidy_key(rest);
        }
        if !scheme.eq_ignore_ascii_case("basic") {
            return Err(CredentialsFault::UnknownScheme);
        }
        let bytes = base64::decode(rest.trim()).ok_or(CredentialsFault::Unreadable)?;
        let pair = String::from_utf8(bytes).map_err(|_| CredentialsFault::Unreadable)?;
        match pair.split_once(':') {
            Some(("", "")) | None => Err(CredentialsFault::Unreadable),
            Some(("", _)) => Err(CredentialsFault::KeyInPassword),
            Some((key, "")) => tidy_key(key),
            Some(_) => Err(CredentialsFault::PasswordGiven),
        }
    }
}

fn tidy_key(key: &str) -> Result<ApiKey, CredentialsFault> {
    let tidy = ApiKey::new(key).map_err(|_| CredentialsFault::Unreadable)?;
    if tidy.0 == key {
        Ok(tidy)
    } else {
        Err(CredentialsFault::Blanks)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({})", headers::REDACTED)
    }
}

/// Why a request has no usable key. The text says what to change and never repeats what was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CredentialsFault {
    /// No `Authorization` header.
    Missing,
    /// Neither Basic nor Bearer.
    UnknownScheme,
    /// Not Base64 of `user:password`, or without anything that can be a key.
    Unreadable,
    /// The key is in the place of the password.
    KeyInPassword,
    /// A password beside the key.
    PasswordGiven,
    /// Blanks around the key.
    Blanks,
}

impl fmt::Display for CredentialsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CredentialsFault::Missing => {
                "no API key: send it as the user name of HTTP Basic authentication, with an empty password"
            }
            CredentialsFault::UnknownScheme => {
                "unknown authentication scheme: send the API key by HTTP Basic authentication"
            }
            CredentialsFault::Unreadable => "the Authorization header cannot be read",
            CredentialsFault::KeyInPassword => {
                "the API key is in the password: it belongs in the user name, with an empty password"
            }
            CredentialsFault::PasswordGiven => {
                "a password was sent: the API key is the user name and the password stays empty"
            }
            CredentialsFault::Blanks => "there are blanks around the API key",
        })
    }
}

impl std::error::Error for CredentialsFault {}
