//! The rules of `ssh` and the shape of `sshTests`.
//! Must not live here: which login a rule allows.

use super::{Checker, hints};
use crate::policy::findings::hint::{Hint, documented, ours, recorded};
use crate::policy::findings::words::quoted;
use crate::policy::language::document::{SshRule, SshTest, Word};
use crate::policy::language::duration::{Duration, Period};
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// The longest `checkPeriod`, inclusive.
const MAX_PERIOD: Duration = Duration::hours(168);

impl Checker<'_> {
    pub(super) fn ssh_rules(&mut self) {
        let policy = self.policy;
        for rule in &policy.ssh {
            self.ssh_rule(rule);
        }
    }

    fn ssh_rule(&mut self, rule: &SshRule<'_>) {
        self.ssh_action(rule);
        self.ssh_users(rule);
        if let Some(period) = &rule.check_period {
            self.check_period(period);
        }
        for name in rule.accept_env.iter().filter(|name| name.text.is_empty()) {
            let message = documented(&["acceptEnv values cannot be empty"]);
            self.refuse("invalid_env", name.span, message);
        }
        for source in &rule.sources {
            self.ssh_source(rule, source);
        }
        self.ssh_destinations(rule);
        for recorder in &rule.recorders {
            if recorder.kind == Kind::Tag {
                self.need_defined(recorder, recorder.span, "");
            }
        }
        self.posture_names(rule.postures.as_deref().unwrap_or_default());
    }

    fn ssh_action(&mut self, rule: &SshRule<'_>) {
        match rule.action.as_ref() {
            Some(word) if matches!(word.text, "accept" | "check") => {}
            Some(word) if !word.text.is_empty() => {
                let message = recorded(&[&quoted(word.text), " is not a valid action"]);
                let lower = word.text.to_ascii_lowercase();
                let hint = match &*lower {
                    "accept" | "check" => Hint::write(&["write ", &lower, ", in lower case"]),
                    _ => Hint::marked("write `accept` or `check`"),
                };
                self.refuse_hinted("invalid_action", word.span, message, Some(hint));
            }
            None if self.faults.are_in(rule.span) => {}
            missing => {
                let span = missing.map_or(rule.span, |word| word.span);
                let message = recorded(&["action must be specified"]);
                self.refuse("invalid_action", span, message);
            }
        }
    }

    fn ssh_users(&mut self, rule: &SshRule<'_>) {
        if rule.users.is_empty() && !self.faults.are_in(rule.span) {
            let message = recorded(&["users must be specified"]);
            self.refuse("invalid_users", rule.span, message);
        }
        for user in &rule.users {
            let name = user.name();
            if name.is_empty() || name == "*" {
                let message = match name {
                    "" => documented(&["user \"\" is not valid"]),
                    _ => recorded(&["user ", &quoted(name), " is not valid"]),
                };
                let hint = Hint::marked("name accounts, or `autogroup:nonroot` for all but root");
                self.refuse_hinted("invalid_users", user.span, message, Some(hint));
            }
            // Nothing behind the `@` makes it the name of an account (docs/policy-language.md#ssh-rules).
            match name.strip_prefix("localpart:*@") {
                None | Some("") => {}
                Some(domain) => self.need_own_domain(domain, user.span),
            }
        }
    }

    fn check_period(&mut self, word: &Word<'_>) {
        let message = match Period::parse(word.name()) {
            Ok(Period::Always) => return,
            Ok(Period::Every(period)) if period > MAX_PERIOD => documented(&[
                "checkPeriod ",
                &period.to_string(),
                " is above the max (168h)",
            ]),
            Ok(Period::Every(period)) if period < Duration::ZERO => documented(&[
                "checkPeriod ",
                &period.to_string(),
                " must be a positive duration",
            ]),
            Ok(Period::Every(_)) => return,
            Err(error) => documented(&[&error.to_string()]),
        };
        self.refuse("invalid_check_period", word.span, message);
    }

    fn ssh_source(&mut self, rule: &SshRule<'_>, source: &Selector<'_>) {
        let checks = rule
            .action
            .as_ref()
            .is_some_and(|word| word.text == "check");
        match source.kind {
            Kind::Tag | Kind::Autogroup(Autogroup::Tagged) if checks => {
                let message = documented(&["[ssh] \"check\" action does not support tags in src"]);
                let hint = Hint::marked("a check asks a person: write `accept` for tags");
                self.refuse_hinted("invalid_source", source.span, message, Some(hint));
            }
            Kind::Domain => self.need_defined(source, source.span, "[ssh] "),
            Kind::User | Kind::Group | Kind::Tag => self.need_defined(source, source.span, ""),
            Kind::Autogroup(Autogroup::Member | Autogroup::Tagged | Autogroup::Role(_)) => {}
            _ => {
                let message = ours(&["invalid src ", &quoted(source.name())]);
                let words = "sources of ssh are users, groups, tags or autogroups with members";
                let hint = hints::with_prefix(self.policy, source.name());
                let hint = hint.or_else(|| Some(Hint::words(words)));
                self.refuse_hinted("invalid_source", source.span, message, hint);
            }
        }
    }

    fn ssh_destinations(&mut self, rule: &SshRule<'_>) {
        let sources = &rule.sources;
        let tagged = has_tags(rule);
        // A user's devices are for that user only.
        let first = sources.first().map(|source| source.name());
        let one = sources.iter().all(|source| Some(source.name()) == first);
        let is_only = |user: &str| one && first.is_none_or(|first| first == user);
        let mut own_is_judged = !tagged;
        for to in &rule.destinations {
            let valid = match to.kind {
                Kind::Autogroup(Autogroup::Own) => {
                    if !own_is_judged {
                        own_is_judged = true;
                        self.own_sources(sources, to, true);
                    }
                    true
                }
                Kind::Tag => {
                    self.need_defined(to, to.span, "");
                    true
                }
                Kind::User => is_only(to.name()),
                Kind::Autogroup(Autogroup::Member) => !tagged,
                Kind::Autogroup(Autogroup::Tagged) => true,
                _ => false,
            };
            if !valid {
                let message = recorded(&["invalid dst ", &quoted(to.name())]);
                const ENDS: &str =
                    "an ssh rule reaches tags, `autogroup:self`, or the one user it is for";
                let hint = hints::with_tag(self.policy, to.name());
                let hint = hint.or_else(|| Some(Hint::marked(ENDS)));
                self.refuse_hinted("invalid_destination", to.span, message, hint);
            }
        }
    }

    pub(super) fn ssh_tests(&mut self) {
        let policy = self.policy;
        for test in &policy.ssh_tests {
            self.ssh_test(test);
        }
    }

    fn ssh_test(&mut self, test: &SshTest<'_>) {
        if let Some(source) = &test.source {
            let allowed = match source.kind {
                Kind::User | Kind::Group | Kind::Tag | Kind::Address => true,
                Kind::Host => self.is_one_address(source),
                _ => false,
            };
            self.ssh_test_element("src", source, allowed);
        }
        for to in &test.destinations {
            let allowed = match to.kind {
                Kind::User | Kind::Tag | Kind::Address => true,
                Kind::Host => self.is_one_address(to),
                _ => false,
            };
            self.ssh_test_element("dst", to, allowed);
        }
    }

    /// Whether an alias may mean more than one address.
    fn is_one_address(&self, alias: &Selector<'_>) -> bool {
        let range = self.policy.host_range(alias.name());
        range.is_some_and(|range| range.first() == range.last())
    }

    fn ssh_test_element(&mut self, side: &str, selector: &Selector<'_>, allowed: bool) {
        let name = quoted(selector.name());
        if !allowed {
            let words = ["SSH tests ", side, " contains disallowed element ", &name];
            let message = match side {
                "dst" => recorded(&words),
                _ => documented(&words),
            };
            let hint = match side {
                "dst" => hints::with_tag(self.policy, selector.name()),
                _ => hints::with_prefix(self.policy, selector.name()),
            };
            self.refuse_hinted("invalid_ssh_test", selector.span, message, hint);
        } else if selector.kind == Kind::Tag && !self.is_defined(selector) {
            let words = ["SSH tests ", side, " contains unknown tag ", &name];
            let message = match side {
                "dst" => recorded(&words),
                _ => ours(&words),
            };
            let hint = self.tag_hint(selector.name());
            self.refuse_hinted("invalid_ssh_test", selector.span, message, hint);
        }
    }
}

/// Whether a rule is for tagged devices, which may not log in to those of users.
fn has_tags(rule: &SshRule<'_>) -> bool {
    let tagged = |kind| matches!(kind, Kind::Tag | Kind::Autogroup(Autogroup::Tagged));
    rule.sources.iter().any(|source| tagged(source.kind))
}
