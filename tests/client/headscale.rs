//! Headscale's API of each release: what the client writes, and what it makes of each answer; the update of a policy.
//! Must not live here: attempts and time limits in general (`exchange`), the exchanges (`exchanges_of_headscale`).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tailnet_kit::api::headscale::{Answer, Node, Operation, PreAuthKey, Release, User, context};
use tailnet_kit::api::{ApiKey, Method, Request, Response};
use tailnet_kit::client::headscale::{Call, Gives, PolicyText, PolicyUpdate};
use tailnet_kit::client::{Options, Service};
use tailnet_kit::policy::PolicyContext;

use crate::exchanges_of_headscale::{told, value};
use crate::script::{Answer as Answered, run};

const KEY: &str = "hskey-api-abc-secret";

fn options() -> Options {
    let mut options = Options::new("https://headscale.example.com").expect("a URL");
    options.api_key = ApiKey::new(KEY).ok();
    options.service = Service::HEADSCALE;
    options
}

/// What a success carries, read into the types of Rust.
fn carried(gives: &Gives, response: &Response) -> Result<Value, tailnet_kit::api::Error> {
    let body = value(&response.body);
    let Gives::Answer(answer) = gives else {
        return Ok(body);
    };
    match answer {
        Answer::Many(name @ "nodes", _) => {
            assert!(serde_json::from_value::<Vec<Node>>(body[name].clone()).is_ok())
        }
        Answer::Many(name @ "users", _) => {
            assert!(serde_json::from_value::<Vec<User>>(body[name].clone()).is_ok())
        }
        Answer::Many(name @ "preAuthKeys", _) => {
            assert!(serde_json::from_value::<Vec<PreAuthKey>>(body[name].clone()).is_ok())
        }
        Answer::One(name @ "node", _) => {
            assert!(serde_json::from_value::<Node>(body[name].clone()).is_ok())
        }
        Answer::Policy => drop(PolicyText::read(response)?),
        Answer::One(name, _) | Answer::Many(name, _) | Answer::Text(name) => {
            assert!(!body[name].is_null())
        }
        Answer::Nothing | Answer::Object => {}
    }
    Ok(body)
}

#[test]
fn the_exchanges_of_every_release_are_written_and_read() {
    let mut seen = BTreeSet::new();
    for release in Release::ALL {
        for told in told(release) {
            let call = Call::read(&told.method, &told.args, &options()).expect("a call");
            seen.insert(told.method.clone());
            let answers: Vec<Answered> = told
                .messages
                .iter()
                .map(|(_, response)| Ok(response.clone()))
                .collect();
            let (result, script) = run(options(), answers, async |client| {
                call.run(client, &mut None, carried).await
            });
            let shown = format!("{release} {} {}", told.method, told.args);
            for ((wanted, _), sent) in told.messages.iter().zip(script.requests.borrow().iter()) {
                let target = sent.target.strip_prefix("https://headscale.example.com");
                assert_eq!(
                    (sent.method, target),
                    (wanted.method, Some(wanted.target.as_str())),
                    "{shown}"
                );
                assert_eq!(value(&sent.body), value(&wanted.body), "{shown}");
                assert_eq!(
                    sent.headers.get("authorization"),
                    Some(format!("Bearer {KEY}").as_str())
                );
            }
            let error = result
                .err()
                .map(|error| format!("{}: {error}", error.code()));
            assert_eq!(error, told.error, "{shown}");
        }
    }
    let all: BTreeSet<String> = Operation::ALL
        .into_iter()
        .map(|operation| operation.row().name.to_owned())
        .collect();
    assert_eq!(seen, all, "every operation has an exchange");
}

#[test]
fn every_path_is_found_again() {
    for operation in Operation::ALL {
        let places: Vec<String> = operation
            .places()
            .map(|name| format!("{name}/7 é"))
            .collect();
        let found = Operation::find(operation.row().method, &operation.path(&places));
        assert_eq!(found, Ok((operation, places)), "{}", operation.row().name);
        assert_eq!(Operation::by_name(operation.row().name), Some(operation));
    }
    assert!(Operation::find(Method::Get, "/api/v1/node/..").is_err());
    assert!(Operation::find(Method::Get, "/api/v2/tailnet/-/devices").is_err());
}

