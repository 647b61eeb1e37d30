//! The calls about webhooks, services, logs and posture integrations: each is sent to the sandbox.
//! Must not live here: the other calls, the answers (`calls.rs`).
use tailnet_kit::api::{
    CreatePostureIntegration, CreateWebhook, DeletePostureIntegration, DeleteService,
    DeleteWebhook, DeviceId, Endpoint, GetAuditLog, GetNetworkLog, GetPostureIntegration,
    GetService, GetServiceApproval, GetWebhook, ItemId, ListPostureIntegrations, ListServiceHosts,
    ListServices, ListWebhooks, Operation, PostureIntegration, RotateWebhookSecret, SetService,
    SetServiceApproval, TailnetName, TestWebhook, UpdatePostureIntegration, UpdateWebhook,
    VipService, Webhook,
};
use tailnet_kit::client::{CallOptions, Client, Error};

use super::said;
use crate::contract::Service;
use crate::ready::ready;

/// Calls an operation; returns its answer in short.
pub fn ask(client: &Client<Service>, operation: Operation) -> Result<String, Error<Service>> {
    let tailnet = TailnetName::new("alice@gmail.com").expect("a name");
    let id = ItemId::new("w1").expect("an id");
    let subscriptions = vec!["nodeDeleted".to_owned()];
    match operation {
        Operation::ListWebhooks => {
            let listed = ready(client.call(&ListWebhooks { tailnet }, &CallOptions::default()))?;
            let ids: Vec<String> = listed
                .webhooks
                .into_iter()
                .map(|webhook| webhook.endpoint_id)
                .collect();
            Ok(format!("{ids:?}"))
        }
        Operation::CreateWebhook => {
            let url = "https://b.example".to_owned();
            let create = CreateWebhook {
                tailnet,
                url,
                subscriptions,
                provider: Some("slack".to_owned()),
            };
            webhook(client, create)
        }
        Operation::GetWebhook => webhook(client, GetWebhook { id }),
        Operation::UpdateWebhook => webhook(client, UpdateWebhook { id, subscriptions }),
        Operation::RotateWebhookSecret => webhook(client, RotateWebhookSecret { id }),
        Operation::DeleteWebhook => said(client, DeleteWebhook { id }),
        Operation::TestWebhook => said(client, TestWebhook { id }),
        other => services(client, other),
    }
}

fn webhook<E>(client: &Client<Service>, call: E) -> Result<String, Error<Service>>
where
    E: Endpoint<Output = Webhook>,
{
    let found = ready(client.call(&call, &CallOptions::default()))?;
    Ok(format!(
        "{:?} {}",
        found.subscriptions,
        found.secret.is_some()
    ))
}

fn services(client: &Client<Service>, operation: Operation) -> Result<String, Error<Service>> {
    let tailnet = TailnetName::new("alice@gmail.com").expect("a name");
    let name = ItemId::new("svc:wiki").expect("a name");
    let device = DeviceId::new("a b/ü").expect("an id");
    match operation {
        Operation::ListServices => {
            let listed = ready(client.call(&ListServices { tailnet }, &CallOptions::default()))?;
            let names: Vec<String> = listed
                .vip_services
                .into_iter()
                .map(|service| service.name)
                .collect();
            Ok(format!("{names:?}"))
        }
        Operation::GetService => service(client, GetService { tailnet, name }),
        Operation::SetService => {
            let replacement = VipService {
                addrs: vec!["100.90.1.2".to_owned(), "fd7a:115c:a1e0::1a:102".to_owned()],
                ports: vec!["tcp:80".to_owned()],
                ..VipService::default()
            };
            let set = SetService {
                tailnet,
                name,
                service: replacement,
            };
            service(client, set)
        }
        Operation::DeleteService => said(client, DeleteService { tailnet, name }),
        Operation::ListServiceHosts => {
            let call = ListServiceHosts { tailnet, name };
            let hosts = ready(client.call(&call, &CallOptions::default()))?.hosts;
            let ids: Vec<String> = hosts.into_iter().map(|host| host.stable_node_id).collect();
            Ok(format!("{ids:?}"))
        }
        Operation::GetServiceApproval => {
            let call = GetServiceApproval {
                tailnet,
                name,
                device,
            };
            said(client, call)
        }
        Operation::SetServiceApproval => {
            let approved = true;
            let call = SetServiceApproval {
                tailnet,
                name,
                device,
                approved,
            };
            said(client, call)
        }
        other => logs(client, other),
    }
}

