//! Matrices that are compared with another text: which cells are marked, and with what. Must not live here: laws about all of them
//! (tests/policy_laws/cells.rs), the form of differences by name (tests/policy/diff_access.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{AccessOptions, By, Judge, Policy, PolicyContext};

/// The cells in which something changes: `source → destination`, then what is lost, gained and undecided, and in which part.
fn marked(
    before: &Value,
    after: &Value,
    context: &Value,
    options: &AccessOptions,
) -> [Vec<String>; 2] {
    let context = PolicyContext::read(&context.to_string()).expect("a context");
    let [before, after] = [before, after].map(Value::to_string);
    let before = hujson::parse(&before).expect("HuJSON");
    let after = hujson::parse(&after).expect("HuJSON");
    let (before, after) = (Policy::read(&before), Policy::read(&after));
    let [base, text] = [&before, &after].map(|policy| Judge::new(policy, &context));
    let ports = json!(text.access_since(Some(&base), options).expect("a matrix"));
    let logins = json!(text.logins_since(Some(&base), options).expect("a matrix"));
    [(ports, "ports"), (logins, "users")].map(|(matrix, what)| said(&matrix, what))
}

fn said(matrix: &Value, what: &str) -> Vec<String> {
    let name = |side: &str, cell: &Value, of: &str| {
        let at = usize::try_from(cell[of].as_u64().expect("a place")).expect("a place");
        matrix[side][at].as_str().expect("a name").to_owned()
    };
    let mut said = Vec::new();
    for cell in matrix["changes"].as_array().expect("changes") {
        let mut words = format!(
            "{} → {}",
            name("sources", cell, "source"),
            name("destinations", cell, "destination")
        );
        for (side, sign) in [
            ("lost", "-"),
            ("gained", "+"),
            ("checked", "="),
            ("undecided", "?"),
        ] {
            for reach in cell[side].as_array().into_iter().flatten() {
                words.push_str(&format!(" {sign}{}", list(&reach[what])));
                for (side, mark) in [("from", "of"), ("to", "at")] {
                    let part = list(&reach["part"][side]);
                    if !part.is_empty() {
                        words.push_str(&format!(" ({mark} {part})"));
                    }
                }
            }
        }
        said.push(words);
    }
    said
}

