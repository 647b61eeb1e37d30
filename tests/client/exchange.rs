//! What a call does when something fails: repetitions, redirects, time, secrets, conflicts, over a scripted transport.
//! Must not live here: routes and bodies (`tests/api`), `fetch` (`tests/js/client`).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use crate::ready::ready;
use tailnet_kit::api::retry::Rule;
use tailnet_kit::api::{
    AclBody, AclFormat, ApiKey, Code, DeviceId, Headers, Interrupted, ItemId, Kind, Limits, Method,
    Nameservers, Pause, Request, Response, SetService, TailnetName, Transport, VipService, headers,
};
use tailnet_kit::client::{CallOptions, Client, Error, Options, UpdateError};

const KEY: &str = "tskey-very-secret";

/// Gives its answers in order, and records the requests.
struct Script {
    answers: RefCell<VecDeque<Answer>>,
    requests: RefCell<Vec<Request>>,
    limits: RefCell<Vec<Limits>>,
    pauses: RefCell<Vec<Duration>>,
    now: Cell<f64>,
}

type Answer = Result<Response, Interrupted<String>>;

impl Transport for Script {
    type Body = Vec<u8>;
    type Cause = String;

    async fn send(&self, request: Request, limits: Limits) -> Answer {
        self.requests.borrow_mut().push(request);
        self.limits.borrow_mut().push(limits);
        // Each answer takes a second.
        self.now.set(self.now.get() + 1000.0);
        self.answers
            .borrow_mut()
            .pop_front()
            .expect("an answer is left")
    }

    async fn pause(&self, pause: &Pause<'_, Vec<u8>, String>) -> Result<(), Interrupted<String>> {
        self.pauses.borrow_mut().push(pause.delay);
        self.now
            .set(self.now.get() + pause.delay.as_secs_f64() * 1000.0);
        Ok(())
    }

    fn now(&self) -> f64 {
        self.now.get()
    }

    fn random(&self) -> f64 {
        0.0
    }
}

fn options() -> Options {
    let mut options = Options::new("https://api.example.com/base/").expect("a URL");
    options.api_key = Some(ApiKey::new(KEY).expect("a key"));
    options.tailnet = Some(TailnetName::new("example.com").expect("a name"));
    options
}

fn script(answers: impl IntoIterator<Item = Answer>) -> Script {
    Script {
        answers: RefCell::new(answers.into_iter().collect()),
        requests: RefCell::default(),
        limits: RefCell::default(),
        pauses: RefCell::default(),
        now: Cell::new(784_111_700_000.0),
    }
}

/// A call over these answers, all of which it must use: its result, and the transport.
fn run<T>(
    options: Options,
    answers: impl IntoIterator<Item = Answer>,
    call: impl AsyncFnOnce(&Client<Script>) -> T,
) -> (T, Script) {
    let client = Client::new(script(answers), options);
    let result = ready(call(&client));
    let script = client.into_transport();
    assert!(script.answers.borrow().is_empty(), "answers are left");
    (result, script)
}

fn status(status: u16) -> Answer {
    Ok(Response::refusal(status, format!("refused with {status}")))
}

fn with_header(status: u16, name: &str, value: &str) -> Answer {
    let mut response = Response::refusal(status, "later");
    response.headers.set(name, value);
    Ok(response)
}

fn success() -> Answer {
    let nameservers = Nameservers {
        dns: vec!["8.8.8.8".to_owned()],
    };
    Ok(Response::json(200, &nameservers))
}

fn broken() -> Answer {
    Err(Interrupted::Connection {
        cause: "reset".to_owned(),
        status: None,
    })
}

/// How many times each kind of call is sent when it always fails like this.
fn sent(answer: fn() -> Answer, call: impl AsyncFnOnce(&Client<Script>)) -> usize {
    let client = Client::new(script((0..3).map(|_| answer())), options());
    ready(call(&client));
    client.into_transport().requests.into_inner().len()
}

