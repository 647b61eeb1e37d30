//! The grammar of a policy as one table: each object with its keys, what each key holds, what it is for, and what it was called
//! before (docs/policy-language.md#document). The reader, completion, explanations and the schema all come from it.
//! Must not live here: what the strings hold (`content`), what was meant by an unknown key (`keys`).

use self::Content::{App, Each, List, Strings, Table};
use super::content::{NameKind, StringRole};

/// A key that the reader knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    Acls,
    Groups,
    Hosts,
    Tests,
    TagOwners,
    Grants,
    Ssh,
    SshTests,
    AutoApprovers,
    NodeAttrs,
    Postures,
    DefaultSrcPosture,
    Ipsets,
    DisableIpv4,
    RandomizeClientPort,
    Action,
    Src,
    Dst,
    Proto,
    SrcPosture,
    Ip,
    App,
    Via,
    Users,
    CheckPeriod,
    AcceptEnv,
    Recorder,
    EnforceRecorder,
    Accept,
    Deny,
    SrcPostureAttrs,
    Check,
    Routes,
    ExitNode,
    Services,
    Target,
    Attr,
    IpPool,
    /// An option of the network that is an object.
    Option,
    /// What the reader ignores.
    Ignored,
}

/// A key of an object.
#[derive(Debug)]
pub(crate) struct KeySpec {
    /// Which it is.
    pub key: Key,
    /// Its name today.
    pub name: &'static str,
    /// Its name in the older grammar, where that is another one.
    pub old: Option<&'static str>,
    /// What it holds.
    pub content: Content,
}

/// An object of the language.
#[derive(Debug)]
pub(crate) struct Object {
    /// The section whose entry it is; empty for the document, and for what the reader ignores.
    pub section: &'static str,
    /// Whether the reader ignores it, so that it may have other keys too.
    pub is_open: bool,
    /// Its keys.
    pub keys: &'static [KeySpec],
    /// The object of the service whose place it has in another dialect; in the keys of one that has such a twin `_` and `-` do not count.
    pub twin: Option<&'static Object>,
}

/// What a value contains.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Members with keys of the language.
    Object(&'static Object),
    /// A list of such objects.
    List(&'static Object),
    /// Strings of one role, a single one or in lists.
    Strings(StringRole),
    /// Names of one role, each with strings of another.
    Table(StringRole, StringRole),
    /// Names of one role, each with such an object.
    Each(StringRole, &'static Object),
    /// Capabilities with their parameters.
    App,
    /// The parameters of an application.
    Parameters,
}

/// A key that was found.
#[derive(Clone, Copy)]
pub(crate) struct FoundKey {
    /// Which it is.
    pub spec: &'static KeySpec,
    /// Whether it has its older name.
    pub old: bool,
    /// Whether it is written exactly as today.
    pub exact: bool,
    /// Its index among all names, to find repeats.
    pub at: usize,
}

/// The objects of the language: of each key its name, what it holds, and what it is for.
macro_rules! objects {
    ($($(#[$about:meta])+ $object:ident $section:literal $open:literal {
        $($key:ident $name:literal $(($old:literal))? = $content:expr, $doc:expr;)*
    } $(not { $($stranger:literal: $hint:literal;)* })?)*) => {
        $($(#[$about])+
        pub(crate) static $object: Object = Object {
            section: $section,
            is_open: $open,
            keys: &[$(KeySpec {
                key: Key::$key,
                name: $name,
                old: objects!(@old $($old)?),
                content: $content,
            },)*],
            twin: None,
        };)*

        impl Object {
            /// What to write here for a key that belongs elsewhere.
            pub fn stranger(&self, name: &str) -> Option<&'static str> {
                $(if std::ptr::eq(self, &$object) {
                    let strangers: &[(&str, &str)] = &[$($(($stranger, $hint),)*)?];
                    let mut known = strangers.iter();
                    return known.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, hint)| *hint);
                })*
                None
            }

            /// What a key of an object of the service is for, in a sentence. Not a member of the key: who reads documents without explaining
            /// them would load all sentences (2.3 KiB of the file for texts).
            pub(super) fn own_doc(&self, key: &KeySpec) -> &'static str {
                $(if std::ptr::eq(self, &$object) {
                    let docs: &[&str] = &[$($doc),*];
                    let at = self.keys.iter().position(|own| std::ptr::eq(own, key));
                    return at.and_then(|at| docs.get(at)).copied().unwrap_or_default();
                })*
                ""
            }
        }
    };
    (@old) => { None };
    (@old $old:literal) => { Some($old) };
}

/// Definitions by name, each with strings.
pub(super) const fn names(kind: NameKind, values: StringRole) -> Content {
    Table(StringRole::Definition(kind), values)
}

