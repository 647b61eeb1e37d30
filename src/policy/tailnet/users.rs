//! Who a token of Headscale's language names: its users have a name, perhaps a mail address and an id of their provider.
//! Must not live here: devices, groups.

use super::context::{PolicyContext, User};
use crate::policy::findings::words::{joined, quoted};

/// Whom a token names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NamedUser {
    /// The user at this index of the context.
    User(usize),
    /// Nobody.
    Unknown,
    /// Several, which it cannot tell apart.
    Ambiguous(Vec<usize>),
}

/// A token without the `@` that ends a name without one of its own.
pub fn bare_token(token: &str) -> &str {
    token.strip_suffix('@').unwrap_or(token)
}

impl PolicyContext {
    /// Whom a token names; nobody where the users are not known.
    pub fn named(&self, token: &str) -> NamedUser {
        let token = bare_token(token);
        let mut found = Vec::new();
        for (at, user) in self.users.iter().flatten().enumerate() {
            if user.provider_id.as_deref() == Some(token) {
                return NamedUser::User(at);
            }
            if user.email.as_deref() == Some(token) || user.login_name == token {
                found.push(at);
            }
        }
        match found[..] {
            [] => NamedUser::Unknown,
            [one] => NamedUser::User(one),
            _ => NamedUser::Ambiguous(found),
        }
    }

    /// Why a token names no user, in Headscale's words; none if it does.
    pub fn token_fault(&self, token: &str) -> Option<String> {
        match self.named(token) {
            NamedUser::User(_) => None,
            NamedUser::Unknown => Some(joined(&["user not found: token ", &quoted(token)])),
            NamedUser::Ambiguous(users) => Some(self.ambiguous(token, &users)),
        }
    }

    /// The words for a token that names several users.
    pub fn ambiguous(&self, token: &str, users: &[usize]) -> String {
        let mut list = String::new();
        for user in users.iter().filter_map(|at| self.users.as_ref()?.get(*at)) {
            let User { id, login_name, .. } = user;
            let id = id.as_deref().unwrap_or_default();
            list.push_str(&joined(&[id, ": ", login_name, ", "]));
        }
        let words = "multiple users found: token ";
        joined(&[words, &quoted(token), " found: [ ", &list, " ]"])
    }
}
