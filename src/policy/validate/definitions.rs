//! Hosts, groups, tag owners, ipsets, postures: what names stand for.
//! Must not live here: where the names are used.

use super::super::document::{IpSetOperation, Policy, Word};
use super::super::hint::quoted;
use super::super::issue::Finding;
use super::super::posture::Condition;
use super::super::selector::{Autogroup, Kind, Selector};
use super::Checker;
use crate::order;

impl Checker<'_> {
    pub(super) fn definitions(&mut self) {
        let policy = self.policy;
        for (alias, address) in policy.hosts.iter() {
            self.host(alias, address);
        }
        // Of several faulty groups the service names the one that is last in the alphabet, hence the order.
        for (name, members) in descending(policy.groups.iter()) {
            self.group(name, members);
        }
        for (name, owners) in descending(policy.tag_owners.iter()) {
            self.tag(name, owners);
        }
        for (name, operations) in policy.ipsets.iter() {
            self.ipset(name, operations);
        }
        for (name, conditions) in policy.postures.iter() {
            self.posture(name, conditions);
        }
        self.posture_names(&policy.default_src_posture);
        self.member_spelling();
    }

    fn host(&mut self, alias: &Word<'_>, address: &Selector<'_>) {
        if alias.text.contains('@') {
            let name = quoted(&alias.text);
            let message =
                format!("host names cannot include an @, please change the name for {name}");
            self.refuse("invalid_host", alias.span, message);
        }
        if address.range().is_none() {
            let (name, value) = (quoted(&alias.text), quoted(address.name()));
            let message = format!("hosts[{name}]: {value}: invalid address");
            let hint = "write an address or a prefix, such as 100.64.0.1 or 10.0.0.0/8".to_owned();
            let finding = Finding::error("invalid_address", address.span, message);
            self.found.push(finding.hint(hint));
        }
    }

    fn group(&mut self, name: &Word<'_>, members: &[Selector<'_>]) {
        let key = quoted(&name.text);
        if !name.text.starts_with("group:") {
            let message = format!("groups[{key}]: group names must start with 'group:'");
            let finding = Finding::error("invalid_group", name.span, message);
            let hint = format!("did you mean `group:{}`?", name.text);
            self.found.push(finding.hint(hint));
        }
        for member in members {
            let inner = quoted(member.name());
            let message = match member.kind {
                Kind::User | Kind::Host => continue,
                Kind::Group => format!("groups[{key}]: {inner}: group members cannot be recursive"),
                _ => format!("groups[{key}]: {inner}: group members must be users"),
            };
            self.refuse("invalid_member", member.span, message);
        }
    }

    fn tag(&mut self, name: &Word<'_>, owners: &[Selector<'_>]) {
        if let Err(reason) = check_tag(&name.text) {
            let message = format!("tagOwners[{}]: {reason}", quoted(&name.text));
            self.refuse("invalid_tag", name.span, message);
        }
        for owner in owners {
            self.approver(owner, "owner");
        }
    }

    /// An owner of a tag, or whoever may approve a route: users, groups, autogroups, domains, tags.
    pub(super) fn approver(&mut self, who: &Selector<'_>, what: &str) {
        let identity = match who.kind {
            Kind::User | Kind::Group | Kind::Tag | Kind::Domain => true,
            Kind::Autogroup(autogroup) => !matches!(
                autogroup,
                Autogroup::Own | Autogroup::Internet | Autogroup::DangerAll | Autogroup::NonRoot
            ),
            _ => false,
        };
        if !identity {
            let message = format!("invalid {what} {}", quoted(who.name()));
            return self.refuse("invalid_owner", who.span, message);
        }
        if let Some(undefined) = self.undefined(who) {
            self.found.push(undefined.at(who.span, ""));
        }
    }

    fn ipset(&mut self, name: &Word<'_>, operations: &[IpSetOperation<'_>]) {
        if !name.text.starts_with("ipset:") {
            let key = quoted(&name.text);
            let message = format!("ipsets[{key}]: ipset names must start with 'ipset:'");
            self.refuse("invalid_ipset", name.span, message);
        }
        for operation in operations {
            let operand = &operation.operand;
            let allowed = operand.kind.is_numeric()
                || matches!(
                    operand.kind,
                    Kind::Host | Kind::IpSet | Kind::Autogroup(Autogroup::Internet)
                );
            if !allowed {
                let (key, value) = (quoted(&name.text), quoted(operand.name()));
                let message = format!("ipsets[{key}]: {value}: not an address, host or ipset");
                self.refuse("invalid_ipset", operation.word.span, message);
            } else if let Some(undefined) = self.undefined(operand) {
                let before = format!("ipsets[{}]: ", quoted(&name.text));
                self.found.push(undefined.at(operation.word.span, before));
            }
        }
        if is_cyclic(self.policy, &name.text) {
            let message = format!("ipsets[{}]: ipsets cannot be recursive", quoted(&name.text));
            self.refuse("invalid_ipset", name.span, message);
        }
    }

    fn posture(&mut self, name: &Word<'_>, conditions: &[Word<'_>]) {
        if !name.text.starts_with("posture:") {
            let key = quoted(&name.text);
            let message = format!("postures[{key}]: posture names must start with 'posture:'");
            self.refuse("invalid_posture", name.span, message);
        }
        for condition in conditions {
            if Condition::parse(condition.name()).is_none() {
                let (key, value) = (quoted(&name.text), quoted(condition.name()));
                let message = format!("postures[{key}]: invalid condition {value}");
                let finding = Finding::error("invalid_posture", condition.span, message);
                let hint = "write `ATTRIBUTE OPERATOR VALUE`, such as `node:os == 'linux'`";
                self.found.push(finding.hint(hint.to_owned()));
            }
        }
    }

    /// `autogroup:member` and `autogroup:members` mean the same and may not both appear in one file.
    fn member_spelling(&mut self) {
        if let [Some(_), Some(old)] = self.policy.member_names {
            let message = "autogroup:member and autogroup:members cannot both be used";
            let finding = Finding::error("mixed_spelling", old, message);
            let hint = "write `autogroup:member` everywhere".to_owned();
            self.found.push(finding.hint(hint));
        }
    }
}

