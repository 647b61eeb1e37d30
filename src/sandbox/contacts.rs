//! The contacts that the service writes to. No mail is ever sent. Must not live here: wire shapes (`api`).

use super::Sandbox;
use super::choices::{Outcome, Refusal, refused};
use super::perform::serves;
use crate::api::{Contact, Contacts, Done, GetContacts, ItemId, ResendVerification, UpdateContact};

const KINDS: [&str; 3] = ["account", "support", "security"];

serves! {
    GetContacts: plain get_contacts,
    UpdateContact: plain update_contact,
    ResendVerification: plain resend_verification,
}

impl Sandbox {
    /// A contact that was never set is an empty address.
    fn get_contacts(&self, call: GetContacts) -> Outcome<Contacts> {
        let mut contacts = self.tailnet(&call.tailnet)?.contacts.clone();
        complete(&mut contacts);
        Ok(contacts)
    }

    /// A new address must be confirmed; until then the previous one is used.
    fn update_contact(&mut self, call: UpdateContact) -> Outcome<Done> {
        let kind = known(&call.kind)?;
        if call.body.email.trim().is_empty() {
            return refused!("`email` must not be empty");
        }
        let contacts = &mut self.tailnet_mut(&call.tailnet)?.contacts;
        complete(contacts);
        let contact = contacts.entry(kind.to_owned()).or_default();
        let before = std::mem::replace(&mut contact.email, call.body.email);
        contact.fallback_email = Some(before).filter(|email| !email.is_empty());
        contact.needs_verification = true;
        Ok(Done)
    }

    fn resend_verification(&mut self, call: ResendVerification) -> Outcome<Done> {
        let kind = known(&call.kind)?;
        let contacts = &self.tailnet(&call.tailnet)?.contacts;
        let pending = |contact: &Contact| contact.needs_verification;
        match contacts.get(kind).is_some_and(pending) {
            true => Ok(Done),
            false => refused!("no verification is pending"),
        }
    }
}

/// All contacts are present, or none.
fn complete(contacts: &mut Contacts) {
    for kind in KINDS {
        contacts.entry(kind.to_owned()).or_default();
    }
}

fn known(kind: &ItemId) -> Outcome<&'static str> {
    let found = KINDS.into_iter().find(|known| *known == kind.as_str());
    found.ok_or_else(|| Refusal::BadRequest(format!("there is no contact `{}`", kind.as_str())))
}
