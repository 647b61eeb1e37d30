//! What the calls about nameservers, preferences and search paths carry.
//! Must not live here: all DNS settings at once (`dns_configuration`), how one setting affects another.
use serde::{Deserialize, Serialize};

use super::input::sent_as_json;
use super::payload::{given_as_json, null_as_default};
use super::shape::{Member, MemberKind, Shape, member};
use super::table::operations;

/// The state after the nameservers were replaced.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
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

const NAMESERVERS: &str = "/api/v2/tailnet/:tailnet/dns/nameservers";
const PREFERENCES: &str = "/api/v2/tailnet/:tailnet/dns/preferences";
const PATHS: &str = "/api/v2/tailnet/:tailnet/dns/searchpaths";

operations! {
    /// The addresses of the nameservers.
    GetNameservers(tailnet: TailnetName) "dns.nameservers.get", Get NAMESERVERS, Read;
        gives Nameservers; needs Area("dns");
        example "const { dns: addresses } = await client.dns.nameservers.get()";
        heads "dns" "The DNS settings of the tailnet.";
        heads "dns.nameservers" "The DNS servers.";
    /// Replaces the nameservers. An empty list also turns MagicDNS off, and it stays off.
    SetNameservers(tailnet: TailnetName) "dns.nameservers.set", Post NAMESERVERS, Replace;
        sends nameservers: Nameservers; gives NameserversSet; needs Area("dns"); logs part(Dns, "", "DNS_CONFIG");
        refuses "`bad_request`";
        typed "(dns: string[]): Nameservers & { /** Whether MagicDNS is on. */ magicDNS: boolean }";
        example "await client.dns.nameservers.set([]) // → { dns: [], magicDNS: false }";
    /// Whether MagicDNS is on.
    GetPreferences(tailnet: TailnetName) "dns.preferences.get", Get PREFERENCES, Read;
        gives Preferences; needs Area("dns");
        typed "(): DnsPreferences";
        example "const { magicDNS } = await client.dns.preferences.get()";
        heads "dns.preferences" "The DNS preferences.";
    /// Turns MagicDNS on or off. It needs a nameserver.
    SetPreferences(tailnet: TailnetName) "dns.preferences.set", Post PREFERENCES, Replace;
        sends preferences: Preferences; gives Preferences; needs Area("dns"); logs part(Dns, "", "DNS_CONFIG");
        refuses "`bad_request` (MagicDNS without a nameserver)";
        typed "(preferences: DnsPreferences): DnsPreferences";
        example "await client.dns.preferences.set({ magicDNS: false }) // → { magicDNS: false }";
    /// The DNS search paths.
    GetSearchPaths(tailnet: TailnetName) "dns.searchPaths.get", Get PATHS, Read;
        gives SearchPaths; needs Area("dns");
        example "const { searchPaths } = await client.dns.searchPaths.get()";
        heads "dns.searchPaths" "The search domains.";
    /// Replaces the DNS search paths.
    SetSearchPaths(tailnet: TailnetName) "dns.searchPaths.set", Post PATHS, Replace;
        sends search_paths: SearchPaths; gives SearchPaths; needs Area("dns"); logs part(Dns, "", "DNS_CONFIG");
        refuses "`bad_request`";
        typed "(searchPaths: string[]): SearchPaths";
        example "await client.dns.searchPaths.set(['corp.example.com']) // → { searchPaths: ['corp.example.com'] }";
}
