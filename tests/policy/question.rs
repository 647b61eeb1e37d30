//! Names in questions: a plain name is read as the object that gives its kind, a device has several names, and undefined names are
//! reported. The tests of the package use the same table in every runtime.
//! Must not live here: what is answered (`preview`, `verbs`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use proptest::prelude::*;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Error, Flow, Policy, PolicyContext, Query, Subject};

/// A policy in which a name of the table would mean something else as another kind of name.
const POLICY: &str = r#"{
  "groups": {"group:dev": ["ann@example.com"], "group:ops@example.com": ["bob@example.com"]},
  "hosts": {"box": "10.0.0.5", "printer": "10.0.0.7"},
  "tagOwners": {"tag:web": []},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:443"]},
    {"action": "accept", "src": ["tag:web"], "dst": ["box:443"]},
    {"action": "accept", "src": ["10.0.0.0/24"], "dst": ["*:22"]},
    {"action": "accept", "src": ["100.64.0.9"], "dst": ["box:443"]},
  ],
}"#;

const CONTEXT: &str = r#"{"users": [{"loginName": "ann@example.com"}, {"loginName": "bob@example.com"}], "devices": [
  {"id": "7001", "nodeId": "nLaptop1CNTRL", "name": "laptop.tail1.ts.net", "hostname": "Anns-MacBook", "user": "ann@example.com", "addresses": ["100.64.0.9"]},
  {"id": "7002", "nodeId": "nWebA2CNTRL", "name": "web-a.tail1.ts.net", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.2"]},
  {"id": "7003", "nodeId": "nWebB3CNTRL", "name": "web-b.tail1.ts.net", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
  {"id": "7004", "name": "printer.tail1.ts.net", "hostname": "printer", "user": "bob@example.com", "addresses": ["100.64.0.4"]}
]}"#;

/// A name, then the query of a preview that it stands for, then the source of a flow; null where it is refused.
fn table() -> Vec<(String, Value, Value)> {
    serde_json::from_str(include_str!("names.json")).expect("a table")
}

/// The subject that an object with one member names.
fn subject(object: &Value) -> Subject {
    let (key, text) = object
        .as_object()
        .and_then(|o| o.iter().next())
        .expect("a member");
    let text = text.as_str().expect("a name").to_owned();
    match key.as_str() {
        "user" => Subject::User(text),
        "tag" => Subject::Tag(text),
        "group" => Subject::Group(text),
        "autogroup" => Subject::Autogroup(text),
        "host" => Subject::Host(text),
        "device" => Subject::Device(text),
        "ip" => Subject::Ip(text),
        other => panic!("{other} is no subject"),
    }
}

fn query(object: &Value) -> Query {
    match object.get("ipPort").and_then(Value::as_str) {
        Some(text) => Query::ip_port(text).expect("an address and a port"),
        None => Query::Of(subject(object)),
    }
}

/// The answer as JSON, or the message of the error about the argument.
type Outcome = Result<Value, String>;

fn asked<T: serde::Serialize>(answer: Result<T, Error>) -> Outcome {
    match answer {
        Ok(answer) => Ok(serde_json::to_value(answer).expect("plain data")),
        Err(Error::Argument(message)) => Err(message),
        Err(other) => panic!("{other}"),
    }
}

