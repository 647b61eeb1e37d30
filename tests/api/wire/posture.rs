//! The exchanges about posture integrations. Must not live here: the files.
use serde_json::json;
use tailnet_kit::api::{
    CreatePostureIntegration, DeletePostureIntegration, Done, GetPostureIntegration, ItemId,
    ListPostureIntegrations, PathStyle, PostureIntegration, PostureIntegrations,
    UpdatePostureIntegration,
};

use super::{example, exchange, some};

const STYLE: PathStyle = PathStyle::Tailnet;

fn id() -> ItemId {
    ItemId::new("p4X1CNTRL").expect("an id")
}

fn wanted() -> PostureIntegration {
    PostureIntegration {
        cloud_id: some("https://acme.example"),
        ..PostureIntegration::default()
    }
}

fn made() -> PostureIntegration {
    let status = json!({"status": {"lastSync": "2026-11-20T09:00:00Z", "matchedCount": 3}});
    PostureIntegration {
        id: "p4X1CNTRL".to_owned(),
        provider: "kandji".to_owned(),
        config_updated: some("2026-11-20T09:00:00Z"),
        other: status.as_object().cloned().expect("an object"),
        ..wanted()
    }
}

#[test]
fn posture_integrations() {
    let tailnet = example();
    let listed = PostureIntegrations {
        integrations: vec![made()],
    };
    exchange(ListPostureIntegrations { tailnet }, STYLE, listed);
    let integration = PostureIntegration {
        provider: "kandji".to_owned(),
        client_secret: some("EXAMPLE"),
        ..wanted()
    };
    let create = CreatePostureIntegration {
        tailnet: example(),
        integration,
    };
    exchange(create, STYLE, made());
    exchange(GetPostureIntegration { id: id() }, STYLE, made());
    let update = UpdatePostureIntegration {
        id: id(),
        changes: wanted(),
    };
    exchange(update, STYLE, made());
    exchange(DeletePostureIntegration { id: id() }, STYLE, Done);
}
