//! Near misses that are near, the condition of a posture that fails, and pings.
//! Must not live here: verdicts (explain.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy};

use super::{asked, context, devices, explain, grant, grants, text};

fn whys(found: &Value) -> Vec<&str> {
    let misses = found["nearMisses"].as_array().into_iter().flatten();
    misses.filter_map(|miss| miss["why"].as_str()).collect()
}

#[test]
fn a_rule_that_opens_everything_to_others_is_no_near_miss() {
    let text = grants(&[
        grant("tag:r1", "*", &[]),
        grant("group:dev", "tag:web", &[]),
    ]);
    let found = explain(&text, "tag:bare", "tag:web:80");
    assert_eq!(found["verdict"], "denied");
    assert_eq!(whys(&found), ["source \"tag:bare\" is not in group:dev"]);
}

#[test]
fn the_condition_that_fails_is_named() {
    let text = r#"{"postures": {"posture:new": ["node:os == 'linux'", "node:tsVersion >= '1.60'"]}, "tagOwners": {"tag:web": []},
        "grants": [{"src": ["*"], "dst": ["tag:web"], "ip": ["*"], "srcPosture": ["posture:new"]}]}"#;
    let known = context(devices());
    let given = r#"{"node:os": "linux", "node:tsVersion": "1.50"}"#;
    let found = asked(text, "ann@example.com", "tag:web:80", &known, Some(given));
    let why = "posture: the source must have posture:new; `node:tsVersion >= '1.60'` does not hold";
    assert_eq!(whys(&found), [why]);
    let mut listed = devices();
    listed[0]["os"] = json!("macOS");
    let found = asked(text, "laptop", "tag:web:80", &context(listed), None);
    let why = "posture: the source must have posture:new; `node:os == 'linux'` does not hold";
    assert_eq!(whys(&found), [why]);
}

#[test]
fn a_ping_needs_no_port() {
    let text = grants(&[grant("ann@example.com", "tag:web", &[])]);
    let document = hujson::parse(&text).expect("HuJSON");
    let (policy, known) = (Policy::read(&document), context(devices()));
    let ann = "ann@example.com".parse().expect("a name");
    for (to, protocol) in [
        ("tag:web", "ping"),
        ("tag:web", "icmp"),
        ("tag:web:0", "icmp"),
        ("100.64.0.3", "ipv6-icmp"),
        ("tag:web:80", "ping"),
        ("[100.64.0.3]", "ping"),
        ("100.64.0.3", "ping"),
    ] {
        let flow = Flow::new(&ann, to, Some(protocol)).expect(to);
        let found = json!(policy.explain(&flow, &known).expect("an answer"));
        assert_eq!(found["verdict"], "allowed", "{to} {protocol}");
    }
    for to in [
        "[fd7a:115c:a1e0::3]",
        "fd7a:115c:a1e0::3",
        "[fd7a:115c:a1e0::3]:0",
    ] {
        assert_eq!(
            Flow::new(&ann, to, Some("ping")).expect(to),
            Flow::new(&ann, "fd7a:115c:a1e0::3", Some("ping")).expect("a flow")
        );
    }
    assert_eq!(
        Flow::login(&ann, "[fd7a:115c:a1e0::3]", "root").expect("a login"),
        Flow::login(&ann, "fd7a:115c:a1e0::3", "root").expect("a login")
    );
    assert!(Flow::new(&ann, "tag:web", Some("tcp")).is_err());
}

#[test]
fn ports_that_several_destinations_share_are_said_once() {
    let text = text(
        r#""acls": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web:22", "100.64.0.3:22", "*:22,80"]}]"#,
    );
    let found = asked(
        &text,
        "ann@example.com",
        "web-1:443",
        &context(devices()),
        None,
    );
    assert_eq!(
        whys(&found),
        ["wrong port: the rule opens ports 22 and 80, not 443"]
    );
}
