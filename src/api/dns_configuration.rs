//! What the calls about resolvers of single domains and about all DNS settings at once carry.
//! Must not live here: the older calls about single settings (`dns`), how one setting affects another.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::input::sent_as_json;
use super::payload::{given_as_json, null_as_default};
use super::shape::Shape;
use super::table::operations;
use super::wire_types::wire_types;

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

wire_types! {
    /// All DNS settings of a tailnet. Settings that are false or empty are not written.
    #[derive(Eq)]
    pub struct DnsConfiguration {
        /// The global resolvers, in order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub nameservers: Vec<DnsResolver>,
        /// The resolvers of single domains.
        #[serde(rename = "splitDNS", skip_serializing_if = "BTreeMap::is_empty")]
        pub split_dns: BTreeMap<String, Option<Vec<DnsResolver>>>,
        /// Domain names.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub search_paths: Vec<String>,
        /// The switches.
        pub preferences: Option<DnsSwitches>,
    }

    /// The switches among the DNS settings.
    #[derive(Copy, Eq)]
    pub struct DnsSwitches {
        /// Whether devices are reached by name; needs a nameserver.
        #[serde(rename = "magicDNS", deserialize_with = "null_as_default", skip_serializing_if = "std::ops::Not::not")]
        pub magic_dns: bool,
        /// Whether the global resolvers replace those of a device's local network.
        #[serde(rename = "overrideLocalDNS", deserialize_with = "null_as_default", skip_serializing_if = "std::ops::Not::not")]
        pub override_local_dns: bool,
    }
}

sent_as_json! {
    SplitDnsChange: &[],
    DnsConfiguration: &[],
}

given_as_json! {
    SplitDns: Shape::Object(&[]),
    DnsConfiguration: Shape::Object(&[]),
}

const SPLIT: &str = "/api/v2/tailnet/:tailnet/dns/split-dns";
const CONFIGURATION: &str = "/api/v2/tailnet/:tailnet/dns/configuration";

operations! {
    /// The resolvers of single domains.
    GetSplitDns(tailnet: TailnetName) "dns.split.get", Get SPLIT, Read;
        gives SplitDns; needs Area("dns");
        example "const { 'corp.example.com': resolvers = [] } = await client.dns.split.get()";
        heads "dns.split" "Resolvers by domain.";
    /// Changes the resolvers of the named domains; null removes those of one. Returns the whole map.
    UpdateSplitDns(tailnet: TailnetName) "dns.split.update", Patch SPLIT, Replace;
        sends domains: SplitDnsChange; gives SplitDns; needs Area("dns"); logs part(Dns, "", "DNS_CONFIG");
        refuses "`bad_request`";
        typed "(domains: Record<string, string[] | null>): SplitDns";
        example "await client.dns.split.update({ 'corp.example.com': ['10.0.0.53'], 'old.example.com': null })";
    /// Replaces the resolvers of all domains. Returns the whole map.
    ReplaceSplitDns(tailnet: TailnetName) "dns.split.replace", Put SPLIT, Replace;
        sends domains: SplitDnsChange; gives SplitDns; needs Area("dns"); logs part(Dns, "", "DNS_CONFIG"); refuses "`bad_request`";
        typed "(domains: SplitDns): SplitDns";
        example "await client.dns.split.replace({ 'corp.example.com': ['10.0.0.53'] })";
    /// All DNS settings; false and empty members are absent.
    GetDnsConfiguration(tailnet: TailnetName) "dns.configuration.get", Get CONFIGURATION, Read;
        gives DnsConfiguration; needs Area("dns");
        example "const { nameservers = [], preferences } = await client.dns.configuration.get()";
        heads "dns.configuration" "All DNS settings as one document.";
    /// Replaces all DNS settings: what is left out is cleared. Where the service answers with nothing, `null` or `{}`, the result is what was sent.
    SetDnsConfiguration(tailnet: TailnetName) "dns.configuration.set", Post CONFIGURATION, Replace;
        sends configuration: DnsConfiguration; gives DnsConfiguration as Shape::Sent; needs Area("dns"); logs part(Dns, "", "DNS_CONFIG");
        refuses "`bad_request` (MagicDNS without a nameserver)";
        example "await client.dns.configuration.set({ nameservers: [{ address: '9.9.9.9' }], preferences: { magicDNS: true } })";
}
