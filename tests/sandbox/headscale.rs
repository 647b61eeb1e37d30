//! Headscale in process, against docs/headscale-api.md and the exchanges of its releases: each refusal, side effect and form.
//! Must not live here: the client (`headscale_client`), verdicts about policies.

use serde_json::{Value, json};
use tailnet_kit::api::headscale::{Operation, Release};
use tailnet_kit::api::{Method, Request, Response};
use tailnet_kit::sandbox::headscale::{HeadscaleSandbox, Options};

use crate::exchanges_of_headscale::{Told, told, value};
use crate::service::NOW;

pub const KEY: &str = "hskey-api-abc-secret";

/// A laptop of alice's, a router with a tag that announces a subnet and is an exit, and another that announces the same subnet.
pub fn state() -> Value {
    let node = |id: &str, name: &str, routes: Value, tags: Value| {
        json!({"id": id, "name": name, "givenName": name, "ipAddresses": [format!("100.64.0.{id}"), format!("fd7a:115c:a1e0::{id}")],
            "user": {"id": "1", "name": "alice"}, "online": true, "tags": tags, "createdAt": "2025-01-01T00:00:00Z", "availableRoutes": routes})
    };
    json!({
        "users": [{"id": "1", "name": "alice", "email": "alice@example.com"}, {"id": "2", "name": "zoe", "provider": "oidc"}],
        "nodes": [
            node("1", "laptop", json!([]), json!([])),
            node("3", "router", json!(["10.0.0.0/8", "0.0.0.0/0", "::/0"]), json!(["tag:web"])),
            node("4", "spare", json!(["10.0.0.0/8"]), json!(["tag:web"])),
        ],
        "policy": r#"{"tagOwners": {"tag:web": ["alice@"]}}"#,
    })
}

pub fn sandbox(release: Release) -> HeadscaleSandbox {
    let options = json!({"apiKey": KEY, "errors": release.as_str(), "state": state()});
    let options = Options::from_json(&options.to_string()).expect("options");
    HeadscaleSandbox::new(options, NOW).expect("a sandbox")
}

pub fn ask_with(
    sandbox: &mut HeadscaleSandbox,
    key: &str,
    (method, target): (&str, &str),
    body: &Value,
) -> Response {
    let method = Method::parse(method).expect("a method");
    let mut request = Request::new(method, format!("/api/v1{target}"));
    request
        .headers
        .set("Authorization", format!("Bearer {key}"));
    if !body.is_null() {
        request = request.with_json_text(body.to_string());
    }
    sandbox.handle(&request, NOW)
}

/// Calls with the key of [`state`], such as `POST /user`.
trait Asked {
    fn ask(&mut self, call: &str, body: Value) -> (u16, Value);

    /// A success.
    #[track_caller]
    fn done(&mut self, call: &str, body: Value) -> Value {
        let (status, answer) = self.ask(call, body);
        assert_eq!(status, 200, "{call}: {answer}");
        answer
    }

    #[track_caller]
    fn get(&mut self, target: &str) -> Value {
        self.done(&format!("GET {target}"), Value::Null)
    }

    /// What is refused by 0.30, by its reason.
    #[track_caller]
    fn refused(&mut self, call: &str, body: Value) -> (u16, String) {
        let (status, answer) = self.ask(call, body);
        let listed = answer["errors"][0]["message"].as_str();
        let reason = listed.or(answer["detail"].as_str());
        assert_eq!(answer["status"], status, "{answer}");
        (status, reason.expect("a reason").to_owned())
    }
}

impl Asked for HeadscaleSandbox {
    fn ask(&mut self, call: &str, body: Value) -> (u16, Value) {
        let call = call.split_once(' ').expect("method and target");
        let response = ask_with(self, KEY, call, &body);
        (response.status, value(&response.body))
    }
}

