//! The calls without a client method of their own: each is sent to the sandbox, with its answer.
//! Must not live here: the others, refusals.
#[path = "more.rs"]
mod more;

use std::fmt::Debug;

use serde_json::json;
use tailnet_kit::api::{
    AclBody, AclFormat, ApproveUser, AuthorizeDevice, BatchDeviceAttributes, CreateKey,
    DeleteDeviceAttribute, DeleteKey, DeleteUser, DeviceId, DnsConfiguration, Endpoint,
    ExpireDeviceKey, GetContacts, GetDeviceAttributes, GetDnsConfiguration, GetKey, GetSettings,
    GetSplitDns, GetUser, ItemId, Key, ListKeys, ListUsers, Operation, ReplaceSplitDns,
    ResendVerification, RestoreUser, SetDeviceAttribute, SetDeviceIp, SetDeviceKey, SetDeviceName,
    SetDeviceTags, SetDnsConfiguration, SetKey, SetUserRole, Settings, SuspendUser, TailnetName,
    UpdateContact, UpdateSettings, UpdateSplitDns, ValidateAcl,
};
use tailnet_kit::client::{CallOptions, Client, Error};

use crate::contract::Service;
use crate::ready::ready;

/// The answer to each call, by name.
pub const ANSWERS: [(&str, &str); 54] = [
    ("devices.authorize", "Done"),
    ("devices.setName", "Done"),
    ("devices.setTags", "Done"),
    ("devices.setKey", "Done"),
    ("devices.expireKey", "Done"),
    ("devices.setIP", "Done"),
    ("devices.attributes.get", r#"{"custom:tier": Number(2)} {}"#),
    ("devices.attributes.set", "Done"),
    ("devices.attributes.delete", "Done"),
    ("devices.attributes.batch", "Done"),
    ("acl.validate", "Valid"),
    ("dns.split.get", r#"{"corp.example": ["10.0.0.53"]}"#),
    ("dns.split.update", r#"{"new.example": ["10.0.0.54"]}"#),
    ("dns.split.replace", "{}"),
    ("dns.configuration.get", r#"["8.8.8.8"] true"#),
    ("dns.configuration.set", "[] false"),
    ("keys.list", r#"["k1", "k2"]"#),
    ("keys.create", "auth true"),
    ("keys.get", "k1 None"),
    ("keys.set", r#"k2 Some(["dns:read"])"#),
    ("keys.delete", "Done"),
    ("users.list", r#"["alice@gmail.com"]"#),
    ("users.get", "alice@gmail.com"),
    ("users.approve", "Done"),
    ("users.suspend", "Done"),
    ("users.restore", "Done"),
    ("users.delete", "Done"),
    ("users.setRole", "Done"),
    ("settings.get", "Number(180)"),
    ("settings.update", "Number(30)"),
    ("contacts.get", r#"["account", "security", "support"]"#),
    ("contacts.update", "Done"),
    ("contacts.resendVerification", "Done"),
    ("webhooks.list", r#"["w1"]"#),
    ("webhooks.create", r#"["nodeDeleted"] true"#),
    ("webhooks.get", r#"["nodeCreated"] false"#),
    ("webhooks.update", r#"["nodeDeleted"] false"#),
    ("webhooks.delete", "Done"),
    ("webhooks.test", "Done"),
    ("webhooks.rotateSecret", r#"["nodeCreated"] true"#),
    ("services.list", r#"["svc:wiki"]"#),
    ("services.get", r#"svc:wiki ["tcp:443"]"#),
    ("services.set", r#"svc:wiki ["tcp:80"]"#),
    ("services.delete", "Done"),
    ("services.hosts", r#"["a b/ü"]"#),
    (
        "services.approval.get",
        "ServiceApproval { approved: false, auto_approved: false }",
    ),
    (
        "services.approval.set",
        "ServiceApproval { approved: true, auto_approved: false }",
    ),
    ("logs.audit", r#"["UPDATE"]"#),
    ("logs.network", r#"["n1"]"#),
    ("postureIntegrations.list", r#"["p1"]"#),
    ("postureIntegrations.create", "intune None None"),
    (
        "postureIntegrations.get",
        r#"kandji Some("https://acme.example") None"#,
    ),
    (
        "postureIntegrations.update",
        r#"kandji Some("https://b.example") None"#,
    ),
    ("postureIntegrations.delete", "Done"),
];

pub fn said<E: Endpoint>(client: &Client<Service>, call: E) -> Result<String, Error<Service>>
where
    E::Output: Debug,
{
    let answer = ready(client.call(&call, &CallOptions::default()))?;
    Ok(format!("{answer:?}"))
}

/// Calls an operation; returns its answer in short.
pub fn ask(client: &Client<Service>, operation: Operation) -> Result<String, Error<Service>> {
    let id = DeviceId::new("a b/ü").expect("an id");
    let tailnet = TailnetName::new("alice@gmail.com").expect("a name");
    let item = |text: &str| ItemId::new(text).expect("an id");
    match operation {
        Operation::AuthorizeDevice => said(
            client,
            AuthorizeDevice {
                id,
                authorized: true,
            },
        ),
        Operation::SetDeviceName => said(
            client,
            SetDeviceName {
                id,
                name: "New_Name".to_owned(),
            },
        ),
        Operation::SetDeviceTags => said(
            client,
            SetDeviceTags {
                id,
                tags: Vec::new(),
            },
        ),
        Operation::SetDeviceKey => said(
            client,
            SetDeviceKey {
                id,
                key_expiry_disabled: true,
            },
        ),
        Operation::ExpireDeviceKey => said(client, ExpireDeviceKey { id }),
        Operation::SetDeviceIp => said(
            client,
            SetDeviceIp {
                id,
                ipv4: "100.64.0.7".to_owned(),
            },
        ),
        Operation::GetDeviceAttributes => {
            let call = GetDeviceAttributes { id };
            let found = ready(client.call(&call, &CallOptions::default()))?;
            Ok(format!("{:?} {:?}", found.attributes, found.expiries))
        }
        Operation::SetDeviceAttribute => {
            let (key, value) = (item("custom:tier"), json!(3));
            let (expiry, comment) = (None, Some("why".to_owned()));
            said(
                client,
                SetDeviceAttribute {
                    id,
                    key,
                    value,
                    expiry,
                    comment,
                },
            )
        }
        Operation::DeleteDeviceAttribute => said(
            client,
            DeleteDeviceAttribute {
                id,
                key: item("custom:tier"),
            },
        ),
        Operation::BatchDeviceAttributes => {
            let nodes = json!({"a b/ü": {"custom:tier": null, "custom:jit": {"value": true}}});
            said(
                client,
                BatchDeviceAttributes {
                    tailnet,
                    nodes,
                    comment: None,
                },
            )
        }
        Operation::ValidateAcl => {
            let body = AclBody {
                format: AclFormat::HuJson,
                text: "{}".to_owned(),
            };
            let verdict =
                ready(client.call(&ValidateAcl { tailnet, body }, &CallOptions::default()))?;
            Ok(format!("{:?}", verdict.outcome()))
        }
        other => administration(client, other),
    }
}

fn administration(
    client: &Client<Service>,
    operation: Operation,
) -> Result<String, Error<Service>> {
    let tailnet = TailnetName::new("alice@gmail.com").expect("a name");
    let id = |text: &str| ItemId::new(text).expect("an id");
    let ann = || id("u1");
    let texts = |text: &str| vec![text.to_owned()];
    match operation {
        Operation::GetSplitDns => said(client, GetSplitDns { tailnet }),
        Operation::UpdateSplitDns => {
            let domains = [
                ("new.example".to_owned(), Some(texts("10.0.0.54"))),
                ("corp.example".to_owned(), None),
            ];
            said(
                client,
                UpdateSplitDns {
                    tailnet,
                    domains: domains.into(),
                },
            )
        }
        Operation::ReplaceSplitDns => said(
            client,
            ReplaceSplitDns {
                tailnet,
                domains: Default::default(),
            },
        ),
        Operation::GetDnsConfiguration => configuration(client, GetDnsConfiguration { tailnet }),
        Operation::SetDnsConfiguration => {
            let configuration_ = DnsConfiguration::default();
            configuration(
                client,
                SetDnsConfiguration {
                    tailnet,
                    configuration: configuration_,
                },
            )
        }
        Operation::ListKeys => {
            let listed =
                ready(client.call(&ListKeys { tailnet, all: true }, &CallOptions::default()))?;
            let ids: Vec<String> = listed.keys.into_iter().map(|key| key.id).collect();
            Ok(format!("{ids:?}"))
        }
        Operation::CreateKey => {
            let capabilities = Some(Default::default());
            let key = Key {
                capabilities,
                ..Key::default()
            };
            let made = ready(client.call(&CreateKey { tailnet, key }, &CallOptions::default()))?;
            Ok(format!(
                "{} {}",
                made.key_type.unwrap_or_default(),
                made.key.is_some()
            ))
        }
        Operation::GetKey => {
            let key = ready(client.call(
                &GetKey {
                    tailnet,
                    id: id("k1"),
                },
                &CallOptions::default(),
            ))?;
            Ok(format!("{} {:?}", key.id, key.key))
        }
        Operation::SetKey => {
            let (key_type, scopes) = (Some("client".to_owned()), Some(texts("dns:read")));
            let key = Key {
                key_type,
                scopes,
                ..Key::default()
            };
            let set = SetKey {
                tailnet,
                id: id("k2"),
                key,
            };
            let key = ready(client.call(&set, &CallOptions::default()))?;
            Ok(format!("{} {:?}", key.id, key.scopes))
        }
        Operation::DeleteKey => said(
            client,
            DeleteKey {
                tailnet,
                id: id("k1"),
            },
        ),
        Operation::ListUsers => {
            let call = ListUsers {
                tailnet,
                kind: None,
                role: Some("owner".to_owned()),
            };
            let listed = ready(client.call(&call, &CallOptions::default()))?;
            let names: Vec<String> = listed
                .users
                .into_iter()
                .map(|user| user.login_name)
                .collect();
            Ok(format!("{names:?}"))
        }
        Operation::GetUser => {
            let user = ready(client.call(&GetUser { id: ann() }, &CallOptions::default()))?;
            Ok(user.login_name)
        }
        Operation::ApproveUser => said(client, ApproveUser { id: ann() }),
        Operation::SuspendUser => said(client, SuspendUser { id: ann() }),
        Operation::RestoreUser => said(client, RestoreUser { id: ann() }),
        Operation::DeleteUser => said(client, DeleteUser { id: id("u2") }),
        Operation::SetUserRole => said(
            client,
            SetUserRole {
                id: id("u2"),
                role: "admin".to_owned(),
            },
        ),
        Operation::GetSettings => days(client, GetSettings { tailnet }),
        Operation::UpdateSettings => {
            let changes = json!({"devicesKeyDurationDays": 30}).as_object().cloned();
            days(
                client,
                UpdateSettings {
                    tailnet,
                    changes: changes.unwrap_or_default(),
                },
            )
        }
        Operation::GetContacts => {
            let found = ready(client.call(&GetContacts { tailnet }, &CallOptions::default()))?;
            Ok(format!("{:?}", found.into_keys().collect::<Vec<_>>()))
        }
        Operation::UpdateContact => {
            let (kind, email) = (id("security"), "sec@example.com".to_owned());
            said(
                client,
                UpdateContact {
                    tailnet,
                    kind,
                    email,
                },
            )
        }
        Operation::ResendVerification => said(
            client,
            ResendVerification {
                tailnet,
                kind: id("support"),
            },
        ),
        other => more::ask(client, other),
    }
}

fn configuration<E>(client: &Client<Service>, call: E) -> Result<String, Error<Service>>
where
    E: Endpoint<Output = DnsConfiguration>,
{
    let found = ready(client.call(&call, &CallOptions::default()))?;
    let servers: Vec<String> = found
        .nameservers
        .into_iter()
        .map(|server| server.address)
        .collect();
    Ok(format!(
        "{servers:?} {}",
        found.preferences.unwrap_or_default().magic_dns
    ))
}

fn days<E>(client: &Client<Service>, call: E) -> Result<String, Error<Service>>
where
    E: Endpoint<Output = Settings>,
{
    let found = ready(client.call(&call, &CallOptions::default()))?;
    Ok(format!("{:?}", found["devicesKeyDurationDays"]))
}
