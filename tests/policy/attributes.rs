//! Posture attributes of devices, worked out from docs/policy-language.md#postures: whose rules hold for which device.
//! Must not live here: conditions on given attributes (tests/policy/documents/tests.hujson), `srcPostureAttrs` in questions
//! (tests/policy/question.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    Flow, Judge, Policy, PolicyContext, diff_access_between, diff_ssh_between,
};

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

/// `source sign destination ports, with postures` of each gain and loss of access, then of logins.
fn changes(before: (&str, &PolicyContext), after: (&str, &PolicyContext)) -> Vec<String> {
    let documents = [before.0, after.0].map(|text| hujson::parse(text).expect("HuJSON"));
    let [old, new] = documents.each_ref().map(Policy::read);
    let judges = [&Judge::new(&old, before.1), &Judge::new(&new, after.1)];
    let access = json!(diff_access_between(judges));
    let logins = json!(diff_ssh_between(judges));
    let mut lines = Vec::new();
    for change in [access, logins]
        .iter()
        .flat_map(|it| it.as_array().expect("changes"))
    {
        for (list, sign) in [("gained", "+"), ("lost", "-"), ("undecided", "?")] {
            for reach in change[list].as_array().expect("a list") {
                let mut with = Vec::new();
                for opening in [&reach["opens"][0], reach] {
                    with.extend(opening["postures"].as_array().cloned().unwrap_or_default());
                }
                let what = [&reach["ports"], &reach["users"]];
                let what = what
                    .into_iter()
                    .find(|it| !it.is_null())
                    .expect("ports or users");
                let what = what[0].as_str().expect("a text");
                let names = [&change["source"], &reach["destination"]];
                let [source, destination] = names.map(|name| name.as_str().expect("a name"));
                let with: Vec<&str> = with.iter().filter_map(Value::as_str).collect();
                lines.push(
                    [&[source, sign, destination, what][..], &with]
                        .concat()
                        .join(" "),
                );
            }
        }
    }
    lines
}

#[test]
fn a_difference_is_that_of_the_devices_that_have_the_posture() {
    let without = TEXT.replace(r#""src": ["*"]"#, r#""src": []"#);
    let without = without.replace(r#""users": ["root"]"#, r#""users": ["deploy"]"#);
    let context = listed();
    // That of CI is listed without it; that of the database, as bob's, is not listed.
    assert_eq!(
        changes((TEXT, &context), (&without, &context)),
        [
            "ann@example.com - tag:db 1",
            "bob@example.com - tag:db 1 posture:tier",
            "ann@example.com + tag:db deploy",
            "ann@example.com - tag:db root",
            "bob@example.com + tag:db deploy posture:tier",
            "bob@example.com - tag:db root posture:tier",
        ]
    );
}

#[test]
fn an_attribute_that_changes_is_a_gain_or_a_loss() {
    let (before, after) = (
        listed(),
        context(json!({"1": {"custom:tier": 1}, "2": {"custom:tier": 2}})),
    );
    assert_eq!(
        changes((TEXT, &before), (TEXT, &after)),
        [
            "ann@example.com - tag:db 1",
            "ann@example.com - autogroup:self 5",
            "bob@example.com + tag:db 1",
            "bob@example.com + autogroup:self 5",
            // His list has no system and no version, and with a tier it is not missing.
            "bob@example.com - tag:db 3",
            "bob@example.com - tag:db 4 posture:none",
            // What the device of CI has is not listed any more.
            "tag:ci + tag:db 1 posture:tier",
            "tag:ci + tag:db 4 posture:none",
            "ann@example.com - tag:db root",
            "bob@example.com + tag:db root",
        ]
    );
}
