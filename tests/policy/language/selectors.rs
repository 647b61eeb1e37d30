//! The cells of the table of selectors: for each side of each kind of rule, whether the service takes a selector there, asked of
//! the table of docs/policy-language.md#selectors itself. Must not live here: what selectors stand for (selectors.hujson).

use serde_json::{Value, json};
use tailnet_kit::policy::check;

use super::network::{Network, networks};
use super::rows::table;

/// The columns with an answer, in their order, each with the message for a selector that it does not take.
const COLUMNS: [(&str, &str); 6] = [
    ("source", "\"X\" not valid on the src side of a rule"),
    ("destination", "\"X\" not valid on the dst side of a rule"),
    ("SSH source", "invalid src \"X\""),
    ("SSH destination", "invalid dst \"X\""),
    ("test source", "test(s) failed"),
    ("test destination", "test(s) failed"),
];

/// Selectors of the kind that a row is about.
fn examples(row: &str) -> &'static [&'static str] {
    match row {
        "*" => &["*"],
        "a login" => &["ann@example.com"],
        "group:g" => &["group:dev"],
        "tag:t" => &["tag:web"],
        "an address, an alias of one" => &["100.64.0.5", "fd7a:115c:a1e0::5", "front"],
        "a prefix, an alias of one, a range" => &[
            "10.1.0.0/24",
            "100.64.0.6/32",
            "lan",
            "100.64.0.5-100.64.0.6",
        ],
        "ipset:s" => &["ipset:lab"],
        "svc:s" => &["svc:mail"],
        "autogroup:admin and the other roles" => &[
            "autogroup:owner",
            "autogroup:admin",
            "autogroup:it-admin",
            "autogroup:network-admin",
            "autogroup:billing-admin",
            "autogroup:auditor",
        ],
        "autogroup:member" => &["autogroup:member"],
        "autogroup:tagged" => &["autogroup:tagged"],
        "autogroup:self" => &["autogroup:self"],
        "autogroup:internet" => &["autogroup:internet"],
        "autogroup:danger-all" => &["autogroup:danger-all"],
        "autogroup:shared" => &["autogroup:shared"],
        "user:*@domain" => &["user:*@example.com", "user:*@other.org"],
        _ => panic!("no example for `{row}`"),
    }
}

/// A policy with these sections and the definitions of all examples.
fn policy(sections: &Value) -> String {
    let mut policy = json!({
        "groups": {"group:dev": ["ann@example.com"]},
        "hosts": {"front": "100.64.0.5", "lan": "10.1.0.0/16"},
        "tagOwners": {"tag:web": []},
        "ipsets": {"ipset:lab": ["10.1.0.0/16"]},
    });
    for (name, section) in sections.as_object().expect("sections") {
        policy[name] = section.clone();
    }
    policy.to_string()
}

fn with_port(selector: &str) -> String {
    match selector.matches(':').count() > 1 && !selector.starts_with("user:") {
        true => format!("[{selector}]:22"),
        false => format!("{selector}:22"),
    }
}

/// The policies that have a selector in a column.
fn uses(column: &str, selector: &str) -> Vec<Value> {
    let acl = |src: &str, to: &str| json!({"acls": [{"action": "accept", "src": [src], "dst": [with_port(to)]}]});
    let grant =
        |src: &str, to: &str| json!({"grants": [{"src": [src], "dst": [to], "ip": ["22"]}]});
    let ssh = |src: &str, to: &str| json!({"acls": [], "ssh": [{"action": "accept", "src": [src], "dst": [to], "users": ["root"]}]});
    // Without rules everything is allowed between devices, so that only the entry itself can fail. A service is no device: what it
    // reaches is nothing, which a `deny` says.
    let test = |src: &str, to: &str| {
        let list = if src.starts_with("svc:") {
            "deny"
        } else {
            "accept"
        };
        json!({"tests": [{"src": src, list: [with_port(to)]}]})
    };
    match column {
        "source" => vec![acl(selector, "100.64.0.6"), grant(selector, "100.64.0.6")],
        "destination" => vec![
            acl("ann@example.com", selector),
            grant("ann@example.com", selector),
        ],
        "SSH source" => vec![ssh(selector, "tag:web")],
        "SSH destination" => vec![ssh("ann@example.com", selector)],
        "test source" => vec![test(selector, "100.64.0.6")],
        _ => vec![test("bob@example.com", selector)],
    }
}

fn said(sections: &Value, network: &Network) -> Option<String> {
    check(&policy(sections), &network.context).message
}