/// Whether an answer has every member of what was written down, of the same kind; what is null there may be anything.
fn has(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (_, Value::Null) => true,
        (Value::Object(ours), Value::Object(theirs)) => theirs
            .iter()
            .all(|(name, value)| ours.get(name).is_some_and(|own| has(own, value))),
        (Value::Array(ours), Value::Array(theirs)) => {
            theirs
                .iter()
                .zip(ours)
                .all(|(theirs, ours)| has(ours, theirs))
                && ours.len() >= theirs.len()
        }
        (Value::Null, Value::String(_)) => true,
        _ => std::mem::discriminant(ours) == std::mem::discriminant(theirs),
    }
}

/// Makes the server such that it can answer as in an exchange.
fn prepare(sandbox: &mut HeadscaleSandbox, told: &Told) {
    let waiting = json!({"user": "alice", "key": "abc", "name": "phone", "routes": []});
    match told.method.as_str() {
        "nodes.get" if told.args.contains("\"1\"") => sandbox.done("DELETE /node/1", Value::Null),
        "nodes.register" | "auth.register" | "auth.reject" => {
            sandbox.done("POST /debug/node", waiting)
        }
        "preAuthKeys.list" | "preAuthKeys.expire" | "preAuthKeys.delete" => {
            sandbox.done("POST /preauthkey", json!({"aclTags": ["tag:web"]}))
        }
        _ => Value::Null,
    };
}

