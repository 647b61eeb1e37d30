//! Whom the users of one language are in the other. Must not live here: other names.

use crate::policy::language::dialect::Dialect;
use crate::policy::tailnet::context::{Owner, PolicyContext, User};
use crate::policy::tailnet::users::{Logins, NamedUser, bare_token};

/// The users of a network, with their names in the other language.
pub(super) struct Users<'c> {
    context: &'c PolicyContext,
    from: Dialect,
    tokens: Logins<'c>,
    /// Names there, by those here.
    there: &'c [(String, String)],
}

impl<'c> Users<'c> {
    pub fn new(
        context: &'c PolicyContext,
        from: Dialect,
        there: &'c [(String, String)],
    ) -> Users<'c> {
        Users {
            context,
            from,
            tokens: Logins::by_token(context),
            there,
        }
    }

    /// The name of a user there; none where nothing says it.
    pub fn named(&self, name: &str) -> Option<String> {
        let user = self.user(name);
        let names = [
            Some(name),
            Some(bare_token(name)),
            user.map(|user| &user.login_name[..]),
        ];
        let mut given = self.there.iter();
        let given = given.find(|(here, _)| names.contains(&Some(here)));
        if let Some((_, there)) = given {
            return Some(self.written(there));
        }
        match (self.from, user.and_then(|user| user.email.as_deref())) {
            (Dialect::Tailscale, _) => Some(name.to_owned()),
            (Dialect::Headscale, Some(email)) if email.contains('@') => Some(email.to_owned()),
            (Dialect::Headscale, _) => {
                let own = bare_token(name);
                own.contains('@').then(|| own.to_owned())
            }
        }
    }

    /// A name as a policy there writes it.
    fn written(&self, there: &str) -> String {
        match self.from == Dialect::Tailscale && !there.contains('@') {
            true => [there, "@"].concat(),
            false => there.to_owned(),
        }
    }

    fn user(&self, name: &str) -> Option<&'c User> {
        match self.from {
            Dialect::Tailscale => self.context.user(name),
            Dialect::Headscale => match self.tokens.named(name) {
                NamedUser::User(at) => self.context.users.as_ref()?.get(at),
                _ => None,
            },
        }
    }

    /// The same network as the other language knows it.
    pub fn context(&self, to: Dialect) -> PolicyContext {
        let mut context = self.context.clone();
        context.dialect = Some(to);
        for user in context.users.iter_mut().flatten() {
            let written = user.written().to_owned();
            let there = self.named(&written).unwrap_or(written);
            // Nobody has a role in Headscale.
            user.role = (to == Dialect::Tailscale).then(|| "member".to_owned());
            user.email = Some(user.login_name.clone()).filter(|login| login.contains('@'));
            user.login_name = bare_token(&there).to_owned();
            (user.provider_id, user.token) = (None, None);
        }
        for device in context.devices.iter_mut().flatten() {
            if let Owner::User(name) = &device.owner {
                let there = self.named(name).unwrap_or_else(|| name.clone());
                device.owner = Owner::User(bare_token(&there).to_owned());
            }
        }
        match to {
            Dialect::Tailscale => context,
            Dialect::Headscale => context.settled(),
        }
    }
}
