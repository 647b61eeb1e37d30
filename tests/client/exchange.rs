//! Repetitions of a call and their time: what is sent again, after which pause, and when that ends.
//! Must not live here: redirects (`redirects`), updates of the policy (`update`), routes and bodies (`tests/api`), `fetch`
//! (`tests/js/client`).

use std::time::Duration;

use crate::ready::ready;
use tailnet_kit::Code;
use tailnet_kit::api::{
    AclBody, AclChange, AclFormat, DeleteDevice, DeviceId, Interrupted, ItemId, Kind, Method,
    Request, SetAcl, SetService, TailnetName, VipService,
};
use tailnet_kit::client::{CallOptions, Client};

use crate::script::{
    Answer, Script, ask, broken, call, nameservers, options, run, script, set_nameservers, status,
    success, with_header,
};

/// How many times each kind of call is sent when it always fails like this.
fn sent(answer: fn() -> Answer, call: impl AsyncFnOnce(&Client<Script>)) -> usize {
    let client = Client::new(script((0..3).map(|_| answer())), options());
    ready(call(&client));
    client.into_transport().requests.borrow().len()
}

async fn read(client: &Client<Script>) {
    nameservers(client).await.expect_err("a failure");
}

async fn replace(client: &Client<Script>) {
    set_nameservers(client).await.expect_err("a failure");
}

async fn write_policy(client: &Client<Script>) {
    let body = AclBody {
        format: AclFormat::HuJson,
        text: "{}".to_owned(),
    };
    let tailnet = TailnetName::new("example.com").expect("a name");
    let format = AclFormat::HuJson;
    let change = AclChange {
        body,
        if_match: None,
        format,
    };
    let sent = call(client, SetAcl { tailnet, change });
    sent.await.expect_err("a failure");
}

async fn delete(client: &Client<Script>) {
    let id = DeviceId::new("1").expect("an id");
    call(client, DeleteDevice { id })
        .await
        .expect_err("a failure");
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

#[test]
fn a_request_of_any_kind_that_renames_a_service_is_known_by_its_body() {
    let count = |body: &'static str| {
        sent(
            || status(503),
            async |client: &Client<Script>| {
                let path = "/api/v2/tailnet/example.com/services/svc:wiki";
                let request = Request::new(Method::Put, path);
                let request = request.with_json_text(body.to_owned());
                let call = CallOptions::default();
                ask(client, request, &call).await.expect_err("a failure");
            },
        )
    };
    for same in ["{}", r#"{"name": ""}"#, r#"{"name": "svc:wiki"}"#] {
        assert_eq!(count(same), 3, "{same}");
    }
    for unclear in [r#"{"name": "svc:docs"}"#, r#"{"name": 1}"#, "[]", "{"] {
        assert_eq!(count(unclear), 1, "{unclear}");
    }
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
    let (result, script) = run(options(), [status(503), broken(), success()], nameservers);
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
    let (error, script) = run(patient, answers, nameservers);
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
        let (result, script) = run(options(), answers, nameservers);
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
    for (wish, seconds) in [
        ("61", 61.0),
        ("Tue, 08 Nov 1994 08:48:21 GMT", 172_800.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 252618189098.0),
    ] {
        let answers = [with_header(429, "Retry-After", wish)];
        let (result, _) = run(options(), answers, nameservers);
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
    let (result, script) = run(hasty, [status(503), status(503)], nameservers);
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
