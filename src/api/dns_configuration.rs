//! The calls about resolvers of single domains and about all DNS settings at once, and what they carry.
//! Must not live here: the older calls about single settings (`dns`), how one setting affects another.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::endpoint::{Input, Plain, null_as_default};
use super::error::Error;
use super::message::Request;
use super::operation::Operation;
use super::place::{Scope, TailnetName};

/// Addresses of resolvers by domain.
pub type SplitDns = BTreeMap<String, Vec<String>>;

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

/// `GET`: the resolvers of single domains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GetSplitDns {
    /// The tailnet.
    pub tailnet: TailnetName,
}

impl Plain for GetSplitDns {
    const OPERATION: Operation = Operation::GetSplitDns;
    type Output = SplitDns;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn read(scope: &Scope, _: &Request) -> Result<Self, Error> {
        scope.tailnet().map(|tailnet| GetSplitDns { tailnet })
    }
}

/// `PATCH`: changes the resolvers of the named domains; the answer is the whole map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateSplitDns {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new resolvers; `None` or an empty list removes those of a domain.
    pub domains: BTreeMap<String, Option<Vec<String>>>,
}

impl Plain for UpdateSplitDns {
    const OPERATION: Operation = Operation::UpdateSplitDns;
    type Output = SplitDns;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        serde_json::to_value(&self.domains).ok()
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let domains = Input::read(request)?.into()?;
        let tailnet = scope.tailnet()?;
        Ok(UpdateSplitDns { tailnet, domains })
    }
}

/// `PUT`: replaces the resolvers of all domains; the answer is the whole map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplaceSplitDns {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new resolvers.
    pub domains: SplitDns,
}

impl Plain for ReplaceSplitDns {
    const OPERATION: Operation = Operation::ReplaceSplitDns;
    type Output = SplitDns;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        serde_json::to_value(&self.domains).ok()
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let domains: BTreeMap<String, Option<Vec<String>>> = Input::read(request)?.into()?;
        let domains = domains.into_iter();
        let domains = domains.map(|(domain, addresses)| (domain, addresses.unwrap_or_default()));
        Ok(ReplaceSplitDns {
            tailnet: scope.tailnet()?,
            domains: domains.collect(),
        })
    }
}

/// `GET`: all DNS settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GetDnsConfiguration {
    /// The tailnet.
    pub tailnet: TailnetName,
}

impl Plain for GetDnsConfiguration {
    const OPERATION: Operation = Operation::GetDnsConfiguration;
    type Output = DnsConfiguration;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn read(scope: &Scope, _: &Request) -> Result<Self, Error> {
        scope
            .tailnet()
            .map(|tailnet| GetDnsConfiguration { tailnet })
    }
}

/// `POST`: replaces all DNS settings: a setting that is left out is removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetDnsConfiguration {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new settings.
    pub configuration: DnsConfiguration,
}

impl Plain for SetDnsConfiguration {
    const OPERATION: Operation = Operation::SetDnsConfiguration;
    type Output = DnsConfiguration;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn body(&self) -> Option<Value> {
        serde_json::to_value(&self.configuration).ok()
    }

    fn read(scope: &Scope, request: &Request) -> Result<Self, Error> {
        let configuration = Input::read(request)?.into()?;
        let tailnet = scope.tailnet()?;
        Ok(SetDnsConfiguration {
            tailnet,
            configuration,
        })
    }
}
