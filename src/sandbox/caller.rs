//! Who calls, and what they may do: the sandbox's own key everything, a token what it was given.
//! Must not live here: how tokens are made (`tokens`), other refusals.

use super::choices::Refusal;
use crate::api::{Effect, Operation};

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
pub(super) struct Right {
    area: &'static str,
    writes: bool,
}

impl Right {
    pub fn read(area: &'static str) -> Right {
        let writes = false;
        Right { area, writes }
    }

    pub fn write(area: &'static str) -> Right {
        let writes = true;
        Right { area, writes }
    }

    /// The right that an operation needs; None if it depends on the arguments, or anyone may.
    pub fn of(operation: Operation) -> Option<Right> {
        let area = area(operation)?;
        let writes = operation.effect() != Effect::Read;
        Some(Right { area, writes })
    }
}

impl Caller {
    pub fn may(&self, right: Right) -> bool {
        let Some(grant) = &self.token else {
            return true;
        };
        let has = |scope: &String| {
            let (area, writes) = match scope.strip_suffix(":read") {
                Some(area) => (area, false),
                None => (scope.as_str(), true),
            };
            (area == right.area || area == "all") && (writes || !right.writes)
        };
        grant.scopes.iter().any(has)
    }

    /// The login name of the user whose token it is.
    pub fn user(&self) -> Option<&str> {
        self.token.as_ref()?.user.as_deref()
    }

    /// # Errors
    /// [`Refusal::Forbidden`] if the caller may not.
    pub fn need(&self, right: Right) -> Result<(), Refusal> {
        match self.may(right) {
            true => Ok(()),
            false => Err(Refusal::Forbidden),
        }
    }
}

/// The area of each namespace of operations, nested ones first. Keys and settings belong to several areas: their own calls
/// check.
const AREAS: [(&str, Option<&str>); 15] = [
    ("devices.routes.", Some("devices:routes")),
    ("devices.attributes.", Some("devices:posture_attributes")),
    ("devices.", Some("devices:core")),
    ("acl.", Some("policy_file")),
    ("dns.", Some("dns")),
    ("users.", Some("users")),
    ("contacts.", Some("account_settings")),
    ("webhooks.", Some("webhooks")),
    ("services.", Some("services")),
    ("logs.audit", Some("logs:configuration")),
    ("logs.network", Some("logs:network")),
    ("postureIntegrations.", Some("feature_settings")),
    ("keys.", None),
    ("settings.", None),
    ("", Some("all")),
];

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

fn area(operation: Operation) -> Option<&'static str> {
    let own = |(namespace, _): &(&str, _)| operation.name().starts_with(namespace);
    AREAS.into_iter().find(own).and_then(|(_, area)| area)
}
