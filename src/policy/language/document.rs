//! The typed policy: both grammars, both spellings, one form. Every item keeps its position in the text.
//! Must not live here: how it is read, whether it is valid, what it lets through.

use crate::hujson::{Document, Span, Value};

use super::dialect::Dialect;
use super::ports::{PortError, PortSpec, Protocol, ProtocolError};
use super::selector::{Destination, Selector, trimmed};
use crate::policy::findings::finding::Finding;
use crate::tables::index::Index;

/// A policy document, borrowed from its text. Lists are in file order.
///
/// A missing `acls` or `grants` is not the same as an empty one (docs/policy-language.md#no-rules-at-all), hence the options.
#[derive(Debug)]
pub struct Policy<'t> {
    /// The text and its tree.
    pub document: &'t Document<'t>,
    /// Whose language it is read in.
    pub dialect: Dialect,
    /// `acls`, also written `ACLs`.
    pub acls: Option<Vec<AclRule<'t>>>,
    /// `grants`.
    pub grants: Option<Vec<Grant<'t>>>,
    /// `ssh`.
    pub ssh: Vec<SshRule<'t>>,
    /// `tests`.
    pub tests: Vec<Test<'t>>,
    /// `sshTests`.
    pub ssh_tests: Vec<SshTest<'t>>,
    /// `groups`: members by `group:name`.
    pub groups: Table<'t, Vec<Selector<'t>>>,
    /// `hosts`: the address or prefix of each alias, itself a selector.
    pub hosts: Table<'t, Selector<'t>>,
    /// `tagOwners`: owners by `tag:name`.
    pub tag_owners: Table<'t, Vec<Selector<'t>>>,
    /// `ipsets`: operations by `ipset:name`.
    pub ipsets: Table<'t, Vec<IpSetOperation<'t>>>,
    /// `postures`: conditions by `posture:name`.
    pub postures: Table<'t, Vec<Word<'t>>>,
    /// `defaultSrcPosture`.
    pub default_src_posture: Vec<Word<'t>>,
    /// `autoApprovers`.
    pub auto_approvers: AutoApprovers<'t>,
    /// `nodeAttrs`.
    pub node_attrs: Vec<NodeAttr<'t>>,
    /// `randomizeClientPort`, where that is an attribute of devices.
    pub randomizes_ports: bool,
    /// What could not be read: unknown and repeated keys, wrong types. In the order of the text.
    pub faults: Vec<Finding>,
    /// Names with an older spelling, each at its first position, and today's spelling.
    pub old_names: Vec<(Span, &'static str)>,
    /// The first positions of `autogroup:member` and of its older name `autogroup:members`.
    pub member_names: [Option<Span>; 2],
}

/// A string of the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<'t> {
    /// What it says, including blanks around it.
    pub text: &'t str,
    /// The string in the document, quotes included.
    pub span: Span,
}

impl<'t> Word<'t> {
    /// The text without blanks around it.
    pub fn name(&self) -> &'t str {
        trimmed(self.text)
    }
}

/// A section of named entries, in file order and by name.
#[derive(Clone, Debug)]
pub struct Table<'t, T> {
    entries: Vec<(Word<'t>, T)>,
    by_name: Index<'t>,
}

impl<T> Default for Table<'_, T> {
    fn default() -> Self {
        Table {
            entries: Vec::new(),
            by_name: Index::default(),
        }
    }
}

impl<'t, T> Table<'t, T> {
    /// Adds an entry; of repeated names the last counts. Returns whether the name is new.
    pub(crate) fn insert(&mut self, name: Word<'t>, value: T) -> bool {
        let at = self.entries.len();
        self.entries.push((name, value));
        self.by_name.set(name.text.into(), at)
    }

    /// The entry of this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        let at = self.by_name.find(name)?;
        self.entries.get(at).map(|(_, value)| value)
    }

    /// The index of the entry of this name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.by_name.find(name)
    }

    /// Whether the name is defined.
    pub fn contains(&self, name: &str) -> bool {
        self.by_name.find(name).is_some()
    }

    /// Names and values in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&Word<'t>, &T)> {
        self.entries.iter().map(|(name, value)| (name, value))
    }

    /// The name of the entry at an index, without blanks around it.
    pub(crate) fn name(&self, at: usize) -> Option<&str> {
        self.entries.get(at).map(|(name, _)| name.name())
    }

    /// The names in file order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.text)
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Which of the two grammars a rule or test is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spelling {
    /// `src`, `dst`; in tests `src`, `accept`.
    #[default]
    Modern,
    /// `users`, `ports`; in tests `user`, `allow`.
    Old,
    /// A mixture of both.
    Mixed,
}

