//! What a review says. Must not live here: how it comes about.

use serde::Serialize;

use super::reach::Exposure;
use super::tests::Tests;
use crate::hujson::Issue;
use crate::policy::diff::Change;
use crate::policy::diff_access::AccessChange;
use crate::policy::diff_ssh::SshChange;
use crate::policy::prove::Proof;
use crate::policy::tailnet::parties::Party;

/// What an edit of a policy does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// Whether the edit has no meaning: layout, order, spelling, rules split or merged, names alone.
    pub unchanged: bool,
    /// What changed in the text, as `diff` has it.
    pub changes: Vec<Change>,
    /// What is worth saying of the later document that was not of the earlier one.
    pub issues: Vec<Issue>,
    /// Who gains and who loses access, as `diff_access` has it.
    pub access: Vec<AccessChange>,
    /// Who gains and who loses logins, as `diff_ssh` has it.
    pub ssh: Vec<SshChange>,
    /// Who had access or a login and has none left.
    pub locked_out: Vec<Party>,
    /// What is newly open to everybody, to outsiders or to anyone.
    pub exposed: Vec<Exposure>,
    /// Tests added and removed.
    pub tests: Tests,
    /// How the assertions of the guard end for the later document; nothing without a guard.
    pub guard: Option<Proof>,
    /// All of this as Markdown, in 60 lines at most.
    pub summary: String,
}
