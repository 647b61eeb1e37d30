//! The name of whoever makes a change, for the log and for webhooks. Must not live here: what they may do (`caller`).

use serde_json::Value;

use super::Sandbox;
use super::state::Person;
use super::users::user_of;
use crate::api::{AuditActor, User};

impl Sandbox {
    /// The actor in this tailnet: a user with their own token, a client with a token of the tailnet, the owner with the sandbox's key.
    pub(super) fn actor(&self, tailnet: &str) -> AuditActor {
        let home = self.state.tailnets.get(tailnet);
        let listed = home.and_then(|home| home.users.as_ref());
        let known = |wanted: &dyn Fn(&&Person) -> bool| {
            let person = listed.and_then(|people| people.iter().find(wanted));
            // Who somebody is does not depend on their devices.
            let user = person.map(|person| user_of(tailnet, &[], person));
            user.as_ref().map(of_user).unwrap_or_default()
        };
        match &self.caller.token {
            None => known(&|person| person.role.as_deref() == Some("owner")),
            Some(grant) => match &grant.user {
                // A user who is known only by devices is one all the same.
                Some(login) => match known(&|person| person.login_name == *login) {
                    AuditActor { id, .. } if id.is_empty() => of_user(&user_of(
                        tailnet,
                        &[],
                        &Person {
                            login_name: login.clone(),
                            ..Person::default()
                        },
                    )),
                    listed => listed,
                },
                None => AuditActor {
                    id: grant.key_id.clone().unwrap_or_default(),
                    kind: "OAUTH_CLIENT".to_owned(),
                    tags: grant.tags.clone(),
                    ..AuditActor::default()
                },
            },
        }
    }
}

fn of_user(user: &User) -> AuditActor {
    AuditActor {
        id: user.id.clone(),
        kind: "USER".to_owned(),
        login_name: user.login_name.clone(),
        display_name: text(user.other.get("displayName")),
        tags: Vec::new(),
    }
}

fn text(value: Option<&Value>) -> String {
    let text = value.and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
