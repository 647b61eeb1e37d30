//! The exchanges about logs. Must not live here: the files.
use serde_json::json;
use tailnet_kit::api::{
    AuditActor, AuditEntry, AuditLog, AuditTarget, GetAuditLog, GetNetworkLog, NetworkFlows,
    NetworkLog, PathStyle,
};

use super::{example, exchange, some, texts};

const STYLE: PathStyle = PathStyle::Tailnet;

#[test]
fn audit() {
    let text = str::to_owned;
    let entry = AuditEntry {
        event_time: text("2026-11-20T09:00:00Z"),
        kind: text("CONFIG"),
        event_group_id: text("3c"),
        origin: text("ADMIN_CONSOLE"),
        actor: AuditActor {
            id: text("u55ab1CNTRL"),
            kind: text("USER"),
            login_name: text("ada@example.com"),
            display_name: text("Ada"),
            tags: Vec::new(),
        },
        target: AuditTarget {
            id: text("n7Qd2xkCNTRL"),
            name: text("web-01"),
            kind: text("NODE"),
            property: some("ACL_TAGS"),
            ..AuditTarget::default()
        },
        action: text("UPDATE"),
        old: json!([]),
        new: json!(["tag:ci"]),
        ..AuditEntry::default()
    };
    let call = GetAuditLog {
        tailnet: example(),
        start: text("2026-11-20T00:00:00Z"),
        end: text("2026-11-21T00:00:00+01:00"),
        actors: texts(&["~ada"]),
        targets: Vec::new(),
        events: texts(&["NODE", "TAILNET.ACL"]),
    };
    let output = AuditLog {
        version: text("1.1"),
        tailnet_id: text("T5k2QxCNTRL"),
        logs: vec![entry],
    };
    exchange(call, STYLE, output);
}

#[test]
fn network() {
    let text = str::to_owned;
    let traffic = json!({"proto": 6, "src": "100.64.0.1:443", "dst": "100.64.0.2:50000", "txPkts": 3, "txBytes": 300, "rxPkts": 2, "rxBytes": 200});
    let other = json!({"virtualTraffic": [traffic]});
    let flows = NetworkFlows {
        logged: text("2026-11-20T00:01:00Z"),
        node_id: text("n7Qd2xkCNTRL"),
        start: text("2026-11-20T00:00:00Z"),
        end: text("2026-11-20T00:00:05Z"),
        other: other.as_object().cloned().expect("an object"),
    };
    let call = GetNetworkLog {
        tailnet: example(),
        start: text("2026-11-20T00:00:00Z"),
        end: text("2026-11-20T00:05:00Z"),
    };
    exchange(call, STYLE, NetworkLog { logs: vec![flows] });
}
