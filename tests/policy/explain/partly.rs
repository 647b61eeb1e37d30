//! Flows of which only a part is allowed, and which part it is: devices, logins, prefixes, families of addresses.
//! Must not live here: whether what is allowed arrives (arrives.rs).

use serde_json::{Value, json};
use tailnet_kit::policy::PolicyContext;

use super::{asked, context, delivered, devices, explain, grant, grants};

/// The verdict and the part.
#[track_caller]
fn assert_part(found: &Value, verdict: &str, part: Value) {
    assert_eq!(
        (&found["verdict"], &found["part"]),
        (&json!(verdict), &part),
        "{found}"
    );
}

#[test]
fn of_two_devices_with_a_tag_the_one_that_is_reached_is_named() {
    let one = grants(&[grant("ann@example.com", "100.64.0.3", &[])]);
    let found = explain(&one, "ann@example.com", "tag:web:80");
    assert_part(&found, "partly", json!({"to": ["web-1"]}));
    assert_eq!(found["because"][0]["index"], 0);
    let both = grants(&[grant("ann@example.com", "tag:web", &[])]);
    assert_part(
        &explain(&both, "ann@example.com", "tag:web:80"),
        "allowed",
        Value::Null,
    );
}

#[test]
fn what_is_reached_in_part_is_delivered_to_that_part() {
    let one = grants(&[grant("ann@example.com", "100.64.0.3", &[])]);
    assert_eq!(
        delivered(&explain(&one, "ann@example.com", "tag:web:80")),
        ["device | web-1"]
    );
    let part = grants(&[grant("ann@example.com", "10.1.0.0/16", &["tag:r1"])]);
    let found = explain(&part, "ann@example.com", "10.0.0.0/8:80");
    assert_eq!(
        (&found["verdict"], delivered(&found)),
        (
            &json!("partly"),
            vec!["router | r1 | 10.1.0.0/16".to_owned()]
        )
    );
}

#[test]
fn of_two_devices_of_a_user_the_one_that_is_allowed_is_named() {
    let one = grants(&[grant("100.64.0.1", "100.64.0.3", &[])]);
    let found = explain(&one, "ann@example.com", "tag:web:80");
    assert_part(
        &found,
        "partly",
        json!({"from": ["laptop"], "to": ["web-1"]}),
    );
}

#[test]
fn a_prefix_of_which_a_part_is_open_says_which() {
    let part = grants(&[grant("ann@example.com", "10.1.2.0/24", &[])]);
    let found = explain(&part, "ann@example.com", "10.1.0.0/16:80");
    assert_part(&found, "partly", json!({"to": ["10.1.2.0/24"]}));
    let whole = grants(&[grant("ann@example.com", "10.0.0.0/8", &[])]);
    assert_part(
        &explain(&whole, "ann@example.com", "10.1.0.0/16:80"),
        "allowed",
        Value::Null,
    );
    // Two halves are the whole.
    let halves = grants(&[
        grant("ann@example.com", "10.1.2.0/25", &[]),
        grant("ann@example.com", "10.1.2.128/25", &[]),
    ]);
    assert_part(
        &explain(&halves, "ann@example.com", "10.1.2.0/24:80"),
        "allowed",
        Value::Null,
    );
}

fn two_families() -> PolicyContext {
    context(json!([
        {"id": "1", "hostname": "laptop", "user": "ann@example.com", "addresses": ["100.64.0.1", "fd7a:115c:a1e0::1"]},
        {"id": "3", "hostname": "web-1", "tags": ["tag:web"], "addresses": ["100.64.0.3", "fd7a:115c:a1e0::3"]},
        {"id": "4", "hostname": "web-2", "tags": ["tag:web"], "addresses": ["100.64.0.4", "fd7a:115c:a1e0::4"]},
        {"id": "5", "hostname": "old", "tags": ["tag:bare"], "addresses": ["100.64.0.5"]},
    ]))
}

#[test]
fn one_family_of_a_device_is_a_part_of_it() {
    let known = two_families();
    let ask = |rule: &Value, to: &str| {
        asked(
            &grants(std::slice::from_ref(rule)),
            "ann@example.com",
            to,
            &known,
            None,
        )
    };
    let web = grant("ann@example.com", "100.64.0.3", &[]);
    assert_part(&ask(&web, "web-1:80"), "partly", json!({"to": ["IPv4"]}));
    assert_part(
        &ask(&web, "tag:web:80"),
        "partly",
        json!({"to": ["web-1 (IPv4)"]}),
    );
    let all = grant("ann@example.com", "100.64.0.0/10", &[]);
    assert_part(&ask(&all, "tag:web:80"), "partly", json!({"to": ["IPv4"]}));
    // The source's addresses of the other family count as well.
    let from = grant("fd7a:115c:a1e0::1", "tag:web", &[]);
    assert_part(
        &ask(&from, "tag:web:80"),
        "partly",
        json!({"from": ["IPv6"]}),
    );
    // A family that only one of both has does not.
    let old = grant("100.64.0.1", "tag:bare", &[]);
    assert_part(&ask(&old, "tag:bare:80"), "allowed", Value::Null);
}