/// One rule of `acls`.
#[derive(Clone, Debug, Default)]
pub struct AclRule<'t> {
    /// The whole rule; its line is that of the `{`.
    pub span: Span,
    /// Which pair of keys it uses.
    pub spelling: Spelling,
    /// Must be `accept`.
    pub action: Option<Word<'t>>,
    /// `src` or `users`.
    pub sources: Vec<Selector<'t>>,
    /// `dst` or `ports`.
    pub destinations: Vec<Destination<'t>>,
    /// `proto`, if there is one.
    pub protocol: Option<AclProtocol<'t>>,
    /// `srcPosture`; `None` if absent, so that the default applies.
    pub postures: Option<Vec<Word<'t>>>,
}

impl AclRule<'_> {
    /// Whether its action is `accept`, the only valid one.
    pub(crate) fn accepts(&self) -> bool {
        self.action
            .as_ref()
            .is_some_and(|word| word.text == "accept")
    }

    /// The protocol it lets through; `None` if it names none. A rule that the service refuses for its action or
    /// protocol lets nothing through: an error.
    pub(crate) fn named_protocol(&self) -> Result<Option<Protocol>, ()> {
        if !self.accepts() {
            return Err(());
        }
        match &self.protocol {
            None => Ok(None),
            Some(named) => match named.protocol {
                Ok(protocol) => Ok(Some(protocol)),
                Err(_) => Err(()),
            },
        }
    }
}

/// The `proto` of a rule or test.
#[derive(Clone, Debug)]
pub struct AclProtocol<'t> {
    /// As written.
    pub word: Word<'t>,
    /// What it means.
    pub protocol: Result<Protocol, ProtocolError>,
}

/// One entry of `grants`.
#[derive(Clone, Debug, Default)]
pub struct Grant<'t> {
    /// The whole grant.
    pub span: Span,
    /// `src`.
    pub sources: Vec<Selector<'t>>,
    /// `dst`.
    pub destinations: Vec<Selector<'t>>,
    /// `ip`: every entry applies to every destination.
    pub ip: Vec<IpEntry<'t>>,
    /// `app`.
    pub app: Vec<Capability<'t>>,
    /// `via`: only devices with one of these tags forward the traffic.
    pub via: Vec<Selector<'t>>,
    /// `srcPosture`; `None` if absent, so that the default applies.
    pub postures: Option<Vec<Word<'t>>>,
}

/// One string of a grant's `ip`.
#[derive(Clone, Debug)]
pub struct IpEntry<'t> {
    /// As written.
    pub word: Word<'t>,
    /// What it means.
    pub spec: Result<PortSpec, PortError>,
}

/// One member of `app`: a capability and the values granted, whose contents only the application knows.
#[derive(Clone, Debug)]
pub struct Capability<'t> {
    /// `domain/path`.
    pub name: Word<'t>,
    /// The list of values.
    pub values: Value<'t>,
}

/// One rule of `ssh`.
#[derive(Clone, Debug, Default)]
pub struct SshRule<'t> {
    /// The whole rule.
    pub span: Span,
    /// `accept` or `check`.
    pub action: Option<Word<'t>>,
    /// `src`.
    pub sources: Vec<Selector<'t>>,
    /// `dst`.
    pub destinations: Vec<Selector<'t>>,
    /// `users`: the accounts to log in as.
    pub users: Vec<Word<'t>>,
    /// `checkPeriod`.
    pub check_period: Option<Word<'t>>,
    /// `acceptEnv`.
    pub accept_env: Vec<Word<'t>>,
    /// `srcPosture`; `None` if absent, so that the default applies.
    pub postures: Option<Vec<Word<'t>>>,
    /// `recorder`: where sessions are recorded.
    pub recorders: Vec<Selector<'t>>,
    /// `enforceRecorder`: whether a session ends when it cannot be recorded.
    pub enforces_recorder: bool,
}

