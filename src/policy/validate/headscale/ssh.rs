//! Ssh rules: the combinations of sources and destinations that Headscale refuses, its accounts and periods.
//! Must not live here: which logins follow.

use super::Stage;
use super::names::Position;
use crate::policy::findings::words::shown;
use crate::policy::language::document::SshRule;
use crate::policy::language::duration::{Duration, Period};
use crate::policy::language::login::SshAction;
use crate::policy::language::selector::{Autogroup, Kind, Selector, trimmed};

impl Stage<'_> {
    pub fn ssh_rule(&mut self, rule: &SshRule<'_>) {
        if rule.action.is_none() {
            self.say("invalid_action", rule.span, "action must be specified", &[]);
        }
        if rule.users.is_empty() {
            self.say("invalid_users", rule.span, "users must be specified", &[]);
        }
        for user in rule
            .users
            .iter()
            .filter(|user| matches!(user.text, "" | "*"))
        {
            let words = "user %q is not valid";
            self.say("invalid_users", user.span, words, &[user.text]);
        }
        for name in rule.accept_env.iter().filter(|name| name.text.is_empty()) {
            let words = "acceptEnv values cannot be empty";
            self.say("invalid_env", name.span, words, &[]);
        }
        self.selectors(&rule.sources, Position::SshSource);
        self.selectors(&rule.destinations, Position::SshDestination);
        self.ssh_ends(rule);
        self.ssh_period(rule);
    }

    /// The first destination that does not go with the sources.
    fn ssh_ends(&mut self, rule: &SshRule<'_>) {
        let is_tagged = |source: &Selector<'_>| {
            matches!(source.kind, Kind::Tag | Kind::Autogroup(Autogroup::Tagged))
        };
        let tagged = rule.sources.iter().any(is_tagged);
        for to in &rule.destinations {
            let name = trimmed(to.text());
            let is_only = match &rule.sources[..] {
                [one] => trimmed(one.text()) == name,
                _ => false,
            };
            let words = match to.kind {
                Kind::User if tagged => {
                    "tags in SSH source cannot access user-owned devices (%s); use autogroup:tagged or specific tags as destinations instead"
                }
                Kind::User if !is_only => {
                    "user destination requires source to contain only that same user %q; use autogroup:self instead for same-user SSH access"
                }
                Kind::Autogroup(Autogroup::Own) if tagged => {
                    "autogroup:self destination requires source to contain only users or groups, not tags or autogroup:tagged"
                }
                Kind::Autogroup(Autogroup::Member) if tagged => {
                    "tags in SSH source cannot access autogroup:member (user-owned devices)"
                }
                _ => continue,
            };
            return self.say("invalid_destination", to.span, words, &[name]);
        }
    }

    fn ssh_period(&mut self, rule: &SshRule<'_>) {
        const CODE: &str = "invalid_check_period";
        let Some(word) = &rule.check_period else {
            return;
        };
        let action = rule.action.and_then(|action| SshAction::parse(action.text));
        if action != Some(SshAction::Check) {
            let words = "checkPeriod is only valid with action \"check\"";
            return self.say(CODE, word.span, words, &[]);
        }
        let Ok(Period::Every(period)) = Period::parse(word.text) else {
            return;
        };
        let length = shown(&period);
        let fault = if period < Duration::ZERO {
            "checkPeriod %s must be a positive duration"
        } else if period > Duration::hours(168) {
            "checkPeriod %s is above the max (168h)"
        } else {
            return;
        };
        self.say(CODE, word.span, fault, &[&length]);
    }
}
