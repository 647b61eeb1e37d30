//! The rules of `acls`, and what their sources and destinations have in common with those of grants.
//! Must not live here: ports and protocols themselves.

use crate::hujson::{Origin, Span};

use super::{Checker, hints};
use crate::policy::findings::hint::{Hint, Message, documented, ours, recorded};
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::{AclProtocol, AclRule, Spelling};
use crate::policy::language::ports::{PortError, ProtocolError, RangeFault};
use crate::policy::language::selector::{Autogroup, Destination, Kind, Selector};

/// The start of every message about `autogroup:self`.
const SELF_SOURCES: &str =
    "autogroup:self can only be used with users, groups, or supported autogroups";

/// Stored facts about a valid selector, by the side of a rule that contains it.
const SOURCE: usize = 1;
const DESTINATION: usize = 2;

impl Checker<'_> {
    pub(super) fn acls(&mut self) {
        let policy = self.policy;
        for rule in policy.acl_rules() {
            self.acl(rule);
        }
    }

    fn acl(&mut self, rule: &AclRule<'_>) {
        if rule.spelling == Spelling::Mixed {
            const BOTH: &str =
                "a rule has either src and dst, or users and ports, not a mix of both";
            self.refuse("mixed_spelling", rule.span, ours(&[BOTH]));
        }
        self.acl_action(rule);
        if let Some(protocol) = &rule.protocol {
            self.protocol(protocol);
        }
        for source in &rule.sources {
            self.source(source);
        }
        for destination in &rule.destinations {
            self.acl_destination(rule, destination);
        }
        let own = |to: &&Destination<'_>| to.host.kind == Kind::Autogroup(Autogroup::Own);
        if let Some(to) = rule.destinations.iter().find(own) {
            self.own_sources(&rule.sources, &to.host, true);
        }
        self.posture_names(rule.postures.as_deref().unwrap_or_default());
    }

    fn acl_action(&mut self, rule: &AclRule<'_>) {
        if rule.accepts() {
            return;
        }
        let action = rule.action.as_ref();
        if action.is_none() && self.faults.are_in(rule.span) {
            return;
        }
        let text = action.map_or("", |word| word.text);
        let span = action.map_or(rule.span, |word| word.span);
        let message = recorded(&["action=", &quoted(text), " is not supported"]);
        let hint: &[&str] = match action {
            None => &["write ", "\"action\": \"accept\""],
            Some(word) if word.name().eq_ignore_ascii_case("accept") => {
                &["write ", "accept", ", in lower case and without blanks"]
            }
            Some(_) => &[
                "only ",
                "accept",
                " exists: what no rule accepts is dropped",
            ],
        };
        self.refuse_hinted("invalid_action", span, message, Some(Hint::write(hint)));
    }

    pub(super) fn protocol(&mut self, protocol: &AclProtocol<'_>) {
        if let Err(error) = &protocol.protocol {
            let message = documented(&[&error.to_string()]);
            self.refuse(ProtocolError::CODE, protocol.word.span, message);
        }
    }

    /// A source of an acl or grant (docs/policy-language.md#selectors).
    pub(super) fn source(&mut self, source: &Selector<'_>) {
        if self.fine.get(source) & SOURCE != 0 {
            return;
        }
        let before = self.found.len();
        match source.kind {
            Kind::Autogroup(Autogroup::Own | Autogroup::Internet | Autogroup::NonRoot) => {
                let name = quoted(source.name());
                let message = recorded(&[&name, " not valid on the src side of a rule"]);
                self.refuse("invalid_source", source.span, message);
            }
            Kind::Group | Kind::Domain => self.need_defined(source, source.span, ""),
            _ => self.need_defined(source, source.span, "src="),
        }
        if self.found.len() == before {
            self.fine.add(source, SOURCE);
        }
    }

    fn acl_destination(&mut self, rule: &AclRule<'_>, destination: &Destination<'_>) {
        let ports = match &destination.ports {
            Ok(ports) => ports,
            Err(error) => {
                let text = quoted(destination.text());
                let text = joined(&["dst=", &text, ": ", &error.to_string()]);
                let origin = match error {
                    PortError::Range(_, RangeFault::First) => Origin::Recorded,
                    _ => Origin::Documented,
                };
                let message = Message { text, origin };
                let hint = hints::destination(destination.text(), error);
                return self.refuse_hinted(error.code(), destination.span(), message, hint);
            }
        };
        let before = self.found.len();
        self.destination(&destination.host);
        if let Some(found) = self.found.get_mut(before)
            && let Some(hint) = hints::add_ports(destination.text())
        {
            found.hint = Some(hint);
        }
        let Some(protocol) = &rule.protocol else {
            return;
        };
        let portless = protocol.protocol.as_ref().is_ok_and(|p| !p.has_ports());
        if portless && !ports.is_all() {
            self.portless(protocol.word.name(), destination.span());
        }
    }

    /// Notes ports for a protocol that has none.
    pub(super) fn portless(&mut self, protocol: &str, span: Span) {
        let message = documented(&[
            "protocol does not support specific ports: ",
            &quoted(protocol),
            ", only \"*\" is allowed",
        ]);
        let hint = Hint::marked("write `*` for its ports");
        self.refuse_hinted("invalid_port", span, message, Some(hint));
    }

    /// A destination of an acl or grant, without its ports.
    pub(super) fn destination(&mut self, to: &Selector<'_>) {
        if self.fine.get(to) & DESTINATION != 0 {
            return;
        }
        let before = self.found.len();
        match to.kind {
            Kind::Autogroup(Autogroup::DangerAll) => {
                let message = recorded(&["cannot use autogroup:danger-all as a dst"]);
                self.refuse("invalid_destination", to.span, message);
            }
            Kind::Autogroup(Autogroup::Shared | Autogroup::NonRoot) => {
                let name = quoted(to.name());
                let message = ours(&[&name, " not valid on the dst side of a rule"]);
                self.refuse("invalid_destination", to.span, message);
            }
            Kind::Group | Kind::Domain => self.need_defined(to, to.span, ""),
            _ if self.is_defined(to) => {}
            _ => {
                let words = joined(&["dst=", &quoted(to.name()), ": "]);
                self.need_defined(to, to.span, &words);
            }
        }
        if self.found.len() == before {
            self.fine.add(to, DESTINATION);
        }
    }

    /// `autogroup:self` needs sources that are users; an acl may also write `*`, a grant may not.
    pub(super) fn own_sources(
        &mut self,
        sources: &[Selector<'_>],
        own: &Selector<'_>,
        star_allowed: bool,
    ) {
        let fits = |source: &Selector<'_>| match source.kind {
            Kind::Any => star_allowed,
            Kind::User | Kind::Group | Kind::Domain => true,
            Kind::Autogroup(autogroup) => {
                !matches!(autogroup, Autogroup::Tagged | Autogroup::DangerAll)
            }
            _ => false,
        };
        if let Some(source) = sources.iter().find(|source| !fits(source)) {
            let hint = Hint::write(&["", source.name(), " is no user; split the rule in two"]);
            let message = recorded(&[SELF_SOURCES]);
            self.refuse_hinted("invalid_self", own.span, message, Some(hint));
        }
    }
}
