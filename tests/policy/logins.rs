//! Who may log in to what as which account: the matrix, worked out from docs/policy-language.md#ssh-rules. Must not live here: the rules of
//! each device (ssh.rs), what changes between two documents (diff_ssh.rs).

use crate::cells;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{AccessOptions, By, Policy, PolicyContext};

fn logins(text: &str, context: &Value, options: impl Into<AccessOptions>) -> Value {
    let context: PolicyContext = serde_json::from_value(context.clone()).expect("a context");
    let document = hujson::parse(text).expect("a policy parses");
    let matrix = Policy::read(&document).logins(&context, options);
    json!(matrix.expect("a matrix"))
}

/// The cells as text: source, destination, accounts, and what else there is.
fn told(matrix: &Value, list: &str) -> Vec<String> {
    let name = |side: &str, at: &Value| {
        let at = usize::try_from(at.as_u64().expect("an index")).expect("small");
        matrix[side][at].as_str().expect("a name").to_owned()
    };
    let cells = matrix[list].as_array().expect("cells").iter();
    cells
        .map(|cell| {
            let mut text = format!(
                "{} to {} as {}",
                name("sources", &cell["source"]),
                name("destinations", &cell["destination"]),
                cells::texts(&cell["users"])
            );
            if cell["action"] == "check" {
                text.push_str(" after a check");
            }
            if let Some(postures) = cell.get("postures") {
                text.push_str(&format!(" with {}", cells::texts(postures)));
            }
            text.push_str(&cells::part(cell));
            match &cell["network"] {
                Value::Bool(true) => {}
                Value::Bool(false) => text.push_str(", no port 22"),
                _ => text.push_str(", port 22 undecided"),
            }
            text + &cells::why(cell)
        })
        .collect()
}

fn network() -> Value {
    let last = json!({"id": "5", "hostname": "web-2", "tags": ["tag:web", "tag:db"], "addresses": ["100.64.0.5"]});
    cells::network(&last, &[])
}

/// A policy with these ssh rules and these acls.
fn policy(ssh: &str, acls: &str) -> String {
    format!(
        r#"{{"groups": {{"group:all": ["ann@example.com", "bob@example.com"]}}, "tagOwners": {{"tag:web": [], "tag:db": []}},
        "postures": {{"posture:mac": ["node:os == 'macos'"]}}, "acls": [{acls}], "ssh": [{ssh}]}}"#
    )
}

const OPEN: &str = r#"{"action": "accept", "src": ["*"], "dst": ["*:*"]}"#;

#[test]
fn each_pair_has_its_accounts_its_action_and_its_rules() {
    let text = policy(
        r#"{"action": "accept", "src": ["group:all"], "dst": ["tag:web"], "users": ["ubuntu", "autogroup:nonroot"]},
        {"action": "check", "src": ["bob@example.com"], "dst": ["tag:web"], "users": ["root"]}"#,
        OPEN,
    );
    let found = logins(&text, &json!(null), By::Name);
    assert_eq!(
        told(&found, "cells"),
        [
            "ann@example.com to tag:web as autogroup:nonroot",
            "bob@example.com to tag:web as autogroup:nonroot",
            "bob@example.com to tag:web as root after a check",
        ]
    );
    assert_eq!(
        found["cells"][2]["because"],
        json!([{"section": "ssh", "index": 1, "line": 3}])
    );
    assert_eq!(
        found["sources"],
        json!(["ann@example.com", "bob@example.com", "tag:db", "tag:web"])
    );
    assert_eq!(found["destinations"], found["sources"]);
    assert_eq!(
        found["parties"]["sources"][2],
        json!({"kind": "tag", "name": "tag:db"})
    );
}

