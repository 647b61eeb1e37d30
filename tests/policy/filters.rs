//! What each device of a small tailnet receives, worked out by hand from docs/policy-language.md#which-devices-receive-a-rule.
//! Must not live here: the recordings (tests/recorded/network.rs).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{
    DeviceIndex, FilterRule, Policy, PolicyContext, packed_filters, packed_ssh_rules,
};

/// Ann has two devices and one that she tagged; one of two advertised subnets is approved.
fn context() -> PolicyContext {
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

/// The definitions that all policies here begin with.
const DEFINITIONS: &str = r#"
  "groups": {"group:all": ["ann@example.com", "bob@other.org"]},
  "hosts": {"box": "10.0.5.1"},
  "tagOwners": {"tag:web": [], "tag:router": [], "tag:bare": []},
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
    let (policy, context) = (Policy::read(&document), context());
    policy.accept(&context).expect("a policy that is accepted");
    let devices = context.devices.iter().flatten();
    devices
        .zip(policy.filters(&context))
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
fn an_ipset_is_resolved_and_received_by_the_router() {
    let told = "100.64.0.3 -> 10.0.0.0-10.0.4.255|80 10.0.5.1|80 10.0.6.0-10.0.255.255|80";
    assert_told(
        r#""acls": [{"action": "accept", "src": ["bob@other.org"], "dst": ["ipset:open:80"]}]"#,
        &[("router", &[told])],
    );
}

#[test]
fn a_set_is_received_by_devices_that_have_or_route_a_part_of_it() {
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
fn a_via_grant_is_received_by_routers_with_its_tag() {
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
fn a_via_grant_to_everything_is_limited_to_the_routes_of_its_routers() {
    assert_told(
        r#""grants": [{"src": ["tag:web"], "dst": ["*"], "ip": ["443"], "via": ["tag:router"]}]"#,
        &[("router", &["100.64.0.5 -> 10.0.0.0/16|443"])],
    );
}

/// docs/policy-language.md#sources: without sources a network rule has no effect, while a capability rule is still received.
#[test]
fn a_capability_without_sources_is_delivered_with_none() {
    assert_told(
        r#""grants": [{"src": ["tag:bare"], "dst": ["tag:web"], "ip": ["22"], "app": {"example.com/cap": [{}]}}]"#,
        &[("web", &[" -> 100.64.0.5|*"])],
    );
    assert_told(
        r#""grants": [{"src": [], "dst": ["tag:web"], "app": {"example.com/cap": [{}]}}]"#,
        &[],
    );
}

#[test]
fn a_literal_destination_of_a_capability_is_that_address_alone() {
    assert_told(
        r#""grants": [{"src": ["bob@other.org"], "dst": ["100.64.0.1"], "app": {"example.com/cap": [{}]}}]"#,
        &[("ann-1", &["100.64.0.3 -> 100.64.0.1|*"])],
    );
    assert_told(
        r#""grants": [{"src": ["bob@other.org"], "dst": ["ann@example.com"], "app": {"example.com/cap": [{}]}}]"#,
        &[
            ("ann-1", &["100.64.0.3 -> 100.64.0.1|* fd7a:115c:a1e0::1|*"]),
            ("ann-2", &["100.64.0.3 -> 100.64.0.2|*"]),
        ],
    );
}

#[test]
fn a_capability_on_a_prefix_is_received_by_the_router_and_by_devices_at_their_addresses() {
    assert_told(
        r#""grants": [
            {"src": ["bob@other.org"], "dst": ["10.0.0.0/8", "box"], "app": {"example.com/cap": [{}]}},
            {"src": ["bob@other.org"], "dst": ["100.64.0.0/30"], "app": {"example.com/cap": [{}]}},
        ]"#,
        &[
            ("ann-1", &["100.64.0.3 -> 100.64.0.1|*"]),
            ("ann-2", &["100.64.0.3 -> 100.64.0.2|*"]),
            ("bob", &["100.64.0.3 -> 100.64.0.3|*"]),
            ("router", &["100.64.0.3 -> 10.0.0.0/8|* 10.0.5.1|*"]),
        ],
    );
}

#[test]
fn capabilities_for_the_way_back_have_the_sources_as_they_are_written() {
    assert_told(
        r#""grants": [{"src": ["100.64.0.1"], "dst": ["tag:web"], "app": {"tailscale.com/cap/drive": [{}]}}]"#,
        &[
            ("ann-1", &["100.64.0.5 -> 100.64.0.1|*"]),
            ("web", &["100.64.0.1 -> 100.64.0.5|*"]),
        ],
    );
}

#[test]
fn a_via_grant_gives_no_capability() {
    assert_told(
        r#""grants": [{"src": ["tag:web"], "dst": ["box"], "ip": ["22"], "app": {"example.com/cap": [{}]}, "via": ["tag:router"]}]"#,
        &[("router", &["100.64.0.5 -> 10.0.5.1|22"])],
    );
}

/// The default routes of an exit node count only for the internet, with or without `via` (docs/policy-language.md#exit-nodes).
#[test]
fn the_internet_is_received_by_exit_nodes_and_a_private_set_is_not() {
    let internet = |rules: &str| {
        let told = filters(rules);
        let devices: Vec<_> = told.into_keys().collect();
        devices
    };
    for via in ["", r#", "via": ["tag:router"]"#] {
        let grant = |to: &str| {
            format!(r#""grants": [{{"src": ["tag:web"], "dst": ["{to}"], "ip": ["*"]{via}}}]"#)
        };
        assert_eq!(internet(&grant("autogroup:internet")), ["exit"], "{via}");
        assert_eq!(internet(&grant("192.168.0.0/16")), [""; 0], "{via}");
        assert_eq!(internet(&grant("10.0.0.0/8")), ["router"], "{via}");
    }
}

#[test]
fn a_router_to_a_public_subnet_receives_that_part_of_the_internet() {
    let text = r#"{"grants": [{"src": ["ann@example.com"], "dst": ["autogroup:internet"], "ip": ["443"]}]}"#;
    let document = hujson::parse(text).expect("HuJSON");
    let context = json!({"devices": [
        {"id": "ann", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "router", "addresses": ["100.64.0.2"], "advertisedRoutes": ["203.0.113.0/24"], "enabledRoutes": ["203.0.113.0/24"]},
    ]});
    let context = serde_json::from_value(context).expect("a context");
    let filters = Policy::read(&document).filters(&context);
    let lines: Vec<String> = filters[1].iter().map(line).collect();
    // All of IPv4 that is public from 192.169.0.0 on.
    assert_eq!(
        (filters[0].len(), lines),
        (
            0,
            vec!["100.64.0.1 -> 192.169.0.0-255.255.255.255|443".to_owned()]
        )
    );
}

/// Many rules with the same large list of sources take the time for that list only once.
#[test]
fn thousands_of_rules_with_many_sources_give_each_device_its_filter() {
    const COUNT: usize = 2000;
    let login = |at: usize| format!("u{at}@example.com");
    let device = |at: usize| json!({"id": at.to_string(), "user": login(at), "addresses": [format!("100.64.{}.{}", at / 250, 1 + at % 250)]});
    let grant = |at: usize| json!({"src": [login(at), "autogroup:member"], "dst": [login(COUNT - 1 - at)], "ip": ["22"]});
    let text = json!({"grants": (0..COUNT).map(grant).collect::<Vec<_>>()}).to_string();
    let context = json!({"devices": (0..COUNT).map(device).collect::<Vec<_>>()});
    let context: PolicyContext = serde_json::from_value(context).expect("a context");
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    let filters = policy.filters(&context);
    assert!(
        filters
            .iter()
            .all(|rules| rules.len() == 1 && rules[0].src.len() == COUNT)
    );
}

/// The packed form for JavaScript means the same and has each list of sources once.
#[test]
fn packed_filters_are_the_filters() {
    let text = json!({
        "tagOwners": {"tag:web": [], "tag:router": []},
        "acls": [{"action": "accept", "src": ["autogroup:member"], "dst": ["tag:web:22", "tag:router:22", "autogroup:self:*"]}],
        "grants": [{"src": ["autogroup:member"], "dst": ["tag:web"], "app": {"example.com/cap": [1]}}],
    });
    let text = text.to_string();
    let document = hujson::parse(&text).expect("the text is HuJSON");
    let context = context();
    let filters = Policy::read(&document).filters(&context);
    let mut packed = json!(packed_filters(&context, &filters));
    let sources = packed["sources"].take();
    let distinct: BTreeSet<String> = sources
        .as_array()
        .expect("a list")
        .iter()
        .map(Value::to_string)
        .collect();
    assert_eq!(
        sources.as_array().map(Vec::len),
        Some(distinct.len()),
        "each list once"
    );
    for (device, filter) in context.devices.iter().flatten().zip(&filters) {
        let rules = packed["devices"][&device.id].as_array_mut().expect("rules");
        for rule in rules.iter_mut() {
            let place = rule["src"].as_u64().and_then(|at| usize::try_from(at).ok());
            rule["src"] = sources[place.expect("a place")].clone();
        }
        assert_eq!(json!(rules), json!(filter), "{}", device.id);
    }
}

/// The ssh rules of each device by its id, in the declared form.
fn ssh_rules(rules: Value) -> Value {
    let text = json!({"groups": {"group:all": ["ann@example.com", "bob@other.org"]}, "tagOwners": {"tag:web": []}, "ssh": rules}).to_string();
    let document = hujson::parse(&text).expect("the text is HuJSON");
    let (policy, context) = (Policy::read(&document), context());
    let rules = policy.ssh_rules(&context);
    let told = json!(rules);
    assert_eq!(
        unpacked(json!(packed_ssh_rules(&rules))),
        told,
        "packed and not"
    );
    told
}

/// Unpacks the packed form as the facade does.
fn unpacked(packed: Value) -> Value {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let number =
        |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("a place");
    let rule = |mut rule: Value| {
        rule["from"] = packed["sources"][number(&rule["from"])].clone();
        rule["users"] = packed["users"][number(&rule["users"])].clone();
        if let Some(env) = rule.get("acceptEnv").map(number) {
            rule["acceptEnv"] = packed["env"][env].clone();
        }
        rule
    };
    let rules: Vec<Value> = list(&packed["rules"]).into_iter().map(rule).collect();
    let part = |part: Value| {
        let ends = &packed["parts"][number(&part)];
        rules[number(&ends[0])..number(&ends[1])].to_vec()
    };
    let devices = packed["devices"].as_object().expect("an object").iter();
    let told = devices.map(|(id, at)| {
        let parts = list(&packed["lists"][number(at)]).into_iter();
        (id.clone(), Value::Array(parts.flat_map(part).collect()))
    });
    Value::Object(told.collect())
}

fn ssh_rule(from: &[&str], users: Value) -> Value {
    json!({"from": from, "users": users, "action": "accept"})
}

const ANN: [&str; 3] = ["100.64.0.1", "100.64.0.2", "fd7a:115c:a1e0::1"];

/// The general rule and the rule for the own name of each source; for the source's own devices this pair comes once.
#[test]
fn ssh_rules_by_name_are_received_once() {
    let told = ssh_rules(json!([
        {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self", "tag:web"], "users": ["localpart:*@example.com"]},
    ]));
    let of_ann = [
        ssh_rule(&ANN, json!({"root": ""})),
        ssh_rule(&ANN, json!({"ann": "ann"})),
    ];
    let of_bob = [ssh_rule(&["100.64.0.3"], json!({"root": ""}))];
    let all = [&of_ann[..], &of_bob[..]].concat();
    assert_eq!(
        told,
        json!({"ann-1": of_ann, "ann-2": of_ann, "bob": of_bob, "web": all, "router": [], "exit": []})
    );
}

#[test]
fn ssh_rules_by_name_are_received_by_their_sources_too() {
    let told = ssh_rules(json!([
        {"action": "accept", "src": ["group:all"], "dst": ["tag:web"], "users": ["localpart:*@other.org", "root"]},
    ]));
    let of_ann = [ssh_rule(&ANN, json!({"root": "root"}))];
    let of_bob = [
        ssh_rule(&["100.64.0.3"], json!({"root": "root"})),
        ssh_rule(&["100.64.0.3"], json!({"bob": "bob"})),
    ];
    let all = [&of_ann[..], &of_bob[..]].concat();
    assert_eq!(
        told,
        json!({"ann-1": of_ann, "ann-2": of_ann, "bob": of_bob, "web": all, "router": [], "exit": []})
    );
}

#[test]
fn checks_come_first_and_blanks_around_an_ssh_action_or_a_name_do_not_count() {
    let told = ssh_rules(json!([
        {"action": " accept\t", "src": ["bob@other.org"], "dst": ["tag:web"], "users": [" admin "], "acceptEnv": ["LC_*"]},
        {"action": " check ", "src": ["bob@other.org"], "dst": ["tag:web"], "users": ["\tautogroup:nonroot"]},
        {"action": "Accept", "src": ["bob@other.org"], "dst": ["tag:web"], "users": ["root"]},
    ]));
    assert_eq!(
        told["web"],
        json!([
            {"from": ["100.64.0.3"], "users": {"root": "", "*": "="}, "action": "check"},
            {"from": ["100.64.0.3"], "users": {"root": "", "admin": "admin"}, "action": "accept", "acceptEnv": ["LC_*"]},
        ])
    );
}

/// Only `localpart:*@` with a domain has a special meaning, and the domain is compared with its case.
#[test]
fn other_localparts_are_accounts_of_that_name() {
    let told = ssh_rules(json!([
        {"action": "accept", "src": ["bob@other.org"], "dst": ["tag:web"], "users": ["localpart:*@", "localpart:bob@other.org", "localpart:"]},
        {"action": "accept", "src": ["bob@other.org"], "dst": ["tag:web"], "users": ["localpart:*@OTHER.ORG"]},
    ]));
    let literal = json!({
        "root": "", "localpart:*@": "localpart:*@", "localpart:bob@other.org": "localpart:bob@other.org", "localpart:": "localpart:",
    });
    assert_eq!(
        told["web"],
        json!([
            ssh_rule(&["100.64.0.3"], literal),
            ssh_rule(&["100.64.0.3"], json!({"root": ""}))
        ])
    );
    assert_eq!(
        told["bob"],
        json!([ssh_rule(&["100.64.0.3"], json!({"root": ""}))]),
        "its own pair, as of any localpart"
    );
}

/// A thousand users log in to a thousand devices, each under their own name: the packed form stays small.
#[test]
fn a_million_logins_by_name_take_little_text() {
    let login = |at: usize| format!("user{at}@example.com");
    let address = |at: usize| format!("100.64.{}.{}", at / 256, at % 256);
    let person =
        |at: usize| json!({"id": format!("p{at}"), "user": login(at), "addresses": [address(at)]});
    let server = |at: usize| json!({"id": format!("s{at}"), "tags": ["tag:srv"], "addresses": [address(at)]});
    let devices: Vec<Value> = (0..1000)
        .map(person)
        .chain((1000..2000).map(server))
        .collect();
    let context = PolicyContext::read(&json!({"devices": devices}).to_string()).expect("a context");
    let text = json!({
        "groups": {"group:all": (0..1000).map(login).collect::<Vec<_>>()},
        "tagOwners": {"tag:srv": []},
        "ssh": [{"action": "check", "src": ["group:all"], "dst": ["tag:srv"], "users": ["localpart:*@example.com"]}],
    });
    let text = text.to_string();
    let document = hujson::parse(&text).expect("the text is HuJSON");
    let policy = Policy::read(&document);
    let rules = policy.ssh_rules(&context);
    let packed = serde_json::to_string(&packed_ssh_rules(&rules)).expect("serializes");
    let told = |at| rules.of(DeviceIndex(at)).count();
    assert_eq!((told(0), told(1999)), (2, 2000));
    assert!(packed.len() < 400_000, "{} bytes", packed.len());
}
