//! What an operation changes: the thing, before and after. Must not live here: who is notified (`events`), how it is done.

use serde::Serialize;
use serde_json::Value;

use super::state::Tailnet;
use super::users::people;
use super::{Device, Sandbox};
use crate::api::endpoint::from_json;
use crate::api::{ItemId, Operation, Response, Scope};

/// Which part of the state an operation changes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum About {
    /// A field of a device; empty for the whole device.
    Device(&'static str),
    /// The posture attributes of a device.
    Attributes,
    /// Those of many devices at once: not tracked.
    ManyAttributes,
    /// A field of a user; empty for the whole user.
    User(&'static str),
    /// The policy.
    Policy,
    /// All DNS settings.
    Dns,
    Settings,
    Contacts,
    Key,
    Webhook,
    Service,
    /// The hosts of a service.
    Hosts,
    Integration,
}

/// A thing at one moment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thing {
    /// The tailnet that it belongs to.
    pub tailnet: String,
    /// Its type, as the log calls it.
    pub kind: &'static str,
    pub id: String,
    pub name: String,
    /// The login name of its owner; empty if it has none.
    pub owner: String,
    /// What of it can change, without secrets.
    pub value: Value,
}

/// What is watched while an operation runs.
pub(super) struct Watched {
    operation: Operation,
    about: About,
    scope: Scope,
    old: Option<Thing>,
}

/// What an operation did. At least one of before and after is there.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub operation: Operation,
    pub old: Option<Thing>,
    pub new: Option<Thing>,
}

/// What an operation changes; None if it changes nothing worth reporting.
fn about(operation: Operation) -> Option<About> {
    use Operation as Op;
    Some(match operation {
        Op::DeleteDevice => About::Device(""),
        Op::AuthorizeDevice => About::Device("authorized"),
        Op::SetDeviceName => About::Device("name"),
        Op::SetDeviceTags => About::Device("tags"),
        Op::SetDeviceKey => About::Device("keyExpiryDisabled"),
        Op::ExpireDeviceKey => About::Device("expires"),
        Op::SetDeviceIp => About::Device("addresses"),
        Op::SetDeviceRoutes => About::Device("enabledRoutes"),
        Op::SetDeviceAttribute | Op::DeleteDeviceAttribute => About::Attributes,
        Op::BatchDeviceAttributes => About::ManyAttributes,
        Op::SetAcl => About::Policy,
        Op::SetNameservers | Op::SetPreferences | Op::SetSearchPaths => About::Dns,
        Op::UpdateSplitDns | Op::ReplaceSplitDns | Op::SetDnsConfiguration => About::Dns,
        Op::UpdateSettings => About::Settings,
        Op::UpdateContact => About::Contacts,
        Op::ApproveUser | Op::SuspendUser | Op::RestoreUser => About::User("status"),
        Op::DeleteUser => About::User(""),
        Op::SetUserRole => About::User("role"),
        Op::CreateKey | Op::SetKey | Op::DeleteKey => About::Key,
        Op::CreateWebhook | Op::UpdateWebhook | Op::DeleteWebhook => About::Webhook,
        Op::RotateWebhookSecret => About::Webhook,
        Op::SetService | Op::DeleteService => About::Service,
        Op::SetServiceApproval => About::Hosts,
        Op::CreatePostureIntegration
        | Op::UpdatePostureIntegration
        | Op::DeletePostureIntegration => About::Integration,
        _ => return None,
    })
}

/// What an operation changes, as the log calls it.
pub(super) fn kind(operation: Operation) -> Option<&'static str> {
    about(operation).map(About::kind)
}

impl Change {
    /// The thing as it is now, or as it was before it was removed.
    pub fn thing(&self) -> Option<&Thing> {
        self.new.as_ref().or(self.old.as_ref())
    }
}

impl Sandbox {
    /// Remembers what the operation is about to change.
    pub(super) fn watch(&self, operation: Operation, scope: &Scope) -> Option<Watched> {
        let about = about(operation)?;
        Some(Watched {
            operation,
            about,
            scope: scope.clone(),
            old: self.thing(about, scope),
        })
    }

    /// What it did; None if nothing changed.
    pub(super) fn seen(&self, watched: Watched, response: &Response) -> Option<Change> {
        let Watched {
            operation,
            about,
            scope,
            old,
        } = watched;
        let scope = match made(about, response) {
            Some(id) => Scope::from(id).and(scope),
            None => scope,
        };
        let new = self.thing(about, &scope);
        let is_hidden = matches!(
            operation,
            Operation::RotateWebhookSecret | Operation::BatchDeviceAttributes
        );
        (old != new || is_hidden).then_some(Change {
            operation,
            old,
            new,
        })
    }

