//! Why a flow passes or not and where its packet ends, worked out from docs/policy-language.md#reach.
//! Must not live here: grants with `via` (tests/policy/explain/via.rs), names in questions (tests/policy/question.rs), packet
//! filters (tests/policy/filters.rs).

mod arrives;
mod login;
mod near;
mod partly;
mod via;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Error, Flow, Policy, PolicyContext, check};

const DEFINITIONS: &str = r#""groups": {"group:dev": ["ann@example.com", "bob@example.com"], "group:none": []},
  "tagOwners": {"tag:web": [], "tag:r1": [], "tag:r2": [], "tag:exit": [], "tag:bare": []},
  "hosts": {"vault": "10.1.2.3"},
  "postures": {"posture:new": ["node:os == 'linux'"], "posture:mac": ["node:os == 'macos'"]},"#;

fn text(rules: &str) -> String {
    format!("{{{DEFINITIONS} {rules}}}")
}

fn grant(from: &str, to: &str, via: &[&str]) -> Value {
    let mut grant = json!({"src": [from], "dst": [to], "ip": ["*"]});
    if !via.is_empty() {
        grant["via"] = json!(via);
    }
    grant
}

fn grants(list: &[Value]) -> String {
    text(&format!("\"grants\": {}", json!(list)))
}

/// Ann has two devices, bob none. Each router has its own tag.
fn devices() -> Value {
    let device = |id: &str, hostname: &str, owner: Value, address: &str, routes: &[&str]| {
        let mut device = json!({"id": id, "hostname": hostname, "addresses": [address],
            "advertisedRoutes": routes, "enabledRoutes": routes});
        match owner.is_array() {
            true => device["tags"] = owner,
            false => device["user"] = owner,
        }
        device
    };
    json!([
        device("1", "laptop", json!("ann@example.com"), "100.64.0.1", &[]),
        device("2", "phone", json!("ann@example.com"), "100.64.0.2", &[]),
        device("3", "web-1", json!(["tag:web"]), "100.64.0.3", &[]),
        device("4", "web-2", json!(["tag:web"]), "100.64.0.4", &[]),
        device(
            "5",
            "r1",
            json!(["tag:r1"]),
            "100.64.0.5",
            &["10.1.0.0/16", "203.0.113.0/24"]
        ),
        device(
            "6",
            "r2",
            json!(["tag:r2"]),
            "100.64.0.6",
            &["10.1.0.0/16", "10.1.2.0/24"]
        ),
        device(
            "7",
            "out",
            json!(["tag:exit"]),
            "100.64.0.7",
            &["0.0.0.0/0", "::/0"]
        ),
    ])
}

fn context(devices: Value) -> PolicyContext {
    serde_json::from_value(json!({"devices": devices})).expect("a context")
}

fn asked(
    text: &str,
    from: &str,
    to: &str,
    context: &PolicyContext,
    attributes: Option<&str>,
) -> Value {
    let document = hujson::parse(text).expect("HuJSON");
    let policy = Policy::read(&document);
    policy.accept(context).expect("a document that has answers");
    let from = from.parse().expect("a name");
    let mut flow = Flow::new(&from, to, None).expect("a flow");
    if let Some(json) = attributes {
        flow = flow.with_posture_attributes(json).expect("attributes");
    }
    json!(policy.explain(&flow, context).expect("an answer"))
}

fn explain(text: &str, from: &str, to: &str) -> Value {
    asked(text, from, to, &context(devices()), None)
}

#[track_caller]
fn assert_verdict(text: &str, from: &str, to: &str, verdict: &str) {
    let found = explain(text, from, to);
    assert_eq!(found["verdict"], verdict, "{from} to {to}: {found}");
}

/// Who receives, each in one line.
fn delivered(explanation: &Value) -> Vec<String> {
    let list = explanation["delivered"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |to: &Value| {
        let (device, route) = (text(&to["device"]["name"]), text(&to["route"]));
        let words = [text(&to["kind"]), device, route, text(&to["why"])];
        words
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" | ")
    };
    list.map(line).collect()
}

#[track_caller]
fn assert_delivered(text: &str, to: &str, expected: &[&str]) {
    assert_eq!(
        delivered(&explain(text, "ann@example.com", to)),
        expected,
        "{to}"
    );
}

fn all() -> String {
    grants(&[grant("*", "*", &[])])
}

// Where the packet ends (contract, `Delivery`).

#[test]
fn a_name_is_delivered_to_each_of_its_devices() {
    assert_delivered(&all(), "tag:web:80", &["device | web-1", "device | web-2"]);
    let found = explain(&all(), "ann@example.com", "100.64.0.4:80");
    assert_eq!(
        found["delivered"],
        json!([{"kind": "device", "device": {"id": "4", "name": "web-2"}}])
    );
}

