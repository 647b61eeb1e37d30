//! Redirects: which are followed, and where the key goes. Must not live here: other repetitions (`exchange`).

use tailnet_kit::Code;
use tailnet_kit::api::{Method, Response, headers};
use tailnet_kit::client::Client;

use crate::script::{Answer, Script, nameservers, options, run, set_nameservers, success};

fn redirect(status: u16, location: &str) -> Answer {
    let mut response = Response::empty(status);
    response.headers.set(headers::LOCATION, location);
    Ok(response)
}

#[test]
fn redirects_within_the_origin_are_followed_with_the_key() {
    for (status, location, target) in [
        (301, "/new?x=1", "https://api.example.com/new?x=1"),
        (
            302,
            "https://API.example.com:443/new",
            "https://api.example.com/new",
        ),
        (303, "//api.example.com/new", "https://api.example.com/new"),
        (
            307,
            "servers",
            "https://api.example.com/base/api/v2/tailnet/example.com/dns/servers",
        ),
        (308, "/new#here", "https://api.example.com/new"),
    ] {
        let answers = [redirect(status, location), success()];
        let (result, script) = run(options(), answers, nameservers);
        result.expect(location);
        let requests = script.requests.borrow();
        assert_eq!(requests[1].target, target);
        assert_eq!(requests[1].headers, requests[0].headers);
    }
}

#[test]
fn the_key_goes_to_no_other_origin() {
    for location in [
        "https://evil.example/",
        "http://api.example.com/base",
        "https://api.example.com:8443/",
        "//evil.example/",
        "https://api.example.com@evil.example/",
        "https://api.example.com.evil.example/",
        "ftp://api.example.com/",
        "javascript:alert(1)",
        "/a\\b",
        "https://",
    ] {
        let (result, _) = run(options(), [redirect(307, location)], nameservers);
        let error = result.expect_err(location);
        assert_eq!(
            (error.code(), error.status()),
            (Code::Connection, Some(307)),
            "{location}"
        );
    }
}

#[test]
fn without_a_secret_a_redirect_may_lead_anywhere() {
    let mut open = options();
    open.api_key = None;
    let answers = [redirect(302, "https://mirror.example/x"), success()];
    let (result, script) = run(open.clone(), answers, nameservers);
    result.expect("a success");
    assert_eq!(
        script.requests.borrow()[1].target,
        "https://mirror.example/x"
    );

    open.headers
        .push("cookie", Some("session=1"))
        .expect("a header");
    let (result, _) = run(
        open,
        [redirect(302, "https://mirror.example/x")],
        nameservers,
    );
    assert_eq!(result.expect_err("refused").code(), Code::Connection);
}

#[test]
fn a_write_is_never_turned_into_a_read() {
    let set = async |client: &Client<Script>| {
        let result = set_nameservers(client).await;
        result.expect_err("refused").code()
    };
    assert_eq!(
        run(options(), [redirect(302, "/new")], set).0,
        Code::Connection
    );

    let set = async |client: &Client<Script>| set_nameservers(client).await.expect("a success");
    let answer = Ok(Response::with_body(
        200,
        headers::JSON,
        br#"{"dns":[],"magicDNS":false}"#.to_vec(),
    ));
    let (_, script) = run(options(), [redirect(307, "/new"), answer], set);
    assert_eq!(script.requests.borrow()[1].body, br#"{"dns":[]}"#);
    assert_eq!(script.requests.borrow()[1].method, Method::Post);
}

#[test]
fn redirects_in_a_circle_end() {
    let answers = (0..6).map(|_| redirect(302, "/round"));
    let (result, _) = run(options(), answers, nameservers);
    assert_eq!(result.expect_err("no end").code(), Code::Connection);
}