    fn thing(&self, about: About, scope: &Scope) -> Option<Thing> {
        let named = scope.tailnet().ok();
        let named = named.and_then(|name| self.name_of(&name).ok());
        let mut homes = self
            .open()
            .filter(|(name, _)| named.as_deref().is_none_or(|named| named == *name));
        homes.find_map(|(name, tailnet)| about.find(name, tailnet, scope))
    }
}

/// The id of what was created, as in the answer.
fn made(about: About, response: &Response) -> Option<ItemId> {
    let name = match about {
        About::Key | About::Integration => "id",
        About::Webhook => "endpointId",
        About::Service => "name",
        _ => return None,
    };
    let body: Value = from_json(&response.body).ok()?;
    ItemId::new(body.get(name)?.as_str()?).ok()
}

/// What the log calls a device.
pub(super) const NODE: &str = "NODE";

impl About {
    fn kind(self) -> &'static str {
        match self {
            About::Device(_) | About::Attributes => NODE,
            About::User(_) => "USER",
            About::Policy | About::Dns | About::Settings | About::Contacts => "TAILNET",
            About::ManyAttributes => "TAILNET",
            About::Key => "API_KEY",
            About::Webhook => "WEBHOOK_ENDPOINT",
            About::Service | About::Hosts => "SERVICE",
            About::Integration => "POSTURE_INTEGRATION",
        }
    }

    fn find(self, home: &str, tailnet: &Tailnet, scope: &Scope) -> Option<Thing> {
        let item = scope.item().ok();
        let item = item.as_ref().map_or("", ItemId::as_str);
        let thing = |id: &str, name: &str, value| Thing {
            kind: self.kind(),
            ..Thing::of(home, (id, name), value)
        };
        let whole = |value: &dyn Fn() -> Value| thing(home, home, value());
        Some(match self {
            About::Device(field) => tailnet
                .device(scope.device().ok()?.as_str())?
                .thing(home, field),
            About::Attributes => {
                let device = tailnet.device(scope.device().ok()?.as_str())?;
                let value = tailnet.attributes.get(device.id());
                Thing {
                    value: value.map(|of| json(&of.attributes)).unwrap_or_default(),
                    ..device.thing(home, "")
                }
            }
            About::ManyAttributes => whole(&|| Value::Null),
            About::User(field) => {
                let mut people = people(home, tailnet).into_iter();
                let user = people.find(|user| user.id == item)?;
                let value = json(&user).get(field).cloned().unwrap_or_default();
                thing(&user.id, &user.login_name, value)
            }
            About::Policy => whole(&|| tailnet.acl.clone().into()),
            About::Dns => whole(&|| json(&tailnet.dns)),
            About::Settings => whole(&|| json(&tailnet.settings)),
            About::Contacts => whole(&|| json(&tailnet.contacts)),
            About::Key => {
                let mut keys = tailnet.keys.iter().map(|stored| &stored.key);
                let key = keys.find(|key| key.id == item && key.revoked.is_none())?;
                let name = key.description.as_deref().unwrap_or_default();
                thing(item, name, json(key))
            }
            About::Webhook => {
                let webhook = tailnet.webhook(item)?;
                thing(item, &webhook.endpoint_url, json(&webhook.shown()))
            }
            About::Integration => {
                let integration = tailnet.posture_integration(item)?;
                thing(item, &integration.provider, json(&integration.shown()))
            }
            About::Service => {
                let service = tailnet.service(item)?;
                thing(item, item, json(service))
            }
            About::Hosts => {
                let hosts = tailnet.service_hosts.get(item)?;
                thing(item, item, json(hosts))
            }
        })
    }
}

impl Device {
    /// The device of which this field is watched.
    pub(super) fn thing(&self, tailnet: &str, field: &str) -> Thing {
        let value = self.field(field).cloned().unwrap_or_default();
        let owner = self.text("user").to_owned();
        let thing = Thing::of(tailnet, (self.node_id(), self.text("name")), value);
        Thing { owner, ..thing }
    }
}

impl Thing {
    fn of(tailnet: &str, (id, name): (&str, &str), value: Value) -> Thing {
        Thing {
            tailnet: tailnet.to_owned(),
            kind: NODE,
            id: id.to_owned(),
            name: name.to_owned(),
            owner: String::new(),
            value,
        }
    }
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
