//! Tokens of federated identities, and such without a request. Must not live here: those of OAuth clients and of people (`keys.http`).

use crate::service::{Answer, NOW, Service, service};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

const T: &str = "/api/v2/tailnet/corp.example";
const KEYS: &str = "/api/v2/tailnet/corp.example/keys";

impl Service {
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
    for (wrong, said) in [
        (r#"{"scopes": 7}"#, "7"),
        (r#"{"scopes": [], "tailnet": "none.example"}"#, "tailnet"),
        (
            r#"{"scopes": ["all"], "user": "nobody@corp.example"}"#,
            "user",
        ),
    ] {
        let refused = service.0.token_json(wrong, NOW).expect_err(wrong);
        assert!(refused.to_string().contains(said), "{refused}");
    }
}
