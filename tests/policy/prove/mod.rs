//! `prove`: assertions over every user, tag and address that a document allows. Must not live here: random worlds
//! (`policy_laws`).

mod called;
mod names;
mod open;
mod paths;
mod settled;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Error, Guard, Policy, PolicyContext};

const POLICY: &str = r#"{
  "groups": {"group:dev": ["ann@example.com", "bob@example.com"], "group:ops": ["cyd@example.com"]},
  "tagOwners": {"tag:db": [], "tag:web": [], "tag:ci": []},
  "hosts": {"nas": "10.0.0.9", "lan": "10.0.0.0/24"},
  "postures": {"posture:mac": ["node:os == 'macos'"]},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:db:5432", "tag:web:80,443"]},
    {"action": "accept", "src": ["group:ops"], "dst": ["*:*"]},
    {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:*"]},
    {"action": "accept", "src": ["tag:ci"], "dst": ["lan:22"], "srcPosture": ["posture:mac"]},
    {"action": "accept", "src": ["autogroup:admin"], "dst": ["tag:ci:22"]},
  ],
  "ssh": [
    {"action": "accept", "src": ["group:ops"], "dst": ["tag:db"], "users": ["root", "autogroup:nonroot"]},
    {"action": "check", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"]},
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web"], "users": ["deploy", "localpart:*@example.com"]},
  ],
}"#;

/// The answer as JavaScript sees it.
pub fn proof(
    policy: &str,
    guard: &str,
    context: &Value,
    bases: &[(&str, &str)],
) -> Result<Value, Error> {
    let document = hujson::parse(policy).expect("HuJSON");
    let context = PolicyContext::read(&context.to_string()).expect("a context");
    let guard = Guard::read(guard, true)?;
    let bases: Vec<(String, String)> = bases
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    let proof = Policy::read(&document).prove(&guard, &bases, &context)?;
    Ok(serde_json::to_value(proof).expect("JSON"))
}

fn prove_in(guard: &str, context: &Value) -> Value {
    proof(POLICY, guard, context, &[]).expect("a proof")
}

fn prove(guard: &str) -> Value {
    prove_in(guard, &json!({}))
}

#[track_caller]
fn holds(guard: &str, wanted: impl Into<Value>) -> Value {
    let mut proof = prove(&format!("[{guard}]"));
    assert_eq!(proof["holds"], wanted.into(), "{guard}: {proof}");
    proof["results"][0].take()
}

#[track_caller]
fn refused(guard: &str, message: &str) {
    match proof(POLICY, guard, &json!({}), &[]) {
        Err(Error::Argument(said)) => assert_eq!(said, message),
        other => panic!("{guard}: {other:?}"),
    }
}

#[test]
fn a_guard_file_is_a_list_with_comments_and_each_result_has_its_line() {
    let proof = prove(
        "// Who guards the guards?\n[\n  // Customers' data.\n  {\"never\": {\"from\": \"tag:web\", \"to\": \"tag:db\"}, \"why\": \"data\"},\n\n  {\"never\": {\"from\": [\"group:dev\"], \"to\": \"tag:db\"}},\n]\n",
    );
    assert_eq!(proof["holds"], false);
    assert_eq!(proof["results"][0]["line"], 4);
    assert_eq!(proof["results"][0]["holds"], true);
    assert_eq!(
        proof["results"][0]["assertion"],
        json!({"never": {"from": "tag:web", "to": "tag:db"}, "why": "data"})
    );
    assert_eq!(proof["results"][1]["line"], 6);
    assert_eq!(
        proof["results"][1]["counterexample"],
        json!({"flow": {"from": "ann@example.com", "to": "tag:db:5432", "proto": "tcp"}, "rule": {"section": "acls", "index": 0, "line": 7}})
    );
    assert_eq!(
        proof["results"][1]["because"],
        json!([{"section": "acls", "index": 0, "line": 7}])
    );
}

#[test]
fn an_empty_guard_holds() {
    assert_eq!(prove("[]"), json!({"holds": true, "results": []}));
}

