//! What the calls that read the logs carry. Must not live here: what is logged.
use serde_json::{Map, Value};

use super::payload::given_as_json;
use super::query::queries;
use super::shape::list;
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// A change of the tailnet's configuration.
    #[non_exhaustive]
    pub struct AuditEntry {
        /// When it was made, RFC 3339.
        pub event_time: String,
        /// `CONFIG`.
        #[serde(rename = "type")]
        pub kind: String,
        /// The same for changes that were made together.
        #[serde(rename = "eventGroupID")]
        pub event_group_id: String,
        /// How it was made, such as by the API.
        pub origin: String,
        /// Who made it.
        pub actor: AuditActor,
        /// What was changed.
        pub target: AuditTarget,
        /// `CREATE`, `UPDATE`, `DELETE` and so on.
        pub action: String,
        /// The old value. For a policy this is its whole text.
        #[serde(skip_serializing_if = "Value::is_null")]
        pub old: Value,
        /// The new value.
        #[serde(skip_serializing_if = "Value::is_null")]
        pub new: Value,
        /// The reason given by the person who made it.
        pub action_details: Option<String>,
        /// Everything else.
        pub other: Map<String, Value>,
    }

    /// Who made a change.
    #[non_exhaustive]
    pub struct AuditActor {
        /// The identifier of a user or a client.
        pub id: String,
        /// `USER` and so on.
        #[serde(rename = "type")]
        pub kind: String,
        /// The login name; empty where the actor is not a user.
        pub login_name: String,
        /// The name to show.
        pub display_name: String,
        /// The tags of a client.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tags: Vec<String>,
    }

    /// What was changed.
    #[non_exhaustive]
    pub struct AuditTarget {
        /// The identifier of the thing.
        pub id: String,
        /// The name to show.
        pub name: String,
        /// `NODE`, `TAILNET`, `USER` and so on.
        #[serde(rename = "type")]
        pub kind: String,
        /// The property that was changed; none if it is the whole.
        pub property: Option<String>,
        /// Everything else.
        pub other: Map<String, Value>,
    }

    /// The answer to [`GetAuditLog`].
    #[non_exhaustive]
    pub struct AuditLog {
        /// The version of the format: `1.1`.
        pub version: String,
        /// The tailnet.
        pub tailnet_id: String,
        /// The changes, oldest first.
        pub logs: Vec<AuditEntry>,
    }

    /// What one device sent and received in an interval.
    #[non_exhaustive]
    pub struct NetworkFlows {
        /// When the service received it, RFC 3339.
        pub logged: String,
        /// The device.
        pub node_id: String,
        /// When the interval began.
        pub start: String,
        /// When the interval ended.
        pub end: String,
        /// The traffic of each kind, and everything else.
        pub other: Map<String, Value>,
    }

    /// The answer to [`GetNetworkLog`].
    #[non_exhaustive]
    pub struct NetworkLog {
        /// The entries that devices reported.
        pub logs: Vec<NetworkFlows>,
    }
}

given_as_json! {
    AuditLog: list("logs"),
    NetworkLog: list("logs"),
}

queries! {
    /// A time window.
    Window {
        /// Its start, RFC 3339.
        start: String = "start",
        /// Its end.
        end: String = "end",
    }
    /// Which changes are wanted.
    ChangesWanted {
        /// The start of the window, RFC 3339.
        start: String = "start",
        /// Its end.
        end: String = "end",
        /// The actors, by id or, after a `~`, by any part of their names; all actors if empty.
        actors: Vec<String> = "actor",
        /// What was changed, in the same form.
        targets: Vec<String> = "target",
        /// The kinds of changes; all if empty.
        events: Vec<String> = "event",
    }
}

operations! {
    /// What was changed in a tailnet, oldest first. Entries may hold whole policies: do not log them.
    GetAuditLog(tailnet: TailnetName) "logs.audit", Get "/api/v2/tailnet/:tailnet/logging/configuration", Read;
        sends wanted: ChangesWanted; gives AuditLog; needs Area("logs:configuration"); refuses "`bad_request` (a malformed time or event)";
        typed "(params: LogWindow & { /** Changes by this actor: an id, or `~` and a part of a name. */ actor?: string | string[]; /** Changes of this target, in the same form. */ target?: string | string[]; /** Which kinds of changes. */ event?: string | string[] }): AuditEntry[]";
        example "const changes = await client.logs.audit({ start: new Date(Date.now() - 3600_000), end: new Date(), actor: '~ann' })";
        heads "logs" "The logs. Answers hold the whole window, without paging: ask for short ones.";
    /// What devices sent each other. Very large: ask for a few minutes.
    GetNetworkLog(tailnet: TailnetName) "logs.network", Get "/api/v2/tailnet/:tailnet/logging/network", Read;
        sends wanted: Window; gives NetworkLog; needs Area("logs:network"); refuses "`bad_request` (a malformed time)";
        typed "(params: LogWindow): NetworkFlows[]";
        example "const flows = await client.logs.network({ start: new Date(Date.now() - 60_000), end: new Date() })";
}