fn logs(client: &Client<Service>, operation: Operation) -> Result<String, Error<Service>> {
    let tailnet = TailnetName::new("alice@gmail.com").expect("a name");
    let (start, end) = ("1970-01-01T00:00:00Z", "1970-01-02T00:00:00+01:00");
    let (start, end) = (start.to_owned(), end.to_owned());
    let call = CallOptions::default();
    let found: Vec<String> = match operation {
        Operation::GetAuditLog => {
            let log = GetAuditLog {
                tailnet,
                start,
                end,
                actors: vec!["~ali".to_owned()],
                targets: vec!["1".to_owned(), "2".to_owned()],
                events: vec!["NODE.ACL_TAGS".to_owned()],
            };
            let logs = ready(client.call(&log, &call))?.logs;
            logs.into_iter().map(|entry| entry.action).collect()
        }
        Operation::GetNetworkLog => {
            let log = GetNetworkLog {
                tailnet,
                start,
                end,
            };
            let logs = ready(client.call(&log, &call))?.logs;
            logs.into_iter().map(|flows| flows.node_id).collect()
        }
        other => return posture(client, other),
    };
    Ok(format!("{found:?}"))
}

fn posture(client: &Client<Service>, operation: Operation) -> Result<String, Error<Service>> {
    let tailnet = TailnetName::new("alice@gmail.com").expect("a name");
    let id = ItemId::new("p1").expect("an id");
    let new = |provider: &str, cloud_id: Option<&str>| PostureIntegration {
        provider: provider.to_owned(),
        cloud_id: cloud_id.map(str::to_owned),
        client_secret: Some("secret".to_owned()),
        ..PostureIntegration::default()
    };
    match operation {
        Operation::ListPostureIntegrations => {
            let call = ListPostureIntegrations { tailnet };
            let listed = ready(client.call(&call, &CallOptions::default()))?.integrations;
            let ids: Vec<String> = listed.into_iter().map(|one| one.id).collect();
            Ok(format!("{ids:?}"))
        }
        Operation::CreatePostureIntegration => {
            let integration = new("intune", None);
            let create = CreatePostureIntegration {
                tailnet,
                integration,
            };
            integration_of(client, create)
        }
        Operation::GetPostureIntegration => integration_of(client, GetPostureIntegration { id }),
        Operation::UpdatePostureIntegration => {
            let changes = new("", Some("https://b.example"));
            integration_of(client, UpdatePostureIntegration { id, changes })
        }
        Operation::DeletePostureIntegration => said(client, DeletePostureIntegration { id }),
        other => panic!("{other} is not asked"),
    }
}

fn integration_of<E>(client: &Client<Service>, call: E) -> Result<String, Error<Service>>
where
    E: Endpoint<Output = PostureIntegration>,
{
    let found = ready(client.call(&call, &CallOptions::default()))?;
    let PostureIntegration {
        provider,
        cloud_id,
        client_secret,
        ..
    } = found;
    Ok(format!("{provider} {cloud_id:?} {client_secret:?}"))
}

fn service<E>(client: &Client<Service>, call: E) -> Result<String, Error<Service>>
where
    E: Endpoint<Output = VipService>,
{
    let found = ready(client.call(&call, &CallOptions::default()))?;
    Ok(format!("{} {:?}", found.name, found.ports))
}
