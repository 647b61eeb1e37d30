//! The results of a review. Must not live here: how they are computed.

use serde::Serialize;

use super::conditions::Conditioned;
use super::devices::DeviceChange;
use super::logins::NetworkLogin;
use super::postures::PostureChange;
use super::reach::Exposure;
use super::renamed::Renamed;
use super::tests::Tests;
use crate::hujson::Issue;
use crate::policy::access_change::AccessChange;
use crate::policy::diff::Change;
use crate::policy::powers::PowerChange;
use crate::policy::prove::Proof;
use crate::policy::ssh_change::SshChange;
use crate::policy::tailnet::parties::Party;

/// What an edit of a policy does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Review {
    /// Whether the meaning stays the same: only layout, order, spelling or names change, or rules are split or merged.
    pub unchanged: bool,
    /// What changed in the text, like `diff`.
    pub changes: Vec<Change>,
    /// Issues of the later document that the earlier one does not have.
    pub issues: Vec<Issue>,
    /// Who gains and who loses access, like `diff_access`.
    pub access: Vec<AccessChange>,
    /// Who gains and who loses logins, like `diff_ssh`.
    pub ssh: Vec<SshChange>,
    /// The logins that the ssh rules allow before and after, and that only the network lets through or no longer does.
    pub network_logins: Vec<NetworkLogin>,
    /// Access and logins of which only the conditions change, without a difference for what devices report today.
    pub conditions: Conditioned,
    /// Who gains and who loses powers, like `diff_powers`.
    pub powers: Vec<PowerChange>,
    /// Devices of both networks that are let in or kept out, have another expiry of their key, or whose shields went up or down.
    pub devices: Vec<DeviceChange>,
    /// The postures whose definitions changed, and in which direction.
    pub postures: Vec<PostureChange>,
    /// Who had access or a login and certainly has none left.
    pub locked_out: Vec<Party>,
    /// What nobody but itself reaches any more.
    pub orphaned: Vec<Party>,
    /// What is newly open to all members, to outsiders or to anyone.
    pub exposed: Vec<Exposure>,
    /// The tags that look renamed; their devices keep the old one.
    pub renamed: Vec<Renamed>,
    /// Tests added, removed and changed.
    pub tests: Tests,
    /// The results of the guard's assertions for the later document; none without a guard.
    pub guard: Option<Proof>,
    /// All of this as Markdown, at most 60 lines.
    pub summary: String,
}