async fn read(client: &Client<Script>) {
    client.nameservers().await.expect_err("a failure");
}

async fn replace(client: &Client<Script>) {
    client
        .set_nameservers(Nameservers::default())
        .await
        .expect_err("a failure");
}

async fn write_policy(client: &Client<Script>) {
    let body = AclBody {
        format: AclFormat::HuJson,
        text: "{}".to_owned(),
    };
    client.set_acl(body, None).await.expect_err("a failure");
}

async fn delete(client: &Client<Script>) {
    let id = DeviceId::new("1").expect("an id");
    client.delete_device(id).await.expect_err("a failure");
}

/// Sends a request that need not be one of the operations.
async fn ask(
    client: &Client<Script>,
    request: Request,
    call: &CallOptions,
) -> Result<((), Response), Error<Script>> {
    let rule = Rule::of_request(&request);
    client.send(request, rule, call, |_| Ok(())).await
}

async fn unnamed_write(client: &Client<Script>) {
    let request = Request::new(Method::Post, "/api/v2/device/1/device-invites");
    let call = CallOptions::default();
    ask(client, request, &call).await.expect_err("a failure");
}

async fn unnamed_read(client: &Client<Script>) {
    let request = Request::new(Method::Get, "/api/v2/tailnet/example.com/user-invites");
    let call = CallOptions::default();
    ask(client, request, &call).await.expect_err("a failure");
}

/// Replaces a service, with this name in the body.
async fn put_service(client: &Client<Script>, name: &str) {
    let set = SetService {
        tailnet: TailnetName::new("example.com").expect("a name"),
        name: ItemId::new("svc:wiki").expect("a name"),
        service: VipService {
            name: name.to_owned(),
            ..VipService::default()
        },
    };
    let call = CallOptions::default();
    let sent = client.call(&set, &call);
    sent.await.expect_err("a failure");
}

#[test]
fn a_service_that_is_renamed_is_not_renamed_twice() {
    let count = |answer: fn() -> Answer, name: &'static str| {
        sent(answer, async |client: &Client<Script>| {
            put_service(client, name).await;
        })
    };
    for name in ["", "svc:wiki"] {
        assert_eq!(count(|| status(503), name), 3, "{name:?}");
    }
    assert_eq!(count(|| status(503), "svc:docs"), 1);
    assert_eq!(count(broken, "svc:docs"), 1);
    assert_eq!(count(|| status(429), "svc:docs"), 3);
}

/// How an attempt fails, and how often each kind of call is sent then.
type Row = (fn() -> Answer, [usize; 6]);

#[test]
fn what_is_repeated_depends_on_the_call_and_the_failure() {
    let repeated: [Row; 14] = [
        // reads, replaces, policy, delete, unnamed write, unnamed read
        (|| status(429), [3, 3, 3, 3, 3, 3]),
        (|| status(408), [3, 3, 1, 1, 1, 3]),
        (|| status(500), [3, 3, 1, 1, 1, 3]),
        (|| status(502), [3, 3, 1, 1, 1, 3]),
        (|| status(503), [3, 3, 1, 1, 1, 3]),
        (|| status(504), [3, 3, 1, 1, 1, 3]),
        (broken, [3, 3, 1, 1, 1, 3]),
        (|| Err(Interrupted::Timeout), [3, 3, 1, 1, 1, 3]),
        (|| status(501), [1, 1, 1, 1, 1, 1]),
        (|| status(505), [1, 1, 1, 1, 1, 1]),
        (|| status(400), [1, 1, 1, 1, 1, 1]),
        (|| status(409), [1, 1, 1, 1, 1, 1]),
        (
            || Err(Interrupted::Aborted("stop".to_owned())),
            [1, 1, 1, 1, 1, 1],
        ),
        (
            || Err(Interrupted::TooLarge { status: 200 }),
            [1, 1, 1, 1, 1, 1],
        ),
    ];
    for (answer, expected) in repeated {
        let counted = [
            sent(answer, read),
            sent(answer, replace),
            sent(answer, write_policy),
            sent(answer, delete),
            sent(answer, unnamed_write),
            sent(answer, unnamed_read),
        ];
        assert_eq!(counted, expected, "{:?}", answer());
    }
}

