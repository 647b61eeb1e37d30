//! The client of Headscale against Headscale in process: every operation, in the forms of both releases, and the update of a policy.
//! Must not live here: what the server answers in detail (`headscale`).

use std::collections::BTreeSet;

use serde_json::Value;
use tailnet_kit::api::headscale::{Operation, Release};
use tailnet_kit::api::{ApiKey, Response};
use tailnet_kit::client::headscale::{Call, PolicyUpdate};
use tailnet_kit::client::{Client, Options, Service, UpdateError};
use tailnet_kit::sandbox::SandboxTransport;
use tailnet_kit::sandbox::headscale::HeadscaleSandbox;

use crate::exchanges_of_headscale::value;
use crate::headscale::{KEY, ask_with, sandbox};
use crate::ready::ready;
use crate::service::NOW;

type Connected = Client<SandboxTransport<fn() -> i64, HeadscaleSandbox>>;

fn client(release: Release) -> Connected {
    let mut sandbox = sandbox(release);
    let waiting = serde_json::json!({"user": "alice", "key": "abc", "name": "phone", "routes": []});
    for id in ["abc", "def", "ghi", "jkl"] {
        let mut waiting = waiting.clone();
        waiting["key"] = id.into();
        let asked = ("POST", "/debug/node");
        assert_eq!(ask_with(&mut sandbox, KEY, asked, &waiting).status, 200);
    }
    let mut options = Options::new("https://headscale.example.com").expect("a URL");
    options.api_key = ApiKey::new(KEY).ok();
    options.service = Service::HEADSCALE;
    Client::new(
        SandboxTransport::new(sandbox, (|| NOW) as fn() -> i64),
        options,
    )
}

/// What a call ends with: the body, or the code of its error with its message.
fn end(
    client: &Connected,
    known: &mut Option<Release>,
    method: &str,
    args: &str,
) -> Result<Value, String> {
    let options = Options::new("https://headscale.example.com").expect("a URL");
    let call = Call::read(method, args, &options).expect("a call");
    let read = |_: &_, response: &Response| Ok(value(&response.body));
    let ended = ready(call.run(client, known, read));
    ended
        .map(|(value, _)| value)
        .map_err(|error| format!("{}: {error}", error.code()))
}

