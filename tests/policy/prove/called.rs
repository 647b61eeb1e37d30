//! Counterexamples: what their ends are called, and that `explain` takes them as they are. Must not live here: what holds.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, PolicyContext, Subject, Verdict};

use super::{POLICY, proof};

/// The verdict of `explain` on a counterexample as it is.
pub fn explained(policy: &str, context: &Value, flow: &Value) -> Verdict {
    let document = hujson::parse(policy).expect("HuJSON");
    let context = PolicyContext::read(&context.to_string()).expect("a context");
    let from = Subject::Plain(flow["from"].as_str().expect("from").to_owned());
    let to = flow["to"].as_str().expect("to");
    let flow = Flow::new(&from, to, flow["proto"].as_str()).expect("a flow");
    let answer = Policy::read(&document).explain(&flow, &context);
    answer.expect("an answer").verdict
}

/// The one result of a guard, which is false.
#[track_caller]
fn refuted(policy: &str, guard: &str, context: &Value) -> Value {
    let mut found = proof(policy, guard, context, &[]).expect("a proof");
    let result = found["results"][0].take();
    assert_eq!(result["holds"], false, "{result}");
    let flow = &result["counterexample"]["flow"];
    let wanted = match guard.contains("\"always\"") {
        true => Verdict::Denied,
        false => Verdict::Allowed,
    };
    assert_eq!(explained(policy, context, flow), wanted, "{result}");
    result
}

fn network() -> Value {
    json!({"users": [
        {"loginName": "ann@example.com", "role": "member"}, {"loginName": "cyd@example.com", "role": "admin"},
    ], "devices": [
        {"id": "1", "name": "laptop.tail.ts.net", "user": "ann@example.com", "addresses": ["100.64.0.1", "fd7a:115c:a1e0::1"]},
        {"id": "2", "name": "desk.tail.ts.net", "user": "cyd@example.com", "addresses": ["100.64.0.2"]},
        {"id": "3", "name": "db-1.tail.ts.net", "tags": ["tag:db"], "addresses": ["100.64.0.3", "fd7a:115c:a1e0::3"]},
        {"id": "4", "hostname": "runner", "tags": ["tag:ci"], "addresses": ["100.64.0.4"]},
    ]})
}

#[test]
fn a_counterexample_is_what_explain_says() {
    refuted(
        POLICY,
        r#"[{"only": {"from": "tag:ci", "to": "*"}}]"#,
        &json!({}),
    );
}

// The worst that people can be told: that carl reaches carl, or what 0.0.0.1 reaches.
#[test]
fn a_counterexample_is_about_somebody_and_something_else() {
    let found = refuted(
        POLICY,
        r#"[{"never": {"from": "cyd@example.com", "to": "*"}}]"#,
        &json!({}),
    );
    assert_eq!(
        found["counterexample"]["flow"],
        json!({"from": "cyd@example.com", "to": "ann@example.com:22", "proto": "tcp"})
    );
    let everything = r#"{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}], "tagOwners": {"tag:db": []}, "groups": {"group:dev": ["ann@example.com"]}}"#;
    let found = refuted(
        everything,
        r#"[{"never": {"from": "*", "to": "*"}}]"#,
        &json!({}),
    );
    assert_eq!(
        found["counterexample"]["flow"],
        json!({"from": "ann@example.com", "to": "tag:db:22", "proto": "tcp"})
    );
}

#[test]
fn people_and_devices_have_names() {
    let found = refuted(
        POLICY,
        r#"[{"never": {"from": "group:dev", "to": "tag:db"}}]"#,
        &network(),
    );
    assert_eq!(
        found["counterexample"]["flow"],
        json!({"from": "ann@example.com", "to": "db-1:5432", "proto": "tcp"})
    );
    let found = refuted(
        POLICY,
        r#"[{"always": {"from": "tag:ci", "to": "tag:db", "ports": "5432"}}]"#,
        &network(),
    );
    assert_eq!(
        found["counterexample"]["flow"],
        json!({"from": "runner", "to": "db-1:5432", "proto": "tcp"})
    );
    // Claims about addresses are about no more than these.
    let found = refuted(
        POLICY,
        r#"[{"never": {"from": "100.64.0.1", "to": "100.64.0.3"}}]"#,
        &network(),
    );
    assert_eq!(
        found["counterexample"]["flow"],
        json!({"from": "100.64.0.1", "to": "100.64.0.3:5432", "proto": "tcp"})
    );
}

