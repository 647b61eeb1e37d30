//! Keys, tokens, users, settings and all DNS settings at once: each effect and each refusal.
//! Must not live here: devices (`device_changes.rs`).

use crate::service::{Answer, NOW, Service, service};
use serde_json::{Value, json};
use tailnet_kit::api::ApiKey;
use tailnet_kit::sandbox;

const T: &str = "/api/v2/tailnet/corp.example";
const KEYS: &str = "/api/v2/tailnet/corp.example/keys";
const SETTINGS: &str = "/api/v2/tailnet/corp.example/settings";
const CLIENT: &str = "tskey-client-k1-x";

impl Service {
    fn patch(&mut self, target: &str, body: Value) -> Answer {
        self.ask("PATCH", target, &[], &body.to_string())
    }

    fn tag_owners(&mut self) {
        let policy =
            r#"{"tagOwners": {"tag:ci": [], "tag:web": ["tag:ci"], "tag:own": ["tag:own"]}}"#;
        assert_eq!(self.post(&format!("{T}/acl"), policy).0.status, 200);
    }

    fn token(&mut self, form: &str) -> Answer {
        self.ask_plainly("POST", "/api/v2/oauth/token", &[], form)
    }
}

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
        (json!({"capabilities": 7}), "cannot be used"),
    ] {
        service.post(KEYS, body).refuses(400, said);
    }
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
fn users_are_listed_changed_and_removed() {
    let mut service = service();
    let names = |service: &mut Service, query: &str| -> Vec<Value> {
        let listed = service.get(&format!("{T}/users{query}")).json();
        let users = listed["users"].as_array().expect("a list");
        users.iter().map(|user| user["loginName"].clone()).collect()
    };
    assert_eq!(
        names(&mut service, ""),
        ["ann@corp.example", "bob@corp.example"]
    );
    assert_eq!(names(&mut service, "?type=shared"), ["eve@partner.example"]);
    assert_eq!(
        names(&mut service, "?type=all&role=owner"),
        ["ann@corp.example"]
    );
    let bob = "/api/v2/users/u1";
    let user = service.get(bob).json();
    assert_eq!(
        (
            &user["role"],
            &user["status"],
            &user["deviceCount"],
            &user["tailnetId"]
        ),
        (
            &json!("member"),
            &json!("active"),
            &json!(1),
            &json!("corp.example")
        )
    );
    for (call, status) in [
        ("suspend", "suspended"),
        ("approve", "suspended"),
        ("restore", "active"),
    ] {
        service.post(&format!("{bob}/{call}"), "").is(json!({}));
        assert_eq!(service.get(bob).json()["status"], status, "{call}");
    }
    service
        .post(&format!("{bob}/role"), json!({"role": "it-admin"}))
        .is(json!({}));
    assert_eq!(service.get(bob).json()["role"], "it-admin");
    service
        .post(&format!("{bob}/role"), json!({"role": "king"}))
        .refuses(400, "king");
    service.post(&format!("{bob}/delete"), "").is(json!({}));
    service.get(bob).refuses(404, "u1");
    service.get("/api/v2/device/web").refuses(404, "web");
    let listed = service.get(&format!("{T}/users?role=owner")).json();
    let ann = format!(
        "/api/v2/users/{}",
        listed["users"][0]["id"].as_str().expect("an id")
    );
    assert_eq!(service.get(&ann).json()["loginName"], "ann@corp.example");
    service
        .post(&format!("{ann}/delete"), "")
        .refuses(400, "owner");
    service
        .post("/api/v2/users/nobody/suspend", "")
        .refuses(404, "nobody");
}

/// docs/choices.md#sandbox
#[test]
fn the_owner_of_a_device_is_a_member() {
    let mut service = service();
    let listed = service.get("/api/v2/tailnet/alice@gmail.com/users").json();
    let alice = &listed["users"][0];
    assert_eq!(
        (&alice["loginName"], &alice["role"]),
        (&json!("alice@gmail.com"), &json!("member"))
    );
}

/// docs/choices.md#sandbox
#[test]
fn a_role_that_a_user_has_may_be_given_again() {
    let mut service = service();
    let bob = "/api/v2/users/u1";
    let before = service.get(bob).json();
    let again = json!({"role": before["role"]});
    service.post(&format!("{bob}/role"), again).is(json!({}));
    service.get(bob).is(before);
}

