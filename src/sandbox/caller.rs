//! Who asks, and what that allows: the sandbox's own key may do everything, a token what it was given.
//! Must not live here: how tokens are made (`tokens`), what else is refused.

use super::choices::Refusal;
use crate::api::{Effect, Operation};

/// Who asks.
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
    /// Whose token it is; None for one of the tailnet.
    pub user: Option<String>,
    /// The client that got it.
    pub key_id: Option<String>,
}

/// An area of rights, and whether to change something in it.
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

    /// The right that an operation takes; None where it depends on what is asked for, or anyone may.
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
    /// [`Refusal::Forbidden`] where the caller may not.
    pub fn need(&self, right: Right) -> Result<(), Refusal> {
        match self.may(right) {
            true => Ok(()),
            false => Err(Refusal::Forbidden),
        }
    }
}

/// The area of each namespace of operations, those within others first. Keys and settings belong to several: their own calls
/// look.
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

fn area(operation: Operation) -> Option<&'static str> {
    let own = |(namespace, _): &(&str, _)| operation.name().starts_with(namespace);
    AREAS.into_iter().find(own).and_then(|(_, area)| area)
}
