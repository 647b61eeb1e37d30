//! The smallest edits that allow a flow: what is offered, in which order, and that each does what it says.
//! Must not live here: edits that somebody asks for by name (verbs.rs), what is open (explain.rs).

use crate::texts::{asks_all, random};
use serde_json::json;
use tailnet_kit::hujson::{self, splice};
use tailnet_kit::policy::{
    Error, Flow, Judge, Policy, PolicyContext, Repair, Verdict, diff_access,
};

const TEXT: &str = r#"{
  // Developers.
  "groups": {"group:dev": ["ann@example.com"]},
  "tagOwners": {"tag:web": [], "tag:db": []},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:80", "tag:db:5432"]},
    {"action": "accept", "src": ["bob@example.com"], "dst": ["tag:web:22"]}, // bob
  ],
  "ssh": [{"action": "accept", "src": ["bob@example.com"], "dst": ["tag:web"], "users": ["deploy"]}],
}
"#;

fn flow(from: &str, to: &str) -> Flow {
    Flow::new(&from.parse().expect("a name"), to, None).expect("a flow")
}

fn login(from: &str, to: &str, user: &str) -> Flow {
    Flow::login(&from.parse().expect("a name"), to, user).expect("a login")
}

fn repaired(text: &str, flow: &Flow, context: &PolicyContext) -> Result<Vec<Repair>, Error> {
    let document = hujson::parse(text).expect("a policy parses");
    let policy = Policy::read(&document);
    Judge::new(&policy, context).repair(flow)
}

fn verdict(text: &str, flow: &Flow, context: &PolicyContext) -> Verdict {
    let document = hujson::parse(text).expect("a policy parses");
    let found = Policy::read(&document).explain(flow, context);
    found.expect("an answer").verdict
}

#[track_caller]
fn titles(text: &str, flow: &Flow) -> Vec<String> {
    let found = repaired(text, flow, &PolicyContext::default()).expect("repairs");
    found.into_iter().map(|repair| repair.title).collect()
}

#[test]
fn what_opens_least_is_first() {
    let found = titles(TEXT, &flow("bob@example.com", "tag:web:80"));
    assert_eq!(found[0], "Open tag:web:80 in the rule in line 7");
    let group = "Add bob@example.com to group:dev".to_owned();
    let sources = "Add bob@example.com to the sources of the rule in line 6".to_owned();
    let at = |title: &String| found.iter().position(|one| one == title);
    assert!(at(&group).is_some() && at(&sources).is_some(), "{found:?}");
    assert!(found.len() <= 5);
}

#[test]
fn comments_stay() {
    let found = repaired(
        TEXT,
        &flow("bob@example.com", "tag:web:80"),
        &PolicyContext::default(),
    );
    for repair in found.expect("repairs") {
        assert!(repair.text.contains("// Developers.") && repair.text.contains("// bob"));
    }
}

#[test]
fn a_login_has_a_rule_of_its_own_or_an_account_more() {
    let found = titles(TEXT, &login("bob@example.com", "tag:web", "root"));
    assert_eq!(found[0], "Add the account root to the rule in line 9");
}

#[test]
fn a_login_that_the_network_keeps_out_gets_a_rule_for_its_port_too() {
    let found = titles(TEXT, &login("bob@example.com", "tag:db", "root"));
    assert!(
        found
            .iter()
            .any(|title| title.contains("; Add a rule: bob@example.com to tag:db:22 by tcp")),
        "{found:?}"
    );
}

#[test]
fn a_login_that_only_the_network_keeps_out_gets_no_other_ssh_rule() {
    let text = TEXT.replace("tag:web:22", "tag:web:23");
    let found = titles(&text, &login("bob@example.com", "tag:web", "deploy"));
    assert_eq!(found[0], "Open tag:web:22 in the rule in line 7");
    assert!(
        found.iter().all(|title| !title.contains("ssh")),
        "{found:?}"
    );
}

