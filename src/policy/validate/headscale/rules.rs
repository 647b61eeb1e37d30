//! The stage that judges what the text alone tells: acls, grants, attributes, owners, approvers, in Headscale's order.
//! Must not live here: ssh rules (`ssh`), the shape of tests (`tests`).

use super::Stage;
use super::names::Position;
use crate::cidr::Prefix;
use crate::hujson::Span;
use crate::policy::findings::words::shown;
use crate::policy::language::document::{AclRule, Capability, Grant, NodeAttr};
use crate::policy::language::headscale::ports::protocol;
use crate::policy::language::known::CAPABILITIES_OF_HEADSCALE;
use crate::policy::language::ports::PortRange;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::find::contains;

/// A prefix without the bits of a host.
#[inline(never)]
pub(super) fn prefix_of(text: &str) -> Option<Prefix> {
    Prefix::parse(text).ok().map(Prefix::masked)
}

impl Stage<'_> {
    pub fn validate(&mut self) {
        let policy = self.policy;
        for rule in policy.acl_rules() {
            self.acl(rule);
        }
        for rule in &policy.ssh {
            self.ssh_rule(rule);
        }
        for grant in policy.grant_rules() {
            self.grant(grant);
        }
        for entry in &policy.node_attrs {
            self.node_attr(entry);
        }
        self.tag_owners();
        for (_, approvers) in &policy.auto_approvers.routes {
            self.selectors(approvers, Position::Party);
        }
        self.selectors(&policy.auto_approvers.exit_node, Position::Party);
        self.tests();
        self.ssh_tests();
    }

    fn acl(&mut self, rule: &AclRule<'_>) {
        self.selectors(&rule.sources, Position::Source);
        for to in &rule.destinations {
            self.selector(&to.host, Position::Destination);
        }
        self.acl_ports(rule);
        let mut ends = rule.destinations.iter().map(|to| &to.host);
        self.own(&rule.sources, &mut ends, true);
    }

    /// Notes ports of a protocol that has none: once for each rule.
    fn acl_ports(&mut self, rule: &AclRule<'_>) {
        let Some(named) = &rule.protocol else {
            return;
        };
        let Ok((number, name)) = protocol(named.word.text) else {
            return;
        };
        let has_ports = number.has_ports();
        let some = rule.destinations.iter().any(|to| {
            let ports = to.ports.as_ref();
            ports.is_ok_and(|ports| ports.ranges().iter().any(|range| *range != PortRange::ALL))
        });
        if some && !has_ports {
            let words = "protocol does not support specific ports: %q, only \"*\" is allowed";
            self.say("invalid_port", named.word.span, words, &[&name]);
        }
    }

    /// Notes sources whose devices have no user, where the destination is the devices of the same user.
    #[inline(never)]
    fn own<'s>(
        &mut self,
        sources: &[Selector<'_>],
        ends: &mut dyn Iterator<Item = &'s Selector<'s>>,
        takes_any: bool,
    ) {
        let is_user = |source: &Selector<'_>| match source.kind {
            Kind::User | Kind::Group | Kind::Autogroup(Autogroup::Member) => true,
            Kind::Any => takes_any,
            _ => false,
        };
        let own = Kind::Autogroup(Autogroup::Own);
        for end in ends {
            if end.kind == own && !sources.iter().all(is_user) {
                let words =
                    "autogroup:self can only be used with users, groups, or supported autogroups";
                return self.say("invalid_source", end.span, words, &[]);
            }
        }
    }

    fn grant(&mut self, grant: &Grant<'_>) {
        if grant.ip.is_empty() && grant.app.is_empty() {
            let words = "ip and app can not both be empty";
            self.say("empty_grant", grant.span, words, &[]);
        }
        for capability in &grant.app {
            self.capability(capability);
        }
        self.grant_ends(grant);
        self.selectors(&grant.sources, Position::Source);
        self.selectors(&grant.destinations, Position::GrantDestination);
        for tag in &grant.via {
            self.tag(tag.text(), tag.span, "tag %q not found");
        }
        self.own(&grant.sources, &mut grant.destinations.iter(), false);
    }

    fn grant_ends(&mut self, grant: &Grant<'_>) {
        let internet = Kind::Autogroup(Autogroup::Internet);
        let mut ends = grant.destinations.iter();
        let public = ends.clone().find(|to| to.kind == internet);
        if let Some(public) = public.filter(|_| !grant.app.is_empty()) {
            let words = "cannot use app grants with autogroup:internet";
            self.say("invalid_destination", public.span, words, &[]);
        }
        let all = ends.find_map(|to| {
            let prefix = prefix_of(to.name()).filter(|_| to.kind == Kind::Prefix)?;
            (prefix.length() == 0).then(|| (shown(&prefix), to.span))
        });
        if let Some((prefix, span)) = all {
            let words = "dst %q: to allow all IP addresses, use \"*\" or \"autogroup:internet\"";
            self.say("invalid_destination", span, words, &[&prefix]);
        }
    }

    fn capability(&mut self, capability: &Capability<'_>) {
        let name = capability.name.text;
        let is_reserved = name.starts_with("tailscale.com/");
        let fault = match is_reserved && !CAPABILITIES_OF_HEADSCALE.contains(&name) {
            _ if contains(name, "://") => "capability name must have the form {domain}/{path}",
            true => "capability name must not be in the tailscale.com domain",
            false => return,
        };
        self.say("invalid_capability", capability.name.span, fault, &[]);
    }

    fn node_attr(&mut self, entry: &NodeAttr<'_>) {
        self.selectors(&entry.targets, Position::Target);
        for word in entry.attributes.iter().filter(|word| word.text == "funnel") {
            let words = "nodeAttrs uses a feature headscale does not yet support: \"funnel\" tracked in \
                         https://github.com/juanfont/headscale/issues/2527";
            self.say("invalid_capability", word.span, words, &[]);
        }
        if !entry.ip_pools.is_empty() {
            let words = "nodeAttrs ipPool requires the IP allocator (https://github.com/juanfont/headscale/issues/2912)";
            self.say("invalid_pool", entry.span, words, &[]);
        }
        for pool in &entry.ip_pools {
            if let Some(prefix) = prefix_of(pool.text) {
                self.pool(prefix, pool.span);
            }
        }
    }

    fn pool(&mut self, pool: Prefix, span: Span) {
        const WHOLE: &str = "100.64.0.0/10";
        const RESERVED: [&str; 2] = ["100.100.100.0/24", "100.115.92.0/23"];
        let own = shown(&pool);
        if !prefix_of(WHOLE).is_some_and(|whole| whole.covers(pool)) {
            let words = "nodeAttrs ipPool must be within 100.64.0.0/10: %q";
            return self.say("invalid_pool", span, words, &[&own]);
        }
        for reserved in RESERVED {
            if prefix_of(reserved).is_some_and(|reserved| reserved.overlaps(pool)) {
                let words =
                    "nodeAttrs ipPool must not overlap reserved Tailscale ranges: %q overlaps %q";
                self.say("invalid_pool", span, words, &[&own, reserved]);
            }
        }
    }

    fn tag_owners(&mut self) {
        let policy = self.policy;
        for (_, owners) in policy.tag_owners.iter() {
            self.selectors(owners, Position::Party);
        }
        for (tag, owners) in policy.tag_owners.iter() {
            let mut tags = owners.iter().filter(|owner| owner.kind == Kind::Tag);
            let undefined = tags.find(|owner| !policy.tag_owners.contains(owner.text()));
            if let Some(owner) = undefined {
                let names = [tag.text, owner.text()];
                let words = "tag %q references undefined tag %q";
                return self.say("unknown_tag", owner.span, words, &names);
            }
        }
    }
}
