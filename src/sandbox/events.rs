//! The events of a tailnet for webhooks, and the signed requests that deliver them.
//! Must not live here: sending them, the calls about webhooks, what an operation changes (`change`).

use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::Sha256;

use super::change::{Change, Thing};
use super::choices::Outcome;
use super::{BASE_URL, Sandbox, clock};
use crate::api::{ItemId, Operation, Webhook, headers};

/// The events of webhooks.
pub(super) const SUBSCRIPTIONS: [&str; 18] = [
    "nodeCreated",
    "nodeNeedsApproval",
    "nodeApproved",
    "nodeKeyExpiringInOneDay",
    "nodeKeyExpired",
    "nodeDeleted",
    "nodeSigned",
    "nodeNeedsSignature",
    "policyUpdate",
    "userCreated",
    "userNeedsApproval",
    "userSuspended",
    "userRestored",
    "userDeleted",
    "userApproved",
    "userRoleUpdated",
    SUBNET_IP_FORWARDING,
    EXIT_NODE_IP_FORWARDING,
];

/// All events of a category.
pub(super) const CATEGORIES: [&str; 2] = [MANAGEMENT, MISCONFIGURATIONS];

const MANAGEMENT: &str = "categoryTailnetManagement";
const MISCONFIGURATIONS: &str = "categoryDeviceMisconfigurations";
const SUBNET_IP_FORWARDING: &str = "subnetIPForwardingNotEnabled";
const EXIT_NODE_IP_FORWARDING: &str = "exitNodeIPForwardingNotEnabled";

/// A request to a webhook, to be sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The webhook.
    pub endpoint_id: String,
    /// Its address.
    pub endpoint_url: String,
    /// When it happened, RFC 3339.
    pub at: String,
    /// The value of the header that signs the body.
    pub signature: String,
    /// Fields of the header.
    pub headers: [(&'static str, String); 2],
    /// The body.
    pub body: String,
    /// The events, whatever the format of the body.
    pub events: Vec<Value>,
}

impl Sandbox {
    /// The deliveries since the last call.
    pub fn take_deliveries(&mut self) -> Vec<Delivery> {
        std::mem::take(&mut self.deliveries)
    }

    /// Sends a change to the webhooks that want it.
    pub(super) fn tell_webhooks(&mut self, change: &Change, now: i64) {
        if let (Some(kind), Some(thing)) = (event_of(change), change.thing()) {
            let (message, mut data) = told(kind, change, thing);
            data["actor"] = self.actor(&thing.tailnet).login_name.into();
            self.happen(&thing.tailnet, kind, message, data, now);
        }
        let own = [Operation::UpdateWebhook, Operation::RotateWebhookSecret];
        let id = change.thing().map(|thing| ItemId::new(&*thing.id));
        if let (true, Some(Ok(id))) = (own.contains(&change.operation), id) {
            // INVARIANT: the change was to this webhook, so it is there.
            let _ = self.tell_one(&id, "webhookUpdated", now);
        }
    }

    /// Sends such events to all webhooks of the tailnet that want them.
    pub(super) fn happen(
        &mut self,
        tailnet: &str,
        kind: &str,
        message: String,
        data: Value,
        now: i64,
    ) {
        let category = match kind {
            SUBNET_IP_FORWARDING | EXIT_NODE_IP_FORWARDING => MISCONFIGURATIONS,
            _ => MANAGEMENT,
        };
        let wants = |webhook: &&Webhook| {
            let mut names = webhook.subscriptions.iter();
            names.any(|name| name == kind || name == category)
        };
        let webhooks = self.state.tailnets.get(tailnet).map(|home| &home.webhooks);
        let told = webhooks.into_iter().flatten().filter(wants);
        let event = event(tailnet, kind, message, data, now);
        let deliveries = told.map(|webhook| delivery(webhook, &event, now));
        let deliveries: Vec<Delivery> = deliveries.collect();
        self.deliveries.extend(deliveries);
    }

    /// Sends one webhook an event about itself, whatever it subscribes to.
    ///
    /// # Errors
    /// [`Unknown`](super::choices::Refusal::Unknown) if it does not exist.
    pub(super) fn tell_one(&mut self, id: &ItemId, kind: &str, now: i64) -> Outcome<()> {
        let (home, webhook) = self.listed::<Webhook>(id)?;
        let webhook = webhook.clone();
        let data = json!({"endpointId": webhook.endpoint_id, "actor": self.actor(home).login_name});
        let message = match kind {
            "test" => "this is a test".to_owned(),
            "webhookDeleted" => "this webhook was deleted".to_owned(),
            _ => "this webhook was changed".to_owned(),
        };
        let event = event(home, kind, message, data, now);
        self.deliveries.push(delivery(&webhook, &event, now));
        Ok(())
    }
}

/// The type of the event for a change; None if it has none.
fn event_of(change: &Change) -> Option<&'static str> {
    let gone = change.new.is_none();
    let is = |thing: &Option<Thing>, wanted: Value| {
        thing.as_ref().is_some_and(|thing| thing.value == wanted)
    };
    Some(match change.operation {
        Operation::DeleteDevice => "nodeDeleted",
        Operation::AuthorizeDevice if gone => "nodeDeleted",
        Operation::AuthorizeDevice if is(&change.new, true.into()) => "nodeApproved",
        Operation::SetAcl => "policyUpdate",
        Operation::ApproveUser => "userApproved",
        Operation::SuspendUser => "userSuspended",
        Operation::RestoreUser => "userRestored",
        Operation::DeleteUser => "userDeleted",
        Operation::SetUserRole => "userRoleUpdated",
        _ => return None,
    })
}