const SRC_POSTURE: &str =
    "Postures of which the source device must have one. Without it `defaultSrcPosture` applies.";
const ASSUMED: &str = "Attributes that the source device is assumed to have, such as `node:os`.";

objects! {
    /// The document. Keys without effect on access are accepted and ignored.
    DOCUMENT "" false {
        Acls "acls" = List(&ACL), "Rules that let traffic through. Without `acls` and `grants` everyone reaches everything.";
        Groups "groups" = names(NameKind::Group, StringRole::Member), "Groups of users, `group:NAME`, each a list of logins.";
        Hosts "hosts" = names(NameKind::Host, StringRole::HostAddress), "Aliases for addresses and prefixes.";
        Tests "tests" = List(&TEST), "What the rules must allow and what not: the policy is refused if a test fails.";
        TagOwners "tagOwners" = names(NameKind::Tag, StringRole::Owner), "Tags, `tag:NAME`, and who may give them to devices. `[]` is admins only.";
        Grants "grants" = List(&GRANT), "Rules that let traffic through and give capabilities of applications.";
        Ssh "ssh" = List(&SSH), "Who may log in where, as which accounts.";
        SshTests "sshTests" = List(&SSH_TEST), "Which logins `ssh` must allow and which not.";
        AutoApprovers "autoApprovers" = Content::Object(&APPROVERS), "Who may enable routes, exit nodes and services without approval.";
        NodeAttrs "nodeAttrs" = List(&NODE_ATTR), "Attributes of devices.";
        Postures "postures" = names(NameKind::Posture, StringRole::Condition), "Conditions for devices, `posture:NAME`, which must all hold.";
        DefaultSrcPosture "defaultSrcPosture" = Strings(StringRole::Posture), "Postures for rules that name none of their own.";
        Ipsets "ipsets" = names(NameKind::IpSet, StringRole::Operation), "Sets of addresses, `ipset:NAME`: operations `add` and `remove`, in order.";
        Option "attrConfig" = Each(StringRole::Attribute, &ATTRIBUTE), "Declarations of custom attributes.";
        Option "derpMap" = Content::Object(&RELAYS), "Relays of your own.";
        DisableIpv4 "disableIPv4" = Strings(StringRole::Flag), "Whether devices get no IPv4 addresses.";
        Ignored "oneCGNATRoute" = Strings(StringRole::CgnatRoute), "How the route to the addresses of the tailnet is written.";
        RandomizeClientPort "randomizeClientPort" = Strings(StringRole::Flag), "Whether devices use a random port.";
    }
    /// An acl rule, in either grammar.
    ACL "acls" false {
        Action "action" = Strings(StringRole::AclAction), "Always `accept`: what no rule accepts is dropped.";
        Src "src" ("users") = Strings(StringRole::Source), "Who may connect: users, groups, tags, addresses, aliases, ipsets, autogroups.";
        Dst "dst" ("ports") = Strings(StringRole::DestinationPorts), "What they reach: `HOST:PORTS`, with one port, a range, a list, or `*`.";
        Proto "proto" = Strings(StringRole::Protocol), "The protocol, by name or number. Without it TCP, UDP and ICMP.";
        SrcPosture "srcPosture" = Strings(StringRole::Posture), SRC_POSTURE;
    } not {
        "ip": "only grants have it: the ports of an acl stand in `dst`, `HOST:PORTS`";
        "app": "only grants have it";
        "via": "only grants have it";
    }
    /// A grant.
    GRANT "grants" false {
        Src "src" = Strings(StringRole::Source), "Who is granted access: users, groups, tags, addresses, aliases, ipsets, autogroups.";
        Dst "dst" = Strings(StringRole::Destination), "What they reach; each `ip` and `app` applies to each of these.";
        Ip "ip" = Strings(StringRole::Ip), "Ports, alone or with a protocol: `443`, `80-90`, `tcp:22`, `icmp:*`, `*`.";
        App "app" = App, "Capabilities, `DOMAIN/PATH`, each with a list of parameters for the application.";
        Via "via" = Strings(StringRole::Via), "Tags, one of which a routing device must have to forward the traffic.";
        SrcPosture "srcPosture" = Strings(StringRole::Posture), SRC_POSTURE;
    } not {
        "action": "grants always allow: remove it";
        "proto": "put it in `ip`: `\"tcp:22\"`";
        "protocol": "put it in `ip`: `\"tcp:22\"`";
        "ports": "put them in `ip`: `\"22\"`";
        "port": "put it in `ip`: `\"22\"`";
    }
    /// An ssh rule.
    SSH "ssh" false {
        Action "action" = Strings(StringRole::SshAction), "`accept`, or `check`: after the user has signed in again.";
        Src "src" = Strings(StringRole::SshSource), "Who may log in: users, groups, tags, autogroups.";
        Dst "dst" = Strings(StringRole::SshDestination), "Where: tags, users, `autogroup:self`.";
        Users "users" = Strings(StringRole::SshUser), "As which accounts: `root`, `autogroup:nonroot`, `localpart:*@DOMAIN`, or by name.";
        CheckPeriod "checkPeriod" = Strings(StringRole::CheckPeriod), "How long a check holds, such as `12h`, at most `168h`; or `always`.";
        AcceptEnv "acceptEnv" = Strings(StringRole::Env), "Variables that are passed on; `*` stands for any characters.";
        SrcPosture "srcPosture" = Strings(StringRole::Posture), SRC_POSTURE;
        Recorder "recorder" = Strings(StringRole::Recorder), "Tags of the devices that record sessions.";
        EnforceRecorder "enforceRecorder" = Strings(StringRole::Flag), "Whether sessions without a recorder are refused.";
    }
    /// A test, in either grammar.
    TEST "tests" false {
        Src "src" ("user") = Strings(StringRole::TestSource), "The one source that is tested: a user, group, tag, alias or address.";
        Accept "accept" ("allow") = Strings(StringRole::TestDestination), "What the source must reach: `HOST:PORT` with one port.";
        Deny "deny" = Strings(StringRole::TestDestination), "What the source must not reach: `HOST:PORT` with one port.";
        Proto "proto" = Strings(StringRole::TestProtocol), "The protocol: tcp, udp or sctp. Without it a rule for TCP or UDP will do.";
        SrcPostureAttrs "srcPostureAttrs" = Table(StringRole::Attribute, StringRole::AttributeValue), ASSUMED;
    } not {
        "dst": "list what it must reach in `accept`, what not in `deny`";
    }
    /// An ssh test.
    SSH_TEST "sshTests" false {
        Src "src" = Strings(StringRole::SshTestSource), "Who logs in: a user, group, tag or alias.";
        Dst "dst" = Strings(StringRole::SshTestDestination), "Where: tags, users, or aliases of one address.";
        Accept "accept" = Strings(StringRole::Account), "Accounts that must be allowed everywhere.";
        Check "check" = Strings(StringRole::Account), "Accounts that must be allowed after a check.";
        Deny "deny" = Strings(StringRole::Account), "Accounts that no rule may allow.";
        SrcPostureAttrs "srcPostureAttrs" = Table(StringRole::Attribute, StringRole::AttributeValue), ASSUMED;
    }
    /// The approvers.
    APPROVERS "autoApprovers" false {
        Routes "routes" = Table(StringRole::Route, StringRole::Approver), "Who may enable routes inside a prefix without approval.";
        ExitNode "exitNode" = Strings(StringRole::Approver), "Who may run exit nodes without approval.";
        Services "services" = Table(StringRole::Service, StringRole::Approver), "Who may host a service without approval.";
    }
    /// An entry of the node attributes.
    NODE_ATTR "nodeAttrs" false {
        Target "target" = Strings(StringRole::Target), "The devices that get the attributes.";
        Attr "attr" = Strings(StringRole::NodeAttribute), "Attributes, such as `funnel`.";
        App "app" = App, "Applications with their parameters.";
        IpPool "ipPool" = Strings(StringRole::Pool), "Prefixes from which new devices get their addresses.";
    }
    /// The declaration of a custom attribute.
    ATTRIBUTE "" true {
        Ignored "type" = Strings(StringRole::AttributeType), "What its values are: `string` or `number`.";
        Ignored "allowSetByNode" = Strings(StringRole::Flag), "Whether a device may set it for itself.";
        Ignored "broadcastToPeers" = Strings(StringRole::Target), "Devices that receive it.";
    }
    /// The map of custom relays.
    RELAYS "" true {
        Ignored "OmitDefaultRegions" = Strings(StringRole::Flag), "Whether the regions of the service are left out.";
        Ignored "Regions" = Each(StringRole::Other, &REGION), "Regions of your own by number, from 900 to 999.";
    }
    /// A region of them.
    REGION "" true {
        Ignored "RegionID" = Strings(StringRole::Other), "The number of the region.";
        Ignored "RegionCode" = Strings(StringRole::Other), "A short name of the region.";
        Ignored "RegionName" = Strings(StringRole::Other), "The name of the region, for people.";
        Ignored "Nodes" = List(&RELAY), "The relays of the region.";
    }
    /// A relay.
    RELAY "" true {
        Ignored "Name" = Strings(StringRole::Other), "The name of the relay, different from all others.";
        Ignored "RegionID" = Strings(StringRole::Other), "The number of the region.";
        Ignored "HostName" = Strings(StringRole::Other), "The host of the relay.";
        Ignored "IPv4" = Strings(StringRole::Other), "Its IPv4 address; without it the host is looked up. `none` for none.";
        Ignored "IPv6" = Strings(StringRole::Other), "Its IPv6 address; without it the host is looked up. `none` for none.";
        Ignored "DERPPort" = Strings(StringRole::Other), "Its relay port; 443 by default.";
        Ignored "STUNPort" = Strings(StringRole::Other), "Its STUN port; 3478 by default, none if it is -1.";
        Ignored "STUNOnly" = Strings(StringRole::Flag), "Whether it answers STUN and relays nothing.";
        Ignored "CertName" = Strings(StringRole::Other), "The name in its certificate, if that is not the host's.";
    }
    /// An app connector.
    CONNECTOR "" true {
        Ignored "name" = Strings(StringRole::Other), "The name of the application.";
        Ignored "connectors" = Strings(StringRole::Connector), "Tags of the devices that forward the traffic.";
        Ignored "domains" = Strings(StringRole::Other), "Domains whose traffic goes through the connectors.";
        Ignored "routes" = Strings(StringRole::Pool), "Prefixes whose traffic goes through the connectors.";
    }
    /// An object without keys of the language.
    PLAIN "" true {}
}

