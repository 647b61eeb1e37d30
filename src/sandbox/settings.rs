//! The settings of a tailnet: which exist, what they may hold, who may see and change each.
//! Must not live here: what a setting affects elsewhere, wire shapes (`api`).

use serde_json::Value;

use super::Sandbox;
use super::caller::Need;
use super::choices::{Outcome, refused};
use super::perform::serves;
use crate::api::{GetSettings, Settings, UpdateSettings};

/// The type of a setting, with its default.
#[derive(Clone, Copy)]
enum Holds {
    Off,
    Text,
    /// Days, 1 to 180.
    Days,
    /// A role.
    Role,
    /// How routers of one route share the work.
    Routing,
}

/// The routing of a new tailnet, and the one that `regionalRoutingOn` stands for.
const FAILOVER: &str = "active-passive-failover";
const REGIONAL: &str = "regional-routing";
const ROUTINGS: [&str; 4] = [
    FAILOVER,
    REGIONAL,
    "regional-routing-failover",
    "magicroute",
];
/// What chooses the routing, and the older name of whether it is the regional one.
const SELECTION: &str = "routeSelection";
const IS_REGIONAL: &str = "regionalRoutingOn";

const FEATURES: &str = "feature_settings";

/// Name, value, and the area of rights it belongs to.
const ALL: [(&str, Holds, &str); 12] = [
    ("aclsExternallyManagedOn", Holds::Off, "policy_file"),
    ("aclsExternalLink", Holds::Text, "policy_file"),
    ("devicesApprovalOn", Holds::Off, FEATURES),
    ("devicesAutoUpdatesOn", Holds::Off, FEATURES),
    ("devicesKeyDurationDays", Holds::Days, FEATURES),
    ("usersApprovalOn", Holds::Off, FEATURES),
    (
        "usersRoleAllowedToJoinExternalTailnets",
        Holds::Role,
        FEATURES,
    ),
    ("networkFlowLoggingOn", Holds::Off, "logs:network"),
    (IS_REGIONAL, Holds::Off, FEATURES),
    (SELECTION, Holds::Routing, FEATURES),
    ("postureIdentityCollectionOn", Holds::Off, FEATURES),
    ("httpsEnabled", Holds::Off, "networking_settings"),
];

serves! {
    GetSettings: plain get_settings,
    UpdateSettings: plain update_settings,
}

impl Sandbox {
    /// Those that the caller may read.
    fn get_settings(&self, call: GetSettings) -> Outcome<Settings> {
        let mut stored = self.tailnet(&call.tailnet)?.settings.clone();
        pair(&mut stored);
        let mut shown = Settings::new();
        for (name, holds, area) in ALL {
            if self.caller.may(Need::read(area)) {
                let value = stored.get(name).cloned();
                shown.insert(name.to_owned(), value.unwrap_or_else(|| holds.at_first()));
            }
        }
        Ok(shown)
    }

    /// All or none; an unknown name and `null` change nothing.
    fn update_settings(&mut self, call: UpdateSettings) -> Outcome<Settings> {
        let mut changes = Settings::new();
        for (name, holds, area) in ALL {
            let Some(value) = call.changes.get(name).filter(|value| !value.is_null()) else {
                continue;
            };
            self.caller.need(Need::write(area))?;
            if !holds.takes(value) {
                return refused!("setting `{name}` cannot be {value}");
            }
            changes.insert(name.to_owned(), value.clone());
        }
        if changes.contains_key(SELECTION) && changes.contains_key(IS_REGIONAL) {
            return refused!("`{IS_REGIONAL}` and `{SELECTION}` cannot both be set");
        }
        pair(&mut changes);
        self.tailnet_mut(&call.tailnet)?.settings.extend(changes);
        let tailnet = call.tailnet;
        self.get_settings(GetSettings { tailnet })
    }
}

/// One setting has two names: where only one of them is there, says the same by the other.
fn pair(settings: &mut Settings) {
    match (settings.get(SELECTION), settings.get(IS_REGIONAL)) {
        (Some(name), None) => {
            let is = *name == REGIONAL;
            settings.insert(IS_REGIONAL.to_owned(), is.into());
        }
        (None, Some(is)) => {
            let name = if *is == true { REGIONAL } else { FAILOVER };
            settings.insert(SELECTION.to_owned(), name.into());
        }
        _ => {}
    }
}

impl Holds {
    fn at_first(self) -> Value {
        match self {
            Holds::Off => false.into(),
            Holds::Text => "".into(),
            Holds::Days => 180.into(),
            Holds::Role => "none".into(),
            Holds::Routing => FAILOVER.into(),
        }
    }

    fn takes(self, value: &Value) -> bool {
        match self {
            Holds::Off => value.is_boolean(),
            Holds::Text => value.is_string(),
            Holds::Days => value.as_u64().is_some_and(|days| (1..=180).contains(&days)),
            Holds::Role => matches!(value.as_str(), Some("none" | "admin" | "member")),
            Holds::Routing => value.as_str().is_some_and(|name| ROUTINGS.contains(&name)),
        }
    }
}
