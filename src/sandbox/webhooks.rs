//! The calls about webhooks. Must not live here: their events (`events`), wire shapes (`api`).

use super::choices::{Outcome, Refusal, refused};
use super::events::{CATEGORIES, SUBSCRIPTIONS};
use super::perform::serves;
use super::{Sandbox, clock};
use crate::api::{
    Accepted, CreateWebhook, DeleteWebhook, Done, GetWebhook, ListWebhooks, RotateWebhookSecret,
    TestWebhook, UpdateWebhook, Webhook, Webhooks,
};
use crate::tables::find::split_once;
use crate::tables::sort::sort;

/// The formats of deliveries; the empty one stands for JSON.
const PROVIDERS: [&str; 5] = ["", "slack", "mattermost", "googlechat", "discord"];

serves! {
    ListWebhooks: plain list_webhooks,
    CreateWebhook: timed create_webhook,
    GetWebhook: plain get_webhook,
    UpdateWebhook: timed update_webhook,
    DeleteWebhook: timed delete_webhook,
    TestWebhook: timed test_webhook,
    RotateWebhookSecret: timed rotate_webhook_secret,
}

impl Sandbox {
    fn list_webhooks(&self, call: ListWebhooks) -> Outcome<Webhooks> {
        let stored = &self.tailnet(&call.tailnet)?.webhooks;
        let webhooks = stored.iter().map(Webhook::shown).collect();
        Ok(Webhooks { webhooks })
    }

    /// It is not checked that the address exists. The secret is in this answer.
    fn create_webhook(&mut self, call: CreateWebhook, now: i64) -> Outcome<Webhook> {
        let home = self.name_of(&call.tailnet)?;
        let provider_type = call.webhook.provider_type.unwrap_or_default();
        if !PROVIDERS.contains(&provider_type.as_str()) {
            return refused!("unsupported provider");
        }
        let subscriptions = subscribed(call.webhook.subscriptions)?;
        let url = address(call.webhook.endpoint_url)?;
        let taken = |webhook: &Webhook| webhook.endpoint_url == url;
        if self.tailnet(&call.tailnet)?.webhooks.iter().any(taken) {
            return Err(Refusal::UrlTaken);
        }
        let webhook = Webhook {
            endpoint_id: format!("w{}CNTRL", self.fresh("webhook", now)),
            endpoint_url: url,
            provider_type,
            creator_login_name: self.actor(&home).login_name,
            created: Some(clock::utc(now)),
            last_modified: Some(clock::utc(now)),
            subscriptions,
            secret: Some(self.webhook_secret(now)),
            ..Webhook::default()
        };
        let stored = &mut self.tailnet_mut(&call.tailnet)?.webhooks;
        stored.push(webhook.clone());
        Ok(webhook)
    }

    fn get_webhook(&self, call: GetWebhook) -> Outcome<Webhook> {
        Ok(self.listed::<Webhook>(&call.id)?.1.shown())
    }

    fn update_webhook(&mut self, call: UpdateWebhook, now: i64) -> Outcome<Webhook> {
        let subscriptions = subscribed(call.changes.subscriptions)?;
        let (_, webhook) = self.listed_mut::<Webhook>(&call.id)?;
        webhook.subscriptions = subscriptions;
        webhook.last_modified = Some(clock::utc(now));
        Ok(webhook.shown())
    }

    fn delete_webhook(&mut self, call: DeleteWebhook, now: i64) -> Outcome<Done> {
        self.tell_one(&call.id, "webhookDeleted", now)?;
        self.unlist::<Webhook>(&call.id)
    }

    /// Whatever the webhook subscribes to.
    fn test_webhook(&mut self, call: TestWebhook, now: i64) -> Outcome<Accepted> {
        self.tell_one(&call.id, "test", now)?;
        Ok(Accepted)
    }

    fn rotate_webhook_secret(&mut self, call: RotateWebhookSecret, now: i64) -> Outcome<Webhook> {
        let secret = self.webhook_secret(now);
        let (_, webhook) = self.listed_mut::<Webhook>(&call.id)?;
        webhook.secret = Some(secret);
        webhook.last_modified = Some(clock::utc(now));
        Ok(webhook.clone())
    }

    fn webhook_secret(&mut self, now: i64) -> String {
        format!("tskey-webhook-{}", self.fresh("webhook secret", now))
    }
}

impl Webhook {
    /// As it is returned, without its secret.
    pub(super) fn shown(&self) -> Webhook {
        let secret = None;
        Webhook {
            secret,
            ..self.clone()
        }
    }
}

/// Sorted, each once.
fn subscribed(mut wanted: Vec<String>) -> Outcome<Vec<String>> {
    if wanted.is_empty() {
        return refused!("a webhook needs at least one subscription");
    }
    let known = |name: &String| {
        SUBSCRIPTIONS.contains(&name.as_str()) || CATEGORIES.contains(&name.as_str())
    };
    if let Some(unknown) = wanted.iter().find(|name| !known(name)) {
        return refused!("invalid webhook event type \"{unknown}\"");
    }
    sort(&mut wanted);
    wanted.dedup();
    Ok(wanted)
}

/// An absolute https URL with port 443 or 80; on this machine http and any port will do.
fn address(url: String) -> Outcome<String> {
    let (scheme, rest) = split_once(&url, "://").unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, "443"),
    };
    let plain = |c: char| c.is_ascii_graphic() && !"@\\\"<>".contains(c);
    let number: Option<u16> = port.parse().ok();
    let loopback = host == "localhost" || host == "[::1]" || host.starts_with("127.");
    let fits = match scheme {
        "https" => loopback || matches!(port, "443" | "80"),
        "http" => loopback,
        _ => false,
    };
    match fits && !host.is_empty() && number.is_some() && url.chars().all(plain) {
        true => Ok(url),
        false => {
            refused!("endpointUrl must be an absolute https URL with port 443 or 80, not \"{url}\"")
        }
    }
}