impl Object {
    /// The key of a name in any case. `guess` is its index if the document keeps the order of the keys here.
    pub fn find(&self, name: &str, guess: usize) -> Option<FoundKey> {
        match self.keys.get(guess) {
            Some(spec) if spec.name == name => Some(FoundKey {
                spec,
                old: false,
                exact: true,
                at: guess,
            }),
            _ => self.search(name),
        }
    }

    /// The key that a name means, in any case.
    #[inline(never)]
    pub fn key(&self, name: &str) -> Option<&'static KeySpec> {
        self.find(name, 0).map(|found| found.spec)
    }

    #[inline(never)]
    fn search(&self, name: &str) -> Option<FoundKey> {
        let is_old = |spec: &KeySpec| spec.old.is_some_and(|old| old.eq_ignore_ascii_case(name));
        let at = |is: &dyn Fn(&KeySpec) -> bool| self.keys.iter().position(is);
        let modern = at(&|spec| match self.twin {
            None => spec.name.eq_ignore_ascii_case(name),
            Some(_) => folds(name, spec.name),
        });
        let found = modern.or_else(|| at(&is_old))?;
        let spec = self.keys.get(found)?;
        let old = modern.is_none();
        Some(FoundKey {
            spec,
            old,
            exact: spec.name == name,
            at: if old { self.keys.len() + found } else { found },
        })
    }
}

