//! Who is in a group: by the policy, or by the context if an identity provider fills it (docs/policy-language.md#groups).
//! Must not live here: devices, the other selectors (party.rs).

use super::context::PolicyContext;
use super::users::{Logins, NamedUser};
use crate::policy::language::document::Policy;
use crate::policy::language::selector::Selector;
use crate::tables::index::{Index, Lists};

/// Whether an identity provider may fill a group: its name has an `@`.
pub fn is_synced(group: &str) -> bool {
    group.contains('@')
}

/// Whether a name is that of a group: the policy or the context has it, or the context has no groups and a provider may.
pub fn is_group(policy: &Policy<'_>, context: &PolicyContext, name: &str) -> bool {
    let mut synced = context.group_names();
    let is_unknown = context.groups.is_none() && is_synced(name);
    is_unknown || policy.groups.contains(name) || synced.any(|own| own == name)
}

/// The members of all groups.
pub(crate) struct Membership<'p> {
    policy: &'p Policy<'p>,
    context: &'p PolicyContext,
    /// How many groups the policy defines.
    defined: usize,
    /// The indices of the context's groups in their list, by name.
    synced: Index<'p>,
    /// The groups that list each login, ascending: those of the policy in the order of its table, then those of the context.
    of_login: Lists<'p>,
    /// The logins of the names of users.
    pub logins: Logins<'p>,
}

impl<'p> Membership<'p> {
    /// The groups of a policy, and those of a context that the policy does not define.
    #[inline(never)]
    pub fn new(policy: &'p Policy<'p>, context: &'p PolicyContext) -> Membership<'p> {
        let logins = match policy.dialect.names_users_by_token() {
            true => Logins::by_token(context),
            false => Logins::default(),
        };
        let (mut defined, mut of_login) = (0, Lists::default());
        for (_, members) in policy.groups.iter() {
            for member in members {
                of_login.add(logins.of(member.name()), defined);
            }
            defined += 1;
        }
        let mut synced = Index::default();
        for (at, (name, members)) in context.groups.iter().flatten().enumerate() {
            if policy.groups.contains(name) {
                continue;
            }
            synced.set(name.as_str().into(), at);
            for login in members {
                of_login.add(logins.of(login.trim()), defined + at);
            }
        }
        Membership {
            policy,
            context,
            defined,
            synced,
            of_login,
            logins,
        }
    }

    /// Whether nothing tells who is in a group: the policy does not define it, and the context has no groups.
    pub fn is_unknown(&self, group: &str) -> bool {
        self.context.groups.is_none() && is_synced(group) && !self.policy.groups.contains(group)
    }

    /// Whether a name is that of a group.
    pub fn has_group(&self, group: &str) -> bool {
        self.place(group).is_some() || self.is_unknown(group)
    }

    /// Whether a group lists a login; not that one of unknown members does not.
    pub fn lists(&self, group: &str, login: &str) -> bool {
        let place = self.place(group);
        let groups = self.of_login.get(self.logins.of(login));
        place.is_some_and(|place| groups.binary_search(&place).is_ok())
    }

    /// The logins that a group lists.
    pub fn of(&self, group: &str) -> Vec<&'p str> {
        if let Some(members) = self.policy.groups.get(group) {
            let names = members.iter().map(Selector::name);
            return names.map(|name| self.logins.of(name)).collect();
        }
        let at = self.synced.find(group);
        let groups = self.context.groups.as_deref().unwrap_or_default();
        let members = at.and_then(|at| groups.get(at)).map(|(_, members)| members);
        let logins = members.into_iter().flatten();
        logins.map(|login| self.logins.of(login.trim())).collect()
    }

    /// Whether a group of the policy has a member that is none of the users, which are known.
    pub fn has_stranger(&self, group: &str) -> bool {
        let is_stranger =
            |member: &Selector<'_>| !matches!(self.logins.named(member.name()), NamedUser::User(_));
        let members = self.policy.groups.get(group).into_iter().flatten();
        self.logins.is_by_token()
            && self.context.users.is_some()
            && members.clone().any(is_stranger)
    }

    /// The groups that list a login.
    pub fn groups_of(&self, login: &str) -> impl Iterator<Item = &str> {
        let places = self.of_login.get(self.logins.of(login)).iter();
        places.filter_map(|&place| self.name(place))
    }

    fn place(&self, group: &str) -> Option<usize> {
        let synced = || Some(self.defined + self.synced.find(group)?);
        self.policy.groups.place(group).or_else(synced)
    }

    fn name(&self, place: usize) -> Option<&str> {
        let Some(at) = place.checked_sub(self.defined) else {
            return self.policy.groups.name(place);
        };
        let groups = self.context.groups.as_deref().unwrap_or_default();
        groups.get(at).map(|(name, _)| name.as_str())
    }
}
