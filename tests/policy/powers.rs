//! What a policy lets somebody do besides reaching, and who gains and loses that between two documents, worked out from
//! docs/policy-language.md#definitions and docs/policy-language.md#node-attributes.
//! Must not live here: laws over random policies (tests/policy_laws/powers.rs).

mod differences;
mod recorders;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext};

fn powers_in(text: &str, context: &PolicyContext) -> Value {
    let document = hujson::parse(text).expect("parses");
    let powers = Policy::read(&document).powers(context);
    serde_json::to_value(powers).expect("serializes")
}

fn powers(text: &str) -> Value {
    powers_in(text, &PolicyContext::default())
}

fn context(value: Value) -> PolicyContext {
    serde_json::from_value(value).expect("a context")
}

/// Each power in one line: who, the kind, what, and through which tags.
fn lines(powers: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for power in powers.as_array().expect("a list") {
        let text = |key: &str| power[key].as_str().expect("a text").to_owned();
        let mut line = [text("who"), text("kind"), text("what")].join(" ");
        for tag in power["through"].as_array().into_iter().flatten() {
            line += &format!(" > {}", tag.as_str().expect("a tag"));
        }
        lines.push(line);
    }
    lines
}

#[track_caller]
fn assert_powers(text: &str, expected: &[&str]) {
    assert_eq!(lines(&powers(text)), expected);
}

#[test]
fn a_power_says_who_may_what_and_where_it_stands() {
    let text = r#"{
        "tagOwners": {"tag:web": ["alice@example.com"]},
        "autoApprovers": {"routes": {"10.0.0.0/8": ["tag:web"]}},
        "acls": [],
    }"#;
    assert_eq!(
        powers(text),
        json!([
            {
                "who": "alice@example.com",
                "party": {"kind": "user", "name": "alice@example.com"},
                "kind": "tag",
                "what": "tag:web",
                "pointer": "/tagOwners/tag:web",
                "opens": [],
            },
            {
                "who": "tag:web",
                "party": {"kind": "tag", "name": "tag:web"},
                "kind": "route",
                "what": "10.0.0.0/8",
                "pointer": "/autoApprovers/routes/10.0.0.0~18",
            },
        ])
    );
}

// The owners of a tag are the users that the text names, and who else it names.
#[test]
fn groups_are_taken_apart_and_synced_groups_and_autogroups_stand_for_themselves() {
    assert_powers(
        r#"{
            "groups": {"group:ops": ["alice@example.com", "bob@example.com"], "group:none": []},
            "tagOwners": {"tag:prod": ["group:ops", "bob@example.com", "group:eng@acme.com", "autogroup:member", "group:none"]},
        }"#,
        &[
            "alice@example.com tag tag:prod",
            "bob@example.com tag tag:prod",
            "group:eng@acme.com tag tag:prod",
            "autogroup:member tag tag:prod",
        ],
    );
}

// docs/policy-language.md#tags: with `[]` the admins alone may take it, as every tag.
#[test]
fn a_tag_without_owners_is_nobodys_power() {
    assert_powers(r#"{"tagOwners": {"tag:prod": []}}"#, &[]);
}

// Ownership is not inherited: an owner of an owner does not own the tag, but gets there in a second step.
#[test]
fn a_tag_that_owns_a_tag_is_a_second_step() {
    assert_powers(
        r#"{"tagOwners": {"tag:a": ["alice@example.com"], "tag:b": ["tag:a"], "tag:c": ["tag:b", "alice@example.com"]}}"#,
        &[
            "alice@example.com tag tag:a",
            "alice@example.com tag tag:b > tag:a",
            "tag:a tag tag:b > tag:a",
            "alice@example.com tag tag:c",
            "tag:a tag tag:c > tag:a > tag:b",
            "tag:b tag tag:c > tag:b",
        ],
    );
}

#[test]
fn tags_that_own_each_other_end() {
    assert_powers(
        r#"{"tagOwners": {"tag:a": ["tag:b", "tag:a"], "tag:b": ["tag:a", "alice@example.com"]}}"#,
        &[
            "alice@example.com tag tag:a > tag:b",
            "tag:b tag tag:a > tag:b",
            "alice@example.com tag tag:b",
            "tag:a tag tag:b > tag:a",
        ],
    );
}

// Whoever may have a tag may have what it reaches.
#[test]
fn a_power_over_a_tag_says_what_the_tag_reaches() {
    let text = r#"{
        "tagOwners": {"tag:ci": ["alice@example.com"], "tag:db": []},
        "acls": [{"action": "accept", "src": ["tag:ci"], "dst": ["tag:db:5432"]}],
    }"#;
    let opens = powers(text)[0]["opens"].clone();
    assert_eq!(opens.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&opens[0]["destination"], &opens[0]["ports"]),
        (&json!("tag:db"), &json!(["5432"]))
    );
    assert_eq!(
        opens[0]["because"],
        json!([{"section": "acls", "index": 0, "line": 3}])
    );
}