#[test]
fn wrong_arguments_are_named_before_anything_is_sent() {
    for (method, args, named) in [
        ("nodes.get", "{}", "`id` is missing"),
        (
            "nodes.get",
            r#"{"id": ".."}"#,
            "`id` must not be `.` or `..`",
        ),
        (
            "nodes.setTags",
            r#"{"id": "1", "body": {}}"#,
            "`tags` is missing",
        ),
        (
            "nodes.setApprovedRoutes",
            r#"{"id": "1", "body": {"routes": ["10.0.0.1/8"]}}"#,
            "`routes[0]`",
        ),
        (
            "nodes.expire",
            r#"{"id": "1", "at": 7}"#,
            "`at` must be a time",
        ),
        ("preAuthKeys.delete", "{}", "`id` is missing"),
        ("nodes.lst", "{}", "`operation` is unknown"),
    ] {
        let error = Call::read(method, args, &options())
            .expect_err(method)
            .to_string();
        assert!(error.starts_with(named), "{method}: {error}");
    }
}

#[test]
fn a_key_of_the_api_is_named_by_its_prefix_as_lists_show_it_too() {
    for shown in ["abc", "hskey-api-abc-***", "abc***"] {
        let deleted = json!({"prefix": shown}).to_string();
        let call = Call::read("apiKeys.delete", &deleted, &options()).expect("a call");
        assert_eq!(call.request.target, "/api/v1/apikey/abc", "{shown}");
        let expired = json!({"body": {"prefix": shown}}).to_string();
        let call = Call::read("apiKeys.expire", &expired, &options()).expect("a call");
        assert_eq!(
            value(&call.request.body),
            json!({"prefix": "abc"}),
            "{shown}"
        );
    }
}

fn policy(text: &str) -> Answered {
    Ok(Response::json(
        200,
        &json!({"policy": text, "updatedAt": "2026-07-01T08:00:00Z"}),
    ))
}

fn openapi() -> Answered {
    Ok(Response::with_body(
        200,
        "application/yaml",
        b"openapi: 3.1.0\n".to_vec(),
    ))
}

fn nothing() -> Answered {
    Ok(Response::json(200, &json!({})))
}

/// An update over these answers: what it ends with, and the requests in short.
fn updated(args: &str, answers: Vec<Answered>) -> (String, Vec<String>) {
    let update = PolicyUpdate::read(args).expect("arguments");
    let edit = async |text: String| Ok::<_, ()>(format!("// edited\n{text}"));
    let (result, script) = run(options(), answers, async |client| {
        update.run(client, &mut None, edit).await
    });
    let requests = script.requests.borrow();
    let short = |request: &Request| {
        format!(
            "{} {}",
            request.method,
            request.path().rsplit("/v1/").next().unwrap_or_default()
        )
    };
    let ended = match result {
        Ok((policy, _)) => policy.text,
        Err(tailnet_kit::client::UpdateError::Call(error)) => format!("{}: {error}", error.code()),
        Err(tailnet_kit::client::UpdateError::Edit(())) => "edit".to_owned(),
    };
    (ended, requests.iter().map(short).collect())
}

const UPDATE: &str = r#"{"edit": {"function": true}}"#;

#[test]
fn an_update_is_checked_by_the_server_and_read_again() {
    let edited = "// edited\n{}";
    let answers = vec![
        openapi(),
        policy("{}"),
        nothing(),
        policy("{}"),
        policy(edited),
        policy(edited),
    ];
    let (ended, requests) = updated(UPDATE, answers);
    assert_eq!(ended, edited);
    assert_eq!(
        requests,
        [
            "GET openapi.yaml",
            "GET policy",
            "POST policy/check",
            "GET policy",
            "PUT policy",
            "GET policy"
        ]
    );
}

