//! What a string or a member name of a policy is for, and the kinds of names.
//! Must not live here: which key holds what (`grammar`), the parts of a string (`pieces`).

use serde::Serialize;

/// What can be named, defined and renamed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NameKind {
    /// `group:name`.
    Group,
    /// `tag:name`.
    Tag,
    /// An alias of the hosts section.
    Host,
    /// `ipset:name`.
    IpSet,
    /// `posture:name`.
    Posture,
    /// `svc:name`, which is defined outside the policy.
    Service,
}

impl NameKind {
    /// All of them, in the order of their numbers.
    pub const ALL: [NameKind; 6] = [
        NameKind::Group,
        NameKind::Tag,
        NameKind::Host,
        NameKind::IpSet,
        NameKind::Posture,
        NameKind::Service,
    ];

    /// The prefix of its names.
    pub const fn prefix(self) -> &'static str {
        match self {
            NameKind::Group => "group:",
            NameKind::Tag => "tag:",
            NameKind::Host => "",
            NameKind::IpSet => "ipset:",
            NameKind::Posture => "posture:",
            NameKind::Service => "svc:",
        }
    }

    /// The section that defines its names; none for services.
    pub const fn section(self) -> Option<&'static str> {
        Some(match self {
            NameKind::Group => "groups",
            NameKind::Tag => "tagOwners",
            NameKind::Host => "hosts",
            NameKind::IpSet => "ipsets",
            NameKind::Posture => "postures",
            NameKind::Service => return None,
        })
    }

    /// The kind that has the prefix of this name; a name without one is an alias.
    pub fn of(name: &str) -> NameKind {
        const PREFIXED: [NameKind; 5] = [
            NameKind::Group,
            NameKind::Tag,
            NameKind::IpSet,
            NameKind::Posture,
            NameKind::Service,
        ];
        let mut kinds = PREFIXED.into_iter();
        let found = kinds.find(|kind| name.starts_with(kind.prefix()));
        found.unwrap_or(NameKind::Host)
    }
}

/// What a string or a member name is for, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StringRole {
    /// A key of the language, or a name where a key is expected.
    Key,
    /// A name that is defined here.
    Definition(NameKind),
    /// A member of a group.
    Member,
    /// An owner of a tag.
    Owner,
    /// Who may enable a route without approval.
    Approver,
    /// `src` of an acl or a grant.
    Source,
    /// `dst` of an acl: with ports.
    DestinationPorts,
    /// `dst` of a grant.
    Destination,
    /// `via` of a grant.
    Via,
    /// `src` of an ssh rule.
    SshSource,
    /// `dst` of an ssh rule.
    SshDestination,
    /// `src` of a test.
    TestSource,
    /// A destination of a test, with one port.
    TestDestination,
    /// `src` of an ssh test.
    SshTestSource,
    /// `dst` of an ssh test.
    SshTestDestination,
    /// A target of node attributes.
    Target,
    /// Where sessions are recorded.
    Recorder,
    /// A tag in the parameters of an application.
    Connector,
    /// The address of an alias.
    HostAddress,
    /// A prefix whose routes are approved.
    Route,
    /// A service whose hosts are approved.
    Service,
    /// An operation of an ipset.
    Operation,
    /// A condition of a posture.
    Condition,
    /// The name of a posture that a rule asks for.
    Posture,
    /// `action` of an acl.
    AclAction,
    /// `action` of an ssh rule.
    SshAction,
    /// `proto` of an acl.
    Protocol,
    /// `proto` of a test.
    TestProtocol,
    /// An entry of `ip`.
    Ip,
    /// The name of a capability.
    Capability,
    /// `users` of an ssh rule.
    SshUser,
    /// An account in an ssh test.
    Account,
    /// `checkPeriod`.
    CheckPeriod,
    /// A variable of `acceptEnv`.
    Env,
    /// A node attribute.
    NodeAttribute,
    /// A prefix of an `ipPool`.
    Pool,
    /// The name of a device attribute.
    Attribute,
    /// The value of one.
    AttributeValue,
    /// The type of the values of one.
    AttributeType,
    /// A value of `oneCGNATRoute`.
    CgnatRoute,
    /// True or false.
    Flag,
    /// Anything the writer likes.
    Other,
}

impl StringRole {
    /// Whether it is a single string and not a list.
    pub const fn is_single(self) -> bool {
        matches!(
            self,
            StringRole::TestSource
                | StringRole::SshTestSource
                | StringRole::HostAddress
                | StringRole::AclAction
                | StringRole::SshAction
                | StringRole::Protocol
                | StringRole::TestProtocol
                | StringRole::CheckPeriod
                | StringRole::AttributeValue
                | StringRole::AttributeType
                | StringRole::CgnatRoute
                | StringRole::Flag
                | StringRole::Other
        )
    }

    /// Whether it includes ports.
    pub const fn has_ports(self) -> bool {
        matches!(
            self,
            StringRole::DestinationPorts | StringRole::TestDestination
        )
    }
}
