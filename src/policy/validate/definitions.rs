//! Hosts, groups, tag owners, ipsets, postures: what names mean.
//! Must not live here: where the names are used.

use super::{Checker, cycles, hints};
use crate::policy::findings::hint::{Hint, documented, ours, recorded};
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::document::{IpSetOperation, Policy, Table, Word};
use crate::policy::language::posture::Condition;
use crate::policy::language::selector::{Autogroup, Kind, Selector};
use crate::tables::index::Index;
use crate::tables::sort;

impl Checker<'_> {
    pub(super) fn definitions(&mut self) {
        let policy = self.policy;
        for (alias, address) in policy.hosts.iter() {
            self.host(alias, address);
        }
        // Of several faulty groups the service names the one that is last in the alphabet, hence the order.
        for (name, members) in descending(&policy.groups) {
            self.group(name, members);
        }
        for (name, owners) in descending(&policy.tag_owners) {
            self.tag(name, owners);
        }
        let cyclic = cyclic_ipsets(policy);
        for (at, (name, operations)) in policy.ipsets.iter().enumerate() {
            self.ipset(name, operations, cyclic.get(at) == Some(&true));
        }
        for (name, conditions) in policy.postures.iter() {
            self.posture(name, conditions);
        }
        self.posture_names(&policy.default_src_posture);
        self.member_spelling();
    }

    fn host(&mut self, alias: &Word<'_>, address: &Selector<'_>) {
        if alias.text.contains('@') {
            let name = quoted(alias.text);
            const WORDS: &str = "host names cannot include an @, please change the name for ";
            let message = documented(&[WORDS, &name]);
            self.refuse("invalid_host", alias.span, message);
        }
        if !matches!(address.kind, Kind::Address | Kind::Prefix) {
            let (name, value) = (quoted(alias.text), quoted(address.name()));
            let message = ours(&["hosts[", &name, "]: ", &value, ": invalid address"]);
            const FORMS: &str = "write an address or a prefix, such as 100.64.0.1 or 10.0.0.0/8";
            let hint = hints::address(address.name()).unwrap_or_else(|| Hint::words(FORMS));
            self.refuse_hinted("invalid_address", address.span, message, Some(hint));
        }
    }

    fn group(&mut self, name: &Word<'_>, members: &[Selector<'_>]) {
        let key = quoted(name.text);
        if !name.text.starts_with("group:") {
            let message = ours(&["groups[", &key, "]: group names must start with 'group:'"]);
            let hint = Hint::meant(&joined(&["group:", name.text]));
            self.refuse_hinted("invalid_group", name.span, message, Some(hint));
        }
        let is_user = |member: &&Selector<'_>| matches!(member.kind, Kind::User | Kind::Host);
        for member in members.iter().filter(|member| !is_user(member)) {
            let start = joined(&["groups[", &key, "]: ", &quoted(member.name())]);
            let message = match member.kind {
                Kind::Group => recorded(&[&start, ": group members cannot be recursive"]),
                _ => ours(&[&start, ": group members must be users"]),
            };
            self.refuse("invalid_member", member.span, message);
        }
    }

    fn tag(&mut self, name: &Word<'_>, owners: &[Selector<'_>]) {
        if let Err(reason) = check_tag(name.text) {
            let words = ["tagOwners[", &quoted(name.text), "]: ", reason];
            let message = match reason {
                FIRST_LETTER => recorded(&words),
                _ => documented(&words),
            };
            let meant = joined(&["tag:", name.text]);
            let hint = check_tag(&meant)
                .is_ok()
                .then(|| Hint::write(&["write ", &meant]));
            self.refuse_hinted("invalid_tag", name.span, message, hint);
        }
        for owner in owners {
            self.approver(owner, "owner");
        }
    }

    /// An owner of a tag, or an approver of a route: users, groups, autogroups, domains, tags.
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
            let message = ours(&["invalid ", what, " ", &quoted(who.name())]);
            let hint = hints::with_prefix(self.policy, who.name());
            return self.refuse_hinted("invalid_owner", who.span, message, hint);
        }
        self.need_defined(who, who.span, "");
    }

    fn ipset(&mut self, name: &Word<'_>, operations: &[IpSetOperation<'_>], is_cyclic: bool) {
        if !name.text.starts_with("ipset:") {
            let key = quoted(name.text);
            let message = ours(&["ipsets[", &key, "]: ipset names must start with 'ipset:'"]);
            let hint = Hint::words("put ipset: before the name");
            self.refuse_hinted("invalid_ipset", name.span, message, Some(hint));
        }
        for operation in operations {
            let operand = &operation.operand;
            let allowed = operand.kind.is_numeric()
                || matches!(
                    operand.kind,
                    Kind::Host | Kind::IpSet | Kind::Autogroup(Autogroup::Internet)
                );
            if !allowed {
                let (key, value) = (quoted(name.text), quoted(operand.name()));
                const WORDS: &str = ": not an address, host or ipset";
                let message = ours(&["ipsets[", &key, "]: ", &value, WORDS]);
                self.refuse("invalid_ipset", operation.word.span, message);
            } else if !self.is_defined(operand) {
                let before = joined(&["ipsets[", &quoted(name.text), "]: "]);
                self.need_defined(operand, operation.word.span, &before);
            }
        }
        if is_cyclic {
            let key = quoted(name.text);
            let message = ours(&["ipsets[", &key, "]: ipsets cannot be recursive"]);
            self.refuse("invalid_ipset", name.span, message);
        }
    }

    fn posture(&mut self, name: &Word<'_>, conditions: &[Word<'_>]) {
        if !name.text.starts_with("posture:") {
            let key = quoted(name.text);
            const WORDS: &str = "]: posture names must start with 'posture:'";
            let message = ours(&["postures[", &key, WORDS]);
            let hint = Hint::write(&["write ", &joined(&["posture:", name.text])]);
            self.refuse_hinted("invalid_posture", name.span, message, Some(hint));
        }
        for condition in conditions {
            if Condition::parse(condition.name()).is_none() {
                let (key, value) = (quoted(name.text), quoted(condition.name()));
                let message = ours(&["postures[", &key, "]: invalid condition ", &value]);
                const FORM: &str = "ATTRIBUTE OPERATOR VALUE";
                let hint = Hint::write(&["write ", FORM, ", such as ", "node:os == 'linux'"]);
                self.refuse_hinted("invalid_posture", condition.span, message, Some(hint));
            }
        }
    }

    /// `autogroup:member` and `autogroup:members` mean the same and may not both appear in one file.
    fn member_spelling(&mut self) {
        if let [Some(_), Some(old)] = self.policy.member_names {
            let message = ours(&["autogroup:member and autogroup:members cannot both be used"]);
            let hint = Hint::marked("write `autogroup:member` everywhere");
            self.refuse_hinted("mixed_spelling", old, message, Some(hint));
        }
    }
}

