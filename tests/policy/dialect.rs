//! The dialect of a text: the one that the context or an argument names, else the one in its first line; edits, the parsed form and the
//! language service follow it. Must not live here: verdicts and access in a dialect (`headscale`).

use serde_json::{Value, json};
use tailnet_kit::policy::edit::{self, ListSection};
use tailnet_kit::policy::service::{self, CompletionList};
use tailnet_kit::policy::{Dialect, PolicyContext, check, diff, rename, to_json};

const MARK: &str = "// tailnet-kit: dialect headscale\n";

/// A text of Headscale by its first line.
fn marked(policy: &str) -> String {
    format!("{MARK}{policy}")
}

/// A network whose users have names without a domain.
fn context(dialect: Option<&str>) -> PolicyContext {
    let mut context = json!({
        "users": [{"loginName": "ann", "id": "1"}, {"loginName": "bob", "id": "2"}],
        "devices": [{"id": "7", "hostname": "laptop", "user": "1", "addresses": ["100.64.0.1"]}],
    });
    if let Some(dialect) = dialect {
        context["dialect"] = json!(dialect);
    }
    serde_json::from_value(context).expect("a context")
}

#[test]
fn the_first_line_names_the_dialect_where_the_context_does_not() {
    // `0-10` is a range of ports in one dialect alone.
    let policy = r#"{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:0-10"]}]}"#;
    let accepted = |policy: &str, dialect| check(policy, &context(dialect)).accepted;
    assert!(!accepted(policy, None));
    assert!(accepted(&marked(policy), None));
    assert!(accepted(policy, Some("headscale")));
    assert!(!accepted(&marked(policy), Some("tailscale")));
    let others = [
        "// tailnet-kit: dialect tailscale\n",
        "\n// tailnet-kit: dialect headscale\n",
        "// tailnet-kit: dialect Headscale\n",
        "// dialect headscale\n",
    ];
    for line in others {
        assert!(!accepted(&format!("{line}{policy}"), None), "{line}");
    }
    assert!(accepted(
        &format!("//tailnet-kit:  dialect  headscale \r\n{policy}"),
        None
    ));
}

#[test]
fn users_are_named_by_tokens_where_the_first_line_says_so() {
    let text = marked(
        r#"{"acls": [{"action": "accept", "src": ["ann@"], "dst": ["ann@:22"]}],
          "tests": [{"src": "ann@", "accept": ["ann@:22"]}, {"src": "bob@", "deny": ["ann@:22"]}]}"#,
    );
    let check = check(&text, &context(None));
    // Bob has no node, so that the source of his test has no address.
    let message = "test(s) failed:\nbob@: source \"bob@\" resolved to no IP addresses";
    assert_eq!(check.message.as_deref(), Some(message));
    assert_eq!(check.tests.results[0].passed, Some(true));
}

#[test]
fn edits_find_a_section_in_any_spelling_of_the_dialect() {
    let text = r#"{"tag_owners": {"tag:db": []}, "auto-approvers": {"exit_node": []}}"#;
    let text = (text, Dialect::Headscale);
    let owned = edit::set_tag_owners(text, "db", Some(&["ann@".to_owned()]));
    assert_eq!(
        owned.expect("an edit"),
        r#"{"tag_owners": {"tag:db": ["ann@"]}, "auto-approvers": {"exit_node": []}}"#
    );
    let exits =
        edit::set_auto_approvers(text, edit::Approval::ExitNode, Some(&["bob@".to_owned()]));
    assert_eq!(
        exits.expect("an edit"),
        r#"{"tag_owners": {"tag:db": []}, "auto-approvers": {"exit_node": ["bob@"]}}"#
    );
    // The same text is that of the service to whom nobody says otherwise, which has no such key.
    let other = edit::set_tag_owners(text.0, "db", Some(&[])).expect("an edit");
    assert!(other.contains("\"tagOwners\""), "{other}");
}

#[test]
fn edits_refuse_what_the_dialect_does_not_have() {
    let refused = |edited: Result<String, edit::EditError>| {
        let error = edited.expect_err("a refusal");
        (error.code(), error.to_string())
    };
    let text = marked("{}");
    let names = ["posture:a".to_owned()];
    let none = |key: &str| {
        (
            tailnet_kit::Code::InvalidArgument,
            format!("policies of this dialect have no {key}"),
        )
    };
    assert_eq!(
        refused(edit::set_posture(&text, "a", Some(&names))),
        none("postures")
    );
    assert_eq!(
        refused(edit::set_ipset(&text, "a", Some(&names))),
        none("ipsets")
    );
    assert_eq!(
        refused(edit::set_default_src_posture(&text, Some(&names))),
        none("defaultSrcPosture")
    );
    assert_eq!(
        refused(edit::set_option(&text, "disableIPv4", Some("true"))),
        none("disableIPv4")
    );
    let service = edit::Approval::Service("web");
    assert_eq!(
        refused(edit::set_auto_approvers(&text, service, Some(&names))),
        none("services")
    );
    assert!(edit::set_option(&text, "randomizeClientPort", Some("true")).is_ok());
}

