//! The exchanges about services. Must not live here: the files.
use tailnet_kit::api::{
    DeleteService, Done, GetService, GetServiceApproval, ItemId, ListServiceHosts, ListServices,
    PathStyle, ServiceApproval, ServiceHost, ServiceHosts, SetService, SetServiceApproval,
    VipService, VipServices,
};

use super::{device, example, exchange, texts};

const STYLE: PathStyle = PathStyle::Tailnet;

fn name() -> ItemId {
    ItemId::new("svc:wiki").expect("a name")
}

fn wiki() -> VipService {
    VipService {
        name: "svc:wiki".to_owned(),
        addrs: texts(&["100.90.1.2", "fd7a:115c:a1e0::5a01:102"]),
        ports: texts(&["tcp:443"]),
        tags: texts(&["tag:web"]),
        ..VipService::default()
    }
}

#[test]
fn services() {
    let (tailnet, name) = (example, name);
    let listed = VipServices {
        vip_services: vec![wiki()],
    };
    exchange(ListServices { tailnet: tailnet() }, STYLE, listed);
    let get = GetService {
        tailnet: tailnet(),
        name: name(),
    };
    exchange(get, STYLE, wiki());
    let set = SetService {
        tailnet: tailnet(),
        name: name(),
        service: wiki(),
    };
    exchange(set, STYLE, wiki());
    let delete = DeleteService {
        tailnet: tailnet(),
        name: name(),
    };
    exchange(delete, STYLE, Done);
}

#[test]
fn hosts_of_a_service() {
    let host = ServiceHost {
        stable_node_id: "n7Qd2xkCNTRL".to_owned(),
        approval_level: "approved:auto".to_owned(),
        configured: "ready".to_owned(),
        ..ServiceHost::default()
    };
    let hosts = ListServiceHosts {
        tailnet: example(),
        name: name(),
    };
    exchange(hosts, STYLE, ServiceHosts { hosts: vec![host] });
    let output = ServiceApproval {
        approved: true,
        auto_approved: false,
    };
    let get = GetServiceApproval {
        tailnet: example(),
        name: name(),
        device: device(),
    };
    exchange(get, STYLE, output);
    let set = SetServiceApproval {
        tailnet: example(),
        name: name(),
        device: device(),
        approved: true,
    };
    exchange(set, STYLE, output);
}