/// Entries of a table, the last in alphabetical order first.
#[inline(never)]
fn descending<'a, 't>(
    table: &'a Table<'t, Vec<Selector<'t>>>,
) -> Vec<(&'a Word<'t>, &'a Vec<Selector<'t>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    sort::sort_by(&mut entries, |(a, _), (b, _)| b.text.cmp(a.text));
    entries
}

/// What the service says of a name that starts with something else.
const FIRST_LETTER: &str = "tag names must start with a letter, after 'tag:'";

/// The service's rules for the name of a tag.
fn check_tag(tag: &str) -> Result<(), &'static str> {
    let Some(name) = tag.strip_prefix("tag:") else {
        return Err("tags must start with 'tag:'");
    };
    let Some(first) = name.bytes().next() else {
        return Err("tag names must not be empty");
    };
    if !first.is_ascii_alphabetic() {
        return Err(FIRST_LETTER);
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match name.bytes().all(plain) {
        true => Ok(()),
        false => Err("tag names can only contain numbers, letters, or dashes"),
    }
}

/// Which ipsets, by index, lead back to themselves.
fn cyclic_ipsets(policy: &Policy<'_>) -> Vec<bool> {
    let mut places = Index::default();
    for (at, (name, _)) in policy.ipsets.iter().enumerate() {
        places.set(name.text.into(), at);
    }
    let mut edges = Vec::new();
    for (_, operations) in policy.ipsets.iter() {
        let mut to = Vec::new();
        for operation in operations {
            if operation.operand.kind == Kind::IpSet {
                to.extend(places.find(operation.operand.name()));
            }
        }
        edges.push(to);
    }
    cycles::cyclic(&edges)
}