/// Whether a name is a key in which case, `_` and `-` do not count.
fn folds(name: &str, key: &str) -> bool {
    let letters = name.bytes().filter(|byte| !matches!(byte, b'_' | b'-'));
    let letters = letters.map(|byte| byte.to_ascii_lowercase());
    letters.eq(key.bytes().map(|byte| byte.to_ascii_lowercase()))
}

impl Content {
    /// What the member names are for.
    pub const fn name_role(self) -> StringRole {
        match self {
            Content::Object(_) | Content::List(_) => StringRole::Key,
            Content::Strings(_) | Content::Parameters => StringRole::Other,
            Content::Table(names, _) | Content::Each(names, _) => names,
            Content::App => StringRole::Capability,
        }
    }

    /// What the strings of the value itself are for.
    pub const fn role(self) -> StringRole {
        match self {
            Content::Strings(role) => role,
            _ => StringRole::Other,
        }
    }

    /// The key that a member name means, if the reader knows it.
    pub fn key(self, name: &str) -> Option<&'static KeySpec> {
        match self {
            Content::Object(object) if !object.is_open => object.key(name),
            _ => None,
        }
    }

    /// The contents of the member with this name.
    pub fn member(self, name: &str) -> Content {
        match self {
            Content::Object(object) => object
                .key(name)
                .map_or(Content::Strings(StringRole::Other), |key| key.content),
            Content::List(_) => Content::Strings(StringRole::Other),
            Content::Table(_, values) => Content::Strings(values),
            Content::App if name == "tailscale.com/app-connectors" => Content::List(&CONNECTOR),
            Content::App => Content::Parameters,
            Content::Each(_, object) => Content::Object(object),
            Content::Parameters | Content::Strings(_) => self,
        }
    }

    /// The contents of each element.
    pub const fn element(self) -> Content {
        match self {
            Content::List(object) => Content::Object(object),
            Content::Object(_) => Content::Object(&PLAIN),
            _ => self,
        }
    }
}