#[test]
fn objects_have_no_line() {
    let guard = Guard::read(r#"[{"never": {"from": "tag:web", "to": "tag:db"}}]"#, false);
    let document = hujson::parse(POLICY).expect("HuJSON");
    let context = PolicyContext::default();
    let policy = Policy::read(&document);
    let proof = policy
        .prove(&guard.expect("a guard"), &[], &context)
        .expect("a proof");
    assert_eq!(json!(proof)["results"][0]["line"], Value::Null);
}

#[test]
fn a_malformed_guard_is_refused_with_its_place() {
    refused("{}", "line 1, column 1: a guard is a list of assertions");
    refused(
        "[\n  {\"nevr\": {\"from\": \"*\", \"to\": \"*\"}}]",
        "line 2, column 4: unknown key \"nevr\"; did you mean `never`?",
    );
    refused(
        "[{\"never\": {\"form\": \"*\", \"to\": \"*\"}}]",
        "line 1, column 13: unknown key \"form\"; did you mean `from`?",
    );
    refused(
        "[{\"never\": {\"to\": \"*\"}}]",
        "line 1, column 12: a claim has a `from`",
    );
    refused("[3]", "line 1, column 2: an assertion is an object");
    refused(
        "[{\"why\": \"x\"}]",
        "line 1, column 2: an assertion has one of never, always, only, noMoreThan, sameAs",
    );
    refused(
        "[{\"never\": {\"from\": \"*\", \"to\": \"*\", \"users\": \"root\", \"ports\": \"22\"}}]",
        "line 1, column 54: a claim about logins has no `ports`, no `proto` and no `paths`",
    );
    assert!(matches!(
        proof(POLICY, "[{]", &json!({}), &[]),
        Err(Error::Syntax(_))
    ));
}

#[test]
fn never_covers_users_whom_no_rule_names() {
    let result = holds(
        r#"{"never": {"from": "autogroup:member", "to": "autogroup:self"}}"#,
        false,
    );
    assert_eq!(result["counterexample"]["rule"]["index"], 2);
    holds(
        r#"{"never": {"from": "user:*@other.org", "to": ["tag:db", "tag:web"]}}"#,
        true,
    );
}

#[test]
fn never_counts_every_protocol_unless_it_names_one() {
    holds(
        r#"{"never": {"from": "group:dev", "to": "tag:db", "ports": "1-5431,5433-65535"}}"#,
        true,
    );
    holds(
        r#"{"never": {"from": "group:dev", "to": "tag:db", "ports": "5432", "proto": "sctp"}}"#,
        true,
    );
    let result = holds(
        r#"{"never": {"from": "group:dev", "to": "tag:db", "proto": "icmp"}}"#,
        false,
    );
    assert_eq!(
        result["counterexample"]["flow"],
        json!({"from": "ann@example.com", "to": "tag:db:0", "proto": "icmp"})
    );
    holds(
        r#"{"never": {"from": "group:dev", "to": "tag:db", "ports": "5400-5500", "proto": "udp"}}"#,
        false,
    );
}

#[test]
fn always_wants_each_flow() {
    let result = holds(
        r#"{"always": {"from": "group:dev", "to": "tag:web", "ports": "80,443"}}"#,
        true,
    );
    assert_eq!(
        result["because"],
        json!([{"section": "acls", "index": 0, "line": 7}])
    );
    let result = holds(
        r#"{"always": {"from": "group:dev", "to": ["tag:web", "tag:db"], "ports": "80"}}"#,
        false,
    );
    assert_eq!(
        result["counterexample"],
        json!({"flow": {"from": "ann@example.com", "to": "tag:db:80", "proto": "tcp"}, "rule": null})
    );
    holds(
        r#"{"always": {"from": "group:dev", "to": "tag:web", "ports": "80", "proto": "sctp"}}"#,
        false,
    );
    holds(r#"{"always": {"from": "group:ops", "to": "nas"}}"#, true);
}

#[test]
fn only_covers_everybody_else() {
    holds(
        r#"{"only": {"from": ["group:dev", "group:ops"], "to": "tag:db"}}"#,
        true,
    );
    let result = holds(
        r#"{"only": {"from": "group:dev", "to": "tag:db", "ports": "5432"}}"#,
        false,
    );
    assert_eq!(result["counterexample"]["flow"]["from"], "cyd@example.com");
    assert_eq!(result["counterexample"]["rule"]["index"], 1);
}

#[test]
fn access_that_needs_a_posture_is_open() {
    let result = holds(r#"{"never": {"from": "tag:ci", "to": "nas"}}"#, Value::Null);
    assert!(
        result["why"].as_str().expect("why").contains("posture:mac"),
        "{result}"
    );
    assert_eq!(
        result["because"],
        json!([{"section": "acls", "index": 3, "line": 10}])
    );
    holds(
        r#"{"always": {"from": "tag:ci", "to": "nas", "ports": "22"}}"#,
        false,
    );
}

#[test]
fn who_holds_a_role_is_open_without_users() {
    let guard =
        r#"{"only": {"from": ["autogroup:admin", "group:ops"], "to": "tag:ci", "ports": "22"}}"#;
    holds(guard, true);
    holds(
        r#"{"only": {"from": "group:ops", "to": "tag:ci"}}"#,
        Value::Null,
    );
    let result = holds(
        r#"{"never": {"from": "*", "to": "tag:ci", "ports": "22"}}"#,
        false,
    );
    assert_eq!(result["counterexample"]["flow"]["from"], "cyd@example.com");
    holds(
        r#"{"never": {"from": "ann@example.com", "to": "tag:ci"}}"#,
        Value::Null,
    );
    let context = json!({"users": [{"loginName": "ann@example.com", "role": "member"}, {"loginName": "cyd@example.com", "role": "admin"}]});
    let proof = prove_in(
        r#"[{"never": {"from": "ann@example.com", "to": "tag:ci"}}]"#,
        &context,
    );
    assert_eq!(proof["holds"], true, "{proof}");
}

#[test]
fn listed_devices_are_known_by_their_addresses_too() {
    let context = json!({"devices": [
        {"id": "1", "name": "laptop.tail.ts.net", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "2", "name": "db.tail.ts.net", "tags": ["tag:db"], "addresses": ["100.64.0.2", "fd7a:115c:a1e0::2"]},
    ]});
    let policy = POLICY.replace(
        r#""src": ["tag:ci"], "dst": ["lan:22"], "srcPosture": ["posture:mac"]"#,
        r#""src": ["100.64.0.1"], "dst": ["100.64.0.2:22"]"#,
    );
    let found = proof(
        &policy,
        r#"[{"never": {"from": "group:dev", "to": "tag:db", "ports": "22"}}]"#,
        &context,
        &[],
    )
    .expect("a proof");
    assert_eq!(found["holds"], false, "{found}");
    assert_eq!(found["results"][0]["counterexample"]["rule"]["index"], 3);
    // Without devices it is not known whose address it is.
    let found = proof(
        &policy,
        r#"[{"never": {"from": "group:dev", "to": "tag:db", "ports": "22"}}]"#,
        &json!({}),
        &[],
    )
    .expect("a proof");
    assert_eq!(found["holds"], Value::Null, "{found}");
    assert!(found["results"][0]["why"].is_string());
}

#[test]
fn logins_are_those_of_the_ssh_rules() {
    holds(
        r#"{"never": {"from": "group:dev", "to": "tag:db", "users": ["root", "autogroup:nonroot"]}}"#,
        true,
    );
    let result = holds(
        r#"{"never": {"from": "*", "to": "tag:db", "users": "root"}}"#,
        false,
    );
    assert_eq!(
        result["counterexample"],
        json!({"flow": {"from": "cyd@example.com", "to": "tag:db", "user": "root"}, "rule": {"section": "ssh", "index": 0, "line": 14}})
    );
    holds(
        r#"{"only": {"from": "group:ops", "to": "tag:db", "users": ["root", "autogroup:nonroot"]}}"#,
        true,
    );
    holds(
        r#"{"always": {"from": "group:ops", "to": "tag:db", "users": ["root", "autogroup:nonroot"]}}"#,
        true,
    );
    let result = holds(
        r#"{"always": {"from": "group:dev", "to": "tag:web", "users": ["deploy", "root"]}}"#,
        false,
    );
    assert_eq!(result["counterexample"]["flow"]["user"], "root");
    assert_eq!(result["counterexample"]["rule"], Value::Null);
    holds(
        r#"{"always": {"from": "group:dev", "to": "tag:web", "users": "localpart:*@example.com"}}"#,
        true,
    );
    let result = holds(
        r#"{"never": {"from": "group:dev", "to": "tag:web", "users": "ann"}}"#,
        false,
    );
    assert_eq!(result["counterexample"]["flow"]["from"], "ann@example.com");
    holds(
        r#"{"never": {"from": "tag:web", "to": "*", "users": ["root", "autogroup:nonroot"]}}"#,
        true,
    );
}

#[test]
fn the_access_of_another_policy_is_a_bound() {
    let wider = POLICY.replace("tag:db:5432", "tag:db:5432,5433");
    let bases = [("main", POLICY), ("wider", wider.as_str())];
    let ask = |guard: &str| proof(POLICY, guard, &json!({}), &bases).expect("a proof");
    assert_eq!(
        ask(r#"[{"noMoreThan": "main"}, {"sameAs": "main"}, {"noMoreThan": "wider"}]"#)["holds"],
        true
    );
    let found = ask(r#"[{"sameAs": "wider"}]"#);
    assert_eq!(
        found["results"][0]["counterexample"],
        json!({"flow": {"from": "ann@example.com", "to": "tag:db:5433", "proto": "tcp"}, "rule": null})
    );
    let found = proof(&wider, r#"[{"noMoreThan": "main"}]"#, &json!({}), &bases).expect("a proof");
    assert_eq!(
        found["results"][0]["counterexample"]["flow"]["to"],
        "tag:db:5433"
    );
    assert_eq!(found["results"][0]["counterexample"]["rule"]["index"], 0);
    let written = ask(r#"[{"noMoreThan": {"acls": [], "grants": []}}]"#);
    assert_eq!(written["holds"], false);
}

#[test]
fn another_spelling_is_the_same_access() {
    let split = POLICY.replace(
        r#"{"action": "accept", "src": ["group:dev"], "dst": ["tag:db:5432", "tag:web:80,443"]},"#,
        r#"{"action": "accept", "src": ["group:dev"], "dst": ["tag:db:5432"]}, {"Action": "accept", "Users": ["bob@example.com", "ann@example.com"], "Ports": ["tag:web:80", "tag:web:443"]},"#,
    );
    let found = proof(
        &split,
        r#"[{"sameAs": "main"}]"#,
        &json!({}),
        &[("main", POLICY)],
    )
    .expect("a proof");
    assert_eq!(found["holds"], true, "{found}");
}

#[test]
fn more_logins_are_more_access() {
    let more = POLICY.replace(
        r#""users": ["deploy", "localpart:*@example.com"]"#,
        r#""users": ["deploy", "root", "localpart:*@example.com"]"#,
    );
    let found = proof(
        &more,
        r#"[{"noMoreThan": "main"}]"#,
        &json!({}),
        &[("main", POLICY)],
    )
    .expect("a proof");
    assert_eq!(found["holds"], false, "{found}");
    assert_eq!(
        found["results"][0]["counterexample"]["flow"]["user"],
        "root"
    );
}

// A via grant with a posture counts only for sources that meet it, and takes the routes of other routers from them.
#[test]
fn a_posture_that_leads_another_way_leaves_open() {
    let policy = r#"{"tagOwners": {"tag:exit": []}, "postures": {"posture:mac": ["node:os == 'macos'"]}, "grants": [
      {"src": ["100.64.0.8"], "dst": ["autogroup:internet"], "ip": ["443"], "srcPosture": ["posture:mac"], "via": ["tag:exit"]},
    ]}"#;
    let device = |id: &str, address: &str, tags: &[&str], routes: &[&str]| json!({"id": id, "user": "ann@example.com", "tags": tags, "addresses": [address], "advertisedRoutes": routes, "enabledRoutes": routes});
    let context = json!({"devices": [
        device("1", "100.64.0.1", &[], &["203.0.113.0/24"]),
        device("2", "100.64.0.2", &["tag:exit"], &["0.0.0.0/0", "::/0"]),
    ]});
    let guard = r#"[{"never": {"from": "100.64.0.8", "to": "203.0.113.0/24"}}]"#;
    let found = proof(policy, guard, &context, &[]).expect("a proof");
    assert_eq!(found["holds"], Value::Null, "{found}");
    let why = found["results"][0]["why"].as_str().expect("why");
    assert!(why.contains("allowed with `posture:mac`"), "{why}");
}

#[test]
fn under_their_own_name_each_logs_in_as_another() {
    let policy = r#"{"groups": {"group:all": ["dee@other.org", "bob@example.com"]}, "tagOwners": {"tag:d": []}, "ssh": [
      {"action": "accept", "src": ["group:all"], "dst": ["tag:d"], "users": ["autogroup:nonroot"]},
    ]}"#;
    let guard =
        r#"[{"never": {"from": "group:all", "to": "tag:d", "users": "localpart:*@example.com"}}]"#;
    let found = proof(policy, guard, &json!({}), &[]).expect("a proof");
    assert_eq!(
        found["results"][0]["counterexample"]["flow"]["user"], "bob",
        "{found}"
    );
}
