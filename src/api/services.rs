//! What the calls about services carry, which are names with addresses that several devices serve.
//! Must not live here: who may answer for one.
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::Error;
use super::input::{Input, bodies};
use super::message::Request;
use super::payload::{Done, Payload, given_as_json};
use super::place::Scope;
use super::retry::Rule;
use super::shape::{Form, MemberKind, Shape, list, member};
use super::table::operations;
use super::wire_types::wire_types;
use crate::hujson::{self, Kind};

wire_types! {
    /// A service. Only `name` is certain.
    pub struct VipService {
        /// Its name, `svc:…`; where it is set, an empty one leaves the name as it is.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub name: String,
        /// An IPv4 and an IPv6 address.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub addrs: Vec<String>,
        /// A comment.
        pub comment: Option<String>,
        /// The name to show.
        pub display_name: Option<String>,
        /// `tcp:443` and so on; `do-not-validate` for any port.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub ports: Vec<String>,
        /// Its tags.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tags: Vec<String>,
        /// Annotations for programs.
        #[serde(skip_serializing_if = "Map::is_empty")]
        pub annotations: Map<String, Value>,
        /// Everything else.
        pub other: Map<String, Value>,
    }

    /// The answer to [`ListServices`].
    #[non_exhaustive]
    pub struct VipServices {
        /// The services.
        pub vip_services: Vec<VipService>,
    }

    /// A device that answers for a service, or could.
    #[non_exhaustive]
    pub struct ServiceHost {
        /// The device, as the service describes it; empty where it is only in `node_id`.
        #[serde(rename = "stableNodeID")]
        pub stable_node_id: String,
        /// The same, as the service writes it today.
        pub node_id: Option<String>,
        /// `not-approved`, `approved:auto` or `approved:manual`.
        pub approval_level: String,
        /// How far it is configured; `ready` at the end.
        pub configured: String,
        /// Everything else.
        pub other: Map<String, Value>,
    }

    /// The answer to [`ListServiceHosts`].
    #[non_exhaustive]
    pub struct ServiceHosts {
        /// The devices.
        pub hosts: Vec<ServiceHost>,
    }
}

/// Whether a device may answer for a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServiceApproval {
    /// Whether it may.
    pub approved: bool,
    /// Whether the policy approves it.
    pub auto_approved: bool,
}

impl VipService {
    /// The rule of a request with this body. Its name alone is looked at: a typed reading would add 33 KiB (Brotli) to every client.
    pub(super) fn rule_of(scope: &Scope, body: &[u8]) -> Option<Rule> {
        let document = hujson::document(str::from_utf8(body).ok()?)?;
        let service = Some(document.root()).filter(|root| root.kind() == Kind::Object)?;
        let given = match service.get("name") {
            Some(name) => Some(name.as_str()?),
            None => None,
        };
        Self::rule_of_name(scope, given.unwrap_or_default())
    }

    fn rule_of_name(scope: &Scope, name: &str) -> Option<Rule> {
        let given = Some(name).filter(|name| !name.is_empty());
        Some(Rule::of_name(scope.item().ok()?.as_str(), given))
    }
}

impl Payload for VipService {
    const FORM: Form = Form::Object(&[member("ports", MemberKind::Texts)]);

    fn write(&self, request: &mut Request) {
        request.set_json(self);
    }

    fn read(request: &Request) -> Result<Self, Error> {
        Input::read(request)?.into()
    }

    fn rule(&self, scope: &Scope) -> Option<Rule> {
        Self::rule_of_name(scope, &self.name)
    }
}

given_as_json! {
    VipService: Shape::Object(&[member("name", MemberKind::Text)]),
    VipServices: list("vipServices"),
    ServiceHosts: list("hosts"),
    ServiceApproval: Shape::Object(&[
        member("approved", MemberKind::Flag),
        member("autoApproved", MemberKind::Flag),
    ]),
}

bodies! {
    /// Whether a device may answer for a service.
    Approval {
        /// Whether it may.
        approved: bool = "approved",
    }
}

const SERVICE: &str = "/api/v2/tailnet/:tailnet/services/:name";
const APPROVAL: &str = "/api/v2/tailnet/:tailnet/services/:name/device/:device/approved";

operations! {
    /// The services of a tailnet.
    ListServices(tailnet: TailnetName) "services.list", Get "/api/v2/tailnet/:tailnet/services", Read;
        gives VipServices; needs Area("services");
        typed "(): VIPService[]";
        example "const names = (await client.services.list()).map(({ name }) => name)";
        heads "services" "Services: names with addresses of their own, served by several devices.";
    /// One service.
    GetService(tailnet: TailnetName, name: ItemId) "services.get", Get SERVICE, Read;
        gives VipService; needs Area("services"); refuses "`not_found`";
        typed "(name: ServiceName): VIPService";
        example "await client.services.set('svc:wiki', { ports: ['tcp:443'] })
            const { addrs } = await client.services.get('svc:wiki')";
    /// Makes or replaces a service: send back both addresses of an existing one. Another `name` in it renames it; that is retried on 429 only.
    SetService(tailnet: TailnetName, name: ItemId) "services.set", Put SERVICE, Replace;
        sends service: VipService; gives VipService; needs Area("services"); logs whole(Service);
        refuses "`bad_request` (addresses, ports, tags); `not_found` (if it renames)";
        typed "(name: ServiceName, service: NewVIPService): VIPService";
        example "const { name } = await client.services.set('svc:wiki', { ports: ['tcp:443'], comment: 'what we know' })";
    /// The devices that serve a service, or could.
    ListServiceHosts(tailnet: TailnetName, name: ItemId) "services.hosts", Get "/api/v2/tailnet/:tailnet/services/:name/devices", Read;
        gives ServiceHosts; needs Area("services"); refuses "`not_found`";
        typed "(name: ServiceName): ServiceHost[]";
        example "await client.services.set('svc:wiki', { ports: ['tcp:443'] })
            const hosts = await client.services.hosts('svc:wiki')";
    /// Whether a device may serve a service.
    GetServiceApproval(tailnet: TailnetName, name: ItemId, device: DeviceId) "services.approval.get", Get APPROVAL, Read;
        gives ServiceApproval; needs Area("services"); refuses "`not_found`";
        typed "(name: ServiceName, device: string): ServiceApproval";
        example "await client.services.set('svc:wiki', { ports: ['tcp:443'] })
            const { approved } = await client.services.approval.get('svc:wiki', device.id)";
        heads "services.approval" "Whether a device may serve it.";
    /// Sets whether a device may serve a service.
    SetServiceApproval(tailnet: TailnetName, name: ItemId, device: DeviceId) "services.approval.set", Post APPROVAL, Replace;
        sends body: Approval; gives ServiceApproval; needs Area("services"); logs part(Hosts, "", "APPROVAL");
        refuses "`not_found`";
        typed "(name: ServiceName, device: string, approval: { /** Whether it is approved. */ approved: boolean }): ServiceApproval";
        example "await client.services.set('svc:wiki', { ports: ['tcp:443'] })
            await client.services.approval.set('svc:wiki', device.id, { approved: true }) // → { approved: true, autoApproved: false }";
    /// Removes a service.
    DeleteService(tailnet: TailnetName, name: ItemId) "services.delete", Delete SERVICE, Once;
        gives Done; needs Area("services"); logs whole(Service); refuses "`not_found`";
        typed "(name: ServiceName): void";
        example "await client.services.set('svc:wiki', { ports: ['tcp:443'] })
            await client.services.delete('svc:wiki')";
}
