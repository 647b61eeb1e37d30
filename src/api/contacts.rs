//! The calls about contacts, to whom the service writes, and their bodies. Must not live here: mail.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::input::bodies;
use super::payload::given_as_json;
use super::shape::Shape;

/// Whom the service writes to about one matter.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Contact {
    /// The address; empty where there is none.
    pub email: String,
    /// The address that is used until this one is confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_email: Option<String>,
    /// Whether the address is yet to be confirmed.
    pub needs_verification: bool,
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
