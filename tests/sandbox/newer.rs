//! Previews and warnings, of policies whose lines matter (docs/service.md#preview, docs/service.md#validation).
//! Must not live here: other verdicts on policies (`acl.http`), what all clients do (`wire.rs`).

use crate::service::{POLICY, service};
use serde_json::json;

const ACL: &str = "/api/v2/tailnet/corp.example/acl";

/// docs/service.md#preview
#[test]
fn both_ways_to_ask_for_a_preview() {
    let lines = |query: &str| {
        service()
            .post(&format!("{ACL}/preview?{query}"), POLICY)
            .json()
    };
    let by_user = lines("user=ann@corp.example");
    assert_eq!(by_user["matches"][0]["lineNumber"], 6);
    assert_eq!(lines("type=user&previewFor=ann%40corp.example"), by_user);
    let by_address = lines("type=ipport&previewFor=100.64.0.2:443");
    assert_eq!(
        (&by_address["type"], &by_address["matches"][0]["lineNumber"]),
        (&json!("ipport"), &json!(6))
    );
    assert_eq!(
        (&by_address["user"], &by_address["previewFor"]),
        (&json!("100.64.0.2:443"), &json!("100.64.0.2:443"))
    );
    assert_eq!(
        lines("type=ipport&previewFor=100.64.0.2:22")["matches"],
        json!([])
    );
    let mut service = service();
    service
        .post(
            &format!("{ACL}/preview?type=ipport&previewFor=nonsense"),
            POLICY,
        )
        .refuses(400, "nonsense");
    service
        .post(&format!("{ACL}/preview?type=group&previewFor=a"), POLICY)
        .refuses(400, "group");
}

/// A group of an identity provider has an `@` in its name; a policy may name one that is not there.
const UNSYNCED: &str = r#"{
	"groups": {"group:dev": ["nobody@corp.example"]},
	"tagOwners": {"tag:web": ["group:eng@corp.example"]},
	"ACLs": [
		{"action": "accept", "users": ["group:eng@corp.example", "group:dev"], "ports": ["*:22"]},
		{"action": "accept", "users": ["group:the ops@corp.example"], "ports": ["tag:web:*"]},
	],
}"#;

/// docs/service.md#validation
#[test]
fn validate_warns_of_groups_that_are_not_synced_and_of_nothing_else() {
    let mut service = service();
    let answer = service.post(&format!("{ACL}/validate"), UNSYNCED);
    assert_eq!(answer.0.status, 200);
    let ignored =
        json!(["group is not syncing from SCIM and will be ignored by rules in the policy file"]);
    assert_eq!(
        answer.json(),
        json!({"message": "warning(s) found", "data": [
            {"user": "group:eng@corp.example", "warnings": ignored},
            {"user": "group:the ops@corp.example", "warnings": ignored},
        ]})
    );
    // Saved all the same: clients that read a message as failure do so for `validate` alone.
    let saved = service.post(ACL, UNSYNCED);
    assert_eq!((saved.0.status, saved.text()), (200, UNSYNCED));
    let details = service.get(&format!("{ACL}?details=1")).json();
    assert_eq!(details["errors"], json!([]));
    assert_eq!(
        details["warnings"][0], "\"group:dev\": user not found: \"nobody@corp.example\"",
        "the service's own words, and no advice of ours"
    );
    assert_eq!(details["warnings"].as_array().map(Vec::len), Some(4));
    // A refusal comes before any warning, and a group without `@` is not a group of a provider.
    let refused = UNSYNCED.replace("group:eng@corp.example", "group:eng");
    let answer = service.post(&format!("{ACL}/validate"), &refused).json();
    assert_eq!(answer["message"], "group not found: \"group:eng\"");
    assert_eq!(answer.get("data"), None);
}

#[test]
fn a_preview_says_through_what_and_under_which_conditions_a_rule_holds() {
    const RICH: &str = r#"{
	"tagOwners": {"tag:router": [], "tag:exit": []},
	"postures": {
		"posture:new": ["node:os == 'macos'", "node:tsVersion >= '1.60'"],
		"posture:any": ["node:os IS SET"],
		"posture:unused": ["node:os NOT SET"],
	},
	"defaultSrcPosture": ["posture:any"],
	"acls": [{"action": "accept", "src": ["ann@corp.example"], "dst": ["*:22"], "srcPosture": ["posture:new"]}],
	"grants": [
		{"src": ["*"], "dst": ["10.0.0.0/16"], "ip": ["443"], "via": ["tag:router", "tag:exit"]},
		{"src": ["ann@corp.example"], "dst": ["*"], "ip": ["80"], "srcPosture": []},
	],
}"#;
    let mut service = service();
    let answer = service
        .post(&format!("{ACL}/preview?user=ann@corp.example"), RICH)
        .json();
    assert_eq!(
        answer["matches"],
        json!([
            {"users": ["ann@corp.example"], "ports": ["*:22"], "lineNumber": 9, "postures": ["posture:new"]},
            {"users": ["*"], "ports": ["10.0.0.0/16:443"], "lineNumber": 11,
                "via": ["tag:router", "tag:exit"], "postures": ["posture:any"]},
            {"users": ["ann@corp.example"], "ports": ["*:80"], "lineNumber": 12},
        ])
    );
    assert_eq!(
        answer["postures"],
        json!({"posture:new": ["node:os == 'macos'", "node:tsVersion >= '1.60'"], "posture:any": ["node:os IS SET"]}),
        "those of the matches"
    );
    let plain = service.post(&format!("{ACL}/preview?user=ann@corp.example"), POLICY);
    assert_eq!(
        plain.json(),
        json!({"user": "ann@corp.example", "type": "user", "previewFor": "ann@corp.example", "matches": [
            {"users": ["group:dev"], "ports": ["web:80,443"], "lineNumber": 6},
        ]}),
        "nothing more for a policy without them"
    );
}
