//! The entries of `grants`.
//! Must not live here: the `ip` entries, which the decoder already refuses.

use crate::cidr::Range;

use super::Checker;
use crate::policy::findings::hint::{Hint, documented, recorded};
use crate::policy::findings::words::quoted;
use crate::policy::language::document::{Capability, Grant, IpEntry};
use crate::policy::language::known::CAPABILITIES;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::find;

impl Checker<'_> {
    pub(super) fn grants(&mut self) {
        let policy = self.policy;
        for grant in policy.grant_rules() {
            self.grant(grant);
        }
    }

    fn grant(&mut self, grant: &Grant<'_>) {
        let is_empty = grant.ip.is_empty() && grant.app.is_empty();
        if is_empty && !self.faults.are_in(grant.span) {
            let message = recorded(&["ip and app can not both be empty"]);
            let hint = Hint::marked("add `\"ip\": [\"*\"]` for every port");
            self.refuse_hinted("empty_grant", grant.span, message, Some(hint));
        }
        for entry in &grant.ip {
            self.grant_ports(entry);
        }
        for source in &grant.sources {
            self.source(source);
        }
        for to in &grant.destinations {
            self.grant_destination(grant, to);
        }
        let own = |to: &&Selector<'_>| to.kind == Kind::Autogroup(Autogroup::Own);
        if let Some(own) = grant.destinations.iter().find(own) {
            self.own_sources(&grant.sources, own, false);
        }
        for tag in &grant.via {
            self.via(tag);
        }
        for capability in &grant.app {
            self.capability(capability);
        }
        self.posture_names(grant.postures.as_deref().unwrap_or_default());
    }

    /// Only some protocols have ports (docs/policy-language.md#protocols).
    fn grant_ports(&mut self, entry: &IpEntry<'_>) {
        if let Ok(spec) = &entry.spec
            && let Some(protocol) = spec.protocol
            && !protocol.has_ports()
            && !spec.ports.is_all()
        {
            let name = entry.word.name();
            let name = name.rsplit_once(':').map_or(name, |(name, _)| name);
            self.portless(name, entry.word.span);
        }
    }

    fn grant_destination(&mut self, grant: &Grant<'_>, to: &Selector<'_>) {
        if to.range().is_some_and(is_everything) {
            let name = quoted(to.name());
            const WORDS: &str = ": to allow all IP addresses, use \"*\" or \"autogroup:internet\"";
            let message = recorded(&["dst ", &name, WORDS]);
            return self.refuse("invalid_destination", to.span, message);
        }
        let internet = to.kind == Kind::Autogroup(Autogroup::Internet);
        if internet && !grant.app.is_empty() {
            let message = recorded(&["cannot use app grants with autogroup:internet"]);
            return self.refuse("invalid_destination", to.span, message);
        }
        self.destination(to);
    }

    fn via(&mut self, tag: &Selector<'_>) {
        if tag.kind != Kind::Tag {
            let message = documented(&["via can only be a tag"]);
            return self.refuse("invalid_via", tag.span, message);
        }
        let name = tag.name();
        if !self.policy.tag_owners.contains(name) {
            let message = recorded(&["tag ", &quoted(name), " not found"]);
            let hint = self.tag_hint(name);
            self.refuse_hinted("unknown_tag", tag.span, message, hint);
        }
    }

    fn capability(&mut self, capability: &Capability<'_>) {
        let name = capability.name.name();
        let well_formed = name.split_once('/').is_some_and(|(domain, path)| {
            !domain.is_empty() && !domain.contains(':') && !path.is_empty()
        });
        let span = capability.name.span;
        if !well_formed {
            let message = recorded(&["capability name must have the form {domain}/{path}"]);
            let hint = find::split_once(name, "://");
            let hint = hint.map(|(_, rest)| Hint::write(&["leave the scheme out: ", rest]));
            return self.refuse_hinted("invalid_capability", span, message, hint);
        }
        if name.starts_with("tailscale.com/") && !CAPABILITIES.contains(&name) {
            let message = recorded(&["capability name must not be in the tailscale.com domain"]);
            let hint = "grant one of its documented names; the service may know this one by now";
            self.refuse_hinted(
                "invalid_capability",
                span,
                message,
                Some(Hint::marked(hint)),
            );
        }
    }
}

/// Whether a range is `0.0.0.0/0` or `::/0`.
fn is_everything(range: Range) -> bool {
    range.as_prefix().is_some_and(|prefix| prefix.length() == 0)
}
