//! The options of a sandbox: its tailnets, its key, its initial state, as Rust values and as JSON.
//!
//! Must not live here: the service.

use std::fmt;

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::example;
use super::state::State;
use crate::Code;
use crate::api::TailnetName;
use crate::tables::find::split_once;

/// The default tailnets.
const DEFAULT_TAILNETS: [&str; 2] = ["example.com", "alice@gmail.com"];

/// The default key.
const DEFAULT_KEY: &str = "tskey-sandbox";

/// How to create a sandbox; [`Options::default`] is a small, realistic service.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Options {
    /// The tailnets that the key opens, its own first; those missing in `state` are created. None: all that exist.
    #[serde(default, deserialize_with = "names_of")]
    pub tailnet: Option<Vec<String>>,
    /// The API key; None: `tskey-sandbox`.
    #[serde(default)]
    pub api_key: Option<String>,
    /// The initial state; None: an example of each tailnet.
    #[serde(default)]
    pub state: Option<State>,
    /// How an empty list is answered.
    #[serde(default)]
    pub lists: Lists,
}

/// How an empty list is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lists {
    /// As an empty list.
    #[default]
    Empty,
    /// As null or not at all, as the service does at times.
    Absent,
}

/// One name or a list of them, as a list.
fn names_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    let refused = || de::Error::custom("`tailnet` must be a name or a list of names");
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::String(name) => Ok(Some(vec![name])),
        Value::Array(items) => {
            let mut names = Vec::new();
            for item in &items {
                names.push(item.as_str().ok_or_else(refused)?.to_owned());
            }
            Ok(Some(names))
        }
        _ => Err(refused()),
    }
}

/// Options or a snapshot that are unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    pub(super) fn new(reason: &str) -> Error {
        Error(reason.to_owned())
    }

    /// The stable code: `invalid_argument`.
    pub fn code(&self) -> Code {
        Code::InvalidArgument
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Options {
    /// Reads the options of the JavaScript class, except its clock.
    ///
    /// # Errors
    /// [`Error`] that says what is of the wrong type or missing.
    pub fn from_json(text: &str) -> Result<Options, Error> {
        options_from_json(text)
    }
}

/// Reads options.
///
/// # Errors
/// [`Error`] that says what is of the wrong type or missing.
pub(super) fn options_from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| unusable("options", &error))
}

/// Reads a snapshot.
///
/// # Errors
/// [`Error`] that says what is of the wrong type or missing.
pub fn state_from_json(text: &str) -> Result<State, Error> {
    State::from_json(text).map_err(|error| unusable("state", &error))
}

/// Reads an argument of a method.
///
/// # Errors
/// [`Error`] that says what is of the wrong type or missing.
pub fn argument_from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| unusable("the argument", &error))
}

/// The JSON reader's message without its position: the text was written by a program, so nobody can look there.
fn unusable(what: &str, error: &serde_json::Error) -> Error {
    let said = error.to_string();
    let reason = split_once(&said, " at line ").map_or(&said[..], |(reason, _)| reason);
    Error(format!("{what} cannot be used: {reason}"))
}

/// What follows from the options: the key, the tailnets it opens (None: all), and the state at time `now`.
pub(super) struct Start {
    pub key: String,
    pub opens: Option<Vec<String>>,
    pub state: State,
}

impl Start {
    pub fn new(options: Options, now: i64) -> Result<Start, Error> {
        let key = options.api_key.unwrap_or_else(|| DEFAULT_KEY.to_owned());
        if key.is_empty() || key.trim() != key || key.contains(':') {
            return Err(Error(
                "`apiKey` must be a string without surrounding blanks and without a colon"
                    .to_owned(),
            ));
        }
        let opens = options.tailnet;
        opens.as_deref().map(check).transpose()?;
        let mut state = options.state.unwrap_or_default();
        let wanted = opens
            .clone()
            .unwrap_or_else(|| DEFAULT_TAILNETS.map(str::to_owned).to_vec());
        for name in wanted {
            if state.tailnets.get(&name).is_none() {
                let tailnet = example::tailnet(&name, now);
                state.tailnets.insert(name, tailnet);
            }
        }
        Ok(Start { key, opens, state })
    }
}

fn check(names: &[String]) -> Result<(), Error> {
    if names.is_empty() {
        return Err(Error("`tailnet` must name at least one".to_owned()));
    }
    for name in names {
        TailnetName::new(name.as_str()).map_err(|error| Error(error.to_string()))?;
    }
    Ok(())
}
