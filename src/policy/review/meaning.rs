//! Whether what changed in the text has a meaning that is not access, logins, powers or tests.
//! Must not live here: those (diff_access.rs, diff_ssh.rs, powers, tests.rs).

use crate::policy::diff::Change;
use crate::policy::language::json::PlainJson;
use crate::tables::find::contains;

/// The sections of which all that has a meaning is compared elsewhere. Definitions mean nothing by themselves.
const COMPARED: [&str; 12] = [
    "acls",
    "autoApprovers",
    "defaultSrcPosture",
    "grants",
    "groups",
    "hosts",
    "ipsets",
    "postures",
    "ssh",
    "sshTests",
    "tagOwners",
    "tests",
];

/// Whether no other section changed, and of the node attributes no pool of addresses.
#[inline(never)]
pub fn is_elsewhere_same(changes: &[Change]) -> bool {
    changes.iter().all(is_compared)
}

/// Whether all that a change means is compared elsewhere.
pub fn is_compared(change: &Change) -> bool {
    let mut tokens = change.pointer.split('/').skip(1);
    let section = tokens.next().unwrap_or_default();
    COMPARED.contains(&section) || section == "nodeAttrs" && !has_pool(change)
}

/// Whether a change of node attributes is about a pool of addresses.
fn has_pool(change: &Change) -> bool {
    let values = [change.before.as_ref(), change.after.as_ref()];
    let texts = values.into_iter().flatten().map(PlainJson::as_str);
    let mut texts = texts.chain([change.pointer.as_str()]);
    texts.any(|text| contains(&text.to_ascii_lowercase(), "ippool"))
}
