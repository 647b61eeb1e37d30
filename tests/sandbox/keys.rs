//! Keys, OAuth clients and their tokens: each effect and each refusal.
//! Must not live here: tokens of people and of federated identities (`tokens.rs`).

use crate::service::{CLIENT, KEYS, NOW, T, service};
use serde_json::{Value, json};
use tailnet_kit::api::ApiKey;

#[test]
fn a_key_shows_its_secret_once() {
    let mut service = service();
    let made = service
        .post(
            KEYS,
            json!({"capabilities": {"devices": {}}, "expirySeconds": 60, "description": "build 7"}),
        )
        .json();
    let id = made["id"].as_str().expect("an id").to_owned();
    assert!(
        made["key"]
            .as_str()
            .is_some_and(|key| key.starts_with(&format!("tskey-auth-{id}-")))
    );
    assert_eq!(
        (
            &made["keyType"],
            &made["created"],
            &made["expires"],
            &made["capabilities"]
        ),
        (
            &json!("auth"),
            &json!("2026-01-02T03:04:05Z"),
            &json!("2026-01-02T03:05:05Z"),
            &json!({"devices": {"create": {"reusable": false, "ephemeral": false, "preauthorized": false}}})
        )
    );
    let one = format!("{KEYS}/{id}");
    assert_eq!(service.get(&one).json().get("key"), None);
    let listed = service.get(&format!("{KEYS}?all=true"));
    assert!(!listed.text().contains("tskey-"), "{}", listed.text());
    let ended = service.at(NOW + 60_000, "GET", &one, "");
    assert_eq!(ended.json()["invalid"], true);
    let other = service
        .post(KEYS, json!({"capabilities": {"devices": {}}}))
        .json();
    assert_ne!((&other["id"], &other["key"]), (&made["id"], &made["key"]));
    assert_eq!(other["expirySeconds"], 7_776_000);
    service.delete(&one).is(json!({}));
    service.get(&one).refuses(404, "key not found");
    service.delete(&one).refuses(404, "key not found");
}

/// docs/choices.md#sandbox
#[test]
fn a_deleted_client_or_identity_is_still_found_as_revoked() {
    let mut service = service();
    let federated = json!({"keyType": "federated", "scopes": ["dns"], "issuer": "https://ci.example", "subject": "x", "customClaimRules": null});
    let made = service.post(KEYS, federated).json();
    assert_eq!(made["customClaimRules"], json!({}));
    for id in ["k1", made["id"].as_str().expect("an id")] {
        let one = format!("{KEYS}/{id}");
        service.delete(&one).is(json!({}));
        let found = service.get(&one).json();
        assert_eq!(
            (&found["invalid"], &found["revoked"]),
            (&json!(true), &json!("2026-01-02T03:04:05Z"))
        );
        service.delete(&one).refuses(404, "key not found");
        let again = json!({"keyType": found["keyType"], "scopes": ["dns"]});
        service.put(&one, again).refuses(404, "key not found");
        let listed = service.get(&format!("{KEYS}?all=true"));
        assert!(!listed.text().contains(id), "{}", listed.text());
    }
    service
        .token(&format!("client_secret={CLIENT}"))
        .refuses(401, "API token invalid");
}

