//! The streaming of logs: each call and each refusal. Must not live here: the logs (`log.rs`).

use crate::service::{T, service};
use serde_json::json;

#[test]
fn a_stream_is_set_shown_without_secrets_and_removed() {
    let mut service = service();
    let stream = format!("{T}/logging/network/stream");
    let status = format!("{stream}/status");
    for target in [&stream, &status] {
        service.get(target).refuses(404, "network");
    }
    let sent = json!({"destinationType": "s3", "s3Bucket": "logs", "s3SecretAccessKey": "very secret", "token": "very secret", "uploadPeriodMinutes": 1440});
    service.put(&stream, sent).is(json!({}));
    service
        .get(&stream)
        .is(json!({"logType": "network", "destinationType": "s3", "s3Bucket": "logs", "uploadPeriodMinutes": 1440}));
    assert_eq!(service.get(&status).json()["numEntriesSent"], 0);
    service
        .put(&stream, json!({"destinationType": "axiom"}))
        .is(json!({}));
    service
        .get(&stream)
        .is(json!({"logType": "network", "destinationType": "axiom"}));
    service
        .get(&format!("{T}/logging/configuration/stream"))
        .refuses(404, "configuration");
    let log =
        format!("{T}/logging/configuration?start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z");
    let log = service.get(&log);
    let property = &log.json()["logs"][0]["target"]["property"];
    assert_eq!(*property, "LOG_STREAMING");
    assert!(!log.text().contains("very secret"), "a secret is logged");
    service.delete(&stream).is(json!({}));
    service.delete(&stream).refuses(404, "");
}

#[test]
fn what_is_no_stream_is_refused() {
    let mut service = service();
    let stream = format!("{T}/logging/network/stream");
    for (wrong, words) in [
        (json!({}), "destinationType"),
        (json!({"destinationType": "pigeon"}), "pigeon"),
        (
            json!({"destinationType": "s3", "compressionFormat": "zip"}),
            "zip",
        ),
        (
            json!({"destinationType": "s3", "uploadPeriodMinutes": 1441}),
            "1440",
        ),
    ] {
        service.put(&stream, wrong).refuses(400, words);
    }
    let other = format!("{T}/logging/secret/stream");
    service
        .put(&other, json!({"destinationType": "s3"}))
        .refuses(404, "secret");
}

/// A collector in the tailnet is connected by an invite and the policy, so these rights are needed too.
#[test]
fn a_collector_in_the_tailnet_needs_more_rights() {
    let mut service = service();
    let stream = format!("{T}/logging/network/stream");
    let mut put = |scopes: &str, url: &str| {
        let token = service
            .0
            .token_json(&format!(r#"{{"scopes": [{scopes}]}}"#), crate::service::NOW);
        let bearer = format!("Bearer {}", token.expect("a token"));
        let body = json!({"destinationType": "splunk", "url": url}).to_string();
        let answer = service.ask_plainly("PUT", &stream, &[("authorization", &bearer)], &body);
        answer.0.status
    };
    let all = r#""log_streaming", "device_invites", "policy_file""#;
    for inside in ["https://splunk.tail1.ts.net:8088/x", "https://100.64.0.7"] {
        assert_eq!(put(r#""log_streaming""#, inside), 403);
        assert_eq!(put(all, inside), 200);
    }
    assert_eq!(put(r#""log_streaming""#, "https://splunk.example"), 200);
    assert_eq!(
        put(r#""log_streaming:read""#, "https://splunk.example"),
        403
    );
}

#[test]
fn an_external_id_is_new_unless_one_will_do_again() {
    let mut service = service();
    let ids = format!("{T}/aws-external-id");
    let mut made = |body: &str| service.post(&ids, body).json()["externalId"].clone();
    let first = made("{}");
    assert_ne!(made("{}"), first);
    assert_eq!(made(r#"{"reusable": true}"#), first);
    let judge = |id: &str| format!("{ids}/{id}/validate-aws-trust-policy");
    let id = judge(first.as_str().expect("an id"));
    let role = |arn: &str| json!({ "roleArn": arn });
    service
        .post(&id, role("arn:aws:iam::123456789012:role/logs"))
        .is(json!({}));
    for wrong in [
        "arn:aws:iam::12:role/logs",
        "arn:aws:s3:::logs",
        "arn:aws:iam::123456789012:role/",
    ] {
        service.post(&id, role(wrong)).refuses(422, wrong);
    }
    service
        .post(&judge("other"), role("arn:aws:iam::123456789012:role/logs"))
        .refuses(404, "other");
}
