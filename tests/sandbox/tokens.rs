//! Tokens of people and of federated identities: what they may do, what they create, when they expire.
//! Must not live here: tokens of OAuth clients (`keys.http`).

use crate::service::{Answer, NOW, Service, service};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tailnet_kit::sandbox::Machine;

const T: &str = "/api/v2/tailnet/corp.example";
const KEYS: &str = "/api/v2/tailnet/corp.example/keys";
const BOB: &str = "bob@corp.example";

impl Service {
    fn token_of(&mut self, login: &str, scopes: Value) -> String {
        let grant = json!({"scopes": scopes, "user": login});
        self.0.token_json(&grant.to_string(), NOW).expect("a token")
    }

    /// Calls with a token; `null` is no body.
    fn sent(&mut self, token: &str, method: &str, target: &str, body: Value) -> Answer {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        self.with(token, method, target, &body)
    }

    fn exchange(&mut self, id: &str, claims: &Value) -> Answer {
        let payload = URL_SAFE_NO_PAD.encode(claims.to_string());
        self.exchange_text(id, &format!("e30.{payload}.c2ln"))
    }

    fn exchange_text(&mut self, id: &str, token: &str) -> Answer {
        let form = format!("client_id={id}&jwt={token}");
        self.ask_plainly("POST", "/api/v2/oauth/token-exchange", &[], &form)
    }
}

#[test]
fn a_key_made_with_a_persons_key_is_theirs_listed_or_not() {
    let mut service = service();
    let places = [
        (BOB, "corp.example"),
        ("alice@gmail.com", "alice@gmail.com"),
    ];
    for (login, tailnet) in places {
        let grant = json!({"scopes": ["all"], "user": login, "tailnet": tailnet});
        let token = service
            .0
            .token_json(&grant.to_string(), NOW)
            .expect("a token");
        let listed = service.get(&format!("/api/v2/tailnet/{tailnet}/users"));
        let users = listed.json()["users"].clone();
        let mut users = users.as_array().cloned().unwrap_or_default().into_iter();
        let user = users
            .find(|user| user["loginName"] == login)
            .expect("a user");
        let body = json!({"capabilities": {"devices": {}}});
        let made = service.sent(&token, "POST", "/api/v2/tailnet/-/keys", body);
        assert_eq!(made.json()["userId"], user["id"], "{login}");
    }
}