#[test]
fn without_devices_a_family_of_the_tailnet_is_a_part_and_less_of_it_is_undecided() {
    let ask = |to: &str| {
        let rule = grants(&[grant("ann@example.com", to, &[])]);
        asked(
            &rule,
            "ann@example.com",
            "tag:web:80",
            &PolicyContext::default(),
            None,
        )
    };
    assert_part(&ask("100.64.0.0/10"), "partly", json!({"to": ["IPv4"]}));
    let some = ask("100.64.7.0/24");
    assert_part(&some, "unknown", Value::Null);
    assert_eq!(some["unresolved"], json!(["100.64.7.0/24"]));
}

#[test]
fn what_the_matrix_names_can_be_asked() {
    let text = super::text(
        r#""ipsets": {"ipset:lan": ["add 10.1.2.0/24"]},
        "grants": [{"src": ["ann@example.com"], "dst": ["ipset:lan", "svc:db", "bob@example.com"], "ip": ["*"]}]"#,
    );
    let known = context(devices());
    let verdict = |from: &str, to: &str| asked(&text, from, to, &known, None)["verdict"].clone();
    for (from, to, want) in [
        ("ann@example.com", "ipset:lan:80", "allowed"),
        ("ann@example.com", "svc:db:5432", "allowed"),
        ("bob@example.com", "svc:db:5432", "denied"),
        ("ann@example.com", "10.1.2.7-10.1.2.9:80", "allowed"),
        ("ann@example.com", "10.1.2.7-10.1.3.9:80", "partly"),
        ("ann@example.com", "*:80", "partly"),
        ("*", "ipset:lan:80", "partly"),
        ("user:*@example.com", "ipset:lan:80", "allowed"),
        ("user:*@example.org", "ipset:lan:80", "denied"),
    ] {
        assert_eq!(verdict(from, to), want, "{from} to {to}");
    }
    let missing = asked(&text, "ann@example.com", "ipset:lam:80", &known, None);
    assert_eq!(missing["verdict"], "unknown");
    assert_eq!(missing["hint"], "did you mean `ipset:lan`?");
}

#[test]
fn a_device_that_is_shown_with_its_id_is_asked_like_this() {
    let known = context(json!([
        {"id": "1", "hostname": "box", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "2", "hostname": "box", "user": "bob@example.com", "addresses": ["100.64.0.2"]},
        {"id": "3", "name": "web.tail1.ts.net", "hostname": "x", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
        {"id": "4", "name": "other.tail1.ts.net", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.4"]},
    ]));
    let text = grants(&[grant("ann@example.com", "100.64.0.3", &[])]);
    let verdict = |from: &str, to: &str| asked(&text, from, to, &known, None)["verdict"].clone();
    assert_eq!(verdict("box (1)", "web:80"), "allowed");
    assert_eq!(verdict("box (2)", "web:80"), "denied");
    // A name that was given wins over one that a machine reports.
    assert_eq!(verdict("box (1)", "other:80"), "denied");
}

#[test]
fn an_alias_that_is_a_device_too_says_so() {
    let known = context(json!([
        {"id": "7", "hostname": "vault", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
    ]));
    let text = grants(&[grant("ann@example.com", "vault", &[])]);
    let found = asked(&text, "ann@example.com", "vault:80", &known, None);
    assert_eq!(found["verdict"], "allowed");
    let hint = "this is the alias of `hosts`; a device is called `vault`, too: ask about it as `7`";
    assert_eq!(found["hint"], hint);
}

#[test]
fn each_of_two_wrong_names_has_its_hint() {
    let text = grants(&[grant("group:dev", "tag:web", &[])]);
    let found = explain(&text, "group:dew", "tag:wep:80");
    assert_eq!(
        found["hint"],
        "`group:dew`: did you mean `group:dev`?; `tag:wep`: did you mean `tag:web`?"
    );
    assert_eq!(found["unresolved"], json!(["group:dew", "tag:wep"]));
    let domain = explain(&text, "ann@example.com", "example.com:443");
    let why =
        "policies know no domain names: ask about an address, an alias of `hosts` or a device";
    assert_eq!(domain["hint"], why);
}

#[test]
fn a_device_of_another_tailnet_never_sends() {
    let mut known = devices();
    known[1]["isExternal"] = json!(true);
    let all = grants(&[grant("*", "*", &[]), grant("autogroup:member", "*", &[])]);
    let found = asked(&all, "phone", "tag:web:80", &context(known), None);
    assert_part(&found, "denied", Value::Null);
}