fn with_policy<R>(ask: impl FnOnce(&Policy<'_>) -> R) -> R {
    let document = hujson::parse(POLICY).expect("a policy");
    ask(&Policy::read(&document))
}

fn preview_in(context: &str, query: Result<Query, Error>) -> Outcome {
    let context = PolicyContext::read(context).expect("a context");
    with_policy(|policy| {
        let query = query.map_err(|error| error.to_string())?;
        asked(policy.preview(&query, &context))
    })
}

fn preview(query: Result<Query, Error>) -> Outcome {
    preview_in(CONTEXT, query)
}

fn explain_in(context: &str, from: Result<Subject, Error>, to: &str) -> Outcome {
    let context = PolicyContext::read(context).expect("a context");
    with_policy(|policy| {
        let flow = from.and_then(|from| Flow::new(&from, to, None));
        let flow = flow.map_err(|error| error.to_string())?;
        asked(policy.explain(&flow, &context))
    })
}

fn explain(from: Result<Subject, Error>, to: &str) -> Outcome {
    explain_in(CONTEXT, from, to)
}

fn device(name: &str) -> Outcome {
    explain(Ok(Subject::Device(name.to_owned())), "box:443")
}

#[test]
fn a_name_previews_the_same_as_its_object() {
    for (name, object, _) in table() {
        match object.is_null() {
            true => assert!(preview(name.parse()).is_err(), "{name}"),
            false => assert_eq!(preview(name.parse()), preview(Ok(query(&object))), "{name}"),
        }
    }
}

#[test]
fn a_name_is_the_same_source_as_its_object() {
    for (name, _, object) in table() {
        let plain = explain(name.parse(), "box:443");
        match object.is_null() {
            true => assert!(plain.is_err(), "{name}"),
            false => assert_eq!(plain, explain(Ok(subject(&object)), "box:443"), "{name}"),
        }
    }
}

#[test]
fn a_device_has_five_names() {
    for name in [
        "laptop.tail1.ts.net",
        "laptop",
        "LAPTOP",
        "anns-macbook",
        "7001",
        "nLaptop1CNTRL",
    ] {
        assert_eq!(device(name).expect(name)["verdict"], "allowed", "{name}");
    }
    // Ids are compared with their case.
    assert_eq!(
        device("nlaptop1cntrl"),
        Err("no device is called `nlaptop1cntrl`".to_owned())
    );
}

#[test]
fn two_devices_of_one_name_are_listed() {
    let wanted = "several devices are called `web`: web-a.tail1.ts.net (id 7002), web-b.tail1.ts.net (id 7003)";
    assert_eq!(device("web"), Err(wanted.to_owned()));
    assert_eq!(explain("web".parse(), "box:443"), Err(wanted.to_owned()));
    assert_eq!(preview("web".parse()), Err(wanted.to_owned()));
    assert_eq!(explain("laptop".parse(), "web:443"), Err(wanted.to_owned()));
    assert!(device("web-a").is_ok());
}

#[test]
fn a_context_has_no_other_members() {
    for name in ["device", "Devices", "tailnet"] {
        let read = PolicyContext::read(&format!("{{\"{name}\": []}}"));
        let refused = read.expect_err("a member of no context");
        let wanted =
            format!("`{name}` is not one of devices, users, domains, groups, attributes, dialect");
        assert_eq!(refused, wanted);
    }
    let service = r#"{"devices": [{"id": "1", "os": "linux"}], "users": [{"loginName": "a@b.c", "id": "2"}]}"#;
    assert!(PolicyContext::read(service).is_ok());
}

#[test]
fn a_context_that_makes_no_sense_is_refused() {
    for (context, wanted) in [
        (
            r#"{"groups": {"ops": []}}"#,
            "`ops` does not begin with `group:`",
        ),
        (
            r#"{"attributes": {"7001": {"node:os": ["linux"]}}}"#,
            "`node:os` must be a string, a number or a boolean",
        ),
        (
            r#"{"dialect": "Tailscale"}"#,
            "`Tailscale` is no dialect: `tailscale` and `headscale` are",
        ),
        (
            r#"{"devices": [{"id": "1", "isExternal": "no"}]}"#,
            "`\"no\"` must be `true` or `false`",
        ),
    ] {
        assert_eq!(PolicyContext::read(context).err().as_deref(), Some(wanted));
    }
}

#[test]
fn a_context_says_what_the_service_says_of_devices_and_users() {
    let read = PolicyContext::read(
        r#"{
          "devices": [
            {"id": "1", "os": "linux", "clientVersion": "1.80.2", "authorized": false, "expires": "2027-01-01T00:00:00Z",
             "isExternal": true, "blocksIncomingConnections": true},
            {"id": "2", "os": "", "expires": "2020-01-01T00:00:00Z", "keyExpiryDisabled": true},
            {"id": "3", "expires": "0001-01-01T00:00:00Z"},
          ],
          "users": [{"loginName": "a@b.c", "id": "7", "email": "a@mail.example", "providerId": "p1"}],
          "groups": {"group:ops@b.c": ["a@b.c"]},
          "attributes": {"1": {"custom:tier": 2, "falcon:ok": true, "node:os": "linux", "custom:none": null}},
          "dialect": "tailscale",
        }"#,
    );
    let context = read.expect("a context");
    let devices = context.devices.unwrap_or_default();
    let [first, second, third] = devices.as_slice() else {
        panic!("three devices");
    };
    assert!(first.is_external() && first.blocks_incoming && !second.is_external());
    assert_eq!(first.is_authorized, Some(false));
    assert_eq!(second.is_authorized, None);
    assert_eq!(first.key_expires.as_deref(), Some("2027-01-01T00:00:00Z"));
    assert_eq!((&second.key_expires, &third.key_expires), (&None, &None));
    assert_eq!(first.client_version.as_deref(), Some("1.80.2"));
    assert_eq!((first.os.as_deref(), &second.os), (Some("linux"), &None));
    let user = context.users.unwrap_or_default().remove(0);
    assert_eq!(user.id.as_deref(), Some("7"));
    assert_eq!(user.email.as_deref(), Some("a@mail.example"));
    assert_eq!(user.provider_id.as_deref(), Some("p1"));
    let groups = vec![("group:ops@b.c".to_owned(), vec!["a@b.c".to_owned()])];
    assert_eq!(context.groups, Some(groups));
    let attributes = context.attributes.unwrap_or_default();
    let shown = attributes.iter().flat_map(|(_, own)| own);
    let shown: Vec<_> = shown
        .map(|own| (own.name.as_str(), own.value.as_str(), own.is_number))
        .collect();
    let wanted = [
        ("custom:tier", "2", true),
        ("falcon:ok", "true", false),
        ("node:os", "linux", false),
    ];
    assert_eq!(shown, wanted);
}

