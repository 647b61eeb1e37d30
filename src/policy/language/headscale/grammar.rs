//! The grammar of Headscale's policies: each object with its keys and what each holds (docs/headscale-language.md). Reader, completion,
//! explanations and the schema come from it. Must not live here: the words for what is the same in both dialects (`language::grammar`).

use crate::policy::language::content::{NameKind, StringRole};
use crate::policy::language::grammar::Content::{self, App, List, Strings, Table};
use crate::policy::language::grammar::{self, Key, KeySpec, Object, names};

/// The objects, each with the one of the service whose place it has.
macro_rules! objects {
    ($($object:ident $section:literal $twin:path { $($key:ident $name:literal = $content:expr;)* })*) => {
        $(pub(crate) static $object: Object = Object {
            section: $section,
            is_open: false,
            keys: &[$(KeySpec { key: Key::$key, name: $name, old: None, content: $content },)*],
            twin: Some(&$twin),
        };)*
    };
}

objects! {
    DOCUMENT "" grammar::DOCUMENT {
        Acls "acls" = List(&ACL);
        Groups "groups" = names(NameKind::Group, StringRole::Member);
        Hosts "hosts" = names(NameKind::Host, StringRole::HostAddress);
        Tests "tests" = List(&TEST);
        TagOwners "tagOwners" = names(NameKind::Tag, StringRole::Owner);
        Grants "grants" = List(&GRANT);
        Ssh "ssh" = List(&SSH);
        SshTests "sshTests" = List(&SSH_TEST);
        AutoApprovers "autoApprovers" = Content::Object(&APPROVERS);
        NodeAttrs "nodeAttrs" = List(&NODE_ATTR);
        RandomizeClientPort "randomizeClientPort" = Strings(StringRole::Flag);
    }
    ACL "acls" grammar::ACL {
        Action "action" = Strings(StringRole::AclAction);
        Src "src" = Strings(StringRole::Source);
        Dst "dst" = Strings(StringRole::DestinationPorts);
        Proto "proto" = Strings(StringRole::Protocol);
    }
    GRANT "grants" grammar::GRANT {
        Src "src" = Strings(StringRole::Source);
        Dst "dst" = Strings(StringRole::Destination);
        Ip "ip" = Strings(StringRole::Ip);
        App "app" = App;
        Via "via" = Strings(StringRole::Via);
    }
    SSH "ssh" grammar::SSH {
        Action "action" = Strings(StringRole::SshAction);
        Src "src" = Strings(StringRole::SshSource);
        Dst "dst" = Strings(StringRole::SshDestination);
        Users "users" = Strings(StringRole::SshUser);
        CheckPeriod "checkPeriod" = Strings(StringRole::CheckPeriod);
        AcceptEnv "acceptEnv" = Strings(StringRole::Env);
    }
    TEST "tests" grammar::TEST {
        Src "src" = Strings(StringRole::TestSource);
        Accept "accept" = Strings(StringRole::TestDestination);
        Deny "deny" = Strings(StringRole::TestDestination);
        Proto "proto" = Strings(StringRole::TestProtocol);
    }
    SSH_TEST "sshTests" grammar::SSH_TEST {
        Src "src" = Strings(StringRole::SshTestSource);
        Dst "dst" = Strings(StringRole::SshTestDestination);
        Accept "accept" = Strings(StringRole::Account);
        Check "check" = Strings(StringRole::Account);
        Deny "deny" = Strings(StringRole::Account);
    }
    APPROVERS "autoApprovers" grammar::APPROVERS {
        Routes "routes" = Table(StringRole::Route, StringRole::Approver);
        ExitNode "exitNode" = Strings(StringRole::Approver);
    }
    NODE_ATTR "nodeAttrs" grammar::NODE_ATTR {
        Target "target" = Strings(StringRole::Target);
        Attr "attr" = Strings(StringRole::NodeAttribute);
        IpPool "ipPool" = Strings(StringRole::Pool);
    }
}

/// What a key is for, where it differs from the key of the service, by section and key.
const DOCS: [(&str, &str, &str); 9] = [
    (
        "",
        "groups",
        "Groups of users, `group:NAME`, each a list of users, `NAME@`.",
    ),
    (
        "",
        "tagOwners",
        "Tags, `tag:NAME`, and who may give them to devices. `[]` is nobody; an admin may by the API.",
    ),
    (
        "",
        "autoApprovers",
        "Who may enable routes and exit nodes without approval.",
    ),
    (
        "acls",
        "action",
        "Always `accept`, which it is without this key too.",
    ),
    (
        "acls",
        "src",
        "Who may connect: users, groups, tags, addresses, aliases, autogroups.",
    ),
    (
        "grants",
        "src",
        "Who is granted access: users, groups, tags, addresses, aliases, autogroups.",
    ),
    (
        "grants",
        "ip",
        "Ports, alone or with a protocol: `443`, `80-90`, `tcp:80,443`, `icmp:*`, `*`.",
    ),
    ("nodeAttrs", "attr", "Attributes; `funnel` is refused."),
    (
        "nodeAttrs",
        "ipPool",
        "Refused: Headscale gives no addresses by policy.",
    ),
];

/// What a key of a section is for, where it is not what the service's is for.
pub(crate) fn doc(section: &str, key: &str) -> Option<&'static str> {
    let mut own = DOCS.iter();
    let found = own.find(|(of, name, _)| *of == section && *name == key);
    found.map(|(.., doc)| *doc)
}
