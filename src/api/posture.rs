//! What the calls about posture integrations carry, through which the service learns about devices.
//! Must not live here: the attributes that devices get from there (`attributes`).
use serde_json::{Map, Value};

use super::input::sent_as_json;
use super::payload::{Done, given_as_json};
use super::shape::{Form, MemberKind, Shape, list, member};
use super::table::operations;
use super::wire_types::wire_types;

wire_types! {
    /// A connection to a provider that knows devices. Only `id` and `provider` are certain.
    #[non_exhaustive]
    pub struct PostureIntegration {
        /// Its identifier; empty for one that is yet to be made.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub id: String,
        /// The provider: `falcon`, `intune` and so on. It cannot change.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub provider: String,
        /// The provider's region or URL, in its own form.
        pub cloud_id: Option<String>,
        /// The client id at the provider.
        pub client_id: Option<String>,
        /// The tenant id at the provider.
        pub tenant_id: Option<String>,
        /// The client's secret: sent, but never in an answer.
        pub client_secret: Option<String>,
        /// When any of this was last changed.
        pub config_updated: Option<String>,
        /// The state of the synchronization, and everything else.
        pub other: Map<String, Value>,
    }

    /// The answer to [`ListPostureIntegrations`].
    #[non_exhaustive]
    pub struct PostureIntegrations {
        /// The integrations, without secrets.
        pub integrations: Vec<PostureIntegration>,
    }
}

/// What is checked of an integration that is yet to be made.
pub(super) const WITH_PROVIDER: Form = Form::Object(&[member("provider", MemberKind::Text)]);

sent_as_json! { PostureIntegration: &[], }

given_as_json! {
    PostureIntegration: Shape::Object(&[member("id", MemberKind::Text)]),
    PostureIntegrations: list("integrations"),
}

const INTEGRATIONS: &str = "/api/v2/tailnet/:tailnet/posture/integrations";
const INTEGRATION: &str = "/api/v2/posture/integrations/:integrationID";

operations! {
    /// The posture integrations of a tailnet.
    ListPostureIntegrations(tailnet: TailnetName) "postureIntegrations.list", Get INTEGRATIONS, Read;
        gives PostureIntegrations; needs Area("feature_settings");
        typed "(): PostureIntegration[]";
        example "const providers = (await client.postureIntegrations.list()).map(({ provider }) => provider)";
        heads "postureIntegrations" "Integrations with providers that report on devices.";
    /// Makes a posture integration. A provider has at most one.
    CreatePostureIntegration(tailnet: TailnetName) "postureIntegrations.create", Post INTEGRATIONS, Once;
        sends integration: PostureIntegration as WITH_PROVIDER; gives PostureIntegration; needs Area("feature_settings"); logs whole(Integration);
        refuses "`bad_request`, `conflict` (the provider already has one)";
        typed "(integration: NewPostureIntegration): PostureIntegration";
        example "const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })";
    /// One posture integration.
    GetPostureIntegration(id: ItemId) "postureIntegrations.get", Get INTEGRATION, Read;
        gives PostureIntegration; needs Area("feature_settings"); refuses "`not_found`";
        example "const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })
            const { status } = await client.postureIntegrations.get(id)";
    /// Changes what is named of a posture integration; a secret that is left out stays.
    UpdatePostureIntegration(id: ItemId) "postureIntegrations.update", Patch INTEGRATION, Replace;
        sends changes: PostureIntegration; gives PostureIntegration; needs Area("feature_settings"); logs whole(Integration);
        refuses "`not_found`, `bad_request`";
        typed "(id: string, changes: Partial<Omit<NewPostureIntegration, 'provider'>>): PostureIntegration";
        example "const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })
            await client.postureIntegrations.update(id, { cloudId: 'eu' })";
    /// Removes a posture integration.
    DeletePostureIntegration(id: ItemId) "postureIntegrations.delete", Delete INTEGRATION, Once;
        gives Done; needs Area("feature_settings"); logs whole(Integration); refuses "`not_found`";
        example "const { id } = await client.postureIntegrations.create({ provider: 'kandji', clientSecret: 'from your secrets' })
            await client.postureIntegrations.delete(id)";
}