#[test]
fn keys_that_cannot_be_made() {
    let mut service = service();
    let create = |tags: Value| json!({"capabilities": {"devices": {"create": {"tags": tags}}}});
    for (body, said) in [
        (json!({}), "capabilities"),
        (
            json!({"capabilities": {"devices": {}}, "expirySeconds": 7_776_001}),
            "less than or equal to 7776000",
        ),
        (
            json!({"capabilities": {"devices": {}}, "description": "a/b"}),
            "description had invalid characters",
        ),
        (
            create(json!(["tag:nobody"])),
            "requested tags [tag:nobody] are invalid or not permitted",
        ),
        (json!({"keyType": "api"}), "cannot be created"),
        (
            json!({"keyType": "client", "scopes": []}),
            "scopes cannot be empty",
        ),
        (
            json!({"keyType": "client", "scopes": ["devices:core"]}),
            "tags are required",
        ),
        (
            json!({"keyType": "federated", "scopes": ["dns"], "issuer": "http://a.example", "subject": "x"}),
            "https issuer",
        ),
        (
            json!({"keyType": "federated", "scopes": ["dns"], "issuer": "https://a.example", "subject": "x", "customClaimRules": {"ref": 1}}),
            "`customClaimRules` must be an object of texts",
        ),
        (
            json!({"capabilities": {"devices": {}}, "scopes": ["dns"]}),
            "`scopes` is not for keys of type \"auth\"",
        ),
        (
            json!({"capabilities": {"devices": {}}, "tags": ["tag:ci"]}),
            "`tags` is not for keys of type \"auth\"",
        ),
        (
            json!({"keyType": "client", "scopes": ["dns"], "expirySeconds": 60}),
            "`expirySeconds` is not for keys of type \"client\"",
        ),
        (
            json!({"keyType": "client", "scopes": ["dns", "acl", "dns:write", "all:read"]}),
            "unknown scopes: [acl dns:write]",
        ),
        (
            json!({"keyType": "federated", "scopes": ["logs:configuration"], "issuer": "https://a.example", "subject": "x"}),
            "unknown scopes: [logs:configuration]",
        ),
        (
            json!({"keyType": "client", "scopes": ["dns"], "capabilities": {"devices": {}}}),
            "`capabilities` is not for keys of type \"client\"",
        ),
        (
            json!({"keyType": "client", "scopes": ["dns"], "subject": "x"}),
            "`subject` is not for keys of type \"client\"",
        ),
        (json!({"capabilities": 7}), "`capabilities` cannot be used"),
    ] {
        service.post(KEYS, body).refuses(400, said);
    }
    let empty = json!({"capabilities": {"devices": {}}, "scopes": [], "tags": null, "issuer": ""});
    assert!(service.post(KEYS, empty).json()["key"].is_string());
    let federated = json!({"keyType": "federated", "scopes": ["dns"], "issuer": "https://ci.example", "subject": "repo:a/*"});
    let made = service.post(KEYS, federated).json();
    assert_eq!(made.get("key"), None, "a federated identity has no secret");
    assert!(made["audience"].is_string());
}

#[test]
fn clients_are_replaced_and_other_keys_are_not() {
    let mut service = service();
    let one = format!("{KEYS}/k1");
    let set = service
        .put(&one, json!({"keyType": "client", "scopes": ["dns:read"]}))
        .json();
    assert_eq!(
        (&set["scopes"], set.get("tags"), set.get("key")),
        (&json!(["dns:read"]), None, None)
    );
    service
        .put(&one, json!({"keyType": "client", "scopes": []}))
        .refuses(400, "scopes cannot be empty");
    service
        .put(&one, json!({"keyType": "federated", "scopes": ["dns"]}))
        .refuses(400, "attempting to change from \"client\" to \"federated\"");
    let auth = service
        .post(KEYS, json!({"capabilities": {"devices": {}}}))
        .json();
    let auth = format!("{KEYS}/{}", auth["id"].as_str().expect("an id"));
    service
        .put(&auth, json!({"scopes": ["dns"]}))
        .refuses(400, "keys of type \"auth\" can not be updated");
    assert_eq!(
        service.token(&format!("client_secret={CLIENT}")).json()["scope"],
        "dns:read",
        "the secret stays"
    );
}

#[test]
fn replacing_a_client_keeps_what_only_the_service_sets() {
    let mut service = service();
    let grant = json!({"scopes": ["all"], "user": "ann@corp.example"}).to_string();
    let token = service.0.token_json(&grant, NOW).expect("a token");
    let new = json!({"keyType": "client", "scopes": ["dns"]}).to_string();
    let made = service.with(&token, "POST", KEYS, &new).json();
    assert!(made["userId"].is_string(), "it belongs to a person: {made}");
    let changed = json!({"keyType": "client", "scopes": ["dns:read"], "key": "mine", "userId": "u1", "invalid": true});
    let one = format!("{KEYS}/{}", made["id"].as_str().expect("an id"));
    let set = service
        .with(&token, "PUT", &one, &changed.to_string())
        .json();
    assert_eq!(
        (&set["userId"], set.get("key"), set.get("invalid")),
        (&made["userId"], None, None)
    );
    service.get(&one).is(set);
}

