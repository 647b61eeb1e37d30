//! What the sender does, step by step. Must not live here: what is let through (`paths`), the words of the key (`secret`).

use serde_json::{Value, json};
use tailnet_kit::api::{Headers, Response};
use tailnet_kit::gateway::{Event, Gateway, Members, Passage, Step};

use super::gate::{KEY, SITE, everything, fields, gateway};

const ACL: &str = "/api/v2/tailnet/corp.example/acl";
const DEVICE: &str = "/api/v2/device/1";

/// A passage after these events.
fn passage<'g>(
    gateway: &'g Gateway,
    (method, path): (&str, &str),
    events: &[Event],
) -> Passage<'g> {
    let mut passage = Passage::new(gateway, method, &format!("{SITE}{path}"), Headers::new());
    passage.after(events.to_vec());
    passage
}

fn answered(status: u16) -> Event {
    Event::Answered(status, Headers::new())
}

fn key(text: &str) -> Event {
    Event::Key(text.to_owned())
}

/// What happened until the key is known.
fn entered() -> Vec<Event> {
    vec![Event::Authorized(true), Event::Read, key(KEY)]
}

fn after(events: &[Event]) -> Vec<Event> {
    [entered(), events.to_vec()].concat()
}

/// The answer that this event brings.
#[track_caller]
fn ends(passage: &mut Passage<'_>, event: Event) -> Response {
    match passage.next(event) {
        Step::Answer(response) | Step::Pass(response) => response,
        other => panic!("goes on: {other:?}"),
    }
}

#[track_caller]
fn message(response: &Response) -> String {
    let body: Value = serde_json::from_slice(&response.body).expect("JSON");
    body["message"].as_str().expect("a message").to_owned()
}

#[test]
fn a_read_is_authorized_sent_and_passed_on() {
    let gateway = everything();
    let mut passage = passage(&gateway, ("GET", ACL), &[]);
    assert_eq!(
        passage.next(Event::Authorized(true)),
        Step::ReadBody(4 << 20)
    );
    assert_eq!(passage.next(Event::Read), Step::Key { rejected: None });
    let Step::Send { request, with_body } = passage.next(key(KEY)) else {
        panic!("is not sent");
    };
    assert_eq!(
        request.target,
        "https://api.example.com/base/api/v2/tailnet/corp.example/acl"
    );
    assert_eq!(
        request
            .headers
            .get("authorization")
            .map(|value| &value[..6]),
        Some("Basic ")
    );
    assert!(with_body);
    let etag = Event::Answered(200, fields(&[("etag", "\"7\"")]));
    assert!(matches!(passage.next(etag), Step::Open(_)));
    let Step::Pass(response) = passage.next(Event::Read) else {
        panic!("does not pass");
    };
    assert_eq!(
        (response.status, response.headers.get("etag")),
        (200, Some("\"7\""))
    );
}

#[test]
fn after_a_401_another_key_is_asked_for_once() {
    let gateway = everything();
    let mut passage = passage(&gateway, ("POST", ACL), &entered());
    let Step::Key {
        rejected: Some(rejected),
    } = passage.next(answered(401))
    else {
        panic!("does not ask again");
    };
    assert_eq!(rejected.reveal(), KEY);
    assert!(matches!(passage.next(key("another")), Step::Send { .. }));
    assert_eq!(passage.next(answered(401)), Step::ReadWords);
    let refused = ends(&mut passage, Event::Words("{}".to_owned()));
    assert_eq!(
        (refused.status, refused.body.as_slice()),
        (401, b"{}".as_slice())
    );
}

#[test]
fn a_look_up_asks_for_another_key_too() {
    let gateway = everything();
    let mut passage = passage(&gateway, ("DELETE", DEVICE), &entered());
    assert!(matches!(
        passage.next(answered(401)),
        Step::Key { rejected: Some(_) }
    ));
    let Step::Send { request, .. } = passage.next(key("another")) else {
        panic!("is not sent");
    };
    assert!(
        request.target.ends_with("/tailnet/corp.example/devices"),
        "{}",
        request.target
    );
}

#[test]
fn the_same_key_again_leaves_the_first_answer() {
    let gateway = everything();
    let mut passage = passage(&gateway, ("GET", ACL), &after(&[answered(401)]));
    assert_eq!(passage.next(key(KEY)), Step::ReadWords);
    let told = format!("{{\"message\": \"no {KEY}\"}}");
    let refused = ends(&mut passage, Event::Words(told));
    assert_eq!(message(&refused), "no [redacted]");
    assert_eq!(refused.status, 401);
}

