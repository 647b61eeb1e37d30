//! The DNS settings of a tailnet: one state that the calls show in parts; MagicDNS needs a nameserver.
//! Must not live here: requests, answers.

use serde::{Deserialize, Serialize};

use crate::api::SplitDns;

/// The DNS settings of a tailnet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", from = "DnsFields")]
pub struct Dns {
    nameservers: Vec<String>,
    #[serde(rename = "magicDNS")]
    magic_dns: bool,
    /// Domain names that are appended to a bare host name.
    pub search_paths: Vec<String>,
    /// Addresses of resolvers for single domains.
    #[serde(rename = "splitDNS", skip_serializing_if = "SplitDns::is_empty")]
    pub split_dns: SplitDns,
    /// Whether the nameservers replace those of a device's local network.
    #[serde(
        rename = "overrideLocalDNS",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub override_local_dns: bool,
    /// The resolvers that even devices with an exit node ask.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub use_with_exit_node: Vec<String>,
}

/// The settings as a snapshot has them, before they are made consistent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct DnsFields {
    nameservers: Vec<String>,
    #[serde(rename = "magicDNS")]
    magic_dns: bool,
    search_paths: Vec<String>,
    #[serde(rename = "splitDNS", default)]
    split_dns: SplitDns,
    #[serde(rename = "overrideLocalDNS", default)]
    override_local_dns: bool,
    #[serde(default)]
    use_with_exit_node: Vec<String>,
}

/// MagicDNS was requested without a nameserver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsNameserver;

impl Dns {
    /// DNS settings that always keep the rule about MagicDNS.
    pub fn new(nameservers: Vec<String>, magic_dns: bool, search_paths: Vec<String>) -> Dns {
        let mut dns = Dns {
            nameservers,
            magic_dns,
            search_paths,
            ..Dns::default()
        };
        dns.settle();
        dns
    }

    /// The nameservers, in order.
    pub fn nameservers(&self) -> &[String] {
        &self.nameservers
    }

    /// Whether MagicDNS is on; never without a nameserver.
    pub fn magic_dns(&self) -> bool {
        self.magic_dns
    }

    /// Replaces the nameservers. An empty list also turns MagicDNS off, and it stays off until it is turned on.
    pub fn replace_nameservers(&mut self, nameservers: Vec<String>) {
        self.nameservers = nameservers;
        let split = &self.split_dns;
        // What this call cannot express is lost for what it replaces.
        self.use_with_exit_node
            .retain(|address| split.values().any(|addresses| addresses.contains(address)));
        self.settle();
    }

    /// Turns MagicDNS on or off.
    ///
    /// # Errors
    /// [`NeedsNameserver`] if it is to be turned on without a nameserver; nothing changes then.
    pub fn set_magic_dns(&mut self, on: bool) -> Result<(), NeedsNameserver> {
        if on && self.nameservers.is_empty() {
            return Err(NeedsNameserver);
        }
        self.magic_dns = on;
        Ok(())
    }

    fn settle(&mut self) {
        self.magic_dns &= !self.nameservers.is_empty();
    }
}

impl From<DnsFields> for Dns {
    fn from(fields: DnsFields) -> Dns {
        Dns {
            split_dns: fields.split_dns,
            override_local_dns: fields.override_local_dns,
            use_with_exit_node: fields.use_with_exit_node,
            ..Dns::new(fields.nameservers, fields.magic_dns, fields.search_paths)
        }
    }
}