#[test]
fn what_is_allowed_needs_nothing() {
    assert_eq!(
        titles(TEXT, &flow("ann@example.com", "tag:web:80")),
        [""; 0]
    );
}

#[test]
fn a_test_that_fails_then_is_said() {
    let test = r#""tests": [{"src": "bob@example.com", "deny": ["tag:web:80"]}], "ssh""#;
    let found = titles(
        &TEXT.replace("\"ssh\"", test),
        &flow("bob@example.com", "tag:web:80"),
    );
    assert!(!found.is_empty());
    for title in found {
        assert!(
            title.ends_with("; a test of the policy fails then"),
            "{title}"
        );
    }
}

#[test]
fn a_name_that_nothing_has_is_an_error() {
    let context =
        serde_json::from_value(json!({"users": [{"loginName": "ann@example.com"}], "devices": []}));
    let context: PolicyContext = context.expect("a context");
    for (from, to) in [
        ("nobody@example.com", "tag:web:80"),
        ("ann@example.com", "nas:80"),
    ] {
        let found = repaired(TEXT, &flow(from, to), &context);
        assert_eq!(found.expect_err("unknown").code(), "invalid_argument");
    }
}

#[test]
fn a_device_is_named_by_its_addresses_user_or_tag() {
    let context = serde_json::from_value(json!({"devices": [
        {"id": "1", "hostname": "laptop", "user": "eve@example.com", "addresses": ["100.64.0.1", "fd7a::1"]},
        {"id": "2", "hostname": "web-1", "tags": ["tag:web"], "addresses": ["100.64.0.2", "fd7a::2"]},
        {"id": "3", "hostname": "web-2", "tags": ["tag:web"], "addresses": ["100.64.0.3", "fd7a::3"]},
    ]}));
    let context: PolicyContext = context.expect("a context");
    let asked = flow("laptop", "web-1:443");
    let found = repaired(TEXT, &asked, &context).expect("repairs");
    let last = found.last().expect("some");
    assert!(
        found[0]
            .text
            .contains(r#""100.64.0.2:443", "[fd7a::2]:443""#),
        "{}",
        found[0].text
    );
    assert!(last.text.contains("tag:web:443"), "{}", last.text);
}

#[test]
fn each_does_what_it_says() {
    let count = if asks_all() { 2_000 } else { 60 };
    let mut repairs = 0;
    for given in random(count) {
        let (text, context) = (&given.text, given.context());
        let Ok(document) = hujson::parse(text) else {
            continue;
        };
        let policy = Policy::read(&document);
        if policy.accept(&context).is_err() {
            continue;
        }
        let judge = Judge::new(&policy, &context);
        let devices = context.devices.as_deref().unwrap_or_default();
        let addresses = devices.iter().filter_map(|device| device.addresses.first());
        let addresses: Vec<String> = addresses.take(3).map(ToString::to_string).collect();
        for pair in addresses.windows(2).filter(|pair| !pair[1].contains(':')) {
            let asked = flow(&pair[0], &format!("{}:443", pair[1]));
            let Ok(found) = judge.repair(&asked) else {
                continue;
            };
            assert!(found.len() <= 5);
            let is_allowed = judge
                .explain(&asked)
                .is_ok_and(|it| it.verdict == Verdict::Allowed);
            assert!(!is_allowed || found.is_empty());
            for repair in found {
                repairs += 1;
                assert_eq!(splice(text, &repair.edits).as_deref(), Some(&*repair.text));
                assert_eq!(
                    verdict(&repair.text, &asked, &context),
                    Verdict::Allowed,
                    "{}",
                    repair.text
                );
                let document = hujson::parse(&repair.text).expect("a policy");
                let after = Policy::read(&document);
                assert_eq!(diff_access(&policy, &after, &context), repair.changes);
            }
        }
    }
    assert!(repairs > 0, "no question was answered");
}