#[test]
fn a_success_after_failures_is_a_success() {
    let (result, script) = run(
        options(),
        [status(503), broken(), success()],
        Client::nameservers,
    );
    assert_eq!(result.expect("a success").dns, ["8.8.8.8"]);
    // Half a second, doubling; the random part is zero here.
    let pauses = [Duration::from_millis(500), Duration::from_secs(1)];
    assert_eq!(*script.pauses.borrow(), pauses);
}

#[test]
fn pauses_stop_growing_at_eight_seconds() {
    let mut patient = options();
    patient.max_retries = 7;
    let answers = (0..8).map(|_| status(503));
    let (error, script) = run(patient, answers, Client::nameservers);
    assert_eq!(error.expect_err("a refusal").attempts, 8);
    let seconds: Vec<f64> = script
        .pauses
        .borrow()
        .iter()
        .map(Duration::as_secs_f64)
        .collect();
    assert_eq!(seconds, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]);
}

#[test]
fn the_service_says_when_to_come_back() {
    // It is Sun, 06 Nov 1994 08:48:20 GMT, and the answer takes a second.
    for (wish, milliseconds) in [
        ("0", 0),
        ("7", 7000),
        (" 60 ", 60_000),
        ("Sun, 06 Nov 1994 08:48:31 GMT", 10_000),
        ("Sunday, 06-Nov-94 08:48:31 GMT", 10_000),
        ("Sun Nov  6 08:48:31 1994", 10_000),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("soon", 500),
        ("-1", 500),
        ("1.5", 500),
        ("Sun, 99 Foo 1994 08:00:00 GMT", 500),
    ] {
        let answers = [with_header(429, "retry-after", wish), success()];
        let (result, script) = run(options(), answers, Client::nameservers);
        result.expect("a success");
        assert_eq!(
            *script.pauses.borrow(),
            [Duration::from_millis(milliseconds)],
            "{wish}"
        );
    }
}

