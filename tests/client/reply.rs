//! Answers that are a refusal, or not what was expected. Must not live here: whether the call is repeated (`exchange`).

use tailnet_kit::Code;
use tailnet_kit::api::{Kind, Response, TailnetName, headers};
use tailnet_kit::client::Options;
use tailnet_kit::client::call::Call;
use tailnet_kit::client::reply::Reply;

use crate::script::{nameservers, options, run};

/// docs/service.md#answers
#[test]
fn a_refusal_keeps_the_identifier_that_the_service_gives_it() {
    for (name, id) in [
        ("x-tailscale-request-id", "REQ-2026112200000000001a2b"),
        ("x-request-id", "r-1"),
        ("request-id", "r-2"),
    ] {
        let mut response = Response::with_body(500, "text/plain", b"down".to_vec());
        response.headers.set(name, id);
        let mut once = options();
        once.max_retries = 0;
        let (result, _) = run(once, [Ok(response)], nameservers);
        let Kind::Refused { refusal, .. } = result.expect_err("a refusal").kind else {
            panic!("no refusal")
        };
        assert_eq!(refusal.request_id.as_deref(), Some(id));
    }
}

#[test]
fn a_refusal_is_read_whatever_its_body() {
    let answered = |body: &str| {
        let mut response = Response::with_body(502, "text/html", body.as_bytes().to_vec());
        response.headers.set("x-request-id", "r-1");
        response
    };
    for (body, message) in [
        (
            r#"{"message": "down", "data": [{"user": "a", "errors": ["x", 1]}, 7, {"errors": null}, {"user": 7, "errors": ["y"]}]}"#,
            "down",
        ),
        (
            "<html>Bad gateway</html>",
            "the service answered with status 502",
        ),
        ("", "the service answered with status 502"),
        ("upstream is gone\n", "upstream is gone"),
        ("{\"message\": 7}", "the service answered with status 502"),
        ("[1", "[1"),
    ] {
        let mut once = options();
        once.max_retries = 0;
        let (result, _) = run(once, [Ok(answered(body))], nameservers);
        let error = result.expect_err("a refusal");
        assert_eq!(
            (error.code(), error.to_string().as_str()),
            (Code::ServerError, message)
        );
        let Kind::Refused { refusal, .. } = error.kind else {
            panic!("no refusal")
        };
        assert_eq!(
            (refusal.body.as_str(), refusal.request_id.as_deref()),
            (body, Some("r-1"))
        );
        let details = refusal
            .details
            .into_iter()
            .map(|detail| (detail.user, detail.errors));
        let expected: &[_] = match message {
            "down" => &[
                (Some("a".to_owned()), vec!["x".to_owned()]),
                (None, Vec::new()),
                (None, vec!["y".to_owned()]),
            ],
            _ => &[],
        };
        assert_eq!(details.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_error_about_an_unexpected_success_says_where() {
    for (body, message) in [
        (
            "{}",
            "the answer is not what was promised: missing field `dns` at line 1 column 2",
        ),
        (
            "<html>",
            "the answer is not what was promised: expected value at line 1 column 1",
        ),
    ] {
        let answer = Response::with_body(200, headers::JSON, body.as_bytes().to_vec());
        let (result, _) = run(options(), [Ok(answer)], nameservers);
        let error = result.expect_err("malformed");
        assert_eq!(
            (error.code(), error.status()),
            (Code::MalformedResponse, Some(200))
        );
        assert_eq!(error.to_string(), message);
    }
    let answer = br#"{"dns": null, "more": {"x": 1}}"#.to_vec();
    let (result, _) = run(
        options(),
        [Ok(Response::with_body(200, headers::JSON, answer))],
        nameservers,
    );
    assert_eq!(result.expect("null is an empty list").dns, [""; 0]);
}

/// docs/service.md#answers
#[test]
fn a_replaced_dns_configuration_is_promised_as_it_was_sent() {
    let mut options = Options::new("https://api.example.com").expect("options");
    options.tailnet = TailnetName::new("example.com").ok();
    let given = r#"{"body": {"preferences": {"magicDNS": true}, "searchPaths": []}}"#;
    let call = Call::read("dns.configuration.set", given, &options).expect("a call");
    let body = r#"{"preferences":{"magicDNS":true},"searchPaths":[]}"#.to_owned();
    assert_eq!(call.reply, Reply::Sent { body });
}
