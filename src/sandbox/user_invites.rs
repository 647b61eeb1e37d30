//! The calls about invites to become a user. Nothing is mailed, and nobody accepts one. Must not live here: users (`users`).

use super::choices::{Outcome, Refusal, refused};
use super::example::hash;
use super::perform::serves;
use super::users::ROLES;
use super::{Sandbox, clock};
use crate::api::{
    CreateUserInvites, DeleteUserInvite, Done, GetUserInvite, ListUserInvites, ResendUserInvite,
    UserInvite,
};

/// The least time between two mails, in milliseconds.
const BETWEEN_MAILS: i64 = 60_000;

serves! {
    ListUserInvites: plain list_user_invites,
    CreateUserInvites: timed create_user_invites,
    GetUserInvite: plain get_user_invite,
    DeleteUserInvite: plain delete_user_invite,
    ResendUserInvite: timed resend_user_invite,
}

impl Sandbox {
    fn list_user_invites(&self, call: ListUserInvites) -> Outcome<Vec<UserInvite>> {
        Ok(self.tailnet(&call.tailnet)?.user_invites.clone())
    }

    fn create_user_invites(
        &mut self,
        call: CreateUserInvites,
        now: i64,
    ) -> Outcome<Vec<UserInvite>> {
        let home = self.name_of(&call.tailnet)?;
        let inviter = self.actor(&home).id;
        let mut made = Vec::new();
        for wanted in call.invites {
            let role = wanted.role.unwrap_or_else(|| "member".to_owned());
            if !ROLES.contains(&role.as_str()) || role == "owner" {
                return refused!("invalid role \"{role}\"");
            }
            let email = mailed(wanted.email)?;
            let code = self.fresh("user invite", now);
            made.push(UserInvite {
                id: number(&code).to_string(),
                role,
                tailnet_id: number(&home),
                inviter_id: number(&inviter),
                last_email_sent_at: email.as_ref().map(|_| clock::utc(now)),
                email,
                invite_url: format!("https://login.example/admin/invite/{code}"),
                ..UserInvite::default()
            });
        }
        let invites = &mut self.tailnet_mut(&call.tailnet)?.user_invites;
        invites.extend(made.iter().cloned());
        Ok(made)
    }

    fn get_user_invite(&self, call: GetUserInvite) -> Outcome<UserInvite> {
        Ok(self.listed::<UserInvite>(&call.id)?.1.clone())
    }

    fn delete_user_invite(&mut self, call: DeleteUserInvite) -> Outcome<Done> {
        self.unlist::<UserInvite>(&call.id)
    }

    fn resend_user_invite(&mut self, call: ResendUserInvite, now: i64) -> Outcome<Done> {
        let (_, invite) = self.listed_mut::<UserInvite>(&call.id)?;
        mail_again(invite.email.as_deref(), &mut invite.last_email_sent_at, now)
    }
}

/// An address to mail to, if there is one.
pub(super) fn mailed(email: Option<String>) -> Outcome<Option<String>> {
    let email = email.filter(|email| !email.is_empty());
    match email.as_deref().is_some_and(|email| !email.contains('@')) {
        true => refused!("invalid email address"),
        false => Ok(email),
    }
}

/// Notes the time of another mail.
pub(super) fn mail_again(
    email: Option<&str>,
    last: &mut Option<String>,
    now: i64,
) -> Outcome<Done> {
    if email.is_none() {
        return refused!("the invite has no email address");
    }
    let before = last.as_deref().and_then(clock::parse);
    if before.is_some_and(|before| now - before < BETWEEN_MAILS) {
        return Err(Refusal::TooSoon);
    }
    *last = Some(clock::utc(now));
    Ok(Done)
}

/// What stands for a name where the service has a number.
pub(super) fn number(name: &str) -> u64 {
    u64::from(hash(name.as_bytes()) as u32)
}
