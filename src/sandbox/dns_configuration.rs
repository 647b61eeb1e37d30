//! The calls about resolvers of single domains and about all DNS settings at once.
//! Must not live here: the rule about MagicDNS (`dns_state`), wire shapes (`api`).

use std::collections::BTreeMap;

use super::choices::{Outcome, Refusal};
use super::dns_state::Dns;
use super::perform::serves;
use super::{Sandbox, dns};
use crate::api::{
    DnsConfiguration, DnsResolver, DnsSwitches, GetDnsConfiguration, GetSplitDns, ReplaceSplitDns,
    SetDnsConfiguration, SplitDns, UpdateSplitDns,
};

serves! {
    GetSplitDns: plain get_split_dns,
    UpdateSplitDns: plain update_split_dns,
    ReplaceSplitDns: plain replace_split_dns,
    GetDnsConfiguration: plain get_dns_configuration,
    SetDnsConfiguration: plain set_dns_configuration,
}

impl Sandbox {
    fn get_split_dns(&self, call: GetSplitDns) -> Outcome<SplitDns> {
        Ok(self.tailnet(&call.tailnet)?.dns.split_dns.clone())
    }

    /// Changes only the named domains; null or an empty list removes one.
    fn update_split_dns(&mut self, call: UpdateSplitDns) -> Outcome<SplitDns> {
        let settings = &mut self.tailnet_mut(&call.tailnet)?.dns;
        let mut changed = settings.split_dns.clone();
        for (domain, addresses) in call.domains {
            match addresses {
                Some(addresses) => drop(changed.insert(domain, addresses)),
                None => drop(changed.remove(&domain)),
            }
        }
        settings.split_dns = judged(changed)?;
        Ok(settings.split_dns.clone())
    }

    fn replace_split_dns(&mut self, call: ReplaceSplitDns) -> Outcome<SplitDns> {
        let settings = &mut self.tailnet_mut(&call.tailnet)?.dns;
        let mut wanted = SplitDns::new();
        for (domain, addresses) in call.domains {
            wanted.insert(domain, addresses.unwrap_or_default());
        }
        settings.split_dns = judged(wanted)?;
        Ok(settings.split_dns.clone())
    }

    fn get_dns_configuration(&self, call: GetDnsConfiguration) -> Outcome<DnsConfiguration> {
        Ok(shown(&self.tailnet(&call.tailnet)?.dns))
    }

    /// What is left out is cleared.
    fn set_dns_configuration(&mut self, call: SetDnsConfiguration) -> Outcome<DnsConfiguration> {
        let settings = &mut self.tailnet_mut(&call.tailnet)?.dns;
        let wanted = call.configuration;
        let mut split = BTreeMap::new();
        let mut all = wanted.nameservers.clone();
        for (domain, resolvers) in wanted.split_dns {
            let resolvers = resolvers.unwrap_or_default();
            let addresses = resolvers
                .iter()
                .map(|resolver| resolver.address.clone())
                .collect();
            split.insert(domain, addresses);
            all.extend(resolvers);
        }
        let addresses: Vec<String> = wanted
            .nameservers
            .into_iter()
            .map(|resolver| resolver.address)
            .collect();
        dns::judge_nameservers(&addresses)?;
        dns::judge_names("search path", &wanted.search_paths)?;
        let switches = wanted.preferences.unwrap_or_default();
        let mut changed = Dns::new(addresses, false, wanted.search_paths);
        changed
            .set_magic_dns(switches.magic_dns)
            .map_err(|_| Refusal::NoNameserver)?;
        changed.split_dns = judged(split)?;
        changed.override_local_dns = switches.override_local_dns;
        let flagged = all
            .into_iter()
            .filter(|resolver| resolver.use_with_exit_node);
        changed.use_with_exit_node = flagged.map(|resolver| resolver.address).collect();
        *settings = changed;
        Ok(shown(settings))
    }
}

/// Domains whose resolvers are addresses; those without any are dropped.
fn judged(mut split: SplitDns) -> Outcome<SplitDns> {
    split.retain(|_, addresses| !addresses.is_empty());
    let domains: Vec<String> = split.keys().cloned().collect();
    dns::judge_names("domain", &domains)?;
    split
        .values()
        .try_for_each(|addresses| dns::judge_nameservers(addresses))?;
    Ok(split)
}

fn shown(dns: &Dns) -> DnsConfiguration {
    let resolver = |address: &String| DnsResolver {
        address: address.clone(),
        use_with_exit_node: dns.use_with_exit_node.contains(address),
    };
    let mut split = BTreeMap::new();
    for (domain, addresses) in &dns.split_dns {
        let resolvers = addresses.iter().map(resolver).collect();
        split.insert(domain.clone(), Some(resolvers));
    }
    DnsConfiguration {
        nameservers: dns.nameservers().iter().map(resolver).collect(),
        split_dns: split,
        search_paths: dns.search_paths.clone(),
        preferences: Some(DnsSwitches {
            magic_dns: dns.magic_dns(),
            override_local_dns: dns.override_local_dns,
        }),
    }
}
