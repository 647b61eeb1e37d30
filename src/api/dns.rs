//! What the calls about nameservers, preferences and search paths carry.
//! Must not live here: all DNS settings at once (`dns_configuration`), how one setting affects another.
use serde::{Deserialize, Serialize};

use super::input::sent_as_json;
use super::payload::{given_as_json, null_as_default};
use super::shape::{Member, MemberKind, Shape, member};

/// The state after the nameservers were replaced.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NameserversSet {
    /// Addresses.
    #[serde(deserialize_with = "null_as_default")]
    pub dns: Vec<String>,
    /// Whether MagicDNS is on now.
    #[serde(rename = "magicDNS")]
    pub magic_dns: bool,
}

/// The nameservers of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Nameservers {
    /// Addresses; an empty list also turns MagicDNS off.
    #[serde(deserialize_with = "null_as_default")]
    pub dns: Vec<String>,
}

/// The DNS preferences of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Preferences {
    /// Whether devices are reached by name; needs a nameserver.
    #[serde(rename = "magicDNS")]
    pub magic_dns: bool,
}

/// The DNS search paths of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SearchPaths {
    /// Domain names.
    #[serde(rename = "searchPaths", deserialize_with = "null_as_default")]
    pub search_paths: Vec<String>,
}

const DNS: Member = member("dns", MemberKind::Texts);
const MAGIC_DNS: Member = member("magicDNS", MemberKind::Flag);
const SEARCH_PATHS: Member = member("searchPaths", MemberKind::Texts);

sent_as_json! {
    Nameservers: &[DNS],
    Preferences: &[MAGIC_DNS],
    SearchPaths: &[SEARCH_PATHS],
}

given_as_json! {
    Nameservers: Shape::Object(&[DNS]),
    NameserversSet: Shape::Object(&[DNS, MAGIC_DNS]),
    Preferences: Shape::Object(&[MAGIC_DNS]),
    SearchPaths: Shape::Object(&[SEARCH_PATHS]),
}
