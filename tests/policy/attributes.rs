//! Posture attributes of devices, worked out from docs/policy-language.md#postures: whose rules hold for which device.
//! Must not live here: conditions on given attributes (tests/policy/documents/tests.hujson), `srcPostureAttrs` in questions
//! (tests/policy/question.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, PolicyContext};

const TEXT: &str = r#"{
  "groups": {"group:all": ["ann@example.com", "bob@example.com"]},
  "tagOwners": {"tag:db": [], "tag:ci": []},
  "postures": {
    "posture:tier": ["custom:tier >= 2"],
    "posture:linux": ["node:os == 'linux'"],
    "posture:mac": ["node:os IN ['macos', 'ios']", "node:tsVersion >= '1.80'"],
    "posture:none": ["custom:tier NOT SET"],
  },
  "acls": [
    {"action": "accept", "src": ["*"], "dst": ["tag:db:1"], "srcPosture": ["posture:tier"]},
    {"action": "accept", "src": ["group:all"], "dst": ["tag:db:2"], "srcPosture": ["posture:linux"]},
    {"action": "accept", "src": ["group:all"], "dst": ["tag:db:3"], "srcPosture": ["posture:mac", "posture:linux"]},
    {"action": "accept", "src": ["100.64.0.0/16"], "dst": ["tag:db:4"], "srcPosture": ["posture:none"]},
    {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:5"], "srcPosture": ["posture:tier"]},
  ],
  "ssh": [
    {"action": "accept", "src": ["group:all"], "dst": ["tag:db"], "users": ["root"], "srcPosture": ["posture:tier"]},
  ],
  "tests": [{"src": "ann@example.com", "deny": ["tag:db:1"]}],
}"#;

fn devices() -> Value {
    json!([
        {"id": "1", "nodeId": "n1", "hostname": "ann", "user": "ann@example.com", "addresses": ["100.64.0.1"], "os": "linux"},
        {"id": "2", "nodeId": "n2", "hostname": "bob", "user": "bob@example.com", "addresses": ["100.64.0.2"],
         "os": "macOS", "clientVersion": "1.80.2-t1234-g5678"},
        {"id": "3", "nodeId": "n3", "hostname": "db", "tags": ["tag:db"], "addresses": ["100.64.0.3"]},
        {"id": "4", "nodeId": "n4", "hostname": "ci", "tags": ["tag:ci"], "addresses": ["100.64.0.4"], "os": "linux"},
    ])
}

fn context(attributes: Value) -> PolicyContext {
    let context = json!({"devices": devices(), "attributes": attributes});
    PolicyContext::read(&context.to_string()).expect("a context")
}

/// Ann's device and that of CI are listed, by either id.
fn listed() -> PolicyContext {
    context(json!({"1": {"custom:tier": 3, "node:os": "windows"}, "n4": {"custom:tier": 1}}))
}

fn explain(context: &PolicyContext, from: &str, to: &str, attributes: Option<&str>) -> Value {
    let document = hujson::parse(TEXT).expect("HuJSON");
    let policy = Policy::read(&document);
    policy.accept(context).expect("a document that has answers");
    let mut flow = Flow::new(&from.parse().expect("a name"), to, None).expect("a flow");
    if let Some(json) = attributes {
        flow = flow.with_posture_attributes(json).expect("attributes");
    }
    json!(policy.explain(&flow, context).expect("an answer"))
}

#[track_caller]
fn assert_verdicts(context: &PolicyContext, wanted: &[(&str, &str, &str)]) {
    for (from, to, verdict) in wanted {
        let found = explain(context, from, to, None);
        assert_eq!(found["verdict"], *verdict, "{from} to {to}: {found}");
    }
}

#[test]
fn a_listed_device_has_what_is_listed_and_nothing_else() {
    assert_verdicts(
        &listed(),
        &[
            ("ann", "db:1", "allowed"),
            ("100.64.0.1", "db:1", "allowed"),
            ("ci", "db:1", "denied"),
            // Its own field says linux, its list windows.
            ("ann", "db:2", "denied"),
            ("ann", "db:4", "denied"),
            ("ann", "ann:5", "allowed"),
        ],
    );
    // A key that is not listed is not set.
    let bare = context(json!({"1": {}}));
    assert_verdicts(
        &bare,
        &[("ann", "db:4", "allowed"), ("ann", "db:2", "denied")],
    );
}

#[test]
fn of_an_unlisted_device_only_the_system_and_the_version_are_known() {
    assert_verdicts(
        &listed(),
        &[
            ("bob", "db:1", "unknown"),
            ("bob", "db:2", "denied"),
            ("bob", "db:3", "allowed"),
            ("bob", "db:4", "unknown"),
            // One of two is allowed for certain.
            ("group:all", "db:1", "partly"),
            ("group:all", "db:3", "partly"),
        ],
    );
    let open = explain(&listed(), "bob", "db:1", None);
    assert_eq!(open["unresolved"], json!(["posture:tier"]));
}

#[test]
fn where_nobody_gives_attributes_the_answer_names_the_posture() {
    let none = context(Value::Null);
    let found = explain(&none, "bob", "db:1", None);
    assert_eq!(found["verdict"], "denied");
    assert_eq!(found["postures"], json!(["posture:tier"]));
    assert_verdicts(
        &none,
        &[("ann", "db:2", "allowed"), ("bob", "db:3", "allowed")],
    );
}

#[test]
fn attributes_of_the_question_are_all_there_are() {
    let found = explain(&listed(), "ann", "db:1", Some(r#"{"custom:tier": 1}"#));
    assert_eq!(found["verdict"], "denied");
    let found = explain(&listed(), "bob", "db:1", Some(r#"{"custom:tier": 2}"#));
    assert_eq!(found["verdict"], "allowed");
}

#[test]
fn filters_and_ssh_rules_have_the_devices_that_certainly_have_the_posture() {
    let document = hujson::parse(TEXT).expect("HuJSON");
    let policy = Policy::read(&document);
    let context = listed();
    let filters = policy.filters(&context);
    let received = |device: usize| -> Vec<String> {
        let mut lines = Vec::new();
        for rule in &filters[device] {
            let from: Vec<String> = rule.src.iter().map(ToString::to_string).collect();
            for to in &rule.dst {
                lines.push(format!("{} -> {}", from.join(" "), json!(to)["ports"]));
            }
        }
        lines.sort();
        lines
    };
    // Bob's is unknown at 1 and at 4; for 2 and 3 the fields of the devices count, where no list does.
    assert_eq!(received(2), ["100.64.0.1 -> \"1\"", "100.64.0.2 -> \"3\""]);
    assert_eq!(received(0), ["100.64.0.1 -> \"5\""]);
    assert_eq!(received(1), Vec::<String>::new());
    let logins = json!(policy.ssh_rules(&context));
    assert_eq!(logins["3"][0]["from"], json!(["100.64.0.1"]), "{logins}");
    assert_eq!(logins["3"].as_array().map(Vec::len), Some(1));
}

#[test]
fn tests_of_the_document_have_attributes_of_their_own() {
    let document = hujson::parse(TEXT).expect("HuJSON");
    let report = Policy::read(&document).run_tests(&listed());
    assert!(report.passed);
}
