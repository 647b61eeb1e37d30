//! The service's own warnings about a document that it accepts: names it does not know yet.
//! Must not live here: refusals, advice of this library.

use std::slice;

use crate::tables::index::Index;
use crate::tables::sort;

use super::logins::KnownLogins;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, documented, ours};
use crate::policy::findings::words::{Guesses, quoted};
use crate::policy::language::document::Policy;
use crate::policy::language::selector::{Kind, Selector};
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::membership::is_synced;

/// What the service says about a group that no identity provider has synced.
pub const NOT_SYNCED: &str =
    "group is not syncing from SCIM and will be ignored by rules in the policy file";

/// What we say about one of which that is not known.
const MEMBERS_UNKNOWN: &str = "members unknown: an identity provider would have to sync this group";

/// What to do about it.
const NAME_MEMBERS: &str = "name its members in `groups` of the context, or define it in groups";

impl<'t> Policy<'t> {
    /// Unknown members of groups, and groups that an identity provider would have to sync, in the service's words.
    pub fn warnings(&self, context: &PolicyContext) -> Vec<Finding> {
        let mut found = Vec::new();
        let guesses = Guesses::of(self.document.text());
        let listed = KnownLogins::listed(self.dialect, context);
        for (name, members) in self.groups.iter() {
            let unknown = |member: &&Selector<'_>| {
                let listed = listed.as_ref().filter(|_| member.kind == Kind::User);
                listed.is_some_and(|listed| !listed.contains(member.name()))
            };
            for member in members.iter().filter(unknown) {
                let (group, login) = (quoted(name.text), quoted(member.name()));
                let message = documented(&[&group, ": user not found: ", &login]);
                let mut known = listed.iter().flat_map(KnownLogins::iter);
                let advice = || Hint::words(self.dialect.advice_on_unknown_users());
                let hint = guesses.did_you_mean(member.name(), &mut known);
                let finding = Finding::warning("unknown_user", member.span, message);
                found.push(finding.hint(Some(hint.unwrap_or_else(advice))));
            }
        }
        let mut synced = Index::default();
        for name in context.group_names() {
            synced.place(name, 0);
        }
        for group in self.unsynced_groups() {
            if synced.find(group.name()).is_some() {
                continue;
            }
            let name = quoted(group.name());
            let (message, general) = match context.groups {
                Some(_) => (documented(&[&name, ": ", NOT_SYNCED]), None),
                None => (ours(&[&name, ": ", MEMBERS_UNKNOWN]), Some(NAME_MEMBERS)),
            };
            let finding = Finding::warning("unsynced_group", group.span, message);
            let mut names = self.groups.names().chain(context.group_names());
            let near = guesses.did_you_mean(group.name(), &mut names);
            found.push(finding.hint(near.or(general.map(Hint::words))));
        }
        found
    }

    /// Every place, in the order of the text, that names a group of an identity provider which the document does not
    /// define. The service accepts it and ignores the name (docs/policy-language.md#groups).
    pub fn unsynced_groups(&self) -> Vec<&Selector<'t>> {
        let mut found = Vec::new();
        self.each_list(&mut |list| {
            for selector in list {
                let is_foreign = selector.kind == Kind::Group && is_synced(selector.name());
                if is_foreign && !self.groups.contains(selector.name()) {
                    found.push(selector);
                }
            }
        });
        sort::sort_by(&mut found, |a, b| a.span.start.cmp(&b.span.start));
        found
    }

    /// Passes on every list that may contain a group, except those of tests.
    pub(super) fn each_list<'p>(&'p self, take: &mut dyn FnMut(&'p [Selector<'t>])) {
        let approvers = &self.auto_approvers;
        take(&approvers.exit_node);
        for (_, owners) in self.tag_owners.iter() {
            take(owners);
        }
        for rule in self.acl_rules() {
            take(&rule.sources);
            for to in &rule.destinations {
                take(slice::from_ref(&to.host));
            }
        }
        for grant in self.grant_rules() {
            take(&grant.sources);
            take(&grant.destinations);
        }
        for rule in &self.ssh {
            take(&rule.sources);
            take(&rule.destinations);
        }
        for (_, who) in approvers.routes.iter().chain(&approvers.services) {
            take(who);
        }
        for entry in &self.node_attrs {
            take(&entry.targets);
        }
    }
}