/// Every operation with arguments, in an order in which each succeeds.
const SUCCESSES: [(&str, &str); 30] = [
    ("health", "{}"),
    ("users.list", r#"{"query": {"name": "alice"}}"#),
    (
        "users.create",
        r#"{"body": {"name": "bob", "email": "bob@example.com"}}"#,
    ),
    ("users.rename", r#"{"id": "3", "name": "rob"}"#),
    ("users.delete", r#"{"id": "3"}"#),
    ("nodes.list", r#"{"query": {}}"#),
    ("nodes.get", r#"{"id": "1"}"#),
    ("nodes.rename", r#"{"id": "1", "name": "desk"}"#),
    ("nodes.expire", r#"{"id": "1"}"#),
    ("nodes.expire", r#"{"id": "1", "at": null}"#),
    (
        "nodes.expire",
        r#"{"id": "1", "at": "2027-01-01T00:00:00.000Z"}"#,
    ),
    (
        "nodes.setTags",
        r#"{"id": "1", "body": {"tags": ["tag:web"]}}"#,
    ),
    (
        "nodes.setApprovedRoutes",
        r#"{"id": "3", "body": {"routes": ["10.0.0.0/8"]}}"#,
    ),
    (
        "nodes.register",
        r#"{"query": {"user": "alice", "key": "abc"}}"#,
    ),
    ("nodes.delete", r#"{"id": "1"}"#),
    ("preAuthKeys.create", r#"{"body": {"user": "1"}}"#),
    ("preAuthKeys.list", "{}"),
    ("preAuthKeys.expire", r#"{"body": {"id": "1"}}"#),
    ("preAuthKeys.delete", r#"{"query": {"id": "1"}}"#),
    (
        "apiKeys.create",
        r#"{"body": {"expiration": "2027-01-01T00:00:00.000Z"}}"#,
    ),
    ("apiKeys.list", "{}"),
    ("policy.get", "{}"),
    ("policy.check", r#"{"body": {"policy": "{}"}}"#),
    ("policy.set", r#"{"body": {"policy": "{\"groups\": {}}"}}"#),
    (
        "auth.register",
        r#"{"body": {"user": "alice", "authId": "def"}}"#,
    ),
    ("auth.approve", r#"{"body": {"authId": "ghi"}}"#),
    ("auth.reject", r#"{"body": {"authId": "jkl"}}"#),
    ("request", r#"{"method": "GET", "path": "/api/v1/user"}"#),
    // These two take the key away by which all others were asked.
    ("apiKeys.expire", r#"{"body": {"prefix": "abc"}}"#),
    ("apiKeys.delete", r#"{"prefix": "abc"}"#),
];

#[test]
fn every_operation_is_answered_in_the_form_of_both_releases() {
    let mut seen = BTreeSet::new();
    for release in [Release::V29, Release::V30] {
        let mut known = None;
        let all = client(release);
        for (method, args) in SUCCESSES {
            let other = client(release);
            let asked = if method == "apiKeys.delete" {
                &other
            } else {
                &all
            };
            let ended = end(asked, &mut known, method, args);
            assert!(ended.is_ok(), "{release} {method} {args}: {ended:?}");
            seen.insert(method);
        }
        assert_eq!(known, Some(release));
    }
    let operations = Operation::ALL.iter().map(|operation| operation.row().name);
    assert_eq!(seen, operations.chain(["request"]).collect());
}

#[test]
fn a_refusal_has_the_same_code_and_reason_in_both_forms() {
    for (method, args, wanted) in [
        ("nodes.get", r#"{"id": "9"}"#, "not_found: node not found"),
        (
            "nodes.list",
            r#"{"query": {"user": "nobody"}}"#,
            "not_found: user not found",
        ),
        (
            "users.delete",
            r#"{"id": "9"}"#,
            "not_found: user not found",
        ),
        (
            "apiKeys.delete",
            r#"{"prefix": "no"}"#,
            "not_found: api key not found",
        ),
        (
            "auth.approve",
            r#"{"body": {"authId": "no"}}"#,
            "not_found: no pending auth session for auth_id no",
        ),
        (
            "auth.approve",
            r#"{"body": {"authId": "n o"}}"#,
            "bad_request: invalid auth_id",
        ),
        (
            "policy.check",
            r#"{"body": {"policy": "[]"}}"#,
            "bad_request: parsing policy: parsing policy from bytes: json: cannot unmarshal JSON array into Go v2.Policy",
        ),
    ] {
        for release in [Release::V29, Release::V30] {
            let ended = end(&client(release), &mut None, method, args);
            assert_eq!(ended, Err(wanted.to_owned()), "{release} {method}");
        }
    }
    let twice = r#"{"body": {"name": "alice"}}"#;
    for (release, words) in [
        (
            Release::V29,
            "conflict: failed to create user: user already exists",
        ),
        (Release::V30, "conflict: user already exists"),
    ] {
        let ended = end(&client(release), &mut None, "users.create", twice);
        assert_eq!(ended, Err(words.to_owned()));
    }
}

#[test]
fn a_policy_is_updated_or_refused() {
    for release in [Release::V29, Release::V30] {
        let client = client(release);
        let update = PolicyUpdate::read(r#"{"edit": {"function": true}}"#).expect("arguments");
        let edit = async |text: String| Ok::<_, ()>(format!("// edited\n{text}"));
        let updated = ready(update.run(&client, &mut None, edit));
        let (updated, _) = updated.expect("an update");
        assert!(updated.text.starts_with("// edited\n{"), "{}", updated.text);
        let wrong = async |_: String| Ok::<_, ()>(r#"{"acls": {}}"#.to_owned());
        let error = ready(update.run(&client, &mut None, wrong)).expect_err("a refusal");
        let UpdateError::Call(error) = error else {
            panic!("not by the edit");
        };
        assert_eq!(error.code().as_str(), "bad_request");
        let stored = end(&client, &mut None, "policy.get", "{}").expect("a policy");
        assert_eq!(stored["policy"], updated.text);
    }
}
