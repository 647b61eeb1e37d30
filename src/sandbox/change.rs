//! What an operation changes: the thing, before and after. Must not live here: who is notified (`events`), how it is done.

use serde::Serialize;
use serde_json::Value;

use super::state::Tailnet;
use super::users::people;
use super::{Device, Sandbox};
use crate::api::payload::from_json;
use crate::api::{
    ItemId, Logged, Operation, PostureIntegration, Response, Scope, Subject, Webhook,
};

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
    logged: Logged,
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

/// What an operation changes, as the log calls it.
pub(super) fn kind(operation: Operation) -> Option<&'static str> {
    operation.logged().map(|logged| kind_of(logged.subject))
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
        let logged = operation.logged()?;
        Some(Watched {
            operation,
            logged,
            scope: scope.clone(),
            old: self.thing(logged, scope),
        })
    }

    /// What it did; None if nothing changed.
    pub(super) fn seen(&self, watched: Watched, response: &Response) -> Option<Change> {
        let Watched {
            operation,
            logged,
            scope,
            old,
        } = watched;
        let scope = match made(logged.subject, response) {
            Some(id) => Scope::from(id).and(scope),
            None => scope,
        };
        let new = self.thing(logged, &scope);
        // What is secret, or too much to be tracked, changes without being seen.
        let is_hidden =
            logged.property == Some("SECRET") || logged.subject == Subject::ManyAttributes;
        (old != new || is_hidden).then_some(Change {
            operation,
            old,
            new,
        })
    }

    fn thing(&self, logged: Logged, scope: &Scope) -> Option<Thing> {
        let named = scope.tailnet().ok();
        let named = named.and_then(|name| self.name_of(&name).ok());
        let mut homes = self
            .open()
            .filter(|(name, _)| named.as_deref().is_none_or(|named| named == *name));
        homes.find_map(|(name, tailnet)| find(logged, (name, tailnet), scope))
    }
}

/// The id of what was created, as in the answer.
fn made(subject: Subject, response: &Response) -> Option<ItemId> {
    let name = match subject {
        Subject::Key | Subject::Integration => "id",
        Subject::Webhook => "endpointId",
        Subject::Service => "name",
        _ => return None,
    };
    let body: Value = from_json(&response.body).ok()?;
    ItemId::new(body.get(name)?.as_str()?).ok()
}

/// What the log calls a device.
pub(super) const NODE: &str = "NODE";

fn kind_of(subject: Subject) -> &'static str {
    match subject {
        Subject::Device | Subject::Attributes => NODE,
        Subject::User => "USER",
        Subject::LogStream
        | Subject::Policy
        | Subject::Dns
        | Subject::Settings
        | Subject::Contacts => "TAILNET",
        Subject::ManyAttributes => "TAILNET",
        Subject::Key => "API_KEY",
        Subject::Webhook => "WEBHOOK_ENDPOINT",
        Subject::Service | Subject::Hosts => "SERVICE",
        Subject::Integration => "POSTURE_INTEGRATION",
    }
}

fn find(logged: Logged, (home, tailnet): (&str, &Tailnet), scope: &Scope) -> Option<Thing> {
    let field = logged.field;
    let item = scope.item().ok();
    let item = item.as_ref().map_or("", ItemId::as_str);
    let thing = |id: &str, name: &str, value| Thing {
        kind: kind_of(logged.subject),
        ..Thing::of(home, (id, name), value)
    };
    let whole = |value: &dyn Fn() -> Value| thing(home, home, value());
    Some(match logged.subject {
        Subject::Device => tailnet
            .device(scope.device().ok()?.as_str())?
            .thing(home, field),
        Subject::Attributes => {
            let device = tailnet.device(scope.device().ok()?.as_str())?;
            let value = tailnet.attributes.get(device.id());
            Thing {
                value: value.map(|of| json(&of.attributes)).unwrap_or_default(),
                ..device.thing(home, "")
            }
        }
        Subject::ManyAttributes => whole(&|| Value::Null),
        Subject::User => {
            let mut people = people(home, tailnet).into_iter();
            let user = people.find(|user| user.id == item)?;
            let value = json(&user).get(field).cloned().unwrap_or_default();
            thing(&user.id, &user.login_name, value)
        }
        Subject::Policy => whole(&|| tailnet.acl.clone().into()),
        Subject::Dns => whole(&|| json(&tailnet.dns)),
        Subject::Settings => whole(&|| json(&tailnet.settings)),
        Subject::Contacts => whole(&|| json(&tailnet.contacts)),
        Subject::Key => {
            let mut keys = tailnet.keys.iter().map(|stored| &stored.key);
            let key = keys.find(|key| key.id == item && key.revoked.is_none())?;
            let name = key.description.as_deref().unwrap_or_default();
            thing(item, name, json(key))
        }
        Subject::Webhook => {
            let webhook: &Webhook = tailnet.listed(item)?;
            thing(item, &webhook.endpoint_url, json(&webhook.shown()))
        }
        Subject::Integration => {
            let integration: &PostureIntegration = tailnet.listed(item)?;
            thing(item, &integration.provider, json(&integration.shown()))
        }
        Subject::Service => {
            let service = tailnet.service(item)?;
            thing(item, item, json(service))
        }
        Subject::LogStream => {
            let stream = tailnet.log_streams.get(item);
            whole(&|| stream.map_or(Value::Null, |stream| json(&stream.shown())))
        }
        Subject::Hosts => {
            let hosts = tailnet.service_hosts.get(item)?;
            thing(item, item, json(hosts))
        }
    })
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
