//! Who records which sessions of SSH, where postures decide. Must not live here: other powers (differences.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext, diff_powers};

use super::context;

/// Sessions of ann from devices with an attribute are recorded.
const RECORDED: &str = r#"{
    "tagOwners": {"tag:db": [], "tag:tape": []},
    "postures": {"posture:ok": ["custom:ok == true"]},
    "acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}],
    "ssh": [
        {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db"], "users": ["root"], "srcPosture": ["posture:ok"],
            "recorder": ["tag:tape"]},
        {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:db"], "users": ["root"]},
    ],
}"#;

fn with_attributes(attributes: Value) -> PolicyContext {
    context(json!({
        "devices": [
            {"id": "1", "name": "db", "addresses": ["100.64.0.1"], "tags": ["tag:db"]},
            {"id": "2", "name": "mac", "addresses": ["100.64.0.2"], "user": "ann@example.com"},
            {"id": "3", "name": "tape", "addresses": ["100.64.0.3"], "tags": ["tag:tape"]},
        ],
        "users": [{"loginName": "ann@example.com", "role": "member"}],
        "attributes": attributes,
    }))
}

fn changes(contexts: [&PolicyContext; 2]) -> Value {
    let document = hujson::parse(RECORDED).expect("parses");
    let policy = Policy::read(&document);
    json!(diff_powers(&policy, &policy, contexts))
}

// The session goes on by the rule without a recorder (docs/policy-language.md#postures).
#[test]
fn sessions_of_a_device_that_loses_its_posture_are_no_longer_recorded() {
    let meets = with_attributes(json!({"1": {}, "2": {"custom:ok": true}, "3": {}}));
    let fails = with_attributes(json!({"1": {}, "2": {"custom:ok": false}, "3": {}}));
    for (contexts, list) in [([&meets, &fails], "lost"), ([&fails, &meets], "gained")] {
        let found = changes(contexts);
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
        assert_eq!(found[0]["who"], "tag:tape");
        let powers = &found[0][list];
        assert_eq!(powers.as_array().map(Vec::len), Some(1), "{found}");
        assert_eq!(powers[0]["what"], "tag:db");
        assert_eq!(powers[0]["value"]["src"], json!(["mac"]));
        assert_eq!(powers[0]["value"]["users"], json!(["root"]));
    }
    assert_eq!(changes([&meets, &meets]), json!([]));
    // What nobody says of the device is undecided.
    let unknown = with_attributes(json!({"1": {}, "3": {}}));
    let found = changes([&meets, &unknown]);
    assert_eq!(
        found[0]["undecided"][0]["value"]["src"],
        json!(["mac"]),
        "{found}"
    );
}
