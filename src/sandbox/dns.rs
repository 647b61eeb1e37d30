//! The six calls about DNS. Must not live here: the rule about MagicDNS (`dns_state`), wire shapes (`api`).

use super::Sandbox;
use super::choices::{Outcome, Refusal, refused};
use super::perform::serves;
use crate::api::{
    GetNameservers, GetPreferences, GetSearchPaths, Nameservers, NameserversSet, Preferences,
    SearchPaths, SetNameservers, SetPreferences, SetSearchPaths,
};
use crate::cidr::Address;
use crate::cidr::names::{Severity, check_search_path};

serves! {
    GetNameservers: plain get_nameservers,
    SetNameservers: plain set_nameservers,
    GetPreferences: plain get_preferences,
    SetPreferences: plain set_preferences,
    GetSearchPaths: plain get_search_paths,
    SetSearchPaths: plain set_search_paths,
}

impl Sandbox {
    fn get_nameservers(&self, call: GetNameservers) -> Outcome<Nameservers> {
        let dns = self.tailnet(&call.tailnet)?.dns.nameservers().to_vec();
        Ok(Nameservers { dns })
    }

    fn set_nameservers(&mut self, call: SetNameservers) -> Outcome<NameserversSet> {
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        let wanted = call.nameservers.dns;
        judge_nameservers(&wanted)?;
        tailnet.dns.replace_nameservers(wanted);
        Ok(NameserversSet {
            dns: tailnet.dns.nameservers().to_vec(),
            magic_dns: tailnet.dns.magic_dns(),
        })
    }

    fn get_preferences(&self, call: GetPreferences) -> Outcome<Preferences> {
        let magic_dns = self.tailnet(&call.tailnet)?.dns.magic_dns();
        Ok(Preferences { magic_dns })
    }

    fn set_preferences(&mut self, call: SetPreferences) -> Outcome<Preferences> {
        let dns = &mut self.tailnet_mut(&call.tailnet)?.dns;
        dns.set_magic_dns(call.preferences.magic_dns)
            .map_err(|_| Refusal::NoNameserver)?;
        Ok(Preferences {
            magic_dns: dns.magic_dns(),
        })
    }

    fn get_search_paths(&self, call: GetSearchPaths) -> Outcome<SearchPaths> {
        let search_paths = self.tailnet(&call.tailnet)?.dns.search_paths.clone();
        Ok(SearchPaths { search_paths })
    }

    fn set_search_paths(&mut self, call: SetSearchPaths) -> Outcome<SearchPaths> {
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        let wanted = call.search_paths.search_paths;
        judge_names("search path", &wanted)?;
        tailnet.dns.search_paths = wanted;
        Ok(SearchPaths {
            search_paths: tailnet.dns.search_paths.clone(),
        })
    }
}

pub(super) fn judge_nameservers(wanted: &[String]) -> Outcome<()> {
    let mut wanted = wanted.iter();
    match wanted.find(|address| Address::parse(address).is_err()) {
        None => Ok(()),
        Some(bad) => refused!("nameserver `{bad}` is not an IP address"),
    }
}

/// Refuses names that are no domain names; `what` says what they are for.
pub(super) fn judge_names(what: &str, wanted: &[String]) -> Outcome<()> {
    let mut faults = wanted.iter().flat_map(|name| check_search_path(name));
    match faults.find(|fault| fault.severity == Severity::Error) {
        None => Ok(()),
        Some(fault) => refused!("{what}: {}", fault.message),
    }
}
