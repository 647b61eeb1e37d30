//! Fixes of what is wider or emptier than it looks: each is offered, and none is chosen unasked. Must not live here: what is found
//! (`check`).

use tailnet_kit::policy::PolicyContext;

use super::{offered, offers};

fn acls(rules: &[&str]) -> String {
    let posture = r#""postures": {"posture:a": ["node:os == 'linux'"]}"#;
    format!("{{{posture}, \"acls\": [\n{}\n]}}", rules.join(",\n"))
}

#[test]
fn of_two_rules_either_can_go() {
    let safe = r#"{"action": "accept", "src": ["ann@x.y"], "dst": ["10.0.0.1:22"], "srcPosture": ["posture:a"]}"#;
    let open = r#"{"action": "accept", "src": ["ann@x.y"], "dst": ["10.0.0.1:22"]}"#;
    assert_eq!(
        offers(&acls(&[safe, open]), "void_posture"),
        [
            ("Remove the rule at line 3".to_owned(), acls(&[safe])),
            ("Remove it".to_owned(), acls(&[open])),
        ]
    );
    assert_eq!(
        offers(&acls(&[open, open]), "covered_rule"),
        [("Remove it!".to_owned(), acls(&[open]))]
    );
}

#[test]
fn a_login_gets_its_port_or_goes() {
    let text = |acls: &str, ssh: &str| {
        format!(r#"{{"tagOwners": {{"tag:db": []}}, "acls": [{acls}], "ssh": [{ssh}]}}"#)
    };
    let web = r#"{"action": "accept", "src": ["ann@x.y"], "dst": ["tag:db:5432"]}"#;
    let door = r#"{"action": "accept", "src": ["ann@x.y"], "dst": ["tag:db:22"]}"#;
    let ssh = r#"{"action": "check", "src": ["ann@x.y"], "dst": ["tag:db"], "users": ["root"]}"#;
    assert_eq!(
        offers(&text(web, ssh), "ssh_without_network"),
        [
            (
                "Add a rule for port 22 to acls".to_owned(),
                text(&format!("{web}, {door}"), ssh)
            ),
            ("Remove it".to_owned(), text(web, "")),
        ]
    );
}

#[test]
fn what_everybody_has_is_narrowed() {
    let text = |owner: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:a": ["{owner}"]}}, "acls": [{{"action": "accept", "src": ["tag:a"], "dst": ["tag:a:22"]}}]}}"#
        )
    };
    assert_eq!(
        offers(&text("autogroup:member"), "anyone_owns_tag"),
        [("Write autogroup:admin".to_owned(), text("autogroup:admin"))]
    );
    let text = |from: &str| {
        format!(
            r#"{{"acls": [{{"action": "accept", "src": ["{from}"], "dst": ["10.0.0.1:22"]}}]}}"#
        )
    };
    assert_eq!(
        offers(&text("0.0.0.0/0"), "open_source"),
        [(
            "Write autogroup:member".to_owned(),
            text("autogroup:member")
        )]
    );
}

#[test]
fn what_devices_have_is_declared_and_their_names_are_left_to_them() {
    let context = r#"{"devices": [{"id": "1", "hostname": "db", "tags": ["tag:db"], "addresses": ["100.64.0.1"]}]}"#;
    let context = PolicyContext::read(context).expect("a context");
    let acls =
        r#""acls": [{"action": "accept", "src": ["ann@x.y"], "dst": ["autogroup:self:22"]}]"#;
    assert_eq!(
        offered(
            &format!(r#"{{"tagOwners": {{}}, {acls}}}"#),
            "undeclared_tag",
            &context
        ),
        [(
            "Write \"tag:db\": []!".to_owned(),
            format!(r#"{{"tagOwners": {{"tag:db": []}}, {acls}}}"#)
        )]
    );
    let text = |name: &str| {
        format!(
            r#"{{"tagOwners": {{"tag:db": []}}, "hosts": {{"{name}": "100.64.0.9"}}, "acls": [{{"action": "accept", "src": ["ann@x.y"], "dst": ["{name}:22"]}}]}}"#
        )
    };
    let found = offered(&text("db"), "shadowed_alias", &context);
    assert_eq!(
        found.first(),
        Some(&("Rename it to host-db!".to_owned(), text("host-db")))
    );
}

#[test]
fn an_unknown_protocol_is_written_as_the_one_that_was_meant() {
    let acl = |proto: &str| {
        format!(
            r#"{{"acls": [{{"action": "accept", "proto": "{proto}", "src": ["ann@x.y"], "dst": ["10.0.0.1:80"]}}]}}"#
        )
    };
    assert_eq!(
        offers(&acl("tpc"), "unknown_protocol"),
        [("Write \"tcp\"!".to_owned(), acl("tcp"))]
    );
    assert_eq!(
        offers(&acl("HTTP"), "unknown_protocol"),
        [("Write \"tcp\"!".to_owned(), acl("tcp"))]
    );
    assert_eq!(
        offers(&acl("everything"), "unknown_protocol"),
        [
            ("Write \"tcp\"".to_owned(), acl("tcp")),
            ("Write \"udp\"".to_owned(), acl("udp")),
        ]
    );
    let grant = |ip: &str| {
        format!(r#"{{"grants": [{{"src": ["ann@x.y"], "dst": ["10.0.0.1"], "ip": ["{ip}"]}}]}}"#)
    };
    assert_eq!(
        offers(&grant("tpc:80-90"), "unknown_protocol"),
        [("Write \"tcp:80-90\"!".to_owned(), grant("tcp:80-90"))]
    );
}
