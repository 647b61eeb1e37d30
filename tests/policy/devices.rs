//! What a policy says of single devices: attributes, peers, approved routes; worked out from docs/policy-language.md#approvers,
//! docs/policy-language.md#node-attributes and docs/policy-language.md#visibility.
//! Must not live here: packet filters and ssh rules (tests/policy/filters.rs), the recordings (tests/recorded/network.rs).

use proptest::prelude::*;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Policy, PolicyContext};

const EXIT: [&str; 2] = ["0.0.0.0/0", "::/0"];

fn context(devices: &Value) -> PolicyContext {
    let users = [
        json!({"loginName": "ann@example.com", "role": "admin"}),
        json!({"loginName": "bob@other.org", "role": "owner"}),
    ];
    let context =
        json!({"devices": devices, "users": users, "domains": ["example.com", "other.org"]});
    PolicyContext::read(&context.to_string()).expect("a context")
}

/// An accepted policy with these sections and some definitions.
fn asked<T>(
    sections: &Value,
    devices: &Value,
    ask: impl Fn(&Policy<'_>, &PolicyContext) -> T,
) -> T {
    let mut policy = json!({
        "groups": {"group:dev": ["ann@example.com"], "group:none": []},
        "hosts": {"box": "100.64.0.2"},
        "tagOwners": {"tag:web": [], "tag:router": []},
    });
    for (name, section) in sections.as_object().expect("sections") {
        policy[name] = section.clone();
    }
    let (text, context) = (policy.to_string(), context(devices));
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    policy.accept(&context).expect("a policy that is accepted");
    ask(&policy, &context)
}

#[test]
fn an_answer_by_device_needs_devices() {
    let needed = PolicyContext::default().need_devices();
    let error = needed.expect_err("no devices are known");
    assert_eq!(error.code(), "invalid_argument");
    assert_eq!(
        error.to_string(),
        "an answer by device needs a context with `devices`"
    );
    assert!(context(&json!([])).need_devices().is_ok());
}

// Routes.

/// Asserts which routes of one device are approved and which wait.
#[track_caller]
fn assert_approved(approvers: Value, device: Value, approved: &[&str], waiting: &[&str]) {
    let mut device = device;
    device["id"] = json!("1");
    let sections = json!({"autoApprovers": approvers});
    let found = asked(&sections, &json!([device]), |policy, context| {
        json!(policy.approved_routes(context))
    });
    assert_eq!(
        found,
        json!([{"approved": approved, "waiting": waiting}]),
        "{approvers} {device}"
    );
}

fn of_ann(routes: &[&str]) -> Value {
    json!({"user": "ann@example.com", "advertisedRoutes": routes})
}

fn tagged(routes: &[&str]) -> Value {
    json!({"tags": ["tag:web", "tag:router"], "user": "ann@example.com", "advertisedRoutes": routes})
}

#[test]
fn a_route_is_approved_that_equals_a_listed_one_or_lies_inside() {
    let approvers = json!({"routes": {"10.0.0.0/16": ["ann@example.com"], "fd00::/48": ["ann@example.com"], "10.0.1.7/32": []}});
    assert_approved(
        approvers,
        of_ann(&[
            "fd00:0:0:1::/64",
            "10.1.0.0/16",
            "10.0.0.0/8",
            "10.0.1.7/32",
            "10.0.0.0/16",
            "fd00::/40",
        ]),
        &["10.0.0.0/16", "10.0.1.7/32", "fd00:0:0:1::/64"],
        &["10.0.0.0/8", "10.1.0.0/16", "fd00::/40"],
    );
}

#[test]
fn a_route_that_is_enabled_does_not_wait() {
    let mut device = of_ann(&["10.0.0.0/16", "10.1.0.0/16", "10.2.0.0/16"]);
    device["enabledRoutes"] = json!(["10.0.0.0/16", "10.1.0.0/16", "10.9.0.0/16"]);
    let approvers = json!({"routes": {"10.0.0.0/16": ["ann@example.com"]}});
    assert_approved(approvers, device, &["10.0.0.0/16"], &["10.2.0.0/16"]);
}

#[test]
fn any_prefix_around_a_route_will_do() {
    let approvers =
        json!({"routes": {"10.0.0.0/8": ["ann@example.com"], "10.0.0.0/16": ["tag:web"]}});
    assert_approved(approvers, of_ann(&["10.0.3.0/24"]), &["10.0.3.0/24"], &[]);
}

#[test]
fn one_prefix_written_twice_has_the_approvers_of_both() {
    let approvers =
        json!({"routes": {"10.0.0.0/8": ["tag:web"], "10.0.0.1/8": ["ann@example.com"]}});
    assert_approved(approvers, of_ann(&["10.0.3.0/24"]), &["10.0.3.0/24"], &[]);
}

#[test]
fn approvers_are_users_groups_tags_roles_and_domains() {
    for (approver, by_ann, by_tagged) in [
        ("ann@example.com", true, false),
        ("bob@other.org", false, false),
        ("group:dev", true, false),
        ("group:none", false, false),
        ("tag:router", false, true),
        ("autogroup:admin", true, false),
        ("autogroup:owner", false, false),
        ("autogroup:member", true, false),
        ("autogroup:tagged", false, true),
        ("user:*@example.com", true, false),
        ("user:*@other.org", false, false),
    ] {
        let approvers = json!({"routes": {"10.0.0.0/8": [approver]}});
        for (device, approved) in [
            (of_ann(&["10.0.0.0/9"]), by_ann),
            (tagged(&["10.0.0.0/9"]), by_tagged),
        ] {
            let (approved, waiting): (&[&str], &[&str]) = match approved {
                true => (&["10.0.0.0/9"], &[]),
                false => (&[], &["10.0.0.0/9"]),
            };
            assert_approved(approvers.clone(), device, approved, waiting);
        }
    }
}

#[test]
fn the_owner_is_an_admin_and_an_admin_is_no_owner() {
    let of_bob = json!({"user": "bob@other.org", "advertisedRoutes": ["10.0.0.0/9"]});
    let admins = |role: &str| json!({"routes": {"10.0.0.0/8": [role]}});
    let route: &[&str] = &["10.0.0.0/9"];
    assert_approved(admins("autogroup:admin"), of_bob.clone(), route, &[]);
    assert_approved(admins("autogroup:owner"), of_bob.clone(), route, &[]);
    assert_approved(admins("autogroup:auditor"), of_bob, &[], route);
    assert_approved(admins("autogroup:owner"), of_ann(route), &[], route);
    let entry = json!({"nodeAttrs": [{"target": ["autogroup:admin"], "attr": ["funnel"]}]});
    let devices = json!([
        {"id": "1", "user": "ann@example.com"}, {"id": "2", "user": "bob@other.org"}, {"id": "3", "user": "cem@example.com"},
    ]);
    let given = asked(&entry, &devices, |policy, context| {
        policy.node_attributes(context)
    });
    let has: Vec<bool> = given.iter().map(|given| !given.attrs.is_empty()).collect();
    assert_eq!(has, [true, true, false]);
}

#[test]
fn an_exit_node_has_both_default_routes_or_none() {
    let everywhere = json!({"routes": {"0.0.0.0/0": ["tag:router"], "::/0": ["tag:router"]}});
    assert_approved(everywhere.clone(), tagged(&EXIT), &[], &EXIT);
    assert_approved(
        everywhere,
        tagged(&["192.168.0.0/24", "0.0.0.0/0", "::/0"]),
        &["192.168.0.0/24"],
        &EXIT,
    );
    let exit_nodes = json!({"exitNode": ["tag:router"]});
    assert_approved(exit_nodes.clone(), tagged(&EXIT), &EXIT, &[]);
    assert_approved(exit_nodes.clone(), of_ann(&EXIT), &[], &EXIT);
    assert_approved(
        exit_nodes.clone(),
        tagged(&["0.0.0.0/0", "10.0.0.0/8"]),
        &[],
        &["0.0.0.0/0", "10.0.0.0/8"],
    );
}

#[test]
fn a_route_counts_once_and_without_host_bits() {
    let approvers = json!({"routes": {"10.0.0.0/8": ["ann@example.com"]}});
    let device = of_ann(&["10.1.2.3/16", "10.1.0.0/16", "11.0.0.0/8", "11.2.3.4/8"]);
    assert_approved(approvers, device, &["10.1.0.0/16"], &["11.0.0.0/8"]);
}

// Attributes.

#[test]
fn attributes_of_all_entries_add_up_in_their_order() {
    let sections = json!({"nodeAttrs": [
        {"target": ["*"], "attr": ["funnel", " mine "]},
        {"target": ["autogroup:member", "box"], "attr": ["funnel", "nextdns:abc"], "app": {"example.com/cap/a": [{"x": 1}, 2]}},
        {"target": ["group:dev"], "ipPool": ["100.81.0.0/16"], "app": {"example.com/cap/a": [2, 3], "example.com/cap/b": []}},
        {"target": [], "attr": ["nobody"]},
    ]});
    let devices = json!([
        {"id": "a", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "b", "tags": ["tag:web"], "addresses": ["100.64.0.2"]},
        {"id": "c", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
    ]);
    let found = asked(&sections, &devices, |policy, context| {
        json!(policy.node_attributes(context))
    });
    assert_eq!(
        found,
        json!([
            {"attrs": ["funnel", "mine", "nextdns:abc"], "ipPool": ["100.81.0.0/16"],
             "app": {"example.com/cap/a": [{"x": 1}, 2, 3], "example.com/cap/b": []}},
            {"attrs": ["funnel", "mine", "nextdns:abc"], "ipPool": [], "app": {"example.com/cap/a": [{"x": 1}, 2]}},
            {"attrs": ["funnel", "mine"], "ipPool": [], "app": {}},
        ])
    );
}

// Peers.

#[test]
fn one_rule_makes_both_ends_visible_and_a_route_is_as_good_as_an_address() {
    let sections = json!({"acls": [
        {"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web:22"]},
        {"action": "accept", "src": ["10.0.5.0/24"], "dst": ["bob@other.org:22"]},
    ]});
    let devices = json!([
        {"id": "ann", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "web", "tags": ["tag:web"], "addresses": ["100.64.0.2"]},
        {"id": "bob", "user": "bob@other.org", "addresses": ["100.64.0.3"]},
        {"id": "router", "tags": ["tag:router"], "addresses": ["100.64.0.4"],
         "advertisedRoutes": ["10.0.0.0/16", "0.0.0.0/0"], "enabledRoutes": ["10.0.0.0/16", "0.0.0.0/0"]},
        {"id": "exit", "tags": ["tag:router"], "addresses": ["100.64.0.5"], "advertisedRoutes": EXIT, "enabledRoutes": EXIT},
    ]);
    let found = asked(&sections, &devices, |policy, context| {
        peers(policy, context)
    });
    assert_eq!(found, vec![vec![1], vec![0], vec![3], vec![2], vec![]]);
}

#[test]
fn everyone_sees_everyone_but_themselves_where_no_rule_says_otherwise() {
    let devices = json!([
        {"id": "a", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "b", "addresses": ["100.64.0.2"]},
        {"id": "c", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
    ]);
    let found = asked(&json!({}), &devices, |policy, context| {
        peers(policy, context)
    });
    assert_eq!(found, vec![vec![1, 2], vec![0, 2], vec![0, 1]]);
    let found = asked(&json!({"acls": []}), &devices, |policy, context| {
        peers(policy, context)
    });
    assert_eq!(found, vec![Vec::<usize>::new(); 3]);
}

/// Who sees whom, by index.
fn peers(policy: &Policy<'_>, context: &PolicyContext) -> Vec<Vec<usize>> {
    let peers = policy.visible_peers(context).into_iter();
    peers
        .map(|seen| seen.into_iter().map(|device| device.0).collect())
        .collect()
}

/// Who sees whom, found by looking at each pair and each rule.
fn peers_one_by_one(policy: &Policy<'_>, context: &PolicyContext) -> Vec<Vec<usize>> {
    let devices = context.devices.as_deref().unwrap_or_default();
    let filters = policy.filters(context);
    let lets_in = |holder: usize, other: usize| {
        filters[holder]
            .iter()
            .flat_map(|rule| rule.src.iter())
            .any(|net| {
                let own = devices[other]
                    .addresses
                    .iter()
                    .any(|&address| net.contains(address));
                let mut routes = devices[other]
                    .routes
                    .iter()
                    .filter(|route| !route.is_default_route());
                let overlaps = |first, last| {
                    net.range()
                        .is_none_or(|range| first <= range.last() && range.first() <= last)
                };
                own || routes.any(|route| overlaps(route.first(), route.last()))
            })
    };
    let sees = |a: usize, b: usize| a != b && (lets_in(a, b) || lets_in(b, a));
    (0..devices.len())
        .map(|a| (0..devices.len()).filter(|&b| sees(a, b)).collect())
        .collect()
}

fn selector() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "ann@example.com",
        "bob@other.org",
        "group:dev",
        "tag:web",
        "tag:router",
        "autogroup:member",
        "autogroup:tagged",
        "box",
        "100.64.0.4/31",
        "10.0.0.0/8",
        "10.1.2.0/24",
        "10.1.2.3",
        "10.1.0.0-10.3.0.0",
        "fd00::/32",
        "*",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn peers_are_what_a_look_at_each_pair_finds(
        rules in prop::collection::vec((prop::collection::vec(selector(), 1..3), selector()), 0..5),
        devices in prop::collection::vec((0..5_usize, prop::collection::vec(prop::sample::select(vec!["10.1.0.0/16", "10.1.2.0/24", "10.0.0.0/8", "fd00::/48", "::/0"]), 0..3)), 0..9),
    ) {
        let device = |(at, (who, routes)): (usize, &(usize, Vec<&str>))| {
            let mut device = json!({"id": at.to_string(), "addresses": [format!("100.64.0.{at}"), format!("fd7a:115c:a1e0::{at}")],
                "advertisedRoutes": routes, "enabledRoutes": routes});
            match who {
                0 => device["user"] = json!("ann@example.com"),
                1 => device["user"] = json!("bob@other.org"),
                2 => device["tags"] = json!(["tag:web"]),
                3 => device["tags"] = json!(["tag:router", "tag:web"]),
                _ => {}
            }
            device
        };
        let devices: Vec<Value> = devices.iter().enumerate().map(device).collect();
        let acls: Vec<Value> = rules.iter().map(|(src, to)| json!({"action": "accept", "src": src, "dst": [format!("{to}:*")]})).collect();
        let (ours, wanted) = asked(&json!({"acls": acls}), &json!(devices), |policy, context| {
            (peers(policy, context), peers_one_by_one(policy, context))
        });
        prop_assert_eq!(ours, wanted);
    }
}

// Cost.

/// A tailnet of users with a device each, half of them routers, and as many rules, approvers and attributes.
fn large(count: usize) -> (String, PolicyContext) {
    let login = |at: usize| format!("user{at}@example.com");
    let route = |at: usize| format!("10.{}.{}.0/24", at / 256, at % 256);
    let devices = (0..count).map(|at| {
        json!({"id": at.to_string(), "user": login(at), "addresses": [format!("100.64.{}.{}", at / 256, at % 256)],
            "advertisedRoutes": [route(at)], "enabledRoutes": [route(at)]})
    });
    let context = json!({"devices": devices.collect::<Vec<_>>()});
    let rule = |at: usize| json!({"action": "accept", "src": [login(at)], "dst": [format!("{}:22", login((at + 1) % count))]});
    let attribute = |at: usize| json!({"target": ["*", login(at)], "attr": ["one", "two"]});
    let policy = json!({
        "acls": (0..count).map(rule).collect::<Vec<_>>(),
        "nodeAttrs": (0..count).map(attribute).collect::<Vec<_>>(),
        "autoApprovers": {"routes": (0..count).map(|at| (route(at), json!([login(at), "autogroup:member"]))).collect::<serde_json::Map<_, _>>()},
    });
    (
        policy.to_string(),
        PolicyContext::read(&context.to_string()).expect("a context"),
    )
}

/// The benches measure how long it takes.
#[test]
fn four_thousand_devices_have_their_answers() {
    let (text, context) = large(4000);
    let document = hujson::parse(&text).expect("HuJSON");
    let policy = Policy::read(&document);
    let asked = |ask: &dyn Fn() -> usize| ask();
    let attributes = asked(&|| {
        policy
            .node_attributes(&context)
            .iter()
            .map(|given| given.attrs.len())
            .sum()
    });
    assert_eq!(attributes, 8000);
    let approved = asked(&|| {
        policy
            .approved_routes(&context)
            .iter()
            .map(|routes| routes.approved.len())
            .sum()
    });
    assert_eq!(approved, 4000);
    let seen = asked(&|| policy.visible_peers(&context).iter().map(Vec::len).sum());
    assert_eq!(seen, 8000);
}
