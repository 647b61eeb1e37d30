//! Who a machine is, as far as selectors matter; and answers that may be unknown.
//! Must not live here: whether a selector includes it (party.rs), addresses.

use super::context::{Device, Owner};
use crate::policy::language::selector::{Autogroup, Kind, Role, Selector};

/// An answer that may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Answer {
    /// Certainly not.
    #[default]
    No,
    /// Text and context do not tell.
    Unknown,
    /// Certainly.
    Yes,
}

impl Answer {
    /// The answer to the opposite question.
    pub fn negated(self) -> Answer {
        match self {
            Answer::No => Answer::Yes,
            Answer::Unknown => Answer::Unknown,
            Answer::Yes => Answer::No,
        }
    }

    /// Whether it is yes; `None` if text and context do not tell.
    pub fn known(self) -> Option<bool> {
        match self {
            Answer::No => Some(false),
            Answer::Unknown => None,
            Answer::Yes => Some(true),
        }
    }

    /// The answer for several alternatives, of which it is unknown which one counts: theirs if they agree, else unknown.
    pub fn agreed(answers: impl IntoIterator<Item = Answer>) -> Answer {
        let mut agreed = None;
        for answer in answers {
            if *agreed.get_or_insert(answer) != answer {
                return Answer::Unknown;
            }
        }
        agreed.unwrap_or(Answer::No)
    }
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Answer {
        if yes { Answer::Yes } else { Answer::No }
    }
}

/// `None` is an unknown answer.
impl From<Option<bool>> for Answer {
    fn from(known: Option<bool>) -> Answer {
        known.map_or(Answer::Unknown, Answer::from)
    }
}

/// Who is behind an address, as far as selectors matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Identity<'a> {
    /// An untagged device of the user with this login.
    User(&'a str),
    /// The same of a user who is supposed to hold this role, or none that has an autogroup.
    Holder(&'a str, Option<Role>),
    /// A device with these tags.
    Tags(&'a [String]),
    /// A device with only this tag, assumed if none is known.
    Tag(&'a str),
    /// Some device of an autogroup or domain, or of a group of unknown members, assumed if none is known; its user is
    /// unknown.
    Some(Kind, &'a str),
    /// A service of this name.
    Service(&'a str),
    /// A device that is shared in from another tailnet.
    External,
    /// A device without tags whose user is not known: a member, and no user's.
    Unowned,
    /// Not a device of the tailnet, or one without user and tags.
    Nobody,
    /// Some device, unknown which.
    Unknown,
}

impl<'a> From<&'a Device> for Identity<'a> {
    fn from(device: &'a Device) -> Identity<'a> {
        match &device.owner {
            Owner::User(login) => Identity::User(login),
            Owner::Tags(tags) => Identity::Tags(tags),
            Owner::External => Identity::External,
            Owner::Unowned => Identity::Unowned,
            Owner::Nobody => Identity::Nobody,
        }
    }
}

impl<'a> Identity<'a> {
    /// The login of its user.
    pub fn user(self) -> Option<&'a str> {
        match self {
            Identity::User(login) | Identity::Holder(login, _) => Some(login),
            _ => None,
        }
    }

    /// Whether it has a tag.
    pub fn has_tag(self, tag: &str) -> bool {
        match self {
            Identity::Tag(own) => own == tag,
            Identity::Tags(tags) => tags.iter().any(|own| own.trim() == tag),
            _ => false,
        }
    }

    /// The same, whatever role its user holds.
    pub fn role_aside(self) -> Identity<'a> {
        match self {
            Identity::Holder(login, _) => Identity::User(login),
            _ => self,
        }
    }

    /// A device of the source's user, assumed if the user is unknown.
    pub const OWN: Identity<'static> =
        Identity::Some(Kind::Autogroup(Autogroup::Own), "autogroup:self");

    /// `autogroup:self`: whether it and another are untagged devices of the same user.
    pub fn shares_user(self, other: Identity<'_>) -> Answer {
        match (self.role_aside(), other.role_aside()) {
            (Identity::User(_), Identity::OWN) => Answer::Yes,
            (Identity::Some(kind, _), Identity::OWN) => is_of_users(kind).into(),
            (Identity::User(own), Identity::User(other)) => (own == other).into(),
            // The user is unknown: it may be the same one.
            (Identity::User(_) | Identity::Unknown, Identity::Some(kind, _)) => {
                match is_of_users(kind) {
                    true => Answer::Unknown,
                    false => Answer::No,
                }
            }
            (Identity::Unknown, Identity::Unknown | Identity::User(_))
            | (Identity::User(_), Identity::Unknown) => Answer::Unknown,
            _ => Answer::No,
        }
    }
}

/// Whether an autogroup, domain or group is one of untagged devices of the tailnet's own users.
pub fn is_of_users(kind: Kind) -> bool {
    !matches!(kind, Kind::Autogroup(Autogroup::Tagged | Autogroup::Shared))
}

/// Whether a login belongs to the domain of a `user:*@domain`.
pub fn in_domain(login: &str, selector: &Selector<'_>) -> bool {
    let domain = login.rsplit_once('@').map(|(_, domain)| domain);
    domain.is_some() && domain == selector.domain()
}