#[test]
fn an_alias_comes_before_a_device() {
    let alias = Subject::Host("printer".to_owned());
    assert_eq!(
        explain("printer".parse(), "box:443"),
        explain(Ok(alias), "box:443")
    );
    assert_ne!(explain("printer".parse(), "box:443"), device("printer"));
}

#[test]
fn a_destination_may_be_a_device() {
    let found = explain("ann@example.com".parse(), "web-a:443").expect("an answer");
    assert_eq!(found["verdict"], "allowed");
    assert_eq!(
        explain("ann@example.com".parse(), "7002:443").expect("an answer"),
        found
    );
}

#[test]
fn a_device_that_is_not_there_is_an_error() {
    let near = "no device is called `lapptop`; did you mean `laptop`?";
    assert_eq!(device("lapptop"), Err(near.to_owned()));
    let nobody = explain_in("null", Ok(Subject::Device("laptop".to_owned())), "box:443");
    assert!(
        nobody
            .expect_err("no devices")
            .contains("context with `devices`")
    );
}

#[test]
fn the_error_about_a_malformed_address_says_which_part() {
    for (name, part) in [
        ("10.0.0.0/99", "the prefix length of IPv4 is at most 32"),
        ("300.1.1.1", "a number of an IPv4 address is at most 255"),
        ("10.0.0", "an IPv4 address has four numbers, here are fewer"),
        (
            "fd7a::12345",
            "a group of an IPv6 address has at most four digits",
        ),
        (
            "10.0.0.9-10.0.0.1",
            "the first address of a range is above its last",
        ),
    ] {
        let wanted = format!("`{name}`: {part}");
        assert_eq!(preview(name.parse()), Err(wanted.clone()));
        assert_eq!(
            preview(Ok(Query::Of(Subject::Host(name.to_owned())))),
            Err(wanted.clone())
        );
        assert_eq!(explain(name.parse(), "box:443"), Err(wanted));
    }
    let ip = explain(Ok(Subject::Ip("10.0.0.256".to_owned())), "box:443");
    assert_eq!(
        ip,
        Err("`10.0.0.256`: a number of an IPv4 address is at most 255".to_owned())
    );
    let to = explain("ann@example.com".parse(), "300.1.1.1:443");
    assert_eq!(
        to,
        Err("`300.1.1.1`: a number of an IPv4 address is at most 255".to_owned())
    );
    let source = explain("10.0.0.5:443".parse(), "box:443");
    assert_eq!(
        source,
        Err("`10.0.0.5:443`: write the address without a port".to_owned())
    );
}

#[test]
fn a_destination_has_one_port() {
    for (to, wanted) in [
        ("tag:web", "`tag:web` has no port: write `HOST:PORT`"),
        ("box", "`box` has no port: write `HOST:PORT`"),
        ("box:x", "`box:x` has no port: write `HOST:PORT`"),
        ("box:http", "`box:http`: a port is a number: write `80`"),
        (
            "tag:web:SSH",
            "`tag:web:SSH`: a port is a number: write `22`",
        ),
        ("box:70000", "`box:70000`: ports end at 65535"),
        ("box:80-90", "`box:80-90`: ask about one port, not `80-90`"),
        ("box:*", "`box:*`: ask about one port, not `*`"),
    ] {
        assert_eq!(
            explain("ann@example.com".parse(), to),
            Err(wanted.to_owned())
        );
    }
    assert_eq!(
        preview("10.0.0.5:99999".parse()),
        Err("`10.0.0.5:99999`: ports end at 65535".to_owned())
    );
}