// With devices, too: the next device may have the tag.
#[test]
fn a_tag_that_no_device_has_would_reach_the_same() {
    let text = r#"{
        "tagOwners": {"tag:ci": ["alice@example.com"], "tag:db": []},
        "acls": [{"action": "accept", "src": ["tag:ci"], "dst": ["tag:db:5432"]}],
    }"#;
    let devices = context(json!({"devices": [
        {"id": "1", "name": "db", "addresses": ["100.64.0.1"], "tags": ["tag:db"]},
    ]}));
    let opens = powers_in(text, &devices)[0]["opens"].clone();
    assert_eq!(
        (&opens[0]["destination"], &opens[0]["ports"]),
        (&json!("tag:db"), &json!(["5432"])),
        "{opens}"
    );
}

#[test]
fn what_a_tag_reaches_everywhere_is_not_repeated_for_each_destination() {
    let text = r#"{
        "tagOwners": {"tag:ci": ["alice@example.com"], "tag:db": []},
        "acls": [{"action": "accept", "src": ["tag:ci"], "dst": ["*:*"]}, {"action": "accept", "src": ["tag:db"], "dst": ["tag:ci:22"]}],
    }"#;
    let opens = powers(text)[0]["opens"].clone();
    assert_eq!(opens.as_array().map(Vec::len), Some(1), "{opens}");
    assert_eq!(opens[0]["destination"], "*");
}

#[test]
fn approvers_of_routes_exit_nodes_and_services() {
    assert_powers(
        r#"{
            "groups": {"group:net": ["alice@example.com"]},
            "tagOwners": {"tag:router": []},
            "autoApprovers": {
                "routes": {"0.0.0.0/0": ["autogroup:member"], "10.0.0.0/8": ["tag:router", "group:net"]},
                "exitNode": ["tag:router"],
                "services": {"svc:db": ["tag:router"]},
            },
        }"#,
        &[
            "autogroup:member route 0.0.0.0/0",
            "alice@example.com route 10.0.0.0/8",
            "tag:router route 10.0.0.0/8",
            "tag:router exit-node exit-node",
            "tag:router service svc:db",
        ],
    );
}

// Funnel opens a device to the internet: it comes first.
#[test]
fn funnel_is_the_first_attribute() {
    assert_powers(
        r#"{"nodeAttrs": [{"target": ["*"], "attr": ["drive:share", "funnel"]}, {"target": ["alice@example.com"], "attr": ["funnel"]}]}"#,
        &[
            "alice@example.com attribute funnel",
            "* attribute funnel",
            "* attribute drive:share",
        ],
    );
}

// What a capability hands out is in its values.
#[test]
fn a_capability_comes_with_its_values_its_destination_and_its_postures() {
    let text = r#"{
        "groups": {"group:dev": ["alice@example.com"]},
        "tagOwners": {"tag:k8s": []},
        "postures": {"posture:edr": ["node:os == 'linux'"]},
        "grants": [{
            "src": ["group:dev"], "dst": ["tag:k8s"], "srcPosture": ["posture:edr"],
            "app": {"example.com/cap/kubernetes": [{"impersonate": {"groups": ["dev"]}}]},
        }],
        "nodeAttrs": [{"target": ["tag:k8s"], "app": {"example.com/cap/other": [1]}}],
    }"#;
    assert_eq!(
        powers(text),
        json!([
            {
                "who": "alice@example.com",
                "party": {"kind": "user", "name": "alice@example.com"},
                "kind": "capability",
                "what": "example.com/cap/kubernetes",
                "value": {"app": [{"impersonate": {"groups": ["dev"]}}], "on": "tag:k8s", "srcPosture": ["posture:edr"]},
                "pointer": "/grants/0/app/example.com~1cap~1kubernetes",
            },
            {
                "who": "tag:k8s",
                "party": {"kind": "tag", "name": "tag:k8s"},
                "kind": "capability",
                "what": "example.com/cap/other",
                "value": {"app": [1]},
                "pointer": "/nodeAttrs/0/app/example.com~1cap~1other",
            },
        ])
    );
}