#[test]
fn of_everything_each_device_and_each_route_stands_once() {
    let mut both = devices();
    for at in 0..7 {
        both[at]["addresses"] = json!([
            format!("100.64.0.{}", at + 1),
            format!("fd7a:115c:a1e0::{}", at + 1)
        ]);
    }
    let found = asked(&all(), "ann@example.com", "*:80", &context(both), None);
    let lines = delivered(&found);
    assert_eq!(
        lines[..3],
        ["device | laptop", "device | phone", "device | web-1"]
    );
    for (at, line) in lines.iter().enumerate() {
        assert!(!lines[..at].contains(line), "{lines:?}");
    }
}

#[test]
fn an_address_behind_a_router_is_delivered_to_the_router_with_the_longest_route() {
    assert_delivered(&all(), "10.1.2.3:80", &["router | r2 | 10.1.2.0/24"]);
    assert_delivered(&all(), "vault:80", &["router | r2 | 10.1.2.0/24"]);
}

#[test]
fn an_address_behind_two_routers_of_one_route_is_delivered_to_both() {
    assert_delivered(
        &all(),
        "10.1.9.9:80",
        &["router | r1 | 10.1.0.0/16", "router | r2 | 10.1.0.0/16"],
    );
}

#[test]
fn a_public_address_is_delivered_to_an_exit_node_and_behind_a_public_route_to_its_router() {
    assert_delivered(&all(), "8.8.8.8:53", &["exit | out | 0.0.0.0/0"]);
    assert_delivered(&all(), "[2606:4700::1]:53", &["exit | out | ::/0"]);
    assert_delivered(&all(), "203.0.113.7:53", &["router | r1 | 203.0.113.0/24"]);
}

#[test]
fn an_exit_node_leads_to_no_private_address() {
    assert_delivered(
        &all(),
        "192.168.7.7:80",
        &["nobody | no approved route leads to 192.168.7.7"],
    );
}

#[test]
fn a_route_that_is_not_approved_leads_nowhere_and_its_device_is_named() {
    let known = context(json!([
        {"id": "1", "hostname": "laptop", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "5", "hostname": "r1", "tags": ["tag:r1"], "addresses": ["100.64.0.5"], "advertisedRoutes": ["10.1.0.0/16"]},
    ]));
    let found = asked(&all(), "ann@example.com", "10.1.2.9:80", &known, None);
    assert_eq!(
        found["delivered"],
        json!([{
            "kind": "nobody",
            "why": "no approved route leads to 10.1.2.9; advertised by r1, not approved",
            "device": {"id": "5", "name": "r1"},
        }])
    );
    // The rules as a whole allow it.
    assert_eq!(found["verdict"], "allowed");
    let why = |to| delivered(&asked(&all(), "ann@example.com", to, &known, None));
    let part =
        "no device and no approved route is in it; 10.1.0.0/16 is advertised by r1, not approved";
    for to in ["10.1.2.0/24:80", "10.1.0.0/16:80", "10.0.0.0/8:80"] {
        assert_eq!(why(to), [format!("nobody | r1 | {part}")], "{to}");
    }
    let none = "nobody | no device and no approved route is in it";
    assert_eq!(why("10.2.0.0/24:80"), [none]);
}

#[test]
fn an_exit_node_that_is_not_approved_is_named() {
    let known = context(json!([
        {"id": "1", "hostname": "laptop", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "6", "hostname": "out", "tags": ["tag:exit"], "addresses": ["100.64.0.6"], "advertisedRoutes": ["0.0.0.0/0", "::/0"]},
    ]));
    let why = |to| delivered(&asked(&all(), "ann@example.com", to, &known, None));
    let offered = "offered as exit node by out, not approved";
    for (to, none) in [
        ("8.8.8.8:53", "no approved route leads to 8.8.8.8"),
        ("8.8.8.0/24:53", "no device and no approved route is in it"),
    ] {
        assert_eq!(why(to), [format!("nobody | out | {none}; {offered}")]);
    }
    let none = "nobody | no device and no approved route is in it";
    assert_eq!(why("192.168.0.0/24:53"), [none]);
}

#[test]
fn a_name_without_devices_is_delivered_to_nobody() {
    assert_delivered(&all(), "tag:bare:80", &["nobody | tag:bare has no device"]);
    assert_delivered(
        &all(),
        "bob@example.com:80",
        &["nobody | bob@example.com has no device"],
    );
}