/// One entry of `tests`.
#[derive(Clone, Debug, Default)]
pub struct Test<'t> {
    /// The whole entry.
    pub span: Span,
    /// Which pair of keys it uses.
    pub spelling: Spelling,
    /// `src` or `user`.
    pub source: Option<Selector<'t>>,
    /// `accept` or `allow`.
    pub accept: Vec<Destination<'t>>,
    /// `deny`.
    pub deny: Vec<Destination<'t>>,
    /// `proto`, if there is one.
    pub protocol: Option<AclProtocol<'t>>,
    /// `srcPostureAttrs`: the assumed attributes of the source device.
    pub posture_attributes: Option<Value<'t>>,
}

/// One entry of `sshTests`.
#[derive(Clone, Debug, Default)]
pub struct SshTest<'t> {
    /// The whole entry.
    pub span: Span,
    /// `src`.
    pub source: Option<Selector<'t>>,
    /// `dst`.
    pub destinations: Vec<Selector<'t>>,
    /// `accept`: accounts that must be allowed.
    pub accept: Vec<Word<'t>>,
    /// `check`: accounts that must be allowed after a check.
    pub check: Vec<Word<'t>>,
    /// `deny`: accounts that must not be allowed.
    pub deny: Vec<Word<'t>>,
    /// `srcPostureAttrs`: the assumed attributes of the source device.
    pub posture_attributes: Option<Value<'t>>,
}

/// One operation of an ipset; they apply in order.
#[derive(Clone, Debug)]
pub struct IpSetOperation<'t> {
    /// Whether the operand is removed; the word `add` may be left out.
    pub removes: bool,
    /// The operand, without the `host:` before an alias.
    pub operand: Selector<'t>,
    /// The whole operation as written.
    pub word: Word<'t>,
}

/// Who may enable which routes without approval.
#[derive(Clone, Debug, Default)]
pub struct AutoApprovers<'t> {
    /// `routes`: approvers by prefix.
    pub routes: Vec<(Word<'t>, Vec<Selector<'t>>)>,
    /// `exitNode`.
    pub exit_node: Vec<Selector<'t>>,
    /// `services`: approvers by `svc:name`.
    pub services: Vec<(Word<'t>, Vec<Selector<'t>>)>,
}

/// One entry of `nodeAttrs`.
#[derive(Clone, Debug, Default)]
pub struct NodeAttr<'t> {
    /// The whole entry.
    pub span: Span,
    /// `target`.
    pub targets: Vec<Selector<'t>>,
    /// `attr`.
    pub attributes: Vec<Word<'t>>,
    /// `app`.
    pub app: Vec<Capability<'t>>,
    /// `ipPool`.
    pub ip_pools: Vec<Word<'t>>,
}

impl<'t> Policy<'t> {
    /// One without any section.
    pub(super) fn empty(document: &'t Document<'t>, dialect: Dialect) -> Policy<'t> {
        Policy {
            document,
            dialect,
            acls: None,
            grants: None,
            ssh: Vec::new(),
            tests: Vec::new(),
            ssh_tests: Vec::new(),
            groups: Table::default(),
            hosts: Table::default(),
            tag_owners: Table::default(),
            ipsets: Table::default(),
            postures: Table::default(),
            default_src_posture: Vec::new(),
            auto_approvers: AutoApprovers::default(),
            node_attrs: Vec::new(),
            randomizes_ports: false,
            faults: Vec::new(),
            old_names: Vec::new(),
            member_names: [None; 2],
        }
    }

    /// Whether everything is allowed because the document has neither `acls` nor `grants` (docs/policy-language.md#no-rules-at-all).
    pub fn allows_all(&self) -> bool {
        self.acls.is_none() && self.grants.is_none()
    }

    /// The rules of `acls`; empty if the key is absent.
    pub fn acl_rules(&self) -> &[AclRule<'t>] {
        self.acls.as_deref().unwrap_or_default()
    }

    /// The entries of `grants`; empty if the key is absent.
    pub fn grant_rules(&self) -> &[Grant<'t>] {
        self.grants.as_deref().unwrap_or_default()
    }

    /// The groups that name this login as a member.
    pub fn groups_of(&self, login: &str) -> impl Iterator<Item = &str> {
        let member = move |members: &[Selector<'t>]| members.iter().any(|m| m.name() == login);
        self.groups
            .iter()
            .filter(move |(_, members)| member(members))
            .map(|(name, _)| name.text)
    }
}
