//! What the calls about resolvers of single domains and about all DNS settings at once carry.
//! Must not live here: the older calls about single settings (`dns`), how one setting affects another.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::input::sent_as_json;
use super::payload::{given_as_json, null_as_default};
use super::shape::Shape;

/// Addresses of resolvers by domain.
pub type SplitDns = BTreeMap<String, Vec<String>>;

/// New addresses of resolvers by domain; `None` or an empty list removes those of a domain.
pub type SplitDnsChange = BTreeMap<String, Option<Vec<String>>>;

/// A DNS resolver.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct DnsResolver {
    /// Its address.
    pub address: String,
    /// Whether devices that use an exit node ask it, too.
    #[serde(default, deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub use_with_exit_node: bool,
}

/// All DNS settings of a tailnet. Settings that are false or empty are not written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsConfiguration {
    /// The global resolvers, in order.
    #[serde(deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nameservers: Vec<DnsResolver>,
    /// The resolvers of single domains.
    #[serde(rename = "splitDNS", deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub split_dns: BTreeMap<String, Option<Vec<DnsResolver>>>,
    /// Domain names.
    #[serde(deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub search_paths: Vec<String>,
    /// The switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<DnsSwitches>,
}

/// The switches among the DNS settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DnsSwitches {
    /// Whether devices are reached by name; needs a nameserver.
    #[serde(rename = "magicDNS", deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub magic_dns: bool,
    /// Whether the global resolvers replace those of a device's local network.
    #[serde(rename = "overrideLocalDNS", deserialize_with = "null_as_default")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub override_local_dns: bool,
}

sent_as_json! {
    SplitDnsChange: &[],
    DnsConfiguration: &[],
}

given_as_json! {
    SplitDns: Shape::Object(&[]),
    DnsConfiguration: Shape::Object(&[]),
}
