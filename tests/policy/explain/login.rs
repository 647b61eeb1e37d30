//! Logins by ssh: whether rules and network let somebody in as an account (docs/policy-language.md#ssh-rules).
//! Must not live here: the packets of ssh rules (tests/policy/ssh.rs), sshTests.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Policy, PolicyContext};

use super::{context, devices, text};

const RULES: &str = r#""grants": [
    {"src": ["ann@example.com"], "dst": ["tag:web", "ann@example.com"], "ip": ["22"]},
    {"src": ["tag:r1"], "dst": ["100.64.0.3"], "ip": ["22"]},
  ],
  "ssh": [
    {"action": "check", "src": ["group:dev"], "dst": ["tag:web"], "users": ["root"]},
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web"], "users": ["root", "autogroup:nonroot"]},
    {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["autogroup:nonroot"]},
    {"action": "accept", "src": ["tag:r1"], "dst": ["tag:web", "tag:r2"], "users": ["deploy"]},
  ],"#;

fn login(known: &PolicyContext, from: &str, to: &str, user: &str) -> Value {
    let text = text(RULES);
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    policy.accept(known).expect("a document that has answers");
    let flow = Flow::login(&from.parse().expect("a name"), to, user).expect("a login");
    json!(policy.explain(&flow, known).expect("an answer"))
}

#[track_caller]
fn assert_login(from: &str, to: &str, user: &str, verdict: &str, action: Value) -> Value {
    let found = login(&context(devices()), from, to, user);
    assert_eq!(
        (&found["verdict"], &found["action"]),
        (&json!(verdict), &action),
        "{from} to {to} as {user}: {found}"
    );
    found
}

#[test]
fn rules_with_a_check_decide_before_others() {
    let found = assert_login(
        "ann@example.com",
        "tag:web",
        "root",
        "allowed",
        json!("check"),
    );
    let because: Vec<_> = found["because"].as_array().expect("rules").iter().collect();
    assert_eq!(
        (&because[0]["section"], &because[0]["index"]),
        (&json!("ssh"), &json!(0))
    );
    assert_eq!(
        (&because[1]["section"], because.len()),
        (&json!("grants"), 2)
    );
    assert_login(
        "ann@example.com",
        "tag:web",
        "ann",
        "allowed",
        json!("accept"),
    );
    assert_login("laptop", "phone", "ann", "allowed", json!("accept"));
    assert_login("laptop", "phone", "root", "denied", Value::Null);
    let own = "autogroup:self";
    assert_login("ann@example.com", own, "ann", "allowed", json!("accept"));
}

#[test]
fn a_login_that_the_network_keeps_out_says_so() {
    let found = assert_login("bob@example.com", "tag:web", "root", "denied", Value::Null);
    let why = "the ssh rules allow the login, but no network rule opens port 22 for it";
    assert_eq!(
        (&found["hindrance"], &found["arrives"]),
        (&json!(why), &json!(false))
    );
}

#[test]
fn where_the_network_is_open_to_a_part_the_login_is() {
    let found = assert_login("tag:r1", "tag:web", "deploy", "partly", json!("accept"));
    assert_eq!(found["part"], json!({"to": ["web-1"]}));
}

#[test]
fn near_misses_of_a_login_are_ssh_rules() {
    let found = assert_login("tag:r1", "tag:web", "root", "denied", Value::Null);
    let why = "account: the rule opens deploy, not root";
    assert_eq!(
        (
            &found["nearMisses"][2]["rule"]["index"],
            &found["nearMisses"][2]["why"]
        ),
        (&json!(3), &json!(why)),
        "{found}"
    );
    assert_eq!(
        found["nearMisses"][0]["why"],
        "source \"tag:r1\" is not in group:dev"
    );
}

#[test]
fn without_devices_a_login_is_judged_by_the_text() {
    let nothing = PolicyContext::default();
    let found = login(&nothing, "ann@example.com", "tag:web", "root");
    assert_eq!(
        (&found["verdict"], &found["action"], &found["arrives"]),
        (&json!("allowed"), &json!("check"), &Value::Null)
    );
    // The address of web-1 is not known.
    let found = login(&nothing, "tag:r1", "tag:web", "deploy");
    assert_eq!(
        (&found["verdict"], &found["unresolved"]),
        (&json!("unknown"), &json!(["100.64.0.3"]))
    );
}

#[test]
fn a_rule_by_name_leads_to_ones_own_devices_too() {
    let rules = text(
        r#""grants": [{"src": ["*"], "dst": ["*"], "ip": ["*"]}],
        "ssh": [{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web"], "users": ["localpart:*@example.com"]}],"#,
    );
    let document = hujson::parse(&rules).expect("HuJSON");
    let (policy, known) = (Policy::read(&document), context(devices()));
    let verdict = |to: &str, user: &str| {
        let flow = Flow::login(&"laptop".parse().expect("a name"), to, user).expect("a login");
        json!(policy.explain(&flow, &known).expect("an answer"))["verdict"].clone()
    };
    assert_eq!(verdict("tag:web", "ann"), "allowed");
    assert_eq!(verdict("phone", "ann"), "allowed");
    assert_eq!(verdict("phone", "bob"), "denied");
    assert_eq!(verdict("tag:r1", "ann"), "denied");
}

#[test]
fn a_login_has_an_account_and_no_port() {
    let ann = "ann@example.com".parse().expect("a name");
    for (to, user) in [
        ("tag:web:22", "root"),
        ("tag:web", ""),
        ("tag:web", "autogroup:nonroot"),
    ] {
        assert!(Flow::login(&ann, to, user).is_err(), "{to} {user}");
    }
    assert!(Flow::login(&ann, "fd7a:115c:a1e0::9", "root").is_ok());
}

#[test]
fn a_posture_that_is_all_that_a_login_lacks_is_named() {
    let needs = |network: &str, ssh: &str| {
        let posture = |name: &str| match name {
            "" => String::new(),
            name => format!(r#", "srcPosture": ["{name}"]"#),
        };
        let rules = format!(
            r#""postures": {{"posture:mac": ["node:os == 'macos'"], "posture:new": ["node:tsVersion >= '1.80'"]}},
            "grants": [{{"src": ["ann@example.com"], "dst": ["tag:web"], "ip": ["22"]{}}}],
            "ssh": [{{"action": "accept", "src": ["group:dev"], "dst": ["tag:web"], "users": ["root"]{}}}],"#,
            posture(network),
            posture(ssh)
        );
        let text = text(&rules);
        let document = hujson::parse(&text).expect("HuJSON");
        let policy = Policy::read(&document);
        let ann = "ann@example.com".parse().expect("a name");
        let flow = Flow::login(&ann, "tag:web", "root").expect("a login");
        let known = PolicyContext::default();
        json!(policy.explain(&flow, &known).expect("an answer"))
    };
    let (mac, new) = ("posture:mac", "posture:new");
    for (network, ssh) in [(mac, mac), (mac, ""), ("", mac)] {
        let found = needs(network, ssh);
        assert_eq!(found["verdict"], "denied", "{network} {ssh}: {found}");
        assert_eq!(found["postures"], json!([mac]), "{network} {ssh}: {found}");
    }
    let found = needs(mac, "");
    let only = "the ssh rules allow the login, but the network rules open port 22 for it only with posture:mac";
    assert_eq!(found["hindrance"], only);
    // It would need both.
    assert_eq!(needs(mac, new).get("postures"), None);
}
