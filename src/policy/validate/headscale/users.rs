//! The stages that need the users of the tailnet: tokens that name several, and targets of attributes that name nobody.
//! Must not live here: how a token is compared (`tailnet::users`).

use super::Stage;
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::together;
use crate::policy::language::selector::{Kind, Selector, trimmed};
use crate::policy::tailnet::users::{NamedUser, TokenWords};

impl Stage<'_> {
    /// Notes each token that names several users, at every mention.
    pub fn users(&mut self, words: &TokenWords<'_>) {
        let policy = self.policy;
        for table in [&policy.groups, &policy.tag_owners] {
            for (_, members) in table.iter() {
                self.tokens(members, words);
            }
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
                let hint = Some(Hint::words(advice));
                self.advise("unknown_user", selector.span, "%s", &[&words], hint);
            }
        }
    }

    /// Notes the first entry of the attributes with a target that names nobody.
    pub fn node_attributes(&mut self, tokens: &TokenWords<'_>) {
        for entry in &self.policy.node_attrs {
            if entry.attributes.is_empty() {
                continue;
            }
            let mut faults = Vec::new();
            for target in &entry.targets {
                tokens.add_faults(self.policy, target, &mut faults);
            }
            if !faults.is_empty() {
                let mut targets = Vec::new();
                for target in &entry.targets {
                    targets.push(target.name());
                }
                let names = [&targets.join(" ")[..], &together(&faults)];
                let words = "compiling nodeAttrs: nodeAttrs target [%s]: %s";
                let hint = Hint::words(self.policy.dialect.advice_on_unknown_users());
                return self.advise("unknown_user", entry.span, words, &names, Some(hint));
            }
        }
    }
}
