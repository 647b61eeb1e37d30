//! What each device of a small tailnet made by hand is told, worked out from policy-language.md 5 and 6.
//! Must not live here: the recordings (tests/corpus_network.rs).
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{FilterRule, Policy, Topology};

/// Ann has two devices of her own and one that she tagged; of two advertised subnets one is approved.
fn topology() -> Topology {
    let context = json!({
        "devices": [
            {"id": "ann-1", "user": "ann@example.com", "addresses": ["100.64.0.1", "fd7a:115c:a1e0::1"]},
            {"id": "ann-2", "user": "ann@example.com", "addresses": ["100.64.0.2"]},
            {"id": "bob", "user": "bob@other.org", "addresses": ["100.64.0.3"]},
            {"id": "web", "user": "ann@example.com", "tags": ["tag:web"], "addresses": ["100.64.0.5"]},
            {"id": "router", "tags": ["tag:router"], "addresses": ["100.64.0.6"],
             "advertisedRoutes": ["10.0.0.0/16", "10.9.0.0/16"], "enabledRoutes": ["10.0.0.0/16"]},
            {"id": "exit", "tags": ["tag:router"], "addresses": ["100.64.0.7"],
             "advertisedRoutes": ["0.0.0.0/0", "::/0"], "enabledRoutes": ["0.0.0.0/0", "::/0"]},
        ],
        "users": [{"loginName": "ann@example.com", "role": "admin"}, {"loginName": "bob@other.org", "role": "owner"}],
        "domains": ["example.com"],
    });
    serde_json::from_value(context).expect("a context")
}

/// The definitions all policies here begin with.
const DEFINITIONS: &str = r#"
  "groups": {"group:all": ["ann@example.com", "bob@other.org"]},
  "hosts": {"box": "10.0.5.1"},
  "tagOwners": {"tag:web": [], "tag:router": []},
  "ipsets": {
    "ipset:lab": ["10.0.0.0/16", "remove 10.0.5.0/24"],
    "ipset:open": ["add ipset:lab", "add host:box"],
  },
"#;

fn line(rule: &FilterRule) -> String {
    let rule = json!(rule);
    let texts = |list: &Value, text: &dyn Fn(&Value) -> String| -> String {
        let items: Vec<String> = list.as_array().expect("a list").iter().map(text).collect();
        items.join(" ")
    };
    let net = |net: &Value| net.as_str().expect("a net").to_owned();
    let target = |to: &Value| format!("{}|{}", net(&to["net"]), net(&to["ports"]));
    format!(
        "{} -> {}",
        texts(&rule["src"], &net),
        texts(&rule["dst"], &target)
    )
}

/// The filter of each device that has one.
fn filters(rules: &str) -> BTreeMap<String, Vec<String>> {
    let text = format!("{{{DEFINITIONS}{rules}}}");
    let document = hujson::parse(&text).expect("the text is HuJSON");
    let (policy, topology) = (Policy::read(&document), topology());
    policy.accept(&topology).expect("a policy that is accepted");
    let devices = topology.devices.iter().flatten();
    devices
        .zip(policy.filters(&topology))
        .filter(|(_, rules)| !rules.is_empty())
        .map(|(device, rules)| (device.id.clone(), rules.iter().map(line).collect()))
        .collect()
}

#[track_caller]
fn assert_told(rules: &str, expected: &[(&str, &[&str])]) {
    let owned = |(id, lines): &(&str, &[&str])| {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        ((*id).to_owned(), lines)
    };
    let expected: BTreeMap<String, Vec<String>> = expected.iter().map(owned).collect();
    assert_eq!(filters(rules), expected, "{rules}");
}

#[test]
fn self_is_the_untagged_devices_of_each_user() {
    const ANN: &str = "100.64.0.1 100.64.0.2 fd7a:115c:a1e0::1";
    assert_told(
        r#""acls": [{"action": "accept", "src": ["group:all"], "dst": ["autogroup:self:22"]}]"#,
        &[
            (
                "ann-1",
                &[&format!("{ANN} -> 100.64.0.1|22 fd7a:115c:a1e0::1|22")],
            ),
            ("ann-2", &[&format!("{ANN} -> 100.64.0.2|22")]),
            ("bob", &["100.64.0.3 -> 100.64.0.3|22"]),
        ],
    );
}

