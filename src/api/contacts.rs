//! The calls about contacts, to whom the service writes, and their bodies. Must not live here: mail.
use std::collections::BTreeMap;

use super::input::bodies;
use super::payload::{Done, given_as_json};
use super::shape::Shape;
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// Whom the service writes to about one matter.
    #[derive(Eq)]
    #[non_exhaustive]
    pub struct Contact {
        /// The address; empty where there is none.
        pub email: String,
        /// The address that is used until this one is confirmed.
        pub fallback_email: Option<String>,
        /// Whether the address is yet to be confirmed.
        pub needs_verification: bool,
    }
}

/// Contacts by matter: `account`, `support`, `security`.
pub type Contacts = BTreeMap<String, Contact>;

given_as_json! { Contacts: Shape::Object(&[]), }

bodies! {
    /// An address to write to; it must be confirmed by mail.
    NewContact {
        /// The new address.
        email: String = "email",
    }
}

operations! {
    /// Whom the service writes to: all three addresses.
    GetContacts(tailnet: TailnetName) "contacts.get", Get "/api/v2/tailnet/:tailnet/contacts", Read;
        gives Contacts; needs Area("account_settings");
        example "const { security } = await client.contacts.get()";
        heads "contacts" "The addresses that the service writes to.";
    /// Sets another address to which the service writes about one matter. It must be confirmed by mail.
    UpdateContact(tailnet: TailnetName, kind: ItemId) "contacts.update", Patch "/api/v2/tailnet/:tailnet/contacts/:type", Once;
        sends body: NewContact; gives Done; needs Area("account_settings"); logs part(Contacts, "", "CONTACTS");
        refuses "`bad_request`";
        typed "(type: ContactType, contact: { /** The new address. */ email: string }): void";
        example "await client.contacts.update('security', { email: 'sec@example.com' })";
    /// Has the service mail again that an address be confirmed.
    ResendVerification(tailnet: TailnetName, kind: ItemId) "contacts.resendVerification", Post "/api/v2/tailnet/:tailnet/contacts/:type/resend-verification-email", Once;
        gives Done; needs Area("account_settings"); refuses "`bad_request` (none pending)";
        typed "(type: ContactType): void";
        example "await client.contacts.update('security', { email: 'sec@example.com' })
            await client.contacts.resendVerification('security')";
}
