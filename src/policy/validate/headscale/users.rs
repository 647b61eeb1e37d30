//! The stages that need the users of the tailnet: tokens that name several, and targets of attributes that name nobody.
//! Must not live here: how a token is compared (`tailnet::users`).

use super::Stage;
use crate::policy::findings::words::joined;
use crate::policy::findings::words::together;
use crate::policy::language::document::NodeAttr;
use crate::policy::language::selector::{Kind, Selector, trimmed};
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::users::{NamedUser, TokenWords};

impl Stage<'_> {
    /// Notes each token that names several users, at every mention.
    pub fn users(&mut self, context: &PolicyContext) {
        let policy = self.policy;
        let words = &TokenWords::new(context);
        let tables = policy.groups.iter().chain(policy.tag_owners.iter());
        for (_, members) in tables {
            self.tokens(members, words);
        }
        for (_, approvers) in &policy.auto_approvers.routes {
            self.tokens(approvers, words);
        }
        self.tokens(&policy.auto_approvers.exit_node, words);
        for rule in policy.acl_rules() {
            self.tokens(&rule.sources, words);
            for to in &rule.destinations {
                self.tokens(std::slice::from_ref(&to.host), words);
            }
        }
        for rule in &policy.ssh {
            self.tokens(&rule.sources, words);
            self.tokens(&rule.destinations, words);
        }
    }

    fn tokens(&mut self, selectors: &[Selector<'_>], words: &TokenWords<'_>) {
        for selector in selectors.iter().filter(|own| own.kind == Kind::User) {
            let token = trimmed(selector.text());
            if let NamedUser::Ambiguous(users) = words.named(token) {
                let words = words.ambiguous(token, &users);
                let advice = "name the user by what no other user has";
                self.advise("unknown_user", selector.span, &[&words], Some(advice));
            }
        }
    }

    /// Notes the first entry of the attributes with a target that names nobody.
    pub fn node_attributes(&mut self, context: &PolicyContext) {
        if context.users.is_none() {
            return;
        }
        let tokens = TokenWords::new(context);
        for entry in &self.policy.node_attrs {
            if entry.attributes.is_empty() {
                continue;
            }
            let faults = self.target_faults(entry, &tokens);
            if !faults.is_empty() {
                let targets: Vec<&str> = entry.targets.iter().map(Selector::name).collect();
                let list = joined(&["[", &targets.join(" "), "]: "]);
                let words = "compiling nodeAttrs: nodeAttrs target ";
                let words = [words, &list, &together(&faults)];
                let advice = self.policy.dialect.advice_on_unknown_users();
                return self.advise("unknown_user", entry.span, &words, Some(advice));
            }
        }
    }

    fn target_faults(&self, entry: &NodeAttr<'_>, tokens: &TokenWords<'_>) -> Vec<String> {
        let mut faults = Vec::new();
        for target in &entry.targets {
            let name = trimmed(target.text());
            match target.kind {
                Kind::User => faults.extend(tokens.fault(name)),
                Kind::Group => {
                    let members = self.policy.groups.get(name).into_iter().flatten();
                    faults.extend(members.filter_map(|own| tokens.fault(own.text())));
                }
                _ => {}
            }
        }
        faults
    }
}
