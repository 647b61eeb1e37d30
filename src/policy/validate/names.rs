//! Names that must be defined before use: groups, tags, aliases, ipsets, postures, autogroups.
//! Must not live here: which kind of selector may stand where.

use crate::hujson::Span;

use super::Checker;
use crate::policy::findings::finding::Finding;
use crate::policy::findings::words::{did_you_mean, general, joined, quoted};
use crate::policy::language::document::Word;
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// How many problems are looked at closely enough to say what was meant.
const HINTED: usize = 200;

/// What is wrong with a name, in the service's words without the place in front of them.
struct Undefined {
    code: &'static str,
    message: String,
    hint: Option<String>,
}

/// Whether a group comes from an identity provider and not from the document: its name holds an `@` (policy-language.md 2).
pub(super) fn is_synced(name: &str) -> bool {
    name.contains('@')
}

/// What to write instead of a name with ports where none may stand.
fn with_port(name: &str, kind: Kind) -> Option<String> {
    let (host, ports) = name.rsplit_once(':')?;
    let of_ports = |byte| matches!(byte, b'0'..=b'9' | b',' | b'-' | b'*');
    if ports.is_empty() || !ports.bytes().all(of_ports) {
        return None;
    }
    let meant = Kind::of(host);
    let meant = meant == kind || kind == Kind::Host && matches!(meant, Kind::Any | Kind::Address);
    meant.then(|| {
        let host = joined(&[
            "write `",
            host,
            "`: only the dst of an acl has ports, a grant",
        ]);
        joined(&[&host, " has them in `ip`"])
    })
}

impl Checker<'_> {
    /// Notes a problem.
    #[inline(never)]
    pub(super) fn refuse(&mut self, code: &'static str, span: Span, message: String) {
        self.found.push(Finding::error(code, span, message));
    }

    /// Notes a problem with what to do about it.
    #[inline(never)]
    pub(super) fn refuse_hinted(
        &mut self,
        code: &'static str,
        span: Span,
        message: String,
        hint: Option<String>,
    ) {
        let finding = Finding::error(code, span, message);
        self.found.push(finding.hint(hint));
    }

    /// Notes what is wrong with the name in a selector, if anything, at a place, with what the service puts before its
    /// words there.
    #[inline(never)]
    pub(super) fn need_defined(&mut self, selector: &Selector<'_>, span: Span, before: &str) {
        if let Some(Undefined {
            code,
            message,
            hint,
        }) = self.undefined(selector)
        {
            self.refuse_hinted(code, span, joined(&[before, &message]), hint);
        }
    }

    /// Whether there is nothing wrong with the name in a selector.
    pub(super) fn is_defined(&self, selector: &Selector<'_>) -> bool {
        let (policy, name) = (self.policy, selector.name());
        match selector.kind {
            Kind::Group => policy.groups.contains(name) || is_synced(name),
            Kind::Tag => policy.tag_owners.contains(name),
            Kind::Host => policy.hosts.contains(name),
            Kind::IpSet => policy.ipsets.contains(name),
            Kind::Domain => self.foreign_domain(selector).is_none(),
            kind => kind != Kind::Autogroup(Autogroup::Unknown),
        }
    }

    /// What is wrong with the name in a selector; nothing if it is defined or needs no definition.
    fn undefined(&self, selector: &Selector<'_>) -> Option<Undefined> {
        if selector.kind == Kind::Domain {
            return self.foreign_domain(selector);
        }
        if self.is_defined(selector) {
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
        let message = match selector.kind {
            Kind::Host => joined(&[&quoted(name), ": invalid address"]),
            _ => joined(&[what, " not found: ", &quoted(name)]),
        };
        let hint = with_port(name, selector.kind).or_else(|| match selector.kind {
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

    /// The known name that was meant. A document with a great many unknown names is not searched for all of them.
    fn near(&self, name: &str, known: &mut dyn Iterator<Item = &str>) -> Option<String> {
        match self.found.len() < HINTED {
            true => did_you_mean(name, known),
            false => None,
        }
    }

    /// The tag that was meant, or how to declare this one.
    pub(super) fn tag_hint(&self, name: &str) -> Option<String> {
        let near = self.near(name, &mut self.policy.tag_owners.names());
        near.or_else(|| Some(joined(&["declare it in tagOwners: `\"", name, "\": []`"])))
    }

    /// The alias that was meant, or the group or tag that lacks its prefix.
    fn host_hint(&self, name: &str) -> Option<String> {
        let group = joined(&["group:", name]);
        if self.policy.groups.contains(&group) {
            return Some(joined(&["did you mean `", &group, "`?"]));
        }
        let tag = joined(&["tag:", name]);
        if self.policy.tag_owners.contains(&tag) {
            return Some(joined(&["did you mean `", &tag, "`?"]));
        }
        // No name, but an address that is none.
        if name
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'/'))
        {
            return general("invalid_address").map(str::to_owned);
        }
        self.near(name, &mut self.policy.hosts.names())
    }

    fn foreign_domain(&self, selector: &Selector<'_>) -> Option<Undefined> {
        let Some(domain) = selector.domain() else {
            let name = quoted(selector.name());
            return Some(Undefined {
                code: "invalid_selector",
                message: joined(&[&name, ": only `user:*@<domain>` expressions are supported"]),
                hint: Some("name one user by the login alone".to_owned()),
            });
        };
        self.foreign(domain)
    }

    /// What is wrong with a mail domain, where the domains of the tailnet are known.
    fn foreign(&self, domain: &str) -> Option<Undefined> {
        let domains = self.topology.domains.as_ref()?;
        if domains.iter().any(|own| own.eq_ignore_ascii_case(domain)) {
            return None;
        }
        const WORDS: &str = " is not associated with this Tailnet and cannot be used in user:*@<domain> expressions";
        Some(Undefined {
            code: "foreign_domain",
            message: joined(&[domain, WORDS]),
            hint: self.near(domain, &mut domains.iter().map(String::as_str)),
        })
    }

    /// Notes a mail domain that is not one of the tailnet's.
    pub(super) fn need_own_domain(&mut self, domain: &str, span: Span) {
        if let Some(foreign) = self.foreign(domain) {
            self.refuse_hinted(foreign.code, span, foreign.message, foreign.hint);
        }
    }

    /// Posture names must be defined.
    pub(super) fn posture_names(&mut self, names: &[Word<'_>]) {
        for word in names {
            if self.policy.postures.contains(word.name()) {
                continue;
            }
            let message = joined(&["posture not found: ", &quoted(word.name())]);
            let hint = self.near(word.name(), &mut self.policy.postures.names());
            self.refuse_hinted("unknown_posture", word.span, message, hint);
        }
    }
}