#[test]
fn settings_are_merged_checked_and_shown_by_scope() {
    let mut service = service();
    let at_first = service.get(SETTINGS).json();
    assert_eq!(
        (
            &at_first["devicesApprovalOn"],
            &at_first["devicesKeyDurationDays"]
        ),
        (&json!(false), &json!(180))
    );
    let after = service
        .patch(
            SETTINGS,
            json!({"devicesApprovalOn": true, "httpsEnabled": null, "nonsense": 1}),
        )
        .json();
    assert_eq!(
        (
            &after["devicesApprovalOn"],
            &after["httpsEnabled"],
            after.get("nonsense")
        ),
        (&json!(true), &json!(false), None)
    );
    assert_eq!(service.get(SETTINGS).json(), after);
    for (body, said) in [
        (
            json!({"devicesKeyDurationDays": 181}),
            "devicesKeyDurationDays",
        ),
        (
            json!({"usersApprovalOn": true, "devicesKeyDurationDays": 0}),
            "devicesKeyDurationDays",
        ),
        (
            json!({"usersRoleAllowedToJoinExternalTailnets": "king"}),
            "king",
        ),
        (json!({"httpsEnabled": "yes"}), "httpsEnabled"),
    ] {
        service.patch(SETTINGS, body).refuses(400, said);
    }
    assert_eq!(service.get(SETTINGS).json(), after, "all or nothing");
    let token = service.token(&format!("client_secret={CLIENT}&scope=dns&tags="));
    let made = service
        .post(
            KEYS,
            json!({"keyType": "client", "scopes": ["feature_settings:read"]}),
        )
        .json();
    assert_eq!(token.0.status, 400, "its tags have no owner in this policy");
    let reader = service
        .token(&format!(
            "client_secret={}",
            made["key"].as_str().expect("a secret")
        ))
        .json();
    let reader = reader["access_token"].as_str().expect("a token").to_owned();
    let seen = service.with(&reader, "GET", SETTINGS, "").json();
    assert_eq!(
        (&seen["devicesApprovalOn"], seen.get("aclsExternalLink")),
        (&json!(true), None)
    );
    service
        .with(
            &reader,
            "PATCH",
            SETTINGS,
            r#"{"devicesApprovalOn": false}"#,
        )
        .refuses(403, "permissions");
}

#[test]
fn resolvers_of_single_domains() {
    let mut service = service();
    let split = format!("{T}/dns/split-dns");
    service.patch(
        &split,
        json!({"corp.example": ["10.0.0.53"], "b.example": ["10.0.0.54"]}),
    );
    service
        .patch(&split, json!({"b.example": null, "c.example": []}))
        .is(json!({"corp.example": ["10.0.0.53"]}));
    service
        .get(&split)
        .is(json!({"corp.example": ["10.0.0.53"]}));
    service
        .patch(&split, json!({"corp.example": ["web"]}))
        .refuses(400, "not an IP address");
    service
        .patch(&split, json!({"a..b": ["10.0.0.1"]}))
        .refuses(400, "");
    service
        .put(&split, json!({"x.example": ["fd00::1"]}))
        .is(json!({"x.example": ["fd00::1"]}));
    service.put(&split, json!({})).is(json!({}));
    service
        .get(&format!("{T}/dns/nameservers"))
        .is(json!({"dns": ["1.1.1.1"]}));
}

#[test]
fn all_dns_settings_are_one_state() {
    let mut service = service();
    let all = format!("{T}/dns/configuration");
    let whole = json!({"nameservers": [{"address": "9.9.9.9", "useWithExitNode": true}], "splitDNS": {"corp.example": [{"address": "10.0.0.53"}]},
        "searchPaths": ["corp.example"], "preferences": {"magicDNS": true, "overrideLocalDNS": false}});
    let mut shown = whole.clone();
    shown["preferences"] = json!({"magicDNS": true});
    service.post(&all, &whole).is(shown.clone());
    service.get(&all).is(shown);
    service
        .get(&format!("{T}/dns/nameservers"))
        .is(json!({"dns": ["9.9.9.9"]}));
    service
        .get(&format!("{T}/dns/split-dns"))
        .is(json!({"corp.example": ["10.0.0.53"]}));
    service.post(&format!("{T}/dns/nameservers"), json!({"dns": ["9.9.9.9"]}));
    assert_eq!(
        service.get(&all).json()["nameservers"],
        json!([{"address": "9.9.9.9"}]),
        "the old call cannot say it"
    );
    service
        .post(&all, json!({"preferences": {"magicDNS": true}}))
        .refuses(400, "need at least one nameserver");
    service
        .post(&all, json!({"nameservers": [{"address": "web"}]}))
        .refuses(400, "not an IP address");
    service.post(&all, json!({})).is(json!({"preferences": {}}));
    let state = service.0.state().to_json();
    service.0.restore_json(&state).expect("a snapshot");
    assert_eq!(service.0.state().to_json(), state);
}

fn machine(value: Value) -> sandbox::Machine {
    serde_json::from_value(value).expect("a machine")
}