// docs/policy-language.md#via: its `app` is dropped.
#[test]
fn a_grant_with_via_gives_no_capability() {
    assert_powers(
        r#"{"tagOwners": {"tag:r": []}, "grants": [{"src": ["*"], "dst": ["10.0.0.0/8"], "via": ["tag:r"], "ip": ["*"], "app": {"a.com/b": [1]}}]}"#,
        &[],
    );
}

#[test]
fn a_recorder_receives_the_sessions_of_its_rule() {
    let text = r#"{
        "groups": {"group:dev": ["alice@example.com", "bob@example.com"]},
        "tagOwners": {"tag:rec": [], "tag:db": []},
        "ssh": [{
            "action": "accept", "src": ["group:dev"], "dst": ["tag:db"], "users": ["root"],
            "recorder": ["tag:rec"], "enforceRecorder": true,
        }],
    }"#;
    assert_eq!(
        powers(text),
        json!([{
            "who": "tag:rec",
            "party": {"kind": "tag", "name": "tag:rec"},
            "kind": "recorder",
            "what": "tag:db",
            "value": {"enforceRecorder": true, "src": ["alice@example.com", "bob@example.com"], "users": ["root"]},
            "pointer": "/ssh/0",
        }])
    );
}

fn device(id: &str, owner: Value, advertised: &[&str]) -> Value {
    let mut device = json!({"id": id, "hostname": id, "addresses": [format!("100.64.0.{id}")]});
    match owner.as_str() {
        Some(user) => device["user"] = json!(user),
        None => device["tags"] = owner,
    }
    device["advertisedRoutes"] = json!(advertised);
    device
}

// What nobody can use today is said with that fact.
#[test]
fn what_nobody_can_use_today_says_why() {
    let text = r#"{
        "tagOwners": {"tag:pay": ["tag:ci", "alice@example.com", "gone@example.com", "autogroup:admin"], "tag:ci": [], "tag:router": []},
        "autoApprovers": {"routes": {"10.0.0.0/8": ["tag:router"], "192.168.0.0/16": ["tag:router"]}, "exitNode": ["tag:router", "tag:ci"]},
        "nodeAttrs": [{"target": ["alice@example.com", "bob@example.com"], "attr": ["funnel"]}],
        "grants": [{"src": ["alice@example.com"], "dst": ["tag:pay"], "app": {"a.com/b": [1]}}],
    }"#;
    let context = context(json!({
        "devices": [
            device("1", json!("alice@example.com"), &[]),
            device("2", json!(["tag:router"]), &["10.1.0.0/16", "0.0.0.0/0"]),
        ],
        "users": [{"loginName": "alice@example.com", "role": "member"}, {"loginName": "bob@example.com", "role": "member"}],
    }));
    let found = powers_in(text, &context);
    let mut today = Vec::new();
    for (line, power) in lines(&found)
        .into_iter()
        .zip(found.as_array().expect("a list"))
    {
        today.push((line, power["today"].as_str().unwrap_or("").to_owned()));
    }
    let expected = [
        ("alice@example.com tag tag:pay", ""),
        (
            "gone@example.com tag tag:pay",
            "no user of the tailnet is gone@example.com",
        ),
        ("tag:ci tag tag:pay > tag:ci", "no device has tag:ci"),
        (
            "autogroup:admin tag tag:pay",
            "no user of the tailnet is in autogroup:admin",
        ),
        ("tag:router route 10.0.0.0/8", ""),
        (
            "tag:router route 192.168.0.0/16",
            "no device of tag:router advertises a route in 192.168.0.0/16",
        ),
        ("tag:ci exit-node exit-node", "no device has tag:ci"),
        (
            "tag:router exit-node exit-node",
            "no device of tag:router advertises an exit node",
        ),
        ("alice@example.com attribute funnel", ""),
        (
            "bob@example.com attribute funnel",
            "bob@example.com has no device",
        ),
        (
            "alice@example.com capability a.com/b",
            "no device has tag:pay",
        ),
    ];
    assert_eq!(
        today,
        expected.map(|(line, why)| (line.to_owned(), why.to_owned()))
    );
}

// Unknown is not empty: the group is the party.
#[test]
fn a_synced_group_has_its_power_whoever_is_in_it() {
    let context = context(json!({"devices": [], "users": []}));
    let found = powers_in(
        r#"{"nodeAttrs": [{"target": ["group:eng@acme.com"], "attr": ["funnel"]}]}"#,
        &context,
    );
    assert_eq!(lines(&found), ["group:eng@acme.com attribute funnel"]);
    assert_eq!(found[0]["today"], Value::Null);
}