#[test]
fn a_pause_beyond_a_minute_is_made_only_if_the_caller_allows_it() {
    for (wish, seconds) in [("61", 61.0), ("Tue, 08 Nov 1994 08:48:21 GMT", 172_800.0)] {
        let answers = [with_header(429, "Retry-After", wish)];
        let (result, _) = run(options(), answers, Client::nameservers);
        match result.expect_err("a refusal").kind {
            Kind::Refused { refusal, .. } => assert_eq!(refusal.retry_after, Some(seconds)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_call_can_have_its_own_time_limit() {
    let call = CallOptions {
        max_retries: Some(0),
        ..CallOptions::default()
    };
    let request = || Request::new(Method::Get, "/x");
    let once = async |client: &Client<Script>| ask(client, request(), &call).await;
    let (result, _) = run(options(), [status(429)], once);
    assert_eq!(result.expect_err("a refusal").attempts, 1);
}

#[test]
fn the_total_time_ends_attempts_and_pauses() {
    let mut hasty = options();
    hasty.total_timeout = Some(Duration::from_millis(2200));
    hasty.max_retries = 9;
    let (result, script) = run(hasty, [status(503), status(503)], Client::nameservers);
    let error = result.expect_err("no time");
    assert_eq!((error.code(), error.attempts), (Code::Timeout, 2));
    let Kind::Timeout(Some(last)) = error.kind else {
        panic!("no cause")
    };
    assert_eq!(last.status(), Some(503));
    // The second attempt got the time left after one second and a pause of half a second.
    let limits: Vec<_> = script
        .limits
        .borrow()
        .iter()
        .map(|limits| limits.timeout)
        .collect();
    let left = [Duration::from_millis(2200), Duration::from_millis(700)];
    assert_eq!(limits, left.map(Some));
}

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
        let (result, script) = run(options(), answers, Client::nameservers);
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
        let (result, _) = run(options(), [redirect(307, location)], Client::nameservers);
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
    let (result, script) = run(open.clone(), answers, Client::nameservers);
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
        Client::nameservers,
    );
    assert_eq!(result.expect_err("refused").code(), Code::Connection);
}

#[test]
fn a_write_is_never_turned_into_a_read() {
    let set = async |client: &Client<Script>| {
        let result = client.set_nameservers(Nameservers::default()).await;
        result.expect_err("refused").code()
    };
    assert_eq!(
        run(options(), [redirect(302, "/new")], set).0,
        Code::Connection
    );

    let set = async |client: &Client<Script>| {
        client
            .set_nameservers(Nameservers::default())
            .await
            .expect("a success")
    };
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
    let (result, _) = run(options(), answers, Client::nameservers);
    assert_eq!(result.expect_err("no end").code(), Code::Connection);
}

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
    let (result, _) = run(once, [answer], Client::nameservers);
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
    let (result, script) = run(options(), [answer()], Client::nameservers);
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
        let (result, _) = run(options(), [Ok(answer)], Client::nameservers);
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
        let (result, _) = run(once, [Ok(response)], Client::nameservers);
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
        let (result, _) = run(once, [Ok(answered(body))], Client::nameservers);
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
        let (result, _) = run(options(), [Ok(answer)], Client::nameservers);
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
        Client::nameservers,
    );
    assert_eq!(result.expect("null is an empty list").dns, [""; 0]);
}

