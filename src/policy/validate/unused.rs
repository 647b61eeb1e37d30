//! Definitions that nothing uses.
//! Must not live here: names that no device has today (`today`), names that are not defined.

use crate::hujson::Value;

use super::adviser::Adviser;
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::{Capability, Policy, Table, Word};
use crate::policy::language::selector::{Autogroup, Kind, Memo, Selector};
use crate::policy::tailnet::context::PolicyContext;
use crate::policy::tailnet::membership::{is_group, is_synced};
use crate::tables::index::Index;

/// The names that a document uses.
struct Used<'p> {
    policy: &'p Policy<'p>,
    context: &'p PolicyContext,
    names: Index<'p>,
    seen: Memo,
    /// Whether a name is used that is not defined: it may be a misspelt one of those that seem unused.
    has_unknown: bool,
    /// Whether all tags are used together.
    has_tagged: bool,
}

impl<'p> Used<'p> {
    #[inline(never)]
    fn of(policy: &'p Policy<'p>, context: &'p PolicyContext) -> Used<'p> {
        let mut used = Used {
            policy,
            context,
            names: Index::default(),
            seen: Memo::default(),
            has_unknown: false,
            has_tagged: false,
        };
        policy.each_list(&mut |list| used.take_all(list));
        for grant in policy.grant_rules() {
            used.take_all(&grant.via);
            used.words(grant.postures.as_deref());
            used.capabilities(&grant.app);
        }
        for rule in policy.acl_rules() {
            used.words(rule.postures.as_deref());
        }
        for rule in &policy.ssh {
            used.take_all(&rule.recorders);
            used.words(rule.postures.as_deref());
        }
        used.words(Some(&policy.default_src_posture));
        for entry in &policy.node_attrs {
            used.capabilities(&entry.app);
        }
        for (_, operations) in policy.ipsets.iter() {
            for operation in operations {
                used.take(&operation.operand);
            }
        }
        for (service, _) in &policy.auto_approvers.services {
            used.names.set(service.name().into(), 0);
        }
        used.tests();
        // A tag takes a device from its user, though no rule names it.
        for device in context.devices.iter().flatten() {
            for tag in device.tags() {
                used.names.set(tag.trim().into(), 0);
            }
        }
        used
    }

    /// A name of which only a test speaks is used: a test may say that nobody reaches it.
    fn tests(&mut self) {
        let policy = self.policy;
        for test in &policy.tests {
            self.take_all(test.source.as_slice());
            for to in test.accept.iter().chain(&test.deny) {
                self.take(&to.host);
            }
        }
        for test in &policy.ssh_tests {
            self.take_all(test.source.as_slice());
            self.take_all(&test.destinations);
        }
    }

    fn take_all(&mut self, selectors: &'p [Selector<'p>]) {
        for selector in selectors {
            self.take(selector);
        }
    }

    #[inline(always)]
    fn take(&mut self, selector: &'p Selector<'p>) {
        if self.seen.get(selector) == 0 {
            self.seen.add(selector, 1);
            self.note(selector);
        }
    }

    #[inline(never)]
    fn note(&mut self, selector: &'p Selector<'p>) {
        let (policy, name) = (self.policy, selector.name());
        let is_defined = match selector.kind {
            Kind::Group => is_synced(name) || is_group(policy, self.context, name),
            Kind::Tag => policy.tag_owners.contains(name),
            Kind::Host => policy.hosts.contains(name),
            Kind::IpSet => policy.ipsets.contains(name),
            Kind::Autogroup(Autogroup::Tagged) => {
                self.has_tagged = true;
                return;
            }
            kind => {
                self.has_unknown |= kind == Kind::Autogroup(Autogroup::Unknown);
                return;
            }
        };
        self.has_unknown |= !is_defined;
        self.names.set(name.into(), 0);
    }

    fn words(&mut self, words: Option<&'p [Word<'p>]>) {
        for word in words.unwrap_or_default() {
            self.has_unknown |= !self.policy.postures.contains(word.name());
            self.names.set(word.name().into(), 0);
        }
    }

    /// What an application gets may name tags and groups too.
    fn capabilities(&mut self, capabilities: &[Capability<'p>]) {
        for capability in capabilities {
            self.texts(capability.values);
        }
    }

    fn texts(&mut self, value: Value<'p>) {
        if let Some(text) = value.as_str() {
            self.names.set(text.into(), 0);
        }
        for member in value.members() {
            self.texts(member.value);
        }
        for element in value.elements() {
            self.texts(element);
        }
    }

    /// Whether something uses a name.
    fn has(&self, name: &str) -> bool {
        self.names.find(name).is_some()
    }
}

impl<'p> Adviser<'p> {
    /// Names that nothing uses. Nothing is said of a document without rules, which is not finished; nor where a name was
    /// misspelt, or a rule could not be read.
    #[inline(never)]
    pub(super) fn unused(&mut self) {
        let (policy, used) = (self.policy, Used::of(self.policy, self.context));
        let has_rules = !policy.acl_rules().is_empty()
            || !policy.grant_rules().is_empty()
            || !policy.ssh.is_empty();
        if !has_rules || !self.faults.is_empty() || used.has_unknown {
            return;
        }
        self.unused_in(&policy.groups, "group:", &used);
        self.unused_in(&policy.hosts, "", &used);
        self.unused_in(&policy.ipsets, "ipset:", &used);
        self.unused_in(&policy.postures, "posture:", &used);
        if !used.has_tagged {
            self.unused_in(&policy.tag_owners, "tag:", &used);
        }
    }

    fn unused_in<T>(&mut self, table: &'p Table<'p, T>, prefix: &str, used: &Used<'p>) {
        for (name, _) in table.iter() {
            let text = name.name();
            // A name that is not valid, or that reads as something else, has a finding of its own.
            let is_valid = match prefix {
                "" => Kind::of(text) == Kind::Host,
                _ => text.starts_with(prefix),
            };
            if is_valid && !used.has(text) {
                let message = joined(&["nothing uses ", &quoted(text)]);
                let hint = Hint::remove(&["remove it, or name it in a rule"]);
                self.warn("unused_name", name.span, message, Some(hint));
            }
        }
    }
}
