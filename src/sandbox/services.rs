//! The calls about services: names with addresses of their own, served by several devices.
//! Must not live here: which addresses are free (`addresses`), wire shapes (`api`).

use serde_json::Value;

use super::addresses::paired;
use super::caller::Need;
use super::choices::{Outcome, Refusal, refused};
use super::device_changes::label;
use super::perform::serves;
use super::state::Tailnet;
use super::{Sandbox, no_device, owners};
use crate::api::{
    DeleteService, DeviceId, Done, GetService, GetServiceApproval, ItemId, ListServiceHosts,
    ListServices, ServiceApproval, ServiceHost, ServiceHosts, SetService, SetServiceApproval,
    TailnetName, VipService, VipServices,
};

/// Stands for ports that are not checked.
const ANY_PORT: &str = "do-not-validate";
/// The longest display name, in characters.
const LONGEST_NAME: usize = 64;

const APPROVED: &str = "approved:manual";
const AUTO_APPROVED: &str = "approved:auto";
const NOT_APPROVED: &str = "not-approved";
/// The area of rights of service hosts, besides that of services.
const DEVICES: &str = "devices:core";

serves! {
    ListServices: plain list_services,
    GetService: plain get_service,
    SetService: plain set_service,
    DeleteService: plain delete_service,
    ListServiceHosts: plain list_service_hosts,
    GetServiceApproval: plain get_service_approval,
    SetServiceApproval: plain set_service_approval,
}

impl Sandbox {
    fn list_services(&self, call: ListServices) -> Outcome<VipServices> {
        let vip_services = self.tailnet(&call.tailnet)?.services.clone();
        Ok(VipServices { vip_services })
    }

    fn get_service(&self, call: GetService) -> Outcome<VipService> {
        self.known_service(&call.tailnet, &call.name).cloned()
    }

    /// A new one gets addresses, an existing one keeps or changes both. With another name it takes its hosts along.
    fn set_service(&mut self, call: SetService) -> Outcome<VipService> {
        let asked = call.name.as_str();
        let mut service = call.service;
        if service.name.is_empty() {
            asked.clone_into(&mut service.name);
        }
        check(&service)?;
        let grant = self.caller.token.clone();
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        owners::permit(&tailnet.acl, &service.tags, grant.as_ref())?;
        let before = tailnet.service(asked).cloned();
        let renamed = service.name != asked;
        if renamed && before.is_none() {
            return Err(unknown(&call.name));
        }
        if renamed && tailnet.service(&service.name).is_some() {
            return refused!("name \"{}\" is already taken", service.name);
        }
        service.addrs = tailnet.addresses_for(before.as_ref(), &service.addrs)?;
        for text in [&mut service.comment, &mut service.display_name] {
            *text = text.take().filter(|text| !text.is_empty());
        }
        if let Some(hosts) = tailnet.service_hosts.remove(asked) {
            tailnet.service_hosts.insert(service.name.clone(), hosts);
        }
        let mut all = tailnet.services.iter_mut();
        match all.find(|known| known.name == asked) {
            Some(known) => known.clone_from(&service),
            None => tailnet.services.push(service.clone()),
        }
        Ok(service)
    }

    fn delete_service(&mut self, call: DeleteService) -> Outcome<Done> {
        self.known_service(&call.tailnet, &call.name)?;
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        let name = call.name.as_str();
        tailnet.services.retain(|service| service.name != name);
        tailnet.service_hosts.remove(name);
        Ok(Done)
    }

    fn list_service_hosts(&self, call: ListServiceHosts) -> Outcome<ServiceHosts> {
        self.caller.need(Need::read(DEVICES))?;
        self.known_service(&call.tailnet, &call.name)?;
        let all = &self.tailnet(&call.tailnet)?.service_hosts;
        let mut hosts = all.get(call.name.as_str()).cloned().unwrap_or_default();
        for host in &mut hosts {
            host.node_id = Some(host.stable_node_id.clone());
        }
        Ok(ServiceHosts { hosts })
    }

    fn get_service_approval(&self, call: GetServiceApproval) -> Outcome<ServiceApproval> {
        self.caller.need(Need::read(DEVICES))?;
        self.known_service(&call.tailnet, &call.name)?;
        let id = self.host_of(&call.tailnet, &call.device)?;
        let hosts = &self.tailnet(&call.tailnet)?.service_hosts;
        let mut hosts = hosts.get(call.name.as_str()).into_iter().flatten();
        Ok(approval(hosts.find(|host| host.stable_node_id == id)))
    }