#[test]
fn the_exchanges_of_both_releases_are_answered_as_they_were() {
    let mut count = 0;
    for release in [Release::V29, Release::V30] {
        for told in told(release) {
            let mut sandbox = sandbox(release);
            prepare(&mut sandbox, &told);
            for (asked, answered) in &told.messages {
                if answered.status == 503 {
                    continue;
                }
                let mut request = asked.clone();
                let key = if answered.status == 401 { "wrong" } else { KEY };
                request
                    .headers
                    .set("Authorization", format!("Bearer {key}"));
                let ours = sandbox.handle(&request, NOW);
                let shown = format!("{release} {} {}", told.method, told.args);
                let media =
                    |response: &Response| response.headers.get("content-type").map(str::to_owned);
                assert_eq!(
                    (ours.status, media(&ours)),
                    (answered.status, media(answered)),
                    "{shown}"
                );
                let (own, theirs) = (value(&ours.body), value(&answered.body));
                match answered.is_success() {
                    true => assert!(has(&own, &theirs), "{shown}\n{own}\n{theirs}"),
                    false => assert_eq!(own, theirs, "{shown}"),
                }
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn a_call_needs_a_key_that_has_not_ended() {
    let mut sandbox = sandbox(Release::V30);
    let key = sandbox.done(
        "POST /apikey",
        json!({"expiration": "2026-01-02T03:04:06Z"}),
    );
    let key = key["apiKey"].as_str().expect("a key").to_owned();
    let mut at = |key: &str, now| {
        let mut request = Request::new(Method::Get, "/api/v1/user");
        request.headers.set("Authorization", key);
        sandbox.handle(&request, now).status
    };
    assert_eq!(at(&format!("Bearer {key}"), NOW), 200);
    assert_eq!(at(&format!("Bearer {key}"), NOW + 1000), 401);
    assert_eq!(at(&format!("Basic {key}"), NOW), 401);
    let health = sandbox.handle(&Request::new(Method::Get, "/health"), NOW);
    assert_eq!(value(&health.body), json!({"status": "pass"}));
    sandbox.done("DELETE /apikey/abc", Value::Null);
    assert_eq!(sandbox.ask("GET /user", Value::Null).0, 401);
}

#[test]
fn keys_are_shown_whole_once() {
    let mut sandbox = sandbox(Release::V30);
    let made = sandbox.done("POST /preauthkey", json!({"user": "1", "reusable": true}));
    let made = &made["preAuthKey"];
    let key = made["key"].as_str().expect("a key");
    let (prefix, _) = key.rsplit_once('-').expect("a secret");
    assert!(prefix.starts_with("hskey-auth-"), "{key}");
    assert_eq!(
        (&made["user"]["name"], &made["reusable"]),
        (&json!("alice"), &json!(true))
    );
    let listed = sandbox.get("/preauthkey");
    assert_eq!(listed["preAuthKeys"][0]["key"], format!("{prefix}-***"));
    let keys = sandbox.get("/apikey");
    assert_eq!(keys["apiKeys"][0]["prefix"], "hskey-api-abc-***");
    assert_eq!(keys["apiKeys"][0]["lastSeen"], "2026-01-02T03:04:05Z");
    sandbox.done("POST /preauthkey/expire", json!({"id": "1"}));
    let listed = sandbox.get("/preauthkey");
    assert_eq!(
        listed["preAuthKeys"][0]["expiration"],
        "2026-01-02T03:04:05Z"
    );
}

#[test]
fn nodes_with_tags_are_nobodys_and_stay_so() {
    let mut sandbox = sandbox(Release::V30);
    let of_alice = sandbox.get("/node?user=alice");
    let names = |answer: &Value| -> Vec<Value> {
        let nodes = answer["nodes"].as_array().expect("a list");
        nodes.iter().map(|node| node["name"].clone()).collect()
    };
    assert_eq!(names(&of_alice), [json!("laptop")]);
    let tagged = sandbox.done("POST /node/1/tags", json!({"tags": ["tag:web"]}));
    assert_eq!(tagged["node"]["user"]["name"], "tagged-devices");
    assert_eq!(tagged["node"]["user"]["id"], "2147455555");
    assert_eq!(names(&sandbox.get("/node?user=alice")), [] as [Value; 0]);
    for (tags, reason) in [
        (
            json!([]),
            "cannot remove all tags from a node - tagged nodes must have at least one tag",
        ),
        (json!(["web"]), "tag must start with the string 'tag:'"),
        (json!(["tag:Web"]), "tag should be lowercase"),
        (
            json!(["tag:no"]),
            "requested tags [tag:no] are invalid or not permitted",
        ),
    ] {
        let said = sandbox.refused("POST /node/1/tags", json!({"tags": tags}));
        assert_eq!(said, (400, reason.to_owned()));
    }
}

#[test]
fn routes_are_served_by_the_first_node_of_those_that_may() {
    let mut sandbox = sandbox(Release::V30);
    let approved = |sandbox: &mut HeadscaleSandbox, id: u8, routes: Value| {
        sandbox.done(
            &format!("POST /node/{id}/approve_routes"),
            json!({"routes": routes}),
        )["node"]
            .clone()
    };
    let spare = approved(&mut sandbox, 4, json!(["10.0.0.0/8"]));
    assert_eq!(spare["subnetRoutes"], json!(["10.0.0.0/8"]));
    let router = approved(&mut sandbox, 3, json!(["0.0.0.0/0", "10.0.0.0/8"]));
    assert_eq!(
        router["approvedRoutes"],
        json!(["0.0.0.0/0", "10.0.0.0/8", "::/0"])
    );
    assert_eq!(router["subnetRoutes"], json!(["10.0.0.0/8"]));
    let listed = sandbox.get("/node");
    assert_eq!(
        listed["nodes"][1]["subnetRoutes"],
        json!(["10.0.0.0/8", "0.0.0.0/0", "::/0"])
    );
    assert_eq!(listed["nodes"][2]["subnetRoutes"], json!([]));
    let single = sandbox.get("/node/3");
    assert_eq!(single["node"]["subnetRoutes"], json!([]));
    assert_eq!(
        approved(&mut sandbox, 3, json!([]))["approvedRoutes"],
        json!([])
    );
    let (status, _) = sandbox.refused(
        "POST /node/3/approve_routes",
        json!({"routes": ["10.0.0.0"]}),
    );
    assert_eq!(status, 400);
}

#[test]
fn a_policy_is_refused_in_the_words_of_its_stage() {
    let mut sandbox = sandbox(Release::V30);
    sandbox.done("POST /user", json!({"name": "eve", "email": "alice"}));
    let before = sandbox.get("/policy");
    let unknown = r#""nodeAttrs": [{"target": ["nobody@"], "attr": ["x"]}]"#;
    let failing = r#""acls": [], "tests": [{"src": "zoe@", "accept": ["10.0.0.1:22"]}]"#;
    let of_unknown =
        r#"compiling nodeAttrs: nodeAttrs target [nobody@]: user not found: token "nobody@""#;
    for (policy, reason) in [
        (
            "{",
            "parsing policy: parsing HuJSON: hujson: line 1, column 2: parsing value: unexpected EOF",
        ),
        (
            r#"{"postures": {}}"#,
            r#"parsing policy: unknown field: "postures""#,
        ),
        (
            r#"{"acls": [{"action": "accept", "src": ["tag:no"], "dst": ["*:*"]}]}"#,
            r#"parsing policy: src=tag not found: "tag:no""#,
        ),
        (
            r#"{"groups": {"group:g": ["alice@"]}}"#,
            r#"validating policy user references: multiple users found: token "alice@" found: [ 1: alice, 3: eve,  ]"#,
        ),
        (
            &format!("{{{failing}}}"),
            "test(s) failed:\nzoe@: source \"zoe@\" resolved to no IP addresses",
        ),
        (&format!("{{{unknown}}}"), of_unknown),
    ] {
        let body = json!({"policy": policy});
        let (status, answer) = sandbox.ask("PUT /policy", body.clone());
        assert_eq!(
            (status, &answer["detail"]),
            (400, &json!("setting policy")),
            "{policy}"
        );
        assert_eq!(answer["errors"][0]["message"], reason);
        let (status, answer) = sandbox.ask("POST /policy/check", body);
        assert_eq!((status, &answer["detail"]), (400, &json!(reason)));
    }
    // Whoever checks hears of the attributes first, whoever stores of the tests.
    let body = json!({"policy": format!("{{{unknown}, {failing}}}")});
    let (_, stored) = sandbox.refused("PUT /policy", body.clone());
    assert!(stored.starts_with("test(s) failed:"), "{stored}");
    assert_eq!(sandbox.refused("POST /policy/check", body).1, of_unknown);
    assert_eq!(sandbox.get("/policy"), before);
}

#[test]
fn a_policy_is_kept_byte_for_byte_and_approves_routes() {
    let mut sandbox = sandbox(Release::V30);
    let policy = "// kept\n{\"tagOwners\": {\"tag:web\": []}, \"autoApprovers\": {\"routes\": {\"10.0.0.0/8\": [\"tag:web\"]}},}\n";
    let set = sandbox.done("PUT /policy", json!({"policy": policy}));
    assert_eq!(
        set,
        json!({"policy": policy, "updatedAt": "2026-01-02T03:04:05Z"})
    );
    assert_eq!(sandbox.get("/policy"), set);
    let node = sandbox.get("/node/4");
    assert_eq!(node["node"]["approvedRoutes"], json!(["10.0.0.0/8"]));
    // What was approved stays, and an empty policy is one.
    sandbox.done("PUT /policy", json!({"policy": ""}));
    let node = sandbox.get("/node/4");
    assert_eq!(node["node"]["approvedRoutes"], json!(["10.0.0.0/8"]));
    let mut empty = HeadscaleSandbox::new(
        Options::from_json(
            &json!({"apiKey": KEY, "state": {"users": [], "nodes": [], "policy": ""}}).to_string(),
        )
        .expect("options"),
        NOW,
    )
    .expect("a sandbox");
    let missing = empty.refused("GET /policy", Value::Null);
    assert_eq!(missing, (500, "acl policy not found".to_owned()));
}

#[test]
fn a_machine_waits_until_somebody_signs_it_in() {
    let mut sandbox = sandbox(Release::V30);
    let machine = json!({"user": "alice", "key": "hskey-authreq-1", "name": "Laptop", "routes": ["10.1.0.0/16"]});
    sandbox.done("POST /debug/node", machine);
    let (status, _) = sandbox.refused(
        "POST /node/register?user=nobody&key=hskey-authreq-1",
        Value::Null,
    );
    assert_eq!(status, 404);
    let made = sandbox.done(
        "POST /node/register?user=alice&key=hskey-authreq-1",
        Value::Null,
    );
    let made = &made["node"];
    assert_eq!(
        (&made["id"], &made["name"]),
        (&json!("5"), &json!("Laptop"))
    );
    // The name is taken, and so are the first addresses.
    assert_ne!(made["givenName"], "laptop");
    assert_eq!(
        made["ipAddresses"],
        json!(["100.64.0.2", "fd7a:115c:a1e0::2"])
    );
    assert_eq!(made["availableRoutes"], json!(["10.1.0.0/16"]));
    let again = sandbox.refused(
        "POST /node/register?user=alice&key=hskey-authreq-1",
        Value::Null,
    );
    assert_eq!(again.0, 404);
    let wrong = sandbox.refused("POST /auth/approve", json!({"authId": "a b"}));
    assert_eq!(wrong, (400, "invalid auth_id".to_owned()));
}

#[test]
fn users_are_found_renamed_and_removed_by_its_rules() {
    let mut sandbox = sandbox(Release::V30);
    let found = |sandbox: &mut HeadscaleSandbox, query: &str| {
        sandbox.get(&format!("/user?{query}"))["users"]
            .as_array()
            .expect("a list")
            .len()
    };
    assert_eq!(found(&mut sandbox, "name=alice&id=2"), 1);
    assert_eq!(found(&mut sandbox, "email=alice%40example.com"), 1);
    assert_eq!(found(&mut sandbox, "id=7"), 0);
    assert_eq!(
        sandbox.refused("GET /user?id=x", Value::Null),
        (400, "invalid id".to_owned())
    );
    assert_eq!(
        sandbox.refused("POST /user/2/rename/zoey", Value::Null).0,
        400
    );
    assert_eq!(
        sandbox.refused("POST /user/1/rename/1ce", Value::Null).0,
        500
    );
    assert_eq!(
        sandbox.refused("POST /user/1/rename/zoe", Value::Null).0,
        409
    );
    let renamed = sandbox.done("POST /user/1/rename/ali.ce@home", Value::Null);
    assert_eq!(renamed["user"]["name"], "ali.ce@home");
    let nodes = sandbox.get("/node/1");
    assert_eq!(nodes["node"]["user"]["name"], "ali.ce@home");
    let refusal = sandbox.refused("DELETE /user/1", Value::Null);
    assert_eq!(refusal, (400, "user not empty: node(s) found".to_owned()));
    sandbox.done("DELETE /node/1", Value::Null);
    sandbox.done("DELETE /user/1", Value::Null);
    assert_eq!(sandbox.refused("DELETE /user/1", Value::Null).0, 404);
    // No id is given twice.
    let made = sandbox.done("POST /user", json!({"name": "x"}));
    assert_eq!(made["user"]["id"], "3");
}

#[test]
fn each_release_reads_bodies_in_its_own_way() {
    let unknown = json!({"name": "bob", "shoe": 44});
    let said = sandbox(Release::V30).refused("POST /user", unknown.clone());
    assert_eq!(said, (422, "unexpected property".to_owned()));
    sandbox(Release::V29).done("POST /user", unknown);
    let missing = sandbox(Release::V30).refused("PUT /policy", json!({}));
    assert_eq!(
        missing,
        (
            422,
            "expected required property policy to be present".to_owned()
        )
    );
    let ids = json!({"user": 1});
    assert_eq!(
        sandbox(Release::V30)
            .refused("POST /preauthkey", ids.clone())
            .0,
        422
    );
    sandbox(Release::V29).done("POST /preauthkey", ids);
    let mut newer = sandbox(Release::V30);
    let wrong = newer.refused("GET /node/x", Value::Null);
    assert_eq!(wrong.0, 400);
    assert!(
        wrong.1.starts_with("type mismatch, parameter: node_id, "),
        "{}",
        wrong.1
    );
    let both = json!({"expiry": "2027-01-01T00:00:00Z", "disableExpiry": true});
    assert_eq!(newer.refused("POST /node/1/expire", both).0, 400);
    let unsaid = json!({"prefix": "abc", "id": "1"});
    assert_eq!(newer.refused("POST /apikey/expire", unsaid).0, 400);
}

#[test]
fn what_no_operation_has_is_refused_in_the_form_of_the_release() {
    let (status, answer) = sandbox(Release::V29).ask("GET /routes", Value::Null);
    assert_eq!(
        (status, answer),
        (
            404,
            json!({"code": 5, "message": "Not Found", "details": []})
        )
    );
    let mut newer = sandbox(Release::V30);
    let wrong = ask_with(&mut newer, KEY, ("PUT", "/user"), &Value::Null);
    assert_eq!(
        (wrong.status, wrong.headers.get("allow")),
        (405, Some("GET, POST"))
    );
}

#[test]
fn it_says_what_it_serves() {
    let open = |release, path: &str| {
        let request = Request::new(Method::Get, path);
        sandbox(release).handle(&request, NOW)
    };
    let openapi = open(Release::V30, "/api/v1/openapi.yaml");
    let text = String::from_utf8(openapi.body).expect("a text");
    let swagger = value(&open(Release::V29, "/swagger/v1/openapiv2.json").body);
    for operation in Operation::ALL {
        let row = operation.row();
        assert!(
            text.contains(&format!("operationId: {}\n", row.name)),
            "{}",
            row.name
        );
        let path = operation
            .places()
            .fold(row.template.to_owned(), |path, place| {
                path.replace(&format!(":{place}"), &format!("{{{place}}}"))
            });
        let method = row.method.as_str().to_lowercase();
        assert_eq!(swagger["paths"][&path][&method]["operationId"], row.name);
    }
    assert_eq!(open(Release::V29, "/api/v1/openapi.yaml").status, 401);
    assert_eq!(open(Release::V30, "/swagger/v1/openapiv2.json").status, 401);
}

#[test]
fn nodes_that_lack_an_address_get_one() {
    let mut state = state();
    state["nodes"][0]["ipAddresses"] = json!(["100.64.0.1"]);
    let options = json!({"apiKey": KEY, "state": state}).to_string();
    let options = Options::from_json(&options).expect("options");
    let mut sandbox = HeadscaleSandbox::new(options, NOW).expect("a sandbox");
    assert_eq!(
        sandbox.refused("POST /node/backfillips", Value::Null).0,
        400
    );
    let done = sandbox.done("POST /node/backfillips?confirmed=true", Value::Null);
    assert_eq!(
        done,
        json!({"changes": ["assigned IPv6 fd7a:115c:a1e0::2 to Node(1) \"laptop\""]})
    );
}

#[test]
fn unusable_options_are_named() {
    for (options, named) in [
        (
            json!({"errors": "0.28"}),
            "`errors` must be '0.29' or '0.30'",
        ),
        (json!({"apiKey": ""}), "`apiKey`"),
        (json!({"state": {"users": [], "nodes": []}}), "policy"),
        (
            json!({"state": {"users": [{"id": "x"}], "nodes": [], "policy": ""}}),
            "`state.users`",
        ),
    ] {
        let made = Options::from_json(&options.to_string())
            .and_then(|options| HeadscaleSandbox::new(options, NOW));
        let error = made.err().expect("a refusal").to_string();
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn the_example_is_a_team_whose_policy_is_accepted() {
    let mut sandbox = HeadscaleSandbox::new(Options::default(), NOW).expect("a sandbox");
    let key = sandbox.api_key().to_owned();
    let mut ask = |method: &str, target: &str, body: Value| {
        let response = ask_with(&mut sandbox, &key, (method, target), &body);
        assert_eq!(response.status, 200, "{target}");
        value(&response.body)
    };
    let policy = ask("GET", "/policy", Value::Null);
    ask("POST", "/policy/check", json!({"policy": policy["policy"]}));
    let nodes = ask("GET", "/node", Value::Null);
    assert_eq!(nodes["nodes"].as_array().map(Vec::len), Some(6));
    let router = &nodes["nodes"][5];
    assert_eq!(
        (&router["givenName"], &router["subnetRoutes"]),
        (&json!("backup-1"), &json!(["10.20.0.0/16"]))
    );
    let signed = ask(
        "POST",
        "/auth/register",
        json!({"user": "ann", "authId": "hskey-authreq-sandbox-machine"}),
    );
    assert_eq!(signed["node"]["givenName"], "ann-phone");
    ask(
        "POST",
        "/auth/approve",
        json!({"authId": "hskey-authreq-sandbox-check"}),
    );
}
