//! The key: it is sent with each request and is in nothing else. Must not live here: redirects (`redirects`).

use tailnet_kit::api::{Interrupted, Kind, Method, Request, Response, headers};
use tailnet_kit::client::{CallOptions, Client, Options};

use crate::script::{KEY, Script, ask, nameservers, options, run, success};

#[test]
fn requests_carry_the_key_and_the_callers_headers() {
    let mut own = options();
    own.headers.push("X-Team", Some("blue")).expect("a header");
    own.headers.push("X-Trace", Some("1")).expect("a header");
    let mut call = CallOptions::default();
    call.headers.push("x-trace", None).expect("a header");
    let request = Request::new(Method::Get, "/x");
    let send = async |client: &Client<Script>| ask(client, request, &call).await.map(drop);
    let (result, script) = run(own, [success()], send);
    result.expect("a success");
    let request = &script.requests.borrow()[0];
    assert_eq!(request.target, "https://api.example.com/base/x");
    let sent: Vec<_> = request.headers.iter().collect();
    assert_eq!(
        sent,
        [
            ("Authorization", "Basic dHNrZXktdmVyeS1zZWNyZXQ6"),
            ("X-Team", "blue")
        ]
    );
}

#[test]
fn the_key_is_not_in_the_words_of_a_failed_connection() {
    let cause = format!("{KEY}, as dHNrZXktdmVyeS1zZWNyZXQ6, did not get through");
    let answer = Err(Interrupted::Connection {
        cause,
        status: None,
    });
    let once = Options {
        max_retries: 0,
        ..options()
    };
    let (result, _) = run(once, [answer], nameservers);
    let error = result.expect_err("a failure");
    assert_eq!(
        error.to_string(),
        "connection failed: [redacted], as [redacted], did not get through"
    );
}

#[test]
fn the_key_is_in_nothing_that_can_be_printed() {
    let echo = format!("{{\"message\": \"no access with {KEY} or dHNrZXktdmVyeS1zZWNyZXQ6\"}}");
    let answer = || {
        Ok(Response::with_body(
            403,
            headers::JSON,
            echo.clone().into_bytes(),
        ))
    };
    let (result, script) = run(options(), [answer()], nameservers);
    let error = result.expect_err("a refusal");
    assert_eq!(error.to_string(), "no access with [redacted] or [redacted]");
    let Kind::Refused { refusal, .. } = &error.kind else {
        panic!("{error:?}")
    };
    assert!(!refusal.body.contains(KEY) && !refusal.body.contains("dHNrZXk"));
    for printed in [
        format!("{:?}", script.requests.borrow()),
        format!("{:?}", options()),
        format!("{:?}", CallOptions::default()),
    ] {
        assert!(
            !printed.contains(KEY) && !printed.contains("dHNrZXk"),
            "{printed}"
        );
    }
}

#[test]
fn the_key_is_not_in_the_kept_part_of_a_malformed_answer() {
    for body in [
        format!("{KEY} and dHNrZXktdmVyeS1zZWNyZXQ6"),
        format!("{{\"dns\": \"{KEY}\"}}"),
    ] {
        let answer = Response::with_body(200, headers::JSON, body.into_bytes());
        let (result, _) = run(options(), [Ok(answer)], nameservers);
        let error = result.expect_err("malformed");
        assert!(!error.to_string().contains(KEY), "{error}");
        let Kind::Malformed { response, .. } = error.kind else {
            panic!("{error:?}")
        };
        let kept = String::from_utf8(response.body).expect("UTF-8");
        assert!(
            kept.contains("[redacted]") && !kept.contains(KEY) && !kept.contains("dHNrZXk"),
            "{kept}"
        );
    }
}