#[test]
fn entries_are_disabled_and_enabled_in_the_dialect() {
    let text =
        marked("{\n\t\"SSH-Tests\": [\n\t\t{\"src\": \"ann@\", \"dst\": [\"bob@\"]},\n\t],\n}\n");
    let off = edit::disable(&text, ListSection::SshTests, 0).expect("an edit");
    let places = edit::disabled(&off).expect("places");
    assert_eq!(places.len(), 1);
    assert_eq!(
        edit::enable(&off, places[0].span.start).expect("an edit"),
        text
    );
}

#[test]
fn the_parsed_form_is_in_the_spelling_of_the_dialect() {
    let policy = r##"{"Tag_Owners": {"tag:x": []}, "ACLS": [{"SRC": ["*"], "dst": ["*:*"], "#note": "why"}], "postures": {}}"##;
    assert_eq!(
        to_json((policy, Dialect::Headscale)).expect("HuJSON"),
        r##"{"tagOwners":{"tag:x":[]},"acls":[{"src":["*"],"dst":["*:*"],"#note":"why"}],"postures":{}}"##
    );
    assert_eq!(
        to_json(("", Dialect::Headscale)).expect("no policy"),
        "null"
    );
}

#[test]
fn a_difference_of_spelling_is_none_in_the_dialect() {
    let [before, after] = [
        r#"{"tagOwners": {"tag:x": ["a@"]}}"#,
        r#"{"tag_owners": {"tag:x": ["a@"]}}"#,
    ];
    let same = diff((before, Dialect::Headscale), (after, Dialect::Headscale));
    assert!(same.expect("HuJSON").is_empty());
    assert!(!diff(before, after).expect("HuJSON").is_empty());
}

#[test]
fn a_tag_may_have_a_name_that_the_service_refuses() {
    let text = r#"{"tag_owners": {"tag:a": []}, "acls": [{"src": ["tag:a"], "dst": ["tag:a:*"]}]}"#;
    let renamed = rename((text, Dialect::Headscale), "tag:a", "tag:b.c");
    assert_eq!(renamed.expect("an edit"), text.replace("tag:a", "tag:b.c"));
    assert!(rename(text, "tag:a", "tag:b.c").is_err());
    assert!(rename((text, Dialect::Headscale), "tag:a", "tag:1").is_err());
}

fn completed(policy: &str) -> CompletionList {
    let text = marked(policy);
    let at = text.find('|').expect("a cursor");
    service::complete(&text.replace('|', ""), at, &context(None))
}

#[track_caller]
fn offers(policy: &str, some: &[&str], none: &[&str]) {
    let list = completed(policy);
    let has = |label: &&&str| list.items.iter().any(|item| item.label == **label);
    let labels: Vec<&str> = list.items.iter().map(|item| item.label.as_str()).collect();
    assert!(some.iter().all(|label| has(&label)), "{policy}: {labels:?}");
    assert!(
        !none.iter().any(|label| has(&label)),
        "{policy}: {labels:?}"
    );
}

#[test]
fn completion_offers_what_the_dialect_has() {
    let roles = [
        "autogroup:admin",
        "autogroup:owner",
        "autogroup:shared",
        "user:*@example.com",
    ];
    offers(
        r#"{"|"}"#,
        &["acls", "grants", "randomizeClientPort"],
        &["postures", "ipsets", "disableIPv4"],
    );
    offers(
        r#"{"acls": [{"|"}]}"#,
        &["action", "proto"],
        &["srcPosture", "users"],
    );
    offers(
        r#"{"ssh": [{"|"}]}"#,
        &["checkPeriod", "acceptEnv"],
        &["recorder", "srcPosture"],
    );
    offers(
        r#"{"groups": {"group:dev": ["bo@example.com"]}, "acls": [{"src": ["|"]}]}"#,
        &[
            "ann@",
            "bob@",
            "group:dev",
            "autogroup:member",
            "autogroup:danger-all",
            "*",
        ],
        &[&roles[..], &["autogroup:self", "ann"]].concat(),
    );
    offers(
        r#"{"tag_owners": {"tag:x": ["|"]}}"#,
        &["ann@"],
        &[&roles[..], &["autogroup:member"]].concat(),
    );
    offers(
        r#"{"acls": [{"proto": "|"}]}"#,
        &["fc", "ipv6-icmp"],
        &["icmpv6", "dccp", "tsmp"],
    );
    offers(
        r#"{"nodeAttrs": [{"attr": ["|"]}]}"#,
        &["magicdns-aaaa"],
        &["funnel"],
    );
    offers(
        r#"{"auto_approvers": {"|"}}"#,
        &["routes", "exitNode"],
        &["services"],
    );
}

