//! The calls about posture integrations. No provider is ever called. Must not live here: wire shapes (`api`).

use serde_json::json;

use super::choices::{NO_TIME, Outcome, Refusal, refused};
use super::perform::serves;
use super::{Sandbox, clock};
use crate::api::input::object;
use crate::api::{
    CreatePostureIntegration, DeletePostureIntegration, Done, GetPostureIntegration,
    ListPostureIntegrations, PostureIntegration, PostureIntegrations, UpdatePostureIntegration,
};

const PROVIDERS: [&str; 8] = [
    "falcon",
    "fleet",
    "huntress",
    "intune",
    "jamfpro",
    "kandji",
    "kolide",
    "sentinelone",
];

serves! {
    ListPostureIntegrations: plain list_posture_integrations,
    CreatePostureIntegration: timed create_posture_integration,
    GetPostureIntegration: plain get_posture_integration,
    UpdatePostureIntegration: timed update_posture_integration,
    DeletePostureIntegration: plain delete_posture_integration,
}

impl Sandbox {
    fn list_posture_integrations(
        &self,
        call: ListPostureIntegrations,
    ) -> Outcome<PostureIntegrations> {
        let stored = &self.tailnet(&call.tailnet)?.posture_integrations;
        let integrations = stored.iter().map(PostureIntegration::shown).collect();
        Ok(PostureIntegrations { integrations })
    }

    /// Its status is empty at first.
    fn create_posture_integration(
        &mut self,
        call: CreatePostureIntegration,
        now: i64,
    ) -> Outcome<PostureIntegration> {
        let asked = call.integration;
        let provider = asked.provider.as_str();
        if !PROVIDERS.contains(&provider) {
            return refused!("there is no posture provider \"{provider}\"");
        }
        let mut stored = self.tailnet(&call.tailnet)?.posture_integrations.iter();
        if stored.any(|known| known.provider == provider) {
            let reason = format!("{provider} is integrated already");
            return Err(Refusal::Conflict(reason));
        }
        let status = json!({"lastSync": NO_TIME, "providerHostCount": 0, "matchedCount": 0, "possibleMatchedCount": 0});
        let made = PostureIntegration {
            id: format!("p{}CNTRL", self.fresh("posture", now)),
            config_updated: Some(clock::utc(now)),
            other: object([("status", status)]),
            ..asked
        };
        let tailnet = self.tailnet_mut(&call.tailnet)?;
        tailnet.posture_integrations.push(made.clone());
        Ok(made.shown())
    }

    fn get_posture_integration(&self, call: GetPostureIntegration) -> Outcome<PostureIntegration> {
        Ok(self.listed::<PostureIntegration>(&call.id)?.1.shown())
    }

    fn update_posture_integration(
        &mut self,
        call: UpdatePostureIntegration,
        now: i64,
    ) -> Outcome<PostureIntegration> {
        let (_, integration) = self.listed_mut::<PostureIntegration>(&call.id)?;
        let changes = call.changes;
        if ![integration.provider.as_str(), ""].contains(&changes.provider.as_str()) {
            return refused!("the provider of a posture integration cannot change");
        }
        for (own, change) in [
            (&mut integration.cloud_id, changes.cloud_id),
            (&mut integration.client_id, changes.client_id),
            (&mut integration.tenant_id, changes.tenant_id),
            (&mut integration.client_secret, changes.client_secret),
        ] {
            if change.is_some() {
                *own = change;
            }
        }
        integration.config_updated = Some(clock::utc(now));
        Ok(integration.shown())
    }

    fn delete_posture_integration(&mut self, call: DeletePostureIntegration) -> Outcome<Done> {
        self.unlist::<PostureIntegration>(&call.id)
    }
}

impl PostureIntegration {
    /// As it is returned, without its secret.
    pub(super) fn shown(&self) -> PostureIntegration {
        let client_secret = None;
        PostureIntegration {
            client_secret,
            ..self.clone()
        }
    }
}