#[test]
fn without_devices_nobody_knows_where_a_packet_ends() {
    let found = asked(
        &all(),
        "ann@example.com",
        "tag:web:80",
        &PolicyContext::default(),
        None,
    );
    assert_eq!(delivered(&found), ["unknown | no devices are known"]);
    assert_eq!(found["sourceHasNoDevice"], false);
}

#[test]
fn a_source_without_a_device_is_reported() {
    for (from, without) in [
        ("bob@example.com", true),
        ("tag:bare", true),
        ("ann@example.com", false),
        ("tag:web", false),
    ] {
        let found = explain(&all(), from, "tag:web:80");
        assert_eq!(found["sourceHasNoDevice"], without, "{from}");
    }
}

#[test]
fn a_login_that_nothing_names_is_said_to_be_near_another() {
    let text = grants(&[grant("bob@example.com", "*", &[])]);
    let hint = |from| explain(&text, from, "tag:web:80")["hint"].clone();
    assert_eq!(hint("bobb@example.com"), "did you mean `bob@example.com`?");
    for named in ["bob@example.com", "ann@example.com"] {
        assert_eq!(hint(named), Value::Null, "{named}");
    }
}

// Exit nodes (docs/policy-language.md#exit-nodes).

#[test]
fn a_via_grant_through_an_exit_node_opens_the_internet_and_no_device() {
    for to in ["tag:web", "*", "10.1.0.0/16", "autogroup:tagged"] {
        let through = grants(&[grant("ann@example.com", to, &["tag:exit"])]);
        assert_verdict(&through, "ann@example.com", "tag:web:80", "denied");
        assert_verdict(&through, "ann@example.com", "10.1.9.9:80", "denied");
    }
    let internet = grants(&[grant(
        "ann@example.com",
        "autogroup:internet",
        &["tag:exit"],
    )]);
    assert_verdict(&internet, "ann@example.com", "8.8.8.8:53", "allowed");
    // The same for the internet as a whole, where no router leads to a part of it.
    let mut known = devices();
    known[4]["enabledRoutes"] = json!([]);
    let whole = asked(
        &internet,
        "ann@example.com",
        "autogroup:internet:53",
        &context(known),
        None,
    );
    assert_eq!(whole["verdict"], "allowed", "{whole}");
    assert_verdict(&internet, "ann@example.com", "tag:exit:53", "denied");
}

#[test]
fn an_exit_node_is_used_by_those_with_access_to_the_internet_and_not_to_the_device() {
    let device = grants(&[grant("ann@example.com", "tag:exit", &[])]);
    assert_verdict(&device, "ann@example.com", "8.8.8.8:53", "denied");
    assert_verdict(&device, "ann@example.com", "tag:exit:53", "allowed");
    assert_verdict(&all(), "ann@example.com", "8.8.8.8:53", "allowed");
}

#[test]
fn a_subnet_router_and_the_network_behind_it_are_two_destinations() {
    let router = grants(&[grant("ann@example.com", "tag:r2", &[])]);
    assert_verdict(&router, "ann@example.com", "10.1.2.3:80", "denied");
    let network = grants(&[grant("ann@example.com", "10.1.2.0/24", &[])]);
    assert_verdict(&network, "ann@example.com", "10.1.2.3:80", "allowed");
    assert_verdict(&network, "ann@example.com", "tag:r2:80", "denied");
}

#[test]
fn a_public_route_counts_for_the_internet_as_far_as_it_goes() {
    let internet = grants(&[grant("ann@example.com", "autogroup:internet", &[])]);
    assert_verdict(&internet, "ann@example.com", "203.0.113.7:53", "allowed");
}

// Postures: as in a test, the source has only the attributes given.

fn with_posture(postures: &[&str]) -> String {
    let mut rule = grant("ann@example.com", "tag:web", &[]);
    rule["srcPosture"] = json!(postures);
    grants(&[rule])
}

#[test]
fn a_posture_that_is_the_only_thing_missing_is_named() {
    let found = explain(
        &with_posture(&["posture:mac", "posture:new"]),
        "ann@example.com",
        "tag:web:80",
    );
    assert_eq!(
        (&found["verdict"], &found["postures"]),
        (&json!("denied"), &json!(["posture:mac", "posture:new"]))
    );
    let other = explain(&with_posture(&["posture:new"]), "tag:bare", "tag:web:80");
    assert_eq!(
        (&other["verdict"], other.get("postures")),
        (&json!("denied"), None)
    );
}