#[test]
fn aliases_name_addresses() {
    for (to, wanted) in [
        (r#"["10.0.0.0/28", "nas"]"#, "nas:22"),
        (r#""lan""#, "lan:22"),
        (r#""10.0.0.16/30""#, "10.0.0.17:22"),
    ] {
        let guard = format!(r#"[{{"never": {{"from": "group:ops", "to": {to}}}}}]"#);
        let found = refuted(POLICY, &guard, &json!({}));
        assert_eq!(
            found["counterexample"]["flow"],
            json!({"from": "cyd@example.com", "to": wanted, "proto": "tcp"})
        );
    }
}

#[test]
fn a_login_names_people_and_devices() {
    let guard = r#"[{"never": {"from": "*", "to": "tag:db", "users": "root"}}]"#;
    let found = proof(POLICY, guard, &network(), &[]).expect("a proof");
    assert_eq!(
        found["results"][0]["counterexample"]["flow"],
        json!({"from": "cyd@example.com", "to": "db-1", "user": "root"})
    );
    let guard = r#"[{"never": {"from": "*", "to": "*", "users": "deploy"}}]"#;
    let found = proof(POLICY, guard, &network(), &[]).expect("a proof");
    let flow = &found["results"][0]["counterexample"]["flow"];
    assert_ne!(flow["from"], flow["to"], "{found}");
}

// Each false answer has its reason.
#[test]
fn an_always_that_fails_says_what_comes_nearest() {
    for (guard, why) in [
        (
            r#"[{"always": {"from": "group:dev", "to": "tag:db", "ports": "80"}}]"#,
            "wrong port: the rule opens port 5432, not 80 (line 7)",
        ),
        (
            r#"[{"always": {"from": "tag:ci", "to": "nas", "ports": "22"}}]"#,
            "only with `posture:mac`",
        ),
        (
            r#"[{"always": {"from": "tag:web", "to": "tag:web", "ports": "22"}}]"#,
            "no rule comes near",
        ),
        (
            r#"[{"always": {"from": "group:dev", "to": "tag:web", "users": "root"}}]"#,
            "account: the rule opens deploy, localpart:*@example.com, not root (line 16)",
        ),
        (
            r#"[{"always": {"from": "tag:web", "to": "tag:db", "users": "root"}}]"#,
            "source \"tag:web\" is not in group:ops (line 14)",
        ),
        (
            r#"[{"always": {"from": "group:dev", "to": "tag:ci", "users": "root"}}]"#,
            "no ssh rule comes near",
        ),
    ] {
        let found = proof(POLICY, guard, &json!({}), &[]).expect("a proof");
        assert_eq!(found["results"][0]["why"], why, "{found}");
    }
}

#[test]
fn the_difference_to_another_policy_names_people_and_devices() {
    let more = POLICY
        .replace("tag:db:5432", "tag:db:5432,5433")
        .replace(r#""users": ["deploy""#, r#""users": ["root", "deploy""#);
    let (own, more) = (POLICY, more.as_str());
    let ask = |policy, base, verb: &str| {
        let guard = format!(r#"[{{"{verb}": "main"}}]"#);
        let mut found = proof(policy, &guard, &network(), &[("main", base)]).expect("a proof");
        found["results"][0].take()
    };
    let flow = json!({"from": "ann@example.com", "to": "db-1:5433", "proto": "tcp"});
    let found = ask(more, own, "noMoreThan");
    assert_eq!(found["counterexample"]["flow"], flow, "{found}");
    assert_eq!(found["counterexample"]["rule"]["index"], 0);
    let found = ask(own, more, "sameAs");
    assert_eq!(found["counterexample"]["flow"], flow, "{found}");
    assert_eq!(found["counterexample"]["rule"], Value::Null);
    assert_eq!(found["why"], "only the other policy allows it");
    let logins = POLICY.replace(r#""users": ["deploy""#, r#""users": ["root", "deploy""#);
    let found = ask(own, &logins, "sameAs");
    assert_eq!(
        found["counterexample"]["flow"],
        json!({"from": "ann@example.com", "to": "tag:web", "user": "root"}),
        "{found}"
    );
    assert_eq!(found["why"], "only the other policy allows it");
}

// Whoever reads why an assertion is undecided knows devices, and not their addresses.
#[test]
fn what_is_undecided_is_said_of_devices() {
    let policy = r#"{"tagOwners": {"tag:db": []}, "acls": [
        {"action": "accept", "src": ["autogroup:auditor"], "dst": ["tag:db:22"]}]}"#;
    let context = json!({"devices": network()["devices"]});
    let guard = r#"[{"never": {"from": "cyd@example.com", "to": "tag:db"}}]"#;
    let found = proof(policy, guard, &context, &[]).expect("a proof");
    let result = &found["results"][0];
    assert_eq!(result["holds"], Value::Null);
    assert_eq!(
        result["why"],
        "`desk` to `db-1`, tcp 22: text and context do not say of `autogroup:auditor` whom it takes in"
    );
}
