//! What the calls about webhooks carry. Must not live here: events, deliveries, signatures.
use serde_json::{Map, Value};

use super::input::bodies;
use super::payload::{Accepted, Done, given_as_json};
use super::shape::{MemberKind, Shape, list, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// An address to which events of a tailnet are sent. Only `endpointId` is certain.
    #[non_exhaustive]
    pub struct Webhook {
        /// Its identifier.
        pub endpoint_id: String,
        /// The address that gets the events.
        pub endpoint_url: String,
        /// The provider in whose form they are sent: empty for events in JSON, else `slack` and so on.
        pub provider_type: String,
        /// Who made it; empty where a token of the tailnet did.
        pub creator_login_name: String,
        /// When it was made.
        pub created: Option<String>,
        /// When it was last changed.
        pub last_modified: Option<String>,
        /// The events that it gets.
        pub subscriptions: Vec<String>,
        /// The secret that signs the deliveries: only in the answers to creation and rotation.
        pub secret: Option<String>,
        /// Everything else.
        pub other: Map<String, Value>,
    }

    /// The answer to [`ListWebhooks`].
    #[non_exhaustive]
    pub struct Webhooks {
        /// The webhooks, without secrets.
        pub webhooks: Vec<Webhook>,
    }
}

/// What is checked of an answer with a new secret.
pub(super) const WITH_SECRET: Shape = Shape::Object(&[
    member("endpointId", MemberKind::Text),
    member("secret", MemberKind::Text),
]);

given_as_json! {
    Webhook: Shape::Object(&[member("endpointId", MemberKind::Text)]),
    Webhooks: list("webhooks"),
}

bodies! {
    /// A webhook to make.
    NewWebhook {
        /// The address that gets the events.
        endpoint_url: String = "endpointUrl",
        /// The events that it gets.
        subscriptions: Vec<String> = "subscriptions",
        /// The provider in whose form they are sent, where not as events in JSON.
        provider_type: Option<String> = "providerType",
    }
    /// What of a webhook can change.
    WebhookChange {
        /// All the events that it gets from now on.
        subscriptions: Vec<String> = "subscriptions",
    }
}

const WEBHOOKS: &str = "/api/v2/tailnet/:tailnet/webhooks";
const WEBHOOK: &str = "/api/v2/webhooks/:endpointID";

operations! {
    /// The webhooks of a tailnet.
    ListWebhooks(tailnet: TailnetName) "webhooks.list", Get WEBHOOKS, Read;
        gives Webhooks; needs Area("webhooks");
        typed "(): Webhook[]";
        example "const subscribed = await client.webhooks.list()";
        heads "webhooks" "The webhooks, which are sent events.";
    /// Makes a webhook. This answer contains the secret. A second one with the same URL fails, at some services with 500.
    CreateWebhook(tailnet: TailnetName) "webhooks.create", Post WEBHOOKS, Once;
        sends webhook: NewWebhook; gives Webhook as WITH_SECRET; needs Area("webhooks"); logs whole(Webhook);
        refuses "`bad_request` (subscriptions, provider), `server_error` (the URL is taken)";
        typed "(webhook: NewWebhook): Webhook & { /** The secret that signs deliveries. */ secret: string }";
        example "const { secret } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['policyUpdate'] })";
    /// One webhook.
    GetWebhook(id: ItemId) "webhooks.get", Get WEBHOOK, Read;
        gives Webhook; needs Area("webhooks"); refuses "`not_found`";
        example "const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
            const { subscriptions } = await client.webhooks.get(endpointId)";
    /// Replaces the subscriptions of a webhook; nothing else of it can change.
    UpdateWebhook(id: ItemId) "webhooks.update", Patch WEBHOOK, Replace;
        sends changes: WebhookChange; gives Webhook; needs Area("webhooks"); logs whole(Webhook);
        refuses "`not_found`, `bad_request`";
        typed "(id: string, changes: { /** All events it is sent from now on. */ subscriptions: WebhookSubscription[] }): Webhook";
        example "const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
            await client.webhooks.update(endpointId, { subscriptions: ['nodeCreated', 'nodeDeleted'] })";
    /// Removes a webhook.
    DeleteWebhook(id: ItemId) "webhooks.delete", Delete WEBHOOK, Once;
        gives Done; needs Area("webhooks"); logs whole(Webhook); refuses "`not_found`";
        example "const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
            await client.webhooks.delete(endpointId)";
    /// Has the service send a `test` event to a webhook, some time after the answer.
    TestWebhook(id: ItemId) "webhooks.test", Post "/api/v2/webhooks/:endpointID/test", Once;
        gives Accepted; needs Area("webhooks"); refuses "`not_found`";
        example "const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
            await client.webhooks.test(endpointId)";
    /// Gives a webhook another secret, which is in this answer. For a day check deliveries against both.
    RotateWebhookSecret(id: ItemId) "webhooks.rotateSecret", Post "/api/v2/webhooks/:endpointID/rotate", Once;
        gives Webhook as WITH_SECRET; needs Area("webhooks"); logs part(Webhook, "", "SECRET"); refuses "`not_found`";
        typed "(id: string): Webhook & { /** The secret that signs deliveries. */ secret: string }";
        example "const { endpointId } = await client.webhooks.create({ endpointUrl: 'https://hooks.example.com', subscriptions: ['nodeCreated'] })
            const { secret } = await client.webhooks.rotateSecret(endpointId)";
}
