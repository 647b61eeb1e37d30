//! Who does something, by name: for the log and for webhooks. Must not live here: what they may do (`caller`).

use super::Sandbox;
use super::state::Person;
use super::users::user_of;

/// Who acts, as the log and webhooks name them. All is empty where nobody is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Actor {
    pub id: String,
    pub login: String,
    pub tags: Vec<String>,
}

impl Sandbox {
    /// Who acts in this tailnet: a user by a token of their own, a client by one of the tailnet, the owner by the sandbox's key.
    pub(super) fn actor(&self, tailnet: &str) -> Actor {
        let home = self.state.tailnets.get(tailnet);
        let listed = home.and_then(|home| home.users.as_ref());
        let known = |wanted: &dyn Fn(&&Person) -> bool| {
            let person = listed.and_then(|people| people.iter().find(wanted));
            let user = home.zip(person);
            let user = user.map(|(home, person)| user_of(tailnet, home, person));
            user.map_or_else(Actor::default, |user| Actor {
                id: user.id,
                login: user.login_name,
                tags: Vec::new(),
            })
        };
        match &self.caller.token {
            None => known(&|person| person.role.as_deref() == Some("owner")),
            Some(grant) => match &grant.user {
                Some(login) => known(&|person| person.login_name == *login),
                None => Actor {
                    id: grant.key_id.clone().unwrap_or_default(),
                    login: String::new(),
                    tags: grant.tags.clone(),
                },
            },
        }
    }
}
