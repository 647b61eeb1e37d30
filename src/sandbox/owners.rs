//! Who may set which tag: the owners named in the policy. Must not live here: other contents of a policy (`policy`).

use super::caller::Grant;
use super::choices::{Outcome, Refusal};
use crate::hujson;
use crate::policy::Policy;

/// Whether the caller may set these tags: the sandbox's own key all that have an owner in the policy, a token its whole set
/// of tags, those that its tags own, and those that its user or one of the user's groups owns.
///
/// # Errors
/// [`Refusal::BadRequest`] in the service's words, naming those that may not be set.
pub(super) fn permit(acl: &str, tags: &[String], grant: Option<&Grant>) -> Outcome<()> {
    let tree = hujson::parse(acl).ok();
    let policy = tree.as_ref().map(Policy::read);
    let owners = |tag: &str| {
        policy
            .as_ref()
            .and_then(|policy| policy.tag_owners.get(tag))
    };
    let whole = grant.is_some_and(|grant| same(&grant.tags, tags));
    let may = |tag: &&String| match (owners(tag), grant) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(_), Some(_)) if whole => true,
        (Some(owners), Some(grant)) => owners.iter().any(|owner| {
            let text = owner.text();
            let group = policy.as_ref().and_then(|policy| policy.groups.get(text));
            let mut members = group.into_iter().flatten();
            grant.tags.iter().any(|tag| text == tag.as_str())
                || grant
                    .user
                    .as_deref()
                    .is_some_and(|user| text == user || members.any(|member| member.text() == user))
        }),
    };
    let refused: Vec<&str> = tags
        .iter()
        .filter(|tag| !may(tag))
        .map(String::as_str)
        .collect();
    match refused.is_empty() {
        true => Ok(()),
        false => Err(Refusal::tags(&refused)),
    }
}

/// The same as sets.
fn same(one: &[String], other: &[String]) -> bool {
    one.iter().all(|tag| other.contains(tag)) && other.iter().all(|tag| one.contains(tag))
}