/// Entries of a table, the alphabetically last first.
fn descending<'a, 't: 'a, T: 'a>(
    entries: impl Iterator<Item = (&'a Word<'t>, &'a T)>,
) -> Vec<(&'a Word<'t>, &'a T)> {
    let mut entries: Vec<_> = entries.collect();
    order::sort_by(&mut entries, |(a, _), (b, _)| b.text.cmp(&a.text));
    entries
}

/// What the service asks of the name of a tag.
fn check_tag(tag: &str) -> Result<(), &'static str> {
    let Some(name) = tag.strip_prefix("tag:") else {
        return Err("tags must start with 'tag:'");
    };
    let Some(first) = name.bytes().next() else {
        return Err("tag names must not be empty");
    };
    if !first.is_ascii_alphabetic() {
        return Err("tag names must start with a letter, after 'tag:'");
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match name.bytes().all(plain) {
        true => Ok(()),
        false => Err("tag names can only contain numbers, letters, or dashes"),
    }
}

/// Whether an ipset leads back to itself.
fn is_cyclic(policy: &Policy<'_>, start: &str) -> bool {
    let mut open = vec![start];
    let mut seen = std::collections::HashSet::new();
    while let Some(name) = open.pop() {
        for operation in policy.ipsets.get(name).into_iter().flatten() {
            let operand = &operation.operand;
            if operand.kind != Kind::IpSet {
                continue;
            }
            if operand.name() == start {
                return true;
            }
            if seen.insert(operand.name()) {
                open.push(operand.name());
            }
        }
    }
    false
}
