//! Names that must be defined before use: groups, tags, aliases, ipsets, postures, autogroups.
//! Must not live here: which kind of selector is allowed where.

use crate::hujson::Span;

use super::logins::KnownLogins;
use super::{Checker, hints};
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::{Hint, Message, documented, ours, recorded};
use crate::policy::findings::words::quoted;
use crate::policy::language::document::Word;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::policy::tailnet::membership::is_synced;

/// What is wrong with a name.
struct Undefined {
    code: &'static str,
    message: Message,
    hint: Option<Hint>,
}

impl Checker<'_> {
    /// Notes a problem.
    #[inline(never)]
    pub(super) fn refuse(&mut self, code: &'static str, span: Span, message: Message) {
        self.found.push(Finding::error(code, span, message));
    }

    /// Notes a problem with a hint.
    #[inline(never)]
    pub(super) fn refuse_hinted(
        &mut self,
        code: &'static str,
        span: Span,
        message: Message,
        hint: Option<Hint>,
    ) {
        let finding = Finding::error(code, span, message);
        self.found.push(finding.hint(hint));
    }

    /// Notes what is wrong with the name in a selector, if anything, at a position, with what the service puts before its
    /// words there.
    #[inline(never)]
    pub(super) fn need_defined(&mut self, selector: &Selector<'_>, span: Span, before: &str) {
        if let Some(wrong) = self.undefined(selector, before) {
            self.refuse_hinted(wrong.code, span, wrong.message, wrong.hint);
        }
    }

    /// Whether the name in a selector is valid.
    pub(super) fn is_defined(&self, selector: &Selector<'_>) -> bool {
        let (policy, name) = (self.policy, selector.name());
        match selector.kind {
            Kind::Group => {
                let mut synced = self.context.group_names();
                policy.groups.contains(name) || is_synced(name) || synced.any(|own| own == name)
            }
            Kind::Tag => policy.tag_owners.contains(name),
            Kind::Host => policy.hosts.contains(name),
            Kind::IpSet => policy.ipsets.contains(name),
            Kind::Domain => self.foreign_domain(selector, "").is_none(),
            kind => kind != Kind::Autogroup(Autogroup::Unknown),
        }
    }

    /// Whether the name is defined without its prefix: that is said where it is defined.
    fn lacks_prefix(&self, selector: &Selector<'_>) -> bool {
        let own = selector.name().split_once(':').map_or("", |(_, own)| own);
        match selector.kind {
            Kind::Group => self.policy.groups.contains(own),
            Kind::Tag => self.policy.tag_owners.contains(own),
            Kind::IpSet => self.policy.ipsets.contains(own),
            _ => false,
        }
    }

    /// What is wrong with the name in a selector; none if it is defined or needs no definition.
    fn undefined(&self, selector: &Selector<'_>, before: &str) -> Option<Undefined> {
        if selector.kind == Kind::Domain {
            return self.foreign_domain(selector, before);
        }
        if self.is_defined(selector) || self.lacks_prefix(selector) {
            return None;
        }
        let name = selector.name();
        let policy = self.policy;
        let (code, what) = match selector.kind {
            Kind::Group => ("unknown_group", "group"),
            Kind::Tag => ("unknown_tag", "tag"),
            Kind::Host => ("unknown_host", ""),
            Kind::IpSet => ("unknown_ipset", "ipset"),
            _ => ("unknown_autogroup", "autogroup"),
        };
        let not_found = [before, what, " not found: ", &quoted(name)];
        let message = match (selector.kind, before) {
            (Kind::Host, "") => recorded(&[&quoted(name), ": invalid address"]),
            (Kind::Host, _) => ours(&[before, &quoted(name), ": invalid address"]),
            (Kind::Group, _) | (Kind::Tag, "") => documented(&not_found),
            (Kind::Tag, _) => recorded(&not_found),
            _ => ours(&not_found),
        };
        let hint = hints::without_port(name, selector.kind).or_else(|| match selector.kind {
            Kind::Group => self.near(name, &mut policy.groups.names()),
            Kind::Tag => self.tag_hint(name),
            Kind::Host => self.host_hint(name),
            Kind::IpSet => self.near(name, &mut policy.ipsets.names()),
            _ => self.near(name, &mut Autogroup::NAMES.into_iter()),
        });
        Some(Undefined {
            code,
            message,
            hint,
        })
    }

    /// The known name that was meant.
    fn near(&self, name: &str, known: &mut dyn Iterator<Item = &str>) -> Option<Hint> {
        self.guesses.did_you_mean(name, known)
    }

    /// The login of the document or the context with this part before its `@`.
    pub(super) fn login(&self, local: &str) -> Option<&str> {
        let named = || KnownLogins::named(self.policy, self.context);
        self.logins.get_or_init(named).of_local_part(local)
    }

    /// The tag that was meant, or how to declare this one.
    pub(super) fn tag_hint(&self, name: &str) -> Option<Hint> {
        let near = self.near(name, &mut self.policy.tag_owners.names());
        near.or_else(|| Some(hints::declare(name)))
    }

    /// The group, tag or login with a missing part, what is wrong with an address, or the alias that was meant; or the name whose
    /// prefix was misspelt.
    fn host_hint(&self, name: &str) -> Option<Hint> {
        let login = || self.login(name).map(Hint::meant);
        let policy = self.policy;
        let near = || {
            let names = policy.hosts.names().chain(policy.groups.names());
            let names = names.chain(policy.tag_owners.names());
            let names = names.chain(policy.ipsets.names());
            self.near(name, &mut names.chain(Autogroup::NAMES))
        };
        hints::with_prefix(policy, name)
            .or_else(|| hints::address(name))
            .or_else(login)
            .or_else(near)
            .or_else(|| hints::no_alias(name))
    }

    fn foreign_domain(&self, selector: &Selector<'_>, before: &str) -> Option<Undefined> {
        let Some(domain) = selector.domain().filter(|domain| !domain.is_empty()) else {
            let name = quoted(selector.name());
            return Some(Undefined {
                code: "invalid_selector",
                message: ours(&[
                    before,
                    &name,
                    ": only `user:*@<domain>` expressions are supported",
                ]),
                hint: Some(Hint::words("name one user by the login alone")),
            });
        };
        self.foreign(domain, before)
    }

    /// What is wrong with a mail domain, if the domains of the tailnet are known. Its case counts, as it does when
    /// logins are compared with it.
    fn foreign(&self, domain: &str, before: &str) -> Option<Undefined> {
        let domains = self.context.domains.as_ref()?;
        if domains.iter().any(|own| own == domain) {
            return None;
        }
        const WORDS: &str = " is not associated with this Tailnet and cannot be used in user:*@<domain> expressions";
        Some(Undefined {
            code: "foreign_domain",
            message: recorded(&[before, domain, WORDS]),
            hint: self.near(domain, &mut domains.iter().map(String::as_str)),
        })
    }

    /// Notes a mail domain that is not one of the tailnet's.
    pub(super) fn need_own_domain(&mut self, domain: &str, span: Span) {
        if let Some(foreign) = self.foreign(domain, "") {
            self.refuse_hinted(foreign.code, span, foreign.message, foreign.hint);
        }
    }

    /// Posture names must be defined.
    pub(super) fn posture_names(&mut self, names: &[Word<'_>]) {
        for word in names {
            let own = word.name().strip_prefix("posture:").unwrap_or_default();
            if self.policy.postures.contains(word.name()) || self.policy.postures.contains(own) {
                continue;
            }
            let message = ours(&["posture not found: ", &quoted(word.name())]);
            let hint = self.near(word.name(), &mut self.policy.postures.names());
            self.refuse_hinted("unknown_posture", word.span, message, hint);
        }
    }
}
