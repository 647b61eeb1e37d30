//! Names that must be defined, and autogroups by position, in Headscale's words.
//! Must not live here: the rules that name them.

use super::{Stage, quoted};
use crate::hujson::Span;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, recorded};
use crate::policy::language::selector::{Autogroup, Kind, Selector, trimmed};
use crate::tables::find::split_once;

/// Where a selector stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Source,
    Destination,
    SshSource,
    SshDestination,
    Target,
}

impl Stage<'_> {
    /// Notes an alias that is not defined. A user without the `@` that ends users is an alias, too.
    pub fn host(&mut self, name: &str, span: Span) {
        if self.policy.hosts.contains(name) {
            return;
        }
        let words = ["host not defined in policy: ", &quoted(name)];
        let user = [name, "@"].concat();
        let hint = name
            .starts_with(char::is_alphabetic)
            .then(|| Hint::write(&["define it in hosts, or write ", &user, " for the user"]));
        let fault = Finding::error("unknown_host", span, recorded(&words));
        self.found.push(fault.hint(hint));
    }

    /// Notes a group that is not defined.
    pub fn group(&mut self, name: &str, span: Span) {
        if !self.policy.groups.contains(name) {
            let words = "group not defined in policy: ";
            self.say("unknown_group", span, &[words, &quoted(name)]);
        }
    }

    /// Notes a tag that is not defined; `before` and `after` are the words around it.
    pub fn tag(&mut self, name: &str, span: Span, (before, after): (&str, &str)) {
        if !self.policy.tag_owners.contains(name) {
            self.say("unknown_tag", span, &[before, &quoted(name), after]);
        }
    }

    /// Notes an autogroup that may not stand here.
    pub fn autogroup(&mut self, selector: &Selector<'_>, position: Position) {
        let Kind::Autogroup(group) = selector.kind else {
            return;
        };
        if let Some(words) = autogroup_fault(group, position) {
            let name = quoted(trimmed(selector.text()));
            let words = match split_once(words, "%q") {
                Some((before, after)) => [before, &name, after],
                None => [words, "", ""],
            };
            self.say("invalid_selector", selector.span, &words);
        }
    }
}

/// The words for an autogroup that may not stand in a position; `%q` is its name.
fn autogroup_fault(group: Autogroup, position: Position) -> Option<&'static str> {
    use Autogroup::{DangerAll, Internet, Member, Own, Tagged};
    const INTERNET: &str = "autogroup:internet can only be used in ACL destinations";
    Some(match (position, group) {
        (_, Member | Tagged) => return None,
        (Position::Source, Own) => "\"autogroup:self\" not valid on the src side of a rule",
        (Position::Source | Position::SshSource | Position::SshDestination, Internet) => INTERNET,
        (Position::Source, DangerAll) => return None,
        (Position::Source, _) => {
            "autogroup not supported for ACL sources: %q, can be [autogroup:member autogroup:tagged autogroup:danger-all]"
        }
        (Position::Destination, Own | Internet) => return None,
        (Position::Destination, DangerAll) => "cannot use autogroup:danger-all as a dst",
        (Position::Destination, _) => {
            "autogroup not supported for ACL destinations: %q, can be [autogroup:internet autogroup:member autogroup:tagged autogroup:self]"
        }
        (Position::SshSource, _) => {
            "autogroup not supported for SSH sources: %q, can be [autogroup:member autogroup:tagged]"
        }
        (Position::SshDestination, Own) => return None,
        (Position::SshDestination, _) => {
            "autogroup not supported for SSH destinations: %q, can be [autogroup:member autogroup:tagged autogroup:self]"
        }
        (Position::Target, _) => {
            "nodeAttrs target does not support this autogroup: %q, can be [autogroup:member autogroup:tagged]"
        }
    })
}
