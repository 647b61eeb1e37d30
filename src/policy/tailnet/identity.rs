//! Who a machine is, and whether a selector takes it in because of that.
//! Must not live here: addresses, ports, rules.

use super::topology::{Device, Owner, Topology};
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// An answer that may be open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Answer {
    /// Certainly not.
    No,
    /// Text and topology do not say.
    Unknown,
    /// Certainly.
    Yes,
}

impl Answer {
    /// The best of several: one that holds is enough.
    pub fn any(answers: impl IntoIterator<Item = Answer>) -> Answer {
        let mut best = Answer::No;
        for answer in answers {
            best = best.max(answer);
            if best == Answer::Yes {
                break;
            }
        }
        best
    }
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
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Answer {
        if yes { Answer::Yes } else { Answer::No }
    }
}

/// No answer is an open one.
impl From<Option<bool>> for Answer {
    fn from(known: Option<bool>) -> Answer {
        known.map_or(Answer::Unknown, Answer::from)
    }
}

/// Who stands behind an address, as far as selectors ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Identity<'a> {
    /// An untagged device of the user with this login.
    User(&'a str),
    /// A device with these tags.
    Tags(&'a [String]),
    /// A device with this tag alone, supposed where no devices are known.
    Tag(&'a str),
    /// A service of this name.
    Service(&'a str),
    /// No device of the tailnet, or one that belongs to nobody.
    Nobody,
    /// Some device, nobody said which.
    Unknown,
}

impl<'a> From<&'a Device> for Identity<'a> {
    fn from(device: &'a Device) -> Identity<'a> {
        match &device.owner {
            Owner::User(login) => Identity::User(login),
            Owner::Tags(tags) => Identity::Tags(tags),
            Owner::Nobody => Identity::Nobody,
        }
    }
}

impl<'a> Identity<'a> {
    /// The login of the user it belongs to.
    pub fn user(self) -> Option<&'a str> {
        match self {
            Identity::User(login) => Some(login),
            _ => None,
        }
    }

    fn has_tag(self, tag: &str) -> bool {
        match self {
            Identity::Tag(own) => own == tag,
            Identity::Tags(tags) => tags.iter().any(|own| own.trim() == tag),
            _ => false,
        }
    }

    /// Whether a selector by identity takes it in; selectors by address take in nobody.
    pub fn selected_by(
        self,
        selector: &Selector<'_>,
        policy: &Policy<'_>,
        topology: &Topology,
    ) -> Answer {
        if self == Identity::Unknown {
            return match selector.kind {
                Kind::Any => Answer::Yes,
                kind if kind.is_numeric() => Answer::No,
                Kind::Host | Kind::IpSet => Answer::No,
                _ => Answer::Unknown,
            };
        }
        let name = selector.name();
        let user = self.user();
        match selector.kind {
            Kind::Any => Answer::Yes,
            Kind::User => (user == Some(name)).into(),
            Kind::Group => {
                let members = policy.groups.get(name).map_or(&[][..], Vec::as_slice);
                let member = |login| members.iter().any(|member| member.name() == login);
                user.is_some_and(member).into()
            }
            Kind::Tag => self.has_tag(name).into(),
            Kind::Service => (self == Identity::Service(name)).into(),
            Kind::Domain => user.is_some_and(|login| in_domain(login, selector)).into(),
            Kind::Autogroup(autogroup) => self.in_autogroup(autogroup, topology),
            Kind::Address | Kind::Prefix | Kind::Range | Kind::Host | Kind::IpSet => Answer::No,
        }
    }

    fn in_autogroup(self, autogroup: Autogroup, topology: &Topology) -> Answer {
        match (autogroup, self) {
            (Autogroup::DangerAll, _) => Answer::Yes,
            (Autogroup::Member | Autogroup::Own, _) => self.user().is_some().into(),
            (Autogroup::Tagged, _) => matches!(self, Identity::Tag(_) | Identity::Tags(_)).into(),
            (Autogroup::Role(role), Identity::User(login)) => topology.has_role(login, role).into(),
            _ => Answer::No,
        }
    }
}

/// Whether a login belongs to the domain of a `user:*@domain`.
pub fn in_domain(login: &str, selector: &Selector<'_>) -> bool {
    let domain = login.rsplit_once('@').map(|(_, domain)| domain);
    domain.is_some() && domain == selector.domain()
}
