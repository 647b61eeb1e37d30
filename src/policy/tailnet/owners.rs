//! The users of the ends of one side, for `autogroup:self`.
//! Must not live here: who an end is (identity.rs).

use super::endpoint::Endpoint;
use super::identity::{Answer, Identity, is_of_users};
use crate::tables::index::Index;

/// The users of some ends.
pub struct Owners<'a> {
    logins: Index<'a>,
    /// Whether one of the ends may belong to any user.
    has_unknown: bool,
    has_user: bool,
    /// Whether one is an assumed member of something wider.
    has_some: bool,
    /// Whether one is a device of the source's user.
    has_own: bool,
}

impl<'a> Owners<'a> {
    /// Those of these ends.
    pub fn of(ends: &[Endpoint<'a>]) -> Owners<'a> {
        let mut owners = Owners {
            logins: Index::default(),
            has_unknown: false,
            has_user: false,
            has_some: false,
            has_own: false,
        };
        for end in ends {
            match end.identity.role_aside() {
                Identity::User(login) => {
                    owners.logins.place(login, 0);
                    owners.has_user = true;
                }
                Identity::Unknown => owners.has_unknown = true,
                Identity::OWN => owners.has_own = true,
                Identity::Some(kind, _) => owners.has_some |= is_of_users(kind),
                _ => {}
            }
        }
        owners
    }

    /// Whether an end shares a user with one of them.
    pub fn share_user(&self, identity: Identity<'_>) -> Answer {
        match identity.role_aside() {
            Identity::User(_) if self.has_own => Answer::Yes,
            Identity::Some(kind, _) if self.has_own => is_of_users(kind).into(),
            Identity::User(login) if self.logins.find(login).is_some() => Answer::Yes,
            Identity::User(_) => match self.has_unknown || self.has_some {
                true => Answer::Unknown,
                false => Answer::No,
            },
            Identity::Unknown => match self.has_unknown || self.has_user || self.has_some {
                true => Answer::Unknown,
                false => Answer::No,
            },
            _ => Answer::No,
        }
    }
}
