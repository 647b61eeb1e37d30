//! The logins that a document names or a context lists, to be found as a whole or by the part before the `@`.
//! Must not live here: messages about missing ones.

use crate::policy::language::dialect::Dialect;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::users::{Logins, NamedUser};
use crate::tables::index::Index;

/// KnownLogins by name.
#[derive(Debug, Default)]
pub(super) struct KnownLogins<'p> {
    logins: Vec<&'p str>,
    /// The index of each.
    whole: Index<'p>,
    /// The index of the first with this part before the `@`.
    local: Index<'p>,
    /// Whom tokens name, where logins are no names of the document.
    tokens: Option<Logins<'p>>,
}

impl<'p> KnownLogins<'p> {
    /// Those of the users of a context; none if it does not list users.
    pub fn listed(dialect: Dialect, context: &'p PolicyContext) -> Option<KnownLogins<'p>> {
        let by_token = dialect.names_users_by_token();
        let mut logins = KnownLogins {
            tokens: by_token.then(|| Logins::by_token(context)),
            ..KnownLogins::default()
        };
        for user in context.users.as_ref()? {
            logins.add(user.written());
        }
        Some(logins)
    }

    /// Those that a document names as members, owners or sources, and those of its context.
    pub fn named(policy: &'p Policy<'p>, context: &'p PolicyContext) -> KnownLogins<'p> {
        let mut logins = KnownLogins::listed(policy.dialect, context).unwrap_or_default();
        for (_, members) in policy.groups.iter().chain(policy.tag_owners.iter()) {
            logins.add_all(members);
        }
        for rule in policy.rules() {
            logins.add_all(rule.sources);
        }
        for rule in &policy.ssh {
            logins.add_all(&rule.sources);
        }
        logins
    }

    fn add_all(&mut self, selectors: &'p [Selector<'p>]) {
        for selector in selectors {
            if selector.kind == Kind::User {
                self.add(selector.name());
            }
        }
    }

    fn add(&mut self, login: &'p str) {
        let next = self.logins.len();
        if self.whole.place(login, next) == next {
            self.logins.push(login);
            let local = login.split_once('@').map_or(login, |(local, _)| local);
            self.local.place(local, next);
        }
    }

    /// Whether this login is among them.
    pub fn contains(&self, login: &str) -> bool {
        match &self.tokens {
            None => self.whole.find(login).is_some(),
            Some(tokens) => tokens.named(login) != NamedUser::Unknown,
        }
    }

    /// The login with this part before its `@`.
    pub fn of_local_part(&self, local: &str) -> Option<&'p str> {
        self.logins.get(self.local.find(local)?).copied()
    }

    /// All of them, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &'p str> {
        self.logins.iter().copied()
    }
}
