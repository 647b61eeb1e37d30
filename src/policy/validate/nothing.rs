//! Warnings about what is emptier than it looks: rules that never match, destinations that mean nothing.
//! Must not live here: what no device has today (`today`), names that nothing uses (`unused`).

use crate::hujson::Span;

use super::adviser::Adviser;
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::SshRule;
use crate::policy::language::rule::Rule;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::addresses::tailnet;

impl Adviser<'_> {
    pub(super) fn nothing_by(&mut self, rule: &Rule<'_>) {
        let empty = rule.destinations().next().is_none();
        self.nothing("rule", rule.span, rule.sources, empty);
    }

    pub(super) fn nothing_in(&mut self, rule: &SshRule<'_>) {
        let empty = rule.destinations.is_empty();
        self.nothing("ssh rule", rule.span, &rule.sources, empty);
    }

    /// A rule that can never match.
    fn nothing(&mut self, what: &str, span: Span, sources: &[Selector<'_>], no_target: bool) {
        let why = match (sources.is_empty(), no_target) {
            _ if self.faults.are_in(span) => return,
            (true, _) => "has no source",
            (_, true) => "has no destination",
            _ if sources.iter().all(|source| self.empty.has(source)) => {
                match sources.iter().all(|source| source.kind == Kind::Group) {
                    true => "has only empty groups as sources",
                    false => "has only empty sources",
                }
            }
            _ => return,
        };
        let message = joined(&["this ", what, " ", why, ": it never matches"]);
        self.warn("never_matches", span, message, None);
    }

    /// Destinations of a rule that mean nothing, or for devices where `via` opens none.
    pub(super) fn nobody_at(&mut self, rule: &Rule<'_>) {
        for to in rule.destinations() {
            let (why, hint) = if self.empty.has(to) {
                (" is empty", "remove it, or fill it where it is defined")
            } else if !rule.via.is_empty() && self.is_device(to) {
                let hint = "remove it, or reach it by a grant without via";
                (" is no network behind a router", hint)
            } else {
                continue;
            };
            let message = joined(&[&quoted(to.name()), why, ": nothing is reached there"]);
            self.warn(
                "empty_destination",
                to.span,
                message,
                Some(Hint::remove(&[hint])),
            );
        }
    }

    /// Whether all that a selector means are devices (docs/policy-language.md#via).
    fn is_device(&self, to: &Selector<'_>) -> bool {
        match to.kind {
            Kind::User | Kind::Group | Kind::Tag | Kind::Domain => true,
            Kind::Autogroup(autogroup) => autogroup != Autogroup::Internet,
            _ => {
                let range = self.policy.range(to);
                range.is_some_and(|range| tailnet().covers_range(range))
            }
        }
    }
}
