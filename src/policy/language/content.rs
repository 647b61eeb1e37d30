//! The contents of a policy by position: from the table of keys, what each string and each member name is for.
//! Must not live here: the keys themselves (`keys`), the parts of a string (`pieces`).

use serde::Serialize;

use super::keys::{Inner, Shape};

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
pub enum Role {
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

impl Role {
    /// Whether it is a single string and not a list.
    pub const fn is_single(self) -> bool {
        matches!(
            self,
            Role::TestSource
                | Role::SshTestSource
                | Role::HostAddress
                | Role::AclAction
                | Role::SshAction
                | Role::Protocol
                | Role::TestProtocol
                | Role::CheckPeriod
                | Role::AttributeValue
                | Role::AttributeType
                | Role::CgnatRoute
                | Role::Flag
                | Role::Other
        )
    }

    /// Whether it includes ports.
    pub const fn has_ports(self) -> bool {
        matches!(self, Role::DestinationPorts | Role::TestDestination)
    }
}

/// What a value contains.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Members with keys of the language, or a list of such.
    Shape(Shape),
    /// Strings of one role, a single one or in lists.
    Strings(Role),
    /// Names of one role, each with strings of another.
    Table(Role, Role),
    /// Capabilities with their parameters.
    App,
    /// The parameters of an application.
    Parameters,
    /// An object inside an option, or a list of such.
    Inner(Inner),
    /// Names of one role, each with such an object.
    Each(Role, Inner),
}

impl Content {
    /// The contents of a document.
    pub const DOCUMENT: Content = Content::Shape(Shape::Document);

    /// What the member names are for.
    pub const fn name_role(self) -> Role {
        match self {
            Content::Shape(_) | Content::Inner(_) => Role::Key,
            Content::Strings(_) | Content::Parameters => Role::Other,
            Content::Table(names, _) | Content::Each(names, _) => names,
            Content::App => Role::Capability,
        }
    }

    /// What the strings of the value itself are for.
    pub const fn role(self) -> Role {
        match self {
            Content::Strings(role) => role,
            _ => Role::Other,
        }
    }

    /// The contents of the member with this name.
    pub fn member(self, name: &str) -> Content {
        match self {
            Content::Shape(shape) => match shape.key(name) {
                Some(key) => of_key(shape, key),
                None => Content::Strings(Role::Other),
            },
            Content::Table(_, values) => Content::Strings(values),
            Content::App if name == "tailscale.com/app-connectors" => {
                Content::Inner(Inner::Connector)
            }
            Content::App => Content::Parameters,
            Content::Inner(inner) => of_inner(inner.key(name).unwrap_or_default()),
            Content::Each(_, inner) => Content::Inner(inner),
            Content::Parameters | Content::Strings(_) => self,
        }
    }

    /// The contents of each element.
    pub fn element(self) -> Content {
        match self {
            Content::Shape(Shape::Plain) => self,
            Content::Shape(shape) => Content::Shape(shape.element()),
            _ => self,
        }
    }
}

/// The contents of a key.
fn of_key(shape: Shape, key: &str) -> Content {
    let section = match shape {
        Shape::Rule(section, _) => section,
        _ => match shape.member(key) {
            Shape::Plain => return of_section(key),
            inner => return Content::Shape(inner),
        },
    };
    Content::Strings(match (section, key) {
        (_, "app") => return Content::App,
        (_, "srcPostureAttrs") => {
            return Content::Table(Role::Attribute, Role::AttributeValue);
        }
        (_, "routes") => return Content::Table(Role::Route, Role::Approver),
        (_, "services") => return Content::Table(Role::Service, Role::Approver),
        (_, "exitNode") => Role::Approver,
        (_, "srcPosture") => Role::Posture,
        ("acls" | "grants", "src") => Role::Source,
        ("acls", "dst") => Role::DestinationPorts,
        ("acls", "action") => Role::AclAction,
        ("acls", "proto") => Role::Protocol,
        ("grants", "dst") => Role::Destination,
        (_, "ip") => Role::Ip,
        (_, "via") => Role::Via,
        ("ssh", "action") => Role::SshAction,
        ("ssh", "src") => Role::SshSource,
        ("ssh", "dst") => Role::SshDestination,
        (_, "users") => Role::SshUser,
        (_, "checkPeriod") => Role::CheckPeriod,
        (_, "acceptEnv") => Role::Env,
        (_, "recorder") => Role::Recorder,
        (_, "enforceRecorder") => Role::Flag,
        ("tests", "src") => Role::TestSource,
        ("tests", "accept" | "deny") => Role::TestDestination,
        ("tests", "proto") => Role::TestProtocol,
        ("sshTests", "src") => Role::SshTestSource,
        ("sshTests", "dst") => Role::SshTestDestination,
        ("sshTests", _) => Role::Account,
        (_, "target") => Role::Target,
        (_, "attr") => Role::NodeAttribute,
        (_, "ipPool") => Role::Pool,
        _ => Role::Other,
    })
}

/// The contents of a key of the document that holds no rules.
fn of_section(key: &str) -> Content {
    let table = |kind, values| Content::Table(Role::Definition(kind), values);
    match key {
        "groups" => table(NameKind::Group, Role::Member),
        "hosts" => table(NameKind::Host, Role::HostAddress),
        "tagOwners" => table(NameKind::Tag, Role::Owner),
        "ipsets" => table(NameKind::IpSet, Role::Operation),
        "postures" => table(NameKind::Posture, Role::Condition),
        "defaultSrcPosture" => Content::Strings(Role::Posture),
        "attrConfig" => Content::Each(Role::Attribute, Inner::Attribute),
        "derpMap" => Content::Inner(Inner::Relays),
        "oneCGNATRoute" => Content::Strings(Role::CgnatRoute),
        "disableIPv4" | "randomizeClientPort" => Content::Strings(Role::Flag),
        _ => Content::Strings(Role::Other),
    }
}

/// The contents of a key that the reader ignores.
fn of_inner(key: &str) -> Content {
    Content::Strings(match key {
        "Regions" => return Content::Each(Role::Other, Inner::Region),
        "Nodes" => return Content::Inner(Inner::Relay),
        "type" => Role::AttributeType,
        "broadcastToPeers" => Role::Target,
        "connectors" => Role::Connector,
        "routes" => Role::Pool,
        "allowSetByNode" | "OmitDefaultRegions" | "STUNOnly" => Role::Flag,
        _ => Role::Other,
    })
}