// docs/policy-language.md#ssh-rules: rules with a check are tried first.
#[test]
fn a_check_comes_before_an_accept_of_the_same_account() {
    let text = policy(
        r#"{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web"], "users": ["root", "ubuntu"]},
        {"action": "check", "src": ["ann@example.com"], "dst": ["tag:web"], "users": ["root"]}"#,
        OPEN,
    );
    let mut found = told(&logins(&text, &json!(null), By::Name), "cells");
    found.sort();
    assert_eq!(
        found,
        [
            "ann@example.com to tag:web as root after a check",
            "ann@example.com to tag:web as ubuntu",
        ]
    );
}

// Finding 18: a login without port 22 is none.
#[test]
fn the_network_of_a_login_is_told_and_divides_a_name_where_it_differs() {
    let ssh = r#"{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web"], "users": ["root"]}"#;
    let acl =
        |to: &str| format!(r#"{{"action": "accept", "src": ["group:all"], "dst": ["{to}"]}}"#);
    let found = |acl: &str| told(&logins(&policy(ssh, acl), &network(), By::Name), "cells");
    assert_eq!(
        found(&acl("tag:web:443")),
        [
            "ann@example.com to tag:db as root, no port 22",
            "ann@example.com to tag:web as root, no port 22"
        ]
    );
    assert_eq!(
        found(&acl("tag:db:22")),
        [
            "ann@example.com to tag:db as root",
            "ann@example.com to tag:web as root to web-1, no port 22",
            "ann@example.com to tag:web as root to web-2"
        ]
    );
    // Over one of two families is over the network.
    assert_eq!(
        found(&acl("100.64.0.4:22")),
        [
            "ann@example.com to tag:db as root, no port 22",
            "ann@example.com to tag:web as root to web-1",
            "ann@example.com to tag:web as root to web-2, no port 22"
        ]
    );
    let admins = r#"{"action": "accept", "src": ["autogroup:admin"], "dst": ["tag:web:22"]}"#;
    assert_eq!(
        told(
            &logins(&policy(ssh, admins), &json!(null), By::Name),
            "cells"
        ),
        ["ann@example.com to tag:web as root, port 22 undecided"]
    );
}

#[test]
fn whoever_has_the_posture_of_a_login_has_what_the_network_opens_for_it() {
    let ssh = |postures: &str| {
        format!(
            r#"{{"action": "accept", "src": ["ann@example.com"], "dst": ["tag:web"], "users": ["root"], "srcPosture": [{postures}]}}"#
        )
    };
    let port = r#"{"action": "accept", "src": ["group:all"], "dst": ["tag:web:22"], "srcPosture": ["posture:mac"]}"#;
    let linux = r#""postures": {"posture:linux": ["node:os == 'linux'"], "posture:macbook": ["node:os == 'macos'", "custom:kind == 'laptop'"], "#;
    let found = |postures: &str| {
        let text = policy(&ssh(postures), port).replace(r#""postures": {"#, linux);
        let mut cells = told(&logins(&text, &json!(null), By::Name), "cells");
        cells.sort();
        cells
    };
    let login = "ann@example.com to tag:web as root with";
    let mac = format!("{login} posture:mac");
    assert_eq!(found(r#""posture:mac""#), std::slice::from_ref(&mac));
    // One that asks for more holds where the other does.
    let macbook = format!("{login} posture:macbook");
    assert_eq!(found(r#""posture:macbook""#), [macbook]);
    let linux = format!("{login} posture:linux, port 22 undecided");
    assert_eq!(found(r#""posture:linux", "posture:mac""#), [linux, mac]);
}

#[test]
fn a_part_of_a_name_is_told_and_by_device_each_device() {
    let text = policy(
        r#"{"action": "accept", "src": ["bob@example.com"], "dst": ["tag:db"], "users": ["root"]},
        {"action": "accept", "src": ["autogroup:member"], "dst": ["tag:db"], "users": ["ubuntu"], "srcPosture": ["posture:mac"]}"#,
        OPEN,
    );
    let found = logins(&text, &network(), By::Name);
    assert_eq!(
        told(&found, "cells"),
        [
            "ann@example.com to tag:db as ubuntu with posture:mac",
            "ann@example.com to tag:web as ubuntu with posture:mac to web-2",
            "bob@example.com to tag:db as root",
            "bob@example.com to tag:db as ubuntu with posture:mac",
            "bob@example.com to tag:web as root to web-2",
            "bob@example.com to tag:web as ubuntu with posture:mac to web-2",
            "autogroup:member to tag:db as ubuntu with posture:mac",
            "autogroup:member to tag:db as root from bob@example.com",
            "autogroup:member to tag:web as ubuntu with posture:mac to web-2",
            "autogroup:member to tag:web as root from bob@example.com to web-2",
        ]
    );
    let found = logins(&text, &network(), By::Device);
    let desk: Vec<String> = told(&found, "cells")
        .into_iter()
        .filter(|cell| cell.starts_with("desk"))
        .collect();
    assert_eq!(
        desk,
        [
            "desk to web-2 as root",
            "desk to web-2 as ubuntu with posture:mac"
        ]
    );
}

// docs/policy-language.md#ssh-rules: `localpart:` is the login of each, whose own devices receive the rule, too; and `autogroup:self`
// is the devices of each.
#[test]
fn own_names_and_own_devices() {
    let text = policy(
        r#"{"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self"], "users": ["root"]},
        {"action": "check", "src": ["autogroup:member"], "dst": ["tag:db"], "users": ["localpart:*@example.com"]}"#,
        OPEN,
    );
    let found = logins(&text, &json!(null), By::Name);
    assert_eq!(
        told(&found, "cells"),
        [
            "ann@example.com to ann@example.com as root",
            "ann@example.com to ann@example.com as ann after a check",
            "ann@example.com to tag:db as ann after a check",
            "ann@example.com to autogroup:self as root",
            "ann@example.com to autogroup:self as ann after a check",
            "bob@example.com to bob@example.com as root",
            "bob@example.com to bob@example.com as bob after a check",
            "bob@example.com to tag:db as bob after a check",
            "bob@example.com to autogroup:self as root",
            "bob@example.com to autogroup:self as bob after a check",
            "autogroup:member to tag:db as localpart:*@example.com after a check",
            "autogroup:member to autogroup:self as root",
            "autogroup:member to autogroup:self as localpart:*@example.com after a check",
        ]
    );
}

#[test]
fn what_text_and_context_do_not_decide_says_why() {
    let text = policy(
        r#"{"action": "accept", "src": ["group:ops@example.com"], "dst": ["tag:db"], "users": ["root"]}"#,
        OPEN,
    );
    let found = logins(&text, &json!(null), By::Name);
    assert_eq!(
        told(&found, "cells"),
        ["group:ops@example.com to tag:db as root"]
    );
    let why = "the members of group:ops@example.com are not known";
    assert_eq!(
        told(&found, "unknown"),
        [
            format!("ann@example.com to tag:db as root: {why}"),
            format!("bob@example.com to tag:db as root: {why}")
        ]
    );
}

#[test]
fn only_the_rows_and_columns_of_some_names() {
    let text = policy(
        r#"{"action": "accept", "src": ["group:all"], "dst": ["tag:web", "tag:db"], "users": ["root"]}"#,
        OPEN,
    );
    let names = |name: &str| Some(vec![name.to_owned()]);
    let options = AccessOptions {
        by: By::Name,
        from: names("bob@example.com"),
        to: names("tag:db"),
    };
    let found = logins(&text, &json!(null), options);
    assert_eq!(told(&found, "cells"), ["bob@example.com to tag:db as root"]);
    let document = hujson::parse(&text).expect("a policy parses");
    let options = AccessOptions {
        by: By::Device,
        from: None,
        to: None,
    };
    let policy = Policy::read(&document);
    let error = policy.logins(&PolicyContext::default(), options);
    assert_eq!(error.expect_err("an error").code(), "invalid_argument");
}