#[test]
fn each_cell_of_the_selectors_is_what_the_service_takes() {
    let networks = networks();
    let home = &networks["home"];
    let (mut asked, mut differences) = (0, Vec::new());
    for row in table("selectors") {
        let name = row[0].replace('`', "");
        for (at, (column, refusal)) in COLUMNS.iter().enumerate() {
            let takes = match row[at + 2].as_str() {
                "yes" => true,
                "no" => false,
                // Ann is the only source here.
                "only if it is the only source" => true,
                other => panic!("{name}: {column}: {other}"),
            };
            for selector in examples(&name) {
                for sections in uses(column, selector) {
                    asked += 1;
                    let message = said(&sections, home);
                    let expected = match (*selector, takes) {
                        (_, true) => None,
                        ("autogroup:danger-all", _) if *column == "destination" => {
                            Some("cannot use autogroup:danger-all as a dst".to_owned())
                        }
                        _ => Some(refusal.replace('X', selector)),
                    };
                    if message != expected {
                        differences.push(format!(
                            "{name}: {column}: {sections}\n  {message:?}, expected {expected:?}"
                        ));
                    }
                }
            }
        }
    }
    println!("{asked} uses of selectors judged");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// "only if it is the only source"
#[test]
fn a_user_is_an_ssh_destination_for_nobody_else() {
    let networks = networks();
    let asked = |sources: &[&str]| {
        let rule = json!({"action": "accept", "src": sources, "dst": ["ann@example.com"], "users": ["root"]});
        said(&json!({"acls": [], "ssh": [rule]}), &networks["home"])
    };
    let refused = Some("invalid dst \"ann@example.com\"".to_owned());
    assert_eq!(asked(&["ann@example.com"]), None);
    assert_eq!(asked(&["ann@example.com", "ann@example.com"]), None);
    assert_eq!(asked(&["bob@example.com"]), refused);
    assert_eq!(asked(&["ann@example.com", "bob@example.com"]), refused);
    assert_eq!(asked(&["group:dev"]), refused);
}

/// "A target of `nodeAttrs` is any of these except a service, a domain, `autogroup:self`, `autogroup:internet` and
/// `autogroup:danger-all`" (docs/policy-language.md#selectors).
#[test]
fn each_selector_is_a_target_of_attributes_or_not() {
    let networks = networks();
    for row in table("selectors") {
        let name = row[0].replace('`', "");
        let is_foreign = matches!(
            name.as_str(),
            "svc:s"
                | "user:*@domain"
                | "autogroup:self"
                | "autogroup:internet"
                | "autogroup:danger-all"
        );
        for target in examples(&name) {
            let sections =
                json!({"acls": [], "nodeAttrs": [{"target": [target], "attr": ["funnel"]}]});
            let expected = is_foreign.then(|| format!("\"{target}\": invalid address"));
            assert_eq!(said(&sections, &networks["home"]), expected, "{target}");
        }
    }
}

/// The owners of a tag and the approvers are users, groups, autogroups, domains and tags (docs/policy-language.md#tags,
/// docs/policy-language.md#approvers).
#[test]
fn each_selector_is_an_owner_and_an_approver_or_not() {
    let networks = networks();
    for row in table("selectors") {
        let name = row[0].replace('`', "");
        let fits = matches!(
            name.as_str(),
            "a login"
                | "group:g"
                | "tag:t"
                | "user:*@domain"
                | "autogroup:member"
                | "autogroup:tagged"
                | "autogroup:admin and the other roles"
                | "autogroup:shared"
        );
        for who in examples(&name) {
            let owner = json!({"acls": [], "tagOwners": {"tag:web": [], "tag:own": [who]}});
            let approver = json!({"acls": [], "autoApprovers": {"routes": {"10.0.0.0/8": [who]}}});
            for (sections, what) in [(owner, "owner"), (approver, "approver")] {
                let expected = (!fits).then(|| format!("invalid {what} \"{who}\""));
                assert_eq!(said(&sections, &networks["home"]), expected, "{who}");
            }
        }
    }
}

/// "`src` is a user, group, tag or alias, `dst` tags, users and aliases of one address: other shapes have messages of their own"
/// (docs/policy-language.md#ssh-tests).
#[test]
fn each_selector_is_an_end_of_an_ssh_test_or_not() {
    let networks = networks();
    for row in table("selectors") {
        let name = row[0].replace('`', "");
        let of_both = matches!(
            name.as_str(),
            "a login" | "tag:t" | "an address, an alias of one"
        );
        for selector in examples(&name) {
            let test = |src: &str, to: &str| json!({"acls": [], "sshTests": [{"src": src, "dst": [to], "accept": ["root"]}]});
            let as_source = said(&test(selector, "tag:web"), &networks["home"]);
            let as_destination = said(&test("tag:web", selector), &networks["home"]);
            let ends = [
                ("src", as_source, of_both || name == "group:g"),
                ("dst", as_destination, of_both),
            ];
            for (side, message, fits) in ends {
                // No ssh rule lets anybody in, so that an entry of the right shape has a result.
                let expected = match fits {
                    true => "test(s) failed".to_owned(),
                    false => format!("SSH tests {side} contains disallowed element \"{selector}\""),
                };
                assert_eq!(message, Some(expected), "{selector}");
            }
        }
    }
}