#[test]
fn a_machine_joins_by_a_key_that_can_be_used_once() {
    let mut service = service();
    service.tag_owners();
    service.patch(
        SETTINGS,
        json!({"devicesApprovalOn": true, "devicesKeyDurationDays": 30}),
    );
    let create =
        json!({"capabilities": {"devices": {"create": {"ephemeral": true, "tags": ["tag:ci"]}}}});
    let key = service.post(KEYS, create).json();
    let asked =
        machine(json!({"key": key["key"], "hostname": "Web", "advertisedRoutes": ["10.9.0.0/16"]}));
    let device = service.0.join(&asked, NOW).expect("a device");
    assert_eq!(device["user"], "", "the key is the tailnet's");
    assert_eq!(
        (
            &device["name"],
            &device["hostname"],
            &device["tags"],
            &device["isEphemeral"],
            &device["authorized"]
        ),
        (
            &json!("web-1.corp.example"),
            &json!("Web"),
            &json!(["tag:ci"]),
            &json!(true),
            &json!(false)
        ),
        "the name web is taken"
    );
    assert_eq!(
        (
            &device["keyExpiryDisabled"],
            &device["expires"],
            &device["connectedToControl"],
            device.get("lastSeen")
        ),
        (
            &json!(true),
            &json!("2026-02-01T03:04:05Z"),
            &json!(true),
            None
        )
    );
    let listed = service
        .get(&format!(
            "/api/v2/device/{}?fields=all",
            device["nodeId"].as_str().expect("an id")
        ))
        .json();
    assert_eq!(listed, device);
    let again = service.0.join(&asked, NOW).expect_err("used up");
    assert!(again.to_string().contains("used up"), "{again}");
    let id = key["id"].as_str().expect("an id");
    assert_eq!(service.get(&format!("{KEYS}/{id}")).json()["invalid"], true);
}

#[test]
fn keys_that_let_no_machine_in_and_keys_that_let_in_many() {
    let mut service = service();
    let create = json!({"capabilities": {"devices": {"create": {"reusable": true, "preauthorized": true}}}, "expirySeconds": 60});
    service.patch(SETTINGS, json!({"devicesApprovalOn": true}));
    let key = service.post(KEYS, create).json();
    let asked = machine(json!({"key": key["key"], "hostname": "box"}));
    let one = service.0.join(&asked, NOW).expect("a device");
    let other = service.0.join(&asked, NOW).expect("a device");
    assert_eq!(
        (&one["authorized"], &one["keyExpiryDisabled"]),
        (&json!(true), &json!(false))
    );
    assert_ne!(one["addresses"], other["addresses"]);
    assert_eq!(other["name"], "box-1.corp.example");
    let mut refused = |value: Value, now: i64| {
        service
            .0
            .join(&machine(value), now)
            .expect_err("refused")
            .to_string()
    };
    assert!(
        refused(json!({"key": key["key"], "hostname": "box"}), NOW + 60_000).contains("expired")
    );
    assert!(refused(json!({"key": CLIENT, "hostname": "box"}), NOW).contains("not valid"));
    assert!(refused(json!({"hostname": "box"}), NOW).contains("key"));
    assert!(refused(json!({"key": key["key"], "hostname": "..."}), NOW).contains("hostname"));
    assert!(
        refused(
            json!({"key": key["key"], "hostname": "box", "tags": ["tag:x"]}),
            NOW
        )
        .contains("[tag:x]")
    );
    assert!(
        refused(
            json!({"user": "ann@corp.example", "tailnet": "none.example", "hostname": "box"}),
            NOW
        )
        .contains("tailnet")
    );
}

#[test]
fn a_machine_joins_as_a_user_who_is_allowed_to() {
    let mut service = service();
    let asked = machine(json!({"user": "bob@corp.example", "hostname": "desk", "os": "macOS"}));
    let device = service.0.join(&asked, NOW).expect("a device");
    assert_eq!(
        (&device["user"], &device["os"], &device["expires"]),
        (
            &json!("bob@corp.example"),
            &json!("macOS"),
            &json!("2026-07-01T03:04:05Z")
        )
    );
    assert_eq!(
        service.get("/api/v2/users/u1").json()["currentlyConnected"],
        true
    );
    service.post("/api/v2/users/u1/suspend", "");
    assert_eq!(
        service.get("/api/v2/users/u1").json()["currentlyConnected"],
        false
    );
    assert!(
        service
            .0
            .join(&asked, NOW)
            .expect_err("suspended")
            .to_string()
            .contains("suspended")
    );
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

#[test]
fn changed_contacts_must_be_confirmed() {
    let mut service = service();
    let all = format!("{T}/contacts");
    let account = format!("{all}/account");
    assert_eq!(
        service.get(&all).json()["support"],
        json!({"email": "", "needsVerification": false})
    );
    service
        .post(&format!("{account}/resend-verification-email"), "")
        .refuses(400, "pending");
    service
        .patch(&account, json!({"email": "sec@corp.example"}))
        .is(json!({}));
    service
        .post(&format!("{account}/resend-verification-email"), "")
        .is(json!({}));
    service
        .patch(&account, json!({"email": "new@corp.example"}))
        .is(json!({}));
    let expected = json!({"email": "new@corp.example", "fallbackEmail": "sec@corp.example", "needsVerification": true});
    assert_eq!(service.get(&all).json()["account"], expected);
    service
        .patch(&account, json!({"email": ""}))
        .refuses(400, "email");
    service.patch(&account, json!({})).refuses(400, "email");
    service
        .patch(&format!("{all}/sales"), json!({"email": "a@b.example"}))
        .refuses(400, "sales");
}
