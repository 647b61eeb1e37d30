//! Who calls, and what they may do: the sandbox's own key everything, a token what it was given.
//! Must not live here: how tokens are made (`tokens`), other refusals.

use super::choices::{Outcome, Refusal};
use crate::api::{Effect, Operation, Right};

/// Who calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Caller {
    /// What a token may do, and where; None for the sandbox's own key.
    pub token: Option<Grant>,
}

/// What a token may do, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grant {
    pub tailnet: String,
    pub scopes: Vec<String>,
    pub tags: Vec<String>,
    /// The user it belongs to; None for a token of the tailnet.
    pub user: Option<String>,
    /// The client that requested it.
    pub key_id: Option<String>,
}

/// An area of rights, and whether the call changes something in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Need {
    area: &'static str,
    writes: bool,
}

impl Need {
    pub fn read(area: &'static str) -> Need {
        let writes = false;
        Need { area, writes }
    }

    pub fn write(area: &'static str) -> Need {
        let writes = true;
        Need { area, writes }
    }
}

impl Caller {
    pub fn may(&self, need: Need) -> bool {
        let Some(grant) = &self.token else {
            return true;
        };
        let has = |scope: &String| {
            let (area, writes) = match scope.strip_suffix(":read") {
                Some(area) => (area, false),
                None => (scope.as_str(), true),
            };
            (area == need.area || area == "all") && (writes || !need.writes)
        };
        grant.scopes.iter().any(has)
    }

    /// The login name of the user whose token it is.
    pub fn user(&self) -> Option<&str> {
        self.token.as_ref()?.user.as_deref()
    }

    /// Whether the caller may have this done at all; where that hangs on what is sent, the call itself looks.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] if not; [`Refusal::NotOwned`] where only the token of a user will do.
    pub fn admit(&self, operation: Operation) -> Outcome<()> {
        let writes = operation.effect() != Effect::Read;
        let (Right::Area(area) | Right::Person(area)) = operation.right() else {
            return Ok(());
        };
        let of_client = self.token.is_some() && self.user().is_none();
        if of_client && writes && operation.right() == Right::Person(area) {
            return Err(Refusal::NotOwned);
        }
        self.need(Need { area, writes })
    }

    /// # Errors
    /// [`Refusal::Forbidden`] if the caller may not.
    pub fn need(&self, need: Need) -> Outcome<()> {
        match self.may(need) {
            true => Ok(()),
            false => Err(Refusal::Forbidden),
        }
    }
}

/// The scopes that a client may have, each also with `:read` (docs/service.md#scopes).
const SCOPES: [&str; 21] = [
    "all",
    "devices:core",
    "devices:routes",
    "devices:posture_attributes",
    "device_invites",
    "policy_file",
    "dns",
    "auth_keys",
    "oauth_keys",
    "federated_keys",
    "api_access_tokens",
    "users",
    "feature_settings",
    "networking_settings",
    "account_settings",
    "webhooks",
    "services",
    "oauth_apps",
    "tailnets",
    "logs:network",
    "log_streaming",
];
/// The one that there is for reading only.
const READ_ONLY: &str = "logs:configuration:read";

/// Whether a client may be given this scope.
pub(super) fn is_scope(scope: &str) -> bool {
    scope == READ_ONLY || SCOPES.contains(&scope.strip_suffix(":read").unwrap_or(scope))
}