#[test]
fn attributes_that_fulfil_a_posture_let_the_flow_pass() {
    let text = with_posture(&["posture:new"]);
    let known = context(devices());
    let of = |os: &str| {
        asked(
            &text,
            "ann@example.com",
            "tag:web:80",
            &known,
            Some(&json!({"node:os": os}).to_string()),
        )
    };
    assert_eq!(
        (&of("linux")["verdict"], of("linux").get("postures")),
        (&json!("allowed"), None)
    );
    assert_eq!(
        (&of("macos")["verdict"], &of("macos")["postures"]),
        (&json!("denied"), &json!(["posture:new"]))
    );
}

// What the rules say (docs/policy-language.md#rules).

#[test]
fn whoever_reaches_an_address_at_all_may_ping_it() {
    let one =
        text(r#""grants": [{"src": ["ann@example.com"], "dst": ["tag:web"], "ip": ["tcp:22"]}]"#);
    let document = hujson::parse(&one).expect("HuJSON");
    let (policy, known) = (Policy::read(&document), context(devices()));
    let verdict = |from: &str, proto: &str| {
        let flow =
            Flow::new(&from.parse().expect("a name"), "tag:web:1", Some(proto)).expect("a flow");
        json!(policy.explain(&flow, &known).expect("an answer"))["verdict"].clone()
    };
    assert_eq!(verdict("ann@example.com", "icmp"), "allowed");
    assert_eq!(verdict("ann@example.com", "ipv6-icmp"), "allowed");
    assert_eq!(verdict("tag:web", "icmp"), "denied");
    assert_eq!(verdict("ann@example.com", "tcp"), "denied");
}

#[test]
fn a_star_source_is_the_tailnet_and_its_routes_and_not_the_internet() {
    assert_verdict(&all(), "10.1.2.3", "tag:web:80", "allowed");
    assert_verdict(&all(), "192.168.7.7", "tag:web:80", "denied");
    assert_verdict(&all(), "8.8.8.8", "tag:web:80", "denied");
    let danger = grants(&[grant("autogroup:danger-all", "*", &[])]);
    assert_verdict(&danger, "8.8.8.8", "tag:web:80", "allowed");
}

#[test]
fn a_rule_by_one_address_takes_in_no_other_of_its_device() {
    let by_address = grants(&[grant("100.64.0.1", "tag:web", &[])]);
    assert_verdict(&by_address, "100.64.0.1", "tag:web:80", "allowed");
    // Her phone has no access.
    let found = explain(&by_address, "ann@example.com", "tag:web:80");
    assert_eq!(
        (&found["verdict"], &found["part"]),
        (&json!("partly"), &json!({"from": ["laptop"]}))
    );
}

#[test]
fn a_group_of_which_one_member_is_allowed_is_partly_allowed_and_names_her() {
    let one = grants(&[grant("ann@example.com", "tag:web", &[])]);
    let nothing = PolicyContext::default();
    let of = |text: &str| {
        let found = asked(text, "group:dev", "tag:web:80", &nothing, None);
        (found["verdict"].clone(), found["part"].clone())
    };
    assert_eq!(
        of(&one),
        (json!("partly"), json!({"from": ["ann@example.com"]}))
    );
    let both = grants(&[grant("group:dev", "tag:web", &[])]);
    assert_eq!(of(&both), (json!("allowed"), Value::Null));
}

#[test]
fn ones_own_devices_are_those_of_the_same_user() {
    let own = grants(&[grant("autogroup:member", "autogroup:self", &[])]);
    assert_verdict(&own, "ann@example.com", "autogroup:self:22", "allowed");
    assert_verdict(&own, "laptop", "phone:22", "allowed");
    assert_verdict(&own, "tag:web", "autogroup:self:22", "denied");
}

// Contract: a policy with failing tests has answers; one with a wrong text or structure has none.

#[test]
fn a_policy_whose_only_fault_is_a_failing_test_has_answers() {
    let failing = text(
        r#""grants": [], "tests": [{"src": "ann@example.com", "accept": ["tag:web:80"]}],
        "sshTests": [{"src": "ann@example.com", "dst": ["tag:none"], "accept": ["root"]}]"#,
    );
    let known = context(devices());
    assert!(!check(&failing, &known).accepted);
    let found = asked(&failing, "ann@example.com", "tag:web:80", &known, None);
    assert_eq!(found["verdict"], "denied");
}

#[test]
fn a_policy_with_undefined_names_has_no_answers() {
    let broken = r#"{"grants": [{"src": ["group:none"], "dst": ["*"], "ip": ["*"]}]}"#;
    let document = hujson::parse(broken).expect("HuJSON");
    let refused = Policy::read(&document).accept(&PolicyContext::default());
    let refused = refused.expect_err("it has no answers");
    assert!(matches!(refused, Error::Refused(_)));
    assert_eq!(
        refused.of("after").to_string(),
        "the service would refuse the policy `after`: group not found: \"group:none\""
    );
}
