//! Calls about users. Must not live here: their nodes.

use serde_json::json;

use super::HeadscaleSandbox;
use super::asked::Asked;
use super::refusal::{Kind, Refusal};
use super::store::{Things, number};
use crate::api::Response;
use crate::api::headscale::User;
use crate::sandbox::clock;
use crate::tables::sort::sort_by;

type Answer = Result<Response, Refusal>;

/// The provider of users whose names are not given here.
const OIDC: &str = "oidc";

pub(super) fn unknown_user() -> Refusal {
    Refusal::not_found("user not found")
}

fn taken() -> Refusal {
    Refusal::new(Kind::Conflict, "user already exists")
}

impl HeadscaleSandbox {
    /// All users, or the one with this name, mail address or id: the first that is given counts.
    pub(super) fn list_users(&mut self, asked: &Asked<'_>) -> Answer {
        let [name, email, id] = ["name", "email", "id"].map(|name| asked.query(name));
        let fits: &dyn Fn(&User) -> bool = match (&name, &email, &id) {
            (Some(name), _, _) => &move |user| user.name == *name,
            (None, Some(email), _) => &move |user| user.email == *email,
            (None, None, Some(id)) if number(id).is_none() => {
                return Err(Refusal::bad("invalid id"));
            }
            (None, None, Some(id)) => &move |user| user.id == *id,
            (None, None, None) => &|_| true,
        };
        let mut users: Vec<User> = self
            .store
            .users
            .iter()
            .filter(|user| fits(user))
            .cloned()
            .collect();
        sort_by(&mut users, |a, b| number(&a.id).cmp(&number(&b.id)));
        for user in users.iter_mut().filter(|user| user.name.is_empty()) {
            user.name = user.email.clone();
        }
        Ok(Response::json(200, &json!({"users": users})))
    }

    /// The name is not checked, except that nobody has it.
    pub(super) fn create_user(&mut self, asked: &Asked<'_>) -> Answer {
        let body = asked.body(&["name", "displayName", "email", "pictureUrl"])?;
        let text = |name| Ok::<_, Refusal>(body.text(name)?.unwrap_or_default());
        let name = body.required("name")?;
        if self.store.user_named(&name).is_some() {
            return Err(taken().while_doing("creating user"));
        }
        let user = User {
            name,
            display_name: text("displayName")?,
            email: text("email")?,
            profile_pic_url: text("pictureUrl")?,
            created_at: clock::utc(asked.now),
            id: self.store.next_id(Things::Users),
            ..User::default()
        };
        let answer = Response::json(200, &json!({"user": user}));
        self.store.users.push(user);
        Ok(answer)
    }

    pub(super) fn rename_user(&mut self, asked: &Asked<'_>) -> Answer {
        let (id, name) = (asked.id("old_id")?, asked.second());
        let user = self.store.user(id).ok_or_else(unknown_user)?;
        if user.provider == OIDC {
            return Err(Refusal::failed("users of OIDC cannot be renamed"));
        }
        if let Some(reason) = fault(name) {
            let reason = format!("username {name:?} {reason}");
            return Err(Refusal::new(Kind::Broken, reason));
        }
        if self
            .store
            .user_named(name)
            .is_some_and(|user| user.id != id)
        {
            return Err(taken());
        }
        let mut users = self.store.users.iter_mut();
        let user = users.find(|user| user.id == id).ok_or_else(unknown_user)?;
        name.clone_into(&mut user.name);
        let user = user.clone();
        for node in &mut self.store.nodes {
            let owner = node.user.as_mut().filter(|owner| owner.id == user.id);
            owner.into_iter().for_each(|owner| owner.clone_from(&user));
        }
        for key in &mut self.store.pre_auth_keys {
            let owner = key.user.as_mut().filter(|owner| owner.id == user.id);
            owner.into_iter().for_each(|owner| owner.clone_from(&user));
        }
        Ok(Response::json(200, &json!({"user": user})))
    }

    /// A user without nodes goes, with the keys.
    pub(super) fn delete_user(&mut self, asked: &Asked<'_>) -> Answer {
        let user = self.store.user(asked.id("id")?).ok_or_else(unknown_user)?;
        if self.store.nodes_of(user).next().is_some() {
            return Err(Refusal::failed("user not empty: node(s) found"));
        }
        let id = user.id.clone();
        let keys = &mut self.store.pre_auth_keys;
        keys.retain(|key| key.user.as_ref().is_none_or(|user| user.id != id));
        self.store.users.retain(|user| user.id != id);
        Ok(Response::json(200, &json!({})))
    }
}

/// Why nobody can be renamed to this.
fn fault(name: &str) -> Option<&'static str> {
    let is_known = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
    match () {
        () if name.chars().count() < 2 => Some("must be at least 2 characters long"),
        () if !name.starts_with(char::is_alphabetic) => Some("must start with a letter"),
        () if name.matches('@').count() > 1 => Some("cannot contain more than one '@'"),
        () if !name.chars().all(is_known) => Some("contains invalid characters"),
        () => None,
    }
}
