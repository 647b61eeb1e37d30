//! The objects of Headscale's language: what its decoder calls each, and its keys.
//! Must not live here: what is done with them.

use super::decode::{Fields, Repeats};
use crate::policy::language::grammar::Key;

macro_rules! shapes {
    ($($name:ident $go:literal $repeats:ident { $($key:literal $meant:ident),* })*) => {
        $(pub(super) static $name: Fields = Fields {
            go: $go,
            keys: &[$(($key, Key::$meant)),*],
            repeats: Repeats::$repeats,
        };)*
    };
}

shapes! {
    DOCUMENT "v2.Policy" OfText {
        "groups" Groups, "hosts" Hosts, "tagowners" TagOwners, "acls" Acls, "grants" Grants, "ssh" Ssh, "tests" Tests,
        "sshtests" SshTests, "autoapprovers" AutoApprovers, "nodeattrs" NodeAttrs, "randomizeclientport" RandomizeClientPort
    }
    ACL "map[string]interface {}" OfValue { "action" Action, "proto" Proto, "src" Src, "dst" Dst }
    GRANT "v2.Grant" OfText { "src" Src, "dst" Dst, "ip" Ip, "app" App, "via" Via }
    SSH "v2.SSH" OfText {
        "action" Action, "src" Src, "dst" Dst, "users" Users, "checkperiod" CheckPeriod, "acceptenv" AcceptEnv
    }
    APPROVERS "v2.AutoApproverPolicy" OfText { "routes" Routes, "exitnode" ExitNode }
    NODE_ATTR "v2.NodeAttrGrant" OfText { "target" Target, "attr" Attr, "ippool" IpPool }
    TEST "v2.PolicyTest" OfText { "src" Src, "proto" Proto, "accept" Accept, "deny" Deny }
    SSH_TEST "struct" OfValue { "src" Src, "dst" Dst, "accept" Accept, "deny" Deny, "check" Check }
}