fn list(texts: &Value) -> String {
    let texts = texts.as_array().into_iter().flatten();
    texts
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

fn by_name(before: &Value, after: &Value, context: &Value) -> [Vec<String>; 2] {
    marked(before, after, context, &By::Name.into())
}

fn rule(from: &str, to: &str) -> Value {
    json!({"action": "accept", "src": [from], "dst": [to]})
}

/// Three people with a device each, and a database.
fn network() -> Value {
    let device = |id: &str, own: Value| {
        let mut device = json!({"id": id, "name": format!("{id}.example.com")});
        device
            .as_object_mut()
            .expect("an object")
            .extend(own.as_object().expect("an object").clone());
        device
    };
    json!({"devices": [
        device("alice-laptop", json!({"user": "alice@example.com", "addresses": ["100.64.0.1"]})),
        device("bob-laptop", json!({"user": "bob@example.com", "addresses": ["100.64.0.2"]})),
        device("carol-laptop", json!({"user": "carol@example.com", "addresses": ["100.64.0.3"]})),
        device("db", json!({"tags": ["tag:db"], "addresses": ["100.64.0.9"]})),
    ]})
}

fn policy(members: &[&str], rules: Value) -> Value {
    json!({"groups": {"group:ops": members, "group:all": ["alice@example.com", "bob@example.com", "carol@example.com"]},
        "tagOwners": {"tag:db": []}, "acls": rules})
}

#[test]
fn whoever_gains_by_a_broader_rule_is_marked() {
    let members = ["bob@example.com"];
    let before = policy(&members, json!([rule("group:ops", "tag:db:5432")]));
    let after = policy(&members, json!([rule("*", "*:*")]));
    for context in [json!({}), network()] {
        let [ports, _] = by_name(&before, &after, &context);
        for gained in [
            "alice@example.com → tag:db +*",
            "carol@example.com → tag:db +*",
            "bob@example.com → tag:db +0-5431 5433-65535",
            "carol@example.com → alice@example.com +*",
        ] {
            assert!(
                ports.iter().any(|cell| cell == gained),
                "{gained}: {ports:#?}"
            );
        }
        let [back, _] = by_name(&after, &before, &context);
        assert!(
            back.iter()
                .any(|cell| cell == "alice@example.com → tag:db -*"),
            "{back:#?}"
        );
    }
}

#[test]
fn of_somebody_who_left_a_group_only_what_the_group_had_is_lost() {
    let rules = json!([
        rule("group:ops", "tag:db:5432"),
        rule("group:all", "group:all:22")
    ]);
    let [before, after] = [
        &["alice@example.com", "bob@example.com"][..],
        &["alice@example.com"],
    ]
    .map(|members| policy(members, rules.clone()));
    for context in [json!({}), network()] {
        let [ports, _] = by_name(&before, &after, &context);
        assert_eq!(ports, ["bob@example.com → tag:db -5432"]);
    }
}

#[test]
fn a_name_that_means_others_is_marked_in_part() {
    let rules = json!([rule("tag:db", "group:ops:22")]);
    let [before, after] = [
        &["alice@example.com", "bob@example.com"][..],
        &["alice@example.com"],
    ]
    .map(|members| policy(members, rules.clone()));
    let [ports, _] = by_name(&before, &after, &network());
    assert_eq!(
        ports,
        [
            "tag:db → bob@example.com -22",
            "tag:db → group:ops -22 (at bob@example.com)"
        ]
    );
}

#[test]
fn a_name_that_only_the_other_text_has_keeps_its_row() {
    let before = json!({"groups": {"group:old": ["dora@example.com"]}, "hosts": {"nas": "10.0.0.5"}, "tagOwners": {"tag:db": [], "tag:old": []},
        "acls": [rule("tag:old", "tag:db:5432"), rule("group:old", "nas:443"), rule("alice@example.com", "10.0.0.0/24:22")]});
    let after =
        json!({"tagOwners": {"tag:db": []}, "acls": [rule("alice@example.com", "10.0.0.0/24:22")]});
    let [ports, _] = by_name(&before, &after, &json!({}));
    let wanted = [
        "dora@example.com → nas -443",
        "dora@example.com → 10.0.0.0/24 -443 (at 10.0.0.5)",
        "tag:old → tag:db -5432",
    ];
    assert_eq!(ports, wanted);
    // What a wider rule still opens to it is said of it, too.
    let context = PolicyContext::default();
    let [before, after] = [before, after].map(|policy| policy.to_string());
    let (before, after) = (
        hujson::parse(&before).expect("HuJSON"),
        hujson::parse(&after).expect("HuJSON"),
    );
    let (before, after) = (Policy::read(&before), Policy::read(&after));
    let [base, text] = [&before, &after].map(|policy| Judge::new(policy, &context));
    let options = AccessOptions {
        from: Some(vec!["alice@example.com".to_owned()]),
        to: Some(vec!["nas".to_owned()]),
        ..AccessOptions::default()
    };
    let matrix = text.access_since(Some(&base), &options).expect("a matrix");
    let cells: Vec<_> = matrix.cells.iter().map(|cell| matrix.ports(cell)).collect();
    assert_eq!(cells, [["22"]]);
    assert_eq!(matrix.changes.expect("changes").cells, []);
    assert!(
        text.access(&options).is_err(),
        "alone, the text has no such name"
    );
}

#[test]
fn devices_are_marked_by_themselves() {
    let rules = json!([rule("group:ops", "tag:db:5432")]);
    let [before, after] = [
        &["alice@example.com", "bob@example.com"][..],
        &["alice@example.com"],
    ]
    .map(|members| policy(members, rules.clone()));
    let [ports, _] = marked(&before, &after, &network(), &By::Device.into());
    assert_eq!(ports, ["bob-laptop → db -5432"]);
}

#[test]
fn logins_are_marked_too() {
    let login = |action: &str, users: Value| {
        json!({"tagOwners": {"tag:db": []},
        "acls": [rule("*", "*:*")],
        "ssh": [{"action": action, "src": ["alice@example.com", "bob@example.com"], "dst": ["tag:db"], "users": users}]})
    };
    let before = login("accept", json!(["root", "ubuntu"]));
    let [ports, logins] = by_name(
        &before,
        &login("accept", json!(["root", "deploy"])),
        &network(),
    );
    assert_eq!(ports, Vec::<String>::new());
    assert_eq!(
        logins,
        [
            "alice@example.com → tag:db -ubuntu +deploy",
            "bob@example.com → tag:db -ubuntu +deploy"
        ]
    );
    let [_, logins] = by_name(
        &before,
        &login("check", json!(["root", "ubuntu"])),
        &network(),
    );
    assert_eq!(
        logins,
        [
            "alice@example.com → tag:db =root ubuntu",
            "bob@example.com → tag:db =root ubuntu"
        ]
    );
}

#[test]
fn of_what_is_not_known_a_change_is_undecided() {
    let before = json!({"acls": [rule("autogroup:admin", "10.0.0.1:22")]});
    let after = json!({"groups": {"group:ops": ["alice@example.com"]}, "acls": [rule("autogroup:owner", "10.0.0.1:22")]});
    let [ports, _] = by_name(&before, &after, &json!({}));
    let alice = ports
        .iter()
        .find(|cell| cell.starts_with("alice@example.com → 10.0.0.1"));
    assert!(alice.is_some_and(|cell| cell.contains('?')), "{ports:#?}");
}

#[test]
fn a_text_that_is_the_same_changes_nothing() {
    let policy = policy(
        &["bob@example.com"],
        json!([rule("group:ops", "tag:db:5432")]),
    );
    assert_eq!(
        by_name(&policy, &policy, &network()),
        [Vec::<String>::new(), Vec::new()]
    );
}

// What no router forwards is lost, too, and nobody could use it: the cell does not say so of the rest.
#[test]
fn of_the_internet_the_part_that_a_router_forwards_is_marked_by_itself() {
    let grant = json!({"src": ["ann@example.com"], "dst": ["autogroup:internet"], "ip": ["443"], "via": ["tag:exit"]});
    let text = |grants: Value| json!({"tagOwners": {"tag:exit": []}, "grants": grants});
    let routes = json!(["203.0.113.128/25", "::/0"]);
    let context = json!({"devices": [
        {"id": "exit", "name": "exit", "tags": ["tag:exit"], "advertisedRoutes": routes, "enabledRoutes": routes},
        {"id": "box", "name": "box", "user": "ann@example.com", "addresses": ["100.64.0.5"]},
    ]});
    let (before, after) = (text(json!([grant])), text(json!([])));
    let [marks, _] = by_name(&before, &after, &context);
    assert!(
        marks
            .iter()
            .any(|it| it.contains("-443 (at 203.0.113.128/25)")),
        "{marks:#?}"
    );
}