#[test]
fn a_device_is_looked_for_before_anything_is_sent() {
    let gateway = everything();
    let lists = |step: &Step<'_>| match step {
        Step::Send { request, .. } => request.target.ends_with("/tailnet/corp.example/devices"),
        _ => false,
    };
    let mut read = passage(&gateway, ("GET", DEVICE), &entered()[..2]);
    assert!(matches!(read.next(key(KEY)), Step::Recall(_)));
    assert!(lists(&read.next(Event::Member(false))));
    let Step::List(member) = read.next(answered(200)) else {
        panic!("is not read");
    };
    assert_eq!((member.id.as_str(), member.list), ("1", "devices"));
    assert!(
        matches!(read.next(Event::Member(true)), Step::Send { request, .. } if request.target.ends_with(DEVICE))
    );

    let mut change = passage(&gateway, ("DELETE", DEVICE), &entered()[..2]);
    assert!(
        lists(&change.next(key(KEY))),
        "what is remembered is not enough"
    );
    change.next(answered(200));
    let refused = ends(&mut change, Event::Member(false));
    assert_eq!(
        (refused.status, message(&refused).as_str()),
        (404, "the tailnet has nothing with this id")
    );
}

#[test]
fn a_lookup_that_is_refused_is_the_answer() {
    let gateway = everything();
    let looked = after(&[Event::Member(false), answered(403)]);
    let mut passage = passage(&gateway, ("GET", DEVICE), &looked);
    let refused = ends(
        &mut passage,
        Event::Words("{\"message\": \"no\"}".to_owned()),
    );
    assert_eq!((refused.status, message(&refused).as_str()), (403, "no"));
}

#[test]
fn every_failure_has_its_status() {
    let gateway = everything();
    let cases: &[(&[Event], Event, u16)] = &[
        (&[], Event::Authorized(false), 401),
        (&[], Event::Late, 503),
        (&[], Event::Failed, 500),
        (&[Event::Authorized(true)], Event::TooLong, 413),
        (&[Event::Authorized(true)], Event::Failed, 500),
        (&[Event::Authorized(true)], Event::Late, 502),
        (&[Event::Authorized(true), Event::Read], Event::Failed, 500),
        (&[Event::Authorized(true), Event::Read], key(" "), 500),
        (&[Event::Authorized(true), Event::Read], Event::Late, 502),
        (&entered(), Event::Failed, 502),
        (&entered(), Event::Late, 502),
        (&entered(), answered(302), 502),
        (&entered(), answered(0), 502),
        (&after(&[answered(200)]), Event::Failed, 502),
        (&after(&[answered(200)]), Event::TooLong, 502),
        (&after(&[answered(500)]), Event::TooLong, 502),
        (
            &after(&[answered(500)]),
            Event::Words(KEY.replace('-', "%2d")),
            502,
        ),
        (&after(&[answered(500)]), Event::Words("oh".to_owned()), 500),
    ];
    for (before, event, status) in cases {
        let mut passage = passage(&gateway, ("GET", ACL), before);
        let response = ends(&mut passage, event.clone());
        assert_eq!(response.status, *status, "{before:?}, then {event:?}");
    }
}

#[test]
fn what_is_not_let_through_is_refused_once_the_caller_is_known() {
    let gateway = gateway(json!({}));
    let mut passage = passage(&gateway, ("POST", ACL), &[]);
    assert_eq!(ends(&mut passage, Event::Authorized(true)).status, 403);
}

#[test]
fn members_are_remembered_for_ten_seconds() {
    let body = br#"{"devices": [{"id": "1", "nodeId": "n1"}, {"id": "a\nb"}, {"id": 7}]}"#;
    let members = Members::listed("devices", body, 1000).expect("a list");
    for (name, at, known) in [
        ("1", 1000, true),
        ("n1", 10_999, true),
        ("n1", 11_000, false),
        ("7", 1000, false),
        ("a", 1000, false),
        ("", 1000, false),
        ("1\nn1", 1000, false),
    ] {
        assert_eq!(members.have(name, at), known, "{name:?} at {at}");
    }
    assert_eq!(Members::of_text(&members.to_text()), members);
    assert!(!Members::of_text("").have("1", 0));
    let none = Members::listed("devices", b"{}", 1000).expect("a service leaves an empty list out");
    assert!(!none.have("1", 1000));
    assert_eq!(Members::listed("devices", b"[", 1000), None);
}

#[test]
fn an_event_is_read_by_the_name_of_its_member() {
    for (text, event) in [
        (r#"{"authorized": true}"#, Event::Authorized(true)),
        (r#"{"read": true}"#, Event::Read),
        (r#"{"key": "k"}"#, key("k")),
        (r#"{"member": false}"#, Event::Member(false)),
        (
            r#"{"status": 200, "headers": [["etag", "7"]]}"#,
            Event::Answered(200, fields(&[("etag", "7")])),
        ),
        (r#"{"words": "no"}"#, Event::Words("no".to_owned())),
        (r#"{"tooLong": true}"#, Event::TooLong),
        (r#"{"late": true}"#, Event::Late),
        (r#"{"failed": true}"#, Event::Failed),
        (r#"{"authorized": 1}"#, Event::Failed),
        ("7", Event::Failed),
    ] {
        assert_eq!(Event::read_all(&format!("[{text}]")), [event], "{text}");
    }
}
