//! Names that must be defined, and autogroups by position, in Headscale's words.
//! Must not live here: the rules that name them.

use super::Stage;
use crate::hujson::Span;
use crate::policy::findings::hint::Hint;
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// What a list of selectors is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Source,
    /// Of an acl.
    Destination,
    GrantDestination,
    SshSource,
    SshDestination,
    Target,
    /// Who may own a tag or approve a route.
    Party,
}

impl Stage<'_> {
    /// Notes what may not stand in a list, and what is not defined.
    #[inline(never)]
    pub fn selectors(&mut self, list: &[Selector<'_>], position: Position) {
        for selector in list {
            self.selector(selector, position);
        }
    }

    /// The same of one selector. Blanks count in the names of some lists.
    #[inline(never)]
    pub fn selector(&mut self, selector: &Selector<'_>, position: Position) {
        use Position::{Destination, Party, Source, SshDestination, SshSource};
        let span = selector.span;
        let name = match position {
            Destination | Party => selector.text(),
            _ => selector.name(),
        };
        match selector.kind {
            Kind::Host if matches!(position, SshSource | SshDestination) => {
                self.say("invalid_destination", span, "invalid dst %q", &[name]);
            }
            Kind::Host => self.host(name, span),
            Kind::Group if !self.policy.groups.contains(name) => {
                let words = "group not defined in policy: %q";
                self.say("unknown_group", span, words, &[name]);
            }
            Kind::Tag => self.tag(
                name,
                span,
                match position {
                    Source => "src=tag not found: %q",
                    Destination => "dst=%q: tag not found: %q",
                    _ => "tag not found: %q",
                },
            ),
            Kind::Autogroup(group) => {
                if let Some(words) = autogroup_fault(group, position) {
                    self.say("invalid_selector", span, words, &[selector.name()]);
                }
            }
            _ => {}
        }
    }

    /// Notes an alias that is not defined. A user without the `@` that ends users is an alias, too.
    fn host(&mut self, name: &str, span: Span) {
        if self.policy.hosts.contains(name) {
            return;
        }
        let user = [name, "@"].concat();
        // All beyond ASCII counts as letters: a table of them is 2 KB of the file, which Brotli hardly shortens.
        let hint = name
            .starts_with(|first: char| first.is_ascii_alphabetic() || !first.is_ascii())
            .then(|| Hint::write(&["define it in hosts, or write ", &user, " for the user"]));
        let words = "host not defined in policy: %q";
        self.advise("unknown_host", span, words, &[name], hint);
    }

    /// Notes a tag that is not defined, in words that have it once or twice.
    pub fn tag(&mut self, name: &str, span: Span, words: &str) {
        if !self.policy.tag_owners.contains(name) {
            self.say("unknown_tag", span, words, &[name, name]);
        }
    }
}

/// The words for an autogroup that may not stand in a position; `%q` is its name.
fn autogroup_fault(group: Autogroup, position: Position) -> Option<&'static str> {
    use Autogroup::{DangerAll, Internet, Member, Own, Tagged};
    const INTERNET: &str = "autogroup:internet can only be used in ACL destinations";
    Some(match (position, group) {
        (_, Member | Tagged) | (Position::Party, _) => return None,
        (Position::Source, Own) => "\"autogroup:self\" not valid on the src side of a rule",
        (Position::Source | Position::SshSource | Position::SshDestination, Internet) => INTERNET,
        (Position::Source, DangerAll) => return None,
        (Position::Source, _) => {
            "autogroup not supported for ACL sources: %q, can be [autogroup:member autogroup:tagged autogroup:danger-all]"
        }
        (Position::Destination | Position::GrantDestination, Own | Internet) => return None,
        (Position::Destination | Position::GrantDestination, DangerAll) => {
            "cannot use autogroup:danger-all as a dst"
        }
        (Position::Destination | Position::GrantDestination, _) => {
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
