//! The objects of Headscale's language as its decoder sees them: what it calls each.
//! Must not live here: their keys (`grammar`), what is done with them.

use super::decode::{Fields, Repeats};
use super::grammar;

macro_rules! shapes {
    ($($name:ident $go:literal $repeats:ident)*) => {
        $(pub(super) static $name: Fields = Fields {
            go: $go,
            object: &grammar::$name,
            repeats: Repeats::$repeats,
        };)*
    };
}

shapes! {
    DOCUMENT "v2.Policy" OfText
    ACL "map[string]interface {}" OfValue
    GRANT "v2.Grant" OfText
    SSH "v2.SSH" OfText
    APPROVERS "v2.AutoApproverPolicy" OfText
    NODE_ATTR "v2.NodeAttrGrant" OfText
    TEST "v2.PolicyTest" OfText
    SSH_TEST "struct" OfValue
}
