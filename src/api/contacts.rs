//! The calls about contacts, to whom the service writes, and their bodies. Must not live here: mail.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::endpoint::{Done, Input, Plain, bare_calls};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{ItemId, Scope, TailnetName};

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

bare_calls! {
    /// `GET`: whom the service writes to.
    GetContacts -> Contacts, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
    }
    /// `POST`: has the service ask again that an address be confirmed.
    ResendVerification -> Done, 200 {
        /// The tailnet.
        tailnet: TailnetName = tailnet,
        /// `account`, `support` or `security`.
        kind: ItemId = item,
    }
}

/// `PATCH`: changes whom the service writes to about one matter; the new address must be confirmed by mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateContact {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// `account`, `support` or `security`.
    pub kind: ItemId,
    /// The new address.
    pub email: String,
}

impl Plain for UpdateContact {
    const OPERATION: Operation = Operation::UpdateContact;
    type Output = Done;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone()).and(self.kind.clone())
    }

    fn body(&self) -> Option<Value> {
        Some(json!({"email": self.email}))
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        Ok(UpdateContact {
            tailnet: scope.tailnet()?,
            kind: scope.item()?,
            email: Input::read(request)?.text("email")?.to_owned(),
        })
    }
}
