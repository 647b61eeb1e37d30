//! The options of the sandbox, as Rust values and as JSON, and what it begins with. Must not live here: what is done with any of it.

use serde::{Deserialize, Deserializer, de};

use super::example;
use super::store::{Store, number};
use crate::api::headscale::{Node, Release, User};
use crate::sandbox::clock;
use crate::sandbox::options::{Error, options_from_json};

/// The default key.
const DEFAULT_KEY: &str = "hskey-api-sandbox-secret";

/// How to make a sandbox; [`Options::default`] is a small team's server of the newest release.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub struct Options {
    /// The key of the API that the sandbox begins with; None: `hskey-api-sandbox-secret`.
    pub api_key: Option<String>,
    /// What it begins with; None: an example.
    pub state: Option<State>,
    /// In the form of which release it refuses: 0.29 or 0.30; None: 0.30.
    #[serde(deserialize_with = "release")]
    pub errors: Option<Release>,
}

/// What a sandbox begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(expecting = "an object")]
pub struct State {
    /// The users.
    pub users: Vec<User>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The policy; an empty one means that none is stored.
    pub policy: String,
}

fn release<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Release>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let known = Release::parse(&text).filter(|release| *release > Release::V28);
    let refused = || de::Error::custom("`errors` must be '0.29' or '0.30'");
    known.map(Some).ok_or_else(refused)
}

impl Options {
    /// Reads the options of the JavaScript class, except its clock.
    ///
    /// # Errors
    /// [`Error`] that says what is of the wrong type or missing.
    pub fn from_json(text: &str) -> Result<Options, Error> {
        options_from_json(text)
    }

    /// The key, and what is stored at time `now`.
    pub(super) fn begin(self, now: i64) -> Result<(String, Release, Store), Error> {
        let key = self.api_key.unwrap_or_else(|| DEFAULT_KEY.to_owned());
        if key.is_empty() || key.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(Error::new("`apiKey` must be a string without blanks"));
        }
        let mut store = match self.state {
            None => example::store(now),
            Some(state) => given(state, now)?,
        };
        store.hold(&key, None, now);
        Ok((key, self.errors.unwrap_or(Release::V30), store))
    }
}

/// A store of what was given; what nobody said when it was made is as old as the sandbox.
fn given(state: State, now: i64) -> Result<Store, Error> {
    let State {
        mut users,
        mut nodes,
        policy,
    } = state;
    distinct(users.iter().map(|user| user.id.as_str()), "users")?;
    distinct(nodes.iter().map(|node| node.id.as_str()), "nodes")?;
    let users_made = users.iter_mut().map(|user| &mut user.created_at);
    let made = users_made.chain(nodes.iter_mut().map(|node| &mut node.created_at));
    for created in made.filter(|created| created.is_empty()) {
        *created = clock::utc(now);
    }
    Ok(Store::new(users, nodes, policy, now))
}

fn distinct<'i>(ids: impl Iterator<Item = &'i str>, what: &str) -> Result<(), Error> {
    let mut seen: Vec<u64> = Vec::new();
    for id in ids {
        let known = number(id).filter(|id| *id > 0 && !seen.contains(id));
        let reason =
            || format!("`state.{what}`: each `id` must be another number in digits, not `{id}`");
        seen.push(known.ok_or_else(|| Error::new(&reason()))?);
    }
    Ok(())
}
