//! Who a token of Headscale's language names: its users have a name, perhaps a mail address and an id of their provider.
//! Every user has one login, which devices have as their owner. Must not live here: groups, what a selector includes.

use super::context::{Owner, PolicyContext, User};
use crate::policy::findings::words::{filled, joined};
use crate::policy::language::dialect::Dialect;
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Kind, Selector};
use crate::tables::index::{Index, Lists};

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

/// The users of a context by what may name them. With no users at all a name is its own login.
#[derive(Debug, Default)]
pub(crate) struct Logins<'p> {
    /// Whether names are tokens, and not logins.
    by_token: bool,
    knows_users: bool,
    providers: Index<'p>,
    named: Lists<'p>,
    /// The login of each user, and the user of each.
    logins: Vec<&'p str>,
    users: Index<'p>,
}

impl<'p> Logins<'p> {
    /// Those of a context whose users are named by tokens.
    pub fn by_token(context: &'p PolicyContext) -> Logins<'p> {
        let mut logins = Logins {
            by_token: true,
            knows_users: context.users.is_some(),
            ..Logins::default()
        };
        let users = context.users.as_deref().unwrap_or_default();
        for (at, user) in users.iter().enumerate() {
            if let Some(id) = known(&user.provider_id) {
                logins.providers.place(id, at);
            }
            logins.named.add(&user.login_name, at);
            if let Some(email) = known(&user.email).filter(|email| *email != user.login_name) {
                logins.named.add(email, at);
            }
        }
        for (at, user) in users.iter().enumerate() {
            logins.users.place(user.written(), at);
            logins.logins.push(user.written());
        }
        logins
    }

    /// Whether names are tokens, and not logins.
    pub fn is_by_token(&self) -> bool {
        self.by_token
    }

    /// Whom a token names.
    pub fn named(&self, token: &str) -> NamedUser {
        let token = bare_token(token);
        if let Some(user) = self.providers.find(token) {
            return NamedUser::User(user);
        }
        match self.named.get(token) {
            [] => NamedUser::Unknown,
            [one] => NamedUser::User(*one),
            several => NamedUser::Ambiguous(several.to_vec()),
        }
    }

    /// The login of a name: itself where names are logins, or where it names nobody.
    #[inline]
    pub fn of<'a>(&self, name: &'a str) -> &'a str
    where
        'p: 'a,
    {
        match self.by_token {
            false => name,
            true => self.of_token(name),
        }
    }

    fn of_token<'a>(&self, name: &'a str) -> &'a str
    where
        'p: 'a,
    {
        if !self.knows_users {
            return name;
        }
        let user = match self.users.find(name) {
            Some(user) => Some(user),
            None => match self.named(name) {
                NamedUser::User(user) => Some(user),
                _ => None,
            },
        };
        let login = user.and_then(|user| self.logins.get(user).copied());
        login.unwrap_or(name)
    }

    /// The login of the user at an index of the context, where names are tokens.
    pub fn at(&self, user: usize) -> Option<&'p str> {
        self.logins.get(user).copied()
    }
}

fn known(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

/// A token that names the user at an index alone: the name if it does, else the mail address, the provider's id, or the id.
fn token_of(logins: &Logins<'_>, user: &User, at: usize) -> String {
    let own = [
        Some(&user.login_name[..]),
        known(&user.email),
        known(&user.provider_id),
    ];
    let mut own = own.into_iter().flatten();
    let token = own.find(|own| logins.named(own) == NamedUser::User(at));
    let token = token.unwrap_or(user.id.as_deref().unwrap_or(&user.login_name));
    as_token(token)
}

/// A name as a policy writes it: with an `@`, by which it is distinguished from an alias.
fn as_token(name: &str) -> String {
    match name.contains('@') {
        true => name.to_owned(),
        false => joined(&[name, "@"]),
    }
}

impl PolicyContext {
    /// Whether a name is that of a user, or of whom a device belongs to.
    pub fn knows_name(&self, dialect: Dialect, name: &str) -> bool {
        match dialect.names_users_by_token() {
            true => Logins::by_token(self).named(name) != NamedUser::Unknown,
            false => self.user(name).is_some() || self.devices_of(name).next().is_some(),
        }
    }

    /// The context with its users by tokens, as Headscale's language names them.
    pub(crate) fn settled(mut self) -> PolicyContext {
        self.settle_users();
        self
    }

    /// Gives each user a token that names nobody else, and each device without tags that of its user, whom it names by id or
    /// otherwise; a device without a user is still a member's.
    pub(super) fn settle_users(&mut self) {
        let logins = Logins::by_token(self);
        let users = self.users.as_deref().unwrap_or_default().iter().enumerate();
        let tokens: Vec<String> = users
            .map(|(at, user)| token_of(&logins, user, at))
            .collect();
        for (user, token) in self.users.iter_mut().flatten().zip(tokens) {
            user.token = Some(token);
        }
        let logins = Logins::by_token(self);
        let users = self.users.as_deref().unwrap_or_default();
        let of = |name: &str| {
            let own = users.iter().find(|user| user.id.as_deref() == Some(name));
            let login = own.map_or_else(|| logins.of(name), User::written);
            as_token(login)
        };
        let devices = self.devices.as_deref().unwrap_or_default();
        let mut owners = Vec::with_capacity(devices.len());
        for device in devices {
            owners.push(match &device.owner {
                Owner::User(name) => Owner::User(of(name)),
                Owner::Nobody => Owner::Unowned,
                other => other.clone(),
            });
        }
        for (device, owner) in self.devices.iter_mut().flatten().zip(owners) {
            device.owner = owner;
        }
    }
}

/// The words for tokens, with the users of a context.
pub(crate) struct TokenWords<'p> {
    context: &'p PolicyContext,
    logins: Logins<'p>,
}

impl<'p> TokenWords<'p> {
    pub fn new(context: &'p PolicyContext) -> TokenWords<'p> {
        let logins = Logins::by_token(context);
        TokenWords { context, logins }
    }

    /// Whom a token names.
    pub fn named(&self, token: &str) -> NamedUser {
        self.logins.named(token)
    }

    /// Adds why a user, or the members of a group, are nobody or several, in Headscale's words. Where the users are not known, a name may
    /// be that of one.
    #[inline(never)]
    pub fn add_faults(
        &self,
        policy: &Policy<'_>,
        selector: &Selector<'_>,
        faults: &mut Vec<String>,
    ) {
        match selector.kind {
            _ if self.context.users.is_none() => {}
            Kind::User => self.add_fault(selector.name(), faults),
            Kind::Group => {
                for member in policy.groups.get(selector.name()).into_iter().flatten() {
                    self.add_fault(member.text(), faults);
                }
            }
            _ => {}
        }
    }

    fn add_fault(&self, token: &str, faults: &mut Vec<String>) {
        match self.named(token) {
            NamedUser::User(_) => {}
            NamedUser::Unknown => faults.push(filled("user not found: token %q", &[token])),
            NamedUser::Ambiguous(users) => faults.push(self.ambiguous(token, &users)),
        }
    }

    /// The words for a token that names several users.
    pub fn ambiguous(&self, token: &str, users: &[usize]) -> String {
        let mut list = String::new();
        for user in users
            .iter()
            .filter_map(|at| self.context.users.as_ref()?.get(*at))
        {
            let User { id, login_name, .. } = user;
            let id = id.as_deref().unwrap_or_default();
            list.push_str(&joined(&[id, ": ", login_name, ", "]));
        }
        let words = "multiple users found: token %q found: [ %s ]";
        filled(words, &[token, &list])
    }
}
