//! The meaning of the words of an ssh rule: its action, and the accounts that an entry of `users` opens. `check`, `ssh` and
//! `sshTests` all use this file, so that they agree (docs/policy-language.md#ssh-rules).
//! Must not live here: from where and to which devices a rule leads.

use serde::Serialize;

use super::selector::trimmed;

/// What an ssh rule does. Rules with a check are tried before all others, hence the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SshAction {
    /// Allows the login after the user has proven their identity again.
    Check,
    /// Allows the login.
    Accept,
}

impl SshAction {
    /// The action with this text, blanks around it ignored; case counts.
    pub fn parse(text: &str) -> Option<SshAction> {
        match trimmed(text) {
            "accept" => Some(SshAction::Accept),
            "check" => Some(SshAction::Check),
            _ => None,
        }
    }
}

/// The accounts that one entry of `users` opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Account<'t> {
    /// `autogroup:nonroot`: all but root.
    NonRoot,
    /// `localpart:*@domain`: the local part of the login that connects, if it has this domain (case counts).
    OwnName(&'t str),
    /// This account, whatever its name: `localpart:` with anything else after it is a name like any other.
    Named(&'t str),
}

impl<'t> Account<'t> {
    /// The accounts of this entry, blanks around it ignored; none if the service refuses it.
    pub fn parse(text: &'t str) -> Option<Account<'t>> {
        match trimmed(text) {
            "" | "*" => None,
            "autogroup:nonroot" => Some(Account::NonRoot),
            name => match name.strip_prefix("localpart:*@") {
                Some("") | None => Some(Account::Named(name)),
                Some(domain) => Some(Account::OwnName(domain)),
            },
        }
    }
}

/// The name and the domain of a login.
pub fn parts_of_login(login: &str) -> Option<(&str, &str)> {
    login.rsplit_once('@')
}