#[test]
fn base_urls_that_are_not_valid_are_refused() {
    for (url, word) in [
        ("", "empty"),
        ("api.example.com", "https://"),
        ("ftp://api.example.com", "https://"),
        ("https://", "host"),
        ("https://user@api.example.com", "user name"),
        ("https://:pw@api.example.com", "user name"),
        ("https://api.example.com?x=1", "query"),
        ("https://api.example.com/#top", "fragment"),
        ("https://api.example.com:99999", "port"),
        ("https://api example.com", "characters"),
        ("https://api.example.com\\@evil.example", "characters"),
        ("http://api.example.com", "allowInsecureHTTP"),
        ("http://127.0.0.1.example.com", "allowInsecureHTTP"),
        ("http://localhost.example.com", "allowInsecureHTTP"),
        ("http://0x7f.1", "allowInsecureHTTP"),
        ("/proxy", "https://"),
    ] {
        let error = Options::new(url).expect_err(url).to_string();
        assert!(
            error.starts_with("`baseURL` ") && error.contains(word),
            "{url}: {error}"
        );
    }
    for (url, base) in [
        ("https://API.example.com/", "https://api.example.com"),
        (
            " https://api.example.com:443/a/b// ",
            "https://api.example.com/a/b",
        ),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://127.9.9.9/x", "http://127.9.9.9/x"),
        ("HTTP://[::1]:80", "http://[::1]"),
        ("http://app.localhost", "http://app.localhost"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"),
    ] {
        assert_eq!(Options::new(url).expect(url).base_url.to_string(), base);
    }
}

#[test]
fn headers_that_cannot_be_sent_are_refused_without_their_value() {
    let mut headers = options().headers;
    for (name, value) in [
        ("", "x"),
        ("a b", "x"),
        ("x\n", "x"),
        ("x", "secret\nmore"),
        ("x", "日"),
        ("x", "\0"),
    ] {
        let error = headers.push(name, Some(value)).expect_err(name);
        assert_eq!(error.code(), Code::InvalidArgument);
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    for key in ["", "  ", "a\nb", "a\u{0}"] {
        assert_eq!(
            ApiKey::new(key).expect_err("a bad key").code(),
            Code::InvalidArgument
        );
    }
    assert_eq!(ApiKey::new(" key\n").expect("a key").reveal(), "key");
}

fn policy(text: &str, etag: Option<&str>) -> Answer {
    let mut response = Response::with_body(200, headers::HUJSON, text.as_bytes().to_vec());
    if let Some(etag) = etag {
        response.headers.set(headers::ETAG, etag);
    }
    Ok(response)
}

type Edited = Result<String, UpdateError<Error<Script>, &'static str>>;

/// An update over these answers: its result, and the requests sent.
fn update(
    answers: Vec<Answer>,
    mut edit: impl FnMut(String) -> Result<String, &'static str>,
) -> (Edited, Script) {
    let tailnet = TailnetName::new("example.com").expect("a name");
    let call = CallOptions::default();
    let update = async |client: &Client<Script>| {
        client
            .update_acl(&tailnet, 3, &call, async |text| edit(text))
            .await
    };
    let (updated, script) = run(options(), answers, update);
    (updated.map(|document| document.text), script)
}

fn condition(request: &Request) -> Option<&str> {
    Headers::get(&request.headers, headers::IF_MATCH)
}

#[test]
fn an_update_starts_over_on_a_conflict() {
    let answers = vec![
        policy("{} // one\n", Some("\"1\"")),
        status(412),
        policy("{} // two\n", Some("\"2\"")),
        status(409),
        policy("{} // three\n", Some("\"3\"")),
        policy("done", Some("\"4\"")),
    ];
    let (result, script) = update(answers, |text| Ok(format!("{text}// edited\n")));
    assert_eq!(result.expect("a write"), "done");
    let requests = script.requests.borrow();
    let conditions: Vec<_> = requests.iter().map(condition).collect();
    assert_eq!(
        conditions,
        [
            None,
            Some("\"1\""),
            None,
            Some("\"2\""),
            None,
            Some("\"3\"")
        ]
    );
    assert_eq!(requests[5].body, b"{} // three\n// edited\n");
}

#[test]
fn an_update_gives_up_with_the_last_conflict() {
    let round = || [policy("{}", Some("\"1\"")), status(412)];
    let answers = (0..3).flat_map(|_| round()).collect();
    let (result, _) = update(answers, Ok);
    let Err(UpdateError::Call(error)) = result else {
        panic!("no error")
    };
    assert_eq!(
        (error.code(), error.status()),
        (Code::PreconditionFailed, Some(412))
    );
    assert!(matches!(error.kind, Kind::Conflict(last) if last.status() == Some(412)));
}

#[test]
fn an_update_that_cannot_be_safe_writes_nothing() {
    let (result, _) = update(vec![policy("{}", Some("\"1\""))], |_| Err("no"));
    assert!(matches!(result, Err(UpdateError::Edit("no"))));

    for etag in [None, Some(""), Some("  ")] {
        let (result, _) = update(vec![policy("{}", etag)], |_| panic!("not asked"));
        let Err(UpdateError::Call(error)) = result else {
            panic!("no error")
        };
        assert_eq!(error.code(), Code::EtagUnavailable);
    }

    let mut latin1 = Response::with_body(200, headers::HUJSON, vec![b'{', 0xFC, b'}']);
    latin1.headers.set(headers::ETAG, "\"1\"");
    let (result, _) = update(vec![Ok(latin1)], |_| panic!("not asked"));
    let Err(UpdateError::Call(error)) = result else {
        panic!("no error")
    };
    assert_eq!(error.code(), Code::MalformedResponse);

    // A write whose answer is lost may have been made, so it is not repeated.
    let (result, _) = update(vec![policy("{}", Some("\"1\"")), broken()], Ok);
    let Err(UpdateError::Call(error)) = result else {
        panic!("no error")
    };
    assert_eq!(error.code(), Code::Connection);
}