#[test]
fn a_whole_entry_that_is_offered_is_accepted() {
    for section in ["acls", "grants", "ssh", "tests", "sshTests", "nodeAttrs"] {
        for item in completed(&format!("{{\"{section}\": [|]}}")).items {
            assert!(
                !item.insert.contains("funnel"),
                "{section}: {}",
                item.insert
            );
        }
    }
}

#[test]
fn hover_knows_the_keys_and_users_of_the_dialect() {
    let hover = |policy: &str| {
        let text = marked(policy);
        let at = text.find('|').expect("a cursor");
        let found = service::hover(&text.replace('|', ""), at, &context(None));
        found.map(|hover| hover.markdown).unwrap_or_default()
    };
    assert!(hover(r#"{"tag_|owners": {}}"#).starts_with("**tagOwners**"));
    assert!(hover(r#"{"acls": [{"a|ction": "accept"}]}"#).contains("which it is without this key"));
    let user = hover(r#"{"acls": [{"src": ["an|n@"]}]}"#);
    assert!(user.contains("laptop"), "{user}");
    assert_eq!(hover(r#"{"post|ures": {}}"#), "");
}

#[test]
fn names_are_found_in_sections_of_any_spelling() {
    let text = marked(
        r#"{"tag_owners": {"tag:x": []}, "acls": [{"src": ["tag:x"], "dst": ["tag:x:*"]}]}"#,
    );
    let at = text.rfind("tag:x").expect("a use");
    let definition = service::definition(&text, at).expect("a definition");
    assert_eq!(Some(definition.from), text.find("tag:x"));
    assert_eq!(service::references(&text, at).len(), 3);
    let edits = service::rename_at(&text, at, "y").expect("a new name");
    assert_eq!(edits.len(), 3);
}

#[test]
fn diagnostics_say_what_headscale_says_and_offer_fixes() {
    let found = |policy: &str| -> Vec<Value> {
        let text = marked(policy);
        let found = service::diagnostics(&text, &context(None));
        found.iter().map(|found| json!(found)).collect()
    };
    let unknown = found(
        r#"{"acls": [{"src": ["group:dev"], "dst": ["*:*"]}], "groups": {"group:devs": ["ann@"]}}"#,
    );
    let first = unknown
        .iter()
        .find(|found| found["severity"] == "error")
        .expect("an error");
    assert!(
        first["message"]
            .as_str()
            .is_some_and(|words| words.contains("group not defined in policy"))
    );
    assert!(
        first["fixes"]
            .as_array()
            .is_some_and(|fixes| !fixes.is_empty()),
        "{first}"
    );
    assert!(
        found(r#"{"acls": [{"src": ["ann@"], "dst": ["ann@:22"]}]}"#)
            .iter()
            .all(|found| found["severity"] != "error")
    );
}

#[test]
fn a_user_without_the_sign_that_ends_users_gets_it_by_a_fix() {
    for (rule, offset) in [
        (r#"{"src": ["ann"], "dst": ["*:*"]}"#, "ann"),
        (r#"{"src": ["*"], "dst": ["ann:22"]}"#, "ann:22"),
    ] {
        let text = marked(&format!(r#"{{"acls": [{rule}]}}"#));
        let found = service::diagnostics(&text, &context(None));
        let error = found.iter().map(|found| json!(found));
        let mut errors = error.filter(|found| found["severity"] == "error");
        let error = errors.next().expect("an error");
        assert_eq!(error["message"], r#"host not defined in policy: "ann""#);
        let hint = "define it in hosts, or write `ann@` for the user";
        assert_eq!(error["hint"], hint);
        let written = offset.replace("ann", "ann@");
        let fixes = error["fixes"].as_array().expect("a list");
        let edits = fixes
            .iter()
            .flat_map(|fix| fix["edits"].as_array().expect("edits").clone());
        let writes: Vec<Value> = edits.map(|edit| edit["insert"].clone()).collect();
        assert!(
            writes.contains(&json!(written)) || writes.contains(&json!("ann@")),
            "{writes:?}"
        );
    }
}