#[test]
fn an_undefined_name_is_unresolved_and_similar_names_are_suggested() {
    for (name, hint) in [
        ("group:devv", Some("group:dev")),
        ("tag:wbe", Some("tag:web")),
        ("autogroup:members2", Some("autogroup:member")),
        ("dev", Some("group:dev")),
        ("ann", Some("ann@example.com")),
        ("bxo", Some("box")),
        ("lapptop", Some("laptop")),
        ("an@example.com", Some("ann@example.com")),
        ("quite-another", None),
        ("tag:elsewhere", None),
    ] {
        let hint = hint.map(|hint| format!("did you mean `{hint}`?"));
        for answer in [preview(name.parse()), explain(name.parse(), "box:443")] {
            let answer = answer.expect(name);
            assert_eq!(answer["unresolved"], json!([name]));
            assert_eq!(
                answer.get("hint").and_then(Value::as_str),
                hint.as_deref(),
                "{name}"
            );
        }
    }
    let known = preview("ann@example.com".parse()).expect("an answer");
    assert_eq!(
        (&known["unresolved"], known.get("hint")),
        (&json!([]), None)
    );
}

#[test]
fn the_prefix_of_a_named_kind_may_be_left_out() {
    for (short, long) in [
        (Subject::Tag("web".to_owned()), "tag:web"),
        (Subject::Group("dev".to_owned()), "group:dev"),
        (Subject::Autogroup("member".to_owned()), "autogroup:member"),
    ] {
        assert_eq!(
            explain(Ok(short), "box:443"),
            explain(long.parse(), "box:443")
        );
    }
}

#[test]
fn posture_attributes_are_texts_numbers_or_flags() {
    let flow = || Flow::new(&Subject::Ip("10.0.0.1".to_owned()), "box:443", None).expect("a flow");
    let good = r#"{"node:os": "linux", "custom:tier": 3, "custom:managed": true}"#;
    assert!(flow().with_posture_attributes(good).is_ok());
    for wrong in [
        "null",
        "[]",
        r#"{"node:os": null}"#,
        r#"{"node:os": ["linux"]}"#,
        "{",
    ] {
        assert!(flow().with_posture_attributes(wrong).is_err(), "{wrong}");
    }
}

fn address() -> impl Strategy<Value = IpAddr> {
    // Groups of zeros and decimal digits are the ones that look like ports.
    let group = prop_oneof![Just(0_u16), 0_u16..0x10, any::<u16>()];
    let v6 = prop::array::uniform8(group).prop_map(|groups| Ipv6Addr::from(groups).into());
    prop_oneof![
        any::<u32>().prop_map(|bits| Ipv4Addr::from(bits).into()),
        v6
    ]
}

proptest! {
    /// For addresses as the standard library writes them: one is never taken for an address with a port, nor the reverse.
    #[test]
    fn an_address_is_never_taken_for_one_with_a_port(address in address(), port: u16) {
        let bare = address.to_string();
        let read = bare.parse::<Query>().expect("a query");
        prop_assert_eq!(read, Query::Of(Subject::Plain(bare)));
        let text = SocketAddr::new(address, port).to_string();
        let wanted = Query::IpPort { address: address.into(), port, text: text.clone() };
        prop_assert_eq!(text.parse::<Query>().expect("a query"), wanted);
    }

    /// Any text is kept as it was typed, and is answered or refused with a message.
    #[test]
    fn typed_text_is_kept(name in "([ a-z0-9@:.*/\\[\\]-]|tag:|group:|10\\.0\\.0\\.1){0,12}") {
        match preview(name.parse()) {
            Ok(answer) => prop_assert_eq!(&answer["user"], &name),
            Err(message) => prop_assert!(!message.is_empty()),
        }
        let empty = name.trim().is_empty();
        prop_assert_eq!(name.parse::<Subject>().is_err(), empty);
        prop_assert!(!empty || name.parse::<Query>().is_err());
    }
}