#[test]
fn a_token_of_a_person_is_one_of_their_keys() {
    let mut service = service();
    let token = service.token_of(BOB, json!(["all"]));
    assert_eq!(
        service
            .sent(&token, "GET", &format!("{T}/devices"), Value::Null)
            .0
            .status,
        200
    );
    let listed = service.get(&format!("{KEYS}?all=true"));
    let key = listed.json()["keys"][1].clone();
    assert_eq!(
        (&key["keyType"], &key["userId"], &key["expires"]),
        (&json!("api"), &json!("u1"), &json!("2026-01-02T04:04:05Z"))
    );
    assert!(!listed.text().contains(&token));
    let one = format!("{KEYS}/{}", key["id"].as_str().expect("an id"));
    service
        .ask("PUT", &one, &[], r#"{"keyType": "api"}"#)
        .refuses(400, "keys of type \"api\" can not be updated");
    service.delete(&one).is(json!({}));
    service
        .sent(&token, "GET", &format!("{T}/devices"), Value::Null)
        .refuses(401, "");
    let grant = json!({"scopes": ["all"], "user": "nobody@corp.example"}).to_string();
    let refused = service.0.token_json(&grant, NOW).expect_err("refused");
    assert!(refused.to_string().contains("user"), "{refused}");
}

#[test]
fn a_list_of_keys_without_all_has_only_the_callers_own() {
    let mut service = service();
    let ids = |answer: Answer| -> Vec<Value> {
        let keys = answer.json()["keys"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        keys.into_iter().map(|key| key["id"].clone()).collect()
    };
    let auth = json!({"capabilities": {"devices": {}}});
    let tailnets = service.post(KEYS, auth.clone()).json();
    let client = json!({"keyType": "client", "scopes": ["all"]});
    let client = service.post(KEYS, client).json();
    let bobs = service.token_of(BOB, json!(["all"]));
    let of_bob = service.sent(&bobs, "POST", KEYS, auth).json();
    let form = format!(
        "client_secret={}",
        client["key"].as_str().expect("a secret")
    );
    let token = service
        .ask_plainly("POST", "/api/v2/oauth/token", &[], &form)
        .json();
    let token = token["access_token"].as_str().expect("a token");

    let all = format!("{KEYS}?all=true");
    let whole = ids(service.get(&all));
    for caller in [bobs.as_str(), token] {
        assert_eq!(ids(service.sent(caller, "GET", &all, Value::Null)), whole);
    }
    let mine = ids(service.sent(&bobs, "GET", KEYS, Value::Null));
    assert!(
        mine.contains(&of_bob["id"]) && !mine.contains(&tailnets["id"]),
        "{mine:?}"
    );
    let clients = ids(service.sent(token, "GET", KEYS, Value::Null));
    assert_eq!(
        clients,
        [json!("k1"), client["id"].clone()],
        "the clients, and no auth key"
    );
    let own = ids(service.get(KEYS));
    assert!(
        own.contains(&tailnets["id"]) && !own.contains(&of_bob["id"]),
        "{own:?}"
    );
}

#[test]
fn changes_by_a_person_are_logged_with_their_name() {
    let mut service = service();
    let token = service.token_of(BOB, json!(["all"]));
    let hook = json!({"endpointUrl": "https://hooks.example", "subscriptions": ["nodeDeleted"]});
    let hook = service.sent(&token, "POST", &format!("{T}/webhooks"), hook);
    assert_eq!(hook.json()["creatorLoginName"], BOB);
    let key = service
        .sent(
            &token,
            "POST",
            KEYS,
            json!({"capabilities": {"devices": {}}}),
        )
        .json();
    assert_eq!(key["userId"], "u1");
    let machine = Machine {
        key: key["key"].as_str().map(str::to_owned),
        hostname: "desk".to_owned(),
        ..Machine::default()
    };
    assert_eq!(
        service.0.join(&machine, NOW).expect("a device")["user"],
        BOB
    );
    let log =
        format!("{T}/logging/configuration?start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z");
    let log = service.get(&log).json();
    assert_eq!(
        (
            &log["logs"][0]["actor"]["loginName"],
            &log["logs"][0]["actor"]["id"],
            &log["logs"][0]["actor"]["type"]
        ),
        (&json!(BOB), &json!("u1"), &json!("USER"))
    );
    let tailnets = service
        .post(KEYS, json!({"capabilities": {"devices": {}}}))
        .json();
    assert_eq!(
        tailnets.get("userId"),
        None,
        "the sandbox's own key makes keys of the tailnet"
    );
}

/// A credential has the id of who made it, but neither ends with them nor acts for them (docs/service.md).
#[test]
fn a_credential_names_who_made_it_and_outlives_them() {
    let mut service = service();
    let client = json!({"keyType": "client", "scopes": ["all"]});
    let own = service.post(KEYS, client.clone()).json();
    let users = service.get(&format!("{T}/users")).json();
    let owner = users["users"].as_array().and_then(|users| {
        let mut users = users.iter();
        users.find(|user| user["role"] == "owner").cloned()
    });
    assert_eq!(own["userId"], owner.expect("an owner")["id"]);
    let bobs = service.token_of(BOB, json!(["all"]));
    let made = service.sent(&bobs, "POST", KEYS, client).json();
    assert_eq!(made["userId"], "u1");

    let secret = made["key"].as_str().expect("a secret");
    let form = format!("client_secret={secret}");
    let mut token = || {
        let issued = service.ask_plainly("POST", "/api/v2/oauth/token", &[], &form);
        let issued = issued.json()["access_token"].clone();
        issued.as_str().expect("a token").to_owned()
    };
    let token = token();
    let invite = json!([{"role": "member"}]);
    service
        .sent(&token, "POST", &format!("{T}/user-invites"), invite)
        .refuses(403, "user-owned");
    service.post("/api/v2/users/u1/delete", "").is(json!({}));
    let devices = format!("{T}/devices");
    let still = service.sent(&token, "GET", &devices, Value::Null);
    assert_eq!(still.0.status, 200);
    let gone = service.sent(&bobs, "GET", &devices, Value::Null);
    gone.refuses(401, "API token invalid");
}

#[test]
fn a_person_may_give_the_tags_that_they_or_their_group_own() {
    let mut service = service();
    let policy = r#"{"groups": {"group:ops": ["bob@corp.example"]},
        "tagOwners": {"tag:own": ["bob@corp.example"], "tag:ops": ["group:ops"], "tag:ann": ["ann@corp.example"]}}"#;
    assert_eq!(service.post(&format!("{T}/acl"), policy).0.status, 200);
    let token = service.token_of(BOB, json!(["auth_keys", "devices:core"]));
    let mut make = |tags: Value| {
        let body = json!({"capabilities": {"devices": {"create": {"tags": tags}}}});
        service.sent(&token, "POST", KEYS, body)
    };
    assert_eq!(make(json!(["tag:own"])).0.status, 200);
    assert_eq!(make(json!(["tag:ops"])).0.status, 200);
    make(json!(["tag:own", "tag:ann"]))
        .refuses(400, "requested tags [tag:ann] are invalid or not permitted");
}

#[test]
fn nobody_acts_on_themselves() {
    let mut service = service();
    let token = service.token_of(BOB, json!(["all"]));
    for (call, body) in [
        ("role", json!({"role": "admin"})),
        ("suspend", Value::Null),
        ("delete", Value::Null),
        ("approve", Value::Null),
    ] {
        let target = format!("/api/v2/users/u1/{call}");
        service
            .sent(&token, "POST", &target, body)
            .refuses(400, "not allowed to change own role");
    }
    let ann = service.get(&format!("{T}/users?role=owner")).json();
    let ann = format!(
        "/api/v2/users/{}/suspend",
        ann["users"][0]["id"].as_str().expect("an id")
    );
    service
        .sent(&token, "POST", &ann, Value::Null)
        .is(json!({}));
}

#[test]
fn tokens_and_keys_of_a_suspended_person_do_not_work_and_those_of_a_removed_one_are_gone() {
    let mut service = service();
    let token = service.token_of(BOB, json!(["all"]));
    let key = service
        .sent(
            &token,
            "POST",
            KEYS,
            json!({"capabilities": {"devices": {"create": {"reusable": true}}}}),
        )
        .json();
    let machine = |hostname: &str| Machine {
        key: key["key"].as_str().map(str::to_owned),
        hostname: hostname.to_owned(),
        ..Machine::default()
    };
    let devices = format!("{T}/devices");
    service.post("/api/v2/users/u1/suspend", "").is(json!({}));
    service
        .sent(&token, "GET", &devices, Value::Null)
        .refuses(401, "");
    assert!(service.0.join(&machine("one"), NOW).is_err());
    service.post("/api/v2/users/u1/restore", "").is(json!({}));
    assert_eq!(
        service.sent(&token, "GET", &devices, Value::Null).0.status,
        200
    );
    assert_eq!(
        service.0.join(&machine("two"), NOW).expect("a device")["user"],
        BOB
    );
    service.post("/api/v2/users/u1/delete", "").is(json!({}));
    service
        .sent(&token, "GET", &devices, Value::Null)
        .refuses(401, "");
    assert!(service.0.join(&machine("three"), NOW).is_err());
    assert!(
        !service.0.state().to_json().contains(&token),
        "nothing is left of it"
    );
}

#[test]
fn a_federated_identity_gets_a_token_for_one_of_its_issuers() {
    let mut service = service();
    let identity = json!({"keyType": "federated", "issuer": "https://ci.example", "subject": "repo:acme/*:ref:*", "audience": "kit",
        "customClaimRules": {"workflow": "deploy*"}, "scopes": ["dns:read"]});
    let id = service.post(KEYS, identity).json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let good = json!({"iss": "https://ci.example", "sub": "repo:acme/web:ref:main", "aud": ["other", "kit"], "exp": NOW / 1000 + 60, "workflow": "deploy-it"});
    let answer = service.exchange(&id, &good).json();
    assert_eq!(
        (
            &answer["token_type"],
            &answer["expires_in"],
            &answer["scope"]
        ),
        (&json!("Bearer"), &json!(3600), &json!("dns:read"))
    );
    let token = answer["access_token"].as_str().expect("a token").to_owned();
    assert_eq!(
        service
            .sent(&token, "GET", &format!("{T}/dns/nameservers"), Value::Null)
            .0
            .status,
        200
    );
    service
        .sent(&token, "GET", &format!("{T}/devices"), Value::Null)
        .refuses(403, "permissions");
    for (claim, wrong) in [
        ("iss", json!("https://evil.example")),
        ("sub", json!("repo:evil/web:ref:main")),
        ("sub", json!("repo:acme/web")),
        ("sub", json!(7)),
        ("aud", json!("other")),
        ("aud", Value::Null),
        ("exp", json!(NOW / 1000)),
        ("exp", Value::Null),
        ("workflow", json!("test")),
    ] {
        let mut claims = good.clone();
        claims[claim] = wrong;
        let refused = service.exchange(&id, &claims);
        assert_eq!(
            (refused.0.status, refused.json()),
            (403, json!({"message": "Unauthorized"})),
            "{claims}"
        );
    }
    service
        .exchange("kNone", &good)
        .refuses(403, "Unauthorized");
    service.exchange("k1", &good).refuses(403, "Unauthorized");
    for token in ["", "a.b", "a.b.c", "a.b.c.d", "e30.W10.c2ln"] {
        service
            .exchange_text(&id, token)
            .refuses(403, "Unauthorized");
    }
    service.delete(&format!("{KEYS}/{id}"));
    service
        .sent(&token, "GET", &format!("{T}/dns/nameservers"), Value::Null)
        .refuses(401, "");
}

#[test]
fn a_token_at_once() {
    let mut service = service();
    let token = service
        .0
        .token_json(r#"{"scopes": ["dns:read"], "expiresIn": 60}"#, NOW)
        .expect("a token");
    let servers = format!("{T}/dns/nameservers");
    assert_eq!(service.with(&token, "GET", &servers, "").0.status, 200);
    service
        .with(&token, "POST", &servers, r#"{"dns": []}"#)
        .refuses(403, "permissions");
    assert!(service.0.token_json(r#"{"scopes": 7}"#, NOW).is_err());
    assert!(
        service
            .0
            .token_json(r#"{"scopes": [], "tailnet": "none.example"}"#, NOW)
            .is_err()
    );
}