#[test]
fn roles_and_domains_select_untagged_devices() {
    assert_told(
        r#""grants": [{"src": ["autogroup:owner"], "dst": ["user:*@example.com"], "ip": ["tcp:1-9"]}]"#,
        &[
            (
                "ann-1",
                &["100.64.0.3 -> 100.64.0.1|1-9 fd7a:115c:a1e0::1|1-9"],
            ),
            ("ann-2", &["100.64.0.3 -> 100.64.0.2|1-9"]),
        ],
    );
}

#[test]
fn an_ipset_is_worked_out_and_told_to_the_router() {
    let told = "100.64.0.3 -> 10.0.0.0-10.0.4.255|80 10.0.5.1|80 10.0.6.0-10.0.255.255|80";
    assert_told(
        r#""acls": [{"action": "accept", "src": ["bob@other.org"], "dst": ["ipset:open:80"]}]"#,
        &[("router", &[told])],
    );
}

#[test]
fn a_set_is_told_to_those_who_hold_or_route_some_of_it() {
    assert_told(
        r#""acls": [
            {"action": "accept", "src": ["bob@other.org"], "dst": ["100.64.0.4-100.64.0.5:*", "10.9.0.0/16:1"]},
            {"action": "accept", "src": ["bob@other.org"], "dst": ["198.51.100.0/24:443", "10.0.0.0/8:80"]},
        ]"#,
        &[
            ("web", &["100.64.0.3 -> 100.64.0.4-100.64.0.5|*"]),
            ("router", &["100.64.0.3 -> 10.0.0.0/8|80"]),
            ("exit", &["100.64.0.3 -> 198.51.100.0/24|443"]),
        ],
    );
}

#[test]
fn a_grant_by_way_of_a_tag_is_told_to_routers_with_it() {
    assert_told(
        r#""grants": [
            {"src": ["tag:web"], "dst": ["box", "tag:router"], "ip": ["22", "udp:53"], "via": ["tag:router"]},
            {"src": ["tag:web"], "dst": ["box"], "ip": ["*"], "via": ["tag:web"]},
        ]"#,
        &[(
            "router",
            &["100.64.0.5 -> 10.0.5.1|22", "100.64.0.5 -> 10.0.5.1|53"],
        )],
    );
}

#[test]
fn everything_by_way_of_a_tag_is_what_its_routers_lead_to() {
    assert_told(
        r#""grants": [{"src": ["tag:web"], "dst": ["*"], "ip": ["443"], "via": ["tag:router"]}]"#,
        &[("router", &["100.64.0.5 -> 10.0.0.0/16|443"])],
    );
}

/// The general rule and the own name of each source, and the same pair once for the source's own devices.
#[test]
fn ssh_rules_by_name_are_told_once() {
    let text = r#"{
        "tagOwners": {"tag:web": []},
        "ssh": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self", "tag:web"], "users": ["localpart:*@example.com"]}],
    }"#;
    let document = hujson::parse(text).expect("the text is HuJSON");
    let rules = json!(Policy::read(&document).ssh_rules(&topology()));
    let rule =
        |from: &[&str], users: Value| json!({"from": from, "users": users, "action": "accept"});
    let ann = ["100.64.0.1", "100.64.0.2", "fd7a:115c:a1e0::1"];
    let of_ann = [
        rule(&ann, json!({"root": ""})),
        rule(&ann, json!({"ann": "ann"})),
    ];
    let of_bob = [rule(&["100.64.0.3"], json!({"root": ""}))];
    let all = [&of_ann[..], &of_bob[..]].concat();
    assert_eq!(rules, json!([of_ann, of_ann, of_bob, all, [], []]));
}