    /// A device that does not serve the service yet may be approved in advance.
    fn set_service_approval(&mut self, call: SetServiceApproval) -> Outcome<ServiceApproval> {
        self.caller.need(Need::write(DEVICES))?;
        self.known_service(&call.tailnet, &call.name)?;
        let id = self.host_of(&call.tailnet, &call.device)?;
        let all = &mut self.tailnet_mut(&call.tailnet)?.service_hosts;
        let hosts = all.entry(call.name.as_str().to_owned()).or_default();
        let at = hosts.iter().position(|host| host.stable_node_id == id);
        let at = at.unwrap_or_else(|| {
            hosts.push(ServiceHost {
                stable_node_id: id,
                ..ServiceHost::default()
            });
            hosts.len() - 1
        });
        let Some(host) = hosts.get_mut(at) else {
            return Ok(ServiceApproval::default());
        };
        let level = match (call.body.approved, host.approval_level.as_str()) {
            (false, _) => NOT_APPROVED,
            (true, AUTO_APPROVED) => AUTO_APPROVED,
            (true, _) => APPROVED,
        };
        level.clone_into(&mut host.approval_level);
        Ok(approval(Some(host)))
    }

    fn known_service(&self, tailnet: &TailnetName, name: &ItemId) -> Outcome<&VipService> {
        let service = self.tailnet(tailnet)?.service(name.as_str());
        service.ok_or_else(|| unknown(name))
    }

    /// The id under which a device of the tailnet serves services.
    fn host_of(&self, tailnet: &TailnetName, id: &DeviceId) -> Outcome<String> {
        let device = self.tailnet(tailnet)?.device(id.as_str());
        let device = device.ok_or_else(|| no_device(id))?;
        let id = device.field("nodeId").and_then(|id| id.as_str());
        Ok(id.unwrap_or_default().to_owned())
    }
}

impl Tailnet {
    pub(super) fn service(&self, name: &str) -> Option<&VipService> {
        self.services.iter().find(|service| service.name == name)
    }

    /// The addresses of a service that has these now, if it exists, and asks for those.
    fn addresses_for(&self, before: Option<&VipService>, asked: &[String]) -> Outcome<Vec<String>> {
        let v4 = match (before, asked) {
            (None, []) => {
                return match self.free_addresses() {
                    Some(free) => Ok(free.to_vec()),
                    None => refused!("no address is free"),
                };
            }
            (None, [v4]) | (Some(_), [v4, _]) => v4,
            (None, _) => {
                return refused!(
                    "when creating a new service, addrs must be empty or contain 1 IPv4 address"
                );
            }
            (Some(_), _) => {
                return refused!("when updating a service, addrs must contain 2 elements");
            }
        };
        let Some(pair) = paired(v4) else {
            return refused!("bad IPv4 address: address is reserved");
        };
        if let Some(before) = before.filter(|before| before.addrs.contains(v4)) {
            return Ok(before.addrs.clone());
        }
        if self.addresses().any(|address| address == *v4) {
            return refused!("bad IPv4 address: address is in use");
        }
        Ok(pair.to_vec())
    }
}

/// Which services are allowed, apart from addresses and tags.
fn check(service: &VipService) -> Outcome<()> {
    let name = service.name.strip_prefix("svc:").unwrap_or_default();
    if name.is_empty() || label(name) != name {
        return refused!("`{}` is not a valid service name", service.name);
    }
    let display_name = service.display_name.as_deref().unwrap_or_default();
    if display_name.chars().count() > LONGEST_NAME {
        return refused!("displayName is longer than {LONGEST_NAME}");
    }
    if service.ports.is_empty() {
        return refused!("ports are empty, use \"{ANY_PORT}\" to opt out of port validation");
    }
    if !service.annotations.values().all(Value::is_string) {
        return refused!("`annotations` must be an object of texts");
    }
    match service.ports.iter().find(|port| !is_port(port)) {
        Some(port) => refused!("`{port}` is not a valid service port"),
        None => Ok(()),
    }
}

/// `tcp:443`, `tcp:8000-8010`, or unchecked.
fn is_port(text: &str) -> bool {
    let Some(("tcp" | "udp", ports)) = text.split_once(':') else {
        return text == ANY_PORT;
    };
    let (first, last) = ports.split_once('-').unwrap_or((ports, ports));
    let number = |text: &str| text.parse::<u16>().ok().filter(|port| *port > 0);
    number(first).is_some_and(|first| number(last).is_some_and(|last| first <= last))
}

fn approval(host: Option<&ServiceHost>) -> ServiceApproval {
    let level = host.map_or(NOT_APPROVED, |host| host.approval_level.as_str());
    ServiceApproval {
        approved: matches!(level, APPROVED | AUTO_APPROVED),
        auto_approved: level == AUTO_APPROVED,
    }
}

fn unknown(name: &ItemId) -> Refusal {
    Refusal::Unknown("service", name.as_str().to_owned())
}