/// The contents of an event, for people and for programs.
fn told(kind: &str, change: &Change, thing: &Thing) -> (String, Value) {
    let value = |thing: &Option<Thing>| thing.as_ref().map(|thing| thing.value.clone());
    match kind {
        "policyUpdate" => (
            "the policy was replaced".to_owned(),
            json!({"oldPolicy": value(&change.old), "newPolicy": value(&change.new), "url": page("acls")}),
        ),
        "userRoleUpdated" => (
            format!("{} has another role", thing.name),
            json!({"user": thing.name, "oldRoles": [value(&change.old)], "newRoles": [value(&change.new)], "url": page("users")}),
        ),
        _ if kind.starts_with("user") => user(kind, &thing.name),
        _ => node(kind, thing),
    }
}

/// An event about a user.
pub(super) fn user(kind: &str, login: &str) -> (String, Value) {
    let data = json!({"user": login, "url": page("users")});
    (format!("{login}: {kind}"), data)
}

/// An event about a device.
pub(super) fn node(kind: &str, device: &Thing) -> (String, Value) {
    let data = json!({"nodeID": device.id, "deviceName": device.name, "managedBy": device.owner, "url": page("machines")});
    (format!("{}: {kind}", device.name), data)
}

/// A page for people.
fn page(name: &str) -> String {
    format!("{BASE_URL}/admin/{name}")
}

fn event(tailnet: &str, kind: &str, message: String, data: Value, now: i64) -> Value {
    json!({"timestamp": clock::utc(now), "version": 1, "type": kind, "tailnet": tailnet, "message": message, "data": data})
}

fn delivery(webhook: &Webhook, event: &Value, now: i64) -> Delivery {
    let events = vec![event.clone()];
    let text = event.get("message").cloned().unwrap_or_default();
    let body = match webhook.provider_type.as_str() {
        "" => Value::from(events.clone()),
        "discord" => json!({"content": text}),
        _ => json!({"text": text}),
    };
    let body = body.to_string();
    let signature = signature(webhook.secret.as_deref().unwrap_or_default(), &body, now);
    Delivery {
        endpoint_id: webhook.endpoint_id.clone(),
        endpoint_url: webhook.endpoint_url.clone(),
        at: clock::utc(now),
        headers: [
            (headers::CONTENT_TYPE, headers::JSON.to_owned()),
            (headers::WEBHOOK_SIGNATURE, signature.clone()),
        ],
        signature,
        body,
        events,
    }
}

/// `t=<seconds>,v1=<hexadecimal>`: HMAC-SHA-256 (RFC 2104) of `<seconds>.<body>` under the secret as it is written.
fn signature(secret: &str, body: &str, now: i64) -> String {
    let seconds = now.div_euclid(1000);
    let mut text = format!("t={seconds},v1=");
    // INVARIANT: HMAC takes keys of every length.
    if let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) {
        mac.update(format!("{seconds}.{body}").as_bytes());
        for byte in mac.finalize().into_bytes() {
            text.push_str(&format!("{byte:02x}"));
        }
    }
    text
}