#[test]
fn somebody_else_who_writes_meanwhile_is_a_conflict() {
    let changed = "conflict: the policy was changed by somebody else meanwhile";
    let before = vec![openapi(), policy("{}"), nothing(), policy("{ }")];
    assert_eq!(updated(UPDATE, before).0, changed);
    let after = vec![
        openapi(),
        policy("{}"),
        nothing(),
        policy("{}"),
        policy("// edited\n{}"),
        policy("{ }"),
    ];
    assert_eq!(updated(UPDATE, after).0, changed);
}

#[test]
fn what_the_server_refuses_is_not_written() {
    let refusal = json!({"title": "Bad Request", "status": 400, "detail": "group not defined"});
    let refused = Response::with_body(
        400,
        "application/problem+json",
        refusal.to_string().into_bytes(),
    );
    let (ended, requests) = updated(UPDATE, vec![openapi(), policy("{}"), Ok(refused)]);
    assert_eq!(ended, "bad_request: group not defined");
    assert_eq!(
        requests.last().map(String::as_str),
        Some("POST policy/check")
    );
}

#[test]
fn the_language_of_0_28_is_not_judged() {
    let missing = || {
        Ok(Response::json(
            404,
            &json!({"code": 5, "message": "Not Found", "details": []}),
        ))
    };
    let swagger = Ok(Response::json(
        200,
        &json!({"paths": {"/api/v1/policy": {}}}),
    ));
    let (ended, _) = updated(UPDATE, vec![missing(), swagger]);
    assert_eq!(
        ended,
        "not_implemented: this server is too old: it takes 0.29"
    );
    let edited = "// edited\n{}";
    let unchecked = r#"{"edit": {"function": true}, "options": {"check": false}}"#;
    let (ended, _) = updated(
        unchecked,
        vec![policy("{}"), policy("{}"), policy(edited), policy(edited)],
    );
    assert_eq!(ended, edited);
}

#[test]
fn a_context_has_what_the_api_lists() {
    let listed = json!({
        "users": [{"id": "1", "name": "alice", "email": "alice@example.com", "providerId": ""}, {"id": "2", "name": "", "email": "bob@example.com"}],
        "nodes": [
            {"id": "1", "name": "laptop", "givenName": "alices-laptop", "ipAddresses": ["100.64.0.1"], "user": {"id": "1", "name": "alice"}, "tags": []},
            {"id": "2", "name": "router", "givenName": "router", "ipAddresses": ["100.64.0.2"], "user": {"id": "2147455555", "name": "tagged-devices"},
             "tags": ["tag:router"], "availableRoutes": ["10.0.0.0/8", "192.168.0.0/16"], "approvedRoutes": ["10.0.0.0/8", "172.16.0.0/12"]},
            {"id": "3", "name": "old", "givenName": "old", "ipAddresses": null, "forcedTags": ["tag:a"], "validTags": ["tag:a", "tag:b"]},
        ],
    });
    let made: Value =
        serde_json::from_str(&context(&listed.to_string()).expect("a context")).expect("JSON");
    assert_eq!(
        made,
        json!({
            "dialect": "headscale",
            "users": [{"loginName": "alice", "id": "1", "email": "alice@example.com"}, {"loginName": "bob@example.com", "id": "2", "email": "bob@example.com"}],
            "devices": [
                {"id": "1", "name": "alices-laptop", "hostname": "laptop", "addresses": ["100.64.0.1"], "advertisedRoutes": [], "enabledRoutes": [], "user": "1"},
                {"id": "2", "name": "router", "hostname": "router", "addresses": ["100.64.0.2"], "advertisedRoutes": ["10.0.0.0/8", "192.168.0.0/16"],
                 "enabledRoutes": ["10.0.0.0/8"], "tags": ["tag:router"]},
                {"id": "3", "name": "old", "hostname": "old", "addresses": [], "advertisedRoutes": [], "enabledRoutes": [], "tags": ["tag:a", "tag:b"]},
            ],
        })
    );
    assert!(PolicyContext::read(&made.to_string()).is_ok());
    for wrong in [
        "{}",
        r#"{"users": [], "nodes": {}}"#,
        r#"{"users": [7], "nodes": []}"#,
    ] {
        assert!(context(wrong).is_err(), "{wrong}");
    }
}
