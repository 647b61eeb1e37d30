//! Names that must be defined before use: groups, tags, aliases, ipsets, postures, autogroups.
//! Must not live here: which kind of selector may stand where.

use crate::hujson::Span;

use super::super::document::Word;
use super::super::hint::{did_you_mean, quoted};
use super::super::issue::Finding;
use super::super::selector::{Autogroup, Kind, Selector};
use super::Checker;

/// How many problems are looked at closely enough to say what was meant.
const HINTED: usize = 200;

/// What is wrong with a name, in the service's words without the place in front of them.
pub(super) struct Undefined {
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

impl Undefined {
    /// The problem, with what the service puts before its words at this place.
    pub(super) fn at(self, span: Span, before: impl std::fmt::Display) -> Finding {
        let message = format!("{before}{}", self.message);
        Finding::error(self.code, span, message).hint(self.hint)
    }
}

/// Whether a group comes from an identity provider and not from the document: its name holds an `@` (policy-language.md 2).
pub(super) fn is_synced(name: &str) -> bool {
    name.contains('@')
}

impl Checker<'_> {
    /// Notes a problem.
    pub(super) fn refuse(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.found.push(Finding::error(code, span, message));
    }

    /// What is wrong with the name in a selector; nothing if it is defined or needs no definition.
    pub(super) fn undefined(&self, selector: &Selector<'_>) -> Option<Undefined> {
        let name = selector.name();
        let policy = self.policy;
        match selector.kind {
            Kind::Group if !policy.groups.contains(name) && !is_synced(name) => Some(Undefined {
                code: "unknown_group",
                message: format!("group not found: {}", quoted(name)),
                hint: self.near(name, policy.groups.names()),
            }),
            Kind::Tag if !policy.tag_owners.contains(name) => Some(Undefined {
                code: "unknown_tag",
                message: format!("tag not found: {}", quoted(name)),
                hint: self.tag_hint(name),
            }),
            Kind::Host if !policy.hosts.contains(name) => Some(Undefined {
                code: "unknown_host",
                message: format!("{}: invalid address", quoted(name)),
                hint: self.host_hint(name),
            }),
            Kind::IpSet if !policy.ipsets.contains(name) => Some(Undefined {
                code: "unknown_ipset",
                message: format!("ipset not found: {}", quoted(name)),
                hint: self.near(name, policy.ipsets.names()),
            }),
            Kind::Autogroup(Autogroup::Unknown) => Some(Undefined {
                code: "unknown_autogroup",
                message: format!("autogroup not found: {}", quoted(name)),
                hint: self.near(name, Autogroup::NAMES),
            }),
            Kind::Domain => self.foreign_domain(selector),
            _ => None,
        }
    }

    /// The known name that was meant. A document with a great many unknown names is not searched for all of them.
    fn near<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
        let few = self.found.len() < HINTED;
        few.then(|| did_you_mean(name, known)).flatten()
    }

    /// The tag that was meant, or how to declare this one.
    pub(super) fn tag_hint(&self, name: &str) -> Option<String> {
        let near = self.near(name, self.policy.tag_owners.names());
        near.or_else(|| Some(format!("declare it in tagOwners: `\"{name}\": []`")))
    }

    /// The alias that was meant, or the group or tag that lacks its prefix.
    fn host_hint(&self, name: &str) -> Option<String> {
        let group = format!("group:{name}");
        let tag = format!("tag:{name}");
        if self.policy.groups.contains(&group) {
            return Some(format!("did you mean `{group}`?"));
        }
        if self.policy.tag_owners.contains(&tag) {
            return Some(format!("did you mean `{tag}`?"));
        }
        self.near(name, self.policy.hosts.names())
    }

    fn foreign_domain(&self, selector: &Selector<'_>) -> Option<Undefined> {
        let Some(domain) = selector.domain() else {
            return Some(Undefined {
                code: "invalid_selector",
                message: format!(
                    "{}: only `user:*@<domain>` expressions are supported",
                    quoted(selector.name())
                ),
                hint: Some("name one user by the login alone".to_owned()),
            });
        };
        self.foreign(domain)
    }

    /// What is wrong with a mail domain, where the domains of the tailnet are known.
    pub(super) fn foreign(&self, domain: &str) -> Option<Undefined> {
        let domains = self.topology.domains.as_ref()?;
        let own = domains.iter().any(|own| own.eq_ignore_ascii_case(domain));
        (!own).then(|| Undefined {
            code: "foreign_domain",
            message: format!(
                "{domain} is not associated with this Tailnet and cannot be used in user:*@<domain> expressions"
            ),
            hint: self.near(domain, domains.iter().map(String::as_str)),
        })
    }

    /// Posture names must be defined.
    pub(super) fn posture_names(&mut self, names: &[Word<'_>]) {
        for word in names {
            if self.policy.postures.contains(word.name()) {
                continue;
            }
            let message = format!("posture not found: {}", quoted(word.name()));
            let hint = self.near(word.name(), self.policy.postures.names());
            let finding = Finding::error("unknown_posture", word.span, message);
            self.found.push(finding.hint(hint));
        }
    }
}
