//! Devices that are shared in from another tailnet, worked out from docs/policy-language.md#external-devices.
//! Must not live here: people of other tailnets, `autogroup:shared`.

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{By, DeviceIndex, Flow, Policy, PolicyContext};

/// Bob's device is his, the printer of another tailnet is shared in under his login and a tag of ours.
fn context() -> PolicyContext {
    let devices = json!([
        {"id": "1", "hostname": "ann", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "2", "hostname": "bob", "user": "bob@example.com", "addresses": ["100.64.0.2"]},
        {"id": "3", "hostname": "printer", "user": "bob@example.com", "tags": ["tag:web"], "isExternal": true,
         "addresses": ["100.64.0.3"]},
    ]);
    let users = json!([
        {"loginName": "ann@example.com", "role": "owner"}, {"loginName": "bob@example.com", "role": "admin"},
    ]);
    let context = json!({"devices": devices, "users": users, "domains": ["example.com"]});
    PolicyContext::read(&context.to_string()).expect("a context")
}

fn with<T>(sections: &str, ask: impl Fn(&Policy<'_>, &PolicyContext) -> T) -> T {
    let text = format!(
        r#"{{"tagOwners": {{"tag:web": []}}, "groups": {{"group:all": ["ann@example.com", "bob@example.com"]}}, {sections}}}"#
    );
    let document = hujson::parse(&text).expect("HuJSON");
    let (policy, context) = (Policy::read(&document), context());
    policy.accept(&context).expect("a policy that is accepted");
    ask(&policy, &context)
}

fn verdict(sections: &str, from: &str, to: &str) -> Value {
    with(sections, |policy, context| {
        let flow = Flow::new(&from.parse().expect("a name"), to, None).expect("a flow");
        json!(policy.explain(&flow, context).expect("an answer"))["verdict"].clone()
    })
}

fn acl(from: &str, to: &str) -> String {
    format!(r#""acls": [{{"action": "accept", "src": ["{from}"], "dst": ["{to}:*"]}}]"#)
}

const NAMES: [&str; 7] = [
    "bob@example.com",
    "group:all",
    "autogroup:member",
    "autogroup:admin",
    "user:*@example.com",
    "tag:web",
    "autogroup:tagged",
];

#[test]
fn nothing_comes_from_another_tailnet() {
    let rules = ["*", "100.64.0.3", "100.64.0.0/16", "autogroup:danger-all"];
    for from in NAMES.into_iter().chain(rules) {
        for asked in ["printer", "100.64.0.3"] {
            let found = verdict(&acl(from, "*"), asked, "ann:22");
            assert_eq!(found, "denied", "{from} does not include {asked}");
        }
    }
    // Everything is allowed only among our own.
    assert_eq!(verdict(r#""hosts": {}"#, "printer", "ann:22"), "denied");
    assert_eq!(verdict(r#""hosts": {}"#, "bob", "ann:22"), "allowed");
}

#[test]
fn only_addresses_reach_a_device_of_another_tailnet() {
    for to in ["*", "100.64.0.3", "100.64.0.0/16", "100.64.0.2-100.64.0.9"] {
        let found = verdict(&acl("ann@example.com", to), "ann", "printer:631");
        assert_eq!(found, "allowed", "{to} includes it");
    }
    for to in NAMES {
        let found = verdict(&acl("ann@example.com", to), "ann", "printer:631");
        assert_eq!(found, "denied", "{to} does not include it");
    }
    assert_eq!(
        verdict(
            &acl("bob@example.com", "autogroup:self"),
            "bob",
            "printer:631"
        ),
        "denied"
    );
    // Bob's only device is his own, and no device has the tag.
    let delivered = with(&acl("*", "*"), |policy, context| {
        let flow = Flow::new(&"ann".parse().expect("a name"), "bob@example.com:22", None);
        let found = policy.explain(&flow.expect("a flow"), context);
        json!(found.expect("an answer"))["delivered"].clone()
    });
    assert_eq!(delivered.as_array().map(Vec::len), Some(1), "{delivered}");
}

#[test]
fn it_is_seen_by_those_who_reach_it_and_gets_nothing_from_us() {
    let peers = |sections: &str| -> Vec<Vec<usize>> {
        let seen = with(sections, |policy, context| policy.visible_peers(context));
        let indices = |list: Vec<DeviceIndex>| list.into_iter().map(|DeviceIndex(at)| at).collect();
        seen.into_iter().map(indices).collect()
    };
    assert_eq!(
        peers(&acl("ann@example.com", "100.64.0.3")),
        [vec![2], vec![], vec![0]]
    );
    assert_eq!(
        peers(&acl("*", "bob@example.com")),
        [vec![1], vec![0], vec![]]
    );
    let attributes = with(
        r#""nodeAttrs": [{"target": ["*", "tag:web", "100.64.0.3"], "attr": ["funnel"]}]"#,
        |policy, context| policy.node_attributes(context),
    );
    let has: Vec<bool> = attributes
        .iter()
        .map(|given| !given.attrs.is_empty())
        .collect();
    assert_eq!(has, [true, true, false]);
    let logins = with(
        r#""ssh": [{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self", "tag:web"], "users": ["root"]}]"#,
        |policy, context| json!(policy.ssh_rules(context)),
    );
    assert_eq!(logins["3"], json!([]));
}

#[test]
fn a_matrix_has_no_row_that_reaches_anything_for_it() {
    let matrix = with(&acl("*", "*"), |policy, context| {
        policy.access(context, By::Device).expect("a matrix")
    });
    let at = matrix
        .sources
        .iter()
        .position(|party| party.name == "printer");
    let rows: Vec<usize> = matrix.cells.iter().map(|cell| cell.source.0).collect();
    assert!(
        !rows.is_empty() && at.is_none_or(|at| !rows.contains(&at)),
        "{rows:?}"
    );
}