#[test]
fn a_token_is_issued_narrowed_and_expires() {
    let mut service = service();
    service.tag_owners();
    let answer = service
        .token(&format!(
            "client_secret={CLIENT}&grant_type=client_credentials"
        ))
        .json();
    assert_eq!(
        (
            &answer["token_type"],
            &answer["expires_in"],
            &answer["scope"],
            &answer["tags"]
        ),
        (
            &json!("Bearer"),
            &json!(3600),
            &json!("dns auth_keys"),
            &json!("tag:ci tag:web")
        )
    );
    let token = answer["access_token"].as_str().expect("a token").to_owned();
    let servers = format!("{T}/dns/nameservers");
    assert_eq!(service.with(&token, "GET", &servers, "").0.status, 200);
    assert_eq!(
        service
            .with(&token, "GET", "/api/v2/tailnet/-/dns/nameservers", "")
            .0
            .status,
        200
    );
    service
        .with(
            &token,
            "GET",
            "/api/v2/tailnet/alice@gmail.com/dns/nameservers",
            "",
        )
        .refuses(404, "alice");
    service
        .with(&token, "GET", &format!("{T}/devices"), "")
        .refuses(403, "does not have enough permissions");
    service
        .with(&token, "POST", "/api/v2/device/laptop/expire", "")
        .refuses(403, "permissions");
    service
        .with(CLIENT, "GET", &servers, "")
        .refuses(403, "permissions");
    let narrow = service
        .token(&format!("client_secret={CLIENT}&scope=dns%3Aread"))
        .json();
    let narrow = narrow["access_token"].as_str().expect("a token").to_owned();
    assert_ne!(narrow, token);
    assert_eq!(service.with(&narrow, "GET", &servers, "").0.status, 200);
    service
        .with(&narrow, "POST", &servers, r#"{"dns": []}"#)
        .refuses(403, "permissions");
    let bearer = ApiKey::new(&token).expect("a token").to_bearer();
    let later = service.ask_at(
        NOW + 3_600_000,
        "GET",
        &servers,
        &[("authorization", &bearer)],
        "",
    );
    later.refuses(401, "");
    assert_eq!(service.delete(&format!("{KEYS}/k1")).0.status, 200);
    service.with(&narrow, "GET", &servers, "").refuses(401, "");
}

#[test]
fn tokens_that_are_not_issued() {
    let mut service = service();
    service
        .token("client_secret=nonsense")
        .refuses(401, "API token invalid");
    service.token("").refuses(401, "API token invalid");
    service
        .token(&format!("client_secret={CLIENT}&scope=all%20dns"))
        .refuses(403, "OAuth client cannot grant scopes \"all\"");
    service
        .token(&format!("client_secret={CLIENT}&grant_type=password"))
        .refuses(400, "grant_type");
    service
        .token(&format!("client_secret={CLIENT}&tags=tag%3Aelse"))
        .refuses(400, "[tag:else]");
}

#[test]
fn a_token_makes_keys_with_tags_of_its_own() {
    let mut service = service();
    service.tag_owners();
    let token = service.token(&format!("client_secret={CLIENT}")).json();
    let token = token["access_token"].as_str().expect("a token").to_owned();
    let mut make = |tags: Value| {
        let body = json!({"capabilities": {"devices": {"create": {"tags": tags}}}});
        service.with(&token, "POST", KEYS, &body.to_string())
    };
    make(json!([])).refuses(400, "tailnet-owned auth key must have tags set");
    make(json!(["tag:ci"])).refuses(400, "requested tags [tag:ci] are invalid");
    make(json!(["tag:own"])).refuses(400, "[tag:own]");
    assert_eq!(
        make(json!(["tag:web", "tag:ci"])).0.status,
        200,
        "the whole set"
    );
    assert_eq!(
        make(json!(["tag:web"])).0.status,
        200,
        "owned by one of its tags"
    );
    let client = json!({"keyType": "client", "scopes": ["all"]}).to_string();
    service
        .with(&token, "POST", KEYS, &client)
        .refuses(403, "permissions");
    let all = format!("{KEYS}?all=true");
    let listed = service.with(&token, "GET", &all, "").json();
    let kinds: Vec<&Value> = listed["keys"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|key| &key["keyType"])
        .collect();
    assert_eq!(
        kinds,
        [&json!("auth"), &json!("auth")],
        "clients are not for it to see"
    );
    service
        .with(&token, "GET", &format!("{KEYS}/k1"), "")
        .refuses(404, "key not found");
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
